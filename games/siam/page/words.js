// The engine's scores in words.

/** @typedef {'E' | 'R'} Side */

/** A score above this is a forced win, {@link WIN} minus the number of plies. */
const WIN_BOUND = 29_000;
const WIN = 30_000;
/** The score at which the odds are e to 1. */
const UNIT = 200;

/** @param {Side} side */
export function nameOf(side) {
  return side === 'E' ? 'elephants' : 'rhinos';
}

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === 'E' ? 'R' : 'E';
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** The winner and the plies of a forced win; null if there is none. @param {number} score for the side to move @param {Side} side */
export function forced(score, side) {
  if (Math.abs(score) <= WIN_BOUND) return null;
  return { winner: score > 0 ? side : other(side), plies: WIN - Math.abs(score) };
}

/** A score for the list of lines: the winner and the plies, or the odds of the elephants. @param {number} score @param {Side} side */
export function shortWorth(score, side) {
  const end = forced(score, side);
  if (end) return `${end.winner} in ${end.plies}`;
  const elephants = side === 'E' ? score : -score;
  return `${elephants > 0 ? '+' : elephants < 0 ? '−' : ''}${(Math.abs(elephants) / UNIT).toFixed(2)}`;
}

/** The elephants' share of the evaluation bar. @param {number} score @param {Side} side */
export function elephantsShare(score, side) {
  const end = forced(score, side);
  if (end) return end.winner === 'E' ? 1 : 0;
  const elephants = side === 'E' ? score : -score;
  return 1 / (1 + Math.exp(-elephants / UNIT));
}

/** A proof (`win 5` or `loss 4` for the side to move) in words. @param {string} proof @param {Side} side */
export function proofText(proof, side) {
  const [kind, plies] = proof.split(' ');
  const winner = kind === 'win' ? side : other(side);
  return `Proven: the ${nameOf(winner)} win in ${counted(Number(plies), 'ply', 'plies')}.`;
}
