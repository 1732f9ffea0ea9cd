// Marks of agents and the player's selection, drawn over the board. One unit is one cell.

import { disc, line, shape } from './draw-common.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {import('./types').Point} Point */
/** @typedef {import('./types').Palette} Palette */
/** @typedef {import('./types').Arrow} Arrow */

/** @typedef {{colour: [string, string], draw: (ctx: Ctx, colour: string, mark: Mark) => void}} MarkStyle */

/** Reasons differ in shape as well as in colour. @type {Record<string, MarkStyle>} */
const STYLES = {
  goal: { colour: ['#0b7a4b', '#4fe0a0'], draw: ring },
  danger: { colour: ['#d21f1f', '#ff6b5e'], draw: hatching },
  predicted: { colour: ['#7a35b8', '#d09bff'], draw: outline },
  'virtual wall': { colour: ['#5b4632', '#e2c39a'], draw: block },
  corridor: { colour: ['#b07a00', '#f2c14e'], draw: wash },
  target: { colour: ['#c4246e', '#ff86bd'], draw: crosshair },
  corner: { colour: ['#2b6cb0', '#79b8ff'], draw: dot },
  crossroad: { colour: ['#2b6cb0', '#79b8ff'], draw: plus },
};
const PATH = ['#1457a8', '#7cc0ff'];
const OTHERS = [
  ['#6b5b00', '#e9d66b'],
  ['#00696b', '#6fe0df'],
  ['#8a3b12', '#ffb08a'],
  ['#4b3f8f', '#b7acff'],
];

/**
 * The colour of a mark's reason; reasons that agents invent get one of a few neutral colours.
 * @param {string} why
 * @param {boolean} dark
 */
export function markColour(why, dark) {
  const index = dark ? 1 : 0;
  if (why === 'path') return PATH[index];
  if (STYLES[why]) return STYLES[why].colour[index];
  let sum = 0;
  for (const character of why) sum = (sum * 31 + character.charCodeAt(0)) % 997;
  return OTHERS[sum % OTHERS.length][index];
}

/**
 * A sample of a mark, for legends.
 * @param {string} why
 * @param {boolean} dark
 */
export function markSample(why, dark) {
  const canvas = document.createElement('canvas');
  const ratio = devicePixelRatio || 1;
  canvas.width = canvas.height = 18 * ratio;
  canvas.className = 'sample';
  const ctx = /** @type {Ctx} */ (canvas.getContext('2d'));
  ctx.scale(18 * ratio, 18 * ratio);
  const colour = markColour(why, dark);
  if (why === 'path') line(ctx, [0.1, 0.5, 0.9, 0.5], 0.2, colour);
  else (STYLES[why]?.draw ?? frame)(ctx, colour, { at: [0, 0], why });
  return canvas;
}

/**
 * Draws everything above the pieces: marks, hidden cells, the player's selection, arrows.
 * @param {Ctx} ctx
 * @param {import('./types').Picture} picture
 * @param {import('./types').ShowOptions} shown
 * @param {Palette} palette
 */
export function drawOver(ctx, picture, shown, palette) {
  for (const [x, y] of shown.hidden ?? []) fog(ctx, x, y, palette);
  drawEach(
    ctx,
    (shown.marks ?? []).filter((mark) => mark.why !== 'path' && !GROUND.has(mark.why)),
    palette,
  );
  for (const at of shown.targets ?? []) target(ctx, at, picture, palette);
  if (shown.selected) selection(ctx, shown.selected, palette);
  for (const arrow of shown.arrows ?? []) drawArrow(ctx, arrow, palette);
}

/** Marks that lie on the ground, under the pieces. */
const GROUND = new Set(['corridor', 'virtual wall', 'corner', 'crossroad']);

/**
 * Draws paths and other marks on the ground.
 * @param {Ctx} ctx
 * @param {Mark[]} marks
 * @param {import('./types').Picture} picture
 * @param {Palette} palette
 */
export function drawGround(ctx, marks, picture, palette) {
  drawEach(
    ctx,
    marks.filter((mark) => GROUND.has(mark.why)),
    palette,
  );
  drawPath(
    ctx,
    marks.filter((mark) => mark.why === 'path').map((mark) => mark.at),
    picture.size,
    palette,
  );
}

/**
 * @param {Ctx} ctx
 * @param {Mark[]} marks
 * @param {Palette} palette
 */
function drawEach(ctx, marks, palette) {
  for (const mark of marks) {
    ctx.save();
    ctx.translate(mark.at[0], mark.at[1]);
    (STYLES[mark.why]?.draw ?? frame)(ctx, markColour(mark.why, palette.dark), mark);
    ctx.restore();
    if (mark.label) tag(ctx, mark.label, mark.at[0] + 0.5, mark.at[1] + 0.5, markColour(mark.why, false));
  }
}

/**
 * Joins cells by a line. A new line begins where the path jumps, or wraps around an edge of the board.
 * @param {Ctx} ctx
 * @param {Point[]} cells
 * @param {Point} size
 * @param {Palette} palette
 */
function drawPath(ctx, cells, size, palette) {
  const colour = PATH[palette.dark ? 1 : 0];
  /** @type {Point[][]} */
  const runs = [];
  for (const cell of cells) {
    const last = runs.at(-1)?.at(-1);
    const [dx, dy] = last ? [Math.abs(cell[0] - last[0]), Math.abs(cell[1] - last[1])] : [0, 0];
    const crooked = dx > 0 && dy > 0 && dx + dy > 2;
    if (!last || crooked || (dx > 1 && dx === size[0] - 1) || (dy > 1 && dy === size[1] - 1)) runs.push([cell]);
    else runs.at(-1)?.push(cell);
  }
  for (const run of runs) {
    const points = run.flatMap(([x, y]) => [x + 0.5, y + 0.5]);
    if (run.length === 1) disc(ctx, points[0], points[1], 0.13, colour);
    else {
      line(ctx, points, 0.2, palette.dark ? '#0009' : '#fffc');
      line(ctx, points, 0.11, colour);
      head(ctx, points.slice(-4), colour, 0.26);
    }
  }
}

/**
 * An arrow head at the end of a segment.
 * @param {Ctx} ctx
 * @param {number[]} segment from x, from y, to x, to y
 * @param {string} colour
 * @param {number} size
 */
function head(ctx, [ax, ay, bx, by], colour, size) {
  const angle = Math.atan2(by - ay, bx - ax);
  ctx.save();
  ctx.translate(bx, by);
  ctx.rotate(angle);
  shape(ctx, [size, 0, -size * 0.7, -size * 0.85, -size * 0.3, 0, -size * 0.7, size * 0.85], colour);
  ctx.restore();
}

/**
 * @param {Ctx} ctx
 * @param {Arrow} arrow
 * @param {Palette} palette
 */
function drawArrow(ctx, { from, to, colour, label }, palette) {
  const ink = colour ?? PATH[palette.dark ? 1 : 0];
  const [ax, ay, bx, by] = [from[0] + 0.5, from[1] + 0.5, to[0] + 0.5, to[1] + 0.5];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const short = Math.min(0.3, length / 4) / length;
  const [cut, rise] = [(bx - ax) * short, (by - ay) * short];
  const points = [ax + cut, ay + rise, bx - cut, by - rise];
  ctx.globalAlpha = 0.85;
  line(ctx, points, 0.24, palette.dark ? '#000a' : '#fffc');
  line(ctx, points, 0.14, ink);
  head(ctx, points, ink, 0.3);
  ctx.globalAlpha = 1;
  if (label) tag(ctx, label, (ax + bx) / 2, (ay + by) / 2, ink);
}

/**
 * @param {Ctx} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 */
function tag(ctx, text, x, y, colour) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(0.015, 0.015);
  ctx.font = '700 18px system-ui, sans-serif';
  const width = ctx.measureText(text).width + 12;
  ctx.fillStyle = '#fffd';
  ctx.beginPath();
  ctx.roundRect(-width / 2, -12, width, 24, 8);
  ctx.fill();
  ctx.fillStyle = colour;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, 0, 1);
  ctx.restore();
}

/** @param {Ctx} ctx @param {string} colour */
function ring(ctx, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 0.11;
  ctx.beginPath();
  ctx.arc(0.5, 0.5, 0.38, 0, Math.PI * 2);
  ctx.stroke();
}

/** @param {Ctx} ctx @param {string} colour */
function hatching(ctx, colour) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0.03, 0.03, 0.94, 0.94);
  ctx.clip();
  ctx.globalAlpha = 0.2;
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  ctx.globalAlpha = 0.85;
  for (let offset = -1; offset < 1; offset += 0.3) line(ctx, [offset, 1, offset + 1, 0], 0.06, colour);
  ctx.restore();
}

/** A translucent disc for a predicted piece. @param {Ctx} ctx @param {string} colour */
function outline(ctx, colour) {
  ctx.globalAlpha = 0.22;
  disc(ctx, 0.5, 0.5, 0.38, colour);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 0.07;
  ctx.setLineDash([0.16, 0.12]);
  ctx.beginPath();
  ctx.arc(0.5, 0.5, 0.38, 0, Math.PI * 2);
  ctx.stroke();
}

/** @param {Ctx} ctx @param {string} colour */
function block(ctx, colour) {
  ctx.setLineDash([0.2, 0.12]);
  tinted(ctx, colour, 0.3);
}

/** @param {Ctx} ctx @param {string} colour */
function wash(ctx, colour) {
  ctx.globalAlpha = 0.3;
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
}

/** @param {Ctx} ctx @param {string} colour */
function crosshair(ctx, colour) {
  ring(ctx, colour);
  for (const [ax, ay, bx, by] of [
    [0.5, 0.02, 0.5, 0.3],
    [0.5, 0.7, 0.5, 0.98],
    [0.02, 0.5, 0.3, 0.5],
    [0.7, 0.5, 0.98, 0.5],
  ])
    line(ctx, [ax, ay, bx, by], 0.08, colour);
}

/** @param {Ctx} ctx @param {string} colour */
function dot(ctx, colour) {
  disc(ctx, 0.5, 0.5, 0.14, colour);
}

/** @param {Ctx} ctx @param {string} colour */
function plus(ctx, colour) {
  line(ctx, [0.5, 0.3, 0.5, 0.7], 0.1, colour);
  line(ctx, [0.3, 0.5, 0.7, 0.5], 0.1, colour);
}

/** A reason that the agent invented. @param {Ctx} ctx @param {string} colour */
function frame(ctx, colour) {
  tinted(ctx, colour, 0.18);
}

/** @param {Ctx} ctx @param {string} colour @param {number} tint */
function tinted(ctx, colour, tint) {
  ctx.globalAlpha = tint;
  ctx.fillStyle = colour;
  ctx.fillRect(0.05, 0.05, 0.9, 0.9);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 0.07;
  ctx.strokeRect(0.08, 0.08, 0.84, 0.84);
}

/**
 * @param {Ctx} ctx
 * @param {number} x
 * @param {number} y
 * @param {Palette} palette
 */
function fog(ctx, x, y, palette) {
  ctx.fillStyle = palette.dark ? '#0d0a08' : '#cfc4b4';
  ctx.fillRect(x, y, 1.01, 1.01);
}

/**
 * A possible destination: a dot on a free cell, a frame around an occupied one.
 * @param {Ctx} ctx
 * @param {Point} at
 * @param {import('./types').Picture} picture
 * @param {Palette} palette
 */
function target(ctx, [x, y], picture, palette) {
  const colour = palette.dark ? '#8ef0b4' : '#0b7a4b';
  const taken = picture.pieces.some((piece) => piece[1] === x && piece[2] === y);
  ctx.globalAlpha = 0.9;
  if (taken) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = 0.08;
    ctx.setLineDash([0.25, 0.13]);
    ctx.strokeRect(x + 0.07, y + 0.07, 0.86, 0.86);
    ctx.setLineDash([]);
  } else disc(ctx, x + 0.5, y + 0.5, 0.16, colour);
  ctx.globalAlpha = 1;
}

/**
 * @param {Ctx} ctx
 * @param {Point} at
 * @param {Palette} palette
 */
function selection(ctx, [x, y], palette) {
  ctx.strokeStyle = palette.dark ? '#ffd75e' : '#c77700';
  ctx.lineWidth = 0.09;
  ctx.strokeRect(x + 0.05, y + 0.05, 0.9, 0.9);
}
