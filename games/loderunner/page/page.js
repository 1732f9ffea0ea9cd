// Lode Runner: bricks, ladders, ropes and gold; people who run, climb, hang and fall.

import { disc, grain, grave, line, oval, shape, slab } from '../../draw-common.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('../../types').Pose} Pose */

/** @param {Ctx} ctx @param {boolean} dark */
function brick(ctx, dark) {
  ctx.fillStyle = dark ? '#4a2415' : '#6d3a22';
  ctx.fillRect(0, 0, 1, 1);
  const rows = [
    [
      0.02,
      [
        [0.02, 0.44],
        [0.52, 0.46],
      ],
    ],
    [
      0.35,
      [
        [0, 0.22],
        [0.26, 0.46],
        [0.76, 0.24],
      ],
    ],
    [
      0.68,
      [
        [0.02, 0.44],
        [0.52, 0.46],
      ],
    ],
  ];
  for (const [y, bricks] of /** @type {[number, number[][]][]} */ (rows)) {
    for (const [x, width] of bricks) {
      slab(ctx, x, y, width, 0.29, 0.03, dark ? '#a5573a' : '#c06a46');
      ctx.fillStyle = dark ? '#bd6d4d' : '#d98a63';
      ctx.fillRect(x + 0.02, y + 0.02, width - 0.04, 0.05);
    }
  }
}

/** @param {Ctx} ctx @param {boolean} dark @param {number} x @param {number} y */
function stone(ctx, dark, x, y) {
  ctx.fillStyle = dark ? '#3b3f46' : '#7b828c';
  ctx.fillRect(0, 0, 1, 1);
  slab(ctx, 0.04, 0.04, 0.92, 0.92, 0.08, dark ? '#535963' : '#969da7');
  slab(ctx, 0.04, 0.04, 0.92, 0.16, 0.08, dark ? '#69707b' : '#b3bac3');
  for (let i = 0; i < 3; i++)
    disc(ctx, 0.2 + 0.6 * grain(x, y, i), 0.3 + 0.5 * grain(x, y, i + 5), 0.05, dark ? '#454a53' : '#838a94');
}

/** @param {Ctx} ctx @param {boolean} dark */
function ladder(ctx, dark) {
  const [rail, rung] = dark ? ['#8ecbd8', '#6aa7b5'] : ['#2f7f90', '#4a9dad'];
  for (const y of [0.17, 0.5, 0.83]) line(ctx, [0.2, y, 0.8, y], 0.09, rung);
  for (const x of [0.2, 0.8]) {
    ctx.fillStyle = rail;
    ctx.fillRect(x - 0.06, 0, 0.12, 1);
  }
}

/** @param {Ctx} ctx @param {boolean} dark */
function cable(ctx, dark) {
  ctx.fillStyle = dark ? '#00000066' : '#00000033';
  ctx.fillRect(0, 0.2, 1, 0.05);
  ctx.fillStyle = dark ? '#d8c9a8' : '#8a7346';
  ctx.fillRect(0, 0.13, 1, 0.08);
  ctx.fillStyle = dark ? '#9a8a66' : '#5e4d2b';
  for (let x = 0.05; x < 1; x += 0.2) ctx.fillRect(x, 0.13, 0.05, 0.08);
}

/** @param {Ctx} ctx */
function gold(ctx) {
  oval(ctx, 0.5, 0.9, 0.36, 0.07, '#0004');
  for (const [x, y] of [
    [0.14, 0.66],
    [0.52, 0.66],
    [0.33, 0.42],
  ]) {
    shape(ctx, [x, y + 0.23, x + 0.06, y, x + 0.28, y, x + 0.34, y + 0.23], '#b97b00');
    shape(ctx, [x + 0.03, y + 0.2, x + 0.08, y + 0.03, x + 0.26, y + 0.03, x + 0.31, y + 0.2], '#ffd23f');
    line(ctx, [x + 0.11, y + 0.07, x + 0.2, y + 0.07], 0.035, '#fff6c9');
  }
}

/** @param {Ctx} ctx @param {boolean} open */
function door(ctx, open) {
  slab(ctx, 0.14, 0.06, 0.72, 0.94, [0.32, 0.32, 0, 0], open ? '#1f6b3a' : '#5c4a3a');
  slab(ctx, 0.24, 0.17, 0.52, 0.83, [0.24, 0.24, 0, 0], open ? '#b9ffd0' : '#3c2f24');
  if (open) line(ctx, [0.4, 0.52, 0.6, 0.52, 0.52, 0.42, 0.6, 0.52, 0.52, 0.62], 0.06, '#1f6b3a');
  else {
    for (const x of [0.37, 0.5, 0.63]) line(ctx, [x, 0.24, x, 0.98], 0.04, '#7a6653');
    disc(ctx, 0.66, 0.62, 0.05, '#d9b44a');
  }
}

/** @param {Ctx} ctx @param {boolean} dark */
function hole(ctx, dark) {
  ctx.fillStyle = dark ? '#4a2415' : '#6d3a22';
  ctx.fillRect(0, 0, 0.07, 1);
  ctx.fillRect(0.93, 0, 0.07, 1);
  ctx.fillRect(0, 0.95, 1, 0.05);
  ctx.fillStyle = '#0003';
  ctx.fillRect(0.07, 0, 0.86, 0.95);
}

/**
 * What a body does, from the tile it is on and its last step.
 * @param {Pose} pose
 * @returns {'run' | 'climb' | 'hang' | 'fall' | 'stand'}
 */
function posture(pose) {
  if (pose.on === 'ladder' && pose.dy) return 'climb';
  if (pose.on === 'cable') return 'hang';
  if (pose.dy > 0) return 'fall';
  if (pose.dx) return 'run';
  return pose.on === 'ladder' ? 'climb' : 'stand';
}

/**
 * @param {Ctx} ctx
 * @param {Pose} pose
 * @param {{shirt: string, trousers: string, hat: string}} clothes
 * @param {'run' | 'climb' | 'hang' | 'fall' | 'stand'} doing
 */
function person(ctx, pose, clothes, doing) {
  const swing = Math.sin((pose.t + (pose.step % 2)) * Math.PI * 2) * (pose.dx || pose.dy ? 1 : 0);
  const side = pose.facing === 'west' ? -1 : 1;
  ctx.scale(side * 1.08, 1.08);
  const skin = '#f0c49a';
  /** Hands and feet: x and y of left and right. @type {Record<string, number[]>} */
  const limbs = {
    stand: [-0.2, 0.14, 0.2, 0.14, -0.1, 0.46, 0.1, 0.46],
    run: [-0.24 * swing, 0.08, 0.24 * swing, 0.1, 0.2 * swing, 0.46 - 0.05 * Math.abs(swing), -0.2 * swing, 0.46],
    climb: [
      -0.24,
      -0.2 - 0.12 * swing,
      0.24,
      -0.2 + 0.12 * swing,
      -0.12,
      0.42 + 0.08 * swing,
      0.12,
      0.42 - 0.08 * swing,
    ],
    hang: [
      -0.16 + 0.08 * swing,
      -0.34,
      0.16 - 0.08 * swing,
      -0.34,
      -0.08 - 0.08 * swing,
      0.44,
      0.1 + 0.08 * swing,
      0.4,
    ],
    fall: [-0.26, -0.3, 0.26, -0.3, -0.13, 0.42, 0.13, 0.42],
  };
  const [lx, ly, rx, ry, fx, fy, gx, gy] = limbs[doing];
  line(ctx, [0, 0.14, fx * 0.8, 0.3, fx, fy], 0.11, clothes.trousers);
  line(ctx, [0, 0.14, gx * 0.8, 0.3, gx, gy], 0.11, clothes.trousers);
  line(ctx, [0, -0.1, lx * 0.75, (ly - 0.05) * 0.5, lx, ly], 0.09, clothes.shirt);
  line(ctx, [0, -0.13, 0, 0.14], 0.22, clothes.shirt);
  line(ctx, [0, -0.1, rx * 0.75, (ry - 0.05) * 0.5, rx, ry], 0.09, clothes.shirt);
  disc(ctx, lx, ly, 0.05, skin);
  disc(ctx, rx, ry, 0.05, skin);
  disc(ctx, 0.02, -0.3, 0.14, skin);
  ctx.fillStyle = clothes.hat;
  ctx.beginPath();
  ctx.arc(0.01, -0.33, 0.15, Math.PI, 0);
  ctx.fill();
  line(ctx, [0.02, -0.33, 0.22, -0.33], 0.05, clothes.hat);
  if (doing !== 'climb') disc(ctx, 0.09, -0.27, 0.025, '#2a1a10');
}

const RUNNER = { shirt: '#2f9e55', trousers: '#274b7a', hat: '#1d7a3e' };
const GUARD = { shirt: '#c8392b', trousers: '#4a2030', hat: '#7d1d1d' };
const TRAPPED = { shirt: '#8d5bb5', trousers: '#4a2030', hat: '#553075' };

/** @param {Ctx} ctx @param {Pose} pose */
function guard(ctx, pose) {
  const { name } = pose.sprite;
  if (name === 'respawning guard') ctx.globalAlpha *= 0.45;
  if (name === 'trapped guard') person(ctx, pose, TRAPPED, 'fall');
  else person(ctx, pose, GUARD, posture(pose));
  if (name === 'guard with gold') {
    slab(ctx, -0.42, -0.06, 0.24, 0.16, 0.04, '#b97b00');
    slab(ctx, -0.4, -0.05, 0.2, 0.11, 0.03, '#ffd23f');
  }
}

/** @type {import('../../types').Look} */
const look = {
  margin: [0, 0, 0, 0],
  pace: () => 160,
  ease: (t) => t,
  tile(ctx, sprite, _at, { dark }, x, y) {
    ctx.fillStyle = dark ? '#12161c' : '#e9f1f4';
    ctx.fillRect(0, 0, 1.01, 1.01);
    switch (sprite.name) {
      case 'brick':
        brick(ctx, dark);
        break;
      case 'wall':
        stone(ctx, dark, x, y);
        break;
      case 'ladder':
        ladder(ctx, dark);
        break;
      case 'cable':
        cable(ctx, dark);
        break;
      case 'gold':
        gold(ctx);
        break;
      case 'exit':
        door(ctx, false);
        break;
      case 'open exit':
        door(ctx, true);
        break;
      case 'hole':
        hole(ctx, dark);
        break;
      case 'digging':
        brick(ctx, dark);
        shape(ctx, [0.1, 0, 0.9, 0, 0.7, 0.35, 0.55, 0.25, 0.45, 0.5, 0.3, 0.3], dark ? '#12161c' : '#e9f1f4');
        break;
      default:
    }
  },
  piece(ctx, pose) {
    if (pose.sprite.name === 'runner') person(ctx, pose, RUNNER, posture(pose));
    else if (pose.sprite.name === 'dead') grave(ctx, '#2f9e55');
    else guard(ctx, pose);
  },
};

/** @type {import('../../types').GameModule} */
export default { look, homeSpeed: 6, pace: 220 };
