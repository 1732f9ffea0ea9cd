// The solve page: boards that games bring for solvers, analysis and puzzles.

import { fill, h, tabs } from './dom.js';
import { moduleOf, styledModuleOf } from './modules.js';
import { games } from './net.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').SolveBoard} SolveBoard */

/** Every board with its game, in the order of the games. @returns {Promise<(SolveBoard & { game: GameInfo })[]>} */
async function allBoards() {
  const modules = (await games()).map(async (game) => ({ game, boards: (await moduleOf(game)).boards ?? [] }));
  return (await Promise.all(modules)).flatMap(({ game, boards }) => boards.map((board) => ({ ...board, game })));
}

/**
 * `#/solve/BOARD`.
 * @param {HTMLElement} root
 * @param {import('./types').RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const boards = await allBoards();
  const chosen = boards.find((board) => board.name === params.path[0]) ?? boards[0];
  if (!chosen) {
    fill(root, h('p', { class: 'panel' }, 'None of the games has a board to solve positions on.'));
    return () => {};
  }
  const place = h('div');
  const items = boards.map(({ name, text }) => ({ name, text, href: `#/solve/${name}` }));
  fill(
    root,
    h(
      'div',
      { class: 'edit-head' },
      h('h1', { class: 'hidden-text' }, 'Solve'),
      tabs(items, chosen.name, null, 'Boards'),
    ),
    place,
  );
  await styledModuleOf(chosen.game);
  return (await chosen.load()).mount(place, chosen.game, params);
}
