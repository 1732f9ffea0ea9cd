// Nothing is lost: games and drafts survive reloads, detours and a restarted server; quick keys and fingers mean what was meant.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, pageTests, startBrowser, startServer } from './harness.mjs';

const pageTest = pageTests();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const POCKET = '#/play/pacman?level=damier/pocket&seed=1';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
async function moment(page) {
  return Number(await page.locator('#board').getAttribute('data-moment'));
}

/** @param {Page} page @param {number} n */
async function waitForMoment(page, n) {
  await page.waitForFunction((at) => Number(document.querySelector('#board')?.getAttribute('data-moment')) >= at, n);
}

/** Plays these keys at once, without waiting for the board. @param {Page} page @param {string[]} keys */
async function typeQuickly(page, keys) {
  await page.locator('.fact').first().waitFor();
  await page.getByLabel('turns wait for me').check();
  for (const key of keys) await page.keyboard.press(key);
}

const SIX = ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight'];

pageTest('keys typed quickly are all taken, one after the other', async ({ page, open }) => {
  await open(POCKET);
  await typeQuickly(page, SIX);
  const timeline = page.getByLabel('Moments of the game');
  await page.waitForFunction((slider) => slider?.getAttribute('max') === '6', await timeline.elementHandle());
});

pageTest('letters move by their place on the keyboard, and Enter plays again', async ({ page, open }) => {
  await open(POCKET);
  await page.locator('.fact').first().waitFor();
  await page.getByLabel('turns wait for me').check();
  // The key D of a French keyboard lies where it does elsewhere; its Q lies where others have A.
  await page.evaluate(() => {
    for (const [key, code] of [
      ['d', 'KeyD'],
      ['q', 'KeyA'],
    ])
      for (const type of ['keydown', 'keyup']) dispatchEvent(new KeyboardEvent(type, { key, code, cancelable: true }));
  });
  const timeline = page.getByLabel('Moments of the game');
  await page.waitForFunction((slider) => slider?.getAttribute('max') === '2', await timeline.elementHandle());
  await page.getByLabel('turns wait for me').uncheck();
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-result]').waitFor({ timeout: 60_000 });
  await page.keyboard.press('Enter');
  await page.locator('.result').waitFor({ state: 'hidden' });
  assert.equal(await moment(page), 0);
});

pageTest('a game survives a reload and a detour', async ({ page, open }) => {
  await open(POCKET);
  await typeQuickly(page, SIX.slice(0, 3));
  await page.waitForTimeout(1200);
  const played = await moment(page);
  assert.ok(played >= 3);
  await page.reload();
  await waitForMoment(page, played);
  assert.ok(await page.getByLabel('turns wait for me').isChecked(), 'the chosen pace is kept, too');
  await page.getByRole('link', { name: 'Watch', exact: true }).click();
  await page.waitForURL(/#\/watch/);
  await page.goBack();
  await waitForMoment(page, played);
  await page.goto(new URL('#/', page.url()).href);
  await page.locator('[aria-label="Your games"] a').click();
  await waitForMoment(page, played);
});

/** Waits until the editor's text contains this. @param {Page} page @param {string} part */
async function waitForText(page, part) {
  await page.waitForFunction((wanted) => document.querySelector('textarea')?.value.includes(wanted), part);
}

pageTest('a draft survives playing it, a reload and another game', async ({ page, open }) => {
  await open('#/edit/pacman');
  const drawn = '#######\n#P....#\n#.###.#\n#..o.1#\n#######\n';
  await page.locator('textarea').first().fill(drawn);
  await page.waitForTimeout(800);
  await page.getByRole('button', { name: 'Play this' }).click();
  await page.locator('#board').waitFor();
  await page.goBack();
  await waitForText(page, '#P....#');
  await page.reload();
  await waitForText(page, '#..o.1#');
  await page.goto(new URL('#/edit/siam', page.url()).href);
  await page.goBack();
  await waitForText(page, '#..o.1#');
});

pageTest('a page that is ready late does not replace a later one', async ({ page, open }) => {
  await open('#/edit/pacman');
  await waitForText(page, '#');
  let answered = false;
  await page.route('**/api/levels/open', async (route) => {
    if (!route.request().postData()?.includes('"siam"')) return route.continue();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
    answered = true;
  });
  await page.goto(new URL('#/edit/siam', page.url()).href);
  await page.waitForRequest((request) => request.postData()?.includes('"siam"') ?? false);
  await page.goBack();
  while (!answered) await page.waitForTimeout(50);
  await page.waitForTimeout(500);
  assert.match(await page.locator('textarea').inputValue(), /#/);
});

pageTest(
  'a swipe means its direction, wherever it begins',
  async ({ page, open }) => {
    await open(POCKET);
    await page.locator('.fact').first().waitFor();
    await page.getByLabel('turns wait for me').check();
    await page.locator('#board canvas').scrollIntoViewIfNeeded();
    const box = await page.locator('#board canvas').boundingBox();
    assert.ok(box);
    const sent = page.evaluate(
      () =>
        new Promise((resolve) => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (/** @type {any} */ data) {
            const message = JSON.parse(String(data));
            if (message.t === 'act') resolve(message.action);
            send.call(this, data);
          };
        }),
    );
    const client = await page.context().newCDPSession(page);
    const y = box.y + box.height / 2;
    const touch = (/** @type {string} */ type, /** @type {number} */ x) =>
      client.send(
        'Input.dispatchTouchEvent',
        /** @type {any} */ ({ type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] }),
      );
    // To the left of Pacman, where a tap would mean left.
    for (const x of [20, 60, 100]) await touch(x === 20 ? 'touchStart' : 'touchMove', box.x + x);
    await touch('touchEnd', 0);
    assert.equal(await sent, 'right');
  },
  PHONE,
);

pageTest(
  'a tap on SIAM chooses and does not move',
  async ({ page, open }) => {
    await open('#/play/siam');
    await page.getByRole('button', { name: 'Bring an elephant in' }).tap();
    await page.locator('#board canvas').scrollIntoViewIfNeeded();
    const box = await page.locator('#board canvas').boundingBox();
    assert.ok(box);
    const cell = box.width / 5.6;
    await page.touchscreen.tap(box.x + 1.8 * cell, box.y + 5.75 * cell);
    await page.locator('.rose').waitFor();
    assert.equal(await moment(page), 0);
  },
  PHONE,
);

test('a game goes on when its server was killed and started again', { timeout: 120_000 }, async () => {
  const browser = await startBrowser();
  let server = await startServer();
  const port = new URL(server.url).port;
  try {
    const { page } = await openPage(browser, server);
    await page.goto(server.url + POCKET);
    await typeQuickly(page, SIX.slice(0, 4));
    await page.waitForTimeout(1500);
    const played = await moment(page);
    assert.ok(played >= 4);
    await server.close();
    await page.locator('.connection').waitFor();
    await page.keyboard.press('ArrowLeft');
    server = await startServer([], port);
    await page.locator('.connection').waitFor({ state: 'hidden', timeout: 30_000 });
    await waitForMoment(page, played);
    await page.keyboard.press('ArrowRight');
    await waitForMoment(page, played + 1);
  } finally {
    await browser.close();
    await server.close();
  }
});
