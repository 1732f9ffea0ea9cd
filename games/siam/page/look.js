// SIAM: a sandy board in a wooden frame, animals seen from above, trays for those that are not on the board yet.

import { disc, easeInOut, grain, letter, line, oval, shape, slab, turns } from '../../draw-common.js';
import { outside, parseMove, same, squareName, STEP, WIDTH } from './notation.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('../../types').Point} Point */
/** @typedef {import('../../types').Picture} Picture */
/** @typedef {import('../../types').Dir} Dir */

/** The size of an animal in a tray, relative to one on the board. */
const IN_TRAY = 0.72;

/** The point from which an animal enters the board. @param {Point} at @param {string} action */
function entry(at, action) {
  return outside(at, parseMove(action)?.facing ?? null);
}

/** The point to which a piece leaves the board, by its own move or pushed. @param {Point} at @param {string} action @returns {Point} */
function exit(at, action) {
  const move = parseMove(action);
  if (!move?.facing || same(move.from, at)) return outside(at, null);
  const [dx, dy] = STEP[move.facing];
  return [at[0] + dx, at[1] + dy];
}

/** Seen from above, facing north. @param {Ctx} ctx @param {boolean} dark */
function elephant(ctx, dark) {
  const [skin, deep, light] = dark ? ['#9fb6c4', '#6d8594', '#c2d4de'] : ['#8aa3b3', '#5c7586', '#b4c8d4'];
  oval(ctx, 0, 0.15, 0.21, 0.25, deep);
  oval(ctx, 0, 0.14, 0.19, 0.23, skin);
  line(ctx, [0, 0.36, 0.03, 0.42], 0.035, deep);
  for (const side of [-1, 1]) {
    oval(ctx, side * 0.21, -0.1, 0.13, 0.16, deep);
    oval(ctx, side * 0.2, -0.1, 0.1, 0.13, light);
    line(ctx, [side * 0.09, -0.24, side * 0.13, -0.37], 0.05, '#fff6e0');
  }
  oval(ctx, 0, -0.13, 0.15, 0.17, skin);
  line(ctx, [0, -0.2, 0, -0.33, 0.04, -0.42], 0.09, deep);
  line(ctx, [0, -0.2, 0, -0.33, 0.04, -0.42], 0.06, skin);
  for (const side of [-1, 1]) disc(ctx, side * 0.09, -0.2, 0.024, '#1c2228');
}

/** Seen from above, facing north. @param {Ctx} ctx @param {boolean} dark */
function rhino(ctx, dark) {
  const [skin, deep, light] = dark ? ['#b9a894', '#85725c', '#d4c6b4'] : ['#a08d78', '#6f5d49', '#c6b6a2'];
  oval(ctx, 0, 0.14, 0.22, 0.27, deep);
  oval(ctx, 0, 0.13, 0.2, 0.25, skin);
  for (const y of [0.02, 0.22]) line(ctx, [-0.18, y + 0.02, 0, y + 0.07, 0.18, y + 0.02], 0.025, deep);
  for (const side of [-1, 1]) oval(ctx, side * 0.13, -0.13, 0.05, 0.07, deep);
  shape(ctx, [-0.15, -0.06, 0.15, -0.06, 0.1, -0.3, -0.1, -0.3], skin);
  oval(ctx, 0, -0.28, 0.1, 0.07, skin);
  shape(ctx, [-0.055, -0.26, 0.055, -0.26, 0, -0.47], '#fff6e0');
  shape(ctx, [-0.035, -0.14, 0.035, -0.14, 0, -0.25], light);
  for (const side of [-1, 1]) disc(ctx, side * 0.1, -0.19, 0.024, '#1c1610');
}

/**
 * An animal on its stone, round for elephants and octagonal for rhinos, with a light notch in the direction it faces.
 * @param {Ctx} ctx
 * @param {string} name
 * @param {Dir} facing
 * @param {boolean} dark
 */
function animal(ctx, name, facing, dark) {
  const own = name === 'elephant';
  const [base, rim] = own ? ['#1f8299', '#0d4c5b'] : ['#dd7f28', '#8b4409'];
  ctx.save();
  ctx.translate(0.02, 0.035);
  stone(ctx, own, 0.46, '#0005');
  ctx.restore();
  ctx.rotate((turns(facing) * Math.PI) / 2);
  stone(ctx, own, 0.46, rim);
  stone(ctx, own, 0.42, base);
  shape(ctx, [-0.2, -0.33, 0, -0.47, 0.2, -0.33, 0, -0.39], '#fff3d0');
  (own ? elephant : rhino)(ctx, dark);
}

/**
 * @param {Ctx} ctx
 * @param {boolean} round
 * @param {number} radius
 * @param {string} colour
 */
function stone(ctx, round, radius, colour) {
  if (round) return disc(ctx, 0, 0, radius, colour);
  const cut = radius * 0.42;
  shape(
    ctx,
    [-cut, -radius, cut, -radius, radius, -cut, radius, cut, cut, radius, -cut, radius, -radius, cut, -radius, -cut],
    colour,
  );
}

/** @param {Ctx} ctx */
function mountain(ctx) {
  oval(ctx, 0.03, 0.3, 0.42, 0.13, '#0004');
  shape(ctx, [-0.44, 0.34, -0.12, -0.3, 0.02, -0.12, 0.14, -0.4, 0.44, 0.34], '#7c6552');
  shape(ctx, [0.14, -0.4, 0.44, 0.34, 0.1, 0.34, 0.2, 0.02, 0.06, -0.18], '#5e4a3a');
  shape(ctx, [-0.12, -0.3, -0.02, -0.1, -0.14, -0.02, -0.24, -0.06], '#f4efe6');
  shape(ctx, [0.14, -0.4, 0.25, -0.12, 0.15, -0.06, 0.08, -0.14, 0.03, -0.13], '#f4efe6');
  line(ctx, [-0.3, 0.2, -0.16, 0.02], 0.03, '#93795f');
}

/**
 * The tray of a side, with the animals in its hand.
 * @param {Ctx} ctx
 * @param {Picture} picture
 * @param {string} name
 * @param {import('../../types').Palette} palette
 */
function tray(ctx, picture, name, palette) {
  const own = name === 'elephant';
  const y = own ? WIDTH + 0.72 : -0.72;
  slab(ctx, 0, y - 0.42, WIDTH, 0.84, 0.16, palette.dark ? '#2a1b0f' : '#4d2f18');
  const count = Number(picture.labels.find(([label]) => label === `${name}s in hand`)?.[1] ?? 0);
  for (let i = 0; i < count; i++) {
    ctx.save();
    ctx.translate(i + 0.5, y);
    ctx.scale(IN_TRAY, IN_TRAY);
    animal(ctx, name, own ? 'north' : 'south', palette.dark);
    ctx.restore();
  }
}

/** @type {import('../../types').Look} */
export const look = {
  margin: [0.3, 1.25, 0.3, 1.25],
  pace: () => 320,
  ease: easeInOut,
  frame(ctx, picture, palette) {
    slab(ctx, -0.3, -1.25, WIDTH + 0.6, WIDTH + 2.5, 0.22, palette.dark ? '#57391f' : '#75482a');
    slab(ctx, -0.08, -0.08, WIDTH + 0.16, WIDTH + 0.16, 0.06, palette.dark ? '#241609' : '#3f2511');
    tray(ctx, picture, 'rhino', palette);
    tray(ctx, picture, 'elephant', palette);
  },
  tile(ctx, sprite, _at, palette, x, y) {
    const border = sprite.name === 'border';
    const colours = palette.dark ? ['#7d6544', '#917650'] : ['#e2c590', '#f0dcb2'];
    ctx.fillStyle = colours[border ? 0 : 1];
    ctx.fillRect(0, 0, 1, 1);
    for (let i = 0; i < 7; i++)
      disc(
        ctx,
        grain(x, y, i),
        grain(x, y, i + 20),
        0.012 + 0.012 * grain(x, y, i + 40),
        palette.dark ? '#0002' : '#a67c3f55',
      );
    ctx.strokeStyle = palette.dark ? '#4a3720' : '#b48f55';
    ctx.lineWidth = 0.03;
    ctx.strokeRect(0, 0, 1, 1);
    // Numbers are left out if they would be too small to read.
    if (ctx.getTransform().a > 36)
      letter(ctx, squareName([x, y]), 0.14, 0.13, 0.15, palette.dark ? '#3a2a16' : '#95713d');
  },
  piece(ctx, pose, palette) {
    if (pose.sprite.name === 'mountain') mountain(ctx);
    else animal(ctx, pose.sprite.name, pose.facing, palette.dark);
  },
  entry,
  exit,
  tray: (x, y) => (x < 0 || x > WIDTH ? null : y < -0.2 ? 'rhino' : y > WIDTH + 0.2 ? 'elephant' : null),
};
