// The colours that all games share, and the look of games without drawings of their own: terminal characters.

import { letter } from './draw-common.js';
import { isDark } from './theme.js';

/** @typedef {import('./types').Look} Look */
/** @typedef {import('./types').Palette} Palette */

/**
 * The palette of sprites, light and dark. Hues also differ in lightness, so that colour-blind people can distinguish them.
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

/** Height of a character, in cells. */
const TEXT_SIZE = 0.7;

/** Draws a sprite by its colour and its characters. @type {Look} */
export const plainLook = {
  margin: [0, 0, 0, 0],
  pace: () => 160,
  ease: (t) => t,
  tile(ctx, sprite, _at, palette) {
    ctx.fillStyle = palette.dark ? '#241d17' : '#fbf5ea';
    ctx.fillRect(0, 0, 1, 1);
    if (sprite.faint) ctx.globalAlpha = 0.5;
    letter(ctx, sprite.unicode.trim(), 0.5, 0.5, TEXT_SIZE, palette.of(sprite.colour));
  },
  piece(ctx, pose, palette) {
    letter(ctx, pose.sprite.unicode.trim(), 0, 0, TEXT_SIZE, palette.of(pose.sprite.colour));
  },
};
