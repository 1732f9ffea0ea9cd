// The watch page: one or two agents on the same level, a live game, or a replay, with a timeline and the glass box.

import { Board } from './board.js';
import { checkbox, field, fill, h, select, slider, toast } from './dom.js';
import { GlassBox } from './glass.js';
import { moduleOf } from './modules.js';
import { gameNamed, games, openSession, post } from './net.js';
import { listenToTimeKeys, Player } from './player.js';
import { ReviewPanel } from './review.js';
import {
  agentChoices,
  gameTabs,
  levelFields,
  readSetup,
  seatName,
  sessionRequest,
  setupRoute,
  thinkField,
} from './setup.js';
import { Timeline } from './timeline.js';
import { resultText } from './words.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').RouteParams} RouteParams */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {import('./setup').Setup} Setup */
/** @typedef {import('./net').Session} Session */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];

/**
 * `#/watch/GAME`, `#/watch/live/ID` and `#/replay/ID`.
 * @param {HTMLElement} root
 * @param {RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const all = await games();
  const replay = location.hash.startsWith('#/replay/');
  if (replay || params.path[0] === 'live') return watchSession(root, openSession(params.path[replay ? 0 : 1]), replay);
  const game = await gameNamed(params.path[0]);
  const setup = await readSetup(game, params.query, ['best']);
  const rival = params.query.get('rival') ?? '';
  const seats = rival ? [setup.seats, [rival, ...setup.seats.slice(1)]] : [setup.seats];
  const tickets = await Promise.all(
    seats.map((sitters) => post('/api/sessions', sessionRequest(game, { ...setup, seats: sitters }))),
  );
  const sessions = tickets.map((ticket) => openSession(ticket.id, ticket.key));
  const desk = new WatchDesk(game, await moduleOf(game), sessions);
  const go = (/** @type {Setup} */ next, /** @type {string} */ other = rival) => {
    location.hash = setupRoute('watch', game, next, other ? { rival: other } : {}, params.query);
  };
  fill(
    root,
    h('div', { class: 'page-head' }, h('h1', null, 'Watch'), gameTabs('watch', all, game.name)),
    desk.layout([settings(game, setup, rival, go)]),
  );
  desk.player.play();
  return () => {
    desk.close();
    for (const session of sessions) session.end();
  };
}

/**
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {string} rival
 * @param {(setup: Setup, rival?: string) => void} go
 */
function settings(game, setup, rival, go) {
  const agents = setup.seats.map((agent, seat) =>
    field(
      setup.seats.length > 1 ? seatName(game, setup.rules, seat) : 'Agent',
      select(
        agentChoices(game, seat),
        agent,
        (name) => go({ ...setup, seats: setup.seats.map((old, index) => (index === seat ? name : old)) }),
        { 'data-choice': `agent${seat}` },
      ),
    ),
  );
  const beside = field(
    'Side by side with',
    select([['', 'none'], ...agentChoices(game, 0)], rival, (name) => go(setup, name), { 'data-choice': 'rival' }),
    'same level and seed, one timeline',
  );
  return h(
    'details',
    { class: 'panel settings', open: true },
    h('summary', null, 'What to watch'),
    h(
      'div',
      { class: 'stack' },
      agents,
      beside,
      ...levelFields(game, setup, (next) => go(next)),
      thinkField(setup, (next) => go(next)),
    ),
  );
}

/**
 * @param {HTMLElement} root
 * @param {Session} session
 * @param {boolean} replay
 */
async function watchSession(root, session, replay) {
  const { id } = session;
  /** @type {import('./types').Hello} */
  const hello = await new Promise((resolve, reject) => {
    session
      .on('hello', resolve)
      .on('lost', () =>
        reject(
          new Error('This game no longer exists. The server removes games a few minutes after everybody has left.'),
        ),
      );
  });
  const game = await gameNamed(hello.game);
  const desk = new WatchDesk(game, await moduleOf(game), [session]);
  const facts = [hello.rules, hello.level, `seed ${hello.seed}`].filter(Boolean).join(', ');
  const about = h(
    'section',
    { class: 'panel' },
    h('h2', null, game.title),
    h('p', null, hello.seats.join(' against ')),
    h('p', { class: 'soft' }, facts),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href: `/api/sessions/${id}/replay`, download: '' }, 'Save the replay'),
    ),
  );
  fill(root, h('div', { class: 'page-head' }, h('h1', null, replay ? 'Replay' : 'Live game')), desk.layout([about]));
  if (!replay) desk.followLive();
  return () => desk.close();
}

/** Boards, timeline and panels around one or two games. */
class WatchDesk {
  /**
   * @param {GameInfo} game
   * @param {import('./types').GameModule} module
   * @param {Session[]} sessions
   */
  constructor(game, module, sessions) {
    this.game = game;
    this.insight = true;
    this.request = 0;
    /** The overlays that are turned on. @type {Set<string>} */
    this.wanted = new Set();
    /** The marks of overlays, by game, moment and name. @type {Map<string, Mark[]>} */
    this.overlays = new Map();
    this.hosts = sessions.map(() => h('div', { class: 'board-host' }));
    this.captions = sessions.map(() => h('figcaption', null, '…'));
    /** One box per game, or one per seat if there is a single game. @type {GlassBox[]} */
    this.boxes = [];
    this.boxPlace = h('div', { class: 'stack' });
    this.addBoxes(sessions.length > 1 ? ['Glass box A', 'Glass box B'] : ['Glass box']);
    const views = sessions.map((session, index) => ({
      session,
      board: new Board(this.hosts[index], { label: game.title, look: module.look, minCell: 11 }),
      shown: -1,
      decorate: (/** @type {number} */ n) => this.decoration(index, n),
    }));
    /** @type {import('./player').View[]} */
    this.views = views;
    this.player = new Player(views, module.watchSpeed ?? (game.tick_ms ? 8 : 4));
    this.timeline = new Timeline({
      seek: (to) => {
        this.player.pause();
        this.player.seek(to);
      },
      step: (by) => this.player.step(by),
      toggle: () => this.player.toggle(),
    });
    this.review = new ReviewPanel(
      (n) => {
        this.player.pause();
        this.seekMoment(0, n);
      },
      () => views[0].session.review(),
    );
    this.stopKeys = listenToTimeKeys(this.player);
    this.player.addEventListener('change', () => this.changed());
    views.forEach(({ session }, index) => {
      session.on('overlay', (message) => {
        this.overlays.set(`${index}:${message.n}:${message.name}`, message.marks);
        this.player.redraw();
      });
      session.on('complaint', (message) => toast(message.text, 'bad'));
      session.on('lost', () => toast('The server stopped answering.', 'bad'));
    });
    views[0].session.on('review', (review) => this.showReview(review));
    this.changed();
  }

  /** @param {HTMLElement[]} panels */
  layout(panels) {
    const figures = this.hosts.map((host, index) => h('figure', null, this.captions[index], host));
    return h(
      'div',
      { class: 'split desk' },
      h(
        'div',
        { class: 'stack' },
        h('div', { class: figures.length > 1 ? 'twins' : 'single' }, figures),
        this.timeline.element,
        this.tools(),
        this.review.element,
      ),
      h('aside', { class: 'stack' }, this.boxPlace, ...panels),
    );
  }

  /** @param {string[]} titles */
  addBoxes(titles) {
    for (const box of this.boxes) box.element.remove();
    this.boxes = titles.map((title) => new GlassBox(title));
    this.boxPlace.append(...this.boxes.map((box) => box.element));
  }

  tools() {
    const nearest = SPEEDS.findIndex((speed) => speed >= this.player.speed);
    const speed = slider(
      {
        min: 0,
        max: SPEEDS.length - 1,
        value: nearest,
        text: (index) => `${SPEEDS[index]}/s`,
        label: 'Turns per second',
      },
      (index) => {
        this.player.speed = SPEEDS[index];
      },
    );
    const overlays = this.game.overlays.map((overlay) =>
      checkbox(overlay.name, false, (on) => {
        this.wanted[on ? 'add' : 'delete'](overlay.name);
        this.player.redraw();
      }),
    );
    return h(
      'div',
      { class: 'row tools' },
      h('label', { class: 'row speed' }, 'Speed', speed),
      checkbox('what the agent sees', true, (on) => {
        this.insight = on;
        this.player.redraw();
      }),
      ...overlays,
    );
  }

  /**
   * The marks of a moment: those of the next decision, which belong to this position, and of the overlays.
   * @param {number} index
   * @param {number} n
   * @returns {import('./types').ShowOptions}
   */
  decoration(index, n) {
    const { session } = this.views[index];
    const marks = this.insight ? [...(this.decisionAt(index, n)?.insight?.marks ?? [])] : [];
    let hidden;
    for (const name of this.wanted) {
      const known = this.overlays.get(`${index}:${n}:${name}`);
      if (!known) session.overlay(n, name);
      else if (name === 'unseen') hidden = known.map((mark) => mark.at);
      else marks.push(...known);
    }
    return { marks, hidden };
  }

  /**
   * The next decision at a moment, or else the last one; that of one seat, if given.
   * @param {number} index
   * @param {number} n
   * @param {number} [seat]
   * @returns {import('./types').Decision | null}
   */
  decisionAt(index, n, seat) {
    const { frames } = this.views[index].session;
    const count = seat === undefined ? 1 : this.boxes.length;
    const near = [...frames.slice(n + 1, n + 1 + count), ...frames.slice(Math.max(0, n + 1 - count), n + 1).reverse()];
    return (
      near.find((frame) => frame?.decision && (seat === undefined || frame.decision.seat === seat))?.decision ?? null
    );
  }

  /** Updates the timeline at once, and the panels once per animation frame: many moments may arrive together. */
  changed() {
    const { player } = this;
    this.timeline.set(player.position, player.last, player.playing);
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      this.refresh();
    });
  }

  refresh() {
    this.views.forEach((view, index) => {
      const frame = view.session.frames[view.shown];
      if (!frame) return;
      const seats = view.session.hello?.seats ?? [];
      const names = this.game.seats?.[view.session.hello?.rules ?? ''] ?? [];
      if (this.views.length === 1 && seats.length > this.boxes.length)
        this.addBoxes(seats.map((name, seat) => `${names[seat] ?? `Seat ${seat + 1}`}: ${name}`));
      const boxes = this.views.length === 1 ? this.boxes : [this.boxes[index]];
      boxes.forEach((box, seat) => {
        const decision = this.decisionAt(index, view.shown, boxes.length > 1 ? seat : undefined);
        box.show(decision, seats[decision?.seat ?? 0] ?? 'the agent');
      });
      const facts = frame.labels.map(([name, value]) => `${name} ${value}`).join(' · ');
      const outcome = frame.status.over ? ` · ${resultText(frame.status.over, seats)}` : '';
      fill(
        this.captions[index],
        h('strong', null, seats.join(' against ')),
        h('span', { class: 'soft' }, ` ${facts}${outcome}`),
      );
    });
    this.review.offer(this.views[0].session.over);
  }

  /** @param {import('./types').Review} review */
  showReview(review) {
    this.review.show(review);
    const { stops } = this.views[0].session;
    const pins = (review.remarks ?? []).map((remark) => ({
      at: Math.max(
        0,
        stops.findIndex((stop) => stop >= remark.n),
      ),
      text: remark.text,
      bad: true,
    }));
    this.timeline.remark(pins, this.player.last);
  }

  /**
   * @param {number} index
   * @param {number} n
   */
  seekMoment(index, n) {
    const at = this.views[index].session.stops.findIndex((stop) => stop >= n);
    this.player.seek(at < 0 ? Infinity : at);
  }

  /** Follows the newest turn of a live game. */
  followLive() {
    const { player } = this;
    let behind = setTimeout(() => {}, 0);
    this.views[0].session.on('frame', () => {
      clearTimeout(behind);
      // At first many moments arrive at once; only the last one matters.
      behind = setTimeout(() => {
        if (player.position >= player.last - 2 || player.position === 0) player.seek(Infinity, true);
      }, 30);
    });
  }

  close() {
    cancelAnimationFrame(this.request);
    this.stopKeys();
    this.player.close();
  }
}
