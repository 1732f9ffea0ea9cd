// A level drawn with symbols, as text and as rows: the model of the grid editor.

/**
 * A parsed level. Lines before the rows are headers, lines after them are kept unchanged.
 * @typedef {object} Drawing
 * @property {string[]} headers
 * @property {string[][]} rows symbols; all rows have the same length
 * @property {string[]} tail
 */

/** @typedef {'north' | 'east' | 'south' | 'west'} Side */
/** @typedef {[x: number, y: number]} Cell */

/**
 * Parses a level. Short rows are padded with `blank`, so that there is always a board to paint on.
 * @param {string} text
 * @param {string} blank the symbol of an empty cell
 * @param {number} [height] the number of rows, if it is fixed
 * @returns {Drawing}
 */
export function parse(text, blank, height = Infinity) {
  const lines = text.replaceAll('\r', '').split('\n');
  const isHeader = (/** @type {string} */ line) => line.trimStart().startsWith(';');
  let first = lines.findIndex((line) => line !== '' && !isHeader(line));
  if (first < 0) first = lines.length;
  let end = first;
  while (end < lines.length && end - first < height && !isHeader(lines[end])) end += 1;
  const drawn = lines.slice(first, end);
  while (drawn.at(-1) === '') drawn.pop();
  const rows = drawn.map((line) => [...line]);
  const width = Math.max(1, ...rows.map((row) => row.length));
  if (rows.length === 0) rows.push([]);
  for (const row of rows) while (row.length < width) row.push(blank);
  const tail = lines.slice(end);
  while (tail.at(-1) === '') tail.pop();
  return { headers: lines.slice(0, first).filter((line) => line !== ''), rows, tail };
}

/** @param {Drawing} drawing */
export function print({ headers, rows, tail }) {
  return [...headers, ...rows.map((row) => row.join('')), ...tail, ''].join('\n');
}

/**
 * The line, counted from 1, of the first row of the drawing.
 * @param {string} text
 */
export function firstLine(text) {
  const lines = text.replaceAll('\r', '').split('\n');
  return (
    1 +
    Math.max(
      0,
      lines.findIndex((line) => line !== '' && !line.trimStart().startsWith(';')),
    )
  );
}

/**
 * The value of a header, or null.
 * @param {Drawing} drawing
 * @param {string} key
 */
export function header(drawing, key) {
  const line = drawing.headers.find((line) => keyOf(line) === key);
  return line === undefined ? null : line.slice(line.indexOf(':') + 1).trim();
}

/**
 * The drawing with a header set or removed.
 * @param {Drawing} drawing
 * @param {string} key
 * @param {string} value empty to remove it
 * @returns {Drawing}
 */
export function withHeader(drawing, key, value) {
  const line = `; ${key}: ${value}`;
  const at = drawing.headers.findIndex((line) => keyOf(line) === key);
  const headers = [...drawing.headers];
  if (value === '' && at >= 0) headers.splice(at, 1);
  else if (at >= 0) headers[at] = line;
  else if (value !== '') headers.push(line);
  return { ...drawing, headers };
}

/** @param {string} line */
function keyOf(line) {
  return line.trimStart().slice(1).split(':')[0].trim().toLowerCase();
}

/**
 * The drawing with cells painted. A symbol that may occur only once is moved.
 * @param {Drawing} drawing
 * @param {Cell[]} cells
 * @param {{ symbol: string, once: boolean }} brush
 * @param {string} blank
 * @returns {Drawing}
 */
export function paint(drawing, cells, { symbol, once }, blank) {
  const rows = drawing.rows.map((row) => (once ? row.map((other) => (other === symbol ? blank : other)) : [...row]));
  for (const [x, y] of once ? cells.slice(-1) : cells) {
    if (rows[y]?.[x] !== undefined) rows[y][x] = symbol;
  }
  return { ...drawing, rows };
}

/**
 * The cells of a line from one cell to another, as a fast pointer skips cells.
 * @param {Cell} from
 * @param {Cell} to
 * @returns {Cell[]}
 */
export function line([x0, y0], [x1, y1]) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  return Array.from({ length: steps + 1 }, (_, step) => [
    Math.round(x0 + ((x1 - x0) * step) / steps),
    Math.round(y0 + ((y1 - y0) * step) / steps),
  ]);
}

/**
 * The cells of a rectangle between two corners, or of its outline.
 * @param {Cell} from
 * @param {Cell} to
 * @param {boolean} outline
 * @returns {Cell[]}
 */
export function rectangle([x0, y0], [x1, y1], outline) {
  const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
  /** @type {Cell[]} */
  const cells = [];
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const inside = x > left && x < right && y > top && y < bottom;
      if (!outline || !inside) cells.push([x, y]);
    }
  }
  return cells;
}

/**
 * The connected cells with the same symbol as this one.
 * @param {Drawing} drawing
 * @param {Cell} from
 * @returns {Cell[]}
 */
export function region({ rows }, from) {
  const symbol = rows[from[1]][from[0]];
  const seen = new Set([String(from)]);
  const cells = [from];
  for (const [x, y] of cells) {
    for (const next of /** @type {Cell[]} */ ([
      [x, y - 1],
      [x + 1, y],
      [x, y + 1],
      [x - 1, y],
    ])) {
      if (rows[next[1]]?.[next[0]] !== symbol || seen.has(String(next))) continue;
      seen.add(String(next));
      cells.push(next);
    }
  }
  return cells;
}

/** @param {string[][]} rows */
function transposed(rows) {
  return rows[0].map((_, x) => rows.map((row) => row[x]));
}

/**
 * Changes a drawing at a side: `change` gets it turned so that this side is the first row.
 * @param {Drawing} drawing
 * @param {Side} side
 * @param {(rows: string[][]) => void} change
 * @returns {Drawing}
 */
function atSide(drawing, side, change) {
  const across = side === 'east' || side === 'west';
  const back = side === 'south' || side === 'east';
  const rows = across ? transposed(drawing.rows) : drawing.rows.map((row) => [...row]);
  if (back) rows.reverse();
  change(rows);
  if (back) rows.reverse();
  return { ...drawing, rows: across ? transposed(rows) : rows };
}

/** Whether a row is all of one symbol other than blank, like an outer wall. @param {string[]} row @param {string} blank */
function isBorder(row, blank) {
  return row[0] !== blank && row.every((symbol) => symbol === row[0]);
}

/**
 * The drawing with one more row or column at a side, inside of an outer wall.
 * @param {Drawing} drawing
 * @param {Side} side
 * @param {string} blank
 */
export function grow(drawing, side, blank) {
  return atSide(drawing, side, (rows) => {
    const edge = rows[0];
    const last = edge.length - 1;
    const empty = edge.map((symbol, x) => (isBorder(edge, blank) && (x === 0 || x === last) ? symbol : blank));
    rows.splice(isBorder(edge, blank) ? 1 : 0, 0, empty);
  });
}

/**
 * The drawing with one row or column less at a side. An outer wall stays.
 * @param {Drawing} drawing
 * @param {Side} side
 * @param {string} blank
 */
export function shrink(drawing, side, blank) {
  return atSide(drawing, side, (rows) => {
    if (rows.length > 1) rows.splice(isBorder(rows[0], blank) && rows.length > 2 ? 1 : 0, 1);
  });
}

/** The undo history of a text. */
export class History {
  /** @param {string} text */
  constructor(text) {
    /** @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
    this.text = text;
  }

  /** @param {string} text */
  push(text) {
    if (text === this.text) return;
    this.past.push(this.text);
    this.future = [];
    this.text = text;
  }

  undo() {
    const text = this.past.pop();
    if (text === undefined) return false;
    this.future.push(this.text);
    this.text = text;
    return true;
  }

  redo() {
    const text = this.future.pop();
    if (text === undefined) return false;
    this.past.push(this.text);
    this.text = text;
    return true;
  }
}
