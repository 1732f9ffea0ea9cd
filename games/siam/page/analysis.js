// The analysis board, with the engine's lines and both sides' threats.

import { button, checkbox, field, fill, h, slider } from '../../dom.js';
import { Desk, openDesk } from '../../edit-desk.js';
import { deskBar } from '../../edit-files.js';
import { GridEditor } from '../../edit-grid.js';
import { ApiError, Jobs } from '../../net.js';
import { showError } from '../../common.js';
import { SIDE_COLOURS, arrowOf, sideOf } from './notation.js';
import { grid } from './position.js';
import { Table } from './table.js';
import { elephantsShare, nameOf, proofText, shortWorth } from './words.js';

/** @typedef {import('./words.js').Side} Side */

/** @typedef {import('../../types').AnalyzeAnswer} Analysis */

/** The engine searches repeatedly and longer each time, so that several lines appear soon and improve later. */
const SEARCHES_MS = [800, 4_000, 20_000];

/**
 * @param {HTMLElement} root
 * @param {import('../../types').GameInfo} game
 * @param {import('../../types').RouteParams} params
 */
export async function mount(root, game, params) {
  const desk = await openDesk(game, params.query);
  const room = new AnalysisRoom(desk);
  fill(
    root,
    h(
      'div',
      { class: 'edit-head' },
      deskBar(desk, 'solve', () => room.here()),
    ),
    room.element,
  );
  return () => room.close();
}

class AnalysisRoom {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.jobs = new Jobs();
    this.lines = 3;
    this.engineOn = true;
    this.threatsOn = true;
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {GridEditor | null} */
    this.editor = null;
    this.table = new Table(`${desk.game.title}, analysis board`, (action) => this.play(action));
    this.share = h('div', { class: 'share' });
    this.worth = h('output', null, '');
    this.scale = h('div', { class: 'scale', role: 'img' }, this.share, this.worth);
    this.place = h('div');
    this.game = h('section', { class: 'panel', 'aria-label': 'Moves' });
    this.engine = h('section', { class: 'panel engine', 'aria-label': 'Engine', 'aria-live': 'off' });
    this.verdict = h('p', { class: 'proof' });
    this.state = h('div', { class: 'engine-state' });
    this.list = h('ol', { class: 'lines' });
    fill(this.engine, h('h2', null, 'Engine'), this.verdict, this.state, this.list, this.options());
    this.element = h(
      'div',
      { class: 'analysis' },
      h('div', { class: 'stack' }, this.place),
      h('aside', { class: 'stack' }, this.game, this.engine),
    );
    desk.on('change', () => {
      if (!this.editor) this.open();
    });
    this.showTable();
    this.open();
  }

  options() {
    return h(
      'div',
      { class: 'stack' },
      field(
        'Lines',
        slider({ min: 1, max: 6, value: this.lines, label: 'Lines' }, (lines) => {
          this.lines = lines;
          this.think();
        }),
      ),
      h(
        'div',
        { class: 'row' },
        checkbox('Engine', this.engineOn, (on) => {
          this.engineOn = on;
          this.think();
        }),
        checkbox('Threats', this.threatsOn, (on) => {
          this.threatsOn = on;
          this.showArrows();
        }),
      ),
      h('p', { class: 'soft' }, 'Green: the best move. “!”: a move with which a side would win immediately.'),
    );
  }

  /** The position on the board as a level. */
  here() {
    const { game, module, rules, text } = this.desk;
    return new Desk(game, module, rules, this.table.position || text);
  }

  async open() {
    const { game, rules, text } = this.desk;
    await this.table.begin({ game: game.name, rules, text }).then(() => this.moved(), showError);
  }

  /** @param {string} action */
  async play(action) {
    await this.table.play(action).catch(showError);
    this.moved();
  }

  /** Plays a line up to one of its moves. @param {string[]} moves */
  async playLine(moves) {
    for (const move of moves) await this.table.play(move);
    this.moved();
  }

  /** @param {number} n */
  goTo(n) {
    this.table.goTo(n);
    this.moved();
  }

  moved() {
    this.analysis = null;
    this.showAnalysis();
    this.showGame();
    this.think();
  }

  // The engine

  async think() {
    const { notation, position, over } = this.table;
    if (!notation || over || !this.engineOn) {
      this.jobs.close();
      return this.showAnalysis();
    }
    const side = sideOf(notation);
    const show = (/** @type {Analysis} */ analysis) => {
      this.analysis = analysis;
      this.showAnalysis(side);
    };
    const job = { game: this.desk.game.name, rules: this.desk.rules, text: position, lines: this.lines };
    this.state.textContent = 'Thinking…';
    try {
      for (const time_ms of SEARCHES_MS) {
        const answer = await this.jobs.run(
          { ...job, kind: 'analyze', time_ms },
          { partial: (partial) => show(this.merged(partial)) },
        );
        show(answer);
        if (answer.proof) return;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== -1) this.state.textContent = error.message;
    }
  }

  /** Merges a partial result: the best line is updated, the others stay. @param {Analysis} partial @returns {Analysis} */
  merged(partial) {
    const known = this.analysis;
    if (!known?.lines || partial.depth < known.depth) return known ?? partial;
    return {
      ...partial,
      lines: [
        { score: partial.score, line: partial.line },
        ...known.lines.filter(({ line }) => line[0] !== partial.line[0]),
      ].slice(0, this.lines),
    };
  }

  /** @param {Side} [side] */
  showAnalysis(side = 'E') {
    const { analysis } = this;
    const { over } = this.table;
    this.showArrows();
    if (over) this.verdict.textContent = `The game is over: ${over.reason}.`;
    else this.verdict.textContent = analysis?.proof ? proofText(analysis.proof, side) : '';
    this.state.textContent = '';
    if (!analysis) return fill(this.list);
    this.weigh(analysis.score, side);
    const lines = analysis.lines ?? [{ score: analysis.score, line: analysis.line }];
    fill(
      this.state,
      h('span', { class: 'badge' }, `depth ${analysis.depth}`),
      h('span', { class: 'badge' }, `${analysis.nodes.toLocaleString('en')} positions`),
    );
    fill(
      this.list,
      lines.map(({ score, line }) =>
        h('li', null, h('span', { class: 'worth' }, shortWorth(score, side)), this.moveButtons(line, side)),
      ),
    );
  }

  /** @param {string[]} line @param {Side} side */
  moveButtons(line, side) {
    return h(
      'span',
      { class: 'line-moves' },
      line.slice(0, 12).map((move, index) =>
        button(move, () => this.playLine(line.slice(0, index + 1)), {
          class: nameOf((index % 2 === 0) === (side === 'E') ? 'E' : 'R'),
          title: 'Play up to here',
        }),
      ),
    );
  }

  /** @param {number} score @param {Side} side */
  weigh(score, side) {
    const share = elephantsShare(score, side);
    this.share.style.setProperty('--share', `${Math.round(100 * share)}%`);
    this.worth.textContent = shortWorth(score, side);
    this.scale.setAttribute('aria-label', `Elephants ${Math.round(100 * share)} of 100`);
  }

  showArrows() {
    const { analysis } = this;
    const { picture } = this.table;
    if (!picture || this.editor) return;
    const threats = this.threatsOn ? analysis?.threats : undefined;
    const arrows = [
      ...(threats?.E ?? []).map((move) => arrowOf(move, SIDE_COLOURS.E, '!')),
      ...(threats?.R ?? []).map((move) => arrowOf(move, SIDE_COLOURS.R, '!')),
    ];
    const best = analysis?.best;
    if (best && !arrows.some((arrow) => arrow.label && arrowOf(best, '').from.join() === arrow.from.join()))
      arrows.push(arrowOf(best, '#2c7a3f'));
    this.table.arrows(arrows);
  }

  // The game

  showGame() {
    const { table } = this;
    const starts = sideOf(table.rehearsal?.frames[0]?.notation ?? '');
    const chips = table.moves.map((move, index) =>
      button(move, () => this.goTo(index + 1), { class: nameOf((index % 2 === 0) === (starts === 'E') ? 'E' : 'R') }),
    );
    const turn = new Map(table.picture?.labels ?? []).get('turn') ?? '';
    fill(
      this.game,
      h('h2', null, this.editor ? 'Set up a position' : `${turn[0]?.toUpperCase() ?? ''}${turn.slice(1)}`),
      this.editor
        ? null
        : h(
            'div',
            { class: 'line-moves game-moves', 'aria-label': 'Moves so far' },
            chips.length > 0
              ? chips
              : h('span', { class: 'soft' }, 'Click an animal, or one beside the board, to move it.'),
          ),
      h(
        'div',
        { class: 'row' },
        this.editor
          ? [
              button('Analyse this', () => this.leaveSetUp(), { class: 'primary' }),
              button('Start position', () => this.startPosition()),
            ]
          : [
              button('Take back', () => this.goTo(table.at - 1), { disabled: table.at === 0 }),
              button('To the start', () => this.goTo(0), { disabled: table.at === 0 }),
              button('Set up…', () => this.setUp()),
            ],
      ),
    );
  }

  showTable() {
    this.place.className = 'panel field-row';
    fill(this.place, this.scale, this.table.element);
  }

  setUp() {
    this.jobs.close();
    this.desk.history.push(this.drawn());
    this.editor = new GridEditor(this.desk, grid);
    if (this.table.picture) this.editor.setPicture(this.table.picture);
    this.place.className = '';
    fill(this.place, this.editor.element);
    this.showGame();
  }

  /** The position on the board in the five-row format of the editor. */
  drawn() {
    return this.table.position.replaceAll('/', '\n').replace(/^([.MNESWnesw]{5}) ([ER] \d+)$/m, '$1\n$2');
  }

  startPosition() {
    this.desk.change('.....\n.....\n.MMM.\n.....\n.....\nE 0\n', 'board');
  }

  async leaveSetUp() {
    this.editor?.close();
    this.editor = null;
    this.showTable();
    await this.open();
  }

  close() {
    this.jobs.close();
    this.editor?.close();
    this.table.close();
  }
}
