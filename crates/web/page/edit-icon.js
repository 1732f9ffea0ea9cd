// A single sprite as an icon, for palettes.

import { paletteOf, plainLook } from './look.js';
import { h } from './dom.js';

/** @typedef {import('./types').Sprite} Sprite */

const SIDE = 30;

/**
 * @param {import('./types').Look | undefined} look
 * @param {Sprite} sprite
 * @param {Sprite | null} ground the tile under it; none if the sprite is a tile itself
 */
export function icon(look, sprite, ground) {
  const ratio = devicePixelRatio || 1;
  const canvas = h('canvas', { width: SIDE * ratio, height: SIDE * ratio, class: 'sprite', 'aria-hidden': 'true' });
  const draw = () => paint(canvas, look ?? plainLook, sprite, ground);
  draw();
  // Colours follow the theme; a canvas that has left the page stops listening.
  const redraw = () => (canvas.isConnected ? draw() : removeEventListener('themechange', redraw));
  addEventListener('themechange', redraw);
  return canvas;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import('./types').Look} look
 * @param {Sprite} sprite
 * @param {Sprite | null} ground
 */
function paint(canvas, look, sprite, ground) {
  const palette = paletteOf();
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.setTransform(canvas.width, 0, 0, canvas.height, 0, 0);
  ctx.clearRect(0, 0, 1, 1);
  look.tile(ctx, ground ?? sprite, () => '', palette, 0, 0);
  if (!ground) return;
  ctx.setTransform(canvas.width, 0, 0, canvas.height, canvas.width / 2, canvas.height / 2);
  const pose = {
    key: 'icon',
    sprite,
    x: 0,
    y: 0,
    dx: 0,
    dy: 0,
    t: 1,
    alpha: 1,
    facing: sprite.facing ?? 'east',
    on: ground.name,
    step: 0,
  };
  look.piece(ctx, /** @type {import('./types').Pose} */ (pose), palette);
}
