// A board on a canvas: a cached layer of tiles, animated pieces over it, marks on top.

import { paletteOf, plainLook } from './look.js';
import { h } from './dom.js';
import { BoardInput } from './board-input.js';
import { StillLayer } from './still.js';
import { drawGround, drawOver } from './marks.js';
import { along, matchPieces, matchTiles, pathLength } from './motion.js';

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Point} Point */
/** @typedef {import('./types').ShowOptions} ShowOptions */
/** @typedef {import('./types').BoardOptions} BoardOptions */
/** @typedef {import('./types').Look} Look */
/** @typedef {import('./motion').Mover} Mover */

/** Larger layers are slow to draw and refused by some browsers. */
const MAX_PIXELS = 4096;

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {BoardOptions} options
   */
  constructor(host, options) {
    this.host = host;
    this.options = options;
    this.canvas = h('canvas', options.quiet ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': options.label });
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.still = new StillLayer();
    /** The frame around the cells, and its width to the left and at the top. */
    this.back = document.createElement('canvas');
    this.inset = [0, 0];
    this.under = document.createElement('canvas');
    this.over = document.createElement('canvas');
    this.voice = h('div', { class: 'hidden-text', 'aria-live': 'polite' });
    host.classList.add('board');
    host.append(this.canvas);
    if (!options.quiet) host.append(this.voice);
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {ShowOptions} */
    this.shown = {};
    /** @type {Look} */
    this.look = options.look ?? plainLook;
    this.palette = paletteOf();
    this.cell = 0;
    /** The top left corner of the visible part, in cells, if the board is larger than the screen. @type {Point} */
    this.camera = [0, 0];
    /** @type {Mover[]} */
    this.movers = [];
    /** Cells that show another tile than the picture's during an animation, with that tile. @type {Map<number, string | null>} */
    this.held = new Map();
    /** @type {Map<string, import('./types').Dir>} */
    this.facings = new Map();
    /** @type {Set<number>} */
    this.falling = new Set();
    this.started = 0;
    this.duration = 0;
    this.steps = 0;
    this.request = 0;
    /** The cell that keys act on. @type {Point} */
    this.cursor = [0, 0];
    this.cursorVisible = false;
    this.input = new BoardInput(this);
    this.sizes = new ResizeObserver(() => this.refresh());
    this.sizes.observe(host);
    this.onTheme = () => this.refresh();
    addEventListener('themechange', this.onTheme);
  }

  // Showing pictures

  /**
   * @param {Picture} picture
   * @param {ShowOptions} [options]
   */
  show(picture, options = {}) {
    const before = this.picture;
    const same = before?.size[0] === picture.size[0] && before?.size[1] === picture.size[1];
    this.finishMove();
    this.picture = picture;
    this.shown = options;
    if (!same) this.layOut();
    this.prepareMove(same ? before : null, picture, options);
    this.paintBack();
    this.paintStill();
    this.paintMarks();
    this.describe();
    this.wake();
  }

  /** Changes marks, arrows and the selection, but not the picture. @param {ShowOptions} options */
  decorate(options) {
    this.shown = { ...this.shown, ...options };
    this.paintMarks();
    this.wake();
  }

  /**
   * @param {Picture | null} before
   * @param {Picture} picture
   * @param {ShowOptions} options
   */
  prepareMove(before, picture, options) {
    const animated = before && options.animate && !reducedMotion.matches ? before : null;
    // A jump in time has no previous move: facings start over.
    if (!options.animate) this.facings.clear();
    this.movers = matchPieces(options.animate ? before : null, picture, this.look, options.action, this.facings);
    if (!animated) {
      this.movers = this.movers.filter((mover) => mover.kind !== 'gone');
      this.duration = 0;
      this.falling.clear();
      return;
    }
    const tiles = this.look.loose ? matchTiles(animated, picture, this.look.loose, this.falling) : [];
    this.movers = [...tiles, ...this.movers];
    this.hold(animated, picture, tiles);
    const longest = Math.max(0, ...this.movers.map((mover) => (mover.kind === 'slide' ? pathLength(mover.path) : 1)));
    this.duration = options.animate === 'natural' ? this.look.pace(longest) : Number(options.animate);
    this.started = performance.now();
    this.steps += 1;
  }

  /**
   * Holds back changes of tiles during an animation: a loose tile has not arrived yet, and what a piece takes is still there.
   * @param {Picture} before
   * @param {Picture} picture
   * @param {Mover[]} tiles
   */
  hold(before, picture, tiles) {
    const width = picture.size[0];
    for (const mover of this.movers) {
      const [x, y] = mover.path[mover.path.length - 1];
      const cell = Math.round(y) * width + Math.round(x);
      const was = before.sprites[before.tiles[cell]]?.name;
      if (mover.kind === 'slide' && mover.key[0] === 'p' && picture.sprites[picture.tiles[cell]]?.name !== was)
        this.held.set(cell, was);
    }
    for (const mover of tiles) {
      const [x, y] = mover.path[1];
      this.held.set(y * width + x, null);
    }
  }

  finishMove() {
    this.duration = 0;
    this.held.clear();
    this.movers = this.movers.filter((mover) => mover.key[0] === 'p');
  }

  /** How much of the animation is done, from 0 to 1. @param {number} now */
  progress(now) {
    return this.duration ? Math.min(1, (now - this.started) / this.duration) : 1;
  }

  // Drawing

  wake() {
    this.request ||= requestAnimationFrame((now) => {
      this.request = 0;
      this.draw(now);
    });
  }

  /** @param {number} now */
  draw(now) {
    if (!this.picture || !this.cell) return;
    const t = this.progress(now);
    const moving = t < 1;
    if (!moving && this.duration) {
      this.finishMove();
      this.paintStill();
    } else if (t > 0.5) this.release();
    this.moveCamera(t);
    const ctx = this.context;
    const [left, top] = this.origin();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.back.width) ctx.drawImage(this.back, left - this.inset[0], top - this.inset[1]);
    ctx.drawImage(this.still.canvas, left, top);
    if (this.under.width) ctx.drawImage(this.under, left, top);
    for (const mover of this.movers) this.drawMover(ctx, mover, t, left, top);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    if (this.over.width) ctx.drawImage(this.over, left, top);
    this.drawCursor(ctx, left, top);
    if (moving) this.wake();
  }

  /** Lets taken things vanish once the piece that takes them is halfway there. */
  release() {
    let changed = false;
    for (const [cell, what] of this.held) {
      if (what !== null) changed = this.held.delete(cell) || changed;
    }
    if (changed) this.paintStill();
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Mover} mover
   * @param {number} t
   * @param {number} left
   * @param {number} top
   */
  drawMover(ctx, mover, t, left, top) {
    const { kind, path } = mover;
    const eased = kind === 'fall' ? t * t : this.look.ease(t);
    const { at, step } =
      kind === 'fade' ? { at: path[t < 0.5 ? 0 : 1], step: /** @type {Point} */ ([0, 0]) } : along(path, eased);
    const alpha = kind === 'fade' ? Math.abs(1 - 2 * t) : kind === 'new' ? t : kind === 'gone' ? 1 - t : 1;
    ctx.setTransform(this.cell, 0, 0, this.cell, left + (at[0] + 0.5) * this.cell, top + (at[1] + 0.5) * this.cell);
    ctx.globalAlpha = alpha;
    const moving = t < 1 ? step : [0, 0];
    this.look.piece(
      ctx,
      {
        key: mover.key,
        sprite: mover.sprite,
        x: at[0],
        y: at[1],
        dx: moving[0],
        dy: moving[1],
        t,
        alpha,
        facing: mover.facing,
        on: this.tileName(Math.round(at[0]), Math.round(at[1])),
        step: this.steps,
      },
      this.palette,
    );
    ctx.globalAlpha = 1;
  }

  paintStill() {
    if (this.picture && this.cell) this.still.paint(this.picture, this.held, this.look, this.palette);
  }

  paintBack() {
    const { picture, look, cell } = this;
    const [l, t, r, b] = look.margin;
    this.inset = [Math.round(l * cell), Math.round(t * cell)];
    this.back.width = picture && look.frame ? Math.round((picture.size[0] + l + r) * cell) : 0;
    this.back.height = picture && look.frame ? Math.round((picture.size[1] + t + b) * cell) : 0;
    if (!picture || !this.back.width) return;
    const ctx = /** @type {CanvasRenderingContext2D} */ (this.back.getContext('2d'));
    ctx.setTransform(cell, 0, 0, cell, this.inset[0], this.inset[1]);
    look.frame?.(ctx, picture, this.palette);
  }

  paintMarks() {
    const { picture, shown } = this;
    if (!picture || !this.cell) return;
    const palette = { ...this.palette, dark: this.palette.dark || Boolean(this.look.dark) };
    const { marks = [], arrows, targets, hidden, selected } = shown;
    this.paintLayer(this.under, marks.length > 0, (ctx) => drawGround(ctx, marks, picture, palette));
    const any = Boolean(marks.length || arrows?.length || targets?.length || hidden?.length || selected);
    this.paintLayer(this.over, any, (ctx) => drawOver(ctx, picture, shown, palette));
  }

  /**
   * @param {HTMLCanvasElement} layer
   * @param {boolean} any whether there is anything to draw; an empty layer costs nothing
   * @param {(ctx: CanvasRenderingContext2D) => void} draw
   */
  paintLayer(layer, any, draw) {
    const [width, height] = /** @type {Picture} */ (this.picture).size;
    layer.width = any ? width * this.cell : 0;
    layer.height = any ? height * this.cell : 0;
    if (!any) return;
    const ctx = /** @type {CanvasRenderingContext2D} */ (layer.getContext('2d'));
    ctx.setTransform(this.cell, 0, 0, this.cell, 0, 0);
    draw(ctx);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} left
   * @param {number} top
   */
  drawCursor(ctx, left, top) {
    if (!this.cursorVisible) return;
    ctx.strokeStyle = this.palette.of('focus');
    ctx.lineWidth = Math.max(2, this.cell * 0.08);
    const inset = ctx.lineWidth / 2;
    ctx.strokeRect(
      left + this.cursor[0] * this.cell + inset,
      top + this.cursor[1] * this.cell + inset,
      this.cell - 2 * inset,
      this.cell - 2 * inset,
    );
  }

  // Layout

  layOut() {
    const { picture, host } = this;
    if (!picture || !host.clientWidth) return;
    this.palette = paletteOf();
    const [width, height] = picture.size;
    const [l, t, r, b] = this.look.margin;
    const ratio = devicePixelRatio || 1;
    const room = this.room();
    const fit = Math.min(
      (room[0] * ratio) / (width + l + r),
      (room[1] * ratio) / (height + t + b),
      MAX_PIXELS / Math.max(width, height),
    );
    const least = Math.min((this.options.minCell ?? 0) * ratio, MAX_PIXELS / Math.max(width, height));
    this.cell = Math.max(2, Math.floor(Math.max(fit, least)));
    this.canvas.width = Math.min(Math.floor(room[0] * ratio), Math.round((width + l + r) * this.cell));
    this.canvas.height = Math.min(Math.floor(room[1] * ratio), Math.round((height + t + b) * this.cell));
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.still.resize(width, height, this.cell);
  }

  /** The host's width and its maximum height, in CSS pixels. @returns {Point} */
  room() {
    const maxHeight = Number.parseFloat(getComputedStyle(this.host).maxHeight);
    return [this.host.clientWidth, Number.isFinite(maxHeight) ? maxHeight : innerHeight];
  }

  /** The position of the first cell on the canvas, in device pixels. @returns {Point} */
  origin() {
    const [l, t] = this.look.margin;
    return [Math.round((l - this.camera[0]) * this.cell), Math.round((t - this.camera[1]) * this.cell)];
  }

  /** Keeps the piece with the lowest id centred if the screen is too small for the board. @param {number} t */
  moveCamera(t) {
    const picture = /** @type {Picture} */ (this.picture);
    const [l, top, r, b] = this.look.margin;
    const view = [this.canvas.width / this.cell, this.canvas.height / this.cell];
    const whole = [picture.size[0] + l + r, picture.size[1] + top + b];
    if (whole[0] <= view[0] + 0.01 && whole[1] <= view[1] + 0.01) {
      this.camera = [0, 0];
      return;
    }
    const hero = this.movers
      .filter((mover) => mover.key[0] === 'p')
      .reduce(
        (low, mover) => (!low || Number(mover.key.slice(1)) < Number(low.key.slice(1)) ? mover : low),
        /** @type {Mover | null} */ (null),
      );
    const at = hero ? along(hero.path, this.look.ease(t)).at : this.cursor;
    /** @param {number} axis */
    const place = (axis) =>
      Math.max(0, Math.min(whole[axis] - view[axis], at[axis] + 0.5 + (axis ? top : l) - view[axis] / 2));
    this.camera = [place(0), place(1)];
  }

  /** Lays out and repaints everything, after a change of size or theme. */
  refresh() {
    this.layOut();
    this.paintBack();
    this.paintStill();
    this.paintMarks();
    this.wake();
  }

  /**
   * The position of a pointer in cells, as fractions; it may be outside of the board.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  pointAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [left, top] = this.origin();
    const scale = this.canvas.width / box.width;
    return [
      ((event.clientX - box.left) * scale - left) / this.cell,
      ((event.clientY - box.top) * scale - top) / this.cell,
    ];
  }

  // Descriptions

  /**
   * @param {number} x
   * @param {number} y
   */
  tileName(x, y) {
    const { picture } = this;
    return picture?.sprites[picture.tiles[y * picture.size[0] + x]]?.name ?? '';
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cellText(x, y) {
    const pieces = (this.picture?.pieces ?? [])
      .filter((piece) => Math.round(piece[1]) === x && Math.round(piece[2]) === y)
      .map((piece) => this.pieceText(/** @type {Picture} */ (this.picture).sprites[piece[3]]));
    return `column ${x + 1}, row ${y + 1}: ${[this.tileName(x, y), ...pieces].join(', ')}`;
  }

  /** @param {import('./types').Sprite} sprite */
  pieceText(sprite) {
    const name = this.look.pieceName?.(sprite) ?? sprite.name;
    return sprite.facing ? `${name} facing ${sprite.facing}` : name;
  }

  describe() {
    if (this.options.quiet || !this.picture) return;
    const { size, pieces, sprites, labels } = this.picture;
    const facts = labels.map(([name, value]) => `${name} ${value}`);
    const places = pieces
      .slice(0, 12)
      .map(
        ([, x, y, sprite]) =>
          `${this.pieceText(sprites[sprite])} at column ${Math.round(x) + 1}, row ${Math.round(y) + 1}`,
      );
    this.canvas.setAttribute(
      'aria-label',
      `${this.options.label}, ${size[0]} by ${size[1]}. ${[...facts, ...places].join('; ')}`,
    );
  }

  /** Announces a text to screen readers. @param {string} text */
  say(text) {
    this.voice.textContent = text;
  }

  destroy() {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.picture = null;
    this.sizes.disconnect();
    removeEventListener('themechange', this.onTheme);
    this.canvas.remove();
    this.voice.remove();
    this.host.classList.remove('board', 'acts');
  }
}
