// From one picture to the next: what moved, and where everything is on the way.

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Point} Point */
/** @typedef {import('./types').Sprite} Sprite */
/** @typedef {import('./types').Dir} Dir */
/** @typedef {import('./types').Look} Look */

/**
 * A thing and its way: the places from the first to the last. `fade` things vanish here and appear there, or are new or gone.
 * @typedef {{key: string, sprite: Sprite, way: Point[], kind: 'rest' | 'slide' | 'fade' | 'new' | 'gone' | 'fall', facing: Dir}} Mover
 */

/** The most cells that a piece moves in one turn, unless along a straight line. */
const NEAR = 2;

/** @type {Record<string, Dir>} */
const HEADING = { '0,-1': 'north', '1,0': 'east', '0,1': 'south', '-1,0': 'west' };

/**
 * Where one looks who goes from here to there.
 * @param {Point} from
 * @param {Point} to
 * @param {Dir} otherwise
 * @returns {Dir}
 */
export function heading(from, to, otherwise) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const key = Math.abs(dx) >= Math.abs(dy) ? `${Math.sign(dx)},0` : `0,${Math.sign(dy)}`;
  return HEADING[key] ?? otherwise;
}

/** @param {import('./types').Piece} piece @returns {Point} */
const placeOf = ([, x, y]) => [x, y];

/**
 * Pieces of two pictures, matched by their ids.
 * @param {Picture | null} before
 * @param {Picture} after
 * @param {Look} look
 * @param {string | undefined} action
 * @param {Map<string, Dir>} facings where pieces looked last, kept from move to move
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
    way: to ? [from, to] : [from],
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
  if (!from) return { key, sprite, way: [to], kind: first ? 'rest' : 'new', facing };
  const dx = Math.abs(to[0] - from[0]);
  const dy = Math.abs(to[1] - from[1]);
  if (dx + dy === 0) return { key, sprite, way: [to], kind: 'rest', facing };
  const corners = look.route?.(after, sprite, from, to);
  if (corners) return { key, sprite, way: [from, ...corners, to], kind: 'slide', facing };
  if (dx + dy > NEAR) return { key, sprite, way: [from, to], kind: 'fade', facing };
  return { key, sprite, way: [from, to], kind: 'slide', facing };
}

/**
 * Loose tiles (rocks, diamonds) that left a cell for a neighbouring one. A column that falls together moves cell by cell, though
 * only its ends change.
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
      way: [
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
 * How long a way is, in cells.
 * @param {Point[]} way
 */
export function wayLength(way) {
  let sum = 0;
  for (let i = 1; i < way.length; i++) sum += Math.hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
  return sum;
}

/**
 * The place after a part of the way, and the step being taken there.
 * @param {Point[]} way
 * @param {number} part from 0 to 1
 * @returns {{at: Point, step: Point}}
 */
export function along(way, part) {
  if (way.length === 1) return { at: way[0], step: [0, 0] };
  let left = wayLength(way) * part;
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1], way[i]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (left <= length || i === way.length - 1) {
      const t = length ? Math.min(1, left / length) : 1;
      return {
        at: [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t],
        step: [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])],
      };
    }
    left -= length;
  }
  return { at: way[way.length - 1], step: [0, 0] };
}
