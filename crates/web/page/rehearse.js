// A game that the page itself plays: to show a solution, or to try moves on an analysis board.

import { ApiError, openSession, post } from './net.js';

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Frame} Frame */

/** The timeout for one action, longer than any server needs. */
const ANSWER_LIMIT_MS = 20_000;

/** A game on the server in which the page plays the first seat. */
export class Rehearsal {
  /** @param {{ id: string, key: string }} session */
  constructor({ id, key }) {
    this.session = openSession(id, key);
  }

  /**
   * Starts a game on a level and waits until it is the page's turn.
   * @param {{ game: string, rules: string, text: string, seed?: number, seats: string[] }} game
   */
  static async begin({ game, rules, text, seed = 1, seats }) {
    const rehearsal = new Rehearsal(await post('/api/sessions', { game, rules, level: { text }, seed, seats }));
    await rehearsal.settled(0);
    return rehearsal;
  }

  /** The moments so far. */
  get frames() {
    return this.session.frames;
  }

  /** @param {number} n @returns {Picture | null} */
  picture(n) {
    return this.session.picture(n);
  }

  /**
   * Takes an action at a moment, which discards all later ones, and waits until it is the page's turn again.
   * @param {number} n
   * @param {string} action
   * @returns {Promise<number>} the number of the newest moment
   */
  async act(n, action) {
    const settled = this.settled(n + 1);
    this.session.act(n, action);
    return settled;
  }

  /**
   * Waits for a moment from `first` on at which a person is to move or the game is over.
   * @param {number} first
   * @returns {Promise<number>}
   */
  settled(first) {
    return new Promise((resolve, reject) => {
      const watch = new AbortController();
      const end = () => {
        watch.abort();
        clearTimeout(late);
      };
      const fail = (/** @type {string} */ text) => {
        end();
        reject(new ApiError(text, 0));
      };
      const late = setTimeout(() => fail('The server does not respond. Is it still running?'), ANSWER_LIMIT_MS);
      const { signal } = watch;
      this.session.addEventListener(
        'frame',
        (event) => {
          const n = /** @type {CustomEvent} */ (event).detail;
          const frame = this.frames[n];
          if (n < first || !(frame.human || frame.status.over)) return;
          end();
          resolve(n);
        },
        { signal },
      );
      this.session.addEventListener('complaint', (event) => fail(/** @type {CustomEvent} */ (event).detail.text), {
        signal,
      });
      this.session.addEventListener('lost', () => fail('The connection to the game is lost.'), { signal });
    });
  }

  close() {
    // The server would delete the game by itself, but only later.
    this.session.end();
  }
}
