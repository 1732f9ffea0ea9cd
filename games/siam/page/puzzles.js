// Puzzles: the player finds the forced win, the engine defends.

import { button, fill, h } from '../../dom.js';
import { shippedLevel } from '../../edit-desk.js';
import { gauge } from '../../edit-verdict.js';
import { Jobs } from '../../net.js';
import { play as sound } from '../../sound.js';
import { arrowOf, pointOf, sideOf } from './notation.js';
import { Table } from './table.js';
import { counted, forced } from './words.js';

/** @typedef {import('../../types').GameInfo} GameInfo */
/** @typedef {import('../../types').AnalyzeAnswer} Analysis */

const PACK = 'puzzles';
const SOLVED = 'damier-puzzles-solved';
/** Enough time for every puzzle of the pack; a proof ends the search early. */
const THINK_MS = 10_000;
const DEFENCE_PAUSE_MS = 600;

/** @returns {Set<string>} */
function solvedOnes() {
  return new Set((localStorage.getItem(SOLVED) ?? '').split(',').filter(Boolean));
}

/**
 * @param {HTMLElement} root
 * @param {GameInfo} game
 * @param {import('../../types').RouteParams} params
 */
export async function mount(root, game, params) {
  const names = game.packs.find((pack) => pack.name === PACK)?.levels.map((level) => level.name) ?? [];
  const unsolved = names.find((name) => !solvedOnes().has(name));
  const wanted = params.path[1] ?? unsolved ?? names[0];
  const puzzle = new Puzzle(game, names, names.includes(wanted) ? wanted : names[0]);
  fill(root, puzzle.element);
  await puzzle.begin();
  return () => puzzle.close();
}

class Puzzle {
  /**
   * @param {GameInfo} game
   * @param {string[]} names
   * @param {string} name
   */
  constructor(game, names, name) {
    this.rules = game.rules[0].name;
    this.game = game;
    this.names = names;
    this.name = name;
    this.jobs = new Jobs();
    /** The proven number of plies to the win. */
    this.plies = 0;
    this.hints = 0;
    this.busy = true;
    this.table = new Table(`${game.title} puzzle`, (action) => this.try(action));
    this.title = h('h2');
    this.goal = h('p', { class: 'goal' });
    this.rating = h('p');
    this.feedback = h('p', { class: 'note info', role: 'status' }, 'Find the win.');
    this.buttons = h('div', { class: 'row' });
    this.list = h('div', { class: 'puzzle-list', role: 'navigation', 'aria-label': 'Puzzles' });
    this.element = h(
      'div',
      { class: 'analysis' },
      h('div', { class: 'panel' }, this.table.element),
      h(
        'aside',
        { class: 'stack' },
        h(
          'section',
          { class: 'panel stack' },
          h('div', null, this.title, this.goal, this.rating),
          this.feedback,
          this.buttons,
        ),
        h('section', { class: 'panel' }, h('h2', null, 'All puzzles'), this.list),
      ),
    );
    this.showList();
  }

  async begin() {
    const text = await shippedLevel(this.game, `${PACK}/${this.name}`);
    const header = (/** @type {string} */ key) => new RegExp(`^; ${key}: (.*)$`, 'm').exec(text)?.[1] ?? '';
    this.title.textContent = header('title') || `Puzzle ${this.name}`;
    const goal = header('goal');
    this.goal.textContent = goal ? `${goal[0].toUpperCase()}${goal.slice(1)}` : '';
    if (header('rating')) fill(this.rating, gauge(Number(header('rating'))));
    await this.table.begin({ game: this.game.name, rules: this.rules, text });
    const { proof } = await this.analyse();
    this.plies = Number(/^win (\d+)$/.exec(proof ?? '')?.[1] ?? 0);
    this.busy = false;
    this.showButtons();
  }

  /**
   * The engine's analysis of the position on the board. A search of this depth without a proof shows that there is no win that short.
   * @param {number} [depth]
   * @returns {Promise<Analysis>}
   */
  analyse(depth = Infinity) {
    const job = { game: this.game.name, rules: this.rules, text: this.table.position, time_ms: THINK_MS, lines: 1 };
    return new Promise((resolve, reject) => {
      const partial = (/** @type {Analysis} */ known) => {
        if (known.depth >= depth) resolve(known);
      };
      this.jobs.run({ ...job, kind: 'analyze' }, { partial }).then(resolve, reject);
    });
  }

  /** @param {'good' | 'bad' | 'info' | 'warn'} kind @param {string} text */
  say(kind, text) {
    this.feedback.className = `note ${kind}`;
    this.feedback.textContent = text;
  }

  /** Plays a move, and rates it by the proof after it. @param {string} action */
  async try(action) {
    if (this.busy) return;
    this.busy = true;
    this.hints = 0;
    const before = this.table.at;
    await this.table.play(action);
    if (this.table.over) this.end();
    else {
      this.say('info', `Checking ${action}…`);
      const answer = await this.analyse(this.plies + 1);
      const end = forced(answer.score, sideOf(this.table.notation));
      const loss = answer.score < 0 && end ? end.plies : Infinity;
      if (loss < this.plies) await this.defend(answer.best, loss);
      else this.refuse(before, action, loss < Infinity ? null : answer.best);
    }
    this.busy = false;
    this.showButtons();
  }

  /** The move keeps the win: the engine plays its longest defence. @param {string | null} reply @param {number} loss */
  async defend(reply, loss) {
    sound('take');
    this.say('good', 'Yes!');
    await new Promise((resolve) => setTimeout(resolve, DEFENCE_PAUSE_MS));
    if (reply) await this.table.play(reply);
    this.plies = loss - 1;
    this.say('good', `Yes! The reply is ${reply}. Your move: ${counted(this.plies, 'ply', 'plies')} to go.`);
  }

  /** The move does not force the win, or not in time. @param {number} before @param {string} action @param {string | null} reply the refutation */
  refuse(before, action, reply) {
    sound('wrong');
    this.say(
      'bad',
      reply
        ? `${action} does not force a win: ${reply} is a good reply. Try again.`
        : `${action} also wins, but takes longer. Try again.`,
    );
    this.table.goTo(before);
    if (reply) this.table.arrows([arrowOf(reply, '#b3261e')]);
  }

  end() {
    sound('win');
    const solved = solvedOnes().add(this.name);
    localStorage.setItem(SOLVED, [...solved].join());
    this.say('good', `Solved: ${this.table.over?.reason ?? ''}.`);
    this.showList();
  }

  async hint() {
    this.busy = true;
    const { best } = await this.analyse();
    this.busy = false;
    if (!best) return;
    const from = best.split('-')[0];
    this.hints += 1;
    if (this.hints > 1) {
      this.say('warn', `The move is ${best}.`);
      this.table.arrows([arrowOf(best, '#2c7a3f')]);
    } else if (from === '0') this.say('warn', 'Bring in an animal from the hand.');
    else {
      this.say('warn', 'Look at this animal.');
      this.table.board.decorate({ selected: pointOf(from) });
    }
  }

  showButtons() {
    const next = this.names[(this.names.indexOf(this.name) + 1) % this.names.length];
    const over = this.table.over !== null;
    fill(
      this.buttons,
      over ? null : button('Hint', () => this.hint()),
      button('Start again', () => this.begin(), { disabled: this.table.at === 0 }),
      h('a', { class: over ? 'button primary' : 'button', href: `#/solve/puzzles/${next}` }, 'Next puzzle'),
    );
  }

  showList() {
    const solved = solvedOnes();
    fill(
      this.list,
      this.names.map((name) =>
        h(
          'a',
          {
            class: solved.has(name) ? 'button solved' : 'button',
            href: `#/solve/puzzles/${name}`,
            'aria-current': name === this.name ? 'page' : null,
            'aria-label': `Puzzle ${name}${solved.has(name) ? ', solved' : ''}`,
          },
          name,
        ),
      ),
    );
  }

  close() {
    this.jobs.close();
    this.table.close();
  }
}
