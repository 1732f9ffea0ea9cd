/** Types of the page itself, for the type checker only. Those of the server's messages are generated: see messages.d.ts. */

import type { Board } from './board';
import type { Child } from './dom';
import type { Desk } from './edit-desk';
import type { Drawing } from './edit-text';
import type {
  AnalyzeAnswer,
  AnswersAnswer,
  CheckAnswer,
  Dir,
  GameInfo,
  Hello,
  Hint,
  Mark as WireMark,
  OverlayMarks,
  Picture as WirePicture,
  Piece,
  Review,
  SolveAnswer,
  Sprite,
  WireFrame,
} from './messages';
import type { Setup } from './setup';

export * from './messages';

export type Point = [number, number];

/** A picture whose tiles may be a typed array, as in the frames that the page stores. */
export interface Picture extends Omit<WirePicture, 'tiles'> {
  tiles: ArrayLike<number>;
}

export type Mark = WireMark;

export interface Arrow {
  from: Point;
  to: Point;
  colour?: string;
  label?: string;
}

/** A moment of a game, as the page stores it. */
export interface Frame extends Omit<WireFrame, 'tiles' | 'changes' | 'sprites' | 'sprites_at'> {
  tiles: Uint16Array;
}

/** The events of a session. */
export interface SessionEvents {
  hello: Hello;
  /** The number of the moment. */
  frame: number;
  thinking: { seat: number | null };
  hint: Hint;
  overlay: OverlayMarks;
  review: Review;
  complaint: { text: string };
  watchers: { count: number };
  /** The connection is interrupted; the session reconnects. */
  gone: null;
  /** The server no longer has the game. */
  lost: null;
}

/** The answer of each kind of job. */
export interface JobAnswers {
  check: CheckAnswer;
  solve: SolveAnswer;
  answers: AnswersAnswer;
  analyze: AnalyzeAnswer;
}

/** A job to request. */
export interface Job<Kind extends keyof JobAnswers> {
  kind: Kind;
  game: string;
  rules: string;
  text: string;
  seed?: number;
  time_ms?: number;
  lines?: number;
}

/** Query parameters of a client route, and its path after the page's name. */
export interface RouteParams {
  path: string[];
  query: URLSearchParams;
}

export type Unmount = () => void;

/** Options of {@link Board.show}. */
export interface ShowOptions {
  /** The duration of the animation in milliseconds; `natural` leaves it to the game. */
  animate?: number | 'natural';
  /** The action that led here. */
  action?: string;
  marks?: Mark[];
  arrows?: Arrow[];
  selected?: Point | null;
  targets?: Point[];
  hidden?: Point[];
}

export interface BoardOptions {
  label: string;
  /** How the game is drawn; by default, by its sprites' characters. */
  look?: Look;
  onCell?: (x: number, y: number, event: Event) => void;
  onDrag?: (x: number, y: number, event: PointerEvent) => void;
  onDrop?: (x: number, y: number, event: PointerEvent) => void;
  /** A finger was swiped over the board, by so many pixels. Taps are then told when the finger is lifted. */
  onSwipe?: (dx: number, dy: number) => void;
  onEdge?: (x: number, y: number, dir: Dir, event: PointerEvent) => void;
  /** A click on a tray beside the board, by the name that the look gives it. */
  onReserve?: (tray: string, event: Event) => void;
  /** Arrow keys move a cursor over the cells, and Enter chooses one. */
  keyboardCursor?: boolean;
  /** The minimum size of cells. If the board does not fit then, the view follows the piece with the lowest id. */
  minCell?: number;
  /** Decoration: no focus, no description. */
  quiet?: boolean;
}

/** A piece or a loose tile during an animation, in cells. */
export interface Pose {
  key: string;
  sprite: Sprite;
  x: number;
  y: number;
  /** The direction of the current move; 0 and 0 at rest. */
  dx: number;
  dy: number;
  /** From 0 to 1 within the current move; 1 at rest. */
  t: number;
  alpha: number;
  facing: Dir;
  /** The tile it stands on. */
  on: string;
  /** Counts the animated moves, so that legs and mouths can alternate. */
  step: number;
}

/** Colours of one theme. */
export interface Palette {
  dark: boolean;
  of: (colour: string) => string;
}

/** How a game is drawn. One unit is one cell. */
export interface Look {
  /** Free space around the board, in cells: left, top, right, bottom. */
  margin: [number, number, number, number];
  /** The board is dark in every theme, so marks on it are light. */
  dark?: boolean;
  /** The sprite under a loose tile that moves. */
  ground?: string;
  /** Tiles that move by themselves. */
  loose?: ReadonlySet<string>;
  /** Milliseconds of a move over this many cells, for games without ticks. */
  pace: (cells: number) => number;
  ease: (t: number) => number;
  /** Draws around the cells: frame, trays. Unit: one cell. */
  frame?: (ctx: CanvasRenderingContext2D, picture: Picture, palette: Palette) => void;
  /** Fills one cell; the origin is its corner, one unit is one cell. */
  tile: (
    ctx: CanvasRenderingContext2D,
    sprite: Sprite,
    at: (dx: number, dy: number) => string,
    palette: Palette,
    x: number,
    y: number,
  ) => void;
  /** Draws a loose tile or a piece; the origin is the middle of its cell. */
  piece: (ctx: CanvasRenderingContext2D, pose: Pose, palette: Palette) => void;
  /** The corners of a piece's path, for moves that are not straight. */
  route?: (picture: Picture, sprite: Sprite, from: Point, to: Point) => Point[];
  /** The point from which a piece enters the board. */
  entry?: (at: Point, action: string) => Point;
  /** The point to which a piece leaves the board. */
  exit?: (at: Point, action: string) => Point;
  /** The name of a piece, if it is not its sprite's. */
  pieceName?: (sprite: Sprite) => string;
  /** The tray at a point outside of the cells. */
  tray?: (x: number, y: number) => string | null;
}

/** Input beside the board, for games that need more than keys. */
export interface Hand {
  element: HTMLElement;
  /** The board's event handlers. */
  handlers: Partial<BoardOptions>;
  /** Called when the player has chosen an action; set by the view that shows the hand. */
  onAction: (action: string) => void;
  /** How to play, in place of the list of keys. */
  help?: string;
  attach: (board: Board) => void;
  /** Shows a new position; without legal actions if no person is to move. */
  set: (picture: Picture, legal: string[]) => void;
  /** Called when a key of the game's `pieces` is pressed. */
  choosePiece?: (piece: string) => void;
  /** Called when a key of the game is pressed; without it, keys are actions. */
  move?: (action: string) => void;
}

/** A level editor around a board. */
export interface Editor {
  element: HTMLElement;
  board: Board;
  desk: Desk;
  /** Draws the level on the desk. */
  show: () => void;
  /** Marks the cells that the checker reports. */
  mark: (marks: Mark[]) => void;
  /** The cell at a position of the text, as a mark. */
  markOf: (line: number, column: number) => Mark[];
  /** Receives the server's picture of the level. */
  setPicture: (picture: Picture) => void;
  close: () => void;
}

/** What a game adds to the editor with brushes. */
export interface GridExtras {
  /** The number of rows, in games whose boards all have the same size. */
  rows?: number;
  /** Header lines with a meaning, which get a field each. */
  headers?: { key: string; label: string; placeholder: string }[];
  /** The labels that the look needs to draw what is beside the board. */
  labels?: (drawing: Drawing) => [string, string][];
  /** Fields for the lines after the rows. */
  fields?: (drawing: Drawing, keep: (changed: Drawing) => void) => HTMLElement[];
}

/** A page under `#/solve/NAME`. */
export interface SolveBoard {
  name: string;
  text: string;
  load: () => Promise<{ mount: (root: HTMLElement, game: GameInfo, params: RouteParams) => Promise<Unmount> }>;
}

/**
 * What a game adds to the page: the default export of `page.js` in the folder `page` of its crate. Everything is optional. The server
 * serves a game's files under `/page/games/NAME/`, so the page's own modules are two folders up: `../../dom.js`.
 */
export interface GameModule {
  /** How it is drawn; by default, by its sprites' characters. */
  look?: Look;
  /** Turns per second of the small board on the home page. */
  homeSpeed?: number;
  /** The initial speed of the watch page, in turns per second. */
  watchSpeed?: number;
  /** Milliseconds per turn when time runs and the level has no pace of its own. */
  pace?: number;
  /** Whether the player's piece keeps moving without a key. A turn that is not possible yet is then queued until the next corner. */
  glides?: boolean;
  /** The sound of a move; by default it depends on what happened. */
  moveSound?: string;
  /** The default seats of the play page. */
  seats?: string[];
  /** Input beside the board. */
  hand?: () => Promise<Hand>;
  /** Whether the look already shows a label. */
  hidesLabel?: (name: string) => boolean;
  /** An action as arrows, if it is not named after a direction. */
  arrows?: (action: string) => Arrow[];
  /** The piece that an action moves, if it is not the one with the lowest id. */
  movedPiece?: (action: string, frame: Frame, sprites: Sprite[]) => Piece | undefined;
  /** Fields for the seats, in place of one list of agents per seat. */
  seatFields?: (setup: Setup, go: (setup: Setup) => void) => Promise<Child[]>;
  /** Further settings of the level. */
  levelFields?: (game: GameInfo, setup: Setup) => Promise<Child[]>;
  /** A mode of play besides single levels, with the tab titles of both. */
  rounds?: {
    tab: string;
    levelsTab: string;
    mount: (root: HTMLElement, game: GameInfo, query: URLSearchParams) => Promise<Unmount>;
  };
  /** What it adds to the editor with brushes. */
  grid?: () => Promise<GridExtras>;
  /** An editor of its own: the format that it works in, the more readable one shown beside it, and how to open it. */
  editor?: { format: string; shown?: string; open: (desk: Desk) => Promise<Editor> };
  /** Boards to solve positions on. */
  boards?: SolveBoard[];
}
