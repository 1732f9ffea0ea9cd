// The setup of a game: rules, level, seed and seats. It is kept in the address, so that it can be shared and the back button works.

import { button, field, h, select, slider, tabs } from './dom.js';
import { levelOf } from './share.js';

/** @typedef {import('./types').GameInfo} GameInfo */

/**
 * @typedef {object} Setup
 * @property {string} rules
 * @property {{name: string} | {text: string}} level
 * @property {number} seed
 * @property {string[]} seats
 * @property {number} think milliseconds per decision
 */

export const THINK_MS = 200;

/**
 * @param {GameInfo} game
 * @param {URLSearchParams} query
 * @param {string[]} sitters the default agents of the seats
 * @returns {Promise<Setup>}
 */
export async function readSetup(game, query, sitters) {
  const rules = game.rules.some((set) => set.name === query.get('rules'))
    ? /** @type {string} */ (query.get('rules'))
    : game.rules[0].name;
  const level = (await levelOf(query)) ?? { name: game.default_level[rules] ?? levelNames(game, rules)[0] };
  const asked = (query.get('seats') ?? '').split(',').filter(Boolean);
  const count = game.players[rules] ?? 1;
  const seats = Array.from({ length: count }, (_, seat) => asked[seat] ?? sitters[seat] ?? sitters[sitters.length - 1]);
  return { rules, level, seed: whole(query.get('seed'), 1), seats, think: whole(query.get('think'), THINK_MS) };
}

/**
 * @param {string | null} text
 * @param {number} fallback
 */
function whole(text, fallback) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : fallback;
}

/**
 * The body of a request for a session.
 * @param {GameInfo} game
 * @param {Setup} setup
 */
export function sessionRequest(game, setup) {
  return {
    game: game.name,
    rules: setup.rules,
    level: setup.level,
    seed: setup.seed,
    seats: setup.seats,
    think_ms: setup.think,
  };
}

/**
 * @param {string} page
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {Record<string, string>} [more]
 * @param {URLSearchParams} [query] holds the level's text, if the level is not named
 */
export function setupRoute(page, game, setup, more = {}, query = undefined) {
  const params = new URLSearchParams({
    rules: setup.rules,
    seed: String(setup.seed),
    seats: setup.seats.join(','),
    ...more,
  });
  if (setup.think !== THINK_MS) params.set('think', String(setup.think));
  if ('name' in setup.level) params.set('level', setup.level.name);
  else params.set('z', query?.get('z') ?? '');
  return `#/${page}/${game.name}?${params}`;
}

/**
 * The names of the shipped levels for these rules.
 * @param {GameInfo} game
 * @param {string} rules
 */
export function levelNames(game, rules) {
  return game.packs.flatMap((pack) =>
    pack.levels.filter((level) => level.rules.includes(rules)).map((level) => `${pack.name}/${level.name}`),
  );
}

/**
 * The agents for a seat, built in and installed.
 * @param {GameInfo} game
 * @param {number} seat
 * @returns {[string, string][]}
 */
export function agentChoices(game, seat) {
  const able = [...game.agents.filter((agent) => agent.seats.includes(seat)), ...game.installed];
  return able.map((agent) => [agent.name, `${agent.name}: ${agent.about}`]);
}

/**
 * The name of a seat.
 * @param {GameInfo} game
 * @param {string} rules
 * @param {number} seat
 */
export function seatName(game, rules, seat) {
  return game.seats?.[rules]?.[seat] ?? 'Player';
}

/**
 * Fields for rules, level and seed.
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {(setup: Setup) => void} onChange
 */
export function levelFields(game, setup, onChange) {
  const seed = h('input', {
    type: 'number',
    min: '0',
    max: '999999999',
    value: String(setup.seed),
    inputMode: 'numeric',
  });
  seed.addEventListener('change', () => onChange({ ...setup, seed: whole(seed.value, 1) }));
  return [
    game.rules.length > 1
      ? field(
          'Rules',
          select(
            game.rules.map((set) => /** @type {[string, string]} */ ([set.name, `${set.name}: ${set.about}`])),
            setup.rules,
            (rules) =>
              onChange({ ...setup, rules, level: { name: game.default_level[rules] ?? levelNames(game, rules)[0] } }),
          ),
        )
      : null,
    field('Level', levelSelect(game, setup, onChange)),
    h(
      'div',
      { class: 'pair' },
      field('Seed', seed),
      button('Another seed', () => onChange({ ...setup, seed: 1 + Math.floor(Math.random() * 99999) })),
    ),
  ];
}

/**
 * @param {GameInfo} game
 * @param {Setup} setup
 * @param {(setup: Setup) => void} onChange
 */
function levelSelect(game, setup, onChange) {
  const current = 'name' in setup.level ? setup.level.name : '';
  const list = h('select', { 'data-choice': 'level' });
  if (!current) list.append(h('option', { value: '', selected: true }, 'level from the link'));
  for (const pack of game.packs) {
    const levels = pack.levels.filter((level) => level.rules.includes(setup.rules));
    if (!levels.length) continue;
    list.append(
      h(
        'optgroup',
        { label: pack.name },
        levels.map((level) => {
          const name = `${pack.name}/${level.name}`;
          return h('option', { value: name, selected: name === current }, `${level.name} (${level.size.join('×')})`);
        }),
      ),
    );
  }
  const own = current.startsWith('generated/') ? current : '';
  list.append(
    h('optgroup', { label: 'generated' }, [
      own ? h('option', { value: own, selected: true }, own) : null,
      h('option', { value: 'new' }, own ? 'another one' : 'a new one'),
    ]),
  );
  list.addEventListener('change', () => {
    const name = list.value === 'new' ? `generated/${1 + Math.floor(Math.random() * 9999)}` : list.value;
    if (name) onChange({ ...setup, level: { name } });
  });
  return list;
}

/**
 * The field for the agents' thinking time.
 * @param {Setup} setup
 * @param {(setup: Setup) => void} onChange
 */
export function thinkField(setup, onChange) {
  const steps = [20, 50, 100, 200, 500, 1000, 2000, 5000];
  const at = Math.max(
    0,
    steps.findIndex((ms) => ms >= setup.think),
  );
  /** @param {number} index */
  const text = (index) => (steps[index] < 1000 ? `${steps[index]} ms` : `${steps[index] / 1000} s`);
  const control = slider({ min: 0, max: steps.length - 1, value: at, text, label: 'Thinking time' }, () => {});
  control
    .querySelector('input')
    ?.addEventListener('change', (event) =>
      onChange({ ...setup, think: steps[Number(/** @type {HTMLInputElement} */ (event.target).value)] }),
    );
  return field('Thinking time per move', control);
}

/**
 * The games as tabs of a page.
 * @param {string} page
 * @param {GameInfo[]} all
 * @param {string} current
 */
export function gameTabs(page, all, current) {
  const items = all.map(({ name, title }) => ({ name, text: title, href: `#/${page}/${name}` }));
  return tabs(items, current, null, 'Games');
}
