// The first page: five games that play themselves, themes, and the way to everything else.

import assert from 'node:assert/strict';
import { pageTests } from './harness.mjs';

const pageTest = pageTests();

const GAMES = ['pacman', 'ricochet', 'siam', 'loderunner', 'delirium'];

pageTest('every game has a card whose board moves by itself', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 1500 });
  await open('#/');
  for (const game of GAMES) {
    const canvas = page.locator(`[data-game="${game}"] canvas`);
    await canvas.waitFor();
    const look = () => canvas.evaluate((element) => /** @type {HTMLCanvasElement} */ (element).toDataURL());
    const before = await look();
    for (let tries = 0; (await look()) === before; tries += 1) {
      assert.ok(tries < 100, `nothing moves on the board of ${game}`);
      await page.waitForTimeout(100);
    }
    assert.equal(
      await page.locator(`[data-game="${game}"]`).getByRole('link', { name: 'Play', exact: true }).getAttribute('href'),
      `#/play/${game}`,
    );
  }
});

pageTest(
  'the theme can be changed and is kept',
  async ({ page, open }) => {
    await open('#/');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    assert.equal(await paper(), dark);
  },
  { colorScheme: 'light' },
);

pageTest('the page can soon be used', async ({ page, open }) => {
  const started = performance.now();
  await open('#/');
  await page.getByRole('link', { name: 'Play', exact: true }).nth(1).waitFor();
  const took = performance.now() - started;
  console.log(`interactive after ${took.toFixed(0)} ms`);
  assert.ok(took < 5000, `${took} ms`);
});

pageTest('sound is off until it is turned on', async ({ page, open }) => {
  await open('#/');
  const sound = page.getByRole('button', { name: 'Sound' });
  assert.equal(await sound.getAttribute('aria-pressed'), 'false');
  await sound.click();
  assert.equal(await sound.getAttribute('aria-pressed'), 'true');
});

pageTest(
  'a phone shows one column without scrolling sideways',
  async ({ page, open }) => {
    for (const route of ['#/', ...GAMES.flatMap((game) => [`#/play/${game}`, `#/watch/${game}`])]) {
      await open(route);
      await page.locator('canvas').first().waitFor();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(overflow <= 0, `${route} is ${overflow} pixels too wide`);
    }
  },
  { viewport: { width: 390, height: 844 } },
);
