// Pacman: a maze with rounded walls, ghosts that face their direction, a mouth that opens and closes.

import { disc, grave, turns } from '../../draw-common.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

/** The distance of a wall's outline from the border of its cell, and from the middle. */
const EDGE = 0.3;
const NEAR = 0.5 - EDGE;

/**
 * Traces the walls of a cell, quarter by quarter: rounded outwards if both neighbours are open, rounded inwards if only the corner is,
 * straight if one is. Filled quarters reach to the middle of the cell, outlines do not.
 * @param {Ctx} ctx
 * @param {(dx: number, dy: number) => boolean} solid
 * @param {boolean} filled
 */
function wallPath(ctx, solid, filled) {
  for (const [sx, sy] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]) {
    const [side, above, corner] = [solid(sx, 0), solid(0, sy), solid(sx, sy)];
    /** @type {(x: number, y: number) => [number, number]} */
    const at = (x, y) => [0.5 + sx * x, 0.5 + sy * y];
    const [far, high] = [side ? 0.5 : NEAR, above ? 0.5 : NEAR];
    if (side && above && corner) {
      if (filled) ctx.rect(0.5, 0.5, sx / 2, sy / 2);
      continue;
    }
    const inner = side && above;
    ctx.moveTo(...(inner ? at(NEAR, 0.5) : above ? at(NEAR, 0.5) : at(0, NEAR)));
    if (inner || !(side || above))
      ctx.arcTo(...at(NEAR, NEAR), ...(inner ? at(0.5, NEAR) : at(NEAR, 0)), inner ? EDGE : NEAR);
    ctx.lineTo(...(side ? at(0.5, NEAR) : at(NEAR, 0)));
    if (!filled) continue;
    if (side) ctx.lineTo(...at(far, 0));
    ctx.lineTo(...at(0, 0));
    ctx.lineTo(...at(0, high));
    ctx.closePath();
  }
}

/**
 * @param {Ctx} ctx
 * @param {(dx: number, dy: number) => string} at
 * @param {boolean} dark
 */
function wall(ctx, at, dark) {
  // No outline is drawn at the border of the map.
  /** @param {number} dx @param {number} dy */
  const solid = (dx, dy) => at(dx, dy) === 'wall' || at(dx, dy) === '';
  ctx.beginPath();
  wallPath(ctx, solid, true);
  ctx.fillStyle = dark ? '#1c2a5e' : '#2a3a7d';
  ctx.fill();
  ctx.beginPath();
  wallPath(ctx, solid, false);
  ctx.strokeStyle = dark ? '#6f8bff' : '#8fa6ff';
  ctx.lineWidth = 0.085;
  ctx.lineCap = 'butt';
  ctx.stroke();
}

/**
 * @param {Ctx} ctx
 * @param {import('../../types').Pose} pose
 */
function pacmanHimself(ctx, pose) {
  const moving = pose.dx !== 0 || pose.dy !== 0;
  const open = moving ? 0.12 + 0.62 * Math.abs(Math.sin((pose.t + (pose.step % 2)) * Math.PI)) : 0.42;
  ctx.rotate(((turns(pose.facing) - 1) * Math.PI) / 2);
  ctx.fillStyle = '#f6c92c';
  ctx.strokeStyle = '#b98500';
  ctx.lineWidth = 0.04;
  ctx.beginPath();
  ctx.moveTo(-0.08, 0);
  ctx.arc(0, 0, 0.44, open, Math.PI * 2 - open);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
  disc(ctx, 0.06, pose.facing === 'west' ? 0.25 : -0.25, 0.055, '#3a2a00');
}

/** @type {Record<string, [number, number]>} */
const GAZE = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };

/**
 * @param {Ctx} ctx
 * @param {import('../../types').Pose} pose
 * @param {string} colour
 * @param {boolean} afraid
 */
function ghost(ctx, pose, colour, afraid) {
  const sway = pose.dx || pose.dy ? Math.sin((pose.t + pose.step) * Math.PI) * 0.03 : 0;
  ctx.fillStyle = colour;
  ctx.strokeStyle = '#0005';
  ctx.lineWidth = 0.035;
  ctx.beginPath();
  ctx.arc(0, -0.06, 0.4, Math.PI, 0);
  ctx.lineTo(0.4, 0.36);
  for (let i = 0; i < 3; i++) {
    const x = 0.4 - i * 0.2667;
    ctx.quadraticCurveTo(x - 0.0667, 0.46 + sway, x - 0.1333, 0.33);
    ctx.quadraticCurveTo(x - 0.2, 0.26 - sway, x - 0.2667, 0.38);
  }
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
  const [gx, gy] = GAZE[pose.facing];
  for (const side of [-0.155, 0.155]) {
    ctx.fillStyle = afraid ? '#ffe9b0' : '#fff';
    ctx.beginPath();
    ctx.ellipse(side + gx * 0.04, -0.1 + gy * 0.05, afraid ? 0.075 : 0.12, afraid ? 0.075 : 0.15, 0, 0, Math.PI * 2);
    ctx.fill();
    if (!afraid) disc(ctx, side + gx * 0.1, -0.1 + gy * 0.13, 0.065, '#1d2b6b');
  }
  if (afraid) frown(ctx);
}

/** @param {Ctx} ctx */
function frown(ctx) {
  ctx.strokeStyle = '#ffe9b0';
  ctx.lineWidth = 0.05;
  ctx.beginPath();
  ctx.moveTo(-0.24, 0.19);
  for (let i = 0; i < 6; i++) ctx.lineTo(-0.16 + i * 0.08, i % 2 ? 0.19 : 0.12);
  ctx.stroke();
}

/** @type {import('../../types').Look} */
const look = {
  margin: [0, 0, 0, 0],
  dark: true,
  pace: () => 140,
  ease: (t) => t,
  tile(ctx, sprite, at, palette) {
    ctx.fillStyle = palette.dark ? '#0b0d1c' : '#141833';
    ctx.fillRect(0, 0, 1, 1);
    if (sprite.name === 'wall') wall(ctx, at, palette.dark);
    if (sprite.name === 'pellet') disc(ctx, 0.5, 0.5, 0.1, '#f8e0b8');
    if (sprite.name === 'potion') {
      disc(ctx, 0.5, 0.5, 0.3, '#59e08a55');
      disc(ctx, 0.5, 0.5, 0.23, '#59e08a');
      disc(ctx, 0.43, 0.43, 0.07, '#eafff1');
    }
  },
  piece(ctx, pose, palette) {
    const { name, colour } = pose.sprite;
    if (name === 'pacman') pacmanHimself(ctx, pose);
    else if (name === 'ghost') ghost(ctx, pose, palette.of(colour), false);
    else if (name === 'fleeing ghost') ghost(ctx, pose, colour === 'white' ? '#e8ebff' : '#3d4fd6', true);
    else grave(ctx, '#e2a400');
  },
  pieceName: ({ name, colour }) => (name.endsWith('ghost') ? `${colour} ${name}` : name),
};

/** @type {import('../../types').GameModule} */
export default { look, homeSpeed: 6, pace: 180, glides: true };
