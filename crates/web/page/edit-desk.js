// The level being edited: its text, its rules, its history and the server's answer about it.

import { styledModuleOf } from './modules.js';
import { get, post } from './net.js';
import { levelOf } from './share.js';
import { History } from './edit-text.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').GameModule} GameModule */
/** @typedef {import('./types').OpenedLevel} OpenedLevel */
/** @typedef {import('./net.js').ApiError} ApiError */
/** @typedef {'board' | 'text' | 'file' | 'history' | 'rules'} Origin */

/**
 * The level being edited. Events: `change` (detail: its origin), `opened` (the server has opened the level), `typing` (the text is about
 * to change), `fault` (the typed text is not a valid level; detail: the error).
 */
export class Desk extends EventTarget {
  /**
   * @param {GameInfo} game
   * @param {GameModule} module
   * @param {string} rules
   * @param {string} text in the game's working format
   * @param {OpenedLevel | null} [opened]
   */
  constructor(game, module, rules, text, opened = null) {
    super();
    this.game = game;
    this.module = module;
    this.rules = rules;
    /** The server's answer about the current level, once there is one. */
    this.opened = opened;
    this.history = new History(text);
  }

  get text() {
    return this.history.text;
  }

  /**
   * @param {string} text
   * @param {Origin} from
   */
  change(text, from) {
    this.history.push(text);
    this.changed(from);
  }

  /**
   * Replaces the level with one that the server has opened.
   * @param {OpenedLevel} opened
   * @param {Origin} [from]
   */
  load(opened, from = 'file') {
    this.rules = opened.rules;
    this.history.push(opened.text);
    this.changed(from, opened);
  }

  /** @param {string} rules */
  setRules(rules) {
    this.rules = rules;
    this.changed('rules');
  }

  undo() {
    if (this.history.undo()) this.changed('history');
  }

  redo() {
    if (this.history.redo()) this.changed('history');
  }

  /**
   * @param {Origin} from
   * @param {OpenedLevel | null} [opened]
   */
  changed(from, opened = null) {
    this.opened = opened;
    this.emit('change', from);
  }

  /** Asks the server to open a text in any format of the game. @param {string} text @param {string} [rules] */
  open(text, rules = this.rules) {
    return openLevel(this.game, this.module, rules, text);
  }

  /** Asks the server to open the current level, unless it has done so already. @returns {Promise<OpenedLevel>} */
  async openHere() {
    if (this.opened) return this.opened;
    const { text, rules } = this;
    const opened = await this.open(text);
    if (text === this.text && rules === this.rules) {
      this.opened = opened;
      this.emit('opened', opened);
    }
    return opened;
  }

  /** @param {ApiError} error */
  reject(error) {
    this.emit('fault', error);
  }

  /**
   * @param {'change' | 'opened' | 'typing' | 'fault'} name
   * @param {any} [detail]
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * @param {'change' | 'opened' | 'typing' | 'fault'} name
   * @param {(detail: any) => void} listener
   */
  on(name, listener) {
    this.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  }
}

/**
 * The format that the editor works in: the one that the game's own editor names, else rows of symbols if the game has brushes, else its
 * first format.
 * @param {GameInfo} game
 * @param {GameModule} module
 */
function workingFormat({ formats, brushes }, { editor }) {
  const wanted = editor?.format ?? (brushes.length > 0 ? 'drawn' : formats[0].name);
  return formats.some(({ name }) => name === wanted) ? wanted : formats[0].name;
}

/**
 * Asks the server to open a text in any format: one response has the level in the working format, its picture and all the editor shows.
 * @param {GameInfo} game
 * @param {GameModule} module
 * @param {string} rules
 * @param {string} text
 * @returns {Promise<OpenedLevel>}
 */
function openLevel(game, module, rules, text) {
  return post('/api/levels/open', {
    game: game.name,
    rules,
    text,
    format: workingFormat(game, module),
    shown: module.editor?.shown,
  });
}

/**
 * The text of a shipped level.
 * @param {GameInfo} game
 * @param {string} name `pack/name`
 * @returns {Promise<string>}
 */
export async function shippedLevel(game, name) {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return (await get(`/api/games/${game.name}/levels/${path}`)).text;
}

/**
 * Opens the level in the address, or the draft, or the game's first level.
 * @param {GameInfo} game
 * @param {URLSearchParams} query
 * @param {import('./kept').Draft | null} [kept] the draft that was left on the desk
 * @returns {Promise<Desk>}
 */
export async function openDesk(game, query, kept = null) {
  const asked = await levelOf(query);
  const draft = asked ? null : kept;
  const level = asked ?? draft;
  const named = level && 'name' in level ? level.name : null;
  const rules = rulesFor(game, draft?.rules ?? query.get('rules'), named);
  const text = level && 'text' in level ? level.text : await shippedLevel(game, named ?? firstLevel(game, rules));
  const module = await styledModuleOf(game);
  try {
    const opened = await openLevel(game, module, rules, text);
    return new Desk(game, module, rules, opened.text, opened);
  } catch (error) {
    // A link or a draft may contain an invalid level: it is shown as it is, with its error.
    if (level && 'text' in level && !module.editor) return new Desk(game, module, rules, text);
    if (!draft) throw error;
    return openDesk(game, query);
  }
}

/**
 * @param {GameInfo} game
 * @param {string} rules
 */
export function firstLevel(game, rules) {
  return game.default_level[rules] ?? `${game.packs[0].name}/${game.packs[0].levels[0].name}`;
}

/**
 * @param {GameInfo} game
 * @param {string | null} wanted
 * @param {string | null} level
 */
function rulesFor(game, wanted, level) {
  const named = game.rules.find((rules) => rules.name === wanted);
  if (named) return named.name;
  const shipped = game.packs.flatMap((pack) =>
    pack.levels.map((entry) => ({ ...entry, full: `${pack.name}/${entry.name}` })),
  );
  return shipped.find((entry) => entry.full === level)?.rules[0] ?? game.rules[0].name;
}
