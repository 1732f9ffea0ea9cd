// The play page: settings of the game, and the desk on which it is played.

import { field, fill, h, select, tabs } from './dom.js';
import { dropGame, keepGame, keptGame } from './kept.js';
import { styledModuleOf } from './modules.js';
import { ApiError, gameNamed, games, hasSession, post } from './net.js';
import { PieceHand } from './piece-hand.js';
import { PlayDesk } from './play-desk.js';
import {
  agentChoices,
  gameTabs,
  levelFields,
  levelNames,
  readSetup,
  seatName,
  sessionRequest,
  setupRoute,
  thinkField,
} from './setup.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').GameModule} GameModule */
/** @typedef {import('./types').RouteParams} RouteParams */
/** @typedef {import('./setup').Setup} Setup */

/** How often a game under way is kept, in milliseconds. */
const KEEP_MS = 1000;

/**
 * `#/play/GAME?rules=&level=&seed=&seats=`. A game with rounds is played in rounds unless the address names a level.
 * @param {HTMLElement} root
 * @param {RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const all = await games();
  const game = await gameNamed(params.path[0]);
  const head = h('div', { class: 'page-head' }, h('h1', null, 'Play'), gameTabs('play', all, game.name));
  const single = ['level', 'z', 'rules', 'seats'].some((name) => params.query.has(name));
  const module = await styledModuleOf(game);
  const modes = module.rounds ? roundsOrLevels(game, module.rounds, single) : null;
  if (module.rounds && !single) {
    const body = h('div');
    fill(root, head, modes, body);
    return module.rounds.mount(body, game, params.query);
  }
  const setup = await readSetup(game, params.query, module.seats ?? ['human', 'original']);
  const route = setupRoute('play', game, setup, {}, params.query);
  const request = sessionRequest(game, setup);
  const ticket = (await resumed(route)) ?? (await post('/api/sessions', request));
  /** @param {Setup} next */
  const go = (next) => {
    location.hash = setupRoute('play', game, next, {}, params.query);
  };
  const desk = new PlayDesk(game, module, {
    setup,
    ticket,
    hand: await handFor(game, module),
    next: nextLevel(game, setup),
    go,
    edit: setupRoute('edit', game, setup, {}, params.query),
    lost: () => dispatchEvent(new HashChangeEvent('hashchange')),
  });
  fill(root, head, modes, desk.layout(await settings(game, module, setup, go)));
  const kept = { route, request, ...ticket, title: `${game.title}, ${levelTitle(setup)}` };
  const keepNow = () => keep(kept, desk.session);
  const timer = setInterval(keepNow, KEEP_MS);
  addEventListener('pagehide', keepNow);
  return () => {
    clearInterval(timer);
    removeEventListener('pagehide', keepNow);
    keepNow();
    desk.close();
    // A game without moves is deleted; others can still be watched.
    if (desk.session.last < 1) desk.session.end();
  };
}

/**
 * The game that was left at this address: as it is on the server, or continued from its moves if the server no longer has it.
 * @param {string} route
 * @returns {Promise<import('./types').Ticket | null>}
 */
async function resumed(route) {
  const kept = keptGame(route);
  if (!kept) return null;
  if (await hasSession(kept.id)) return { id: kept.id, key: kept.key };
  try {
    return await post('/api/sessions', { ...kept.request, moves: kept.moves });
  } catch (error) {
    // Another version of the program may play by other rules: then the game begins anew.
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    dropGame(route);
    return null;
  }
}

/**
 * Keeps a game for another visit, unless it is over or has not begun.
 * @param {Omit<import('./kept').KeptGame, 'moves' | 'turn'>} game
 * @param {import('./net').Session} session
 */
function keep(game, session) {
  if (session.over || session.last < 1) return dropGame(game.route);
  const moves = session.frames.slice(1).map((frame) => frame?.decision?.action ?? '');
  // Older moments may still be on their way.
  if (!moves.every(Boolean) || !session.frames[0]) return;
  keepGame({ ...game, moves, turn: session.frames.at(-1)?.turn ?? 0 });
}

/** @param {Setup} setup */
function levelTitle({ level }) {
  return 'name' in level ? level.name : 'a level of yours';
}

/**
 * @param {GameInfo} game
 * @param {NonNullable<GameModule['rounds']>} rounds
 * @param {boolean} single
 */
function roundsOrLevels(game, { tab, levelsTab }, single) {
  return h(
    'div',
    { class: 'modes' },
    tabs(
      [
        { name: 'rounds', text: tab, href: `#/play/${game.name}` },
        { name: 'levels', text: levelsTab, href: `#/play/${game.name}?rules=${game.rules[0].name}` },
      ],
      single ? 'levels' : 'rounds',
      null,
      'How to play',
    ),
  );
}

/** The input beside the board, for games that need more than keys. @param {GameInfo} game @param {GameModule} module */
async function handFor(game, module) {
  if (module.hand) return module.hand();
  return game.pieces.length ? new PieceHand(game.pieces) : null;
}

/**
 * The setup with the next level of the list.
 * @param {GameInfo} game
 * @param {Setup} setup
 * @returns {Setup | null}
 */
function nextLevel(game, setup) {
  if (!('name' in setup.level)) return null;
  const names = levelNames(game, setup.rules);
  const at = names.indexOf(setup.level.name);
  return at >= 0 && at + 1 < names.length ? { ...setup, level: { name: names[at + 1] } } : null;
}

/**
 * @param {GameInfo} game
 * @param {GameModule} module
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
async function settings(game, module, setup, go) {
  const seats = setup.seats.length > 1 ? ((await module.seatFields?.(setup, go)) ?? seatFields(game, setup, go)) : [];
  const more = (await module.levelFields?.(game, setup)) ?? [];
  const thinks = setup.seats.some((name) => name !== 'human');
  return h(
    'details',
    { class: 'panel settings', open: innerWidth > 900 },
    h('summary', null, 'Game'),
    h(
      'div',
      { class: 'stack' },
      ...seats,
      ...levelFields(game, setup, go),
      ...more,
      thinks ? thinkField(setup, go) : null,
      h(
        'div',
        { class: 'row' },
        h(
          'a',
          {
            class: 'button',
            href: setupRoute(
              'watch',
              game,
              { ...setup, seats: setup.seats.map(() => 'best') },
              {},
              new URLSearchParams(location.hash.split('?')[1]),
            ),
          },
          'Watch the best agent here',
        ),
      ),
    ),
  );
}

/**
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
function seatFields(game, setup, go) {
  return setup.seats.map((sitter, seat) =>
    field(
      seatName(game, setup.rules, seat),
      select(
        [['human', 'you'], ...agentChoices(game, seat)],
        sitter,
        (name) => go({ ...setup, seats: setup.seats.map((old, index) => (index === seat ? name : old)) }),
        { 'data-choice': `seat${seat}` },
      ),
    ),
  );
}
