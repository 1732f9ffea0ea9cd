// Boards to think at: proven solutions of Rasende Roboter, the SIAM engine, puzzles.

import assert from 'node:assert/strict';
import { arrowOf, parseMove, pointOf, sideOf, squareName } from '../../../../games/siam/page/notation.js';
import { elephantsShare, proofText, shortWorth } from '../../../../games/siam/page/words.js';
import { test } from 'node:test';
import { pageTests } from './harness.mjs';

const pageTest = pageTests();

pageTest('a mission has its proven length and all its shortest solutions', async ({ page, open }) => {
  await open('#/solve/ricochet?level=missions/05');
  const answer = page.getByRole('region', { name: 'Solution' });
  await answer.getByText('4 moves, proven').waitFor();
  assert.equal(await answer.locator('.plan').count(), 1);
  assert.equal(await answer.locator('.plan').getAttribute('aria-label'), 'red east, blue south, blue east, blue north');
});

pageTest('the solution changes with the board, and comes back with undo', async ({ page, open }) => {
  await open('#/solve/ricochet?level=missions/05');
  const answer = page.locator('.answers .answer');
  await answer.filter({ hasText: '4 moves, proven' }).waitFor();
  await page.locator('[data-field="target-robot"]').selectOption('yellow');
  await answer.filter({ hasText: '7 moves, proven' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await answer.filter({ hasText: '4 moves, proven' }).waitFor();
});

pageTest('a wall is built by clicking an edge, a robot goes where it is dragged', async ({ page, open }) => {
  await open('#/solve/ricochet?level=missions/05');
  await page.locator('.plan').first().waitFor();
  const mission = async () => {
    await page.getByRole('button', { name: 'Export…' }).click();
    const area = page.locator('textarea[data-format="json"]');
    await area.waitFor();
    const text = await area.inputValue();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    return JSON.parse(text);
  };
  const before = await mission();
  const [rx, ry] = before.robots.red;
  const free = [...Array(16).keys()].find(
    (x) =>
      before.walls[9 * 16 + x] === 0 &&
      before.walls[9 * 16 + x + 1] === 0 &&
      Object.values(before.robots).every((at) => at.join() !== `${x},9`),
  );
  assert.ok(free !== undefined);
  const at = async (/** @type {number} */ x, /** @type {number} */ y) =>
    page.evaluate(
      ([cx, cy]) => {
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.easel canvas'));
        const box = canvas.getBoundingClientRect();
        return /** @type {[number, number]} */ ([box.x + (cx * box.width) / 16, box.y + (cy * box.height) / 16]);
      },
      [x, y],
    );
  await page.mouse.click(...(await at(free + 0.97, 9.5)));
  assert.equal((await mission()).walls[9 * 16 + free], 2);
  await page.mouse.move(...(await at(rx + 0.5, ry + 0.5)));
  await page.mouse.down();
  await page.mouse.move(...(await at(free + 0.5, 9.5)), { steps: 5 });
  await page.mouse.up();
  assert.deepEqual((await mission()).robots.red, [free, 9]);
});

pageTest('a solution is stepped through, and goes on otherwise from its middle', async ({ page, open }) => {
  await open('#/solve/ricochet?level=missions/05');
  await page.locator('.plan').first().click();
  const show = page.getByRole('group', { name: 'Solution' });
  await show.locator('output').filter({ hasText: '4/4' }).waitFor();
  for (let step = 0; step < 2; step += 1) await show.getByRole('button', { name: 'One turn back' }).click();
  await show.locator('output').filter({ hasText: '2/4' }).waitFor();
  await show.getByRole('button', { name: 'What if' }).click();
  await page.locator('.answers .answer').filter({ hasText: '2 moves, proven' }).waitFor();
});

pageTest('the engine shows lines, proofs and plays on', async ({ page, open }) => {
  await open('#/solve/siam?level=puzzles/03');
  const engine = page.getByRole('region', { name: 'Engine' });
  await engine.getByText('Proven: the elephants win in 3 plies.').waitFor();
  await engine.locator('.lines li').first().getByRole('button', { name: '34-44n' }).click();
  await engine.getByText('Proven: the elephants win in 2 plies.').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await engine.getByText('Proven: the elephants win in 3 plies.').waitFor();
});

pageTest('a position is set up and analysed', async ({ page, open }) => {
  await open('#/solve/siam?level=puzzles/03');
  await page.getByRole('button', { name: 'Set up…' }).click();
  await page.getByRole('button', { name: 'Start position' }).click();
  await page.getByRole('button', { name: 'Analyse this' }).click();
  await page.getByRole('heading', { name: 'Elephants to move' }).waitFor();
  await page.locator('.lines li').first().waitFor();
  assert.equal(await page.locator('.proof').textContent(), '');
});

pageTest('a puzzle refuses a bad move, gives hints, and is solved', async ({ page, open }) => {
  await open('#/solve/puzzles/03');
  const note = page.getByRole('status').filter({ hasText: /./ }).first();
  await page.getByRole('button', { name: 'Hint' }).click();
  await note.filter({ hasText: 'Look at this animal.' }).waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await note.filter({ hasText: 'The move is 34-44n.' }).waitFor();
  await clickSquare(page, '25');
  await clickSquare(page, '15');
  await page.getByRole('button', { name: 'look south' }).click();
  await note.filter({ hasText: 'Try again' }).waitFor();
  for (const [from, to] of [
    ['34', '44'],
    ['44', '54'],
  ]) {
    await clickSquare(page, from);
    await clickSquare(page, to);
    await page.getByRole('button', { name: 'look north' }).click();
    await note.filter({ hasText: to === '54' ? /^Solved/ : 'Your move' }).waitFor();
  }
  await page.getByRole('link', { name: 'Puzzle 03, solved' }).waitFor();
  await page.getByRole('link', { name: 'Next puzzle' }).click();
  await page.getByRole('heading', { name: 'Puzzle 4' }).waitFor();
});

/**
 * Clicks a square of SIAM's board, which lies in the middle of its canvas with trays above and below.
 * @param {import('playwright-core').Page} page
 * @param {string} square
 */
async function clickSquare(page, square) {
  const [x, y] = await page.evaluate(
    ([column, row]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.move-table canvas'));
      const box = canvas.getBoundingClientRect();
      return [box.x + column * box.width, box.y + row * box.height];
    },
    [(Number(square[1]) - 0.2) / 5.6, (6.75 - Number(square[0])) / 7.5],
  );
  await page.mouse.click(x, y);
}

test('squares, moves and positions', () => {
  assert.deepEqual(pointOf('11'), [0, 4]);
  assert.deepEqual(pointOf('55'), [4, 0]);
  assert.deepEqual(arrowOf('12-13e', 'red'), { from: [1, 4], to: [2, 4], colour: 'red', label: undefined });
  assert.deepEqual(arrowOf('0-11n', 'red').to, [0, 3.7]);
  assert.deepEqual(arrowOf('11-0', 'red').from, [0, 4]);
  assert.equal(squareName([0, 4]), '11');
  assert.deepEqual(parseMove('12-13e'), { from: [1, 4], to: [2, 4], facing: 'east' });
  assert.deepEqual(parseMove('11-0'), { from: [0, 4], to: null, facing: null });
  assert.equal(parseMove('red north'), null);
  assert.equal(sideOf('....w/...../.M.../...../..... R 7'), 'R');
});

test('scores in words', () => {
  assert.equal(shortWorth(29_997, 'R'), 'R in 3');
  assert.equal(shortWorth(-29_996, 'R'), 'E in 4');
  assert.equal(shortWorth(200, 'R'), '−1.00');
  assert.equal(elephantsShare(0, 'E'), 0.5);
  assert.ok(elephantsShare(400, 'R') < 0.2);
  assert.equal(proofText('loss 4', 'E'), 'Proven: the rhinos win in 4 plies.');
  assert.equal(proofText('win 1', 'E'), 'Proven: the elephants win in 1 ply.');
});
