// Fields for the player's side and the strength of the opponent.

import { button, field, select, slider } from '../../dom.js';

/** @typedef {import('../../setup').Setup} Setup */

/** The opponents, weakest first, with the names shown to players. @type {[string, string][]} */
const OPPONENTS = [
  ['level1', 'beginner'],
  ['level2', 'novice'],
  ['level3', 'casual'],
  ['level4', 'club'],
  ['level5', 'strong'],
  ['level6', 'master'],
  ['best', 'best'],
];
const DEFAULT = 'level3';

/**
 * @param {string} side
 * @param {string} agent
 */
function seated(side, agent) {
  if (side === 'both') return ['human', 'human'];
  return side === 'second' ? [agent, 'human'] : ['human', agent];
}

/**
 * @param {Setup} setup
 * @param {(setup: Setup) => void} go
 */
export function seatFields(setup, go) {
  const [first, second] = setup.seats;
  const own = first !== 'human' ? 'second' : second === 'human' ? 'both' : 'first';
  const opponent = setup.seats.find((name) => name !== 'human') ?? DEFAULT;
  const at = Math.max(
    0,
    OPPONENTS.findIndex(([name]) => name === opponent),
  );
  const strength = slider(
    {
      min: 0,
      max: OPPONENTS.length - 1,
      value: at,
      text: (index) => OPPONENTS[index][1],
      label: 'Strength of the opponent',
    },
    () => {},
  );
  strength.querySelector('input')?.addEventListener('change', (event) => {
    const [agent] = OPPONENTS[Number(/** @type {HTMLInputElement} */ (event.target).value)];
    go({ ...setup, seats: seated(own, agent) });
  });
  return [
    field(
      'You play',
      select(
        [
          ['first', 'the side that moves first'],
          ['second', 'the side that moves second'],
          ['both', 'both sides, on one screen'],
        ],
        own,
        (side) => go({ ...setup, seats: seated(side, opponent) }),
        { 'data-choice': 'side' },
      ),
    ),
    own === 'both'
      ? button('Play against the engine', () => go({ ...setup, seats: seated('first', DEFAULT) }))
      : field('Opponent', strength),
  ];
}
