// Shows a solution on the editor's board, step by step, by playing it in a real game.

import { button, fill, h, slider } from './dom.js';
import { showError } from './common.js';
import { Rehearsal } from './rehearse.js';

/** @typedef {import('./board.js').Board} Board */

const STEP_MS = 220;

/** Plays a plan on a board and gives the controls for it. */
export class Show {
  /**
   * @param {Board} board
   * @param {{ game: string, rules: string, text: string, seed: number, seats: string[] }} setting
   * @param {string[]} plan
   * @param {() => void} onEnd called when the user goes back to the editor
   */
  constructor(board, setting, plan, onEnd) {
    this.board = board;
    this.plan = plan;
    this.onEnd = onEnd;
    /** @type {Rehearsal | null} */
    this.rehearsal = null;
    /** The moments before each action of the plan, and the last one. @type {number[]} */
    this.stops = [];
    this.at = 0;
    /** Resolves when all requested actions are taken: they run one after the other, even while scrubbing. @type {Promise<void>} */
    this.taken = Promise.resolve();
    this.closed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The last action, and extra controls for the current moment. */
    this.remarks = h('div', { class: 'row' });
    this.element = h('div', { class: 'panel show', role: 'group', 'aria-label': 'Solution' });
    this.started = this.start(setting);
  }

  /** @param {{ game: string, rules: string, text: string, seed: number, seats: string[] }} setting */
  async start(setting) {
    this.rehearsal = await Rehearsal.begin(setting);
    this.stops = [this.rehearsal.frames.length - 1];
    this.controls();
    this.play();
  }

  controls() {
    this.position = slider(
      { min: 0, max: this.plan.length, value: 0, label: 'Turn', text: (at) => `${at}/${this.plan.length}` },
      (at) => this.go(at),
    );
    this.playing = button('❚❚', () => (this.timer === undefined ? this.play() : this.pause()), {
      class: 'icon',
      'aria-label': 'Play or pause',
    });
    this.action = h('span', { class: 'soft' });
    this.remarks.prepend(this.action);
    fill(
      this.element,
      h(
        'div',
        { class: 'row' },
        button('‹', () => this.go(this.at - 1), { class: 'icon', 'aria-label': 'One turn back' }),
        this.playing,
        button('›', () => this.go(this.at + 1), { class: 'icon', 'aria-label': 'One turn forward' }),
        this.position,
        button('Back to the editor', () => this.onEnd()),
      ),
      this.remarks,
    );
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** Pauses and shows a turn, taking the actions up to it if necessary. @param {number} at */
  async go(at, animate = 0) {
    this.pause();
    await this.show(at, animate);
  }

  /** @param {number} at @param {number} animate */
  async show(at, animate) {
    const wanted = Math.max(0, Math.min(this.plan.length, at));
    const { rehearsal } = this;
    if (!rehearsal) return;
    this.taken = this.taken.then(() => this.take(rehearsal, wanted));
    await this.taken;
    if (this.closed) return;
    this.at = Math.min(wanted, this.stops.length - 1);
    const picture = rehearsal.picture(this.stops[this.at]);
    const action = this.plan[this.at - 1];
    if (picture) this.board.show(picture, { animate: animate || undefined, action });
    const input = this.position?.querySelector('input');
    if (input) input.value = String(this.at);
    const output = this.position?.querySelector('output');
    if (output) output.textContent = `${this.at}/${this.plan.length}`;
    if (this.action) this.action.textContent = this.at > 0 ? action : 'start';
  }

  /** Takes the plan's actions up to a turn. @param {Rehearsal} rehearsal @param {number} turn */
  async take(rehearsal, turn) {
    const { stops } = this;
    while (!this.closed && stops.length <= turn && !rehearsal.frames.at(-1)?.status.over) {
      stops.push(await rehearsal.act(stops[stops.length - 1], this.plan[stops.length - 1]));
    }
  }

  play() {
    if (this.at >= this.plan.length) this.at = 0;
    if (this.playing) this.playing.textContent = '❚❚';
    const next = async () => {
      await this.show(this.at + 1, STEP_MS);
      if (this.closed || this.timer === undefined) return;
      if (this.at >= this.plan.length || this.rehearsal?.frames[this.stops[this.at]]?.status.over) return this.pause();
      this.timer = setTimeout(next, STEP_MS);
    };
    this.timer = setTimeout(next, STEP_MS);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.playing) this.playing.textContent = '▶';
  }

  close() {
    this.closed = true;
    this.pause();
    this.rehearsal?.close();
  }
}

/** The area under an editor's board that shows a solution, at most one at a time. */
export class Stage {
  /** @param {{ board: Board, show: () => void, desk: import('./edit-desk.js').Desk }} editor */
  constructor(editor) {
    this.editor = editor;
    this.element = h('div');
    /** @type {Show | null} */
    this.show = null;
    editor.desk.on('change', () => this.end());
  }

  /**
   * @param {string[]} plan
   * @param {string[]} seats
   * @param {number} seed
   * @param {(show: Show) => Node[]} [extras] extra controls for the current moment
   */
  async perform(plan, seats, seed, extras = () => []) {
    this.end();
    const { game, rules, text } = this.editor.desk;
    const show = new Show(this.editor.board, { game: game.name, rules, text, seed, seats }, plan, () => this.end());
    this.show = show;
    fill(this.element, show.element);
    show.remarks.append(...extras(show));
    await show.started.catch((error) => {
      showError(error);
      this.end();
    });
  }

  end() {
    if (!this.show) return;
    this.show.close();
    this.show = null;
    fill(this.element);
    this.editor.show();
  }
}
