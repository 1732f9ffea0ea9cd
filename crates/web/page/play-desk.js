// A game being played: board, keys, clock, hints, undo and the result.

import { Board } from './board.js';
import { showError } from './common.js';
import { button, checkbox, fill, h, toast } from './dom.js';
import { GlassBox } from './glass.js';
import { keepPace, paceOf } from './kept.js';
import { openSession } from './net.js';
import { PlayClock } from './play-clock.js';
import { busyElsewhere, keyLabels, PlayKeys } from './play-keys.js';
import { ReviewPanel } from './review.js';
import { play } from './sound.js';
import { Timeline } from './timeline.js';
import { lowestPiece, stepArrows, verdict } from './words.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').Frame} Frame */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {import('./setup').Setup} Setup */

/** Milliseconds per turn when time runs, unless the level or the game's module says otherwise. */
const PACE_MS = 250;
/** @type {Record<string, string>} */
const ARROWS = { up: '↑', down: '↓', left: '←', right: '→' };
/** Keys of every game. */
const COMMON_KEYS = [
  { key: '?', action: 'hint' },
  { key: 'Backspace', action: 'undo' },
];
/** Most actions that wait to be taken. */
const LONGEST_QUEUE = 8;

export class PlayDesk {
  /**
   * @param {GameInfo} game
   * @param {import('./types').GameModule} module
   * @param {{setup: Setup, ticket: import('./types').Ticket, hand: import('./types').Hand | null, next: Setup | null, go: (setup: Setup) => void, edit: string, lost: () => void}} options
   *   `edit`: address of the editor with this level; `lost`: the server no longer has the game
   */
  constructor(game, module, { setup, ticket, hand, next, go, edit, lost }) {
    this.game = game;
    this.module = module;
    this.setup = setup;
    this.hand = hand;
    this.next = next;
    this.go = go;
    this.edit = edit;
    this.lost = lost;
    /** Actions that are typed faster than they can be taken. @type {string[]} */
    this.queue = [];
    this.shown = -1;
    /** Whether the board follows the newest moment. */
    this.following = true;
    this.awaiting = false;
    this.animatedUntil = 0;
    this.timer = 0;
    /** The overlays that are turned on, with their marks at the moment shown. @type {Map<string, Mark[]>} */
    this.overlays = new Map();
    /** The action that a gliding piece repeats. */
    this.glide = '';
    /** The turn to take as soon as it is possible. */
    this.queued = '';
    this.thinking = false;
    this.people = setup.seats.flatMap((name, seat) => (name === 'human' ? [seat] : []));
    this.session = openSession(ticket.id, ticket.key);
    this.keys = new PlayKeys(game, {
      onAction: () => this.keyPressed(),
      onPiece: (piece) => hand?.choosePiece?.(piece),
    });
    this.host = h('div', { class: 'board-host', id: 'board' });
    this.board = new Board(this.host, {
      label: game.title,
      look: module.look,
      minCell: 15,
      ...(hand?.handlers ?? this.tapHandlers()),
    });
    if (hand) hand.onAction = (action) => this.enqueue(action);
    hand?.attach(this.board);
    this.ui = buildPanels(this, ticket.id);
    this.listen();
  }

  /** @param {HTMLElement} settings */
  layout(settings) {
    const overlays = this.game.overlays
      .filter((overlay) => overlay.name !== 'unseen')
      .map((overlay) =>
        checkbox(`show ${overlay.name}`, false, (on) => {
          if (on) this.overlays.set(overlay.name, []);
          else this.overlays.delete(overlay.name);
          this.board.decorate({ marks: [...this.overlays.values()].flat() });
          this.askOverlays();
        }),
      );
    const hand = this.hand?.element ?? null;
    return h(
      'div',
      { class: 'split desk' },
      h(
        'div',
        { class: 'stack' },
        this.ui.facts,
        h('div', { class: hand ? 'table-top with-hand' : 'table-top' }, this.host, this.ui.result, hand),
        hand ? null : this.keys.pad(),
        this.ui.timeline.element,
        this.ui.review.element,
      ),
      h(
        'aside',
        { class: 'stack' },
        h(
          'section',
          { class: 'panel', 'aria-label': 'Controls' },
          this.ui.status,
          this.ui.controls,
          this.ui.clockPlace,
          h('div', { class: 'row' }, overlays),
          this.help(),
        ),
        this.ui.hints.element,
        settings,
      ),
    );
  }

  help() {
    if (this.hand?.help) return h('p', { class: 'soft' }, this.hand.help);
    const place = h('p', { class: 'soft keys' });
    keyLabels().then((labels) => fill(place, this.keyHelp(labels)), showError);
    return place;
  }

  /** @param {Map<string, string>} labels what is printed on the keys */
  keyHelp(labels) {
    const bindings = [...this.game.pieces, ...this.game.keys, ...COMMON_KEYS];
    return bindings.map(({ key, action }) =>
      h('span', null, h('kbd', null, ARROWS[key] ?? labels.get(key) ?? key), ` ${action.replaceAll(/[-_]/g, ' ')} `),
    );
  }

  listen() {
    this.session
      .on('hello', () => this.startClock())
      .on('frame', (n) => this.arrived(n))
      .on('thinking', (message) => {
        this.thinking = message.seat !== null;
        this.refresh();
      })
      .on('hint', (message) => this.showHint(message))
      .on('overlay', (message) => this.showOverlay(message))
      .on('review', (review) => this.showReview(review))
      .on('complaint', (message) => {
        this.awaiting = false;
        this.queue = [];
        play('wrong');
        toast(message.text, 'bad');
      })
      .on('lost', () => this.lost());
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (busyElsewhere(event) || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Backspace') this.undo();
      else if (event.key === '?') this.askHint();
      else if (event.key === 'p') this.clock?.toggle();
      else if (event.key === 'Enter' && this.frame?.status.over) this.playOn();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', this.onKey);
  }

  /** Creates the clock once `hello` has told the level's pace. After a reconnect, the answer to the last action never comes. */
  startClock() {
    this.awaiting = false;
    if (this.clock || !this.session.hello?.idle) return;
    const { tick_ms: tick } = this.session.hello;
    const liked = paceOf(this.game.name);
    const clock = new PlayClock({
      tick: () => this.tick(),
      pace: liked.pace ?? tick ?? this.module.pace ?? PACE_MS,
      waits: liked.waits ?? this.people.some((seat) => seat > 0),
      changed: () => keepPace(this.game.name, { waits: clock.waits, pace: clock.pace }),
    });
    this.clock = clock;
    fill(this.ui.clockPlace, this.clock.element);
    this.ui.controls.prepend(this.clock.toggleButton);
  }

  // Moments

  /** @returns {Frame | undefined} */
  get frame() {
    return this.session.frames[this.shown];
  }

  /** @param {number} n */
  arrived(n) {
    this.awaiting = false;
    if (n <= this.shown) this.shown = n - 1;
    if (this.following) this.advance();
    else this.refresh();
  }

  /** Shows the next moment between turns, once the animation of the last move is over. */
  advance() {
    if (this.timer) return;
    const next = this.session.frames.findIndex(
      (frame, n) => n > this.shown && frame && (frame.stop || frame.human || Boolean(frame.status.over)),
    );
    if (next < 0) return;
    const wait = this.clock?.running || this.queue.length ? 0 : this.animatedUntil - performance.now();
    if (wait > 0) {
      this.timer = window.setTimeout(() => {
        this.timer = 0;
        this.advance();
      }, wait);
      return;
    }
    this.show(next, this.shown >= 0);
    if (this.following) this.advance();
  }

  /**
   * @param {number} n
   * @param {boolean} animate
   */
  show(n, animate) {
    const picture = this.session.picture(n);
    if (!picture) return;
    const before = this.frame;
    this.shown = n;
    this.host.dataset.moment = String(n);
    const frame = /** @type {Frame} */ (this.frame);
    const glide = !animate ? 0 : this.clock?.running ? this.clock.pace * 1.04 : 'natural';
    // Cells out of view are fog. Until the server sends those of this moment, the previous fog stays.
    const foggy = frame.labels.some(([name]) => name === 'view');
    if (foggy) this.session.overlay(n, 'unseen');
    this.board.show(picture, {
      animate: glide,
      action: frame.decision?.action,
      hidden: foggy ? this.board.shown.hidden : undefined,
    });
    this.animatedUntil = performance.now() + this.board.duration;
    this.ui.hints.element.hidden = true;
    if (animate && before) this.sound(before, frame);
    if (frame.decision && !this.clock && !this.people.includes(frame.decision.seat))
      this.board.say(`${this.setup.seats[frame.decision.seat]} plays ${frame.decision.action}`);
    this.session.at(n);
    this.askOverlays();
    const legal = frame.human ? (frame.legal ?? []) : [];
    this.hand?.set(picture, legal);
    this.refresh();
    this.takeQueued();
  }

  /** @param {number} n */
  goTo(n) {
    this.clock?.stop();
    [this.glide, this.queued, this.queue] = ['', '', []];
    clearTimeout(this.timer);
    this.timer = 0;
    this.following = n >= this.session.last;
    this.show(n, false);
  }

  /** @param {number} by */
  step(by) {
    const { stops } = this.session;
    const at = stops.findIndex((stop) => stop >= this.shown);
    const to = stops[Math.max(0, Math.min(stops.length - 1, (at < 0 ? stops.length : at) + by))];
    if (to !== undefined) this.goTo(to);
  }

  /** Goes back to the last moment at which a person was to move. */
  undo() {
    for (let n = this.shown - 1; n >= 0; n--) {
      if (this.session.frames[n]?.human) return this.goTo(n);
    }
    return undefined;
  }

  /** The next level after a win, else the same one again. */
  playOn() {
    const { over } = this.frame?.status ?? {};
    if (this.next && over && verdict(over, this.people).won) this.go(this.next);
    else this.again();
  }

  again() {
    this.clock?.stop();
    [this.glide, this.queued, this.queue] = ['', '', []];
    this.shown = -1;
    this.following = true;
    this.session.restart(this.setup.seed);
  }

  // Acting

  /** Whether a person is to move at the moment on screen, and no newer one is about to be shown. */
  get canAct() {
    const behind = this.following && this.shown < this.session.last;
    return Boolean(this.frame?.human) && !this.awaiting && !behind;
  }

  /** Takes an action as soon as possible: keys typed quickly follow each other. @param {string} action */
  enqueue(action) {
    if (this.queue.length < LONGEST_QUEUE) this.queue.push(action);
    if (this.timer) {
      clearTimeout(this.timer);
      this.timer = 0;
      this.advance();
    }
    this.takeQueued();
  }

  takeQueued() {
    if (!this.canAct) return;
    const action = this.queue.shift();
    if (action) this.act(action);
  }

  /** @param {string} wanted */
  act(wanted) {
    if (!this.canAct) return;
    // One key does nothing for every piece, though some pieces call it `stay`.
    const action = wanted === 'wait' && this.frame?.legal?.includes('stay') ? 'stay' : wanted;
    if (this.frame?.legal && !this.frame.legal.includes(action)) {
      play('wrong');
      this.queue = [];
      return;
    }
    // While the connection is interrupted, actions wait for it.
    if (!this.session.act(this.shown, action)) {
      this.queue.unshift(wanted);
      return;
    }
    this.awaiting = true;
    this.following = true;
  }

  keyPressed() {
    if (this.session.frames[this.shown]?.status.over) return;
    if (this.hand?.move) {
      const action = this.keys.take();
      if (action) this.hand.move(action);
    } else if (this.clock && !this.clock.waits) this.clock.start();
    else {
      const action = this.keys.take();
      if (action) this.enqueue(action);
    }
  }

  tick() {
    const frame = this.frame;
    if (frame?.status.over) return this.clock?.stop();
    if (!this.canAct || !frame) return undefined;
    /** @param {string | null | undefined} action */
    const legal = (action) => Boolean(action) && (!frame.legal || frame.legal.includes(/** @type {string} */ (action)));
    const taken = this.keys.take();
    const { glides } = this.module;
    // A turn that is not possible yet is queued until the next corner.
    if (taken) this.queued = taken;
    if (glides && legal(this.queued)) [this.glide, this.queued] = [this.queued, ''];
    // The page knows when keys are released, so without a key the piece stands still.
    const action = [glides ? this.glide : taken, this.session.hello?.idle].find(legal);
    if (action) this.act(action);
    return undefined;
  }

  tapHandlers() {
    const onCell = (/** @type {number} */ x, /** @type {number} */ y) => {
      const hero = this.frame && lowestPiece(this.frame);
      if (hero) this.keys.towards(x - hero[1], y - hero[2]);
    };
    const onSwipe = (/** @type {number} */ dx, /** @type {number} */ dy) => this.keys.towards(dx, dy);
    return { onCell, onSwipe };
  }

  // Help

  askHint() {
    if (!this.frame?.human) return;
    this.clock?.stop();
    this.session.hint(this.shown);
  }

  /** @param {import('./types').Hint} hint */
  showHint(hint) {
    this.refresh();
    if (hint.n !== this.shown || !this.frame) return;
    this.ui.hints.element.hidden = false;
    this.ui.hints.show(hint, 'The best agent');
    this.board.decorate({ marks: hint.insight.marks ?? [], arrows: this.arrows(hint.action, this.frame) });
    this.board.say(`Hint: ${hint.action}. ${hint.insight.text ?? ''}`);
    play('hint');
  }

  /** @param {string} action @param {Frame} frame */
  arrows(action, frame) {
    const { arrows, movedPiece } = this.module;
    return arrows?.(action) ?? stepArrows(action, frame, movedPiece?.(action, frame, this.session.sprites));
  }

  askOverlays() {
    for (const name of this.overlays.keys()) this.session.overlay(this.shown, name);
  }

  /** @param {import('./types').OverlayMarks} message */
  showOverlay(message) {
    if (message.n !== this.shown) return;
    if (message.name === 'unseen') this.board.decorate({ hidden: message.marks.map((mark) => mark.at) });
    if (!this.overlays.has(message.name)) return;
    this.overlays.set(message.name, message.marks);
    this.board.decorate({ marks: [...this.overlays.values()].flat() });
  }

  /** @param {import('./types').Review} review */
  showReview(review) {
    this.ui.review.show(review);
    const { stops } = this.session;
    this.ui.timeline.remark(
      (review.remarks ?? []).map((remark) => ({
        at: Math.max(
          0,
          stops.findIndex((stop) => stop >= remark.n),
        ),
        text: remark.text,
        bad: true,
      })),
      stops.length - 1,
    );
  }

  // Panels

  refresh() {
    const { frame, session } = this;
    if (!frame) return;
    const facts = frame.labels.filter(([name]) => !this.module.hidesLabel?.(name));
    if (frame.score.length === 1 && frame.score[0] >= 0 && !facts.some(([name]) => name === 'score'))
      facts.push(['score', String(frame.score[0])]);
    fill(
      this.ui.facts,
      facts.map(([name, value]) => h('span', { class: 'fact' }, h('small', null, name), h('b', null, value))),
    );
    const { stops } = session;
    const at = stops.findIndex((stop) => stop >= this.shown);
    this.ui.timeline.set(at < 0 ? stops.length - 1 : at, Math.max(0, stops.length - 1), false);
    fill(this.ui.status, h('p', null, this.statusText(frame)));
    this.ui.undoButton.disabled = this.shown <= 0;
    this.ui.hintButton.disabled = !frame.human;
    this.refreshResult(frame);
    const lost = this.people.length === 1 && frame.status.over?.result[this.people[0]] === 'loss';
    this.ui.review.offer(session.over && this.shown === session.last, lost ? 'Why did I lose?' : undefined);
  }

  /** @param {Frame} frame */
  statusText(frame) {
    if (frame.status.over) return 'The game is over.';
    if (this.shown < this.session.last)
      return frame.human ? 'Earlier moment. A move here replaces the later ones.' : 'Earlier moment.';
    if (!frame.human) return `${this.setup.seats[frame.status.to_move ?? 0]} is thinking…`;
    if (this.thinking) return 'Looking for a hint…';
    if (this.clock && !this.clock.waits && !this.clock.running)
      return this.clock.begun
        ? 'Paused. Press any key of the game to resume.'
        : 'Press a key to start. Time runs while you play.';
    const names = this.game.seats?.[this.setup.rules] ?? [];
    return this.people.length > 1 ? `${names[frame.status.to_move ?? 0] ?? 'Next'} to move.` : 'Your move.';
  }

  /** @param {Frame} frame */
  refreshResult(frame) {
    const { over } = frame.status;
    const { result } = this.ui;
    const fresh = result.hidden;
    result.hidden = !over;
    if (!over || !fresh) return;
    this.clock?.stop();
    const { title, kind, won } = verdict(over, this.people);
    const { next } = this;
    const goOn = won && next !== null;
    fill(
      result,
      h(
        'div',
        { class: `note ${kind}`, 'data-result': over.result.join(',') },
        h('h2', null, title),
        h('p', null, `${over.reason}, after ${frame.turn} turns`),
        (over.substituted ?? []).map((sentence) => h('p', { class: 'note warn' }, sentence)),
        h(
          'div',
          { class: 'row' },
          button('Play again', () => this.again(), { class: goOn ? '' : 'primary', title: goOn ? '' : 'Enter' }),
          next
            ? button('Next level', () => this.go(next), { class: goOn ? 'primary' : '', title: goOn ? 'Enter' : '' })
            : null,
          button('Another seed', () => this.go({ ...this.setup, seed: this.setup.seed + 1 })),
        ),
      ),
    );
    this.clock?.toggleButton.setAttribute('hidden', '');
    this.board.say(`${title} ${over.reason}`);
  }

  /**
   * @param {Frame} before
   * @param {Frame} after
   */
  sound(before, after) {
    if (after.status.over) return play(verdict(after.status.over, this.people).won ? 'win' : 'lose');
    if (this.module.moveSound) return play(this.module.moveSound);
    return play(
      after.score.some((score, seat) => score > (before.score[seat] ?? 0)) || before.tiles !== after.tiles
        ? 'take'
        : 'step',
    );
  }

  close() {
    clearTimeout(this.timer);
    if (this.onKey) removeEventListener('keydown', this.onKey);
    this.clock?.close();
    this.keys.close();
    this.session.close();
    this.board.destroy();
  }
}

/**
 * The elements around the board.
 * @param {PlayDesk} desk
 * @param {string} id
 */
function buildPanels(desk, id) {
  const { session } = desk;
  const hints = new GlassBox('Hint');
  hints.element.hidden = true;
  const hintButton = button('Hint', () => desk.askHint(), { 'data-do': 'hint', title: '?' });
  const undoButton = button('Undo', () => desk.undo(), { 'data-do': 'undo', title: 'Backspace' });
  const controls = h(
    'div',
    { class: 'row controls' },
    hintButton,
    undoButton,
    button('Restart', () => desk.again(), { 'data-do': 'again' }),
    h('a', { class: 'button quiet', href: desk.edit }, 'Edit this level'),
    h('a', { class: 'button quiet', href: `/api/sessions/${id}/replay`, download: '' }, 'Save the replay'),
    h(
      'a',
      {
        class: 'button quiet',
        href: `#/watch/live/${id}`,
        target: '_blank',
        title: 'A link for everyone who can reach this server',
      },
      'Spectate',
    ),
  );
  return {
    hints,
    hintButton,
    undoButton,
    controls,
    facts: h('div', { class: 'facts' }),
    status: h('div', { class: 'status', role: 'status' }),
    result: h('div', { class: 'result', hidden: true }),
    clockPlace: h('div'),
    timeline: new Timeline({
      seek: (to) => desk.goTo(session.stops[Math.min(to, session.stops.length - 1)] ?? 0),
      step: (by) => desk.step(by),
      label: 'Moments of the game',
    }),
    review: new ReviewPanel(
      (n) => desk.goTo(n),
      () => session.review(),
    ),
  };
}
