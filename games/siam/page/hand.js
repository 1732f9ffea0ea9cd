// Input of moves by clicks: an animal or the tray, then a square, then a facing.

import { button, fill, h } from '../../dom.js';
import { parseMove, same, squareName, STEP, WIDTH } from './notation.js';

/** @typedef {import('../../types').Point} Point */
/** @typedef {import('../../types').Dir} Dir */
/** @typedef {import('../../types').Picture} Picture */
/** @typedef {import('../../types').Hand} Hand */
/** @typedef {import('./notation.js').Move & {action: string}} Move */

const ARROWS = { north: '↑', east: '→', south: '↓', west: '←' };
/** @type {Dir[]} */
const DIRS = ['north', 'west', 'east', 'south'];

/**
 * The unbroken line of pieces from a square on: what a push there would move.
 * @param {Picture} picture
 * @param {Point} to
 * @param {Dir} facing
 */
function pushedLine(picture, to, facing) {
  const [dx, dy] = STEP[facing];
  const line = [];
  for (let [x, y] = to; ; x += dx, y += dy) {
    const piece = picture.pieces.find((one) => one[1] === x && one[2] === y);
    if (!piece) return line;
    line.push(piece);
  }
}

/** @implements {Hand} */
export class MoveHand {
  constructor() {
    /** @type {Hand['onAction']} */
    this.onAction = () => {};
    this.help =
      'Click an animal or the tray, then a square, then the direction to face. Push a mountain off the board to win.';
    /** @type {import('../../board').Board | null} */
    this.board = null;
    this.handlers = {
      keyboardCursor: true,
      onCell: (/** @type {number} */ x, /** @type {number} */ y) => this.cell(x, y),
      onDrop: (/** @type {number} */ x, /** @type {number} */ y) => this.drop(x, y),
      onReserve: (/** @type {string} */ animal) => this.reserve(animal),
    };
    this.element = h('div', { class: 'move-hand', 'aria-live': 'polite' });
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Move[]} */
    this.moves = [];
    /** The square of the chosen animal; `tray` if it is in hand. @type {Point | 'tray' | null} */
    this.chosen = null;
    /** The square that the chosen animal goes to. @type {Point | null} */
    this.goal = null;
  }

  /** @param {import('../../board').Board} board */
  attach(board) {
    this.board = board;
  }

  /**
   * @param {Picture} picture
   * @param {string[]} legal the legal actions; none if no person is to move
   */
  set(picture, legal) {
    this.picture = picture;
    this.moves = legal.flatMap((action) => {
      const move = parseMove(action);
      return move ? [{ action, ...move }] : [];
    });
    this.choose(null);
  }

  /** The moves of the chosen animal. */
  own() {
    const from = this.chosen === 'tray' ? null : this.chosen;
    return this.chosen === null ? [] : this.moves.filter((move) => same(move.from, from));
  }

  /** @param {Point | 'tray' | null} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.goal = null;
    this.refresh();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cell(x, y) {
    /** @type {Point} */
    const at = [x, y];
    if (this.goal && same(this.goal, at)) return this.choose(this.chosen);
    const aims = this.own().some((move) => same(move.to, at));
    if (aims && !same(this.chosen === 'tray' ? null : this.chosen, at)) return this.aim(at);
    const mine = this.moves.some((move) => same(move.from, at));
    const again = this.chosen !== 'tray' && same(this.chosen, at);
    if (again && this.goal === null && aims) return this.aim(at);
    return this.choose(mine && !again ? at : null);
  }

  /** @param {string} animal */
  reserve(animal) {
    const enters = this.moves.some((move) => move.from === null);
    const own = this.sideToMove();
    if (this.chosen && this.chosen !== 'tray' && this.own().some((move) => move.to === null) && animal === own)
      return this.leave();
    return this.choose(enters && animal === own && this.chosen !== 'tray' ? 'tray' : null);
  }

  /** `elephant` or `rhino`. */
  sideToMove() {
    const turn = this.picture?.labels.find(([name]) => name === 'turn')?.[1] ?? '';
    return turn.startsWith('rhino') ? 'rhino' : 'elephant';
  }

  leave() {
    const move = this.own().find((one) => one.to === null);
    if (move) this.onAction(move.action);
  }

  /** Handles the choice of a square: asks for the facing, or to confirm a push. @param {Point} at */
  aim(at) {
    this.goal = at;
    this.refresh();
  }

  /**
   * A drag from the chosen square towards another one chooses the facing.
   * @param {number} x
   * @param {number} y
   */
  drop(x, y) {
    if (!this.goal) return;
    const [dx, dy] = [x - this.goal[0], y - this.goal[1]];
    if (!dx && !dy) return;
    const dir = Math.abs(dx) >= Math.abs(dy) ? (dx > 0 ? 'east' : 'west') : dy > 0 ? 'south' : 'north';
    const move = this.choices().find((one) => one.facing === dir);
    if (move) this.onAction(move.action);
  }

  choices() {
    return this.own().filter((move) => move.to !== null && same(move.to, this.goal));
  }

  refresh() {
    const targets = this.own().flatMap((move) => (move.to ? [move.to] : []));
    this.board?.decorate({
      selected: this.goal ?? (this.chosen === 'tray' ? null : this.chosen),
      targets: this.goal
        ? []
        : targets.filter(
            (at, index) =>
              targets.findIndex((one) => same(one, at)) === index && !(this.chosen !== 'tray' && same(at, this.chosen)),
          ),
    });
    fill(this.element, this.goal ? this.rose() : this.advice());
    if (this.goal) this.element.scrollIntoView({ block: 'nearest' });
  }

  advice() {
    if (!this.moves.length) return [];
    const own = this.sideToMove();
    const inHand = this.moves.some((move) => move.from === null);
    if (this.chosen === null) {
      return [
        h(
          'p',
          { class: 'soft' },
          `Choose ${own === 'elephant' ? 'an elephant' : 'a rhino'}${inHand ? ', or take one from the tray' : ''}.`,
        ),
        inHand ? button(`Bring ${own === 'elephant' ? 'an elephant' : 'a rhino'} in`, () => this.choose('tray')) : null,
      ];
    }
    const leaves = this.own().some((move) => move.to === null);
    const turns =
      this.chosen !== 'tray' && this.own().some((move) => same(move.to, /** @type {Point} */ (this.chosen)));
    return [
      h(
        'p',
        { class: 'soft' },
        this.chosen === 'tray' ? 'Choose the square to enter on.' : 'Choose a square; dashed squares are pushes.',
      ),
      h(
        'div',
        { class: 'row' },
        turns ? button('Turn', () => this.aim(/** @type {Point} */ (this.chosen))) : null,
        leaves ? button('Take off the board', () => this.leave()) : null,
        button('Cancel', () => this.choose(null), { class: 'quiet' }),
      ),
    ];
  }

  /** The effect of a push, and the possible facings, laid out like a compass. */
  rose() {
    const choices = this.choices();
    const square = squareName(/** @type {Point} */ (this.goal));
    const push = choices.find((move) => this.pushes(move));
    /** @param {Move} move @param {string} text @param {string} style */
    const choice = (move, text, style) =>
      button(text, () => this.onAction(move.action), {
        class: style,
        'aria-label': `look ${move.facing}`,
        'data-action': move.action,
      });
    const cancel = button('Cancel', () => this.choose(null), { class: 'quiet' });
    if (push && choices.length === 1)
      return [
        h('p', null, this.explain(push)),
        choice(push, `Push ${ARROWS[/** @type {Dir} */ (push.facing)]}`, 'primary'),
        cancel,
      ];
    const arrows = DIRS.map((dir) => {
      const move = choices.find((one) => one.facing === dir);
      return move ? choice(move, ARROWS[dir], `rose-${dir}`) : h('span', { class: `rose-${dir}` });
    });
    return [
      h('p', null, `${push ? `${this.explain(push)} ` : `To ${square}: `}Which way should it face?`),
      h(
        'div',
        { class: 'rose', role: 'group', 'aria-label': 'Facing' },
        arrows,
        h('span', { class: 'rose-middle' }, square),
      ),
      cancel,
    ];
  }

  /** @param {Move} move */
  pushes(move) {
    return Boolean(
      move.to &&
        move.facing &&
        !same(move.from, move.to) &&
        this.picture &&
        pushedLine(this.picture, move.to, move.facing).length,
    );
  }

  /** The effect of a push in words. @param {Move} move */
  explain(move) {
    const picture = /** @type {Picture} */ (this.picture);
    const facing = /** @type {Dir} */ (move.facing);
    const line = pushedLine(picture, /** @type {Point} */ (move.to), facing);
    const names = line.map((piece) => `the ${picture.sprites[piece[3]].name} on ${squareName([piece[1], piece[2]])}`);
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0];
    const end = line[line.length - 1];
    const [dx, dy] = STEP[facing];
    const inside = (/** @type {number} */ place) => place >= 0 && place < WIDTH;
    const off = !inside(end[1] + dx) || !inside(end[2] + dy);
    const last = picture.sprites[end[3]].name;
    const fate = !off
      ? ''
      : last === 'mountain'
        ? ' The mountain leaves the board, which ends the game.'
        : ` The ${last} leaves the board.`;
    return `Pushes ${list} one square ${facing}.${fate}`;
  }
}
