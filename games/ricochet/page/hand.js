// Input for robots: choose one by its letter, a click or a drag, then a direction. Used by missions and by rounds.

import { button, fill, h } from '../../dom.js';
import { robotName } from './look.js';

/** @typedef {import('../../types').Picture} Picture */
/** @typedef {import('../../types').Point} Point */
/** @typedef {import('../../types').Hand} Hand */

const DIRECTIONS = /** @type {[string, string, number, number][]} */ ([
  ['north', '▲', 0, -1],
  ['west', '◀', -1, 0],
  ['east', '▶', 1, 0],
  ['south', '▼', 0, 1],
]);

/**
 * @param {number} dx
 * @param {number} dy
 */
function direction(dx, dy) {
  if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 ? 'east' : 'west';
  return dy > 0 ? 'south' : 'north';
}

/** @implements {Hand} */
export class RobotHand {
  constructor() {
    /** @type {Hand['onAction']} */
    this.onAction = () => {};
    /** @type {import('../../board').Board | null} */
    this.board = null;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {string[]} */
    this.legal = [];
    this.chosen = '';
    /** Whether a robot is being dragged. */
    this.dragged = false;
    this.element = h('div', { class: 'robot-hand' });
    this.handlers = {
      onCell: (/** @type {number} */ x, /** @type {number} */ y) => this.cell(x, y),
      onDrop: (/** @type {number} */ x, /** @type {number} */ y) => this.drop(x, y),
    };
  }

  /** @param {import('../../board').Board} board */
  attach(board) {
    this.board = board;
  }

  /**
   * @param {Picture | null} picture
   * @param {string[]} legal
   * @param {string} [first] the robot to select at first
   */
  set(picture, legal, first) {
    if (!picture) return;
    this.picture = picture;
    this.legal = legal;
    const names = this.robots().map((robot) => robot.name);
    const target = picture.sprites.find(
      (sprite) =>
        sprite.name.endsWith('target') &&
        !sprite.faint &&
        Array.from(picture.tiles).includes(picture.sprites.indexOf(sprite)),
    );
    if (first) this.chosen = first;
    if (!names.includes(this.chosen))
      this.chosen = names.includes(robotName(target?.colour ?? ''))
        ? robotName(target?.colour ?? '')
        : (names[0] ?? '');
    this.refresh();
  }

  robots() {
    const { picture } = this;
    if (!picture) return [];
    return picture.pieces.map(([, x, y, sprite]) => ({
      name: robotName(picture.sprites[sprite].colour),
      at: /** @type {Point} */ ([x, y]),
    }));
  }

  /** @param {string} name */
  choosePiece(name) {
    if (!this.robots().some((robot) => robot.name === name)) return;
    this.chosen = name;
    this.refresh();
  }

  /**
   * Shows one direction of a robot.
   * @param {string} name
   * @param {string} dir
   */
  point(name, dir) {
    this.choosePiece(name);
    const at = this.robots().find((robot) => robot.name === name)?.at;
    const step = DIRECTIONS.find(([one]) => one === dir);
    if (at && step)
      this.board?.decorate({ arrows: [{ from: at, to: [at[0] + step[2] * 2.4, at[1] + step[3] * 2.4] }] });
  }

  /** @param {string} dir */
  move(dir) {
    if (this.chosen) this.onAction(`${this.chosen} ${dir}`);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cell(x, y) {
    const robot = this.robots().find((one) => one.at[0] === x && one.at[1] === y);
    this.dragged = Boolean(robot);
    if (robot) return this.choosePiece(robot.name);
    const at = this.robots().find((one) => one.name === this.chosen)?.at;
    if (at) this.move(direction(x - at[0], y - at[1]));
    return undefined;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  drop(x, y) {
    const at = this.robots().find((one) => one.name === this.chosen)?.at;
    if (!this.dragged || !at || (x === at[0] && y === at[1])) return;
    this.dragged = false;
    this.move(direction(x - at[0], y - at[1]));
  }

  refresh() {
    const at = this.robots().find((one) => one.name === this.chosen)?.at;
    const open = DIRECTIONS.filter(([dir]) => this.legal.includes(`${this.chosen} ${dir}`));
    const colour = this.board?.palette.of(this.chosen === 'silver' ? 'white' : this.chosen);
    this.board?.decorate({
      selected: this.legal.length ? (at ?? null) : null,
      arrows: at
        ? open.map(([, , dx, dy]) => ({
            from: /** @type {Point} */ ([at[0] + dx * 0.35, at[1] + dy * 0.35]),
            to: /** @type {Point} */ ([at[0] + dx * 1.25, at[1] + dy * 1.25]),
            colour,
          }))
        : [],
    });
    fill(
      this.element,
      h(
        'div',
        { class: 'row hand-robots', role: 'group', 'aria-label': 'Robots' },
        this.robots().map(({ name }) =>
          button(name, () => this.choosePiece(name), {
            class: `hand-robot ${name}`,
            'aria-pressed': String(name === this.chosen),
            'data-robot': name,
          }),
        ),
      ),
      h(
        'div',
        { class: 'row hand-ways', role: 'group', 'aria-label': 'Directions' },
        DIRECTIONS.map(([dir, symbol]) =>
          button(symbol, () => this.move(dir), {
            class: 'icon',
            'aria-label': dir,
            'data-way': dir,
            disabled: !this.legal.includes(`${this.chosen} ${dir}`),
          }),
        ),
      ),
    );
  }
}
