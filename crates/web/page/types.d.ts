/** What the server sends and the page draws. Only read by the type checker. */

export type Dir = 'north' | 'east' | 'south' | 'west';
export type Point = [number, number];

export interface Sprite {
  name: string;
  unicode: string;
  colour: string;
  facing?: Dir;
}

/** Id, column, row (with decimals for those between two cells), index into the sprites. */
export type Piece = [number, number, number, number];
export type Wall = [number, number, Dir];

export interface Picture {
  size: Point;
  sprites: Sprite[];
  /** Indices into the sprites, row by row. */
  tiles: ArrayLike<number>;
  pieces: Piece[];
  walls: Wall[];
  labels: [string, string][];
}

export interface Mark {
  at: Point;
  why: string;
  /** A few characters to write into the cell. */
  label?: string;
}

export interface Arrow {
  from: Point;
  to: Point;
  colour?: string;
  label?: string;
}

export interface Insight {
  text?: string;
  marks?: Mark[];
  scores?: [string, number][];
  counters?: [string, number][];
}

export interface Decision {
  seat: number;
  action: string;
  us?: number;
  insight?: Insight;
  log?: string;
  warnings?: string[];
}

export type Outcome = 'win' | 'loss' | 'draw' | 'limit';

export interface Over {
  result: Outcome[];
  reason: string;
}

export interface Status {
  to_move?: number;
  over?: Over;
}

/** A moment of a game, as the page keeps it. */
export interface Frame {
  n: number;
  /** The board's size where it is another than at the start: games of several maps. */
  size?: Point;
  tiles: Uint16Array;
  pieces: Piece[];
  labels: [string, string][];
  turn: number;
  stop: boolean;
  score: number[];
  status: Status;
  human: boolean;
  legal?: string[];
  idle?: string | null;
  decision: Decision | null;
}

/** A moment as it comes over the wire. */
export interface WireFrame extends Omit<Frame, 'tiles'> {
  /** New ones, and their place in the table. */
  sprites?: Sprite[];
  sprites_at?: number;
  tiles?: number[];
  changes?: [number, number][];
}

export interface Hello {
  id: string;
  game: string;
  rules: string;
  level: string;
  seed: number;
  seats: string[];
  record: boolean;
  host: boolean;
  facts: Record<string, unknown>;
  tick_ms: number | null;
  idle: string | null;
  turn_limit: number;
  picture: Picture;
}

export interface Remark {
  n: number;
  number?: number;
  seat?: number;
  action?: string;
  kind?: string;
  text: string;
  instead?: string[];
}

export interface Review {
  text: string;
  remarks: Remark[];
}

export interface Named {
  name: string;
  about: string;
}

export interface AgentInfo extends Named {
  seats?: number[];
}

export interface LevelInfo {
  name: string;
  size: Point;
  rules: string[];
}

export interface Pack extends Named {
  levels: LevelInfo[];
}

export interface KeyBinding {
  key: string;
  action: string;
}

export interface Brush {
  symbol: string;
  about?: string;
  once: boolean;
  rules: string[];
  sprite: Sprite | string;
  piece?: boolean;
}

export interface GameInfo {
  name: string;
  title: string;
  about: string;
  rules: Named[];
  agents: AgentInfo[];
  installed: AgentInfo[];
  formats: Named[];
  packs: Pack[];
  keys: KeyBinding[];
  pieces: KeyBinding[];
  overlays: Named[];
  brushes: Brush[];
  tick_ms: number | null;
  idle: string | null;
  turn_limit: number;
  default_level: Record<string, string>;
  players: Record<string, number>;
  /** What the seats are called, by rule set. */
  seats?: Record<string, string[]>;
  strengths?: (string | Named)[];
}

export interface SessionInfo {
  id: string;
  game: string;
  rules?: string;
  level: string;
  seats: string[];
  turns: number;
  watchers: number;
  over?: boolean;
  record?: boolean;
}

/** The state of a match of Rasende Roboter by its real rounds. */
export interface Round {
  round: number;
  rounds: number;
  score: { you: number; computer: number };
  phase: 'looking' | 'clock' | 'show' | 'won' | 'over';
  by: 'you' | 'computer' | null;
  clock_ms: number | null;
  announced: { you: number | null; computer: number | null };
  mission: { robot: string | null; target: Point };
  picture: Picture;
  tried: string[];
  solved: boolean;
  message: string;
  shown: string[];
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
  /** The action that led here, where pieces have no names of their own (SIAM). */
  action?: string;
  marks?: Mark[];
  arrows?: Arrow[];
  selected?: Point | null;
  targets?: Point[];
  hidden?: Point[];
}

export interface BoardOptions {
  label: string;
  /** Chooses the drawings; guessed from the sprites if it is not given. */
  game?: string;
  onCell?: (x: number, y: number, event: Event) => void;
  onDrag?: (x: number, y: number, event: PointerEvent) => void;
  onDrop?: (x: number, y: number, event: PointerEvent) => void;
  onEdge?: (x: number, y: number, dir: Dir, event: PointerEvent) => void;
  /** The trays of animals beside SIAM's board. */
  onReserve?: (animal: string, event: Event) => void;
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

/** Ids after the move with those before; pieces that came onto the board and from where; those that left it and whereto. */
export interface Identity {
  from: Map<number, number>;
  entered: Map<number, Point>;
  left: Map<number, Point>;
}

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
  tile: (ctx: CanvasRenderingContext2D, sprite: Sprite, at: (dx: number, dy: number) => string, palette: Palette, x: number, y: number) => void;
  /** Draws a loose tile or a piece; the origin is the middle of its cell. */
  piece: (ctx: CanvasRenderingContext2D, pose: Pose, palette: Palette) => void;
  /** The corners on the way of a piece, for moves that are not straight. */
  route?: (picture: Picture, sprite: Sprite, from: Point, to: Point) => Point[];
  /** Who is who after a move, for games whose pieces have no names of their own. */
  identify?: (before: Picture, after: Picture, action: string) => Identity;
  /** The tray at a point outside of the cells. */
  tray?: (x: number, y: number) => string | null;
}
