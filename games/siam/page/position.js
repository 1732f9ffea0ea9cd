// The editor's fields for a position: the side to move and the number of plies.

import { field, h, select } from '../../dom.js';
import { header } from '../../edit-text.js';
import { WIDTH } from './notation.js';

/** @typedef {import('../../edit-text.js').Drawing} Drawing */

/** The number of animals of a side, unless the level sets fewer. */
const ANIMALS = 5;

/** @param {Drawing} drawing @returns {{ side: string, ply: number }} */
function turnOf({ tail }) {
  const [side, ply] = (tail.find((line) => !line.trimStart().startsWith(';')) ?? '').trim().split(/\s+/);
  return { side: side === 'R' ? 'R' : 'E', ply: Number(ply) || 0 };
}

/** @param {Drawing} drawing @param {string} side @param {number} ply @returns {Drawing} */
function withTurn(drawing, side, ply) {
  return { ...drawing, tail: [`${side} ${ply}`] };
}

/**
 * The labels that the board needs to draw the animals in hand.
 * @param {Drawing} drawing
 * @returns {[string, string][]}
 */
function handLabels(drawing) {
  const { side, ply } = turnOf(drawing);
  const all = Number(header(drawing, 'animals') ?? ANIMALS);
  const symbols = drawing.rows.flat();
  const hand = (/** @type {string} */ kinds) =>
    String(Math.max(0, all - symbols.filter((symbol) => kinds.includes(symbol)).length));
  return [
    ['ply', String(ply)],
    ['turn', `${side === 'E' ? 'elephants' : 'rhinos'} to move`],
    ['elephants in hand', hand('NESW')],
    ['rhinos in hand', hand('nesw')],
  ];
}

/**
 * @param {Drawing} drawing
 * @param {(changed: Drawing) => void} keep
 */
function turnFields(drawing, keep) {
  const { side, ply } = turnOf(drawing);
  const plies = h('input', { type: 'number', min: 0, max: 999, value: String(ply), 'data-header': 'ply' });
  plies.addEventListener('change', () => keep(withTurn(drawing, side, Number(plies.value))));
  const sides = select(
    [
      ['E', 'Elephants'],
      ['R', 'Rhinos'],
    ],
    side,
    (chosen) => keep(withTurn(drawing, chosen, ply)),
    { 'data-header': 'side' },
  );
  return [field('To move', sides), field('Plies played', plies)];
}

/** What SIAM adds to the editor with brushes. @type {import('../../types').GridExtras} */
export const grid = {
  rows: WIDTH,
  headers: [{ key: 'animals', label: 'Animals of each side', placeholder: String(ANIMALS) }],
  labels: handLabels,
  fields: turnFields,
};
