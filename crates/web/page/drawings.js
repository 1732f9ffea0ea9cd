// Which game is drawn how, and the colours they share. A game without drawings of its own is drawn with its terminal characters.

import { delirium } from './draw-delirium.js';
import { lodeRunner } from './draw-loderunner.js';
import { pacman } from './draw-pacman.js';
import { ricochet } from './draw-ricochet.js';
import { siam } from './draw-siam.js';
import { isDark } from './theme.js';

/** @typedef {import('./types').Look} Look */
/** @typedef {import('./types').Palette} Palette */
/** @typedef {import('./types').Picture} Picture */

/**
 * The palette of sprites, light and dark. Hues differ in lightness too, so that they can be told apart without seeing colours.
 * @type {Record<string, [string, string]>}
 */
const COLOURS = {
  plain: ['#3a2d20', '#efe6d8'],
  dim: ['#8a7a68', '#8d7c69'],
  white: ['#c9ccd1', '#dfe3e8'],
  red: ['#cf3a2b', '#ea5745'],
  orange: ['#e0791d', '#f39237'],
  yellow: ['#f2c02e', '#f7cd46'],
  green: ['#2f9150', '#43b869'],
  cyan: ['#2aa5bd', '#46c4dc'],
  blue: ['#2f62c9', '#5a8cf0'],
  navy: ['#2b3f8c', '#4157b5'],
  purple: ['#7d4bb5', '#a678de'],
  pink: ['#ee8fb4', '#f6a9c7'],
  brown: ['#8a5a33', '#8f6038'],
  focus: ['#1768ac', '#7cc4ff'],
  wall: ['#4a2d18', '#d6b48a'],
  'wall shade': ['#4a2d1840', '#00000066'],
};

/** @returns {Palette} */
export function paletteOf() {
  const dark = isDark();
  return { dark, of: (colour) => (COLOURS[colour] ?? COLOURS.plain)[dark ? 1 : 0] };
}

/** @type {Look} */
const terminal = {
  margin: [0, 0, 0, 0],
  pace: () => 160,
  ease: (t) => t,
  tile(ctx, sprite, _at, palette) {
    ctx.fillStyle = palette.dark ? '#241d17' : '#fbf5ea';
    ctx.fillRect(0, 0, 1, 1);
    ctx.translate(0.5, 0.5);
    write(ctx, sprite.unicode, palette.of(sprite.colour));
  },
  piece(ctx, pose, palette) {
    write(ctx, pose.sprite.unicode, palette.of(pose.sprite.colour));
  },
};

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {string} colour
 */
function write(ctx, text, colour) {
  ctx.fillStyle = colour;
  ctx.font = '0.7px monospace';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text.trim(), 0, 0);
}

/** @type {Record<string, Look>} */
const LOOKS = { pacman, ricochet, siam, loderunner: lodeRunner, delirium };

/** A sprite that only one game has. @type {[string, string][]} */
const TELLTALE = [['pacman', 'pacman'], ['pellet', 'pacman'], ['robot', 'ricochet'], ['square', 'siam'], ['brick', 'loderunner'], ['runner', 'loderunner'], ['ladder', 'loderunner'], ['miner', 'delirium'], ['dirt', 'delirium']];

/**
 * @param {string | undefined} game
 * @param {Picture | null} picture
 * @returns {Look}
 */
export function lookOf(game, picture) {
  if (game) return LOOKS[game] ?? terminal;
  const names = new Set(picture?.sprites.map((sprite) => sprite.name));
  const found = TELLTALE.find(([name]) => names.has(name));
  return found ? LOOKS[found[1]] : terminal;
}
