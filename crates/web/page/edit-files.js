// Opening, generating, importing, exporting and sharing levels.

import { button, dialog, download, field, fill, h, select, slider, toast } from './dom.js';
import { ApiError, located, post } from './net.js';
import { levelRoute } from './share.js';
import { shippedLevel } from './edit-desk.js';

/** @typedef {import('./edit-desk.js').Desk} Desk */

/**
 * Replaces the level on the desk with one in any format.
 * @param {Desk} desk
 * @param {string} text
 * @param {string} [rules]
 */
export async function importLevel(desk, text, rules = desk.rules) {
  desk.load(await desk.open(text, rules));
}

/**
 * Runs a request and shows the server's error, with its position in the level, if it fails.
 * @param {() => Promise<void>} what
 * @param {HTMLElement} place
 */
async function showingErrors(what, place) {
  try {
    await what();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(place, h('p', { class: 'note bad' }, located(error)));
  }
}

/**
 * The toolbar of a desk: the rules, and buttons that open, generate, import, export and share levels.
 * @param {Desk} desk
 * @param {string} page the page that links open: `edit` or `solve`
 * @param {() => Desk} [shown] what to export and share, if not the desk itself
 */
export function deskBar(desk, page, shown = () => desk) {
  const names = /** @type {[string, string][]} */ (
    desk.game.rules.map(({ name, about }) => [name, `${name}: ${about}`])
  );
  const rules = select(names, desk.rules, (name) => desk.setRules(name), { 'aria-label': 'Rules', class: 'rules' });
  desk.on('change', () => {
    rules.value = desk.rules;
  });
  return h(
    'div',
    { class: 'row bar' },
    rules,
    h(
      'div',
      { class: 'row actions' },
      button('Open…', () => openDialog(desk)),
      button('Generate…', () => generateDialog(desk)),
      button('Import…', () => importDialog(desk)),
      button('Export…', () => exportDialog(shown())),
      button('Share', () => shareLink(shown(), page)),
    ),
  );
}

/** @param {Desk} desk */
function openDialog(desk) {
  return dialog('Open a level', (close) => {
    const problem = h('div', { role: 'alert' });
    const choose = (/** @type {string} */ name, /** @type {string[]} */ rules) =>
      showingErrors(async () => {
        await importLevel(
          desk,
          await shippedLevel(desk.game, name),
          rules.includes(desk.rules) ? desk.rules : rules[0],
        );
        close();
      }, problem);
    const packs = desk.game.packs.map((pack) =>
      h(
        'section',
        null,
        h('h3', null, pack.name),
        h('p', { class: 'soft' }, pack.about),
        h(
          'div',
          { class: 'levels' },
          pack.levels.map((level) =>
            button(level.name, () => choose(`${pack.name}/${level.name}`, level.rules), {
              title: `${level.size[0]} × ${level.size[1]}`,
            }),
          ),
        ),
      ),
    );
    return [problem, ...packs];
  });
}

/** @param {Desk} desk */
function importDialog(desk) {
  const formats = desk.game.formats.map((format) => format.name).join(', ');
  return dialog('Import a level', (close) => {
    const problem = h('div', { role: 'alert' });
    const area = h('textarea', {
      rows: 10,
      spellcheck: false,
      wrap: 'off',
      'aria-label': 'Level text',
      placeholder: 'Paste a level here',
    });
    const take = (/** @type {string} */ text) =>
      showingErrors(async () => {
        const opened = await desk.open(text);
        if (opened.levels) return fill(problem, partList(opened.levels, take));
        desk.load(opened);
        close();
      }, problem);
    const file = h('input', { type: 'file', 'aria-label': 'Level file' });
    file.addEventListener('change', async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      area.value = await chosen.text();
      take(area.value);
    });
    return [
      h(
        'p',
        { class: 'soft' },
        `The format is detected automatically: ${formats}. You can also drop a file on the page.`,
      ),
      h(
        'div',
        { class: 'stack' },
        area,
        problem,
        h(
          'div',
          { class: 'row' },
          file,
          button('Import', () => take(area.value), { class: 'primary' }),
        ),
      ),
    ];
  });
}

/**
 * A choice between the levels of a file.
 * @param {{ name: string | null, text: string }[]} levels
 * @param {(text: string) => void} take
 */
function partList(levels, take) {
  return h(
    'div',
    null,
    h('p', null, `The file contains ${levels.length} levels. Choose one.`),
    h(
      'div',
      { class: 'levels' },
      levels.map(({ name, text }, index) => button(name ?? String(index + 1), () => take(text))),
    ),
  );
}

/** @param {Desk} desk */
function exportDialog(desk) {
  return dialog('Export the level', () => {
    const { game, rules, text } = desk;
    const problem = h('div', { role: 'alert' });
    const area = h('textarea', {
      rows: 12,
      readOnly: true,
      wrap: 'off',
      spellcheck: false,
      'aria-label': 'The level in this format',
    });
    const about = h('p', { class: 'soft' });
    let format = game.formats[0].name;
    const show = (/** @type {string} */ to) =>
      showingErrors(async () => {
        format = to;
        fill(problem);
        delete area.dataset.format;
        about.textContent = game.formats.find(({ name }) => name === to)?.about ?? '';
        const answer = await post('/api/levels/convert', { game: game.name, rules, text, to });
        if (format !== to) return;
        area.value = answer.text;
        area.dataset.format = to;
      }, problem);
    show(format);
    return [
      h(
        'div',
        { class: 'stack' },
        field(
          'Format',
          select(
            game.formats.map(({ name }) => name),
            format,
            show,
          ),
        ),
        about,
        problem,
        area,
        h(
          'div',
          { class: 'row' },
          button('Copy', () => copy(area.value)),
          button('Download', () => download(`${game.name}-${format}.txt`, area.value), { class: 'primary' }),
        ),
      ),
    ];
  });
}

/** @param {Desk} desk */
function generateDialog(desk) {
  return dialog('Generate a level', (close) => {
    const problem = h('div', { role: 'alert' });
    const seed = h('input', { type: 'number', min: 0, step: 1, value: '1' });
    const [width, height] = [0, 1].map((axis) =>
      h('input', { type: 'number', min: 3, max: 128, placeholder: 'any', 'aria-label': axis ? 'Rows' : 'Columns' }),
    );
    let difficulty = -1;
    const hard = slider(
      {
        min: -1,
        max: 10,
        value: difficulty,
        label: 'Difficulty',
        text: (value) => (value < 0 ? 'any' : String(value)),
      },
      (value) => {
        difficulty = value;
      },
    );
    const make = button(
      'Generate',
      () =>
        showingErrors(async () => {
          make.disabled = true;
          const size = width.value && height.value ? [Number(width.value), Number(height.value)] : undefined;
          const request = {
            game: desk.game.name,
            rules: desk.rules,
            seed: Number(seed.value),
            difficulty: difficulty < 0 ? undefined : difficulty,
            size,
          };
          try {
            await importLevel(desk, (await post('/api/levels/generate', request)).text);
            close();
          } finally {
            make.disabled = false;
          }
        }, problem),
      { class: 'primary' },
    );
    return [
      h(
        'div',
        { class: 'stack' },
        h('p', { class: 'soft' }, 'The same seed gives the same level.'),
        field('Seed', seed),
        field('Difficulty', hard),
        field(
          'Size',
          h('span', { class: 'row' }, width, '×', height),
          'Columns and rows; some games have a fixed size',
        ),
        problem,
        h(
          'div',
          { class: 'row' },
          make,
          button('Another seed', () => {
            seed.value = String(1 + Math.floor(Math.random() * 1e6));
          }),
        ),
      ),
    ];
  });
}

/**
 * Puts the level into the address and copies the address to the clipboard.
 * @param {Desk} desk
 * @param {string} page `edit` or `solve`
 */
async function shareLink(desk, page) {
  const route = await levelRoute(page, desk.game.name, { text: desk.text, rules: desk.rules });
  history.replaceState(null, '', route);
  await copy(location.href, 'Link copied. It contains the whole level and is also in the address bar.');
}

/**
 * @param {string} text
 * @param {string} [done]
 */
async function copy(text, done = 'Copied.') {
  try {
    await navigator.clipboard.writeText(text);
    toast(done, 'good');
  } catch {
    // Browsers deny access to the clipboard on pages that are not served over HTTPS or from localhost.
    await dialog('Copy', () => [h('textarea', { rows: 6, readOnly: true, 'aria-label': 'Text to copy' }, text)]);
  }
}
