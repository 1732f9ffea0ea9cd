// A board on which the user moves both sides, and takes moves back.

import { Board } from '../../board.js';
import { h } from '../../dom.js';
import { Rehearsal } from '../../rehearse.js';
import { MoveHand } from './hand.js';
import { look } from './look.js';

/** @typedef {import('../../types').Arrow} Arrow */
/** @typedef {import('../../types').ShowOptions} ShowOptions */

export class Table {
  /**
   * @param {string} label
   * @param {(action: string) => void} onMove called when a move is chosen, before it is played
   */
  constructor(label, onMove) {
    this.host = h('div');
    this.input = new MoveHand();
    this.input.onAction = onMove;
    this.board = new Board(this.host, { label, look, ...this.input.handlers });
    this.input.attach(this.board);
    this.element = h('div', { class: 'move-table' }, this.host, this.input.element);
    /** @type {Rehearsal | null} */
    this.rehearsal = null;
    /** The relevant headers of the level, which a position in notation lacks. @type {string[]} */
    this.headers = [];
    this.at = 0;
    this.opened = 0;
  }

  /**
   * Sets up a position.
   * @param {{ game: string, rules: string, text: string }} level
   */
  async begin({ game, rules, text }) {
    const number = ++this.opened;
    this.rehearsal?.close();
    this.rehearsal = null;
    this.headers = text.split('\n').filter((line) => /^\s*;\s*(animals|cap)\s*:/.test(line));
    const rehearsal = await Rehearsal.begin({ game, rules, text, seats: ['human', 'human'] });
    if (number !== this.opened) return rehearsal.close();
    this.rehearsal = rehearsal;
    this.at = rehearsal.frames.length - 1;
    this.show();
  }

  get frame() {
    return this.rehearsal?.frames[this.at];
  }

  get picture() {
    return this.rehearsal?.picture(this.at) ?? null;
  }

  get over() {
    return this.frame?.status.over ?? null;
  }

  /** The moves from the start to here. */
  get moves() {
    return (this.rehearsal?.frames ?? []).slice(0, this.at + 1).flatMap((frame) => frame.decision?.action ?? []);
  }

  /** The position in notation. */
  get notation() {
    return this.frame?.notation ?? '';
  }

  /** The position as a level. */
  get position() {
    return this.frame ? [...this.headers, this.notation, ''].join('\n') : '';
  }

  /** @param {ShowOptions} [options] */
  show(options = {}) {
    const { picture, frame } = this;
    if (!picture || !frame) return;
    this.board.show(picture, options);
    this.input.set(picture, this.over ? [] : (frame.legal ?? []));
  }

  /** Plays a move from here and discards all later ones. @param {string} action */
  async play(action) {
    if (!this.rehearsal) return;
    this.at = await this.rehearsal.act(this.at, action);
    this.show({ animate: 'natural', action });
  }

  /** Shows another moment. @param {number} n */
  goTo(n) {
    this.at = Math.max(0, Math.min((this.rehearsal?.frames.length ?? 1) - 1, n));
    this.show();
  }

  /** @param {Arrow[]} arrows */
  arrows(arrows) {
    this.board.decorate({ arrows });
  }

  close() {
    this.opened += 1;
    this.rehearsal?.close();
    this.board.destroy();
  }
}
