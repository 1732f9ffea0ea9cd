// Shapes that several games draw. One unit is one cell.

/** @typedef {CanvasRenderingContext2D} Ctx */

/**
 * A pseudorandom number from 0 to 1 that depends only on the cell, for textures that do not flicker.
 * @param {number} x
 * @param {number} y
 * @param {number} salt
 */
export function grain(x, y, salt) {
  let hash = (x * 374761393 + y * 668265263 + salt * 2147483647) | 0;
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/**
 * @param {Ctx} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 */
export function disc(ctx, x, y, radius, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.fill();
}

/**
 * @param {Ctx} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} rx
 * @param {number} ry
 * @param {string} colour
 */
export function oval(ctx, x, y, rx, ry, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
  ctx.fill();
}

/**
 * @param {Ctx} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number | number[]} radius
 * @param {string} colour
 */
export function slab(ctx, x, y, width, height, radius, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
  ctx.fill();
}

/**
 * A filled shape through these points.
 * @param {Ctx} ctx
 * @param {number[]} points alternating x and y
 * @param {string} colour
 */
export function shape(ctx, points, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  for (let i = 0; i < points.length; i += 2) ctx.lineTo(points[i], points[i + 1]);
  ctx.closePath();
  ctx.fill();
}

/**
 * A line through these points.
 * @param {Ctx} ctx
 * @param {number[]} points alternating x and y
 * @param {number} width
 * @param {string} colour
 */
export function line(ctx, points, width, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.beginPath();
  for (let i = 0; i < points.length; i += 2) ctx.lineTo(points[i], points[i + 1]);
  ctx.stroke();
}

/**
 * @param {Ctx} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
export function letter(ctx, text, x, y, size, colour) {
  // Browsers do not draw fonts smaller than a pixel, so the context is scaled instead.
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size / 20, size / 20);
  ctx.fillStyle = colour;
  ctx.font = '700 20px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, 0, 1);
  ctx.restore();
}

/** Quarter turns from north, clockwise. @param {import('./types').Dir} dir */
export function turns(dir) {
  return ['north', 'east', 'south', 'west'].indexOf(dir);
}

/** @param {number} t */
export function easeInOut(t) {
  return t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
}

/** A gravestone where a figure died. @param {Ctx} ctx @param {string} colour */
export function grave(ctx, colour) {
  oval(ctx, 0, 0.36, 0.34, 0.1, '#0004');
  slab(ctx, -0.26, -0.32, 0.52, 0.7, [0.26, 0.26, 0.04, 0.04], '#8d949c');
  slab(ctx, -0.21, -0.27, 0.42, 0.6, [0.21, 0.21, 0.02, 0.02], '#b4bac1');
  line(ctx, [0, -0.14, 0, 0.2], 0.08, colour);
  line(ctx, [-0.12, -0.03, 0.12, -0.03], 0.08, colour);
}
