// What the page weighs, and how soon it can be used.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { test } from 'node:test';
import { openPage, startBrowser, startServer } from './harness.mjs';

const PAGE = new URL('../../page/', import.meta.url);
const GAMES = new URL('../../../../games/', import.meta.url);
/** All files of the page and of the games, compressed as they are transferred. */
const HEAVIEST = 155_000;
/** What the first page transfers. */
const HEAVIEST_HOME = 65_000;
const SLOWEST_MS = 1_000;

/** The names of files that browsers load. @param {URL} folder */
async function files(folder) {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.(js|css)$/.test(name));
}

/** The addresses of all files of the page. */
async function addresses() {
  const own = (await files(PAGE)).map((name) => `page/${name}`);
  const games = (await readdir(GAMES)).map(async (game) =>
    (await files(new URL(`${game}/page/`, GAMES))).map((name) => `page/games/${game}/${name}`),
  );
  return ['', ...own, ...(await Promise.all(games)).flat()];
}

/** The bytes of an answer's body as they come over the wire. @param {string} url @returns {Promise<number>} */
function transferred(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      assert.equal(response.statusCode, 200, url);
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
    });
    request.on('error', reject);
  });
}

test('every file of the page and of the games is served, compressed, and all together are light', async () => {
  const server = await startServer();
  try {
    const sizes = await Promise.all((await addresses()).map((path) => transferred(server.url + path)));
    const weight = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`${weight} bytes in ${sizes.length} files`);
    assert.ok(weight < HEAVIEST, `${weight} bytes`);
  } finally {
    await server.close();
  }
});

test('the first page transfers little', async () => {
  const [server, browser] = await Promise.all([startServer(), startBrowser()]);
  try {
    const { page, context } = await openPage(browser, server);
    /** @type {Promise<number>[]} */
    const sizes = [];
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.startsWith('/page/'))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(server.url);
    await page.locator('.miniature canvas').nth(2).waitFor();
    const weight = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    console.log(`${weight} bytes in ${sizes.length} files`);
    assert.ok(weight < HEAVIEST_HOME, `${weight} bytes`);
    await context.close();
  } finally {
    await browser.close();
    await server.close();
  }
});

test('the page can be used within a second after the program was started', async () => {
  const browser = await startBrowser();
  try {
    // The browser's own start is not the program's: a first page warms it up.
    await (await browser.newContext()).newPage();
    const times = [];
    // Other programs on the machine cost time too: the quickest of a few starts is the page's own.
    for (let run = 0; run < 6; run += 1) {
      const server = await startServer();
      try {
        const { page, context, problems } = await openPage(browser, server);
        await page.goto(server.url, { waitUntil: 'commit' });
        await page.getByRole('link', { name: 'Play' }).first().waitFor();
        times.push(performance.now() - server.spawnedAt);
        assert.deepEqual(problems, []);
        await context.close();
      } finally {
        await server.close();
      }
    }
    const best = Math.min(...times);
    assert.ok(best < SLOWEST_MS, `${Math.round(best)} ms at best`);
    console.log(`usable after ${times.map(Math.round).join(', ')} ms`);
  } finally {
    await browser.close();
  }
});
