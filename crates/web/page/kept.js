// What this browser keeps between visits: drafts of levels, games under way, and how one likes to play.

/** @typedef {{rules: string, text: string}} Draft */
/**
 * A game under way. `request` and `moves` are enough to continue it on a server that no longer has it.
 * @typedef {object} KeptGame
 * @property {string} route its address on the page
 * @property {string} id
 * @property {string} key
 * @property {Record<string, any>} request the request that began it
 * @property {string[]} moves the actions of all seats so far
 * @property {string} title
 * @property {number} turn
 */

const PREFIX = 'damier-';
/** Most games that are kept. */
const MOST_GAMES = 12;

/**
 * @param {string} name
 * @param {any} fallback
 */
function read(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null') ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage keeps nothing; the page works without.
  }
}

/** @param {string} game @returns {Draft | null} */
export function draftOf(game) {
  const draft = read(`draft-${game}`, null);
  return typeof draft?.text === 'string' && typeof draft?.rules === 'string' ? draft : null;
}

/** @param {string} game @param {Draft} draft */
export function keepDraft(game, draft) {
  write(`draft-${game}`, draft);
}

/** The games under way, the newest first. @returns {KeptGame[]} */
export function keptGames() {
  const games = read('games', []);
  return Array.isArray(games) ? games : [];
}

/** @param {string} route @returns {KeptGame | null} */
export function keptGame(route) {
  return keptGames().find((game) => game.route === route) ?? null;
}

/** @param {KeptGame} game */
export function keepGame(game) {
  write('games', [game, ...keptGames().filter(({ route }) => route !== game.route)].slice(0, MOST_GAMES));
}

/** @param {string} route */
export function dropGame(route) {
  write(
    'games',
    keptGames().filter((game) => game.route !== route),
  );
}

/** How a game is played in real time. @param {string} game @returns {{waits?: boolean, pace?: number}} */
export function paceOf(game) {
  return read(`pace-${game}`, {});
}

/** @param {string} game @param {{waits: boolean, pace: number}} pace */
export function keepPace(game, pace) {
  write(`pace-${game}`, pace);
}
