// Every format of every game goes out of the page and comes back in as the same level.

import assert from 'node:assert/strict';
import { pack } from '../../page/share.js';
import { pageTests } from './harness.mjs';

const pageTest = pageTests();

/** A level that all formats of its kind can hold: no traps, no hidden ladders. */
const STOREYS = [
  ...Array(13).fill('     H                      '),
  '#####H######################',
  '  &  H     $           0    ',
  '#'.repeat(28),
].join('\n');

/** One level of each game. @type {{ game: string, rules?: string, level?: string, text?: string, formats: string[] }[]} */
const LEVELS = [
  { game: 'pacman', level: 'damier/pocket', formats: ['damier', 'berkeley'] },
  { game: 'ricochet', level: 'missions/01', formats: ['json', 'drawn', 'course', 'case'] },
  { game: 'siam', level: 'puzzles/03', formats: ['damier', 'drawn'] },
  { game: 'loderunner', rules: 'classic', text: STOREYS, formats: ['damier', 'kgoldrunner', 'vglc'] },
  { game: 'delirium', level: 'damier/first-steps', formats: ['damier', 'json', 'cells', 'codes', 'xml', 'bdcff'] },
];

for (const { game, rules, level, text, formats } of LEVELS) {
  pageTest(`${game}: ${formats.join(', ')}`, async ({ page, open, server }) => {
    const known = await (await fetch(`${server.url}api/games`)).json();
    assert.deepEqual(
      known
        .find((/** @type {{ name: string }} */ one) => one.name === game)
        .formats.map((/** @type {{ name: string }} */ format) => format.name),
      formats,
    );
    const params = new URLSearchParams({
      ...(rules && { rules }),
      ...(level && { level }),
      ...(text && { z: await pack(text) }),
    });
    await open(`#/edit/${game}?${params}`);
    for (const format of formats) {
      const exported = await exportAs(format);
      await importText(exported);
      assert.equal(await exportAs(format), exported, `${format} came back as something else`);
    }

    /** @param {string} format */
    async function exportAs(format) {
      await page.getByRole('button', { name: 'Export…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export the level' });
      await dialog.locator('select').selectOption(format);
      const area = dialog.locator(`textarea[data-format="${format}"]`);
      await area.waitFor();
      const text = await area.inputValue();
      assert.ok(text.length > 10, `${format} is empty`);
      await dialog.getByRole('button', { name: 'Close' }).click();
      return text;
    }

    /** @param {string} text */
    async function importText(text) {
      await page.getByRole('button', { name: 'Import…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import a level' });
      await dialog.getByLabel('Level text').fill(text);
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });
}

pageTest('a file is imported, and a downloaded one is the level', async ({ page, open }) => {
  await open('#/edit/delirium');
  await page.getByRole('button', { name: 'Import…' }).click();
  const cave = '######\n#P.dX#\n######\n';
  await page
    .getByLabel('Level file')
    .setInputFiles({ name: 'cave.txt', mimeType: 'text/plain', buffer: Buffer.from(cave) });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.locator('textarea[data-format="damier"]').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'delirium-damier.txt');
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(/** @type {Buffer} */ (chunk));
  assert.match(Buffer.concat(chunks).toString(), /#P\.dX#/);
});

pageTest('a text of no format is refused with its line and column', async ({ page, open }) => {
  await open('#/edit/delirium');
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Level text').fill('######\n#P?dX#\n######\n');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('Line 2, column 3').waitFor();
  await open('#/play/siam');
  await page.getByRole('heading', { name: 'Play' }).waitFor();
  assert.equal(await dialog.count(), 0);
});
