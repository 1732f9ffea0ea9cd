// The editor for levels that can only be edited as text: the board shows the result.

import { Board } from './board.js';
import { h } from './dom.js';
import { undoButtons } from './common.js';

/** @typedef {import('./types').Editor} Editor */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {import('./types').Picture} Picture */

/** @implements {Editor} */
export class TextEditor {
  /** @param {import('./edit-desk.js').Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Picture | null} */
    this.opened = null;
    /** @type {Mark[]} */
    this.marks = [];
    this.host = h('div');
    this.board = new Board(this.host, { label: `${desk.game.title}, level`, look: desk.module.look });
    this.element = h('div', { class: 'panel easel' }, h('div', { class: 'row' }, undoButtons(desk)), this.host);
  }

  /** @param {Picture} picture */
  setPicture(picture) {
    this.opened = picture;
    this.show();
  }

  show() {
    if (this.opened) this.board.show(this.opened, { marks: this.marks });
  }

  /** @param {Mark[]} marks */
  mark(marks) {
    this.marks = marks;
    this.board.decorate({ marks });
  }

  /** No marks: a position in the text need not correspond to a cell. @returns {Mark[]} */
  markOf() {
    return [];
  }

  close() {
    this.board.destroy();
  }
}
