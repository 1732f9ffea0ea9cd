// Delirium 2: earth to dig, rocks and diamonds that fall and roll, monsters, a miner with a lamp.

import { disc, grain, grave, line, oval, shape, slab } from '../../draw-common.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('../../types').Pose} Pose */

/** @type {Record<string, [number, number]>} */
const GAZE = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };

/** Tiles at which earth ends in a rounded edge. */
const OPEN = new Set(['empty', 'explosion']);

/** @param {Ctx} ctx @param {boolean} dark @param {(dx: number, dy: number) => string} at @param {number} x @param {number} y */
function dirt(ctx, dark, at, x, y) {
  /** @param {number} dx @param {number} dy */
  const open = (dx, dy) => OPEN.has(at(dx, dy));
  /** @param {boolean} one @param {boolean} other */
  const round = (one, other) => (one && other ? 0.3 : 0);
  const [n, e, s, w] = [open(0, -1), open(1, 0), open(0, 1), open(-1, 0)];
  slab(ctx, 0, 0, 1.01, 1.01, [round(n, w), round(n, e), round(s, e), round(s, w)], dark ? '#5b4026' : '#9a6f42');
  for (let i = 0; i < 6; i++) {
    const shade = i % 2 ? (dark ? '#6d4e30' : '#b18653') : dark ? '#4a331d' : '#835a32';
    oval(
      ctx,
      0.1 + 0.8 * grain(x, y, i),
      0.1 + 0.8 * grain(x, y, i + 11),
      0.04 + 0.05 * grain(x, y, i + 23),
      0.03 + 0.03 * grain(x, y, i + 31),
      shade,
    );
  }
}

/** @param {Ctx} ctx @param {boolean} dark */
function border(ctx, dark) {
  ctx.fillStyle = dark ? '#2b2f36' : '#59616c';
  ctx.fillRect(0, 0, 1.01, 1.01);
  slab(ctx, 0.05, 0.05, 0.9, 0.9, 0.1, dark ? '#3d434c' : '#78818d');
  for (const [x, y] of [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ])
    disc(ctx, x, y, 0.06, dark ? '#5c6470' : '#a4acb7');
}

/** @param {Ctx} ctx @param {boolean} dark */
function wall(ctx, dark) {
  ctx.fillStyle = dark ? '#4c3524' : '#8b6a4f';
  ctx.fillRect(0, 0, 1.01, 1.01);
  const colour = dark ? '#b0713c' : '#dd9a5c';
  for (const [x, y, width] of [
    [0.02, 0.04, 0.56],
    [0.62, 0.04, 0.36],
    [0.02, 0.53, 0.3],
    [0.36, 0.53, 0.62],
  ]) {
    slab(ctx, x, y, width, 0.42, 0.05, colour);
    ctx.fillStyle = dark ? '#c98a52' : '#f0b97f';
    ctx.fillRect(x + 0.03, y + 0.03, width - 0.06, 0.06);
  }
}

/** A wall with arrows to the sides that it grows to. @param {Ctx} ctx @param {boolean} dark @param {string[]} sides */
function growingWall(ctx, dark, sides) {
  wall(ctx, dark);
  for (const side of sides) {
    const [dx, dy] = GAZE[side];
    const [x, y] = [0.5 + 0.3 * dx, 0.5 + 0.3 * dy];
    shape(
      ctx,
      [x + 0.14 * dx, y + 0.14 * dy, x - 0.1 * dy, y - 0.1 * dx, x + 0.1 * dy, y + 0.1 * dx],
      dark ? '#2c1d12' : '#5a3c22',
    );
  }
}

/** A wall that turns rocks into diamonds and back. @param {Ctx} ctx @param {boolean} dark */
function magicWall(ctx, dark) {
  wall(ctx, dark);
  ctx.globalAlpha = 0.45;
  slab(ctx, 0, 0, 1.01, 1.01, 0, '#7b3fc4');
  ctx.globalAlpha = 1;
  ctx.save();
  ctx.translate(0.72, 0.72);
  sparkle(ctx);
  ctx.restore();
}

/** Living slime that grows. @param {Ctx} ctx @param {number} x @param {number} y */
function amoeba(ctx, x, y) {
  slab(ctx, 0, 0, 1.01, 1.01, 0, '#1f7a4c');
  for (let i = 0; i < 6; i++) {
    const [at, down] = [0.12 + 0.76 * grain(x, y, i), 0.12 + 0.76 * grain(x, y, i + 9)];
    const radius = 0.1 + 0.08 * grain(x, y, i + 17);
    disc(ctx, at, down, radius, '#3fbf7f');
    disc(ctx, at - radius / 3, down - radius / 3, radius / 3, '#b9f5d3');
  }
}

/** What rocks and diamonds seep through. @param {Ctx} ctx */
function slime(ctx) {
  slab(ctx, 0, 0, 1.01, 1.01, 0, '#4f8f1f');
  for (const y of [0.2, 0.5, 0.8]) {
    line(ctx, [0, y, 0.17, y - 0.08, 0.33, y, 0.5, y + 0.08, 0.67, y, 0.83, y - 0.08, 1, y], 0.09, '#9be15d');
  }
}

/** The door by which the miner comes. @param {Ctx} ctx */
function inbox(ctx) {
  slab(ctx, 0.08, 0.08, 0.84, 0.92, [0.2, 0.2, 0, 0], '#8a6a12');
  slab(ctx, 0.18, 0.18, 0.64, 0.82, [0.12, 0.12, 0, 0], '#ffe27a');
  shape(ctx, [0.5, 0.82, 0.72, 0.58, 0.58, 0.58, 0.58, 0.32, 0.42, 0.32, 0.42, 0.58, 0.28, 0.58], '#8a6a12');
}

/** Border with a letter: only the editor tells such border apart. @param {Ctx} ctx @param {boolean} dark @param {string} letter */
function markedBorder(ctx, dark, letter) {
  border(ctx, dark);
  ctx.font = 'bold 0.5px sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = '#ffffff';
  ctx.fillText(letter, 0.5, 0.53);
}

/** @param {Ctx} ctx @param {boolean} open */
function exit(ctx, open) {
  slab(ctx, 0.08, 0.08, 0.84, 0.92, [0.2, 0.2, 0, 0], open ? '#1f6b3a' : '#3a3f47');
  slab(ctx, 0.18, 0.18, 0.64, 0.82, [0.12, 0.12, 0, 0], open ? '#c5ffd8' : '#565d68');
  if (open) shape(ctx, [0.5, 0.32, 0.72, 0.56, 0.58, 0.56, 0.58, 0.82, 0.42, 0.82, 0.42, 0.56, 0.28, 0.56], '#1f8a4a');
  else for (const y of [0.36, 0.54, 0.72]) line(ctx, [0.26, y, 0.74, y], 0.06, '#3a3f47');
}

/** @param {Ctx} ctx @param {Pose} pose */
function rock(ctx, pose) {
  ctx.rotate((pose.dx * pose.t * Math.PI) / 2);
  ctx.fillStyle = '#5f6670';
  ctx.beginPath();
  ctx.moveTo(-0.46, 0.08);
  ctx.bezierCurveTo(-0.48, -0.3, -0.22, -0.47, 0.06, -0.46);
  ctx.bezierCurveTo(0.36, -0.44, 0.48, -0.16, 0.46, 0.12);
  ctx.bezierCurveTo(0.44, 0.4, 0.16, 0.47, -0.1, 0.46);
  ctx.bezierCurveTo(-0.36, 0.44, -0.46, 0.3, -0.46, 0.08);
  ctx.fill();
  ctx.fillStyle = '#8d95a0';
  ctx.beginPath();
  ctx.moveTo(-0.4, 0.02);
  ctx.bezierCurveTo(-0.4, -0.3, -0.16, -0.42, 0.06, -0.4);
  ctx.bezierCurveTo(0.3, -0.38, 0.38, -0.16, 0.34, 0.02);
  ctx.bezierCurveTo(0.2, 0.24, -0.22, 0.3, -0.4, 0.02);
  ctx.fill();
  oval(ctx, -0.12, -0.22, 0.13, 0.08, '#b9c0c9');
  line(ctx, [0.12, 0.12, 0.24, 0.2, 0.2, 0.32], 0.035, '#4d545d');
}

/** @param {Ctx} ctx @param {Pose} pose */
function diamond(ctx, pose) {
  const outline = [-0.4, -0.1, -0.2, -0.36, 0.2, -0.36, 0.4, -0.1, 0, 0.42];
  shape(ctx, outline, '#1391ad');
  shape(ctx, [-0.2, -0.36, 0.2, -0.36, 0.14, -0.1, -0.14, -0.1], '#d3fbff');
  shape(ctx, [-0.4, -0.1, -0.2, -0.36, -0.14, -0.1], '#8eeaf7');
  shape(ctx, [0.4, -0.1, 0.2, -0.36, 0.14, -0.1], '#57d3e8');
  shape(ctx, [-0.14, -0.1, 0.14, -0.1, 0, 0.42], '#6fe0f0');
  shape(ctx, [-0.4, -0.1, -0.14, -0.1, 0, 0.42], '#38bfd8');
  line(ctx, [...outline, -0.4, -0.1], 0.03, '#0b6076');
  if ((pose.step + Math.round(pose.x) * 3 + Math.round(pose.y) * 5) % 7 === 0) sparkle(ctx);
}

/** @param {Ctx} ctx */
function sparkle(ctx) {
  shape(
    ctx,
    [-0.22, -0.42, -0.17, -0.25, -0.02, -0.2, -0.17, -0.15, -0.22, 0.02, -0.27, -0.15, -0.42, -0.2, -0.27, -0.25],
    '#ffffff',
  );
}

/** @param {Ctx} ctx @param {number} x @param {number} y */
function blast(ctx, x, y) {
  ctx.translate(0.5, 0.5);
  for (const [radius, colour] of /** @type {[number, string][]} */ ([
    [0.52, '#e2461f'],
    [0.4, '#ff9a2e'],
    [0.26, '#ffe27a'],
    [0.12, '#fffbe6'],
  ])) {
    const points = [];
    for (let i = 0; i < 20; i++) {
      const r = radius * (i % 2 ? 0.62 : 0.85 + 0.25 * grain(x, y, i));
      points.push(Math.cos((i * Math.PI) / 10) * r, Math.sin((i * Math.PI) / 10) * r);
    }
    shape(ctx, points, colour);
  }
}

/** @param {Ctx} ctx @param {Pose} pose */
function miner(ctx, pose) {
  const side = pose.facing === 'west' ? -1 : 1;
  const swing = pose.dx || pose.dy ? Math.sin((pose.t + (pose.step % 2)) * Math.PI * 2) : 0;
  ctx.scale(side, 1);
  oval(ctx, 0, 0.44, 0.3, 0.06, '#0004');
  line(ctx, [-0.1, 0.2, -0.12 + 0.1 * swing, 0.42], 0.13, '#3b4a6b');
  line(ctx, [0.1, 0.2, 0.12 - 0.1 * swing, 0.42], 0.13, '#3b4a6b');
  slab(ctx, -0.22, -0.1, 0.44, 0.36, 0.12, '#d8542f');
  line(ctx, [0.2, 0, 0.34, 0.08 + 0.08 * swing], 0.1, '#d8542f');
  line(ctx, [-0.2, 0, -0.3, 0.12 - 0.08 * swing], 0.1, '#d8542f');
  disc(ctx, 0, -0.2, 0.2, '#f0c49a');
  disc(ctx, 0.06, -0.17, 0.03, '#2a1a10');
  disc(ctx, 0.15, -0.17, 0.03, '#2a1a10');
  ctx.fillStyle = '#f6c92c';
  ctx.beginPath();
  ctx.arc(0, -0.24, 0.22, Math.PI, 0);
  ctx.fill();
  line(ctx, [-0.22, -0.24, 0.27, -0.24], 0.06, '#c79a10');
  disc(ctx, 0.16, -0.33, 0.075, '#fffbd6');
}

/** A horned ball for the red ones, a winged drop for the blue ones. @param {Ctx} ctx @param {Pose} pose @param {boolean} red */
function monster(ctx, pose, red) {
  const [gx, gy] = GAZE[pose.facing];
  const flap = Math.sin((pose.t + (pose.step % 2)) * Math.PI * 2) * (pose.dx || pose.dy ? 0.08 : 0);
  oval(ctx, 0, 0.42, 0.3, 0.06, '#0004');
  if (red) {
    shape(ctx, [-0.32, -0.16, -0.4, -0.44, -0.1, -0.3], '#8f1d14');
    shape(ctx, [0.32, -0.16, 0.4, -0.44, 0.1, -0.3], '#8f1d14');
    disc(ctx, 0, 0.02, 0.38, '#d5382a');
    for (const x of [-0.22, 0, 0.22]) line(ctx, [x, 0.34, x + flap, 0.44], 0.1, '#8f1d14');
  } else {
    shape(ctx, [-0.12, 0.05, -0.48, -0.3 - flap, -0.42, 0.2], '#2a4fb0');
    shape(ctx, [0.12, 0.05, 0.48, -0.3 - flap, 0.42, 0.2], '#2a4fb0');
    oval(ctx, 0, 0.02, 0.26, 0.38, '#4d84f2');
    line(ctx, [-0.08, -0.34, -0.14, -0.46], 0.05, '#2a4fb0');
    line(ctx, [0.08, -0.34, 0.14, -0.46], 0.05, '#2a4fb0');
  }
  for (const x of [-0.13, 0.13]) {
    disc(ctx, x + gx * 0.05, -0.06 + gy * 0.05, 0.11, '#fff');
    disc(ctx, x + gx * 0.1, -0.06 + gy * 0.1, 0.055, '#141414');
  }
  line(ctx, [-0.12, 0.18, -0.04, 0.23, 0.04, 0.18, 0.12, 0.23], 0.045, '#fff');
}

/** A pose for a loose tile that rests. @param {import('../../types').Sprite} sprite @param {number} x @param {number} y @returns {Pose} */
function resting(sprite, x, y) {
  return { key: '', sprite, x, y, dx: 0, dy: 0, t: 1, alpha: 1, facing: 'east', on: '', step: 0 };
}

const LOOSE = new Set(['rock', 'diamond']);

/** @type {import('../../types').Look} */
const look = {
  margin: [0, 0, 0, 0],
  dark: true,
  ground: 'empty',
  loose: LOOSE,
  pace: () => 150,
  ease: (t) => t,
  tile(ctx, sprite, at, { dark }, x, y) {
    ctx.fillStyle = dark ? '#17120e' : '#3a2b1f';
    ctx.fillRect(0, 0, 1.01, 1.01);
    const buried = LOOSE.has(sprite.name) && ![at(0, -1), at(1, 0), at(0, 1), at(-1, 0)].some((name) => OPEN.has(name));
    if (buried) dirt(ctx, dark, at, x, y);
    switch (sprite.name) {
      case 'dirt':
        dirt(ctx, dark, at, x, y);
        break;
      case 'border':
        border(ctx, dark);
        break;
      case 'wall':
        wall(ctx, dark);
        break;
      case 'closed exit':
        exit(ctx, false);
        break;
      case 'exit':
        exit(ctx, true);
        break;
      case 'explosion':
        blast(ctx, x, y);
        break;
      case 'rock':
        ctx.translate(0.5, 0.5);
        rock(ctx, resting(sprite, x, y));
        break;
      case 'diamond':
        ctx.translate(0.5, 0.5);
        diamond(ctx, resting(sprite, x, y));
        break;
      case 'magic wall':
        magicWall(ctx, dark);
        break;
      case 'amoeba':
        amoeba(ctx, x, y);
        break;
      case 'slime':
        slime(ctx);
        break;
      case 'inbox':
        inbox(ctx);
        break;
      case 'wall that grows sideways':
        growingWall(ctx, dark, ['east', 'west']);
        break;
      case 'wall that grows up and down':
        growingWall(ctx, dark, ['north', 'south']);
        break;
      case 'wall that grows to all sides':
        growingWall(ctx, dark, Object.keys(GAZE));
        break;
      case 'hidden exit':
        markedBorder(ctx, dark, 'X');
        break;
      case 'border that can be blasted':
        markedBorder(ctx, dark, '✷');
        break;
      case 'gravestone':
      case 'doll':
      case 'key':
        disc(ctx, 0.5, 0.5, 0.3, '#ffd24a');
        break;
      default:
    }
  },
  piece(ctx, pose) {
    switch (pose.sprite.name) {
      case 'rock':
        rock(ctx, pose);
        break;
      case 'diamond':
        diamond(ctx, pose);
        break;
      case 'miner':
        miner(ctx, pose);
        break;
      case 'dead':
        grave(ctx, '#d8542f');
        break;
      default:
        monster(ctx, pose, pose.sprite.name === 'red monster');
    }
  },
};

/** @type {import('../../types').GameModule} */
export default {
  look,
  homeSpeed: 7,
  grid: async () => ({ headers: [{ key: 'need', label: 'Diamonds needed', placeholder: 'all of them' }] }),
  levelFields: async (game, setup) => [(await import('./view.js')).viewField(game, setup)],
};
