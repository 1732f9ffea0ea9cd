// The cached layer of a board's tiles, repainted only where they change.

/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Look} Look */
/** @typedef {import('./types').Palette} Palette */

export class StillLayer {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.cell = 0;
    /** The sprite keys of the painted cells. @type {string[]} */
    this.painted = [];
    this.walls = '';
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} cell
   */
  resize(width, height, cell) {
    this.cell = cell;
    this.canvas.width = width * cell;
    this.canvas.height = height * cell;
    this.painted = [];
  }

  /**
   * @param {Picture} picture
   * @param {Map<number, string | null>} held cells that show another sprite for now, or the ground if it is null
   * @param {Look} look
   * @param {Palette} palette
   */
  paint(picture, held, look, palette) {
    const walls = picture.walls.join();
    if (walls !== this.walls) this.painted = [];
    this.walls = walls;
    const wanted = Array.from(picture.tiles, (tile, index) => spriteKey(picture.sprites[tile], held.get(index), look));
    const dirty = this.dirtyCells(wanted, picture.size[0], picture.size[1]);
    for (const index of dirty) this.paintCell(index, wanted, picture, look, palette);
    if (dirty.size) this.paintWalls(picture, palette);
    this.painted = wanted;
  }

  /**
   * Cells that changed and their neighbours, whose edges may depend on them.
   * @param {string[]} wanted
   * @param {number} width
   * @param {number} height
   */
  dirtyCells(wanted, width, height) {
    /** @type {Set<number>} */
    const dirty = new Set();
    wanted.forEach((key, index) => {
      if (key === this.painted[index]) return;
      const [x, y] = [index % width, Math.floor(index / width)];
      for (let cy = Math.max(0, y - 1); cy <= Math.min(height - 1, y + 1); cy++) {
        for (let cx = Math.max(0, x - 1); cx <= Math.min(width - 1, x + 1); cx++) dirty.add(cy * width + cx);
      }
    });
    return dirty;
  }

  /**
   * @param {number} index
   * @param {string[]} wanted
   * @param {Picture} picture
   * @param {Look} look
   * @param {Palette} palette
   */
  paintCell(index, wanted, picture, look, palette) {
    const [width, height] = picture.size;
    const [x, y] = [index % width, Math.floor(index / width)];
    const [name] = wanted[index].split('|');
    const own = picture.sprites[picture.tiles[index]];
    const sprite =
      own?.name === name
        ? own
        : (picture.sprites.find((one) => one.name === name) ?? {
            name,
            colour: /** @type {const} */ ('plain'),
            unicode: '  ',
          });
    /** @param {number} dx @param {number} dy */
    const at = (dx, dy) => {
      const [cx, cy] = [x + dx, y + dy];
      return cx < 0 || cy < 0 || cx >= width || cy >= height ? '' : wanted[cy * width + cx].split('|', 1)[0];
    };
    const ctx = this.context;
    ctx.setTransform(this.cell, 0, 0, this.cell, x * this.cell, y * this.cell);
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, 1, 1);
    ctx.clip();
    ctx.clearRect(0, 0, 1, 1);
    look.tile(ctx, sprite, at, palette, x, y);
    ctx.restore();
  }

  /**
   * Thin walls lie over the cells.
   * @param {Picture} picture
   * @param {Palette} palette
   */
  paintWalls(picture, palette) {
    if (!picture.walls.length) return;
    const ctx = this.context;
    ctx.setTransform(this.cell, 0, 0, this.cell, 0, 0);
    ctx.lineCap = 'round';
    ctx.beginPath();
    for (const [x, y, dir] of picture.walls) {
      const [ax, ay] = [dir === 'east' ? x + 1 : x, dir === 'south' ? y + 1 : y];
      const across = dir === 'north' || dir === 'south';
      ctx.moveTo(ax, ay);
      ctx.lineTo(across ? ax + 1 : ax, across ? ay : ay + 1);
    }
    ctx.strokeStyle = palette.of('wall shade');
    ctx.lineWidth = 0.2;
    ctx.stroke();
    ctx.strokeStyle = palette.of('wall');
    ctx.lineWidth = 0.13;
    ctx.stroke();
  }
}

/**
 * A key that differs between tiles that look different.
 * @param {import('./types').Sprite | undefined} sprite
 * @param {string | null | undefined} held
 * @param {Look} look
 */
function spriteKey(sprite, held, look) {
  if (held !== undefined) return `${held ?? look.ground}|`;
  return sprite ? `${sprite.name}|${sprite.colour}|${sprite.faint ?? ''}` : '';
}
