// Watching agents, scrubbing through time, two agents side by side, live games and replays.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pageTests, program } from './harness.mjs';

const pageTest = pageTests();

/** @typedef {import('playwright-core').Page} Page */

/** The turn on the timeline and the last one known. @param {Page} page */
async function turn(page) {
  const [at, last] = (await page.locator('.timeline output').innerText()).split('/').map(Number);
  return { at, last };
}

/**
 * @param {Page} page
 * @param {number} least
 */
async function waitForLast(page, least) {
  await page.waitForFunction(
    (n) => Number(document.querySelector('.timeline output')?.textContent?.split('/')[1]) >= n,
    least,
  );
}

/** What the board shows, as a short number. @param {Page} page */
async function picture(page) {
  const url = await page
    .locator('.board-host canvas')
    .first()
    .evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
  return createHash('sha256').update(url).digest('hex').slice(0, 16);
}

pageTest('an agent is watched, its thoughts are shown, and time is scrubbed', async ({ page, open }) => {
  await open('#/watch/delirium?level=damier/first-steps&seats=best&seed=1');
  await waitForLast(page, 15);
  await page.getByRole('button', { name: 'To the end' }).click();
  assert.equal((await turn(page)).at, (await turn(page)).last);
  await page.getByText('exit open').waitFor();
  await page.locator('.timeline input').fill('0');
  assert.equal((await turn(page)).at, 0);
  const start = await picture(page);
  assert.match(await page.locator('section[aria-label="Glass box"]').innerText(), /best plays/);
  await page.locator('body').press('ArrowRight');
  assert.equal((await turn(page)).at, 1);
  await page.waitForTimeout(700);
  assert.notEqual(await picture(page), start);
  await page.locator('body').press('Home');
  await page.waitForTimeout(100);
  assert.equal(await picture(page), start);
  await page.locator('body').press('End');
  assert.equal((await turn(page)).at, (await turn(page)).last);
  await page.locator('body').press(' ');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  const stopped = await turn(page);
  await page.waitForTimeout(400);
  assert.deepEqual(await turn(page), stopped);
});

pageTest('strikes of an agent are shown with their reason', async ({ page, open }) => {
  await open('#/');
  const shown = await page.evaluate(async () => {
    const address = '/page/glass.js';
    const { GlassBox } = await import(address);
    const box = new GlassBox('Agent');
    box.show(
      {
        seat: 0,
        action: 'left',
        us: 1,
        insight: {},
        warnings: [{ code: 'illegal', detail: 'bomb_left: (3,8) is not floor' }],
      },
      'mine',
    );
    return box.element.querySelector('.note.warn').textContent;
  });
  assert.equal(shown, 'illegal: bomb_left: (3,8) is not floor');
});

pageTest('two agents play the same level side by side on one timeline', async ({ page, open }) => {
  await open('#/watch/loderunner?level=course/first-steps&seats=best&rival=original&seed=1');
  await waitForLast(page, 30);
  assert.equal(await page.locator('.twins canvas').count(), 2);
  await page.locator('.timeline input').fill('20');
  const captions = await page.locator('figcaption').allInnerTexts();
  assert.match(captions[0], /^best/);
  assert.match(captions[1], /^original/);
  assert.equal(await page.locator('.glass').count(), 2);
  await page.locator('[data-choice="rival"]').selectOption('');
  await page.waitForFunction(() => document.querySelectorAll('.board-host canvas').length === 1);
});

pageTest('a running game is watched by somebody else', async ({ page, open, server }) => {
  await open('#/play/siam?seats=human,human&seed=1');
  const hint = page.locator('[data-do="hint"]:enabled');
  await hint.waitFor();
  const save = await page.getByRole('link', { name: 'Save the replay' }).getAttribute('href');
  const id = /sessions\/([^/]+)\//.exec(save ?? '')?.[1];
  const other = await page.context().newPage();
  await other.goto(`${server.url}#/watch/live/${id}`);
  await other.getByText('elephants to move').waitFor();
  await page.getByRole('button', { name: 'Bring an elephant in' }).click();
  await page.locator('#board canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.locator('[data-action="0-11n"]').click();
  await other.getByText('rhinos to move').waitFor();
});

pageTest('a replay is uploaded, scrubbed, and shows the log of its agents', async ({ page, open, server }) => {
  const folder = join(server.data, 'played');
  execFileSync(program(), [
    'run',
    'delirium',
    '--level',
    'damier/first-steps',
    '--agent',
    'original',
    '--replays',
    folder,
  ]);
  const [name] = readdirSync(folder);
  await open('#/');
  await page.locator('#replay-file').setInputFiles(join(folder, name));
  await page.waitForURL(/#\/replay\//);
  await waitForLast(page, 3);
  await page.locator('.timeline input').fill('2');
  assert.equal((await turn(page)).at, 2);
  assert.match(await page.locator('section[aria-label="Glass box"]').innerText(), /original plays/);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.locator('[data-do="review"]').click();
  await page.getByRole('heading', { name: 'Review' }).waitFor();
});
