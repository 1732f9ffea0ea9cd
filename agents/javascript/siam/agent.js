// SIAM in JavaScript: wins if it can, prevents an immediate win of the opponent, and otherwise pushes mountains to the edge.

const lines = require("readline").createInterface({ input: process.stdin });
const send = message => console.log(JSON.stringify(message));

const STEP = { n: 10, e: 1, s: -10, w: -1 };
const AGAINST = { n: "s", s: "n", e: "w", w: "e" };
const onBoard = square => square % 10 >= 1 && square % 10 <= 5 && square >= 11 && square <= 55;

// A position is a map from squares to pieces: { side: "E" | "R" | "M", facing }.
function read(position) {
  const board = new Map();
  position.split(" ")[0].split("/").forEach((row, index) => {
    [...row].forEach((letter, column) => {
      if (letter === ".") return;
      const square = 10 * (5 - index) + column + 1;
      if (letter === "M") board.set(square, { side: "M" });
      else board.set(square, { side: letter === letter.toUpperCase() ? "E" : "R", facing: letter.toLowerCase() });
    });
  });
  return board;
}

// The squares of the unbroken line of pieces that starts here.
function lineFrom(board, square, step) {
  const line = [];
  for (let at = square; onBoard(at) && board.has(at); at += step) line.push(at);
  return line;
}

// Whether a push moves the line. After every piece the force must be positive and at least the number of mountains.
function moves(board, line, facing) {
  let force = 1, mass = 0;
  for (const square of line) {
    const piece = board.get(square);
    if (piece.side === "M") mass += 1;
    else if (piece.facing === facing) force += 1;
    else if (piece.facing === AGAINST[facing]) force -= 1;
    if (force <= 0 || force < mass) return false;
  }
  return true;
}

// Pushes the line by one square; returns the winner if a mountain leaves the board.
function push(board, line, facing, pusher) {
  const last = line[line.length - 1];
  let winner = null;
  if (line.length && !onBoard(last + STEP[facing]) && board.get(last).side === "M") {
    const pushing = line.map(square => board.get(square)).reverse().find(piece => piece.facing === facing);
    winner = pushing ? pushing.side : pusher;
  }
  [...line].reverse().forEach(square => {
    const piece = board.get(square);
    board.delete(square);
    if (onBoard(square + STEP[facing])) board.set(square + STEP[facing], piece);
  });
  return winner;
}

// The board after an action (0-11n, 11-12e, 12-12s or 11-0), and the winner, if any.
function play(before, action, side) {
  const board = new Map(before);
  const [, from, to, facing] = action.match(/^(\d+)-(\d+)([nesw]?)$/);
  const [origin, target] = [Number(from), Number(to)];
  const mover = { side, facing };
  if (origin) board.delete(origin);
  let winner = null;
  if (target && board.has(target)) winner = push(board, lineFrom(board, target, STEP[facing]), facing, side);
  if (target) board.set(target, mover);
  return { board, winner };
}

// Whether this side can win with its next push.
function wins(board, side) {
  for (const [square, piece] of board) {
    if (piece.side !== side) continue;
    const line = lineFrom(board, square + STEP[piece.facing], STEP[piece.facing]);
    if (!line.length || !moves(board, line, piece.facing)) continue;
    if (push(new Map(board), line, piece.facing, side) === side) return true;
  }
  return false;
}

const distanceToEdge = square => Math.min(square % 10, 6 - (square % 10), Math.floor(square / 10), 6 - Math.floor(square / 10));

// The value of a board for a side: its animals that face a mountain count more the closer the mountain is to the edge; those of the
// opponent count against it.
function evaluate(board, side) {
  let sum = 0;
  for (const [square, piece] of board) {
    if (piece.side === "M") continue;
    const sign = piece.side === side ? 1 : -1;
    sum += sign * (3 - distanceToEdge(square) === 0 ? 2 : 1);
    const line = lineFrom(board, square + STEP[piece.facing], STEP[piece.facing]);
    const mountain = line.findIndex(at => board.get(at).side === "M");
    if (mountain < 0) continue;
    const room = 6 - lineLength(line[mountain], STEP[piece.facing]);
    sum += sign * (moves(board, line, piece.facing) ? 6 + 4 * room : 2);
  }
  return sum;
}

const lineLength = (square, step) => {
  let length = 0;
  for (let at = square; onBoard(at); at += step) length += 1;
  return length;
};

function choose(legal, obs) {
  const board = read(obs.position);
  const [side, other] = obs.side === "E" ? ["E", "R"] : ["R", "E"];
  let best = null;
  for (const action of legal) {
    const after = play(board, action, side);
    let value = evaluate(after.board, side);
    if (after.winner === side) value = 1000;
    else if (after.winner === other) value = -1000;
    else if (wins(after.board, other)) value -= 500;
    else if (wins(after.board, side)) value += 50;
    // Discourage repetition.
    if (history.has(key(after.board))) value -= 30;
    if (!best || value > best.value) best = { action, value, board: after.board };
  }
  history.add(key(best.board));
  return best;
}

const key = board => [...board].map(([square, piece]) => square + piece.side + (piece.facing || "")).sort().join();
let history = new Set();

lines.on("line", line => {
  const message = JSON.parse(line);
  if (message.t === "hello") send({ t: "hello", proto: 1, name: "javascript-siam" });
  if (message.t === "start") send({ t: "ready" });
  if (message.t === "turn") {
    const { action, value } = choose(message.legal, message.obs);
    send({ t: "info", text: `value ${value}`, scores: { [action]: value } });
    send({ t: "act", n: message.n, a: action });
  }
  if (message.t === "quit") process.exit();
});
