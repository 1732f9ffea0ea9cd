// Games that bring no module: the page draws their sprites and plays them by their keys.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pageTests, program } from './harness.mjs';

const pageTest = pageTests();

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../../page/types').GameInfo} GameInfo */

/**
 * Lets the page believe that no game has a module.
 * @param {Page} page
 * @param {Partial<GameInfo>} [otherwise] what else is different
 */
async function withoutModules(page, otherwise = {}) {
  await page.route('**/api/games', async (route) => {
    const response = await route.fetch();
    /** @type {GameInfo[]} */
    const games = await response.json();
    await route.fulfill({ response, json: games.map((game) => ({ ...game, page: [], ...otherwise })) });
  });
  page.on('request', (request) => assert.ok(!request.url().includes('/page/games/'), request.url()));
}

/** @param {string} game @param {string} level @returns {string[]} */
function planFor(game, level) {
  return JSON.parse(execFileSync(program(), ['solve', game, level, '--seed', '1', '--json'], { encoding: 'utf8' }))
    .plan;
}

/** @param {Page} page @param {() => Promise<unknown>} act */
async function afterMoment(page, act) {
  const before = Number(await page.locator('#board').getAttribute('data-moment'));
  await act();
  await page.waitForFunction((n) => Number(document.querySelector('#board')?.getAttribute('data-moment')) > n, before);
}

/** How many colours a board shows. @param {Page} page */
function colours(page) {
  return page
    .locator('canvas')
    .first()
    .evaluate((element) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element);
      const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      return new Set(new Uint32Array(data.buffer)).size;
    });
}

pageTest('is won by the keyboard', async ({ page, open }) => {
  await withoutModules(page);
  await open('#/play/delirium?level=damier/first-steps&seed=1');
  await page.getByLabel('turns wait for me').check();
  assert.ok((await colours(page)) > 5);
  for (const action of planFor('delirium', 'damier/first-steps')) {
    const key = { up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' }[action] ?? ' ';
    await afterMoment(page, () => page.keyboard.press(key));
  }
  await page.locator('[data-result="win"]').waitFor();
});

pageTest('is played with a piece chosen by its key', async ({ page, open }) => {
  await withoutModules(page);
  await open('#/play/ricochet?level=missions/01&seed=1');
  await page.locator('[data-piece]').first().waitFor();
  for (const action of planFor('ricochet', 'missions/01')) {
    const [piece, way] = action.split(' ');
    await page.keyboard.press(piece[0]);
    assert.equal(await page.locator(`[data-piece="${piece}"]`).getAttribute('aria-pressed'), 'true');
    await afterMoment(page, () =>
      page.keyboard.press({ north: 'ArrowUp', south: 'ArrowDown', west: 'ArrowLeft', east: 'ArrowRight' }[way] ?? ''),
    );
  }
  await page.locator('[data-result="win"]').waitFor();
});

pageTest('is watched', async ({ page, open }) => {
  await withoutModules(page);
  await open('#/watch/delirium?level=damier/first-steps&seats=best&seed=1');
  await page.waitForFunction(
    () => Number(document.querySelector('.timeline output')?.textContent?.split('/')[1]) >= 15,
  );
  assert.ok((await colours(page)) > 5);
});

pageTest('is edited with its brushes, or as text where it has none', async ({ page, open }) => {
  await withoutModules(page);
  const cave = '######\n#P.dX#\n######\n';
  const verdict = (/** @type {string} */ name) => page.locator(`.verdict[data-verdict="${name}"]`).waitFor();
  await open('#/edit/delirium');
  await page.getByRole('radio', { name: 'rock' }).waitFor();
  await withoutModules(page, { brushes: [] });
  await open('#/edit/delirium');
  await page.getByLabel('The level as text').fill(cave);
  await verdict('solved');
  await page
    .getByLabel(/6 by 3/)
    .first()
    .waitFor();
  assert.equal(await page.getByRole('radio').count(), 0);
  await page.getByLabel('The level as text').fill(cave.replace('.', '?'));
  await verdict('fault');
  assert.equal(await page.locator('.text-pane mark').textContent(), '?');
});

pageTest('has its place on the first page and in the arena', async ({ page, open }) => {
  await withoutModules(page);
  await open('#/');
  await page.locator('[data-game="delirium"] canvas').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Solve', exact: true }).count(), 1, 'only the one of the header');
  await open('#/solve');
  await page.getByText('None of the games').waitFor();
  await open('#/arena');
  await page.locator('[data-field="game"]').selectOption('delirium');
});
