// A mission of Rasende Roboter in its JSON format: the model of the mission editor, and its picture.

/** @typedef {import('../../types').Picture} Picture */
/** @typedef {import('../../types').Sprite} Sprite */
/** @typedef {import('../../edit-text.js').Cell} Cell */
/** @typedef {import('../../edit-text.js').Side} Side */

/** @typedef {{ at: Cell, slope: '/' | '\\', colour: string | null }} Diagonal */

/**
 * @typedef {object} Mission
 * @property {string} [id]
 * @property {number | Cell} size
 * @property {number[]} walls one mask per cell: north 1, east 2, south 4, west 8
 * @property {Record<string, Cell>} robots
 * @property {string | null} target_robot
 * @property {Cell} target
 * @property {boolean} [ricochet]
 * @property {Diagonal[]} [diagonals]
 */

export const ROBOTS = ['red', 'green', 'blue', 'yellow', 'silver'];
export const MAX_SIDE = 32;

/** @type {Record<Side, { bit: number, step: Cell, back: Side }>} */
const SIDES = {
  north: { bit: 1, step: [0, -1], back: 'south' },
  east: { bit: 2, step: [1, 0], back: 'west' },
  south: { bit: 4, step: [0, 1], back: 'north' },
  west: { bit: 8, step: [-1, 0], back: 'east' },
};

const EVERY_SIDE = /** @type {Side[]} */ (Object.keys(SIDES));

/** @param {string} text @returns {Mission} */
export function parse(text) {
  return JSON.parse(text);
}

/** @param {Mission} mission */
export function print(mission) {
  return `${JSON.stringify(mission)}\n`;
}

/** @param {Mission} mission @returns {Cell} */
export function sizeOf({ size }) {
  return typeof size === 'number' ? [size, size] : size;
}

/** @param {Mission} mission @param {number} x @param {number} y */
function holds(mission, x, y) {
  const [width, height] = sizeOf(mission);
  return x >= 0 && y >= 0 && x < width && y < height;
}

/** @param {Cell} a @param {Cell} b */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/**
 * The mission with the wall on one side of a cell added or removed. The outer wall stays.
 * @param {Mission} mission
 * @param {Cell} cell
 * @param {Side} side
 * @returns {Mission}
 */
export function toggleWall(mission, [x, y], side) {
  const { bit, step, back } = SIDES[side];
  const [width] = sizeOf(mission);
  const [nx, ny] = [x + step[0], y + step[1]];
  if (!holds(mission, x, y) || !holds(mission, nx, ny)) return mission;
  const walls = [...mission.walls];
  walls[y * width + x] ^= bit;
  walls[ny * width + nx] ^= SIDES[back].bit;
  return { ...mission, walls };
}

/** Closed cells have four walls: nothing enters or leaves them. @param {Mission} mission @param {Cell} cell */
export function isClosed(mission, [x, y]) {
  return mission.walls[y * sizeOf(mission)[0] + x] === 15;
}

/** @param {Mission} mission @param {Cell} cell */
export function robotAt(mission, cell) {
  return ROBOTS.find((robot) => mission.robots[robot] && same(mission.robots[robot], cell));
}

/**
 * The mission with a robot on another cell; a robot that is already there swaps places with it.
 * @param {Mission} mission
 * @param {string} robot
 * @param {Cell} cell
 * @returns {Mission}
 */
export function moveRobot(mission, robot, cell) {
  if (isClosed(mission, cell)) return mission;
  const other = robotAt(mission, cell);
  const robots = { ...mission.robots, [robot]: cell };
  if (other && other !== robot) robots[other] = mission.robots[robot] ?? freeCell(mission);
  return { ...mission, robots };
}

/** @param {Mission} mission @param {string} robot @returns {Mission} */
export function addRobot(mission, robot) {
  return { ...mission, robots: { ...mission.robots, [robot]: freeCell(mission) } };
}

/** @param {Mission} mission @param {string} robot @returns {Mission} */
export function removeRobot(mission, robot) {
  const { [robot]: _, ...robots } = mission.robots;
  const target_robot = mission.target_robot === robot ? null : mission.target_robot;
  return { ...mission, robots, target_robot };
}

/** A cell where a robot can be put. @param {Mission} mission @returns {Cell} */
function freeCell(mission) {
  const [width] = sizeOf(mission);
  const cells = mission.walls.map((_, index) => /** @type {Cell} */ ([index % width, Math.floor(index / width)]));
  const free = cells.filter(
    (cell) => !robotAt(mission, cell) && !isClosed(mission, cell) && !same(cell, mission.target),
  );
  return free[Math.floor(free.length / 2)] ?? [0, 0];
}

/**
 * The mission with the next diagonal on this cell: none, `/`, `\`, and none again.
 * @param {Mission} mission
 * @param {Cell} cell
 * @param {string | null} colour the robot that passes it
 * @returns {Mission}
 */
export function turnDiagonal(mission, cell, colour) {
  const all = mission.diagonals ?? [];
  const before = all.find((diagonal) => same(diagonal.at, cell));
  const others = all.filter((diagonal) => diagonal !== before);
  /** @type {Diagonal[]} */
  const diagonals = before?.slope === '\\' ? others : [...others, { at: cell, slope: before ? '\\' : '/', colour }];
  return { ...mission, diagonals };
}

/**
 * An empty board with its outer wall, one robot and its target.
 * @param {number} width
 * @param {number} height
 * @returns {Mission}
 */
export function emptyMission(width, height) {
  return {
    size: [width, height],
    walls: outerWalls(width, height, () => 0),
    robots: { red: [0, 0] },
    target_robot: 'red',
    target: [width - 1, height - 1],
  };
}

/**
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} inside
 */
function outerWalls(width, height, inside) {
  return Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const edges = (y === 0 ? 1 : 0) | (x === width - 1 ? 2 : 0) | (y === height - 1 ? 4 : 0) | (x === 0 ? 8 : 0);
    return inside(x, y) | edges;
  });
}

/**
 * The mission on a board of another size, cropped or extended at the east and the south.
 * @param {Mission} mission
 * @param {number} width
 * @param {number} height
 * @returns {Mission}
 */
export function resize(mission, width, height) {
  const [oldWidth, oldHeight] = sizeOf(mission);
  const walls = outerWalls(width, height, (x, y) => {
    if (x >= oldWidth || y >= oldHeight) return 0;
    const mask = mission.walls[y * oldWidth + x];
    // The old outer wall is removed where the board is extended.
    const opened =
      (x === oldWidth - 1 && width > oldWidth ? 2 : 0) | (y === oldHeight - 1 && height > oldHeight ? 4 : 0);
    return mask & ~opened;
  });
  const resized = { ...mission, size: /** @type {Cell} */ ([width, height]), walls };
  const inside = (/** @type {Cell} */ [x, y]) => x < width && y < height;
  resized.diagonals = (mission.diagonals ?? []).filter((diagonal) => inside(diagonal.at));
  if (!inside(mission.target)) resized.target = [width - 1, height - 1];
  resized.robots = {};
  for (const [robot, cell] of Object.entries(mission.robots)) {
    resized.robots[robot] = inside(cell) && !robotAt(resized, cell) ? cell : freeCell(resized);
  }
  return resized;
}

/** @param {string | null} robot @returns {Sprite['colour']} */
function colourOf(robot) {
  return robot === 'silver' ? 'white' : /** @type {Sprite['colour']} */ (robot ?? 'plain');
}

/** @param {string} robot @returns {Sprite} */
export function robotSprite(robot) {
  return { name: 'robot', unicode: '◖◗', colour: colourOf(robot) };
}

/** @param {string | null} robot @returns {Sprite} */
export function targetSprite(robot) {
  return { name: 'target', unicode: '◎ ', colour: robot === null ? 'purple' : colourOf(robot) };
}

/** @param {Mission} mission @param {Cell} cell @returns {Sprite} */
function tile(mission, cell) {
  if (same(cell, mission.target)) return targetSprite(mission.target_robot);
  if (isClosed(mission, cell)) return { name: 'closed', unicode: '▒▒', colour: 'dim' };
  const diagonal = mission.diagonals?.find(({ at }) => same(at, cell));
  if (!diagonal) return { name: 'floor', unicode: '· ', colour: 'dim' };
  const name = diagonal.slope === '/' ? 'rising diagonal' : 'falling diagonal';
  return { name, unicode: diagonal.slope === '/' ? '╱ ' : '╲ ', colour: colourOf(diagonal.colour) };
}

/**
 * The picture of a mission, which need not be valid yet.
 * @param {Mission} mission
 * @returns {Picture}
 */
export function picture(mission) {
  const [width, height] = sizeOf(mission);
  /** @type {Sprite[]} */
  const sprites = [];
  /** @type {Map<string, number>} */
  const known = new Map();
  const index = (/** @type {Sprite} */ sprite) => {
    const key = sprite.name + sprite.colour;
    if (!known.has(key)) known.set(key, sprites.push(sprite) - 1);
    return known.get(key) ?? 0;
  };
  const cells = mission.walls.map((_, number) => /** @type {Cell} */ ([number % width, Math.floor(number / width)]));
  const tiles = cells.map((cell) => index(tile(mission, cell)));
  const walls = cells.flatMap(([x, y], number) =>
    EVERY_SIDE.filter((side) => mission.walls[number] & SIDES[side].bit)
      // A wall between two cells is drawn once, from its northern or western cell.
      .filter((side) => !(side === 'north' && y > 0) && !(side === 'west' && x > 0))
      .map((side) => /** @type {[number, number, Side]} */ ([x, y, side])),
  );
  const pieces = ROBOTS.flatMap((robot, id) => {
    const at = mission.robots[robot];
    return at ? [/** @type {[number, number, number, number]} */ ([id, at[0], at[1], index(robotSprite(robot))])] : [];
  });
  return { size: [width, height], sprites, tiles, pieces, walls, labels: [] };
}
