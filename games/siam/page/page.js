// What SIAM adds to the page: drawings, input by clicks, opponents of different strengths, analysis and puzzles.

import { look } from './look.js';
import { outside, parseMove } from './notation.js';

/** @type {import('../../types').GameModule} */
export default {
  look,
  homeSpeed: 0.9,
  watchSpeed: 1,
  moveSound: 'push',
  seats: ['human', 'level3'],
  seatFields: async (setup, go) => (await import('./seats.js')).seatFields(setup, go),
  hand: async () => new (await import('./hand.js')).MoveHand(),
  // The trays show the animals in hand.
  hidesLabel: (name) => name.endsWith(' in hand'),
  arrows(action) {
    const move = parseMove(action);
    return move?.to ? [{ from: move.from ?? outside(move.to, move.facing), to: move.to, label: action }] : [];
  },
  grid: async () => (await import('./position.js')).grid,
  boards: [
    { name: 'siam', text: 'SIAM analysis', load: () => import('./analysis.js') },
    { name: 'puzzles', text: 'SIAM puzzles', load: () => import('./puzzles.js') },
  ],
};
