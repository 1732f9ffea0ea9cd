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

/** The agents of the data folder, and what new ones begin with. */
export interface AgentList {
  installed: InstalledAgent[];
  templates: AgentTemplate[];
  /** Where they are. */
  folder: string;
}

/** What a new agent begins with. */
export interface AgentTemplate {
  /** The language, or `door` for the doors of the original courses. */
  language: string;
  /** The games it is for. */
  games: string[];
}

/** An analysis, finished or not. */
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
  /** Proven: no plan has fewer actions. */
  lower_bound: number;
  /** The number of different shortest plans, if there was time to count them. */
  count: number | null;
  /** The first of the shortest plans. */
  solutions: string[][];
  /** The shortest plan that is simplest for a person. */
  simplest: string[] | null;
  /** From 0 (trivial) to 10. */
  difficulty: number | null;
  /** Where each piece can stop while the others stay: column, row and the number of moves. */
  reach: Record<string, [number, number, number][]>;
  /** Straight ways into the target. */
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

/** What an editor paints with. */
export interface Brush {
  /** The symbol in the level's text. */
  symbol: string;
  /** What it is. */
  about: string;
  /** Does a level hold no more than one of it? */
  once: boolean;
  /** The rule sets that know it; none means all of them. */
  rules: string[];
  /** Does it stand on the board, rather than being part of it? */
  piece: boolean;
  /** Its look. */
  sprite: Sprite;
}

/** A level's check. */
export interface CheckAnswer {
  /** Can it be won? */
  solvable: Solvability;
  /** The turns of the best win known. */
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

/** Why a message of the client was not followed. */
export type Complaint = {
  t: 'complaint';
  /** One sentence. */
  text: string;
};

/** A level's text. */
export interface ConvertedLevel {
  /** The level in the format asked for. */
  text: string;
}

/** A straight way into the target. */
export interface Corridor {
  /** The direction in which a piece comes through it. */
  dir: Dir;
  /** Its cells, from the one next to the target outwards. */
  cells: [number, number][];
  /** Where an obstacle is missing: without it a piece slides over the target. */
  missing: [number, number] | null;
}

/** What one agent took off another. */
export interface CrossCell {
  points: number;
  games: number;
}

/** Who took how many points off whom: one row and one column per agent. */
export interface CrossTable {
  agents: string[];
  /** None where two agents do not meet. */
  cells: (CrossCell | null)[][];
}

/** A decision and what its agent showed of it. */
export interface Decision {
  /** Who decided. */
  seat: number;
  /** The action taken. */
  action: string;
  /** How long it took, in microseconds. */
  us: number;
  /** What the agent showed. */
  insight: Insight;
  /** The end of what it wrote to its log. */
  log?: string;
  /** Faults that cost it a strike: the action is then not its own. */
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
  /** The agents, the best first. */
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

/** Why a seat lost its game outside the rules, or what it was warned for. */
export interface Fault {
  /** Its kind. */
  code: FaultCode;
  /** What happened, as a sentence for the agent's author. */
  detail: string;
}

/** The kind of a fault, as the agent protocol and replays name it. */
export type FaultCode = 'timeout' | 'crash' | 'illegal' | 'malformed' | 'memory' | 'output' | 'forbidden' | 'protocol' | 'build';

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
  /** The level formats that can be written; the game's own one first. */
  formats: Named[];
  /** The level packs. */
  packs: Pack[];
  /** The keys. */
  keys: KeyBinding[];
  /** Keys that select which piece the other keys move. */
  pieces: KeyBinding[];
  /** Overlays that can be drawn over any state. */
  overlays: Named[];
  /** What an editor paints with; none where levels are not rows of symbols. The first brush erases. */
  brushes: Brush[];
  /** Real-time games: milliseconds per turn in interactive play. */
  tick_ms: number | null;
  /** The action that stands for no key pressed. */
  idle: string | null;
  /** The turns after which a game ends as `limit`. */
  turn_limit: number;
  /** The first level that opens, by rule set. */
  default_level: Record<string, string>;
  /** The number of seats, by rule set. */
  players: Record<string, number>;
  /** What the seats are called, by rule set. */
  seats: Record<string, string[]>;
  /** The computer's strengths, in games that have rounds. */
  strengths: string[];
  /** The names of the game's files of the page; `page.js` is its module. */
  page: string[];
  installed: InstalledAgent[];
}

/** Part of the games that were played. */
export interface GameList {
  /** How many fit the selection. */
  total: number;
  /** The first one that is listed. */
  from: number;
  rows: GameRow[];
}

/** A game that was played. */
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
  /** Late, illegal or unreadable answers that were forgiven, by seat. */
  strikes: number[];
  /** The time of each seat, in microseconds. */
  us: number[];
  /** The fault that ended it. */
  fault: SeatFault | null;
}

/** A new level. */
export interface GeneratedLevel {
  /** The level in the game's own format. */
  text: string;
  /** What the board draws. */
  picture: Picture;
}

/** A report. */
export interface GradingReport {
  /** Its folder's name. */
  name: string;
  /** What to open. */
  url: string;
}

/** What a session is about; it comes first, and again after a restart. */
export interface Hello {
  /** The session. */
  id: string;
  /** The game. */
  game: string;
  /** The rule set. */
  rules: string;
  /** What the level is called. */
  level: string;
  /** The seed of the game's chance. */
  seed: number;
  /** Who sits where: `human`, or an agent's name. */
  seats: string[];
  /** Is it a game that was played before? */
  record: boolean;
  /** May this client act? */
  host: boolean;
  /** What is true of every game on the level. */
  facts: Facts;
  /** Real-time games: milliseconds per turn in interactive play. */
  tick_ms: number | null;
  /** The action that stands for no key pressed. */
  idle: string | null;
  /** The turns after which the game ends as `limit`. */
  turn_limit: number;
  /** The board of the first moment. */
  picture: BoardPicture;
}

/** What our strongest agent would do. */
export interface Hint {
  /** The moment it is about. */
  n: number;
  /** The action. */
  action: string;
  /** What the agent shows of it. */
  insight: Insight;
}

/** What an agent shows of one decision. */
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
  /** Its folder's name: how it is invited. */
  name: string;
  /** Where it comes from, as a sentence. */
  about: string;
  /** The only game it plays; any if there is none. */
  game: string | null;
  /** What is wrong with its `agent.toml`. */
  problem?: string;
}

/** What the page hears of a search. */
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

/** A key that a person presses to take an action. */
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
  /** Why it is marked: one of [`reason`], or the agent's own word. */
  why: string;
}

/** A meeting of a knockout. */
export interface MeetingRow {
  /** The round, from 1. */
  round: number;
  /** Who met. */
  agents: [string, string];
  /** What they scored. */
  points: [number, number];
  /** Who won, once it is decided. */
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
  /** The level in the second format that was asked for, unless that format cannot hold it. */
  shown?: string;
  /** What the board draws. */
  picture: Picture;
  /** What is true of every game on it. */
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

/** What is wrong with a request. */
export interface Problem {
  /** One sentence. */
  error: string;
  /** The line of the level that is at fault, from 1. */
  line?: number;
  /** The column of that line, from 1. */
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
  /** One of [`kind`], or the game's own word. */
  kind: string;
  /** What was wrong with it, as a sentence. */
  text: string;
  /** The actions that would have been better, the best first. */
  instead: string[];
  /** The moment in which the decision was to be taken. */
  n: number;
}

/** What a checker says of a level that is well formed. */
export interface Report {
  /** Can it be won? */
  solvable: Solvability;
  /** The turns of the best win known. */
  par: number | null;
  /** From 0 (trivial) to 10. */
  difficulty: number | null;
  /** Facts and warnings, as sentences. */
  notes: string[];
  /** Cells that the level's author should look at. */
  marks?: Mark[];
}

/** What is to be said of a game that was played. */
export interface Review {
  /** The verdict, as a sentence. */
  text: string;
  /** Remarks on single decisions, in the order of the game. */
  remarks: Remark[];
}

/** What the page hears of a game of rounds. */
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
    /** The person's. */
    you: number;
    /** The computer's. */
    computer: number;
  };
  /** The phase of the round. */
  phase: RoundPhase;
  /** Who must show, or who won the round. */
  by: RoundSide | null;
  /** Milliseconds left on the clock, while it is running. */
  clock_ms: number | null;
  /** The lowest announcement of each side. */
  announced: {
    /** The person's. */
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
  /** The actions that the computer has shown so far. */
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
  /** What the level is called. */
  level: string;
  /** Who sits where. */
  seats: string[];
  /** Is it a game that was played before? */
  record: boolean;
  /** Turns played. */
  turns: number;
  /** How many clients watch. */
  watchers: number;
}

/** Everything that a client of a session gets. */
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
  /** The actions of seat 0 that win. */
  plan: string[];
  /** Proven: no plan takes fewer turns. */
  lower_bound: number | null;
  /** Wall time in milliseconds. */
  ms: number;
  /** Processor time of all threads in milliseconds. */
  cpu_ms: number;
  /** States searched. */
  states: number;
  /** What a person should know of it, as sentences. */
  notes: string[];
}

/** How one thing looks. */
export interface Sprite {
  /** What it is: `wall`, `pellet`, `ghost`. */
  name: string;
  /** Two terminal columns of Unicode. */
  unicode: string;
  /** Its colour in the palette. */
  colour: Colour;
  /** Where it looks, for things that look somewhere. */
  facing?: Dir;
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

/** A session that was made. */
export interface Ticket {
  /** Its name in addresses: enough to watch. */
  id: string;
  /** The key that lets one act. */
  key: string;
}

/** All that is known of a tournament. */
export interface Tournament {
  name: string;
  plan: TournamentPlan;
  standings: Standings;
  /** Who took how many points off whom, by event. */
  cross: CrossTable[];
  /** How the ratings of each event changed, game after game. */
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
  /** Games that were played. */
  played: number;
  /** Games that are known to have to be played. */
  scheduled: number;
  format: TournamentFormat | null;
  agents: string[];
  /** The game of each event. */
  games: string[];
}

/** What a client that follows a tournament gets. */
export type TournamentMessage = Tournament & {
  t: 'progress';
};

/** A tournament that was started. */
export interface TournamentName {
  /** Its name. */
  name: string;
}

/** What a tournament plays. */
export interface TournamentPlan {
  format: TournamentFormat;
  /** The terms of all games, with the names that the agent protocol uses. */
  terms: Record<string, unknown>;
  agents: {
    name: string;
  }[];
  events: TournamentEvent[];
}

/** Is a tournament being played? */
export type TournamentState = 'running' | 'stopped' | 'done' | 'failed';

/** The program and its version. */
export interface Version {
  /** `damier`. */
  name: string;
  /** The version of all its crates. */
  version: string;
}

/** Column and row of a cell, and the side of it on which a thin wall stands. */
export type Wall = [number, number, Dir];

/** A moment of a game: what changed on the board since the one before, or the whole board. */
export interface WireFrame {
  /** The moment's number. A number that is known already replaces that moment and all later ones. */
  n: number;
  /** Where the new sprites go in the table of sprites. */
  sprites_at?: number;
  /** Sprites that are new to the table; all of them with a whole board. */
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
  /** Does time travel stop here? */
  stop: boolean;
  /** The score of each seat. */
  score: number[];
  /** Who is to move, or how the game ended. */
  status: Status;
  /** Is a person to move? */
  human: boolean;
  /** The legal actions, if a person is to move. */
  legal?: string[];
  /** The action that stands for no key pressed. */
  idle: string | null;
  /** The state in the game's own notation, if it has one. */
  notation?: string;
  /** The decision that led here; none led to the start. */
  decision: Decision | null;
}
