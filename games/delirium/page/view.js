// How far the miner sees: an option of the level, offered beside the board.

import { field, select } from '../../dom.js';
import { get, post } from '../../net.js';
import { levelRoute } from '../../share.js';

/** Values of the header `view`, with what they mean. @type {[string, string][]} */
const VIEWS = [
  ['0x0', 'the whole map'],
  ['8x5', '8 cells far (fog beyond)'],
  ['5x3', '5 cells far (fog beyond)'],
  ['3x2', '3 cells far (fog beyond)'],
];

/**
 * The text of the level that is played.
 * @param {import('../../types').GameInfo} game
 * @param {import('../../setup').Setup} setup
 * @returns {Promise<string>}
 */
async function textOf(game, { level, rules }) {
  if ('text' in level) return level.text;
  const [pack, seed] = level.name.split('/');
  const generated = pack === 'generated';
  const answer = generated
    ? post('/api/levels/generate', { game: game.name, rules, seed: Number(seed) })
    : get(`/api/games/${game.name}/levels/${level.name}`);
  return (await answer).text;
}

/**
 * How far the miner sees. It is a header of the level, so the level goes on with it in the link.
 * @param {import('../../types').GameInfo} game
 * @param {import('../../setup').Setup} setup
 */
export function viewField(game, setup) {
  const { level, rules, seed } = setup;
  const current = 'text' in level ? (/^; *view: *(\S+)/m.exec(level.text)?.[1] ?? VIEWS[0][0]) : VIEWS[0][0];
  /** @param {string} view */
  const choose = async (view) => {
    const rest = (await textOf(game, setup)).replace(/^; *view:.*\n/m, '');
    const text = view === VIEWS[0][0] ? rest : `; view: ${view}\n${rest}`;
    location.hash = await levelRoute('play', game.name, { text, rules, seed });
  };
  return field('The miner sees', select(VIEWS, current, choose, { 'data-choice': 'view' }));
}
