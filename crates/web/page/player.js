// Plays the moments of one or two games on their boards at a chosen speed, and seeks in them.

import { busyElsewhere } from './play-keys.js';

/** @typedef {import('./net').Session} Session */
/** @typedef {import('./board').Board} Board */
/** @typedef {import('./types').ShowOptions} ShowOptions */
/** @typedef {{session: Session, board: Board, shown: number, decorate?: (n: number) => ShowOptions}} View */

/** At more turns per second than this, moves are not animated. */
const MAX_ANIMATED_SPEED = 25;

/** Emits `change` when the position or the length changes, or playback starts or pauses. */
export class Player extends EventTarget {
  /**
   * @param {View[]} views
   * @param {number} speed turns per second
   */
  constructor(views, speed) {
    super();
    this.views = views;
    this.speed = speed;
    this.position = 0;
    this.playing = false;
    this.timer = 0;
    /** When the next turn is due. */
    this.due = 0;
    for (const view of views) {
      view.session.on('frame', () => this.arrived(view));
      if (view.session.stops.length) this.arrived(view);
    }
  }

  /** The number of the last turn received. */
  get last() {
    return Math.max(0, ...this.views.map((view) => view.session.stops.length - 1));
  }

  /** Whether every game is over and shown to its end. */
  get finished() {
    return this.position >= this.last && this.views.every((view) => view.session.over);
  }

  /** @param {View} view */
  arrived(view) {
    const { stops } = view.session;
    // Older moments that arrive late shift all positions; a player at the start stays there.
    if (
      this.position > 0 &&
      this.views.length === 1 &&
      stops[this.position] !== view.shown &&
      stops.includes(view.shown)
    )
      this.position = stops.indexOf(view.shown);
    const wanted = stops[Math.min(this.position, stops.length - 1)];
    // The first moment, one that was awaited, or one that replaced the moment on the board.
    if (wanted !== undefined && (view.shown < 0 || wanted !== view.shown)) this.showIn(view, 0);
    if (this.playing && !this.timer) this.schedule();
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }

  /**
   * @param {View} view
   * @param {number} animate
   */
  showIn(view, animate) {
    const { session, board } = view;
    const n = session.stops[Math.min(this.position, session.stops.length - 1)];
    if (n === undefined) return;
    const picture = session.picture(n);
    session.at(n);
    if (!picture) return;
    const forwards = n > view.shown;
    view.shown = n;
    board.show(picture, {
      animate: forwards ? animate : 0,
      action: session.frames[n].decision?.action,
      ...view.decorate?.(n),
    });
  }

  /**
   * @param {number} position
   * @param {boolean} [glide]
   */
  seek(position, glide = false) {
    this.position = Math.max(0, Math.min(this.last, position));
    const animate = glide && this.speed <= MAX_ANIMATED_SPEED ? Math.min(1000 / this.speed, 600) : 0;
    for (const view of this.views) this.showIn(view, animate);
    this.changed();
  }

  /** Redraws the decorations of the moments on screen. */
  redraw() {
    for (const view of this.views) if (view.shown >= 0) view.board.decorate(view.decorate?.(view.shown) ?? {});
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.seek(this.position + by, by === 1);
  }

  play() {
    if (this.finished) this.seek(0);
    this.playing = true;
    this.due = performance.now();
    this.schedule();
    this.changed();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.finished) return this.pause();
    // The next turn has not arrived: its frame will schedule it.
    if (this.position >= this.last) return;
    const now = performance.now();
    this.due = Math.max(this.due + 1000 / this.speed, now);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (!this.playing) return;
      this.seek(this.position + 1, true);
      this.schedule();
    }, this.due - now);
  }

  close() {
    this.pause();
    for (const view of this.views) {
      view.session.close();
      view.board.destroy();
    }
  }
}

/**
 * Binds space to play and pause, arrows to steps, Home and End to the ends. Returns how to stop.
 * @param {Player} player
 */
export function listenToTimeKeys(player) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || busyElsewhere(event)) return;
    const act = {
      ' ': () => player.toggle(),
      ArrowLeft: () => player.step(-1),
      ArrowRight: () => player.step(1),
      Home: () => player.seek(0),
      End: () => player.seek(Infinity),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
