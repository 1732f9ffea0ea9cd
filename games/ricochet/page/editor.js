// The editor of Rasende Roboter: click edges to build walls, drag robots and the target.

import { Board } from '../../board.js';
import { button, checkbox, field, fill, h, select } from '../../dom.js';
import { importLevel } from '../../edit-files.js';
import { icon } from '../../edit-icon.js';
import { post } from '../../net.js';
import { showError, keepingFocus, undoButtons } from '../../common.js';
import { look } from './look.js';
import * as missions from './mission.js';

/** @typedef {import('../../edit-desk.js').Desk} Desk */
/** @typedef {import('../../edit-text.js').Cell} Cell */
/** @typedef {import('../../edit-text.js').Side} Side */
/** @typedef {import('./mission.js').Mission} Mission */
/** @typedef {import('../../types').Editor} Editor */
/** @typedef {import('../../types').Mark} Mark */
/** @typedef {import('../../types').ShowOptions} ShowOptions */

/** What the pointer carries: a robot or the target. @typedef {string} Load */
const TARGET = 'target';

/** @type {Record<string, Side>} */
const ARROWS = { ArrowUp: 'north', ArrowRight: 'east', ArrowDown: 'south', ArrowLeft: 'west' };
/** @type {import('../../types').Sprite} */
const FLOOR = { name: 'floor', unicode: '· ', colour: 'dim' };

/** @implements {Editor} */
export class MissionEditor {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** Overlays of the board, such as the cells that a robot can reach. @type {ShowOptions} */
    this.over = {};
    /** @type {Load | null} */
    this.load = null;
    /** The cell from which it is dragged. @type {Cell | null} */
    this.from = null;
    this.diagonals = false;
    /** @type {string | null} */
    this.diagonalColour = null;
    this.host = h('div');
    this.board = new Board(this.host, {
      label: `${desk.game.title}, board editor`,
      look,
      keyboardCursor: true,
      onCell: (x, y, event) => this.press([x, y], event),
      onDrag: (x, y) => this.drag([x, y]),
      onDrop: (x, y) => this.drop([x, y]),
      onEdge: (x, y, side, event) => this.pressEdge([x, y], side, event),
    });
    this.kit = h('div', { class: 'panel kit mission-kit' });
    this.hint = h(
      'p',
      { class: 'soft' },
      'Click between two cells to add or remove a wall. Drag robots and the target, or click them and then a cell. ',
      h('span', { class: 'keys-hint' }, 'Keys: arrows, Enter, Ctrl+arrow for a wall.'),
    );
    this.element = h(
      'div',
      { class: 'grid-editor mission-editor', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      this.kit,
      h('div', { class: 'panel easel' }, this.host, this.hint),
    );
    desk.on('change', () => this.changed());
    this.changed();
  }

  /** @returns {Mission} */
  get mission() {
    return missions.parse(this.desk.text);
  }

  changed() {
    keepingFocus(this.kit, () => this.showKit());
    this.show();
  }

  /** @param {Mission} mission */
  keep(mission) {
    this.desk.change(missions.print(mission), 'board');
  }

  show(mission = this.mission) {
    const held = this.load ? this.placeOf(mission, this.load) : null;
    this.board.show(missions.picture(mission), { ...this.over, selected: held });
  }

  /** Sets the overlays of the board. @param {ShowOptions} over */
  overlay(over) {
    this.over = over;
    this.show();
  }

  /** @param {Mark[]} marks */
  mark(marks) {
    this.overlay({ ...this.over, marks });
  }

  /** No marks: errors of missions refer to their JSON, not to cells. @returns {Mark[]} */
  markOf() {
    return [];
  }

  /** The server's picture is not needed: the mission is drawn from its JSON. */
  setPicture() {}

  // Walls, robots, target

  /** @param {Mission} mission @param {Load} load @returns {Cell} */
  placeOf(mission, load) {
    return load === TARGET ? mission.target : mission.robots[load];
  }

  /** @param {Mission} mission @param {Load} load @param {Cell} cell */
  put(mission, load, cell) {
    if (missions.isClosed(mission, cell)) return mission;
    return load === TARGET ? { ...mission, target: cell } : missions.moveRobot(mission, load, cell);
  }

  /** The robot or target on a cell. @param {Cell} cell @returns {Load | null} */
  loadAt(cell) {
    const { mission } = this;
    return missions.robotAt(mission, cell) ?? (missions.same(mission.target, cell) ? TARGET : null);
  }

  /** @param {Cell} cell @param {Event} event */
  press(cell, event) {
    if (this.diagonals) return this.keep(missions.turnDiagonal(this.mission, cell, this.diagonalColour));
    const found = this.loadAt(cell);
    const pointed = event instanceof PointerEvent;
    // A robot can be on the target, but not on another robot: that one is chosen instead.
    const taken = found !== null && found !== TARGET && this.load !== TARGET;
    if (this.load && this.load !== found && !taken) return this.lay(cell);
    // With the keyboard, a second press deselects it; with the pointer, it may start a drag.
    this.load = this.load === found && !pointed ? null : found;
    this.from = found && pointed ? cell : null;
    this.show();
  }

  /** Puts down what is carried. @param {Cell} cell */
  lay(cell) {
    const { load } = this;
    this.load = null;
    this.from = null;
    if (load) this.keep(this.put(this.mission, load, cell));
    this.show();
  }

  /** @param {Cell} cell */
  drag(cell) {
    if (this.from && this.load) this.show(this.put(this.mission, this.load, cell));
  }

  /** @param {Cell} cell */
  drop([x, y]) {
    if (!this.from || !this.load) return;
    const [width, height] = missions.sizeOf(this.mission);
    const cell = /** @type {Cell} */ ([Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))]);
    // Released where it was: it stays chosen, and the next press puts it down.
    if (missions.same(cell, this.from)) this.from = null;
    else this.lay(cell);
  }

  /** @param {Cell} cell @param {Side} side @param {Event} event */
  pressEdge(cell, side, event) {
    if (this.load || this.diagonals || this.loadAt(cell)) return this.press(cell, event);
    this.keep(missions.toggleWall(this.mission, cell, side));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.board.canvas) return;
    const side = ARROWS[event.key];
    if (event.key === 'Escape') {
      this.load = null;
      this.show();
    } else if (side && (event.ctrlKey || event.metaKey)) {
      this.keep(missions.toggleWall(this.mission, this.board.cursor, side));
      event.preventDefault();
    }
  }

  // The kit

  showKit() {
    const { mission } = this;
    const robots = missions.ROBOTS.map((robot) => {
      const present = robot in mission.robots;
      const only = present && Object.keys(mission.robots).length === 1;
      return h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(present),
          disabled: only,
          'data-robot': robot,
          title: present ? `Remove the ${robot} robot` : `Put the ${robot} robot on the board`,
          'aria-label': `${robot} robot`,
          onclick: () => this.keep(present ? missions.removeRobot(mission, robot) : missions.addRobot(mission, robot)),
        },
        icon(look, missions.robotSprite(robot), FLOOR),
      );
    });
    const wanted = select(
      [['', 'any robot'], ...Object.keys(mission.robots)],
      mission.target_robot ?? '',
      (robot) => this.keep({ ...mission, target_robot: robot || null }),
      { 'data-field': 'target-robot' },
    );
    fill(
      this.kit,
      h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Tools' }, undoButtons(this.desk)),
      h('div', { class: 'robots', role: 'group', 'aria-label': 'Robots' }, robots),
      field('Mission for', wanted),
      this.sizeField(mission),
      checkbox('Diagonals', this.diagonals, (on) => {
        this.diagonals = on;
        this.load = null;
        this.changed();
      }),
      this.diagonals
        ? field(
            'passed by',
            select([['', 'nobody'], ...missions.ROBOTS], this.diagonalColour ?? '', (robot) => {
              this.diagonalColour = robot || null;
            }),
          )
        : null,
      button('Random board', () => this.random()),
      button('Empty board', () => this.keep(missions.emptyMission(...missions.sizeOf(mission)))),
    );
  }

  /** @param {Mission} mission */
  sizeField(mission) {
    const [width, height] = missions.sizeOf(mission).map((value, axis) =>
      h('input', {
        type: 'number',
        min: 2,
        max: missions.MAX_SIDE,
        value: String(value),
        'aria-label': axis ? 'Rows' : 'Columns',
      }),
    );
    const apply = () => {
      const [columns, rows] = [width, height].map((input) =>
        Math.max(2, Math.min(missions.MAX_SIDE, Math.floor(Number(input.value)) || 16)),
      );
      this.keep(missions.resize(this.mission, columns, rows));
    };
    width.addEventListener('change', apply);
    height.addEventListener('change', apply);
    return field('Size', h('span', { class: 'row sizes' }, width, '×', height));
  }

  async random() {
    const request = { game: this.desk.game.name, rules: this.desk.rules, seed: 1 + Math.floor(Math.random() * 1e9) };
    await post('/api/levels/generate', request)
      .then(({ text }) => importLevel(this.desk, text))
      .catch(showError);
  }

  close() {
    this.board.destroy();
  }
}
