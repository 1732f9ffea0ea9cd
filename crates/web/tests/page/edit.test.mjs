// The level editor: painting, text, verdict, undo, size, links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History, grow, header, parse, print, region, shrink, withHeader } from '../../page/edit-text.js';
import {
  emptyMission,
  moveRobot,
  picture,
  resize,
  robotAt,
  toggleWall,
} from '../../../../games/ricochet/page/mission.js';
import { pageTests } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const pageTest = pageTests();

const CAVE = `; name: a test
; need: 1
######
#P.dX#
######
`;

const POCKET = `#####
#P.1#
#...#
#####
`;

/**
 * Replaces the text beside the board, as a person who pastes does.
 * @param {Page} page
 * @param {string} text
 */
async function type(page, text) {
  await page.getByLabel('The level as text').fill(text);
}

/** @param {Page} page */
function text(page) {
  return page.getByLabel('The level as text').inputValue();
}

/** Waits until the checker says so. @param {Page} page @param {string} verdict */
async function expectVerdict(page, verdict) {
  await page.locator(`.verdict[data-verdict="${verdict}"]`).waitFor();
}

/**
 * Clicks a cell of the editor's board. SIAM's board has trays at its sides, others fill the canvas.
 * @param {Page} page
 * @param {[number, number]} cell
 * @param {[number, number]} size
 */
async function clickCell(page, [x, y], [width, height]) {
  const box = await page.locator('.easel canvas').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + ((x + 0.5) * box.width) / width, box.y + ((y + 0.5) * box.height) / height);
}

pageTest('a cave whose diamond is walled in cannot be won any more', async ({ page, open }) => {
  await open('#/edit/delirium');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  await page.getByRole('radio', { name: 'border' }).click();
  await clickCell(page, [2, 1], [6, 3]);
  await expectVerdict(page, 'unsolvable');
  assert.match(await text(page), /#P#dX#/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectVerdict(page, 'solved');
});

pageTest('a pellet behind walls is named and marked', async ({ page, open }) => {
  await open('#/edit/pacman?rules=course&level=damier/pocket');
  await expectVerdict(page, 'solved');
  const before = await text(page);
  const after = before.replace('##.#.#.#.##\n##o.....o##', '####.#.#.##\n##o#....o##');
  assert.notEqual(after, before);
  await type(page, after);
  await expectVerdict(page, 'fault');
  assert.match(
    (await page.locator('.verdict').textContent()) ?? '',
    /Pacman cannot reach this pellet.*line 11, column 3/,
  );
  assert.equal(await page.locator('.text-pane mark').textContent(), 'o');
});

pageTest('gold behind walls cannot be taken, in Lode Runner', async ({ page, open }) => {
  await open('#/edit/loderunner?rules=course&level=course/first-steps');
  await expectVerdict(page, 'solved');
  await type(page, (await text(page)).replace('W...B....', 'WWW.BWW..'));
  await expectVerdict(page, 'unsolvable');
  assert.match((await page.locator('.verdict .notes').textContent()) ?? '', /out of reach/);
});

pageTest('a mission behind walls cannot be solved any more', async ({ page, open }) => {
  await open('#/edit/ricochet?level=missions/01');
  await expectVerdict(page, 'solved');
  await page.getByRole('button', { name: 'Empty board' }).click();
  // On an empty board of one robot nothing ever stops in the middle.
  await page.getByLabel('The level as text').waitFor();
  await type(
    page,
    '+---+---+---+\n| R         |\n+   +   +   +\n|     r     |\n+   +   +   +\n|           |\n+---+---+---+\n',
  );
  await expectVerdict(page, 'unsolvable');
});

pageTest('an error in the text is named with line and column, and marked', async ({ page, open }) => {
  await open('#/edit/delirium');
  await type(page, CAVE.replace('#P.dX#', '#P?dX#'));
  await expectVerdict(page, 'fault');
  assert.match((await page.locator('.verdict').textContent()) ?? '', /line 4, column 3/);
  assert.equal(await page.locator('.text-pane mark').textContent(), '?');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  assert.equal(await page.locator('.text-pane mark').count(), 0);
});

pageTest('rows and columns are added inside the outer wall and taken away again', async ({ page, open }) => {
  await open('#/edit/delirium');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  await page.getByRole('button', { name: 'Add at the right' }).click();
  await page.getByRole('button', { name: 'Add at the top' }).click();
  assert.deepEqual((await text(page)).split('\n').slice(2, 6), ['#######', '#_____#', '#P.dX_#', '#######']);
  await page.getByRole('button', { name: 'Remove at the top' }).click();
  await page.getByRole('button', { name: 'Remove at the right' }).click();
  assert.equal(await text(page), CAVE);
});

pageTest('everything works by the keyboard alone', async ({ page, open }) => {
  await open('#/edit/delirium');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  const board = page.locator('.easel canvas');
  await board.focus();
  await page.keyboard.press('w');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  assert.match(await text(page), /#PwdX#/);
  await page.keyboard.press('Control+z');
  assert.equal(await text(page), CAVE);
  await page.keyboard.press('Control+y');
  assert.match(await text(page), /#PwdX#/);
  await page.keyboard.press('Delete');
  assert.match(await text(page), /#P_dX#/);
});

pageTest('a stroke, a rectangle and a filled region', async ({ page, open }) => {
  await open('#/edit/delirium');
  const field = ['########', '#P....X#', '#......#', '#......#', '########'];
  await type(page, `; need: 0\n${field.join('\n')}\n`);
  await expectVerdict(page, 'solved');
  const box = await page.locator('.easel canvas').boundingBox();
  assert.ok(box);
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {const} */ ([box.x + ((x + 0.5) * box.width) / 8, box.y + ((y + 0.5) * box.height) / 5]);
  const drag = async (/** @type {[number, number]} */ from, /** @type {[number, number]} */ to) => {
    await page.mouse.move(...at(...from));
    await page.mouse.down();
    await page.mouse.move(...at(...to), { steps: 4 });
    await page.mouse.up();
  };
  const rows = async () => (await text(page)).split('\n').slice(1, 6);
  await page.getByRole('radio', { name: 'rock' }).click();
  await drag([2, 2], [5, 2]);
  assert.deepEqual(await rows(), ['########', '#P....X#', '#.rrrr.#', '#......#', '########']);
  await page.keyboard.press('Control+z');
  assert.deepEqual(await rows(), field);
  await page.getByRole('button', { name: /^Rectangle/ }).click();
  await drag([2, 1], [3, 3]);
  assert.deepEqual(await rows(), ['########', '#Prr..X#', '#.rr...#', '#.rr...#', '########']);
  await page.getByRole('button', { name: /^Fill/ }).click();
  await page.getByRole('radio', { name: 'empty' }).click();
  await page.mouse.click(...at(3, 2));
  assert.deepEqual(await rows(), ['########', '#P__..X#', '#.__...#', '#.__...#', '########']);
});

pageTest(
  'a finger paints on a phone',
  async ({ page, open }) => {
    await open('#/edit/delirium');
    await type(page, CAVE);
    await expectVerdict(page, 'solved');
    await page.getByRole('radio', { name: 'rock' }).tap();
    await page.locator('.easel canvas').scrollIntoViewIfNeeded();
    const box = await page.locator('.easel canvas').boundingBox();
    assert.ok(box);
    await page.touchscreen.tap(box.x + (2.5 * box.width) / 6, box.y + (1.5 * box.height) / 3);
    await page.waitForFunction(() =>
      /** @type {HTMLTextAreaElement} */ (document.querySelector('.text-pane textarea')).value.includes('#PrdX#'),
    );
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'the page is wider than the phone',
    );
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true },
);

pageTest('a link carries the level to another visitor', async ({ page, open, server }) => {
  await open('#/edit/delirium');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.waitForFunction(() => location.hash.includes('z='));
  const link = await page.evaluate(() => location.href);
  assert.ok(link.startsWith(server.url) && link.length < server.url.length + 200, link);
  await page.goto('about:blank');
  await page.goto(link);
  await expectVerdict(page, 'solved');
  assert.equal(await text(page), CAVE);
});

pageTest('a damaged link is named, and breaks nothing', async ({ page, open }) => {
  await open('#/edit/delirium?z=notalevel');
  await page.getByRole('alert').waitFor();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /link is damaged/);
});

pageTest('a generated level with a seed is the same again', async ({ page, open }) => {
  await open('#/edit/pacman');
  const made = [];
  for (let time = 0; time < 2; time += 1) {
    await page.getByRole('button', { name: 'Generate…' }).click();
    await page.getByRole('dialog').getByLabel('Seed').fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    made.push(await text(page));
    await type(page, POCKET);
  }
  assert.equal(made[0], made[1]);
  assert.notEqual(made[0], POCKET);
});

pageTest('the solution is shown on the board to its end', async ({ page, open }) => {
  await open('#/edit/delirium');
  await type(page, CAVE);
  await expectVerdict(page, 'solved');
  await page.getByRole('button', { name: 'Show a solution' }).click();
  const turn = page.getByRole('group', { name: 'Solution' }).locator('output');
  await turn.filter({ hasText: '3/3' }).waitFor();
  await page.getByRole('button', { name: 'Back to the editor' }).click();
  await page.getByRole('group', { name: 'Solution' }).waitFor({ state: 'detached' });
});

pageTest('the level goes on to be played and watched', async ({ page, open }) => {
  for (const [button, route] of [
    ['Play this', /#\/play\/delirium/],
    ['Watch the AI', /#\/watch\/delirium/],
  ]) {
    await open('#/edit/delirium');
    await type(page, CAVE);
    await expectVerdict(page, 'solved');
    await page.getByRole('button', { name: /** @type {string} */ (button) }).click();
    await page.waitForURL(route);
    await page
      .getByLabel(/6 by 3/)
      .first()
      .waitFor();
  }
});

pageTest('a position of SIAM is set up with pieces, side and plies', async ({ page, open }) => {
  await open('#/edit/siam');
  await page.locator('[data-header="side"]').selectOption('R');
  await page.locator('[data-header="ply"]').fill('9');
  await page.locator('[data-header="ply"]').press('Tab');
  await page.waitForFunction(() =>
    /** @type {HTMLTextAreaElement} */ (document.querySelector('.text-pane textarea')).value.trimEnd().endsWith('R 9'),
  );
});

pageTest('names and levels are text, never markup', async ({ page, open }) => {
  await page.addInitScript(() => {
    Object.assign(window, { harm: 0 });
  });
  await open('#/edit/delirium');
  const harm = '<img src=x onerror="window.harm=1"><script>window.harm=1</script>';
  await type(page, `; name: ${harm}\n${CAVE}`);
  await expectVerdict(page, 'solved');
  await type(page, `${CAVE}${harm}\n`);
  await expectVerdict(page, 'fault');
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).harm), 0);
});

test('a text is taken apart and put together again', () => {
  assert.equal(print(parse(CAVE, '_')), CAVE);
  const drawing = parse(CAVE, '_');
  assert.equal(header(drawing, 'need'), '1');
  assert.equal(header(withHeader(drawing, 'need', '2'), 'need'), '2');
  assert.equal(header(withHeader(drawing, 'need', ''), 'need'), null);
  assert.deepEqual(parse('ab\nc\n', '.').rows, [
    ['a', 'b'],
    ['c', '.'],
  ]);
  assert.deepEqual(parse('.....\n.....\n.MMM.\n.....\n.....\nE 0\n', '.', 5).tail, ['E 0']);
  assert.equal(region(parse('##\n#.\n', '.'), [0, 0]).length, 3);
});

test('a level without an outer wall grows and shrinks at its very edge', () => {
  const drawing = parse('ab\ncd\n', '.');
  assert.deepEqual(grow(drawing, 'west', '.').rows, [
    ['.', 'a', 'b'],
    ['.', 'c', 'd'],
  ]);
  assert.deepEqual(grow(drawing, 'south', '.').rows, [
    ['a', 'b'],
    ['c', 'd'],
    ['.', '.'],
  ]);
  assert.deepEqual(shrink(drawing, 'north', '.').rows, [['c', 'd']]);
  assert.deepEqual(shrink(drawing, 'east', '.').rows, [['a'], ['c']]);
});

test('what was undone comes back, until something else is done', () => {
  const history = new History('a');
  history.push('b');
  history.push('c');
  assert.ok(history.undo() && history.undo() && !history.undo());
  assert.equal(history.text, 'a');
  assert.ok(history.redo());
  history.push('d');
  assert.ok(!history.redo());
  assert.equal(history.text, 'd');
});

test('walls belong to both of their cells, and boards keep what fits on them', () => {
  const mission = toggleWall(emptyMission(3, 3), [1, 1], 'east');
  assert.equal(mission.walls[4] & 2, 2);
  assert.equal(mission.walls[5] & 8, 8);
  assert.deepEqual(toggleWall(mission, [2, 1], 'west').walls, emptyMission(3, 3).walls);
  assert.equal(toggleWall(mission, [2, 1], 'east'), mission);
  const larger = resize(mission, 4, 3);
  assert.equal(larger.walls[2] & 2, 0);
  assert.equal(larger.walls[3] & 2, 2);
  assert.deepEqual(
    resize(moveRobot(larger, 'red', [3, 2]), 2, 2).robots.red.map((at) => at < 2),
    [true, true],
  );
  assert.equal(robotAt(moveRobot(larger, 'red', [3, 2]), [3, 2]), 'red');
  assert.equal(picture(mission).walls.filter(([x, y, side]) => x === 1 && y === 1 && side === 'east').length, 1);
});
