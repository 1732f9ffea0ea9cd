// Boards to think at: Rasende Roboter with its proven solutions, SIAM with its engine, and puzzles.

import { fill, h, tabs } from './dom.js';

/** @typedef {{ mount: (root: HTMLElement, params: import('./types').RouteParams) => Promise<import('./types').Unmount> }} Board */

/** @type {{ name: string, text: string, href: string, load: () => Promise<Board> }[]} */
const BOARDS = [
  { name: 'ricochet', text: 'Rasende Roboter', href: '#/solve/ricochet', load: () => import('./solve-ricochet.js') },
  { name: 'siam', text: 'SIAM analysis', href: '#/solve/siam', load: () => import('./solve-siam.js') },
  { name: 'puzzles', text: 'SIAM puzzles', href: '#/solve/puzzles', load: () => import('./solve-puzzle.js') },
];

/**
 * @param {HTMLElement} root
 * @param {import('./types').RouteParams} params
 */
export async function mount(root, params) {
  const chosen = BOARDS.find((board) => board.name === params.path[0]) ?? BOARDS[0];
  const place = h('div');
  fill(root, h('div', { class: 'edit-head' }, h('h1', { class: 'hidden-text' }, 'Solve'), tabs(BOARDS, chosen.name, null, 'Boards')), place);
  return (await chosen.load()).mount(place, params);
}
