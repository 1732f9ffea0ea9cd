// The choice of the piece that the direction keys move, for games without an input of their own.

import { button, fill, h } from './dom.js';

/** @typedef {import('./types').Hand} Hand */

/** @implements {Hand} */
export class PieceHand {
  /** @param {import('./types').KeyBinding[]} pieces */
  constructor(pieces) {
    this.pieces = pieces;
    this.chosen = pieces[0].action;
    /** @type {Hand['onAction']} */
    this.onAction = () => {};
    this.handlers = {};
    this.element = h('div', { class: 'row', role: 'group', 'aria-label': 'Pieces' });
    this.refresh();
  }

  attach() {}

  set() {}

  /** @param {string} piece */
  choosePiece(piece) {
    this.chosen = piece;
    this.refresh();
  }

  /** @param {string} action */
  move(action) {
    this.onAction(`${this.chosen} ${action}`);
  }

  refresh() {
    fill(
      this.element,
      this.pieces.map(({ action }) =>
        button(action, () => this.choosePiece(action), {
          'aria-pressed': String(action === this.chosen),
          'data-piece': action,
        }),
      ),
    );
  }
}
