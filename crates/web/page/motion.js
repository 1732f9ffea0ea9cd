// Animation between two pictures: what moved, and along which path.

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Point} Point */
/** @typedef {import('./types').Sprite} Sprite */
/** @typedef {import('./types').Dir} Dir */
/** @typedef {import('./types').Look} Look */

/**
 * A piece or loose tile and its path, from the first point to the last. A `fade` vanishes at the first and appears at the last.
 * @typedef {{key: string, sprite: Sprite, path: Point[], kind: 'rest' | 'slide' | 'fade' | 'new' | 'gone' | 'fall', facing: Dir}} Mover
 */

/** Longer moves fade, unless the game knows their route. */
const NEAR = 2;

/** @type {Record<string, Dir>} */
const HEADING = { '0,-1': 'north', '1,0': 'east', '0,1': 'south', '-1,0': 'west' };

/**
 * The direction of a move from one point to another.
 * @param {Point} from
 * @param {Point} to
 * @param {Dir} fallback
 * @returns {Dir}
 */
export function heading(from, to, fallback) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const key = Math.abs(dx) >= Math.abs(dy) ? `${Math.sign(dx)},0` : `0,${Math.sign(dy)}`;
  return HEADING[key] ?? fallback;
}

/** @param {import('./types').Piece} piece @returns {Point} */
const placeOf = ([, x, y]) => [x, y];

/**
 * Matches the pieces of two pictures by their ids.
 * @param {Picture | null} before
 * @param {Picture} after
 * @param {Look} look
 * @param {string | undefined} action
 * @param {Map<string, Dir>} facings the last facing of each piece, kept from move to move
 * @returns {Mover[]}
 */
export function matchPieces(before, after, look, action, facings) {
  const old = new Map((before?.pieces ?? []).map((piece) => [piece[0], piece]));
  const movers = after.pieces.map((piece) => {
    const [id] = piece;
    const was = old.get(id);
    old.delete(id);
    const from = was ? placeOf(was) : before && action ? (look.entry?.(placeOf(piece), action) ?? null) : null;
    return moverOf(`p${id}`, after.sprites[piece[3]], from, placeOf(piece), { after, look, facings, first: !before });
  });
  const gone = Array.from(old.values(), (piece) =>
    goneMover(piece, /** @type {Picture} */ (before), look, action, facings),
  );
  return [...movers, ...gone];
}

/**
 * A piece that left the board.
 * @param {import('./types').Piece} piece
 * @param {Picture} before
 * @param {Look} look
 * @param {string | undefined} action
 * @param {Map<string, Dir>} facings
 * @returns {Mover}
 */
function goneMover(piece, before, look, action, facings) {
  const [id] = piece;
  const from = placeOf(piece);
  const sprite = before.sprites[piece[3]];
  const to = action ? look.exit?.(from, action) : undefined;
  return {
    key: `gone${id}`,
    sprite,
    path: to ? [from, to] : [from],
    kind: 'gone',
    facing: sprite.facing ?? facings.get(`p${id}`) ?? 'east',
  };
}

/**
 * @param {string} key
 * @param {Sprite} sprite
 * @param {Point | null} from
 * @param {Point} to
 * @param {{after: Picture, look: Look, facings: Map<string, Dir>, first: boolean}} context
 * @returns {Mover}
 */
function moverOf(key, sprite, from, to, { after, look, facings, first }) {
  const facing = sprite.facing ?? (from ? heading(from, to, facings.get(key) ?? 'east') : (facings.get(key) ?? 'east'));
  facings.set(key, facing);
  if (!from) return { key, sprite, path: [to], kind: first ? 'rest' : 'new', facing };
  const dx = Math.abs(to[0] - from[0]);
  const dy = Math.abs(to[1] - from[1]);
  if (dx + dy === 0) return { key, sprite, path: [to], kind: 'rest', facing };
  const corners = look.route?.(after, sprite, from, to);
  if (corners) return { key, sprite, path: [from, ...corners, to], kind: 'slide', facing };
  if (dx + dy > NEAR) return { key, sprite, path: [from, to], kind: 'fade', facing };
  return { key, sprite, path: [from, to], kind: 'slide', facing };
}

/**
 * Matches loose tiles (rocks, diamonds) that moved to a neighbouring cell. In a column that falls together every tile moves, though only
 * the ends of the column change.
 * @param {Picture} before
 * @param {Picture} after
 * @param {ReadonlySet<string>} loose
 * @param {Set<number>} falling cells whose tile fell there in the move before
 * @returns {Mover[]}
 */
export function matchTiles(before, after, loose, falling) {
  if (before.size[0] !== after.size[0] || before.size[1] !== after.size[1]) return [];
  const [width, height] = after.size;
  /** @param {Picture} picture @param {number} cell */
  const name = (picture, cell) => picture.sprites[picture.tiles[cell]]?.name ?? '';
  /** @type {Map<number, string>} */
  const appeared = new Map();
  /** @type {[number, string][]} */
  const vanished = [];
  for (let cell = 0; cell < after.tiles.length; cell++) {
    if (before.tiles[cell] === after.tiles[cell]) continue;
    const [was, is] = [name(before, cell), name(after, cell)];
    if (was === is) continue;
    if (loose.has(was)) vanished.push([cell, was]);
    if (loose.has(is)) appeared.set(cell, is);
  }
  const fell = new Set(falling);
  falling.clear();
  /** @type {Mover[]} */
  const movers = [];
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    const sprite = after.sprites[after.tiles[to]];
    const down = to === from + width;
    movers.push({
      key: `t${to}`,
      sprite,
      facing: 'south',
      kind: down && !fell.has(from) ? 'fall' : 'slide',
      path: [
        [from % width, Math.floor(from / width)],
        [to % width, Math.floor(to / width)],
      ],
    });
    if (to > from + 1) falling.add(to);
  };
  /** @param {number} from @param {string} what */
  const takeColumn = (from, what) => {
    let end = from + width;
    while (end < width * height && !appeared.has(end) && name(before, end) === what && name(after, end) === what)
      end += width;
    if (appeared.get(end) !== what) return false;
    appeared.delete(end);
    for (let cell = from; cell < end; cell += width) move(cell, cell + width);
    return true;
  };
  const rest = vanished.filter(([from, what]) => !takeColumn(from, what));
  for (const [from, what] of rest) {
    const x = from % width;
    const sides = [x > 0 ? -1 : 0, x < width - 1 ? 1 : 0].filter(Boolean);
    const to = sides.flatMap((side) => [from + side, from + side + width]).find((cell) => appeared.get(cell) === what);
    if (to === undefined) continue;
    appeared.delete(to);
    move(from, to);
  }
  return movers;
}

/**
 * The length of a path, in cells.
 * @param {Point[]} path
 */
export function pathLength(path) {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += Math.hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]);
  return sum;
}

/**
 * The point after a part of the path, and the direction of the move there.
 * @param {Point[]} path
 * @param {number} part from 0 to 1
 * @returns {{at: Point, step: Point}}
 */
export function along(path, part) {
  if (path.length === 1) return { at: path[0], step: [0, 0] };
  let left = pathLength(path) * part;
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1], path[i]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (left <= length || i === path.length - 1) {
      const t = length ? Math.min(1, left / length) : 1;
      return {
        at: [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t],
        step: [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])],
      };
    }
    left -= length;
  }
  return { at: path[path.length - 1], step: [0, 0] };
}
