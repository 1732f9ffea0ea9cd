// Texts of results, and arrows for actions.

/** @typedef {import('./types').Over} Over */
/** @typedef {import('./types').Frame} Frame */
/** @typedef {import('./types').Piece} Piece */

/**
 * @param {Over} over
 * @param {string[]} seats
 */
export function resultText(over, seats) {
  const winner = over.result.indexOf('win');
  const outcome =
    winner >= 0
      ? seats.length > 1
        ? `${seats[winner]} wins`
        : 'won'
      : { loss: 'lost', draw: 'draw', limit: 'out of turns', win: 'won' }[over.result[0] ?? 'limit'];
  const result = over.reason ? `${outcome}: ${over.reason}` : outcome;
  return [result, ...(over.substituted ?? [])].join(' · ');
}

/**
 * The result as shown to the player.
 * @param {Over} over
 * @param {number[]} own the seats of people
 */
export function verdict(over, own) {
  if (own.length !== 1) {
    const winner = over.result.indexOf('win');
    return { title: winner >= 0 ? `Seat ${winner + 1} wins` : 'A draw', kind: 'info', won: winner >= 0 };
  }
  const result = over.result[own[0]];
  if (result === 'win') return { title: 'You won!', kind: 'good', won: true };
  if (result === 'draw') return { title: 'A draw', kind: 'info', won: false };
  if (result === 'limit') return { title: 'Out of turns', kind: 'warn', won: false };
  return { title: 'You lost', kind: 'bad', won: false };
}

/** @type {Record<string, [number, number]>} */
const STEPS = {
  up: [0, -1],
  north: [0, -1],
  down: [0, 1],
  south: [0, 1],
  left: [-1, 0],
  west: [-1, 0],
  right: [1, 0],
  east: [1, 0],
};

/**
 * Arrows for an action that is named after a direction, or ends with one.
 * @param {string} action
 * @param {Frame} frame
 * @param {Piece} [piece] the one that moves
 * @returns {import('./types').Arrow[]}
 */
export function stepArrows(action, frame, piece = lowestPiece(frame)) {
  const step = STEPS[action.split(/[ _-]/).at(-1) ?? ''];
  if (!step || !piece) return [];
  return [{ from: [piece[1], piece[2]], to: [piece[1] + step[0] * 1.6, piece[2] + step[1] * 1.6] }];
}

/** The piece with the lowest id: the player's, in games where a player has only one. @param {Frame} frame @returns {Piece | undefined} */
export function lowestPiece(frame) {
  return frame.pieces.toSorted((one, other) => one[0] - other[0])[0];
}
