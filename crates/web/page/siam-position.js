// Squares, moves and positions of SIAM, between their text and the picture.

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Point} Point */
/** @typedef {import('./types').Arrow} Arrow */

const WIDTH = 5;
/** @type {Record<string, [number, number]>} */
const STEPS = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] };
export const SIDE_COLOURS = { E: '#1f8fa3', R: '#d9771f' };

/**
 * Where a square is in the picture: squares are 10 × row + column from the south-west.
 * @param {string} square
 * @returns {Point}
 */
export function pointOf(square) {
  return [Number(square[1]) - 1, WIDTH - Number(square[0])];
}

/**
 * A move as an arrow: from where an animal stands or comes in, to where it goes or pushes.
 * @param {string} move such as `12-13e`, `0-11n`, `11-0`
 * @param {string} colour
 * @param {string} [label]
 * @returns {Arrow}
 */
export function arrowOf(move, colour, label) {
  const [from, rest] = move.split('-');
  const step = STEPS[rest.at(-1) ?? ''] ?? [0, 0];
  if (from === '0') {
    const to = pointOf(rest);
    return { from: [to[0] - step[0] * 0.45, to[1] - step[1] * 0.45], to: [to[0] + step[0] * 0.3, to[1] + step[1] * 0.3], colour, label };
  }
  const start = pointOf(from);
  if (rest === '0') return { from: start, to: outside(start), colour, label };
  const end = pointOf(rest);
  // A turn on the spot points where the animal will look.
  const turns = start[0] === end[0] && start[1] === end[1];
  return { from: start, to: turns ? [start[0] + step[0] * 0.6, start[1] + step[1] * 0.6] : end, colour, label };
}

/** The nearest edge of the board. @param {Point} at @returns {Point} */
function outside([x, y]) {
  if (x === 0 || x === WIDTH - 1) return [x === 0 ? -0.45 : WIDTH - 0.55, y];
  return [x, y === 0 ? -0.45 : WIDTH - 0.55];
}

/**
 * The position that a picture shows, as a level.
 * @param {Picture} picture
 * @param {string[]} headers lines such as `; animals: 1`
 */
export function positionOf(picture, headers) {
  const rows = Array.from({ length: WIDTH }, () => Array.from({ length: WIDTH }, () => '.'));
  for (const [, x, y, index] of picture.pieces) rows[y][x] = symbolOf(picture.sprites[index]);
  const labels = new Map(picture.labels);
  const side = labels.get('turn')?.startsWith('rhinos') ? 'R' : 'E';
  return [...headers, `${rows.map((row) => row.join('')).join('/')} ${side} ${labels.get('ply') ?? 0}`, ''].join('\n');
}

/** @param {import('./types').Sprite} sprite */
function symbolOf({ name, facing }) {
  if (name === 'mountain') return 'M';
  const letter = (facing ?? 'north')[0];
  return name === 'elephant' ? letter.toUpperCase() : letter;
}

/** Who is to move in a picture. @param {{ labels: Picture['labels'] }} picture @returns {'E' | 'R'} */
export function sideOf(picture) {
  return new Map(picture.labels).get('turn')?.startsWith('rhinos') ? 'R' : 'E';
}
