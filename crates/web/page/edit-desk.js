// The level on the editor's desk: its text, its rules, its past, and everybody who wants to know when it changes.

import { get, post } from './net.js';
import { levelOf } from './share.js';
import { History } from './edit-text.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./net.js').ApiError} ApiError */
/** @typedef {'board' | 'text' | 'file' | 'history' | 'rules'} Origin */

/** Events: `change` (detail: where from), `typing` (the text is about to change), `fault` (what was typed is no level; detail: the error). */
export class Desk extends EventTarget {
  /**
   * @param {GameInfo} game
   * @param {string} rules
   * @param {string} text in the game's working format
   */
  constructor(game, rules, text) {
    super();
    this.game = game;
    this.rules = rules;
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
    this.tell('change', from);
  }

  /**
   * Puts another level on the desk, under the rules that it is meant for.
   * @param {string} text
   * @param {string} rules
   */
  load(text, rules) {
    this.rules = rules;
    this.history.push(text);
    this.tell('change', 'file');
  }

  /** @param {string} rules */
  setRules(rules) {
    this.rules = rules;
    this.tell('change', 'rules');
  }

  undo() {
    if (this.history.undo()) this.tell('change', 'history');
  }

  redo() {
    if (this.history.redo()) this.tell('change', 'history');
  }

  /** @param {ApiError} error */
  reject(error) {
    this.tell('fault', error);
  }

  /**
   * @param {'change' | 'typing' | 'fault'} name
   * @param {any} [detail]
   */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * @param {'change' | 'typing' | 'fault'} name
   * @param {(detail: any) => void} listener
   */
  on(name, listener) {
    this.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  }
}

/**
 * The format that the editor works in: rows of symbols where the game has brushes, else JSON.
 * @param {GameInfo} game
 */
export function workingFormat(game) {
  const names = game.formats.map((format) => format.name);
  const wanted = game.brushes.length === 0 ? 'json' : 'drawn';
  return names.includes(wanted) ? wanted : names[0];
}

/**
 * A level of any format in the working format.
 * @param {GameInfo} game
 * @param {string} rules
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function toWorkingFormat(game, rules, text) {
  const answer = await post('/api/levels/convert', { game: game.name, rules, text, to: workingFormat(game) });
  return answer.text;
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
 * A desk with the level that the address names, or the game's first one.
 * @param {GameInfo} game
 * @param {URLSearchParams} query
 */
export async function openDesk(game, query) {
  const level = (await levelOf(query)) ?? null;
  const named = level && 'name' in level ? level.name : null;
  const rules = rulesFor(game, query.get('rules'), named);
  const text = level && 'text' in level ? level.text : await shippedLevel(game, named ?? firstLevel(game, rules));
  try {
    return new Desk(game, rules, await toWorkingFormat(game, rules, text));
  } catch (error) {
    // A link may carry a level that is not well formed yet: it is shown as it is, with its error.
    if (level && 'text' in level && game.brushes.length > 0) return new Desk(game, rules, text);
    throw error;
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
  const shipped = game.packs.flatMap((pack) => pack.levels.map((entry) => ({ ...entry, full: `${pack.name}/${entry.name}` })));
  return shipped.find((entry) => entry.full === level)?.rules[0] ?? game.rules[0].name;
}
