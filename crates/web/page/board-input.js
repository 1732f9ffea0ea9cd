// Pointer and keyboard input on a board, in cells.

/** @typedef {import('./board').Board} Board */
/** @typedef {import('./types').Dir} Dir */
/** @typedef {import('./types').Point} Point */

/** How close to a cell's edge a click selects the edge, in cells. */
const EDGE = 0.22;

/** How far a finger moves for a swipe, and how little for a tap, in pixels. */
const SWIPE = 24;
const TAP = 10;

/** @type {Record<string, Point>} */
const ARROWS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

export class BoardInput {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** The cell that the pressed pointer was last in, or an empty string. */
    this.dragged = '';
    /** Where on the screen the pointer was pressed: the page may scroll below it. @type {Point} */
    this.pressed = [0, 0];
    const { onCell, onDrag, onDrop, onEdge, onReserve, onSwipe, keyboardCursor } = board.options;
    if (!(onCell || onDrag || onEdge || onReserve)) return;
    board.host.classList.add('acts');
    board.host.classList.toggle('drags', Boolean(onDrag || onSwipe));
    board.canvas.addEventListener('pointerdown', (event) => {
      this.pressed = [event.clientX, event.clientY];
      if (!onSwipe || event.pointerType === 'mouse') this.press(event);
    });
    if (onSwipe) board.canvas.addEventListener('pointerup', (event) => this.swipeOrTap(event, onSwipe));
    board.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    if (onDrag || onDrop) this.listenToDrags();
    if (keyboardCursor) this.listenToKeys();
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { board } = this;
    const point = board.pointAt(event);
    const [x, y] = [Math.floor(point[0]), Math.floor(point[1])];
    if (!this.inside(x, y)) {
      const tray = board.look.tray?.(point[0], point[1]);
      if (tray) board.options.onReserve?.(tray, event);
      return;
    }
    board.cursor = [x, y];
    this.dragged = `${x},${y}`;
    capture(board.canvas, event.pointerId);
    const edge = board.options.onEdge ? edgeAt(point[0] - x, point[1] - y) : null;
    if (edge) board.options.onEdge?.(x, y, edge, event);
    else board.options.onCell?.(x, y, event);
  }

  /** How far the pointer has moved on the screen since it was pressed. @param {PointerEvent} event @returns {Point} */
  moved(event) {
    return [event.clientX - this.pressed[0], event.clientY - this.pressed[1]];
  }

  /**
   * A finger that was lifted: a swipe means a direction, wherever it began; a tap means its cell.
   * @param {PointerEvent} event
   * @param {(dx: number, dy: number) => void} onSwipe
   */
  swipeOrTap(event, onSwipe) {
    if (event.pointerType === 'mouse') return;
    const [dx, dy] = this.moved(event);
    if (Math.hypot(dx, dy) >= SWIPE) onSwipe(dx, dy);
    else this.press(event);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  inside(x, y) {
    const size = this.board.picture?.size ?? [0, 0];
    return x >= 0 && y >= 0 && x < size[0] && y < size[1];
  }

  listenToDrags() {
    const { board } = this;
    board.canvas.addEventListener('pointermove', (event) => {
      if (!this.dragged) return;
      const [x, y] = board.pointAt(event).map(Math.floor);
      if (`${x},${y}` === this.dragged) return;
      this.dragged = `${x},${y}`;
      if (this.inside(x, y)) board.options.onDrag?.(x, y, event);
    });
    board.canvas.addEventListener('pointerup', (event) => {
      if (!this.dragged) return;
      this.dragged = '';
      // A tap ends where it began, even if the page has scrolled below the finger.
      const tapped = Math.hypot(...this.moved(event)) < TAP;
      const [x, y] = tapped ? board.cursor : board.pointAt(event).map(Math.floor);
      board.options.onDrop?.(x, y, event);
    });
    board.canvas.addEventListener('pointercancel', () => {
      this.dragged = '';
    });
  }

  listenToKeys() {
    const { board } = this;
    /** @param {boolean} visible */
    const showCursor = (visible) => {
      board.cursorVisible = visible;
      board.wake();
    };
    board.canvas.tabIndex = 0;
    board.canvas.setAttribute('role', 'application');
    board.canvas.addEventListener('focus', () => showCursor(board.canvas.matches(':focus-visible')));
    board.canvas.addEventListener('blur', () => showCursor(false));
    board.canvas.addEventListener('keydown', (event) => {
      const step = ARROWS[event.key];
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (step) this.moveCursor(step[0], step[1]);
      else if (event.key === 'Enter' || event.key === ' ')
        board.options.onCell?.(board.cursor[0], board.cursor[1], event);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  moveCursor(dx, dy) {
    const { board } = this;
    const [x, y] = [board.cursor[0] + dx, board.cursor[1] + dy];
    if (this.inside(x, y)) board.cursor = [x, y];
    board.cursorVisible = true;
    board.say(board.cellText(board.cursor[0], board.cursor[1]));
    board.wake();
  }
}

/**
 * Captures a pointer, unless it is gone already: a short tap may have ended.
 * @param {HTMLElement} element
 * @param {number} pointer
 */
function capture(element, pointer) {
  try {
    element.setPointerCapture(pointer);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/**
 * @param {number} fx
 * @param {number} fy
 * @returns {Dir | null}
 */
function edgeAt(fx, fy) {
  /** @type {[number, Dir][]} */
  const sides = [
    [fy, 'north'],
    [1 - fx, 'east'],
    [1 - fy, 'south'],
    [fx, 'west'],
  ];
  const [distance, dir] = sides.reduce((near, side) => (side[0] < near[0] ? side : near));
  return distance < EDGE ? dir : null;
}
