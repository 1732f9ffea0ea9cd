// The level editor.

import { button, fill, h } from './dom.js';
import { openDesk } from './edit-desk.js';
import { deskBar, importLevel } from './edit-files.js';
import { GridEditor } from './edit-grid.js';
import { TextEditor } from './edit-plain.js';
import { TextPane } from './edit-pane.js';
import { Stage } from './edit-show.js';
import { SEED, Verdict } from './edit-verdict.js';
import { draftOf, keepDraft } from './kept.js';
import { gameNamed, games } from './net.js';
import { acceptDrops } from './common.js';
import { gameTabs } from './setup.js';
import { levelRoute } from './share.js';

/** @typedef {import('./edit-desk.js').Desk} Desk */
/** @typedef {import('./types').Editor} Editor */

/**
 * @param {HTMLElement} root
 * @param {import('./types').RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const game = await gameNamed(params.path[0]);
  const desk = await openDesk(game, params.query, draftOf(game.name));
  desk.on('change', () => {
    keepDraft(game.name, { rules: desk.rules, text: desk.text });
    // A level in the address would win over its changed draft when one comes back.
    history.replaceState(null, '', `#/edit/${game.name}`);
  });
  const workshop = new Workshop(desk, await editorFor(desk));
  fill(root, await heading(desk), workshop.element);
  return () => workshop.close();
}

/** @param {Desk} desk */
async function heading(desk) {
  const { game } = desk;
  return h(
    'div',
    { class: 'edit-head' },
    h('h1', { class: 'hidden-text' }, `Edit a level of ${game.title}`),
    gameTabs('edit', await games(), game.name),
    deskBar(desk, 'edit'),
  );
}

/** The game's own editor, else a board to paint on, else the text alone. @param {Desk} desk @returns {Promise<Editor>} */
async function editorFor(desk) {
  const { editor, grid } = desk.module;
  if (editor) return editor.open(desk);
  return desk.game.brushes.length > 0 ? new GridEditor(desk, await grid?.()) : new TextEditor(desk);
}

/** Connects the board, the verdict and the text of one level. */
class Workshop {
  /**
   * @param {Desk} desk
   * @param {Editor} editor
   */
  constructor(desk, editor) {
    this.desk = desk;
    this.editor = editor;
    this.pane = new TextPane(desk);
    this.verdict = new Verdict(desk, {
      opened: (opened) => {
        if (!this.stage.show) this.editor.setPicture(opened.picture);
        this.players = opened.players;
      },
      fault: (fault) => this.showFault(fault),
      marks: (marks) => this.editor.mark(marks),
      plan: (plan) => this.perform(plan),
    });
    this.players = 1;
    this.stage = new Stage(this.editor);
    this.element = h(
      'div',
      { class: 'workshop' },
      h('div', { class: 'stack' }, this.editor.element, this.stage.element),
      h('aside', { class: 'stack' }, this.verdict.element, this.tryButtons(), this.pane.element),
    );
    this.keys = new AbortController();
    addEventListener('keydown', (event) => this.key(event), { signal: this.keys.signal });
    acceptDrops(this.element, async (file) => importLevel(desk, await file.text()));
  }

  /** Buttons that play or watch the level. */
  tryButtons() {
    const go = async (/** @type {string} */ page) => {
      location.hash = await levelRoute(page, this.desk.game.name, {
        text: this.desk.text,
        rules: this.desk.rules,
        seed: SEED,
      });
    };
    return h(
      'div',
      { class: 'row go-on' },
      button('Play this', () => go('play')),
      button('Watch the AI', () => go('watch')),
    );
  }

  /** @param {import('./edit-verdict.js').Fault | null} fault */
  showFault(fault) {
    this.pane.showFault(fault);
    this.editor.mark(fault?.line && fault.column ? this.editor.markOf(fault.line, fault.column) : []);
  }

  /** @param {string[]} plan */
  perform(plan) {
    // The solver assumes the opponents of the original programs.
    const seats = Array.from({ length: this.players }, (_, seat) => (seat === 0 ? 'human' : 'original'));
    this.stage.perform(plan, seats, SEED);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (typing || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.desk.undo();
    else if (key === 'y' || key === 'z') this.desk.redo();
    else return;
    event.preventDefault();
  }

  close() {
    this.keys.abort();
    this.stage.end();
    this.verdict.close();
    this.pane.close();
    this.editor.close();
  }
}
