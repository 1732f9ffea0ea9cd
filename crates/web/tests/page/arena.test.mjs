// The arena: a tournament from the form to its tables and replays.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pageTests } from './harness.mjs';

const pageTest = pageTests();

/**
 * Fills in the form and starts.
 * @param {import('playwright-core').Page} page
 * @param {{ name: string, game: string, level: string, agents: string[], seeds: number }} wanted
 */
async function startTournament(page, { name, game, level, agents, seeds }) {
  const form = page.getByRole('form', { name: 'New tournament' });
  await form.getByLabel('Name').fill(name);
  await form.locator('[data-field="game"]').selectOption(game);
  await form.locator('[data-field="levels"]').selectOption(level);
  for (const box of await form.getByRole('group', { name: 'Agents' }).getByRole('checkbox').all()) await box.uncheck();
  for (const agent of agents) await form.getByRole('checkbox', { name: agent, exact: true }).check();
  await form.getByLabel('Seeds per level').fill(String(seeds));
  await form.getByRole('button', { name: 'Start' }).click();
}

pageTest('a tournament is played to its end, and each of its games is a replay', async ({ page, open }) => {
  await open('#/arena');
  await startTournament(page, {
    name: 'small-cup',
    game: 'delirium',
    level: 'damier/first-steps',
    agents: ['original', 'random'],
    seeds: 2,
  });
  await page.getByRole('heading', { name: 'small-cup' }).waitFor();
  await page.locator('.tournament-head .badge', { hasText: 'done' }).waitFor();
  const standings = page.getByRole('region', { name: 'Standings' });
  assert.deepEqual(await standings.locator('tbody .agent').allTextContents(), ['original', 'random']);
  assert.match((await standings.textContent()) ?? '', /±/);
  const games = page.getByRole('region', { name: 'Games' });
  await games.getByText('1 to 4 of 4').waitFor();
  await games.getByLabel('Games of').selectOption('random');
  await games.getByText('1 to 2 of 2').waitFor();
  await games
    .getByRole('button', { name: /^Replay/ })
    .first()
    .click();
  await page.waitForURL(/#\/replay\//);
  await page.locator('canvas').first().waitFor();
});

pageTest(
  'a replay that is dropped or chosen is shown, anything else is refused',
  async ({ page, open, server, expectProblem }) => {
    expectProblem(/status of 4\d\d/);
    const answer = await fetch(`${server.url}api/tournaments/small-cup/games/0/replay?as=file`);
    const buffer = Buffer.from(await answer.arrayBuffer());
    await open('#/arena');
    await page
      .getByLabel('Replay file')
      .setInputFiles({ name: 'nonsense.json', mimeType: 'application/json', buffer: Buffer.from('nonsense') });
    await page.locator('.toast.bad').waitFor();
    await page
      .getByLabel('Replay file')
      .setInputFiles({ name: 'game.jsonl.zst', mimeType: 'application/zstd', buffer });
    await page.waitForURL(/#\/replay\//);
    await page.locator('canvas').first().waitFor();
  },
);

pageTest('a tournament of a game for two has a cross table, and is in the list', async ({ page, open }) => {
  await open('#/arena');
  await startTournament(page, {
    name: 'duel-cup',
    game: 'siam',
    level: 'start/duel',
    agents: ['level1', 'original', 'random'],
    seeds: 1,
  });
  await page.locator('.tournament-head .badge', { hasText: 'done' }).waitFor({ timeout: 60_000 });
  const cross = page.getByRole('region', { name: 'Against each other' });
  assert.equal(await cross.locator('.duel').count(), 6);
  assert.equal(await page.locator('svg.plot polyline').count(), 3);
  await open('#/arena');
  await page
    .getByRole('region', { name: 'Tournaments' })
    .getByRole('link', { name: /duel-cup/ })
    .waitFor();
});

pageTest('a tournament is stopped and resumed', async ({ page, open }) => {
  await open('#/arena');
  await startTournament(page, {
    name: 'long-cup',
    game: 'delirium',
    level: 'damier/gallery',
    agents: ['original', 'random'],
    seeds: 100,
  });
  const badge = page.locator('.tournament-head .badge');
  await page.getByRole('button', { name: 'Stop' }).click();
  await badge.filter({ hasText: 'stopped' }).waitFor();
  const played = async () =>
    Number(/^(\d+) of 200/.exec((await page.locator('.tournament-head small').textContent()) ?? '')?.[1]);
  const before = await played();
  assert.ok(before < 200, `${before} games`);
  await page.getByRole('button', { name: 'Resume' }).click();
  await badge.filter({ hasText: /running|done/ }).waitFor();
  await page.waitForFunction(
    (count) => /** @type {HTMLProgressElement} */ (document.querySelector('.tournament-head progress')).value > count,
    before,
  );
});

pageTest('a tournament without rivals is refused with a sentence', async ({ page, open, expectProblem }) => {
  expectProblem(/status of 4\d\d/);
  await open('#/arena');
  await startTournament(page, { name: 'lonely', game: 'siam', level: 'start/duel', agents: [], seeds: 1 });
  await page.getByRole('alert').getByText(/agent/).waitFor();
});

pageTest('a template becomes an agent that can take part', async ({ page, open, server }) => {
  await open('#/arena');
  const panel = page.getByRole('region', { name: 'Your agents' });
  await panel.locator('select').nth(0).selectOption('python');
  await panel.locator('select').nth(1).selectOption('siam');
  await panel.getByLabel('Name').fill('my-first');
  await panel.getByRole('button', { name: 'Install' }).click();
  await panel.getByText('my-first').waitFor();
  assert.match(await readFile(`${server.data}/agents/my-first/agent.toml`, 'utf8'), /siam/);
  await page.getByRole('form', { name: 'New tournament' }).getByRole('checkbox', { name: 'my-first' }).waitFor();
});

pageTest('names from outside are text, never markup', async ({ page, open, expectProblem }) => {
  expectProblem(/status of 4\d\d/);
  await open('#/arena/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.locator('img[src="x"]').count(), 0);
});

pageTest('the API page names every request of its description', async ({ page, open, server }) => {
  await open('#/api');
  const { paths } = await (await fetch(`${server.url}api/openapi.json`)).json();
  await page.locator('article').first().waitFor();
  const shown = await page.locator('article h3').allTextContents();
  for (const path of Object.keys(paths))
    assert.ok(
      shown.some((title) => title.endsWith(path)),
      `${path} is missing`,
    );
  assert.ok(shown.some((title) => title.startsWith('WS')));
});

test('every module that the page loads is in the page', async () => {
  const main = await readFile(new URL('../../page/main.js', import.meta.url), 'utf8');
  for (const [, name] of main.matchAll(/import\('\.\/(.+?\.js)'\)/g))
    await readFile(new URL(`../../page/${name}`, import.meta.url));
});
