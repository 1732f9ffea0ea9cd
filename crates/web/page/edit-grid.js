// The editor for levels drawn with symbols: a board to paint on, brushes and tools.

import { Board } from './board.js';
import { button, field, fill, h } from './dom.js';
import { icon } from './edit-icon.js';
import { keepingFocus, undoButtons } from './common.js';
import * as drawing from './edit-text.js';

/** @typedef {import('./edit-desk.js').Desk} Desk */
/** @typedef {import('./edit-text.js').Cell} Cell */
/** @typedef {import('./edit-text.js').Drawing} Drawing */
/** @typedef {import('./types').Picture} Picture */
/** @typedef {import('./types').Sprite} Sprite */
/** @typedef {import('./types').Mark} Mark */
/** @typedef {Omit<import('./types').Brush, 'sprite'> & { sprite: Sprite, piece?: boolean }} Brush */
/** @typedef {import('./types').Editor} Editor */
/** @typedef {'pen' | 'box' | 'frame' | 'fill'} Tool */

/** @type {[Tool, string, string][]} */
const TOOLS = [
  ['pen', '✎', 'Pen: paint cell by cell'],
  ['box', '■', 'Rectangle: paint from corner to corner'],
  ['frame', '□', 'Frame: paint the outline of a rectangle'],
  ['fill', '◪', 'Fill: paint a connected area'],
];

const SIDES = /** @type {const} */ ([
  ['north', '↑', 'top'],
  ['south', '↓', 'bottom'],
  ['west', '←', 'left'],
  ['east', '→', 'right'],
]);

/** @implements {Editor} */
export class GridEditor {
  /**
   * @param {Desk} desk
   * @param {import('./types').GridExtras} [extras] what the game adds to the editor
   */
  constructor(desk, extras = {}) {
    this.desk = desk;
    this.extras = extras;
    /** Whether all levels have the same size, and everything on them is a piece. */
    this.fixed = extras.rows !== undefined;
    /** The server's picture of the level, whose tiles are the ground of a fixed board. @type {Picture | null} */
    this.opened = null;
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {Tool} */
    this.tool = 'pen';
    this.brush = this.brushes[Math.min(1, this.brushes.length - 1)];
    /** The current stroke: its first and last cell, and the drawing before it. @type {{ from: Cell, last: Cell, before: Drawing, brush: Brush } | null} */
    this.stroke = null;
    /** The drawing with the current stroke. @type {Drawing | undefined} */
    this.painted = undefined;
    this.host = h('div');
    this.board = new Board(this.host, {
      label: `${desk.game.title}, level editor`,
      look: desk.module.look,
      keyboardCursor: true,
      onCell: (x, y, event) => this.begin([x, y], event),
      onDrag: (x, y) => this.drag([x, y]),
      onDrop: () => this.end(),
    });
    this.palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'Brushes' });
    this.tools = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Tools' });
    this.fields = h('div', { class: 'level-fields' });
    this.element = h(
      'div',
      { class: 'grid-editor', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      h('div', { class: 'panel kit' }, this.tools, this.palette),
      h('div', { class: 'panel easel' }, this.host, this.fields),
    );
    desk.on('change', (from) => this.changed(from));
    this.changed('file');
  }

  /** The brushes for the current rules. @returns {Brush[]} */
  get brushes() {
    const { game, rules } = this.desk;
    return /** @type {Brush[]} */ (game.brushes).filter(
      (brush) => brush.rules.length === 0 || brush.rules.includes(rules),
    );
  }

  /** The symbol of an empty cell. */
  get blank() {
    return this.brushes[0].symbol;
  }

  /** @returns {Drawing} */
  get drawing() {
    return drawing.parse(this.desk.text, this.blank, this.extras.rows);
  }

  /** @param {import('./edit-desk.js').Origin} from */
  changed(from) {
    if (!this.brushes.includes(this.brush)) this.brush = this.brushes[1];
    if (from === 'rules' || from === 'file') this.showKit();
    keepingFocus(this.fields, () => this.showFields());
    this.show();
  }

  /** @param {Drawing} changed */
  keep(changed) {
    this.desk.change(drawing.print(changed), 'board');
  }

  // The picture

  /** @param {Drawing} [shown] */
  show(shown = this.drawing) {
    this.board.show(this.picture(shown), { marks: this.marks });
  }

  /** Marks the cells that the checker reports. @param {Mark[]} marks */
  mark(marks) {
    this.marks = marks;
    this.board.decorate({ marks });
  }

  /** The cell at a position of the text, as a mark. @param {number} line @param {number} column @returns {Mark[]} */
  markOf(line, column) {
    const [x, y] = [column - 1, line - drawing.firstLine(this.desk.text)];
    return this.drawing.rows[y]?.[x] === undefined ? [] : [{ at: [x, y], why: 'danger' }];
  }

  /** Uses the server's picture for the ground. @param {Picture} picture */
  setPicture(picture) {
    this.opened = picture;
    if (this.fixed && !this.stroke) this.show();
  }

  /** @param {Drawing} shown @returns {Picture} */
  picture(shown) {
    const { rows } = shown;
    const brushes = this.brushes;
    /** @type {Sprite[]} */
    const sprites = brushes.map((brush) => brush.sprite);
    const known = new Map(brushes.map((brush, index) => [brush.symbol, index]));
    /** @type {import('./types').Piece[]} */
    const pieces = [];
    const tiles = rows.flatMap((row, y) =>
      row.map((symbol, x) => {
        const index = known.get(symbol) ?? sprites.push({ name: 'unknown', unicode: symbol, colour: 'red' }) - 1;
        known.set(symbol, index);
        if (!brushes[index]?.piece) return index;
        pieces.push([y * row.length + x, x, y, index]);
        return 0;
      }),
    );
    const labels = this.extras.labels?.(shown) ?? [];
    return this.onGround({ size: [rows[0].length, rows.length], sprites, tiles, pieces, walls: [], labels });
  }

  /** @param {Picture} picture */
  onGround(picture) {
    const { opened } = this;
    if (!this.fixed || !opened || opened.size[0] !== picture.size[0]) return picture;
    const base = picture.sprites.length;
    return {
      ...picture,
      sprites: [...picture.sprites, ...opened.sprites],
      tiles: Array.from(opened.tiles, (index) => base + index),
    };
  }

  // Strokes

  /**
   * @param {Cell} cell
   * @param {Event} event
   */
  begin(cell, event) {
    const erase = event instanceof PointerEvent && event.button === 2;
    const brush = erase ? this.brushes[0] : this.brush;
    if (event instanceof PointerEvent && event.button === 1) return this.pick(cell);
    if (event instanceof KeyboardEvent && this.stroke) {
      this.drag(cell);
      return this.end();
    }
    this.stroke = { from: cell, last: cell, before: this.drawing, brush };
    this.drag(cell);
    // A key press is a whole stroke, except with tools that need a second press for the opposite corner.
    const needsCorner = this.tool === 'box' || this.tool === 'frame';
    if (event instanceof KeyboardEvent && !needsCorner) this.end();
  }

  /** @param {Cell} cell */
  drag(cell) {
    const { stroke } = this;
    if (!stroke) return;
    const { from, last, before, brush } = stroke;
    const base = this.tool === 'pen' ? (this.painted ?? before) : before;
    const cells = {
      pen: () => drawing.line(last, cell),
      box: () => drawing.rectangle(from, cell, false),
      frame: () => drawing.rectangle(from, cell, true),
      fill: () => drawing.region(before, from),
    }[this.tool]();
    stroke.last = cell;
    this.painted = drawing.paint(base, cells, brush, this.blank);
    this.show(this.painted);
  }

  end() {
    const { painted } = this;
    this.stroke = null;
    this.painted = undefined;
    if (painted) this.keep(painted);
  }

  /** Chooses the brush that painted a cell. @param {Cell} cell */
  pick([x, y]) {
    const symbol = this.drawing.rows[y][x];
    this.choose(this.brushes.find((brush) => brush.symbol === symbol) ?? this.brush);
  }

  // Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.board.canvas || event.ctrlKey || event.metaKey || event.altKey) return;
    const { brushes } = this;
    const digit = /^[1-9]$/.test(event.key) ? brushes[Number(event.key) - 1] : undefined;
    const named = brushes.find((brush) => brush.symbol === event.key) ?? digit;
    const [x, y] = this.board.cursor;
    if (event.key === 'Escape' && this.stroke) this.cancel();
    else if (event.key === 'Delete' || event.key === 'Backspace')
      this.keep(drawing.paint(this.drawing, [[x, y]], brushes[0], this.blank));
    else if (named) this.choose(named);
    else return;
    event.preventDefault();
  }

  cancel() {
    this.stroke = null;
    this.painted = undefined;
    this.show();
  }

  // The kit

  /** @param {Brush} brush */
  choose(brush) {
    this.brush = brush;
    for (const item of this.palette.children)
      item.setAttribute('aria-checked', String(/** @type {HTMLElement} */ (item).dataset.symbol === brush.symbol));
    this.board.say(`Brush: ${nameOf(brush, this.brushes)}`);
  }

  showKit() {
    const { look } = this.desk.module;
    fill(
      this.palette,
      this.brushes.map((brush) => {
        const ground = brush.piece ? this.brushes[0].sprite : null;
        const name = nameOf(brush, this.brushes);
        return h(
          'button',
          {
            type: 'button',
            role: 'radio',
            'aria-checked': String(brush === this.brush),
            'data-symbol': brush.symbol,
            'aria-label': name,
            title: name,
            onclick: () => this.choose(brush),
          },
          icon(look, brush.sprite, ground),
          h('span', null, name),
          h('kbd', null, brush.symbol === ' ' ? '1' : brush.symbol),
        );
      }),
    );
    fill(
      this.tools,
      TOOLS.map(([tool, sign, about]) =>
        button(sign, () => this.chooseTool(tool), {
          class: 'icon',
          title: about,
          'aria-label': about,
          'aria-pressed': String(tool === this.tool),
          'data-tool': tool,
        }),
      ),
      undoButtons(this.desk),
    );
  }

  /** @param {Tool} tool */
  chooseTool(tool) {
    this.tool = tool;
    this.cancel();
    for (const item of this.tools.querySelectorAll('[data-tool]'))
      item.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (item).dataset.tool === tool));
  }

  /** Shows the fields for the level's size and its headers. */
  showFields() {
    const shown = this.drawing;
    const named = (this.extras.headers ?? []).map(({ key, label, placeholder }) =>
      field(label, this.headerInput(shown, key, placeholder)),
    );
    const size = this.fixed ? null : this.sizeFields(shown);
    fill(this.fields, size, named, this.extras.fields?.(shown, (changed) => this.keep(changed)) ?? null);
  }

  /** @param {Drawing} shown @param {string} key @param {string} placeholder */
  headerInput(shown, key, placeholder) {
    const input = h('input', {
      type: 'number',
      min: 0,
      placeholder,
      value: drawing.header(shown, key) ?? '',
      'data-header': key,
    });
    input.addEventListener('change', () => this.keep(drawing.withHeader(this.drawing, key, input.value)));
    return input;
  }

  /** @param {Drawing} shown */
  sizeFields({ rows }) {
    const side = (/** @type {typeof SIDES[number]} */ [name, sign, where]) =>
      h(
        'span',
        { class: 'side' },
        button('−', () => this.keep(drawing.shrink(this.drawing, name, this.blank)), {
          class: 'icon quiet',
          'aria-label': `Remove at the ${where}`,
          title: `Remove at the ${where}`,
        }),
        h('span', { 'aria-hidden': 'true' }, sign),
        button('+', () => this.keep(drawing.grow(this.drawing, name, this.blank)), {
          class: 'icon quiet',
          'aria-label': `Add at the ${where}`,
          title: `Add at the ${where}`,
        }),
      );
    return h(
      'div',
      { class: 'size', role: 'group', 'aria-label': 'Size' },
      h('b', { class: 'dimensions' }, `${rows[0].length} × ${rows.length}`),
      SIDES.map(side),
    );
  }

  close() {
    this.board.destroy();
  }
}

/**
 * The name of a brush. Brushes with the same sprite name are distinguished by facing or colour.
 * @param {Brush} brush
 * @param {Brush[]} all
 */
function nameOf({ sprite }, all) {
  const alike = all.filter((other) => other.sprite.name === sprite.name);
  if (sprite.facing && alike.length > 1) return `${sprite.name} ${sprite.facing}`;
  const coloured = alike.some((other) => other.sprite.colour !== sprite.colour);
  return coloured ? `${sprite.colour} ${sprite.name}` : sprite.name;
}
