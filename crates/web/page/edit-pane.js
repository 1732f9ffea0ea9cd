// The level as text beside the board: each follows changes of the other, and errors are marked in the text.

import { h, fill } from './dom.js';
import { ApiError, located } from './net.js';

/** @typedef {import('./edit-desk.js').Desk} Desk */
/** @typedef {import('./edit-verdict.js').Fault} Fault */

const PAUSE_MS = 250;

export class TextPane {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** Whether the level is shown in a more readable format than the one that the editor works in. */
    this.translated = desk.module.editor?.shown !== undefined;
    /** Whether text was typed that the desk does not have yet. */
    this.ahead = false;
    /** Counts changes, so that a slow answer does not overwrite a newer text. */
    this.turn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
    this.area = h('textarea', {
      spellcheck: false,
      wrap: 'off',
      'aria-label': 'The level as text',
      autocapitalize: 'off',
      autocomplete: 'off',
      oninput: () => this.typed(),
      onscroll: () => this.followScroll(),
    });
    this.marks = h('pre', { 'aria-hidden': 'true' });
    this.problem = h('p', { class: 'problem', role: 'status' });
    this.element = h(
      'section',
      { class: 'panel text-pane', 'aria-label': 'Text' },
      h('h2', null, 'Text'),
      h('div', { class: 'sheet' }, this.marks, this.area),
      this.problem,
    );
    desk.on('change', (from) => {
      if (from !== 'text') this.refresh();
    });
    desk.on('opened', () => {
      if (this.translated && !this.ahead) this.refresh();
    });
    this.refresh();
  }

  refresh() {
    const { text: own, opened } = this.desk;
    // A translated text comes with the server's answer; a level that its format cannot express is shown in the working format.
    if (this.translated && !opened) return;
    this.put(opened?.shown ?? own);
  }

  /** @param {string} text */
  put(text) {
    this.turn += 1;
    this.ahead = false;
    this.area.value = text;
    this.area.rows = Math.min(26, Math.max(6, text.split('\n').length));
    this.mark(null);
  }

  typed() {
    this.turn += 1;
    this.ahead = true;
    this.mark(null);
    this.desk.emit('typing');
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.read(), PAUSE_MS);
  }

  async read() {
    if (!this.translated) {
      this.ahead = false;
      return this.desk.change(this.area.value, 'text');
    }
    const turn = this.turn;
    try {
      const opened = await this.desk.open(this.area.value);
      if (turn !== this.turn) return;
      this.ahead = false;
      this.desk.load(opened, 'text');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn !== this.turn) return;
      this.desk.reject(error);
      this.mark(error);
    }
  }

  /** Shows the error of the level on the desk; its position refers to the working format. @param {Fault | null} fault */
  showFault(fault) {
    if (fault && this.translated && !this.ahead) this.put(this.desk.text);
    this.mark(fault);
  }

  /**
   * Marks the character at which a level is invalid, and shows the error.
   * @param {Fault | null} fault
   */
  mark(fault) {
    const lines = this.area.value.split('\n');
    const { line = 0, column = 0 } = fault ?? {};
    this.problem.textContent = fault ? located(fault) : '';
    this.area.setAttribute('aria-invalid', String(fault !== null));
    if (!fault || line < 1 || line > lines.length) return fill(this.marks);
    const before = lines.slice(0, line - 1).join('\n') + (line > 1 ? '\n' : '');
    const text = [...lines[line - 1]];
    const from = column > 0 ? column - 1 : 0;
    const marked = (column > 0 ? text[from] : text.join('')) || ' ';
    fill(this.marks, before, text.slice(0, from).join(''), h('mark', null, marked));
    this.followScroll();
  }

  followScroll() {
    this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }

  close() {
    clearTimeout(this.pause);
    this.turn += 1;
  }
}
