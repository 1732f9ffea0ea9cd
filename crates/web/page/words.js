// Sentences about results and actions.

import { outside, parseMove } from './draw-siam.js';

/** @typedef {import('./types').Over} Over */

/**
 * @param {Over} over
 * @param {string[]} seats
 */
export function resultText(over, seats) {
  const winner = over.result.findIndex((result) => result === 'win');
  const outcome = winner >= 0 ? (seats.length > 1 ? `${seats[winner]} wins` : 'won') : { loss: 'lost', draw: 'draw', limit: 'out of turns', win: 'won' }[over.result[0] ?? 'limit'];
  return over.reason ? `${outcome}: ${over.reason}` : outcome;
}

/**
 * What the player reads at the end.
 * @param {Over} over
 * @param {number[]} own the seats of people
 */
export function verdict(over, own) {
  if (own.length !== 1) {
    const winner = over.result.findIndex((result) => result === 'win');
    return { title: winner >= 0 ? `Seat ${winner + 1} wins` : 'A draw', kind: 'info', won: winner >= 0 };
  }
  const result = over.result[own[0]];
  if (result === 'win') return { title: 'You won!', kind: 'good', won: true };
  if (result === 'draw') return { title: 'A draw', kind: 'info', won: false };
  if (result === 'limit') return { title: 'Out of turns', kind: 'warn', won: false };
  return { title: 'You lost', kind: 'bad', won: false };
}

/** @type {Record<string, [number, number]>} */
const STEPS = { up: [0, -1], north: [0, -1], down: [0, 1], south: [0, 1], left: [-1, 0], west: [-1, 0], right: [1, 0], east: [1, 0] };

/**
 * Arrows for an action that goes somewhere.
 * @param {string} action
 * @param {import('./types').Frame} frame
 * @param {import('./types').Sprite[]} sprites
 * @returns {import('./types').Arrow[]}
 */
export function hintArrows(action, frame, sprites) {
  const move = parseMove(action);
  if (move) return move.to ? [{ from: move.from ?? outside(move.to, move.facing), to: move.to, label: action }] : [];
  const [first, last] = [action.split(' ')[0], action.split(/[ _-]/).at(-1) ?? ''];
  const step = STEPS[last];
  const robot = frame.pieces.find((piece) => sprites[piece[3]].name === 'robot' && sprites[piece[3]].colour === (first === 'silver' ? 'white' : first));
  const hero = robot ?? frame.pieces.reduce((low, piece) => (piece[0] < low[0] ? piece : low));
  if (!step || !hero) return [];
  return [{ from: [hero[1], hero[2]], to: [hero[1] + step[0] * 1.6, hero[2] + step[1] * 1.6] }];
}
