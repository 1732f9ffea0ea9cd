// The bar that says that the connection to the server is interrupted.

import { h } from './dom.js';

/** Sessions that wait for the server. @type {Set<object>} */
const waiting = new Set();
/** @type {HTMLElement | null} */
let bar = null;

/**
 * Notes that a session waits for the server, or no longer does.
 * @param {object} session
 * @param {boolean} waits
 */
export function interrupted(session, waits) {
  if (waits) waiting.add(session);
  else waiting.delete(session);
  if (waits && !bar) {
    bar = h('div', { class: 'connection', role: 'status' }, 'Connection lost. Reconnecting…');
    document.body.append(bar);
  }
  if (bar) bar.hidden = waiting.size === 0;
}
