/** What the page itself works with. The server's messages are generated: see messages.d.ts. Only read by the type checker. */

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

/** A picture whose tiles may also be those of a moment that the page keeps, or of a level under edit. */
export interface Picture extends Omit<WirePicture, 'tiles'> {
  tiles: ArrayLike<number>;
}

export interface Mark extends WireMark {
  /** A few characters to write into the cell. */
  label?: string;
}

export interface Arrow {
  from: Point;
  to: Point;
  colour?: string;
  label?: string;
}

/** A moment of a game, as the page keeps it. */
export interface Frame extends Omit<WireFrame, 'tiles' | 'changes' | 'sprites' | 'sprites_at'> {
  tiles: Uint16Array;
}

/** What a session tells its listeners. */
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
  /** The server is gone. */
  lost: null;
}

/** What each kind of search answers. */
export interface JobAnswers {
  check: CheckAnswer;
  solve: SolveAnswer;
  answers: AnswersAnswer;
  analyze: AnalyzeAnswer;
}

/** A search to ask for. */
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
  /** Milliseconds of the move from what is shown now; `natural` leaves it to the game. */
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
  /** How the game is drawn; by its sprites' characters if not given. */
  look?: Look;
  onCell?: (x: number, y: number, event: Event) => void;
  onDrag?: (x: number, y: number, event: PointerEvent) => void;
  onDrop?: (x: number, y: number, event: PointerEvent) => void;
  onEdge?: (x: number, y: number, dir: Dir, event: PointerEvent) => void;
  /** A tray beside the board, by the name that the look gives it. */
  onReserve?: (tray: string, event: Event) => void;
  /** Lets arrow keys walk over the cells and Enter choose one. */
  keyboardCursor?: boolean;
  /** On screens too small for the whole board: cells are never smaller, and the lowest piece is followed. */
  minCell?: number;
  /** Decoration: no focus, no description. */
  quiet?: boolean;
}

/** A piece or a loose tile on its way, in cells. */
export interface Pose {
  key: string;
  sprite: Sprite;
  x: number;
  y: number;
  /** Where it came from in the current move; equal to the place it goes to if it rests. */
  dx: number;
  dy: number;
  /** From 0 to 1 within the current move; 1 at rest. */
  t: number;
  alpha: number;
  facing: Dir;
  /** The tile it stands on. */
  on: string;
  /** How many moves were shown: lets legs and mouths change from move to move. */
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
  /** Milliseconds of a move over so many cells, for games without ticks. */
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
  /** The corners on the way of a piece, for moves that are not straight. */
  route?: (picture: Picture, sprite: Sprite, from: Point, to: Point) => Point[];
  /** Where a piece comes from that an action brings onto the board. */
  entry?: (at: Point, action: string) => Point;
  /** Where a piece goes that an action takes off the board. */
  exit?: (at: Point, action: string) => Point;
  /** What people call a piece, if its sprite's name does not tell. */
  pieceName?: (sprite: Sprite) => string;
  /** The tray at a point outside of the cells. */
  tray?: (x: number, y: number) => string | null;
}

/** Input beside the board, for games that need more than keys. */
export interface Hand {
  element: HTMLElement;
  /** What the board calls when it is touched. */
  handlers: Partial<BoardOptions>;
  /** Set by whoever shows the hand: the player has chosen an action. */
  onAction: (action: string) => void;
  /** How to play, in place of the list of keys. */
  help?: string;
  attach: (board: Board) => void;
  /** A new position; no legal actions if nobody is to move. */
  set: (picture: Picture, legal: string[]) => void;
  /** A key of the game's `pieces` was pressed. */
  choosePiece?: (piece: string) => void;
  /** A key of the game was pressed; without this, keys are actions. */
  move?: (action: string) => void;
}

/** A level editor around a board. */
export interface Editor {
  element: HTMLElement;
  board: Board;
  desk: Desk;
  /** Draws the level on the desk. */
  show: () => void;
  /** Marks the cells that the checker names. */
  mark: (marks: Mark[]) => void;
  /** The cell of a place in the text, as a mark. */
  markOf: (line: number, column: number) => Mark[];
  /** Gets the picture of the level as the server opened it. */
  learn: (picture: Picture) => void;
  close: () => void;
}

/** What a game adds to the editor with brushes. */
export interface GridExtras {
  /** The number of rows, in games whose boards all have the same size. */
  rows?: number;
  /** Header lines that are more than remarks. */
  headers?: { key: string; label: string; placeholder: string }[];
  /** The labels from which the look draws what is beside the board. */
  labels?: (drawing: Drawing) => [string, string][];
  /** Fields for what follows the rows. */
  fields?: (drawing: Drawing, keep: (changed: Drawing) => void) => HTMLElement[];
}

/** A page under `#/solve/NAME`. */
export interface SolveBoard {
  name: string;
  text: string;
  load: () => Promise<{ mount: (root: HTMLElement, game: GameInfo, params: RouteParams) => Promise<Unmount> }>;
}

/**
 * What a game adds to the page: the default export of its `page.js`, in the folder `page` of its crate. Everything is optional. The server
 * has a game's files under `/page/games/NAME/`, so the page's own modules are two folders up: `../../dom.js`.
 */
export interface GameModule {
  /** How it is drawn; by its sprites' characters if not given. */
  look?: Look;
  /** Turns per second of the small board on the first page. */
  homeSpeed?: number;
  /** Turns per second at which watching begins. */
  watchSpeed?: number;
  /** Milliseconds per turn when time runs and the level has no pace of its own. */
  pace?: number;
  /** Does the player's piece keep moving without a key? A turn that is not possible yet is then taken at the next corner. */
  glides?: boolean;
  /** The sound of a move; by default it depends on what happened. */
  moveSound?: string;
  /** Who sits where when somebody plays. */
  seats?: string[];
  /** Input beside the board. */
  hand?: () => Promise<Hand>;
  /** Labels that the look shows already. */
  hidesLabel?: (name: string) => boolean;
  /** An action as arrows, if it is not named after a direction. */
  arrows?: (action: string) => Arrow[];
  /** The piece that an action moves, if it is not the lowest one. */
  movedPiece?: (action: string, frame: Frame, sprites: Sprite[]) => Piece | undefined;
  /** Who plays, in place of one list of agents per seat. */
  seatFields?: (setup: Setup, go: (setup: Setup) => void) => Promise<Child[]>;
  /** Further settings of the level. */
  levelFields?: (game: GameInfo, setup: Setup) => Promise<Child[]>;
  /** Another way to play than level by level, with the titles of both. */
  rounds?: {
    tab: string;
    levelsTab: string;
    mount: (root: HTMLElement, game: GameInfo, query: URLSearchParams) => Promise<Unmount>;
  };
  /** What is special about painting its levels. */
  grid?: () => Promise<GridExtras>;
  /** An editor of its own: the format that it works in, the one that people read beside it, and how to open it. */
  editor?: { format: string; shown?: string; open: (desk: Desk) => Promise<Editor> };
  /** Boards to solve positions on. */
  boards?: SolveBoard[];
}
