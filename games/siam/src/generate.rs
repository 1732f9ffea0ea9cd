//! Puzzles: positions with a proven forced win, found in self-play.
//!
//! A puzzle has a unique first move that wins in the fewest plies, and no shorter win. Its rating, from 0 to 10, grows with
//! the number of plies and of legal moves, and if the first move is not a threat or not a push.

use damier_core::random::{Chance, Rng};
use damier_kit::{Cancel, GenerateRequest};

use crate::action::Move;
use crate::board::{ANIMALS, Board, MOUNTAINS};
use crate::engine::{Engine, Question, SearchLimits};
use crate::level::Level;
use crate::moves::{MoveList, MoveRules};
use crate::proof::{ProofLimits, Prover, Verdict, Win};
use crate::rules::RuleSet;

/// The lengths of the shortest and the longest puzzles, in plies.
const PLIES: (u32, u32) = (3, 11);
/// The number of games to search before giving up.
const MAX_GAMES: u32 = 4_000;
/// The node limit of a proof; harder positions are not puzzles for humans.
const PROOF_NODES: u64 = 3_000_000;
const OPENING: u32 = 6;
const MAX_GAME_PLIES: u32 = 60;
const MEMORY: usize = 4 << 20;

/// A position with its forced win.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position; the side to move wins.
    pub board: Board,
    /// The proven shortest win.
    pub win: Win,
    /// The difficulty, from 0 to 10.
    pub rating: f64,
}

impl Puzzle {
    /// The puzzle as a level.
    pub fn level(&self) -> Level {
        let moves = self.win.plies.div_ceil(2);
        let goal = format!("{} win in {moves} moves ({} plies)", self.board.side().name(), self.win.plies);
        Level { goal: Some(goal), rating: Some(format!("{:.1}", self.rating)), ..Level::new(self.board) }
    }
}

/// Generates a puzzle as the text of a level, or explains why there is none.
pub fn generate(request: &GenerateRequest) -> Result<String, String> {
    if request.size.is_some() {
        return Err("the size of SIAM boards cannot be chosen: they are five by five".into());
    }
    let set =
        RuleSet::parse(request.rules).ok_or_else(|| format!("there is no rule set `{}`", request.rules))?;
    let wanted = request.difficulty.map(plies_for);
    let puzzle = puzzle(&set.moves(), request.seed, wanted, &request.cancel)
        .ok_or_else(|| format!("no puzzle with this length was found for seed {}", request.seed))?;
    puzzle.level().print("damier").map_err(|error| error.to_string())
}

/// The length in plies of puzzles of about this difficulty, 0 to 10.
fn plies_for(difficulty: f64) -> u32 {
    let steps = f64::from((PLIES.1 - PLIES.0) / 2);
    PLIES.0 + 2 * (difficulty.clamp(0.0, 10.0) / 10.0 * steps).round() as u32
}

/// A puzzle that depends only on the seed, with this number of plies if given; `None` if cancelled.
pub fn puzzle(rules: &MoveRules, seed: u64, wanted: Option<u32>, cancel: &Cancel) -> Option<Puzzle> {
    let mut rng = Rng::new(seed);
    let wanted = wanted.unwrap_or_else(|| PLIES.0 + 2 * rng.below((PLIES.1 - PLIES.0) / 2));
    let mut prover = Prover::new(*rules);
    (0..MAX_GAMES)
        .take_while(|_| !cancel.is_cancelled())
        .find_map(|_| from_game(rules, &mut prover, &mut rng, wanted))
}

/// Plays a game of weak moves and searches it for a puzzle.
fn from_game(rules: &MoveRules, prover: &mut Prover, rng: &mut Rng, wanted: u32) -> Option<Puzzle> {
    let mut board = Board::start(ANIMALS);
    let mut engine = Engine::new(MEMORY);
    let mut past = Vec::new();
    for ply in 0..MAX_GAME_PLIES {
        if ply >= OPENING
            && let Some(puzzle) = examine(rules, prover, &board, wanted)
        {
            return Some(puzzle);
        }
        let action = choose(rules, &mut engine, &board, &past, ply, rng)?;
        past.push(board.key());
        if board.play(action).is_some() {
            return None;
        }
    }
    None
}

/// A random move in the opening and now and then later, so that there are blunders; otherwise a good one.
fn choose(
    rules: &MoveRules,
    engine: &mut Engine,
    board: &Board,
    past: &[u64],
    ply: u32,
    rng: &mut Rng,
) -> Option<Move> {
    if ply < OPENING || rng.below(10) == 0 {
        let mut moves = MoveList::new();
        rules.list(board, &mut moves);
        return rng.choose(&moves).copied();
    }
    engine.answer(Question { past, ..Question::new(rules, board) }, &SearchLimits::nodes(1_500)).best()
}

/// The puzzle in a position, if there is one with the wanted length.
fn examine(rules: &MoveRules, prover: &mut Prover, board: &Board, wanted: u32) -> Option<Puzzle> {
    if board.mountains().count_ones() < MOUNTAINS || rules.threats(board).of(board.side()) {
        return None;
    }
    // A quick search first: most positions have no win by threats of this length.
    let quick = ProofLimits { plies: wanted, nodes: 60_000, ..ProofLimits::default() };
    let Verdict::Wins(found) = prover.prove(board, &quick) else { return None };
    if found.plies != wanted {
        return None;
    }
    let limits = ProofLimits { plies: wanted, nodes: PROOF_NODES, ..ProofLimits::default() };
    let Verdict::Wins(win) = prover.prove(board, &limits) else { return None };
    if win.plies != wanted || !win.shortest || win.line.len() != wanted as usize {
        return None;
    }
    let winning = prover.winning_moves(board, wanted, &limits)?;
    let [only] = winning[..] else { return None };
    Some(Puzzle { board: *board, rating: rating(rules, board, only, wanted), win })
}

/// The difficulty of finding the first move.
fn rating(rules: &MoveRules, board: &Board, first: Move, plies: u32) -> f64 {
    let mut after = *board;
    after.play(first);
    let makes_threat = rules.threats(&after).of(board.side());
    let threatened = rules.threats(board).of(!board.side());
    let length = f64::from(plies - 1) * 0.75;
    let quiet = if makes_threat { 0.0 } else { 1.5 };
    let no_push = if first.is_push(board) { 0.0 } else { 0.7 };
    // A side that must parry a threat has few moves to choose from.
    let choice = if threatened { 0.0 } else { (rules.count(board) as f64 / 100.0).min(1.0) };
    (length + quiet + no_push + choice).min(10.0)
}
