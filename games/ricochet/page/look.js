// Rasende Roboter: wooden squares, thin walls, five robots with letters.

import { disc, easeInOut, grain, letter, line, oval, shape, slab, turns } from '../../draw-common.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('../../types').Point} Point */
/** @typedef {import('../../types').Picture} Picture */

/** @type {Record<string, string>} */
const LETTERS = { red: 'R', green: 'G', blue: 'B', yellow: 'Y', white: 'S', purple: '★' };

/**
 * @param {Ctx} ctx
 * @param {import('../../types').Palette} palette
 * @param {number} x
 * @param {number} y
 */
function floor(ctx, palette, x, y) {
  const even = (x + y) % 2 === 0;
  const [light, deep] = palette.dark ? ['#3d3025', '#362a20'] : ['#f0dfc0', '#e9d5b1'];
  ctx.fillStyle = even ? light : deep;
  ctx.fillRect(0, 0, 1, 1);
  ctx.globalAlpha = 0.07;
  for (let i = 0; i < 3; i++) {
    const h = 0.15 + 0.3 * i + grain(x, y, i) * 0.15;
    line(ctx, [0, h, 1, h + (grain(x, y, i + 9) - 0.5) * 0.1], 0.03, palette.dark ? '#ffdfb5' : '#5b3a1c');
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.dark ? '#00000055' : '#b9965f66';
  ctx.lineWidth = 0.03;
  ctx.strokeRect(0, 0, 1, 1);
}

/** The text colour on a background colour. @param {string} name the background's name */
function inkOn(name) {
  return name === 'yellow' || name === 'white' ? '#33240a' : '#fff';
}

/**
 * The symbols of targets, one unit wide, around the origin.
 * @type {Record<string, (ctx: Ctx, colour: string) => void>}
 */
const SYMBOLS = {
  triangle: (ctx, colour) => shape(ctx, [0, -0.5, 0.54, 0.42, -0.54, 0.42], colour),
  square: (ctx, colour) => slab(ctx, -0.43, -0.43, 0.86, 0.86, 0.06, colour),
  circle: (ctx, colour) => disc(ctx, 0, 0, 0.48, colour),
  plus(ctx, colour) {
    const [a, b] = [0.18, 0.5];
    shape(ctx, [-a, -b, a, -b, a, -a, b, -a, b, a, a, a, a, b, -a, b, -a, a, -b, a, -b, -a, -a, -a], colour);
  },
  spiral(ctx, colour) {
    const points = Array.from({ length: 40 }, (_, step) => step / 39).flatMap((part) => {
      const [angle, radius] = [part * 4.5 * Math.PI, 0.45 * part];
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    line(ctx, points, 0.12, colour);
  },
};

/**
 * @param {Ctx} ctx
 * @param {string} name
 * @param {number} size
 * @param {string} colour
 */
function symbol(ctx, name, size, colour) {
  ctx.save();
  ctx.translate(0.5, 0.5);
  ctx.scale(size, size);
  SYMBOLS[name](ctx, colour);
  ctx.restore();
}

/**
 * The target of the mission: its symbol, or the robot's letter on boards without symbols.
 * @param {Ctx} ctx
 * @param {import('../../types').Sprite} sprite
 * @param {string} colour
 */
function target(ctx, sprite, colour) {
  const [name] = sprite.name.split(' ');
  disc(ctx, 0.5, 0.5, 0.45, colour);
  disc(ctx, 0.5, 0.5, 0.39, '#fff8ea');
  disc(ctx, 0.5, 0.5, 0.34, colour);
  const ink = inkOn(sprite.colour);
  if (name in SYMBOLS) symbol(ctx, name, 0.4, ink);
  else letter(ctx, LETTERS[sprite.colour] ?? '★', 0.5, 0.5, 0.36, ink);
}

/** A target of another mission. @param {Ctx} ctx @param {string} name @param {string} colour */
function otherTarget(ctx, name, colour) {
  ctx.globalAlpha = 0.5;
  symbol(ctx, name.split(' ')[0], 0.5, colour);
  ctx.globalAlpha = 1;
}

/**
 * The mission's target, drawn large over the four centre cells. Each cell draws its quarter.
 * @param {Ctx} ctx
 * @param {import('../../types').Sprite} sprite
 * @param {(dx: number, dy: number) => string} at
 * @param {string} colour
 */
function mission(ctx, sprite, at, colour) {
  ctx.translate(at(-1, 0) === sprite.name ? -1 : 0, at(0, -1) === sprite.name ? -1 : 0);
  ctx.scale(2, 2);
  target(ctx, sprite, colour);
}

/**
 * @param {Ctx} ctx
 * @param {boolean} rising
 * @param {string} colour
 */
function diagonal(ctx, rising, colour) {
  const points = rising ? [0.08, 0.92, 0.92, 0.08] : [0.08, 0.08, 0.92, 0.92];
  line(
    ctx,
    points.map((value) => value + 0.03),
    0.17,
    '#0004',
  );
  line(ctx, points, 0.15, colour);
  line(ctx, points, 0.04, '#fff8');
}

/**
 * A little pod on wheels, with its letter and an antenna.
 * @param {Ctx} ctx
 * @param {import('../../types').Pose} pose
 * @param {string} colour
 */
function robot(ctx, pose, colour) {
  ctx.translate(0, 0.05);
  oval(ctx, 0, 0.33, 0.36, 0.1, '#0005');
  slab(ctx, -0.4, 0.05, 0.16, 0.3, 0.07, '#2a2a2e');
  slab(ctx, 0.24, 0.05, 0.16, 0.3, 0.07, '#2a2a2e');
  slab(ctx, -0.34, -0.32, 0.68, 0.66, [0.3, 0.3, 0.16, 0.16], '#0006');
  slab(ctx, -0.32, -0.34, 0.64, 0.66, [0.3, 0.3, 0.15, 0.15], colour);
  oval(ctx, -0.1, -0.22, 0.14, 0.06, '#ffffff66');
  line(ctx, [0, -0.34, 0, -0.43], 0.05, '#2a2a2e');
  disc(ctx, 0, -0.44, 0.05, colour);
  letter(ctx, LETTERS[pose.sprite.colour] ?? '?', 0, 0.06, 0.46, inkOn(pose.sprite.colour));
  if (pose.dx || pose.dy) streaks(ctx, pose);
}

/** @param {Ctx} ctx @param {import('../../types').Pose} pose */
function streaks(ctx, pose) {
  const strength = Math.sin(pose.t * Math.PI);
  ctx.save();
  ctx.rotate(((turns(headingOf(pose)) + 2) * Math.PI) / 2);
  ctx.globalAlpha = 0.35 * strength;
  for (const side of [-0.22, 0, 0.22]) line(ctx, [side, -0.5, side, -0.5 - 0.5 * strength], 0.05, '#fff');
  ctx.restore();
}

/** @param {import('../../types').Pose} pose @returns {import('../../types').Dir} */
function headingOf(pose) {
  if (pose.dx) return pose.dx > 0 ? 'east' : 'west';
  return pose.dy > 0 ? 'south' : 'north';
}

const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/**
 * The corners of a slide: robots bounce off diagonals of other colours. Walls do not matter, as the end is known.
 * @param {Picture} picture
 * @param {import('../../types').Sprite} sprite
 * @param {Point} from
 * @param {Point} to
 * @returns {Point[]}
 */
function route(picture, sprite, from, to) {
  if (from[0] === to[0] || from[1] === to[1]) {
    const straight = follow(
      picture,
      sprite,
      from,
      to,
      STEPS.findIndex(([dx, dy]) => dx === Math.sign(to[0] - from[0]) && dy === Math.sign(to[1] - from[1])),
    );
    if (straight) return straight;
  }
  for (let dir = 0; dir < 4; dir++) {
    const corners = follow(picture, sprite, from, to, dir);
    if (corners) return corners;
  }
  return [];
}

/**
 * @param {Picture} picture
 * @param {import('../../types').Sprite} sprite
 * @param {Point} from
 * @param {Point} to
 * @param {number} start
 * @returns {Point[] | null}
 */
function follow(picture, sprite, from, to, start) {
  const [width, height] = picture.size;
  let [x, y] = from;
  let dir = start;
  /** @type {Point[]} */
  const corners = [];
  for (let count = 0; count < width * height; count++) {
    x += STEPS[dir][0];
    y += STEPS[dir][1];
    if (x < 0 || y < 0 || x >= width || y >= height) return null;
    if (x === to[0] && y === to[1]) return corners;
    const tile = picture.sprites[picture.tiles[y * width + x]];
    if (!tile.name.endsWith('diagonal') || tile.colour === sprite.colour) continue;
    // A rising diagonal swaps north with east and south with west; a falling one north with west and south with east.
    dir = tile.name.startsWith('rising') ? [1, 0, 3, 2][dir] : [3, 2, 1, 0][dir];
    corners.push([x, y]);
  }
  return null;
}

/** The name of a robot of this colour. @param {string} colour */
export function robotName(colour) {
  return colour === 'white' ? 'silver' : colour;
}

/** @type {import('../../types').Look} */
export const look = {
  margin: [0.25, 0.25, 0.25, 0.25],
  pace: (cells) => 110 + 38 * cells,
  ease: easeInOut,
  frame(ctx, picture, palette) {
    const [width, height] = picture.size;
    slab(ctx, -0.25, -0.25, width + 0.5, height + 0.5, 0.2, palette.dark ? '#57391f' : '#6b4123');
    slab(ctx, -0.12, -0.12, width + 0.24, height + 0.24, 0.08, palette.dark ? '#2a1c10' : '#4a2c16');
  },
  tile(ctx, sprite, at, palette, x, y) {
    floor(ctx, palette, x, y);
    const colour = palette.of(sprite.colour);
    if (sprite.name.endsWith('target')) {
      if (sprite.faint) otherTarget(ctx, sprite.name, colour);
      else target(ctx, sprite, colour);
    }
    if (sprite.name.endsWith('diagonal')) diagonal(ctx, sprite.name.startsWith('rising'), colour);
    const inMiddle = sprite.name.endsWith('mission');
    if (inMiddle || sprite.name === 'closed') {
      ctx.fillStyle = palette.dark ? '#57391f' : '#6b4123';
      ctx.fillRect(0, 0, 1, 1);
    }
    if (inMiddle) mission(ctx, sprite, at, colour);
    if (sprite.name === 'closed') {
      shape(ctx, [0.5, 0.2, 0.8, 0.5, 0.5, 0.8, 0.2, 0.5], palette.dark ? '#6f4b2b' : '#83552f');
    }
  },
  piece(ctx, pose, palette) {
    robot(ctx, pose, palette.of(pose.sprite.colour));
  },
  route,
  pieceName: ({ name, colour }) => `${robotName(colour)} ${name}`,
};
