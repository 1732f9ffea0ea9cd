// The sixth game on the page: it is played, watched, edited and enters a tournament, and the page was not changed for it.
//
//     DAMIER_BIN=target/debug/damier-tug node --test examples/tug/tests/page.test.mjs

import assert from 'node:assert/strict';
import { pageTests } from '../../../crates/web/tests/page/harness.mjs';

const pageTest = pageTests();

pageTest('it has a card of its own on the first page', async ({ page, open }) => {
  await open('#/');
  const card = page.locator('[data-game="tug"]');
  await card.locator('canvas').waitFor();
  assert.equal(await card.getByRole('link', { name: 'Play', exact: true }).getAttribute('href'), '#/play/tug');
});

pageTest('it is played by its keys against an agent', async ({ page, open }) => {
  await open('#/play/tug?level=ropes/short&seed=1');
  await page.locator('#board').waitFor();
  const won = page.locator('[data-result="win,loss"]');
  for (let pulls = 0; !(await won.isVisible()); pulls += 1) {
    assert.ok(pulls < 40, 'the game is not won');
    await page.keyboard.press('Enter');
    // The result takes a moment to show, and has a button that Enter would press.
    await page.waitForTimeout(1000);
  }
});

pageTest('its agents are watched', async ({ page, open }) => {
  await open('#/watch/tug?level=ropes/long&seats=best,original&seed=1');
  await page.waitForFunction(() => Number(document.querySelector('.timeline output')?.textContent?.split('/')[1]) >= 5);
});

pageTest('its levels are edited with its brushes and judged', async ({ page, open }) => {
  await open('#/edit/tug');
  await page.getByRole('radio', { name: 'token' }).waitFor();
  await page.getByLabel('The level as text').fill('<...o...>\n');
  await page.locator('.verdict[data-verdict="solved"]').waitFor();
  await page.getByLabel('The level as text').fill('<...x...>\n');
  await page.locator('.verdict[data-verdict="fault"]').waitFor();
});

pageTest('it enters a tournament', async ({ page, open }) => {
  await open('#/arena');
  const form = page.getByRole('form', { name: 'New tournament' });
  await form.getByLabel('Name').fill('ropes');
  await form.locator('[data-field="game"]').selectOption('tug');
  for (const box of await form.getByRole('group', { name: 'Agents' }).getByRole('checkbox').all()) await box.uncheck();
  for (const agent of ['best', 'random']) await form.getByRole('checkbox', { name: agent, exact: true }).check();
  await form.getByRole('button', { name: 'Start' }).click();
  await page.locator('.tournament-head .badge', { hasText: 'done' }).waitFor();
});
