// Maps keys, the on-screen pad and taps to actions of the game.

import { button, h } from './dom.js';

/** @typedef {import('./types').GameInfo} GameInfo */

/** @type {Record<string, string>} */
const NAMES = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
  Enter: 'enter',
};
/** @type {Record<string, string>} */
const SYMBOLS = { up: '▲', down: '▼', left: '◀', right: '▶' };

/** Letters that move as arrows do, by their place on the keyboard. @type {Record<string, string>} */
const LETTERS = { w: 'up', a: 'left', s: 'down', d: 'right' };

/**
 * The key as the game names it. A letter is known by its place, so that the keys lie alike on every keyboard: WASD is ZQSD in France.
 * @param {KeyboardEvent} event
 */
function keyName(event) {
  const [, letter] = /^Key([A-Z])$/.exec(event.code) ?? [];
  return NAMES[event.key] ?? (letter ?? event.key).toLowerCase();
}

/**
 * What is printed on the keys of letters, where the browser tells; nothing elsewhere.
 * @returns {Promise<Map<string, string>>}
 */
export async function keyLabels() {
  /** @type {any} */
  const { keyboard } = navigator;
  const layout = await keyboard?.getLayoutMap?.().catch(() => null);
  return new Map([...(layout ?? [])].map(([code, label]) => [code.replace(/^Key/, '').toLowerCase(), label]));
}

export class PlayKeys {
  /**
   * @param {GameInfo} game
   * @param {{onAction: () => void, onPiece: (piece: string) => void}} options
   */
  constructor(game, options) {
    this.game = game;
    this.options = options;
    this.actions = new Map(game.keys.map((binding) => [binding.key, binding.action]));
    this.pieces = new Map(game.pieces.map((binding) => [binding.key, binding.action]));
    const bound = new Set([...this.actions.keys(), ...this.pieces.keys()]);
    /** Letters that stand for another key. */
    this.aliases = new Map(Object.entries(LETTERS).filter(([letter]) => !bound.has(letter)));
    /** Keys that are down, the last one pressed at the end. @type {string[]} */
    this.held = [];
    /** A key that was pressed since the last turn: a short tap counts. @type {string | null} */
    this.tapped = null;
    this.onDown = (/** @type {KeyboardEvent} */ event) => this.down(event);
    this.onUp = (/** @type {KeyboardEvent} */ event) => this.up(event);
    this.onBlur = () => {
      this.held = [];
    };
    addEventListener('keydown', this.onDown);
    addEventListener('keyup', this.onUp);
    addEventListener('blur', this.onBlur);
  }

  /** @param {KeyboardEvent} event */
  down(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || busyElsewhere(event)) return;
    const key = this.keyOf(event);
    const piece = this.pieces.get(key);
    if (piece) return this.options.onPiece(piece);
    if (!this.actions.has(key)) return;
    event.preventDefault();
    this.press(key);
  }

  /** @param {KeyboardEvent} event */
  keyOf(event) {
    const name = keyName(event);
    return this.aliases.get(name) ?? name;
  }

  /** @param {KeyboardEvent} event */
  up(event) {
    const key = this.keyOf(event);
    // Some browsers activate the focused button when the key is released.
    if (this.held.includes(key)) event.preventDefault();
    this.release(key);
  }

  /** @param {string} key */
  press(key) {
    this.held = [...this.held.filter((one) => one !== key), key];
    this.tapped = key;
    this.options.onAction();
  }

  /** @param {string} key */
  release(key) {
    this.held = this.held.filter((one) => one !== key);
  }

  /** A key pressed and released at once. @param {string} key */
  tap(key) {
    this.press(key);
    this.release(key);
  }

  /** The action of this turn: that of a key tapped since the last turn, or held down. */
  take() {
    const key = this.tapped ?? this.held.at(-1);
    this.tapped = null;
    return key === undefined ? null : (this.actions.get(key) ?? null);
  }

  /**
   * Taps the arrow key that leads towards a tapped cell.
   * @param {number} dx
   * @param {number} dy
   */
  towards(dx, dy) {
    if (!dx && !dy) return;
    this.tap(Math.abs(dx) >= Math.abs(dy) ? (dx > 0 ? 'right' : 'left') : dy > 0 ? 'down' : 'up');
  }

  /** The on-screen pad: a cross of arrows and a button for every other key. */
  pad() {
    /** @param {string} name */
    const key = (name) => {
      const action = this.actions.get(name);
      if (!action) return h('span', { class: `pad-${name}` });
      const control = button(SYMBOLS[name] ?? action.replaceAll(/[-_]/g, ' '), () => {}, {
        class: `pad-${name}`,
        'aria-label': action,
        'data-key': name,
      });
      control.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        this.press(name);
      });
      for (const end of ['pointerup', 'pointerleave', 'pointercancel'])
        control.addEventListener(end, () => this.release(name));
      return control;
    };
    const others = [...this.actions.keys()].filter((name) => !SYMBOLS[name]);
    return h(
      'div',
      { class: 'pad', role: 'group', 'aria-label': 'Controls' },
      h('div', { class: 'cross' }, ['up', 'left', 'right', 'down'].map(key)),
      h('div', { class: 'others' }, others.map(key)),
    );
  }

  close() {
    removeEventListener('keydown', this.onDown);
    removeEventListener('keyup', this.onUp);
    removeEventListener('blur', this.onBlur);
  }
}

/** The control that the pointer pressed last. @type {Element | null} */
let clicked = null;
addEventListener(
  'pointerdown',
  ({ target }) => {
    const control = target instanceof Element ? target.closest('button, a, summary, input, label') : null;
    clicked = control instanceof HTMLLabelElement ? control.control : control;
  },
  true,
);
addEventListener(
  'keydown',
  ({ key }) => {
    if (key === 'Tab') clicked = null;
  },
  true,
);

/**
 * Whether a control needs this key itself. Fields keep their keys, sliders all but space. Buttons keep space and Enter, unless they got
 * the focus by a click: keys pressed after a click are meant for the game.
 * @param {KeyboardEvent} event
 */
export function busyElsewhere(event) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.matches('[type="range"]')) return event.key !== ' ';
  if (target?.closest('input:not([type="checkbox"]), select, textarea, dialog, [role="application"]')) return true;
  const control = target?.closest('button, a, summary, input') ?? null;
  return control !== null && control !== clicked && (event.key === ' ' || event.key === 'Enter');
}
