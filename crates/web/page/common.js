// Small pieces that several pages share: complaints, dropped files, the focus, panels with a heading, undo and redo.

import { button, h, toast } from './dom.js';

/** @param {unknown} error */
export function complain(error) {
  toast(error instanceof Error ? error.message : String(error), 'bad');
}

/**
 * Lets files be dropped on an element.
 * @param {HTMLElement} element
 * @param {(file: File) => Promise<unknown>} take
 */
export function acceptDrops(element, take) {
  const dropping = (/** @type {DragEvent} */ event, /** @type {boolean} */ over) => {
    event.preventDefault();
    element.classList.toggle('dropping', over);
  };
  element.addEventListener('dragover', (event) => dropping(event, true));
  element.addEventListener('dragleave', (event) => dropping(event, false));
  element.addEventListener('drop', (event) => {
    dropping(event, false);
    const file = event.dataTransfer?.files[0];
    if (file) take(file).catch(complain);
  });
}

/**
 * Builds the content of an element anew; the control that has the focus keeps it, or the one that took its place gets it.
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
