// Helpers that several pages share: error messages, dropped files, replays, focus, panels, undo and redo.

import { button, h, toast } from './dom.js';
import { post } from './net.js';

/** Shows an error as a toast. @param {unknown} error */
export function showError(error) {
  toast(error instanceof Error ? error.message : String(error), 'bad');
}

/**
 * Accepts files dropped on an element, or on a larger area that it stands for. Returns how to stop.
 * @param {HTMLElement} element highlighted while a file is over the area
 * @param {(file: File) => Promise<unknown>} take
 * @param {GlobalEventHandlers} [area]
 * @returns {() => void}
 */
export function acceptDrops(element, take, area = element) {
  const listening = new AbortController();
  const { signal } = listening;
  const dropping = (/** @type {DragEvent} */ event, /** @type {boolean} */ over) => {
    event.preventDefault();
    element.classList.toggle('dropping', over);
  };
  area.addEventListener('dragover', (event) => dropping(event, true), { signal });
  area.addEventListener('dragleave', (event) => dropping(event, false), { signal });
  const drop = (/** @type {DragEvent} */ event) => {
    dropping(event, false);
    const file = event.dataTransfer?.files[0];
    if (file) take(file).catch(showError);
  };
  area.addEventListener('drop', drop, { signal });
  return () => {
    listening.abort();
    element.classList.remove('dropping');
  };
}

/** Uploads a replay file and shows it. @param {File} file */
export async function openReplay(file) {
  const { id } = await post('/api/replays', file);
  location.hash = `#/replay/${id}`;
}

/**
 * Rebuilds the content of an element. If one of its controls had the focus, the control at the same position gets it.
 * @param {HTMLElement} element
 * @param {() => void} rebuild
 */
export function keepingFocus(element, rebuild) {
  const controls = () => /** @type {HTMLElement[]} */ ([...element.querySelectorAll('button, input, select, a')]);
  const index = controls().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  rebuild();
  if (index >= 0) controls()[index]?.focus();
}

/**
 * A panel with a heading.
 * @param {string} title
 * @param {...(import('./dom.js').Child | import('./dom.js').Child[])} children
 */
export function panel(title, ...children) {
  return h('section', { class: 'panel', 'aria-label': title }, h('h2', null, title), ...children);
}

/** @param {import('./edit-desk.js').Desk} desk */
export function undoButtons(desk) {
  return [
    button('↶', () => desk.undo(), { class: 'icon', title: 'Undo (Ctrl+Z)', 'aria-label': 'Undo' }),
    button('↷', () => desk.redo(), { class: 'icon', title: 'Redo (Ctrl+Y)', 'aria-label': 'Redo' }),
  ];
}
