// The glass box: an agent's insight into its decision, beside the board.

import { fill, h } from './dom.js';
import { isDark } from './theme.js';
import { markSample } from './marks.js';

/** @typedef {import('./types').Insight} Insight */
/** A decision, or a proposed one. @typedef {Partial<import('./types').Decision> & {action: string}} Thought */

const MAX_SCORES = 8;

export class GlassBox {
  /** @param {string} title */
  constructor(title) {
    this.body = h('div', { class: 'glass' });
    this.heading = h('h2', null, title);
    this.element = h('section', { class: 'panel', 'aria-label': title }, this.heading, this.body);
  }

  /**
   * @param {Thought | null} decision
   * @param {string} who
   */
  show(decision, who) {
    if (!decision) return fill(this.body, h('p', { class: 'soft' }, 'Start of the game: no decision yet.'));
    const insight = decision.insight ?? {};
    fill(
      this.body,
      h(
        'p',
        { class: 'decision' },
        h('strong', null, who),
        ' plays ',
        h('code', null, decision.action),
        decision.us ? h('small', null, ` in ${time(decision.us)}`) : null,
      ),
      insight.text ? h('blockquote', null, insight.text) : null,
      legend(insight),
      scores(insight.scores ?? [], decision.action),
      counters(insight.counters ?? []),
      (decision.warnings ?? []).map(({ code, detail }) => h('p', { class: 'note warn' }, `${code}: ${detail}`)),
      decision.log
        ? h('details', { open: true }, h('summary', null, 'Log'), h('pre', { class: 'log' }, decision.log))
        : null,
    );
  }
}

/** @param {number} us microseconds */
export function time(us) {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

/** @param {Insight} insight */
function legend(insight) {
  const reasons = [...new Set((insight.marks ?? []).map((mark) => mark.why))];
  if (!reasons.length) return null;
  return h(
    'ul',
    { class: 'legend' },
    reasons.map((why) => h('li', null, markSample(why, isDark()), why)),
  );
}

/**
 * Candidate actions with bars: longer is better for the agent.
 * @param {[string, number][]} list
 * @param {string} taken
 */
function scores(list, taken) {
  if (!list.length) return null;
  const shown = list.slice(0, MAX_SCORES);
  const values = shown.map(([, score]) => score);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rows = shown.map(([action, score]) => {
    const bar = h('span', { class: 'bar' });
    bar.style.width = `${high > low ? 8 + (92 * (score - low)) / (high - low) : 100}%`;
    return h(
      'li',
      { 'aria-current': action === taken ? 'true' : null },
      h('code', null, action),
      h('span', { class: 'track' }, bar),
      h('span', { class: 'value' }, number(score)),
    );
  });
  return [
    h('h3', null, 'Candidates'),
    h('ol', { class: 'scores' }, rows),
    list.length > shown.length ? h('small', null, `and ${list.length - shown.length} more`) : null,
  ];
}

/** @param {number} value */
function number(value) {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2);
}

/** @param {[string, number][]} list */
function counters(list) {
  if (!list.length) return null;
  return h(
    'dl',
    { class: 'counters' },
    list.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value.toLocaleString('en')))),
  );
}
