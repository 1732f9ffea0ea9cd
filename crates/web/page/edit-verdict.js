// The checker's live verdict on the level being edited.

import { button, fill, h } from './dom.js';
import { ApiError, Jobs } from './net.js';

/** @typedef {import('./edit-desk.js').Desk} Desk */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {import('./types').OpenedLevel} OpenedLevel */

/** Why a level does not open. @typedef {{ message: string, line?: number, column?: number }} Fault */

/**
 * Callbacks: the level opened, it did not (or does again), cells that the checker reports, a plan to show.
 * @typedef {object} Listener
 * @property {(opened: OpenedLevel) => void} opened
 * @property {(fault: Fault | null) => void} fault
 * @property {(marks: Mark[]) => void} marks
 * @property {(plan: string[]) => void} plan
 */

/** The delay after a change, so that a stroke of the brush is checked only once. */
const PAUSE_MS = 180;
const FIRST_CHECK_MS = 5_000;
const LONG_CHECK_MS = 60_000;
/** The random seed that the solver assumes and that its plan is shown with. */
export const SEED = 1;

/** @type {Record<import('./types').Solvability, { text: string, kind: string }>} */
const ANSWERS = {
  solved: { text: 'Can be won', kind: 'good' },
  unsolvable: { text: 'Cannot be won', kind: 'bad' },
  unknown: { text: 'Not decided in time', kind: 'warn' },
};

export class Verdict {
  /**
   * @param {Desk} desk
   * @param {Listener} listener
   */
  constructor(desk, listener) {
    this.desk = desk;
    this.listener = listener;
    this.jobs = new Jobs();
    /** Counts the checks, so that a late answer to an old one is dropped. */
    this.asked = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
    this.body = h('div', { 'aria-live': 'polite' });
    this.element = h('section', { class: 'panel verdict', 'aria-label': 'Verdict' }, this.body);
    desk.on('change', () => this.ask());
    desk.on('typing', () => this.markStale());
    desk.on('fault', (error) => this.showFault(error));
    this.ask(0);
  }

  /** Cancels the check. The last verdict stays, dimmed, until the next one. */
  markStale() {
    clearTimeout(this.pause);
    this.jobs.close();
    this.asked += 1;
    this.element.dataset.verdict = 'checking';
  }

  /** Schedules a new check, which replaces the previous one. */
  ask(pause = PAUSE_MS) {
    this.markStale();
    this.pause = setTimeout(() => this.check(FIRST_CHECK_MS), pause);
  }

  /** @param {number} time_ms */
  async check(time_ms) {
    const question = ++this.asked;
    const stale = () => question !== this.asked;
    const level = { game: this.desk.game.name, rules: this.desk.rules, text: this.desk.text };
    try {
      const opened = await this.desk.openHere();
      if (stale()) return;
      this.listener.fault(null);
      this.listener.opened(opened);
      const report = await this.jobs.run(
        { ...level, kind: 'check', seed: SEED, time_ms },
        {
          progress: (text) => {
            if (!stale()) this.showProgress(text);
          },
        },
      );
      if (!stale()) this.showReport(report, time_ms);
    } catch (error) {
      if (!stale()) this.showFault(error);
    }
  }

  /** @param {string} text */
  showProgress(text) {
    this.show(
      'checking',
      h('p', { class: 'answer' }, h('span', { class: 'spinner' }), 'Searching…'),
      h('p', { class: 'soft' }, text),
    );
  }

  /** @param {any} error */
  showFault(error) {
    if (error instanceof ApiError && error.status === -1) return;
    if (!(error instanceof ApiError)) throw error;
    const { message, line, column } = error;
    if (error.status !== 422) return this.show('failed', h('p', { class: 'note bad' }, message));
    this.listener.marks([]);
    this.listener.fault({ message, line, column });
    const place = line
      ? h('span', { class: 'badge bad' }, column ? `line ${line}, column ${column}` : `line ${line}`)
      : null;
    this.show('fault', h('p', { class: 'answer bad' }, 'Invalid level'), h('p', { class: 'note bad' }, message), place);
  }

  /**
   * @param {import('./types').CheckAnswer} report
   * @param {number} time_ms
   */
  showReport({ solvable, par, difficulty, notes, marks }, time_ms) {
    this.listener.marks(marks ?? []);
    const { text, kind } = ANSWERS[solvable];
    const facts = [
      par !== null
        ? h('div', null, h('dt', null, 'Par'), h('dd', null, `${par} ${par === 1 ? 'turn' : 'turns'}`))
        : null,
      difficulty !== null ? h('div', null, h('dt', null, 'Difficulty'), h('dd', null, gauge(difficulty))) : null,
    ];
    this.show(
      solvable,
      h('p', { class: `answer ${kind}` }, text),
      h('dl', { class: 'facts' }, facts),
      notes.length > 0
        ? h(
            'ul',
            { class: 'notes' },
            notes.map((note) => h('li', null, note)),
          )
        : null,
      h(
        'div',
        { class: 'row' },
        solvable === 'solved' ? button('Show a solution', () => this.solve(), { class: 'primary' }) : null,
        solvable === 'unknown' && time_ms < LONG_CHECK_MS
          ? button('Search for a minute', () => this.check(LONG_CHECK_MS))
          : null,
      ),
    );
  }

  async solve() {
    const question = this.asked;
    const level = { game: this.desk.game.name, rules: this.desk.rules, text: this.desk.text };
    const buttons = this.body.querySelectorAll('button');
    for (const each of buttons) each.disabled = true;
    try {
      const { plan } = await this.jobs.run({ ...level, kind: 'solve', seed: SEED, time_ms: LONG_CHECK_MS });
      if (question === this.asked) this.listener.plan(plan);
    } catch (error) {
      if (question === this.asked) this.showFault(error);
    } finally {
      for (const each of buttons) each.disabled = false;
    }
  }

  /**
   * @param {string} state
   * @param {...(import('./dom.js').Child)} children
   */
  show(state, ...children) {
    this.element.dataset.verdict = state;
    fill(this.body, h('h2', null, 'Verdict'), children);
  }

  close() {
    clearTimeout(this.pause);
    this.asked += 1;
    this.jobs.close();
  }
}

/**
 * A difficulty from 0 to 10 as a row of ten squares.
 * @param {number} value
 */
export function gauge(value) {
  const squares = Array.from({ length: 10 }, (_, index) => {
    const share = Math.max(0, Math.min(1, value - index));
    return h('i', { style: { '--share': `${Math.round(share * 100)}%` } });
  });
  const label = `${value.toFixed(1)} of 10`;
  return h(
    'span',
    { class: 'gauge', role: 'img', 'aria-label': label, title: label },
    h('span', { class: 'squares' }, squares),
    h('b', null, value.toFixed(1)),
  );
}
