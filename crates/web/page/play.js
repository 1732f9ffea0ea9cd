// Playing: chooses what is played, and puts the desk for it on the page.

import { button, field, fill, h, select, slider, tabs } from './dom.js';
import { gameNamed, games, get, post } from './net.js';
import { PlayDesk } from './play-desk.js';
import { mountRounds } from './play-rounds.js';
import { levelRoute } from './share.js';
import { agentChoices, gameTabs, levelFields, levelNames, readSetup, seatName, sessionRequest, setupRoute, thinkField } from './setup.js';

/** @typedef {import('./types').GameInfo} GameInfo */
/** @typedef {import('./types').RouteParams} RouteParams */
/** @typedef {import('./setup').Setup} Setup */

/**
 * `#/play/GAME?rules=&level=&seed=&seats=`; Rasende Roboter by rounds unless a mission is asked for.
 * @param {HTMLElement} root
 * @param {RouteParams} params
 * @returns {Promise<import('./types').Unmount>}
 */
export async function mount(root, params) {
  const all = await games();
  const game = await gameNamed(params.path[0]);
  const head = h('div', { class: 'page-head' }, h('h1', null, 'Play'), gameTabs('play', all, game.name));
  const single = ['level', 'z', 'rules', 'seats'].some((name) => params.query.has(name));
  const modes = game.name === 'ricochet' ? roundsOrMission(single) : null;
  if (modes && !single) {
    const body = h('div');
    fill(root, head, modes, body);
    return mountRounds(body, game, params.query);
  }
  const setup = await readSetup(game, params.query, sittersByDefault(game));
  const ticket = await post('/api/sessions', sessionRequest(game, setup));
  /** @param {Setup} next */
  const go = (next) => { location.hash = setupRoute('play', game, next, {}, params.query); };
  const desk = new PlayDesk(game, setup, ticket, { next: nextLevel(game, setup), go });
  fill(root, head, modes, desk.layout(settings(game, setup, go)));
  return () => {
    desk.close();
    // A game that was played can still be looked at; one that was not need not be kept.
    if (desk.session.last < 1) desk.session.end();
  };
}

/** @param {boolean} single */
function roundsOrMission(single) {
  return h('div', { class: 'modes' }, tabs([
    { name: 'rounds', text: 'Rounds against the computer', href: '#/play/ricochet' },
    { name: 'mission', text: 'Single missions', href: '#/play/ricochet?rules=standard' },
  ], single ? 'mission' : 'rounds', null, 'How to play'));
}

/** @param {GameInfo} game */
function sittersByDefault(game) {
  return game.name === 'siam' ? ['human', 'level3'] : ['human', 'original'];
}

/**
 * The level after this one in its list.
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
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
function settings(game, setup, go) {
  const seats = setup.seats.length > 1 ? (game.name === 'siam' ? siamSeats(setup, go) : seatFields(game, setup, go)) : [];
  const thinks = setup.seats.some((name) => name !== 'human');
  return h('details', { class: 'panel settings', open: innerWidth > 900 }, h('summary', null, 'Game'),
    h('div', { class: 'stack' }, ...seats, ...levelFields(game, setup, go), game.name === 'delirium' ? viewField(game, setup) : null, thinks ? thinkField(setup, go) : null,
      h('div', { class: 'row' },
        h('a', { class: 'button', href: setupRoute('watch', game, { ...setup, seats: setup.seats.map(() => 'best') }, {}, new URLSearchParams(location.hash.split('?')[1])) }, 'Watch the best agent here'))));
}

/**
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
function seatFields(game, setup, go) {
  return setup.seats.map((sitter, seat) => field(seatName(game, setup.rules, seat), select([['human', 'you'], ...agentChoices(game, seat)], sitter,
    (name) => go({ ...setup, seats: setup.seats.map((old, index) => (index === seat ? name : old)) }), { 'data-choice': `seat${seat}` })));
}

/**
 * Delirium: how far the miner sees. It is an option of the level, so the level goes on with it in the link.
 * @param {GameInfo} game
 * @param {Setup} setup
 */
function viewField(game, setup) {
  const text = async () => {
    if ('text' in setup.level) return setup.level.text;
    const [pack, seed] = setup.level.name.split('/');
    const generated = pack === 'generated';
    const level = await (generated ? post('/api/levels/generate', { game: game.name, rules: setup.rules, seed: Number(seed) }) : get(`/api/games/${game.name}/levels/${setup.level.name}`));
    return level.text;
  };
  const current = 'text' in setup.level ? /^; *view: *(\S+)/m.exec(setup.level.text)?.[1] ?? '0x0' : '0x0';
  /** @param {string} view */
  const choose = async (view) => {
    const rest = (await text()).replace(/^; *view:.*\n/m, '');
    location.hash = await levelRoute('play', game.name, { text: view === '0x0' ? rest : `; view: ${view}\n${rest}`, rules: setup.rules, seed: setup.seed });
  };
  return field('The miner sees', select([['0x0', 'the whole map'], ['8x5', '8 cells far (fog beyond)'], ['5x3', '5 cells far (fog beyond)'], ['3x2', '3 cells far (fog beyond)']], current, choose, { 'data-choice': 'view' }));
}

const LEVELS = ['level1', 'level2', 'level3', 'level4', 'level5', 'level6', 'best'];
const WORDS = ['beginner', 'novice', 'casual', 'club', 'strong', 'master', 'best'];

/**
 * SIAM: which side is yours, and how strong the other one is.
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
function siamSeats(setup, go) {
  const own = setup.seats[0] === 'human' ? (setup.seats[1] === 'human' ? 'both' : 'first') : 'second';
  const opponent = setup.seats.find((name) => name !== 'human') ?? 'level3';
  /** @param {string} side @param {string} agent */
  const seated = (side, agent) => ({ first: ['human', agent], second: [agent, 'human'], both: ['human', 'human'] })[side] ?? ['human', agent];
  const strength = slider({ min: 0, max: LEVELS.length - 1, value: Math.max(0, LEVELS.indexOf(opponent)), text: (index) => WORDS[index], label: 'Strength of the opponent' }, () => {});
  strength.querySelector('input')?.addEventListener('change', (event) => go({ ...setup, seats: seated(own, LEVELS[Number(/** @type {HTMLInputElement} */ (event.target).value)]) }));
  return [
    field('You play', select([['first', 'the side that moves first'], ['second', 'the side that moves second'], ['both', 'both sides, on one screen']], own,
      (side) => go({ ...setup, seats: seated(side, opponent) }), { 'data-choice': 'side' })),
    own === 'both' ? button('Play against the engine', () => go({ ...setup, seats: ['human', 'level3'] })) : field('Opponent', strength),
  ];
}
