// The page modules of games, each loaded when its game is first shown.

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').GameModule} GameModule */

/** @type {Map<string, Promise<GameModule>>} */
const modules = new Map();
/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Loads something once; a failed load is retried at the next call.
 * @template T
 * @param {Map<string, Promise<T>>} loaded
 * @param {string} name
 * @param {() => Promise<T>} load
 */
function once(loaded, name, load) {
  const known = loaded.get(name);
  if (known) return known;
  const loading = load();
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

/**
 * The module of a game, or an empty one: the page then draws its sprites and takes input from its keys.
 * @param {GameInfo} game
 * @returns {Promise<GameModule>}
 */
export function moduleOf({ name, page }) {
  return once(modules, name, async () =>
    page.includes('page.js') ? (await import(`./games/${name}/page.js`)).default : {},
  );
}

/**
 * The module of a game, with its stylesheet in place: for pages that show more of the game than its board.
 * @param {GameInfo} game
 */
export async function styledModuleOf(game) {
  const [module] = await Promise.all([moduleOf(game), once(styles, game.name, () => addStyle(game))]);
  return module;
}

/** @param {GameInfo} game @returns {Promise<void>} */
async function addStyle({ name, page }) {
  if (!page.includes('style.css')) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL(`./games/${name}/style.css`, import.meta.url).href;
  const settled = new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
  document.head.append(link);
  // A missing stylesheet does not fail the page.
  await settled;
}
