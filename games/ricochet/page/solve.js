// The solver of Rasende Roboter: a board to set up, with its proven shortest solutions.

import { button, checkbox, field, fill, h, select, slider } from '../../dom.js';
import { openDesk } from '../../edit-desk.js';
import { deskBar, importLevel } from '../../edit-files.js';
import { Stage } from '../../edit-show.js';
import { gauge } from '../../edit-verdict.js';
import { ApiError, Jobs } from '../../net.js';
import { acceptDrops } from '../../common.js';
import { MissionEditor } from './editor.js';
import * as missions from './mission.js';

/** @typedef {import('../../edit-desk.js').Desk} Desk */
/** @typedef {import('../../edit-text.js').Cell} Cell */
/** @typedef {import('../../types').Mark} Mark */

/** @typedef {import('../../types').AnswersAnswer} Answers */

const LIMIT_MS = 30_000;
const ARROWS = new Map([
  ['north', '↑'],
  ['east', '→'],
  ['south', '↓'],
  ['west', '←'],
]);

/**
 * @param {HTMLElement} root
 * @param {import('../../types').GameInfo} game
 * @param {import('../../types').RouteParams} params
 */
export async function mount(root, game, params) {
  const desk = await openDesk(game, params.query);
  const solver = new Solver(desk);
  fill(root, h('div', { class: 'edit-head' }, deskBar(desk, 'solve')), solver.element);
  return () => solver.close();
}

class Solver {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.jobs = new Jobs();
    this.editor = new MissionEditor(desk);
    /** @type {Answers | null} */
    this.answers = null;
    this.robot = '';
    this.within = 2;
    this.corridors = false;
    this.answer = h('section', { class: 'panel verdict answers', 'aria-label': 'Solution', 'aria-live': 'polite' });
    this.overlays = h('section', { class: 'panel reach', 'aria-label': 'Overlays' });
    this.stage = new Stage(this.editor);
    this.element = h(
      'div',
      { class: 'workshop' },
      h('div', { class: 'stack' }, this.editor.element, this.stage.element),
      h('aside', { class: 'stack' }, this.answer, this.overlays),
    );
    desk.on('change', () => this.ask());
    acceptDrops(this.element, async (file) => importLevel(desk, await file.text()));
    this.ask();
  }

  async ask() {
    const { game, rules, text } = this.desk;
    this.answer.dataset.verdict = 'checking';
    try {
      const answers = await this.jobs.run(
        { kind: 'answers', game: game.name, rules, text, time_ms: LIMIT_MS },
        { progress: (note) => this.showProgress(note) },
      );
      this.answers = answers;
      this.showAnswers(answers);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === -1) return;
      this.answers = null;
      this.answer.dataset.verdict = 'fault';
      fill(
        this.answer,
        h('h2', null, 'Solution'),
        h('p', { class: 'answer bad' }, 'Invalid level'),
        h('p', { class: 'note bad' }, error.message),
      );
    }
    this.showOverlays();
  }

  /** @param {string} note */
  showProgress(note) {
    fill(
      this.answer,
      h('h2', null, 'Solution'),
      h('p', { class: 'answer' }, h('span', { class: 'spinner' }), 'Searching…'),
      h('p', { class: 'soft' }, note),
    );
  }

  /** @param {Answers} answers */
  showAnswers({ outcome, moves, plan, count, solutions, simplest, difficulty, ms }) {
    this.answer.dataset.verdict = outcome;
    if (outcome !== 'solved') {
      const text = outcome === 'unsolvable' ? 'No solution' : `No solution found in ${LIMIT_MS / 1000} s`;
      fill(
        this.answer,
        h('h2', null, 'Solution'),
        h('p', { class: `answer ${outcome === 'unsolvable' ? 'bad' : 'warn'}` }, text),
        outcome === 'unsolvable' ? h('p', { class: 'soft' }, 'Proven: no sequence of moves reaches the target.') : null,
      );
      return;
    }
    const first = simplest ?? plan ?? [];
    const listed = [first, ...solutions.filter((other) => other.join() !== first.join())];
    const all = count ?? listed.length;
    fill(
      this.answer,
      h('h2', null, 'Solution'),
      h('p', { class: 'answer good' }, `${moves} ${moves === 1 ? 'move' : 'moves'}, proven`),
      h(
        'p',
        { class: 'soft' },
        `${all === 1 ? 'The only shortest solution' : `${all} different shortest solutions`}, found in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms.`,
      ),
      typeof difficulty === 'number'
        ? h('dl', { class: 'facts' }, h('div', null, h('dt', null, 'Difficulty'), h('dd', null, gauge(difficulty))))
        : null,
      h(
        'ol',
        { class: 'plans' },
        listed.map((one, index) => h('li', null, this.planButton(one, index === 0 && all > 1))),
      ),
      all > listed.length ? h('p', { class: 'soft' }, `and ${all - listed.length} more`) : null,
    );
  }

  /** @param {string[]} plan @param {boolean} simplest */
  planButton(plan, simplest) {
    const steps = plan.map((move) => {
      const [robot, dir] = move.split(' ');
      return h('span', { class: `move ${robot}`, title: move }, ARROWS.get(dir) ?? dir);
    });
    return h(
      'button',
      {
        type: 'button',
        class: 'plan',
        title: 'Step through it on the board',
        'aria-label': plan.join(', '),
        onclick: () => this.perform(plan),
      },
      h('span', { class: 'moves' }, steps),
      simplest ? h('span', { class: 'badge good' }, 'simplest') : null,
    );
  }

  /** @param {string[]} plan */
  perform(plan) {
    this.stage.perform(plan, ['human'], 1, (show) => [button('What if… from here', () => this.whatIf(show))]);
  }

  /** Starts a new mission from the current positions of the robots. @param {import('../../edit-show.js').Show} show */
  whatIf(show) {
    const picture = show.rehearsal?.picture(show.stops[show.at]);
    if (!picture) return;
    const robots = Object.fromEntries(
      picture.pieces.map(([id, x, y]) => [missions.ROBOTS[id], /** @type {Cell} */ ([x, y])]),
    );
    this.editor.keep({ ...this.editor.mission, robots });
  }

  showOverlays() {
    const robots = Object.keys(this.answers?.reach ?? {});
    if (!robots.includes(this.robot)) this.robot = '';
    fill(
      this.overlays,
      h('h2', null, 'Reachable cells'),
      field(
        'Cells where it can stop',
        select(
          [['', 'no robot'], ...robots],
          this.robot,
          (robot) => {
            this.robot = robot;
            this.lay();
          },
          { 'data-field': 'reach' },
        ),
      ),
      field(
        'within',
        slider(
          {
            min: 1,
            max: 8,
            value: this.within,
            label: 'Moves',
            text: (value) => `${value} ${value === 1 ? 'move' : 'moves'}`,
          },
          (value) => {
            this.within = value;
            this.lay();
          },
        ),
      ),
      checkbox('Corridors to the target', this.corridors, (on) => {
        this.corridors = on;
        this.lay();
      }),
      h('p', { class: 'soft' }, 'One robot moves, the others stay.'),
    );
    this.lay();
  }

  lay() {
    this.stage.end();
    this.editor.overlay({ marks: this.marks() });
  }

  /** @returns {Mark[]} */
  marks() {
    const { answers } = this;
    if (!answers) return [];
    const corridors = this.corridors
      ? answers.corridors.flatMap(({ cells }) => cells.map((at) => ({ at, why: 'corridor' })))
      : [];
    const reach = (answers.reach[this.robot] ?? []).filter(([, , moves]) => moves > 0 && moves <= this.within);
    return [
      ...corridors,
      ...reach.map(([x, y, moves]) => ({ at: /** @type {Cell} */ ([x, y]), why: 'reach', label: String(moves) })),
    ];
  }

  close() {
    this.stage.end();
    this.jobs.close();
    this.editor.close();
  }
}
