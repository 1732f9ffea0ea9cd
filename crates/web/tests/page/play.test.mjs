// A complete game of each of the five, by clicking and typing.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pageTests, program } from './harness.mjs';

const pageTest = pageTests();

/** @typedef {import('playwright-core').Page} Page */

/** @type {Record<string, string>} */
const KEYS = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  bomb_left: 'z',
  bomb_right: 'x',
  none: ' ',
  wait: ' ',
  stay: ' ',
};
/** The board's frame around its cells, in cells: left and top; and how many cells wide the canvas is. */
const RICOCHET = { left: 0.25, top: 0.25, width: 16.5 };
const SIAM = { left: 0.3, top: 1.25, width: 5.6 };

/**
 * A plan that wins, from the program itself.
 * @param {string} game
 * @param {string} level
 * @returns {string[]}
 */
function planFor(game, level) {
  const answer = JSON.parse(
    execFileSync(program(), ['solve', game, level, '--seed', '1', '--json'], { encoding: 'utf8' }),
  );
  assert.equal(answer.outcome, 'solved');
  return answer.plan;
}

/** @param {Page} page */
async function moment(page) {
  return Number(await page.locator('#board').getAttribute('data-moment'));
}

/**
 * @param {Page} page
 * @param {number} after
 */
async function waitForMoment(page, after) {
  await page.waitForFunction((n) => Number(document.querySelector('#board')?.getAttribute('data-moment')) > n, after);
}

/**
 * Plays a plan key by key, with turns that wait.
 * @param {Page} page
 * @param {string[]} plan
 */
async function typePlan(page, plan) {
  await page.getByLabel('turns wait for me').check();
  for (const action of plan) {
    const before = await moment(page);
    await page.keyboard.press(KEYS[action]);
    await waitForMoment(page, before);
  }
}

/**
 * @param {Page} page
 * @param {typeof SIAM} frame
 * @param {number} x
 * @param {number} y
 */
async function clickCell(page, frame, x, y) {
  const canvas = page.locator('#board canvas');
  const box = await canvas.boundingBox();
  assert.ok(box);
  const cell = box.width / frame.width;
  await canvas.click({ position: { x: (frame.left + x + 0.5) * cell, y: (frame.top + y + 0.5) * cell } });
}

for (const [game, level] of [
  ['pacman', 'damier/pocket'],
  ['loderunner', 'course/first-steps'],
  ['delirium', 'damier/first-steps'],
]) {
  pageTest(`${game}: a game won by the keyboard`, async ({ page, open }) => {
    await open(`#/play/${game}?level=${level}&seed=1`);
    await typePlan(page, planFor(game, level));
    await page.locator('[data-result="win"]').waitFor();
    assert.match(await page.locator('.result').innerText(), /You won!/);
  });
}

pageTest('pacman: time runs by itself, undo goes back, and the drawing keeps up', async ({ page, open }) => {
  await open('#/play/pacman?level=damier/pocket&seed=1');
  await page.locator('.fact').first().waitFor();
  await page.evaluate(() => {
    const times = /** @type {number[]} */ (Reflect.set(window, 'times', []) && Reflect.get(window, 'times'));
    const note = (/** @type {number} */ now) => {
      times.push(now);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await page.keyboard.press('ArrowLeft');
  await page.locator('[data-result]').waitFor({ timeout: 60_000 });
  const gaps = await page.evaluate(() => {
    const times = /** @type {number[]} */ (Reflect.get(window, 'times'));
    return times
      .slice(1)
      .map((time, index) => time - times[index])
      .sort((one, other) => one - other);
  });
  const [middle, late] = [0.5, 0.95].map((part) => gaps[Math.floor(gaps.length * part)]);
  console.log(`frames during play: ${gaps.length}, median ${middle.toFixed(1)} ms, 95% within ${late.toFixed(1)} ms`);
  assert.ok(middle < 25, `a frame takes ${middle} ms`);
  const end = await moment(page);
  await page.locator('[data-do="undo"]').click();
  assert.ok((await moment(page)) < end);
  assert.equal(await page.locator('[data-result]').isVisible(), false);
});

pageTest('pacman: space takes a turn without a new direction', async ({ page, open }) => {
  await open('#/play/pacman?level=damier/pocket&seed=1');
  await page.getByLabel('turns wait for me').check();
  for (let turn = 0; turn < 2; turn += 1) {
    const before = await moment(page);
    await page.keyboard.press(' ');
    await waitForMoment(page, before);
  }
  assert.equal(await page.getByLabel('turns wait for me').isChecked(), true, 'the key is the game’s, not the box’s');
});

pageTest('delirium: a limited view is fog', async ({ page, open }) => {
  await open('#/play/delirium?level=damier/first-steps&seed=1');
  await page.locator('[data-choice="view"]').selectOption('3x2');
  await page.getByText('3 by 2').waitFor();
  const corner = () =>
    page
      .locator('#board canvas')
      .evaluate((canvas) =>
        Array.from(
          /** @type {HTMLCanvasElement} */ (canvas)
            .getContext('2d')
            ?.getImageData(/** @type {HTMLCanvasElement} */ (canvas).width - 9, 9, 1, 1).data ?? [],
        ),
      );
  await page.waitForTimeout(300);
  const fog = await corner();
  await page.locator('[data-choice="view"]').selectOption('0x0');
  await page.getByText('3 by 2').waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  assert.notDeepEqual(await corner(), fog);
});

pageTest('ricochet: a mission by clicks', async ({ page, open }) => {
  await open('#/play/ricochet?level=missions/01&seed=1');
  for (const action of planFor('ricochet', 'missions/01')) {
    const [robot, way] = action.split(' ');
    const before = await moment(page);
    await page.locator(`[data-robot="${robot}"]`).click();
    await page.locator(`[data-way="${way}"]`).click();
    await waitForMoment(page, before);
  }
  await page.locator('[data-result="win"]').waitFor();
});

pageTest('ricochet: robots move by clicks on the board and by letters', async ({ page, open }) => {
  await open('#/play/ricochet?level=missions/01&seed=1');
  await page.locator('[data-robot="blue"]').waitFor();
  const before = await moment(page);
  const label = await page.locator('#board canvas').getAttribute('aria-label');
  const [, column, row] = /blue robot at column (\d+), row (\d+)/.exec(label ?? '') ?? [];
  await page.keyboard.press('r');
  assert.equal(await page.locator('[data-robot="red"]').getAttribute('aria-pressed'), 'true');
  await clickCell(page, RICOCHET, Number(column) - 1, Number(row) - 1);
  assert.equal(await page.locator('[data-robot="blue"]').getAttribute('aria-pressed'), 'true');
  await clickCell(page, RICOCHET, Number(column) - 1, Number(row) - 2);
  await waitForMoment(page, before);
  await page.locator('[data-do="undo"]').click();
  assert.equal(await moment(page), before);
});

pageTest('ricochet: a whole round against the computer by clicks', async ({ page, open }) => {
  await open('#/play/ricochet?seed=5&strength=beginner');
  const message = page.locator('.rounds .note');
  const announce = page.locator('[data-do="announce"]');
  let hint = '';
  for (let move = 0; move < 20; move += 1) {
    await announce.waitFor();
    if (/Announce \d/.test(await announce.innerText())) break;
    await page.getByRole('button', { name: 'Hint: first move' }).click();
    // The last hint stays until the next one comes, and no move is hinted twice in a row.
    await page.waitForFunction((last) => {
      const text = document.querySelector('.rounds .note')?.textContent ?? '';
      return text.startsWith('Hint') && text !== last;
    }, hint);
    hint = await message.innerText();
    const [, robot, way] = /Hint: (\w+) (\w+)/.exec(hint) ?? [];
    await page.locator(`[data-robot="${robot}"]`).click();
    const tried = await page.locator('.tried li').count();
    await page.locator(`[data-way="${way}"]`).click();
    await page.locator('.tried li').nth(tried).waitFor();
  }
  await announce.click();
  await page.locator('.sandglass').filter({ hasText: /\d+ s/ }).waitFor();
  await page.locator('[data-do="stop_clock"]').click();
  await page.locator('[data-do="show"]').click();
  await page.locator('[data-do="next"]').waitFor();
  assert.match(await page.locator('.facts').innerText(), /you\s+1/);
  assert.equal(await page.locator('.rounds h3').innerText(), 'Your moves');
  assert.ok(await page.locator('.tried li').count());
  await page.locator('[data-do="next"]').click();
  await page.getByText('2 of 17').waitFor();
  assert.equal(await page.locator('.tried li').count(), 0);
});

pageTest('ricochet: what the computer showed stays until the next round', async ({ page, open }) => {
  await open('#/play/ricochet?seed=5&strength=perfect');
  const moves = page.locator('.tried li');
  const announced = page.locator('.rounds').getByText(/Computer: \d+ moves/);
  await announced.waitFor({ timeout: 60_000 });
  const [, count] = /Computer: (\d+)/.exec(await announced.innerText()) ?? [];
  await page.locator('[data-do="stop_clock"]').click();
  await page.locator('[data-do="next"]').waitFor();
  assert.equal(await page.locator('.rounds h3').innerText(), 'The computer’s moves');
  assert.equal(await moves.count(), Number(count));
  await page.locator('[data-do="next"]').click();
  await page.getByText('2 of 17').waitFor();
  assert.equal(await page.locator('.rounds h3').innerText(), 'Your moves');
  assert.equal(await moves.count(), 0);
});

/**
 * Enters a move of SIAM by clicks: the animal or the tray, the square, the facing.
 * @param {Page} page
 * @param {string} action
 */
async function clickMove(page, action) {
  const [, from, to] = /^(\d+)-(\d+)([nesw]?)$/.exec(action) ?? [];
  const square = (/** @type {string} */ name) => clickCell(page, SIAM, Number(name[1]) - 1, 5 - Number(name[0]));
  if (from === '0') await page.getByRole('button', { name: /^Bring/ }).click();
  else await square(from);
  if (to === '0') return page.getByRole('button', { name: 'Take off the board' }).click();
  if (to === from) await page.getByRole('button', { name: 'Turn', exact: true }).click();
  else await square(to);
  return page.locator(`[data-action="${action}"]`).click();
}

pageTest('siam: a puzzle won by clicks, with hints', async ({ page, open }) => {
  await open('#/play/siam?level=puzzles/01&seats=human,level1&seed=1');
  for (let turn = 0; turn < 12 && !(await page.locator('[data-result]').isVisible()); turn += 1) {
    await page.locator('[data-do="hint"]:enabled').click();
    const action = await page.locator('section[aria-label="Hint"] .decision code').innerText();
    const before = await moment(page);
    await clickMove(page, action);
    await waitForMoment(page, before);
    await page.waitForFunction(
      () =>
        document.querySelector('[data-result]') ||
        /Your move/.test(document.querySelector('.status')?.textContent ?? ''),
    );
  }
  await page.locator('[data-result="win,loss"]').waitFor();
});

pageTest('siam: a push is explained before it is made', async ({ page, open }) => {
  await open('#/play/siam?level=puzzles/01&seats=human,human&seed=1');
  await page.locator('[data-do="hint"]:enabled').waitFor();
  await page.getByRole('button', { name: 'Bring an elephant in' }).click();
  await clickCell(page, SIAM, 4, 2);
  const text = await page.locator('.move-hand').innerText();
  assert.match(text, /Pushes the elephant on 35,.* and the elephant on 31 one square west/);
});

pageTest(
  'delirium: a game won with the thumbs, on a phone',
  async ({ page, open }) => {
    await open('#/play/delirium?level=damier/first-steps&seed=1');
    await page.getByLabel('turns wait for me').check();
    for (const action of planFor('delirium', 'damier/first-steps')) {
      const before = await moment(page);
      await page.locator(`.pad [data-key="${action}"]`).tap();
      await waitForMoment(page, before);
    }
    await page.locator('[data-result="win"]').waitFor();
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);
