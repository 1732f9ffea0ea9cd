// What moved between two pictures, and how boards answer to clicks and keys.

import assert from 'node:assert/strict';
import { pageTests } from './harness.mjs';

const pageTest = pageTests();

/** @typedef {import('playwright-core').Page} Page */

/**
 * The ways of loose tiles between two caves drawn with `r` rock, `d` diamond and `.` nothing.
 * @param {Page} page
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Promise<string[]>}
 */
function tileWays(page, before, after) {
  return page.evaluate(
    async ([from, to]) => {
      const address = '/page/motion.js';
      const { matchTiles } = await import(address);
      const sprites = ['empty', 'rock', 'diamond'].map((name) => ({ name, unicode: '', colour: 'plain' }));
      const picture = (/** @type {string[]} */ rows) => ({
        size: [rows[0].length, rows.length],
        sprites,
        tiles: [...rows.join('')].map((letter) => '.rd'.indexOf(letter)),
        pieces: [],
        walls: [],
        labels: [],
      });
      const movers = matchTiles(picture(from), picture(to), new Set(['rock', 'diamond']), new Set());
      return movers
        .map(
          (/** @type {import('../../page/motion').Mover} */ mover) =>
            `${mover.sprite.name} ${mover.path.join(' ')} ${mover.kind}`,
        )
        .sort();
    },
    [before, after],
  );
}

pageTest('falling, rolling and pushed tiles are followed', async ({ page, open }) => {
  await open('#/');
  assert.deepEqual(await tileWays(page, ['r.', '..'], ['..', 'r.']), ['rock 0,0 0,1 fall']);
  assert.deepEqual(await tileWays(page, ['r', 'r', '.'], ['.', 'r', 'r']), ['rock 0,0 0,1 fall', 'rock 0,1 0,2 fall']);
  assert.deepEqual(await tileWays(page, ['r', 'd', '.'], ['.', 'r', 'd']), [
    'diamond 0,1 0,2 fall',
    'rock 0,0 0,1 fall',
  ]);
  assert.deepEqual(await tileWays(page, ['r.', 'd.'], ['..', 'dr']), ['rock 0,0 1,1 slide']);
  assert.deepEqual(await tileWays(page, ['.r.'], ['..r']), ['rock 1,0 2,0 slide']);
  assert.deepEqual(await tileWays(page, ['d..', '...'], ['...', '...']), []);
  assert.deepEqual(await tileWays(page, ['d..', '...'], ['...', '..r']), []);
});

/**
 * The ways of SIAM's pieces for a move. Pieces are letters of the only row that is used: `M` and `N` are mountains, others elephants; the
 * letter is the piece's id.
 * @param {Page} page
 * @param {string} before
 * @param {string} after
 * @param {string} action
 * @returns {Promise<string[]>}
 */
function siamWays(page, before, after, action) {
  return page.evaluate(
    async ([from, to, move]) => {
      const [motion, drawing] = ['/page/motion.js', '/page/games/siam/look.js'];
      const { matchPieces } = await import(motion);
      const { look } = await import(drawing);
      const sprites = [
        { name: 'elephant', unicode: '', colour: 'cyan', facing: 'east' },
        { name: 'mountain', unicode: '', colour: 'brown' },
      ];
      // The third row from the south: squares 31 to 35.
      const picture = (/** @type {string} */ row) => ({
        size: [5, 5],
        sprites,
        tiles: [],
        walls: [],
        labels: [],
        pieces: [...row].flatMap((letter, x) =>
          letter === '.' ? [] : [[letter.charCodeAt(0), x, 2, 'MN'.includes(letter) ? 1 : 0]],
        ),
      });
      const movers = matchPieces(picture(from), picture(to), look, move, new Map());
      return movers
        .map(
          (/** @type {import('../../page/motion').Mover} */ mover) =>
            `${mover.sprite.name} ${mover.path.map((at) => at[0]).join('>')}${mover.kind === 'gone' ? ' gone' : ''}`,
        )
        .sort();
    },
    [before, after, action],
  );
}

pageTest('a push moves the whole line, and what falls off leaves the board', async ({ page, open }) => {
  await open('#/');
  assert.deepEqual(await siamWays(page, 'AM...', '.AM..', '31-32e'), ['elephant 0>1', 'mountain 1>2']);
  assert.deepEqual(await siamWays(page, '.ABMN', '..ABM', '32-33e'), [
    'elephant 1>2',
    'elephant 2>3',
    'mountain 3>4',
    'mountain 4>5 gone',
  ]);
  assert.deepEqual(await siamWays(page, 'M....', 'AM...', '0-31e'), ['elephant -1>0', 'mountain 0>1']);
  assert.deepEqual(await siamWays(page, 'A....', '.....', '31-0'), ['elephant 0>-1 gone']);
});

pageTest('robots bounce off diagonals of other colours', async ({ page, open }) => {
  await open('#/');
  const corners = await page.evaluate(async () => {
    const address = '/page/games/ricochet/look.js';
    const { look } = await import(address);
    const sprites = [
      { name: 'floor', colour: 'dim' },
      { name: 'rising diagonal', colour: 'green' },
    ];
    const picture = { size: [3, 3], sprites, tiles: [0, 0, 0, 0, 0, 1, 0, 0, 0], pieces: [], walls: [], labels: [] };
    return [
      look.route(picture, { name: 'robot', colour: 'red' }, [0, 1], [2, 0]),
      look.route(picture, { name: 'robot', colour: 'red' }, [0, 0], [0, 2]),
    ];
  });
  assert.deepEqual(corners, [[[2, 1]], []]);
});
