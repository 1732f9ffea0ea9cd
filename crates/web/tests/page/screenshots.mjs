// Pictures of every page, at desktop and phone size, in both themes: `DAMIER_BIN=… node screenshots.mjs FOLDER [PAGE…]`.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPage, startBrowser, startServer } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, route: string, ready?: (page: Page) => Promise<unknown> }} Shot */

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** Long enough for agents to be in the middle of something. */
const UNDER_WAY_MS = 2_500;

const verdict = (/** @type {Page} */ page) =>
  page.locator('.verdict[data-verdict]:not([data-verdict="checking"])').first().waitFor();
const under_way = (/** @type {Page} */ page) => page.waitForTimeout(UNDER_WAY_MS);

/** @type {Shot[]} */
const SHOTS = [
  { name: 'home', route: '#/', ready: under_way },
  ...['pacman', 'ricochet', 'siam', 'loderunner', 'delirium'].flatMap((game) => [
    { name: `play-${game}`, route: `#/play/${game}`, ready: under_way },
    { name: `watch-${game}`, route: `#/watch/${game}`, ready: under_way },
    { name: `edit-${game}`, route: `#/edit/${game}`, ready: verdict },
  ]),
  {
    name: 'edit-dialog',
    route: '#/edit/pacman',
    ready: async (page) => {
      await verdict(page);
      await page.getByRole('button', { name: 'Open…' }).click();
    },
  },
  {
    name: 'edit-fault',
    route: '#/edit/delirium',
    ready: async (page) => {
      await verdict(page);
      await page.getByLabel('The level as text').fill('; need: 1\n########\n#P.r.d?#\n#..r..X#\n########\n');
      await page.locator('.verdict[data-verdict="fault"]').waitFor();
    },
  },
  {
    name: 'solve-ricochet',
    route: '#/solve/ricochet?level=missions/05',
    ready: async (page) => {
      await page.locator('.plan').first().waitFor();
      await page.locator('[data-field="reach"]').selectOption('blue');
    },
  },
  {
    name: 'solve-siam',
    route: '#/solve/siam?level=puzzles/07',
    ready: (page) => page.locator('.lines li').first().waitFor(),
  },
  {
    name: 'solve-puzzles',
    route: '#/solve/puzzles/03',
    ready: (page) => page.getByRole('button', { name: 'Hint' }).waitFor(),
  },
  { name: 'arena', route: '#/arena', ready: (page) => page.getByRole('form').waitFor() },
  { name: 'arena-tournament', route: '#/arena/spring-cup', ready: (page) => page.locator('svg.plot').waitFor() },
  { name: 'api', route: '#/api', ready: (page) => page.locator('article').first().waitFor() },
];

/** A tournament to look at. @param {string} url */
async function playTournament(url) {
  const body = {
    name: 'spring-cup',
    format: 'round-robin',
    agents: ['level2', 'level1', 'sparring', 'original', 'random'],
    games: [{ game: 'siam', levels: ['start/start'] }],
    seeds: '1..4',
  };
  await fetch(`${url}api/tournaments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  for (let look = 0; look < 240; look += 1) {
    const { state } = await (await fetch(`${url}api/tournaments/spring-cup`)).json();
    if (state !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('name the folder for the pictures');
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([startServer(), startBrowser()]);
try {
  const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (shots.some(({ name }) => name.startsWith('arena'))) await playTournament(server.url);
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      for (const { name, route, ready } of shots) {
        const { page, context, problems } = await openPage(browser, server, {
          viewport,
          colorScheme,
          deviceScaleFactor: size === 'phone' ? 2 : 1,
          hasTouch: size === 'phone',
        });
        await page.goto(server.url + route);
        await ready?.(page).catch((error) => problems.push(error.message));
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
        for (const problem of problems) console.error(`${name} ${size} ${colorScheme}: ${problem}`);
        await context.close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
