// The shell: header, theme, sound and routing.

import { button, fill, h, icon } from './dom.js';
import { ApiError, located } from './net.js';
import { isDark } from './theme.js';
import { setSound, soundIsOn } from './sound.js';

/** @typedef {import('./types').RouteParams} RouteParams */
/** @typedef {{mount: (root: HTMLElement, params: RouteParams) => Promise<import('./types').Unmount>}} PageModule */

/** @type {Record<string, {title: string, load: () => Promise<PageModule>}>} */
const PAGES = {
  '': { title: 'Damier', load: () => import('./home.js') },
  play: { title: 'Play', load: () => import('./play.js') },
  watch: { title: 'Watch', load: () => import('./watch.js') },
  replay: { title: 'Replay', load: () => import('./watch.js') },
  edit: { title: 'Edit', load: () => import('./edit.js') },
  solve: { title: 'Solve', load: () => import('./solve.js') },
  arena: { title: 'Arena', load: () => import('./arena.js') },
  api: { title: 'API', load: () => import('./api.js') },
};

const NAVIGATION = ['play', 'watch', 'edit', 'solve', 'arena', 'api'];
const THEME = 'damier-theme';

/** @type {import('./types').Unmount | null} */
let unmount = null;
/** Counts navigations, so that a slowly loading page does not replace a later one. */
let visit = 0;

function toggleTheme() {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(THEME, theme);
  dispatchEvent(new Event('themechange'));
  drawHeader();
}

/** @returns {RouteParams & {page: string}} */
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [page, ...rest] = path.split('/').map(decodeURIComponent);
  return { page, path: rest, query: new URLSearchParams(query ?? '') };
}

function drawHeader() {
  const { page } = route();
  const current = page === 'replay' ? 'watch' : page;
  const links = NAVIGATION.map((name) =>
    h('a', { href: `#/${name}`, 'aria-current': name === current ? 'page' : null }, PAGES[name].title),
  );
  const theme = button(icon(isDark() ? 'sun' : 'moon'), toggleTheme, {
    class: 'icon quiet',
    id: 'theme',
    title: 'Light or dark',
    'aria-label': isDark() ? 'Light theme' : 'Dark theme',
  });
  const sound = button(
    icon(soundIsOn() ? 'sound' : 'mute'),
    () => {
      setSound(!soundIsOn());
      drawHeader();
    },
    {
      class: 'icon quiet',
      id: 'sound',
      title: soundIsOn() ? 'Sound is on' : 'Sound is off',
      'aria-label': 'Sound',
      'aria-pressed': String(soundIsOn()),
    },
  );
  fill(
    /** @type {HTMLElement} */ (document.getElementById('header')),
    h('a', { class: 'brand', href: '#/' }, h('img', { src: '/page/logo.svg', alt: '' }), 'Damier'),
    h('nav', { 'aria-label': 'Pages' }, links),
    h('div', { class: 'tools' }, sound, theme),
  );
}

/** @returns {Promise<void>} */
async function show() {
  const params = route();
  const root = /** @type {HTMLElement} */ (document.getElementById('content'));
  const mine = ++visit;
  const page = Object.hasOwn(PAGES, params.page) ? PAGES[params.page] : PAGES[''];
  unmount?.();
  unmount = null;
  for (const box of document.querySelectorAll('dialog')) box.close();
  drawHeader();
  document.title = page === PAGES[''] ? 'Damier' : `${page.title} · Damier`;
  // A place of its own for each visit: a page that is ready only after one has gone on fills a place that nobody sees.
  const place = h('div');
  fill(root, place);
  scrollTo(0, 0);
  try {
    const module = await page.load();
    if (mine !== visit) return;
    const leave = await module.mount(place, params);
    if (mine !== visit) return leave();
    unmount = leave;
    for (const tab of document.querySelectorAll('nav [aria-current]'))
      tab.scrollIntoView({ inline: 'center', block: 'nearest' });
  } catch (error) {
    if (mine === visit) fill(place, problem(error));
  }
}

/** @param {unknown} error */
function problem(error) {
  if (!(error instanceof ApiError)) console.error(error);
  const text = error instanceof Error ? located(error) : String(error);
  return h(
    'div',
    { class: 'panel' },
    h('h1', null, 'Something went wrong'),
    h('p', { class: 'note bad', role: 'alert' }, text),
    h(
      'div',
      { class: 'row' },
      button('Try again', show, { class: 'primary' }),
      h('a', { class: 'button', href: '#/' }, 'Home'),
    ),
  );
}

const kept = localStorage.getItem(THEME);
if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  dispatchEvent(new Event('themechange'));
  drawHeader();
});
addEventListener('hashchange', show);
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('content')?.focus();
});
show();
