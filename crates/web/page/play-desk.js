// A game being played: board, keys, time, hints, undo, and what happened in the end.

import { Board } from './board.js';
import { button, checkbox, fill, h, toast } from './dom.js';
import { GlassBox } from './glass.js';
import { openSession } from './net.js';
import { PlayClock } from './play-clock.js';
import { busyElsewhere, PlayKeys } from './play-keys.js';
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

export class PlayDesk {
  /**
   * @param {GameInfo} game
   * @param {import('./types').GameModule} module
   * @param {{setup: Setup, ticket: import('./types').Ticket, hand: import('./types').Hand | null, next: Setup | null, go: (setup: Setup) => void}} options
   */
  constructor(game, module, { setup, ticket, hand, next, go }) {
    this.game = game;
    this.module = module;
    this.setup = setup;
    this.hand = hand;
    this.next = next;
    this.go = go;
    this.shown = -1;
    /** Does the board stay with the newest moment? */
    this.following = true;
    this.awaiting = false;
    this.animatedUntil = 0;
    this.timer = 0;
    /** The overlays that are turned on, with their marks at the moment shown. @type {Map<string, Mark[]>} */
    this.overlays = new Map();
    this.glide = '';
    this.wish = '';
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
    if (hand) hand.onAction = (action) => this.act(action);
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
    const keys = this.game.keys.map((binding) =>
      h(
        'span',
        null,
        h('kbd', null, { up: '↑', down: '↓', left: '←', right: '→' }[binding.key] ?? binding.key),
        ` ${binding.action.replaceAll(/[-_]/g, ' ')} `,
      ),
    );
    const pieces = this.game.pieces.map((binding) =>
      h('span', null, h('kbd', null, binding.key), ` ${binding.action} `),
    );
    return h('p', { class: 'soft keys' }, ...pieces, ...keys);
  }

  listen() {
    this.session
      .on('hello', () => this.greet())
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
        play('wrong');
        toast(message.text, 'bad');
      })
      .on('lost', () => toast('The server stopped answering.', 'bad'));
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (busyElsewhere(event) || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Backspace') this.undo();
      else if (event.key === '?') this.askHint();
      else if (event.key === 'p') this.clock?.toggle();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', this.onKey);
  }

  /** The clock needs to know the level's own pace. */
  greet() {
    if (this.clock || !this.session.hello?.idle) return;
    const { tick_ms: tick } = this.session.hello;
    this.clock = new PlayClock({
      tick: () => this.tick(),
      pace: tick ?? this.module.pace ?? PACE_MS,
      waits: this.people.some((seat) => seat > 0),
    });
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

  /** Goes on to the next moment that is worth a look, after the move on the board has been seen. */
  advance() {
    if (this.timer) return;
    const next = this.session.frames.findIndex(
      (frame, n) => n > this.shown && frame && (frame.stop || frame.human || Boolean(frame.status.over)),
    );
    if (next < 0) return;
    const wait = this.clock?.running ? 0 : this.animatedUntil - performance.now();
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
    // What lies beyond a limited view is fog; until it is known for this moment, the fog of the one before stays.
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
  }

  /** @param {number} n */
  goTo(n) {
    this.clock?.stop();
    [this.glide, this.wish] = ['', ''];
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

  /** Back to the last moment at which a person was to move. */
  undo() {
    for (let n = this.shown - 1; n >= 0; n--) {
      if (this.session.frames[n]?.human) return this.goTo(n);
    }
    return undefined;
  }

  again() {
    this.clock?.stop();
    [this.glide, this.wish] = ['', ''];
    this.shown = -1;
    this.following = true;
    this.session.restart(this.setup.seed);
  }

  // Acting

  /** Is a person to move on the board as it is shown? */
  get mayAct() {
    return Boolean(this.frame?.human) && !this.awaiting;
  }

  /** @param {string} wish */
  act(wish) {
    if (!this.mayAct) return;
    // One key stands for doing nothing, whatever the one who does nothing calls it.
    const action = wish === 'wait' && this.frame?.legal?.includes('stay') ? 'stay' : wish;
    if (this.frame?.legal && !this.frame.legal.includes(action)) {
      play('wrong');
      return;
    }
    this.awaiting = true;
    this.following = true;
    this.session.act(this.shown, action);
  }

  keyPressed() {
    if (this.session.frames[this.shown]?.status.over) return;
    if (this.hand?.move) {
      const action = this.keys.take();
      if (action) this.hand.move(action);
    } else if (this.clock && !this.clock.waits) this.clock.start();
    else if (this.mayAct) {
      const action = this.keys.take();
      if (action) this.act(action);
    }
  }

  tick() {
    const frame = this.frame;
    if (frame?.status.over) return this.clock?.stop();
    if (!this.mayAct || !frame) return undefined;
    /** @param {string | null | undefined} action */
    const legal = (action) => Boolean(action) && (!frame.legal || frame.legal.includes(/** @type {string} */ (action)));
    const taken = this.keys.take();
    const { glides } = this.module;
    // A turn that is not possible yet is taken at the next corner.
    if (taken) this.wish = taken;
    if (glides && legal(this.wish)) [this.glide, this.wish] = [this.wish, ''];
    // Keys that are let go are known here, so doing nothing is doing nothing.
    const action = [glides ? this.glide : taken, this.session.hello?.idle].find(legal);
    if (action) this.act(action);
    return undefined;
  }

  tapHandlers() {
    const onCell = (/** @type {number} */ x, /** @type {number} */ y) => {
      const hero = this.frame && lowestPiece(this.frame);
      if (hero) this.keys.towards(x - hero[1], y - hero[2]);
    };
    return { onCell };
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
      return frame.human ? 'An earlier moment: a move here replaces what came after.' : 'An earlier moment.';
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
    const { title, kind } = verdict(over, this.people);
    const { next } = this;
    fill(
      result,
      h(
        'div',
        { class: `note ${kind}`, 'data-result': over.result.join(',') },
        h('h2', null, title),
        h('p', null, `${over.reason}, after ${frame.turn} turns`),
        h(
          'div',
          { class: 'row' },
          button('Again', () => this.again(), { class: 'primary' }),
          next ? button('Next level', () => this.go(next)) : null,
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
    button('Again', () => desk.again(), { 'data-do': 'again' }),
    h('a', { class: 'button quiet', href: `/api/sessions/${id}/replay`, download: '' }, 'Save the replay'),
    h(
      'a',
      {
        class: 'button quiet',
        href: `#/watch/live/${id}`,
        target: '_blank',
        title: 'A link for anybody who can reach this server',
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
