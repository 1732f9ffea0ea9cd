// Conversion of squares and moves of SIAM between notation and picture.

/** @typedef {import('../../types').Point} Point */
/** @typedef {import('../../types').Dir} Dir */
/** @typedef {import('../../types').Arrow} Arrow */
/** @typedef {{from: Point | null, to: Point | null, facing: Dir | null}} Move */

export const WIDTH = 5;
export const SIDE_COLOURS = { E: '#1f8fa3', R: '#d9771f' };

/** @type {Record<Dir, Point>} */
export const STEP = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };
/** @type {Record<string, Dir>} */
const FACING = { n: 'north', e: 'east', s: 'south', w: 'west' };

/**
 * The point of a square in the picture: squares are 10 × row + column from the south-west.
 * @param {string} square
 * @returns {Point}
 */
export function pointOf(square) {
  return [Number(square[1]) - 1, WIDTH - Number(square[0])];
}

/** The number of a square. @param {Point} at */
export function squareName([x, y]) {
  return `${WIDTH - y}${x + 1}`;
}

/** @param {Point | null} one @param {Point | null} other */
export function same(one, other) {
  return one === null || other === null ? one === other : one[0] === other[0] && one[1] === other[1];
}

/**
 * Parses a move such as `0-11n`, `12-13e` or `11-0`; squares off the board are null.
 * @param {string} action
 * @returns {Move | null}
 */
export function parseMove(action) {
  const parts = /^(\d+)-(\d+)([nesw]?)$/.exec(action);
  if (!parts) return null;
  /** @param {string} name */
  const place = (name) => (name === '0' ? null : pointOf(name));
  return { from: place(parts[1]), to: place(parts[2]), facing: FACING[parts[3]] ?? null };
}

/**
 * The point off the board next to a border square, behind the animal if possible.
 * @param {Point} at
 * @param {Dir | null} facing
 * @returns {Point}
 */
export function outside([x, y], facing) {
  const off = (/** @type {Point} */ [px, py]) => px < 0 || py < 0 || px >= WIDTH || py >= WIDTH;
  const around = Object.entries(STEP)
    .map(([dir, [dx, dy]]) => ({ dir, at: /** @type {Point} */ ([x - dx, y - dy]) }))
    .filter((one) => off(one.at));
  return (around.find((one) => one.dir === facing) ?? around[0])?.at ?? [x, y];
}

/** @param {Point} at @param {Point} step @param {number} by @returns {Point} */
function shifted([x, y], [dx, dy], by) {
  return [x + dx * by, y + dy * by];
}

/**
 * A move as an arrow, from the animal's square, or from outside the board, to its target. A turn in place points in the new facing.
 * @param {string} action
 * @param {string} [colour]
 * @param {string} [label]
 * @returns {Arrow}
 */
export function arrowOf(action, colour, label) {
  const { from, to, facing } = parseMove(action) ?? { from: null, to: null, facing: null };
  const step = facing ? STEP[facing] : /** @type {Point} */ ([0, 0]);
  if (!from) return { from: shifted(to ?? [0, 0], step, -0.45), to: shifted(to ?? [0, 0], step, 0.3), colour, label };
  if (!to) return { from, to: edgeOf(from), colour, label };
  return { from, to: same(from, to) ? shifted(from, step, 0.6) : to, colour, label };
}

/** The nearest edge of the board. @param {Point} at @returns {Point} */
function edgeOf([x, y]) {
  if (x === 0 || x === WIDTH - 1) return [x === 0 ? -0.45 : WIDTH - 0.55, y];
  return [x, y === 0 ? -0.45 : WIDTH - 0.55];
}

/** The side to move in a position such as `...../...../.MMM./...../..... E 0`. @param {string} position @returns {'E' | 'R'} */
export function sideOf(position) {
  return position.trimEnd().split(' ').at(-2) === 'R' ? 'R' : 'E';
}
