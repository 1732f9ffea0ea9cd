// The real program and a real browser for the page's tests.
//
//     const pageTest = pageTests();
//     pageTest('the home page shows five games', async ({ page, open }) => {
//         await open('#/');
//         assert.equal(await page.locator('[data-game]').count(), 5);
//     });

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

/**
 * A running server of the page.
 * @typedef {object} Server
 * @property {string} url with a slash at its end
 * @property {string} data its data folder, which goes with it
 * @property {number} spawnedAt `performance.now()` before the program was started
 * @property {number} pid
 * @property {() => Promise<void>} close
 */

/**
 * What a test gets.
 * @typedef {object} Site
 * @property {Page} page
 * @property {Server} server
 * @property {(route: string) => Promise<void>} open goes to a route such as `#/edit/pacman`, as a first visit
 * @property {(pattern: RegExp) => void} expectProblem a console error that this test causes on purpose
 */

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 5_000;

const BROWSER_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program under test. */
export function program() {
  const path = process.env.DAMIER_BIN;
  if (!path) throw new Error('DAMIER_BIN names no program: set it to the path of `damier`');
  return path;
}

/**
 * Starts the program with a data folder of its own.
 * @param {string[]} [options] more options of `damier serve`
 * @param {string} [port] by default a free one
 * @returns {Promise<Server>}
 */
export async function startServer(options = [], port = '0') {
  const data = await mkdtemp(join(tmpdir(), 'damier-page-'));
  const spawnedAt = performance.now();
  const child = spawn(program(), ['serve', '--port', port, '--no-open', '--data', data, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
    await rm(data, { recursive: true, force: true });
  };
  try {
    const url = await announcedUrl(child);
    return { url, data, spawnedAt, pid: child.pid ?? 0, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The address that the program prints when it is ready.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @returns {Promise<string>}
 */
function announcedUrl(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (/** @type {string} */ why) => reject(new Error(`damier serve ${why}: ${said}`));
    const late = setTimeout(() => fail('gave no address in time'), START_LIMIT_MS);
    const listen = (/** @type {Buffer} */ chunk) => {
      said += chunk;
      const address = /http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d+\//.exec(`${said.trimEnd()}/`);
      if (!address || !said.includes('\n')) return;
      clearTimeout(late);
      resolve(address[0]);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

/** The system's Chromium. */
function chromiumPath() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (!path) throw new Error('no Chromium found: install the system package `chromium`');
  return path;
}

/** @returns {Promise<Browser>} */
export function startBrowser() {
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    chromiumSandbox: false,
    args: BROWSER_FLAGS,
  });
}

/**
 * Opens a page that keeps a list of everything that went wrong in it.
 * @param {Browser} browser
 * @param {Server} server
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  /** @type {string[]} */
  const problems = [];
  const origin = new URL(server.url).host;
  const foreign = (/** @type {string} */ address) => {
    const url = new URL(address);
    if (!['about:', 'blob:', 'data:'].includes(url.protocol) && url.host !== origin)
      problems.push(`request to ${address}`);
  };
  page.on('request', (request) => foreign(request.url()));
  page.on('websocket', (socket) => foreign(socket.url()));
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // 422 is how the server answers a level at fault: an ordinary answer that browsers log all the same.
    const ordinary = /status of 422/.test(message.text());
    if (message.type() === 'error' && !ordinary)
      problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  return { page, context, problems };
}

/**
 * One program and one browser for all tests of a file; each test gets a page without a past.
 * @param {{ options?: string[], context?: import('playwright-core').BrowserContextOptions }} [setting]
 */
export function pageTests(setting = {}) {
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(setting.options), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /**
   * @param {string} name
   * @param {(site: Site) => Promise<void>} body
   * @param {import('playwright-core').BrowserContextOptions} [context]
   */
  return function pageTest(name, body, context) {
    test(name, { timeout: 120_000 }, async () => {
      const { page, context: opened, problems } = await openPage(browser, server, { ...setting.context, ...context });
      /** @type {RegExp[]} */
      const expected = [];
      try {
        await body({
          page,
          server,
          open: async (route) => {
            // A changed fragment alone would not load the page again.
            await page.goto('about:blank');
            await page.goto(server.url + route);
          },
          expectProblem: (pattern) => expected.push(pattern),
        });
      } catch (error) {
        if (problems.length > 0) console.error(problems.join('\n'));
        throw error;
      } finally {
        await opened.close();
      }
      assert.deepEqual(
        problems.filter((text) => !expected.some((pattern) => pattern.test(text))),
        [],
      );
    });
  };
}
