// The messages of the server. Generated, not edited: DAMIER_WRITE_TYPES=1 cargo test -p damier-web typescript

/** An agent that comes with the game. */
export interface AgentInfo {
  /** The name, as typed in a command. */
  name: string;
  /** How it thinks. */
  about: string;
  /** The seats it can play. */
  seats: number[];
}

/** The agents of the data folder, and the templates for new ones. */
export interface AgentList {
  installed: InstalledAgent[];
  templates: AgentTemplate[];
  /** The agents' folder. */
  folder: string;
}

/** A template for new agents. */
export interface AgentTemplate {
  /** The language, or `door` for the door of the original course. */
  language: string;
  /** The games it is for. */
  games: string[];
}

/** An analysis or a snapshot of one. */
export interface AnalyzeAnswer {
  /** The position in the game's notation. */
  position: string;
  /** The best action. */
  best: string | null;
  /** The score for the side to move. */
  score: number;
  /** The last depth that was searched completely, in plies. */
  depth: number;
  /** Positions searched. */
  nodes: number;
  /** The principal variation. */
  line: string[];
  /** How it ends, if that is proven: `win 5`, `loss 4`. */
  proof?: string;
  /** Is it proven that no shorter win exists? */
  shortest?: boolean;
  /** The actions with which each side would win at once, by the side's letter. */
  threats: Record<string, string[]>;
  /** All lines, best first. */
  lines?: LineMessage[];
  /** Wall time in milliseconds. */
  ms: number;
  /** What the score means, as a sentence. */
  text: string;
}

/** All shortest solutions. */
export interface AnswersAnswer {
  /** The answer's kind; only a shortest plan counts as solved. */
  outcome: Solvability;
  /** The number of actions of the plan. */
  moves: number | null;
  /** The best plan found, proven shortest if `outcome` is solved. */
  plan: string[] | null;
  /** Proven lower bound: no plan has fewer actions. */
  lower_bound: number;
  /** The number of different shortest plans, if there was time to count them. */
  count: number | null;
  /** The first of the shortest plans. */
  solutions: string[][];
  /** The shortest plan that is easiest to find for a human. */
  simplest: string[] | null;
  /** From 0 (trivial) to 10. */
  difficulty: number | null;
  /** Cells where each piece can stop while the others stay: column, row and the number of moves. */
  reach: Record<string, [number, number, number][]>;
  /** Straight lines into the target. */
  corridors: Corridor[];
  /** Positions searched. */
  positions: number;
  /** Wall time in milliseconds. */
  ms: number;
}

/** Cells, pieces and walls of a state. */
export interface BoardPicture {
  /** Columns and rows. */
  size: [number, number];
  /** The looks that tiles and pieces refer to. */
  sprites: Sprite[];
  /** Indices into the sprites, row by row. */
  tiles: number[];
  /** Later ones are drawn over earlier ones. */
  pieces: Piece[];
  /** Thin walls on the edges of cells. */
  walls: Wall[];
}

/** A brush of the level editor. */
export interface Brush {
  /** The symbol in the level's text. */
  symbol: string;
  /** What it is. */
  about: string;
  /** Does a level have at most one of it? */
  once: boolean;
  /** The rule sets that support it; empty means all. */
  rules: string[];
  /** Is it a piece on the board, rather than part of the board? */
  piece: boolean;
  /** Its look. */
  sprite: Sprite;
}

/** A level's check. */
export interface CheckAnswer {
  /** Can it be won? */
  solvable: Solvability;
  /** The turns of the best known win. */
  par: number | null;
  /** From 0 (trivial) to 10. */
  difficulty: number | null;
  /** Facts and warnings, as sentences. */
  notes: string[];
  /** Cells that the level's author should look at. */
  marks?: Mark[];
  /** Wall time in milliseconds. */
  ms: number;
}

/** A palette that every front end maps to its own colours. */
export type Colour = 'plain' | 'dim' | 'white' | 'red' | 'orange' | 'yellow' | 'green' | 'cyan' | 'blue' | 'navy' | 'purple' | 'pink' | 'brown';

/** Why a client's message was refused. */
export type Complaint = {
  t: 'complaint';
  /** One sentence. */
  text: string;
};

/** A level's text. */
export interface ConvertedLevel {
  /** The level in the requested format. */
  text: string;
}

/** A straight line into the target. */
export interface Corridor {
  /** The direction in which a piece comes through it. */
  dir: Dir;
  /** Its cells, from the one next to the target outwards. */
  cells: [number, number][];
  /** Cell that lacks an obstacle: without one, a piece slides over the target. */
  missing: [number, number] | null;
}

/** Points of one agent against another. */
export interface CrossCell {
  points: number;
  games: number;
}

/** Cross table: the points of each agent against each other. */
export interface CrossTable {
  agents: string[];
  /** By row and column of agents; `null` where two agents do not meet. */
  cells: (CrossCell | null)[][];
}

/** A decision with its insight and log. */
export interface Decision {
  /** Who decided. */
  seat: number;
  /** The action taken. */
  action: string;
  /** How long it took, in microseconds. */
  us: number;
  /** The agent's insight. */
  insight: Insight;
  /** The end of its log. */
  log?: string;
  /** Faults because of which the referee substituted the action. */
  warnings?: Fault[];
}

/** One of the four directions, numbered clockwise from north. */
export type Dir = 'north' | 'east' | 'south' | 'west';

/** The table of an event. */
export interface EventStandings {
  /** The event. */
  name: string;
  /** Its game. */
  game: string;
  /** Its rule set. */
  rules: string;
  /** The seats of the game. */
  seats: number;
  /** Number of comparisons that repeated earlier ones exactly: ratings count them once. */
  repeated: number;
  /** The agents, best first. */
  rows: StandingRow[];
  /** The meetings, in a knockout. */
  meetings?: MeetingRow[];
}

/** Properties of every game on a level under a rule set. */
export interface Facts {
  /** The name of each seat: `pacman`, `ghosts`. */
  seats: string[];
  /** Does a step draw from chance? */
  chance: boolean;
  /** Does every seat see the whole state? */
  perfect_information: boolean;
}

/** Why a seat lost its game outside the rules, or why it was warned. */
export interface Fault {
  /** Its kind. */
  code: FaultCode;
  /** What happened, as a sentence for the agent's author. */
  detail: string;
}

/** The kind of a fault, as the agent protocol and replays name it. */
export type FaultCode = 'timeout' | 'crash' | 'illegal' | 'malformed' | 'memory' | 'output' | 'forbidden' | 'protocol' | 'build' | 'no-answer' | 'machine';

/** A fault that ended a game. */
export interface FaultRow {
  number: number;
  agent: string;
  text: string;
}

/** A game and the agents installed for it. */
export interface GameInfo {
  /** The name, as typed in a command. */
  name: string;
  /** The name, as shown to people. */
  title: string;
  /** One sentence. */
  about: string;
  /** The rule sets, the default one first. */
  rules: Named[];
  /** The agents that come with it. */
  agents: AgentInfo[];
  /** The level formats that can be written, the game's own first. */
  formats: Named[];
  /** The level packs. */
  packs: Pack[];
  /** The keys. */
  keys: KeyBinding[];
  /** Keys that select which piece the other keys move. */
  pieces: KeyBinding[];
  /** Overlays that can be drawn over any state. */
  overlays: Named[];
  /** Brushes of the level editor; empty if levels are not rows of symbols. The first brush erases. */
  brushes: Brush[];
  /** Real-time games: milliseconds per turn in interactive play. */
  tick_ms: number | null;
  /** The action when no key is pressed. */
  idle: string | null;
  /** Turn limit, after which a game ends as `limit`. */
  turn_limit: number;
  /** The first level that opens, by rule set. */
  default_level: Record<string, string>;
  /** The number of seats, by rule set. */
  players: Record<string, number>;
  /** The names of the seats, by rule set. */
  seats: Record<string, string[]>;
  /** The computer's strengths, in games that have rounds. */
  strengths: string[];
  /** The names of the game's files for the page; `page.js` is its module. */
  page: string[];
  installed: InstalledAgent[];
}

/** A part of the games played. */
export interface GameList {
  /** The number of games that match the selection. */
  total: number;
  /** Index of the first one listed. */
  from: number;
  rows: GameRow[];
}

/** A finished game. */
export interface GameRow {
  number: number;
  event: string;
  level: string;
  seed: number;
  /** The agents by seat. */
  seats: string[];
  outcomes: Outcome[];
  reason: string;
  turns: number;
  scores: number[];
  /** Sentences about agents with substituted answers. */
  substituted?: string[];
  /** The time of each seat, in microseconds. */
  us: number[];
  /** The fault that ended it. */
  fault: SeatFault | null;
}

/** A new level. */
export interface GeneratedLevel {
  /** The level in the game's own format. */
  text: string;
  /** The board. */
  picture: Picture;
}

/** A report. */
export interface GradingReport {
  /** Its folder's name. */
  name: string;
  /** The address of its first page. */
  url: string;
}

/** Description of a session, sent first, and again after a restart. */
export interface Hello {
  /** The session. */
  id: string;
  /** The game. */
  game: string;
  /** The rule set. */
  rules: string;
  /** The level's name. */
  level: string;
  /** The seed of the game's chance. */
  seed: number;
  /** Player at each seat: `human`, or an agent's name. */
  seats: string[];
  /** Is it a replay? */
  record: boolean;
  /** May this client act? */
  host: boolean;
  /** Properties of every game on the level. */
  facts: Facts;
  /** Real-time games: milliseconds per turn in interactive play. */
  tick_ms: number | null;
  /** The action when no key is pressed. */
  idle: string | null;
  /** Turn limit, after which the game ends as `limit`. */
  turn_limit: number;
  /** The board of the first moment. */
  picture: BoardPicture;
}

/** A hint: what our strongest agent would do. */
export interface Hint {
  /** The moment it is about. */
  n: number;
  /** The action. */
  action: string;
  /** The agent's insight. */
  insight: Insight;
}

/** Explanation of one decision by its agent. */
export interface Insight {
  /** One sentence. */
  text?: string;
  /** Marked cells; a later mark is drawn over an earlier one. */
  marks?: Mark[];
  /** Candidate actions with their scores, best first. */
  scores?: [string, number][];
  /** Search counters: nodes, depth. */
  counters?: [string, number][];
}

/** An agent installed in the data folder. */
export interface InstalledAgent {
  /** Its folder's name, by which requests name it. */
  name: string;
  /** Where it comes from, as a sentence. */
  about: string;
  /** The only game it plays; `null` if it plays any. */
  game: string | null;
  /** What is wrong with its `agent.toml`. */
  problem?: string;
}

/** Message to the page about a search. */
export type JobMessage = {
  t: 'progress';
  id: number;
  text: string;
} | {
  t: 'partial';
  id: number;
  /** The position in the game's notation. */
  position: string;
  /** The best action. */
  best: string | null;
  /** The score for the side to move. */
  score: number;
  /** The last depth that was searched completely, in plies. */
  depth: number;
  /** Positions searched. */
  nodes: number;
  /** The principal variation. */
  line: string[];
  /** How it ends, if that is proven: `win 5`, `loss 4`. */
  proof?: string;
  /** Is it proven that no shorter win exists? */
  shortest?: boolean;
  /** The actions with which each side would win at once, by the side's letter. */
  threats: Record<string, string[]>;
  /** All lines, best first. */
  lines?: LineMessage[];
  /** Wall time in milliseconds. */
  ms: number;
  /** What the score means, as a sentence. */
  text: string;
} | (CheckAnswer | SolveAnswer | AnswersAnswer | AnalyzeAnswer) & {
  t: 'answer';
  id: number;
} | {
  t: 'error';
  id: number;
  error: string;
  line: number | null;
  column: number | null;
};

/** A key and the action it plays. */
export interface KeyBinding {
  /** `up`, `down`, `left`, `right`, `space`, `enter` or a single character. */
  key: string;
  /** The action's name. */
  action: string;
}

/** A shipped level. */
export interface LevelInfo {
  /** Its name in the pack. */
  name: string;
  /** Columns and rows. */
  size: [number, number];
  /** The rule sets under which it opens. */
  rules: string[];
}

/** One of several levels in a file. */
export interface LevelPart {
  /** Its name in the file. */
  name: string | null;
  /** Its text. */
  text: string;
}

/** A shipped level. */
export interface LevelText {
  /** `pack/name`. */
  name: string;
  /** The level as it is shipped. */
  text: string;
}

/** A line of play as JSON. */
export interface LineMessage {
  /** The score for the side to move. */
  score: number;
  /** The actions of both sides. */
  line: string[];
}

/** A marked cell. */
export interface Mark {
  /** The cell. */
  at: [number, number];
  /** Why it is marked: one of [`reason`], or a word of the agent's choice. */
  why: string;
  /** A few characters to write on the cell. */
  label?: string;
}

/** A meeting of a knockout. */
export interface MeetingRow {
  /** The round, from 1. */
  round: number;
  /** The two agents. */
  agents: [string, string];
  /** Their points. */
  points: [number, number];
  /** The winner, once it is decided. */
  winner: string | null;
}

/** A name with a sentence about it. */
export interface Named {
  /** The name, as typed in a command. */
  name: string;
  /** What it is. */
  about: string;
}

/** A level that is well formed. */
export interface OpenedLevel {
  ok: boolean;
  /** Columns and rows. */
  size: [number, number];
  /** The rule set. */
  rules: string;
  /** The number of players. */
  players: number;
  /** The format of `text`. */
  format: string;
  /** The level in that format. */
  text: string;
  /** The level in the requested second format, unless that format cannot represent it. */
  shown?: string;
  /** The board. */
  picture: Picture;
  /** Properties of every game on it. */
  facts: Facts;
  /** The levels of the file, if there are several. */
  levels?: LevelPart[];
}

/** How a game ended for one seat. */
export type Outcome = 'win' | 'loss' | 'draw' | 'limit';

/** How a game ended. */
export interface Over {
  /** The outcome of each seat. */
  result: Outcome[];
  /** Why, in a few words. */
  reason: string;
  /** Sentences about agents with substituted answers. */
  substituted?: string[];
}

/** Row of an agent over all events. */
export interface OverallRow {
  /** The agent. */
  agent: string;
  /** Rank, from 1. */
  place: number;
  /** Share of points in each event it played, in percent. */
  percents: (number | null)[];
  /** Their mean. */
  mean: number;
}

/** The marks of an overlay. */
export interface OverlayMarks {
  /** The moment. */
  n: number;
  /** The overlay. */
  name: string;
  /** Its marks. */
  marks: Mark[];
}

/** Levels shipped together. */
export interface Pack {
  /** The pack's name. */
  name: string;
  /** What is in it. */
  about: string;
  /** Its levels. */
  levels: LevelInfo[];
}

/** A state as the page draws it. */
export interface Picture {
  /** Columns and rows. */
  size: [number, number];
  /** The looks that tiles and pieces refer to. */
  sprites: Sprite[];
  /** Indices into the sprites, row by row. */
  tiles: number[];
  /** Later ones are drawn over earlier ones. */
  pieces: Piece[];
  /** Thin walls on the edges of cells. */
  walls: Wall[];
  /** Facts to show beside the board. */
  labels: [string, string][];
}

/** Id, column, row, index into the sprites. */
export type Piece = [number, number, number, number];

/** Description of an error. */
export interface Problem {
  /** One sentence. */
  error: string;
  /** The faulty line of the level, from 1. */
  line?: number;
  /** The column in that line, from 1. */
  column?: number;
}

/** An agent's Elo rating. */
export interface Rating {
  /** Elo; 0 is the mean of all agents that met, directly or through others. */
  elo: number;
  /** Half the width of its 95 % confidence interval. */
  margin: number;
  /** An agent won or lost every game, so its rating would be infinite; one extra draw per pair keeps it finite. */
  damped: boolean;
}

/** The ratings after a number of games of an event: Elo and margin of each agent. */
export interface RatingPoint {
  played: number;
  ratings: Record<string, [number, number]>;
}

/** A remark on one decision, with the moment in which it was taken. */
export interface Remark {
  /** The decision's number, from 1. */
  number: number;
  /** Who took it. */
  seat: number;
  /** The action taken. */
  action: string;
  /** One of [`kind`], or a kind of the game's own. */
  kind: string;
  /** What was wrong with it, as a sentence. */
  text: string;
  /** Better actions, best first. */
  instead: string[];
  /** The moment in which the decision was to be taken. */
  n: number;
}

/** A checker's report on a well-formed level. */
export interface Report {
  /** Can it be won? */
  solvable: Solvability;
  /** The turns of the best known win. */
  par: number | null;
  /** From 0 (trivial) to 10. */
  difficulty: number | null;
  /** Facts and warnings, as sentences. */
  notes: string[];
  /** Cells that the level's author should look at. */
  marks?: Mark[];
}

/** The review of a game. */
export interface Review {
  /** The verdict, as a sentence. */
  text: string;
  /** Remarks on single decisions, in the order of the game. */
  remarks: Remark[];
}

/** Message to the page about a game of rounds. */
export type RoundMessage = RoundState & {
  t: 'round';
};

/** The mission of a round. */
export interface RoundMission {
  /** The piece that must reach the target; `None` if any piece may. */
  robot: string | null;
  /** The target's column and row. */
  target: [number, number];
}

/** The phase of a round. */
export type RoundPhase = 'looking' | 'clock' | 'show' | 'won' | 'over';

/** A side in a game of rounds. */
export type RoundSide = 'you' | 'computer';

/** The state of a game of rounds. */
export interface RoundState {
  /** The number of this round, from 1. */
  round: number;
  /** The number of rounds. */
  rounds: number;
  /** Targets won. */
  score: {
    /** The human's. */
    you: number;
    /** The computer's. */
    computer: number;
  };
  /** The phase of the round. */
  phase: RoundPhase;
  /** The side that must show, or that won the round; at the end of the game, the winner of the last round. */
  by: RoundSide | null;
  /** Milliseconds left on the clock, while it is running. */
  clock_ms: number | null;
  /** The lowest announcement of each side. */
  announced: {
    /** The human's. */
    you: number | null;
    /** The computer's. */
    computer: number | null;
  };
  /** The mission. */
  mission: RoundMission;
  /** The actions tried. */
  tried: string[];
  /** Do the actions on the board reach the target? */
  solved: boolean;
  /** What can be done now, or what just happened, as a sentence. */
  message: string;
  /** The solution of the side in `by`: the moves that the computer has shown so far, then those that won the round. */
  shown: string[];
  /** The board, with the actions tried or shown. */
  picture: Picture;
}

/** Whose fault ended a game. */
export interface SeatFault {
  seat: number;
  text: string;
}

/** A session in the list of sessions. */
export interface SessionInfo {
  /** Its name in addresses. */
  id: string;
  /** The game. */
  game: string;
  /** The rule set. */
  rules: string;
  /** The level's name. */
  level: string;
  /** Player at each seat. */
  seats: string[];
  /** Is it a replay? */
  record: boolean;
  /** Turns played. */
  turns: number;
  /** The number of clients that watch. */
  watchers: number;
}

/** Message to a client of a session. */
export type SessionMessage = Hello & {
  t: 'hello';
} | WireFrame & {
  t: 'frame';
} | {
  t: 'thinking';
  /** The seat. */
  seat: number | null;
} | Hint & {
  t: 'hint';
} | OverlayMarks & {
  t: 'overlay';
} | Review & {
  t: 'review';
} | {
  t: 'complaint';
  /** One sentence. */
  text: string;
} | {
  t: 'watchers';
  /** Their number. */
  count: number;
};

/** The answer's kind. */
export type Solvability = 'solved' | 'unsolvable' | 'unknown';

/** A solver's answer. */
export interface SolveAnswer {
  /** The level's name. */
  level: string;
  /** The rule set. */
  rules: string;
  /** The seed of the game that the plan is for. */
  seed: number;
  /** The answer's kind. */
  outcome: Solvability;
  /** The number of turns of the plan. */
  turns: number;
  /** The actions that win, of the seat that the solver plans for. */
  plan: string[];
  /** Proven lower bound: no plan takes fewer turns. */
  lower_bound: number | null;
  /** Wall time in milliseconds. */
  ms: number;
  /** Processor time of all threads in milliseconds. */
  cpu_ms: number;
  /** States searched. */
  states: number;
  /** Notes for people, as sentences. */
  notes: string[];
}

/** Look of one thing. */
export interface Sprite {
  /** What it is: `wall`, `pellet`, `ghost`. */
  name: string;
  /** Two terminal columns of Unicode. */
  unicode: string;
  /** Its colour in the palette. */
  colour: Colour;
  /** Direction it faces, if any. */
  facing?: Dir;
  /** Is it part of the background, drawn faintly so that the rest stands out? */
  faint?: boolean;
}

/** Row of an agent in an event's table. */
export interface StandingRow {
  /** The agent. */
  agent: string;
  /** Rank, from 1. */
  place: number;
  /** Number of games. */
  games: number;
  /** Number of wins. */
  won: number;
  /** Mean turns of its wins. */
  turns_of_wins: number | null;
  /** Its mean score. */
  score: number;
  /** Number of games lost by a fault. */
  faults: number;
  /** Sentence about its substituted answers, if any. */
  substituted?: string;
  /** Number of comparisons in which it was better: in a game between two agents, or alone on the same level and seed. */
  better: number;
  /** Number of comparisons in which it was equal. */
  equal: number;
  /** Number of comparisons in which it was worse. */
  worse: number;
  /** Share of points in these comparisons, in percent. */
  percent: number;
  /** Its rating. */
  rating: Rating | null;
  /** Last round it reached in a knockout. */
  round?: number;
}

/** All tables of a tournament. */
export interface Standings {
  /** The tournament. */
  name: string;
  /** Number of games played. */
  played: number;
  /** Number of games scheduled so far. */
  scheduled: number;
  /** One table per event. */
  events: EventStandings[];
  /** All events together, if there are several. */
  overall?: OverallRow[];
}

/** Who is to move, or how the game ended: one of the two. */
export interface Status {
  /** How it ended. */
  over?: Over;
  /** The seat that is to move. */
  to_move?: number;
}

/** A new session. */
export interface Ticket {
  /** Its name in addresses, which is enough to watch. */
  id: string;
  /** The key that allows acting. */
  key: string;
}

/** A tournament with its tables and games. */
export interface Tournament {
  name: string;
  plan: TournamentPlan;
  standings: Standings;
  /** Points of each agent against each other, by event. */
  cross: CrossTable[];
  /** The ratings over time, by event. */
  history: RatingPoint[][];
  games: GameList;
  faults: FaultRow[];
  state: TournamentState;
  /** Why it failed. */
  error: string | null;
}

/** A game of a tournament, with its levels and seeds. */
export interface TournamentEvent {
  name: string;
  game: string;
  rules: string;
  levels: string[];
  seeds: number[];
  /** The turn limit of a game. */
  turns: number;
  seats: number;
  agents: string[];
}

/** Format of a tournament. */
export type TournamentFormat = 'round-robin' | 'gauntlet' | 'knockout';

/** A tournament in the list. */
export interface TournamentInfo {
  name: string;
  state: TournamentState;
  /** Why it failed. */
  error: string | null;
  /** Number of games played. */
  played: number;
  /** Number of games scheduled so far. */
  scheduled: number;
  format: TournamentFormat | null;
  agents: string[];
  /** The game of each event. */
  games: string[];
}

/** Message to a client that follows a tournament. */
export type TournamentMessage = Tournament & {
  t: 'progress';
};

/** A started tournament. */
export interface TournamentName {
  /** Its name. */
  name: string;
}

/** The plan of a tournament. */
export interface TournamentPlan {
  format: TournamentFormat;
  /** The terms of all games, with the names that the agent protocol uses. */
  terms: Record<string, unknown>;
  agents: {
    name: string;
  }[];
  events: TournamentEvent[];
}

/** State of a tournament. */
export type TournamentState = 'running' | 'stopped' | 'done' | 'failed';

/** The program and its version. */
export interface Version {
  /** `damier`. */
  name: string;
  /** The version of all its crates. */
  version: string;
}

/** Column and row of a cell, and the side of it that has a thin wall. */
export type Wall = [number, number, Dir];

/** A moment of a game: the changes on the board since the previous one, or the whole board. */
export interface WireFrame {
  /** The moment's number. A known number replaces that moment and all later ones. */
  n: number;
  /** Index of the new sprites in the table of sprites. */
  sprites_at?: number;
  /** Sprites that are new to the table; with a whole board, all sprites. */
  sprites?: Sprite[];
  /** Columns and rows, with a whole board. */
  size?: [number, number];
  /** The whole board: indices into the sprites, row by row. */
  tiles?: number[];
  /** The cells that changed, each with its new sprite. */
  changes?: [number, number][];
  /** All pieces. */
  pieces: Piece[];
  /** Facts to show beside the board. */
  labels: [string, string][];
  /** Turns played. */
  turn: number;
  /** Does stepping through the game stop here? */
  stop: boolean;
  /** The score of each seat. */
  score: number[];
  /** Who is to move, or how the game ended. */
  status: Status;
  /** Is a human to move? */
  human: boolean;
  /** The legal actions, if a human is to move. */
  legal?: string[];
  /** The action when no key is pressed. */
  idle: string | null;
  /** The state in the game's own notation, if it has one. */
  notation?: string;
  /** The decision that led here; `null` at the start. */
  decision: Decision | null;
}
