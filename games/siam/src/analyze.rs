//! What there is to say about a position: the best lines, forced wins with their proof, and what both sides threaten.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use damier_kit::time::Instant;

use serde_json::{Map, Value, json};

use damier_kit::cancel::Cancel;

use crate::action::Move;
use crate::board::{Board, Side};
use crate::engine::{Engine, MOST_DEPTH, Question, Score, Thought};
use crate::moves::MoveRules;
use crate::proof::{self, Prover, Verdict};
use crate::{engine, evaluate};

/// What an analysis may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall time for all of it.
    pub time: Option<Duration>,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// Threads: with more than one, proofs are looked for beside the search.
    pub threads: usize,
    /// How many lines with different first moves are wanted.
    pub lines: usize,
    /// Ends it sooner.
    pub cancel: Cancel,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(1)),
            depth: MOST_DEPTH,
            threads: 1,
            lines: 1,
            cancel: Cancel::default(),
        }
    }
}

/// How a position ends, proven. As text: `win 5`, `loss 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins within so many plies, whatever the opponent does.
    Win(u32),
    /// The side to move loses within so many plies, whatever it does.
    Loss(u32),
}

impl fmt::Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(formatter, "win {plies}"),
            Self::Loss(plies) => write!(formatter, "loss {plies}"),
        }
    }
}

/// A line of play and its worth for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The worth.
    pub score: Score,
    /// The moves of both sides.
    pub moves: Vec<Move>,
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position.
    pub board: Board,
    /// The best lines, best first; none if there is no legal move.
    pub lines: Vec<Line>,
    /// The depth searched to its end.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// How it ends, if that is proven.
    pub proof: Option<Proof>,
    /// Is it proven that a shorter win does not exist?
    pub shortest: bool,
    /// The pushes with which elephants and rhinos would win at once, if they were to move.
    pub threats: [Vec<Move>; 2],
    /// How long it took.
    pub took: Duration,
}

impl Analysis {
    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }

    /// The worth of the best line.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score(0), |line| line.score)
    }

    /// How it stands, as a sentence.
    pub fn verdict(&self) -> String {
        score_text(self.score(), self.board.side())
    }

    /// The analysis for programs.
    pub fn to_json(&self) -> Value {
        let names = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut json = Map::new();
        json.insert("position".into(), json!(self.board.to_string()));
        json.insert("best".into(), json!(self.best().map(|best| best.to_string())));
        json.insert("score".into(), json!(self.score().0));
        json.insert("depth".into(), json!(self.depth));
        json.insert("nodes".into(), json!(self.nodes));
        json.insert(
            "line".into(),
            json!(self.lines.first().map_or_else(Vec::new, |line| names(&line.moves))),
        );
        if let Some(proof) = self.proof {
            json.insert("proof".into(), json!(proof.to_string()));
            json.insert("shortest".into(), json!(self.shortest));
        }
        let threats = json!({"E": names(&self.threats[0]), "R": names(&self.threats[1])});
        json.insert("threats".into(), threats);
        if self.lines.len() > 1 {
            let line = |line: &Line| json!({"score": line.score.0, "line": names(&line.moves)});
            json.insert("lines".into(), self.lines.iter().map(line).collect());
        }
        json.insert("ms".into(), json!(self.took.as_secs_f64() * 1000.0));
        Value::Object(json)
    }
}

/// What a score means, as a sentence.
pub fn score_text(score: Score, side: Side) -> String {
    match (score.wins_in(), score.loses_in()) {
        (Some(plies), _) => format!("{} win in {plies} {}", side.name(), plies_word(plies)),
        (_, Some(plies)) => format!("{} win in {plies} {}", (!side).name(), plies_word(plies)),
        _ if score.0.abs() < evaluate::UNIT / 10 => "even".to_owned(),
        _ => {
            let ahead = if score.0 > 0 { side } else { !side };
            let odds = (f64::from(score.0.abs()) / f64::from(evaluate::UNIT)).exp();
            format!("{} are ahead, {odds:.1} to 1", ahead.name())
        }
    }
}

fn plies_word(plies: u32) -> &'static str {
    if plies == 1 { "ply" } else { "plies" }
}

/// The part of the time that goes to proofs before the search, if they share a thread.
const PROOF_SHARE: f64 = 0.6;
/// Positions that a proof search may look at when no time limits it.
const PROOF_NODES: u64 = 2_000_000;

/// Analyses a position that is not over. `report` gets every line that the search finds.
///
/// ```
/// use damier_siam::analyze::{Limits, Proof, analyze};
/// use damier_siam::{board::Board, rules::RuleSet};
/// let board = Board::parse("....E/EW..w/.MMs./..wME/S.s.. R 35").unwrap();
/// let analysis = analyze(&RuleSet::Official.moves(), &board, &Limits::default(), &mut |_| {});
/// assert_eq!(analysis.best().unwrap().to_string(), "34-24s");
/// assert_eq!(analysis.proof, Some(Proof::Win(3)));
/// ```
pub fn analyze(
    rules: &MoveRules,
    board: &Board,
    limits: &Limits,
    report: &mut dyn FnMut(&Thought),
) -> Analysis {
    let started = Instant::now();
    let (verdict, thought, nodes) = if limits.threads > 1 {
        side_by_side(rules, board, limits, report)
    } else {
        one_after_the_other(rules, board, limits, started, report)
    };
    let mut analysis = Analysis {
        board: *board,
        lines: vec![Line { score: thought.score, moves: thought.line.clone() }],
        depth: thought.depth,
        nodes,
        proof: proof_of(thought.score),
        shortest: false,
        threats: Side::BOTH.map(|side| rules.winning_moves(board, side).to_vec()),
        took: Duration::ZERO,
    };
    adopt(&mut analysis, verdict);
    more_lines(&mut analysis, rules, limits, started);
    analysis.took = started.elapsed();
    analysis
}

fn proof_of(score: Score) -> Option<Proof> {
    score.wins_in().map(Proof::Win).or(score.loses_in().map(Proof::Loss))
}

/// Prefers a proven result to that of the search, if it is shorter.
fn adopt(analysis: &mut Analysis, verdict: Verdict) {
    match verdict {
        Verdict::Wins(win) => {
            let known = analysis.score().wins_in();
            if known.is_none_or(|plies| win.plies <= plies) {
                analysis.proof = Some(Proof::Win(win.plies));
                analysis.shortest = win.shortest;
                let score = Score(engine::search::WIN - win.plies as i32);
                analysis.depth = analysis.depth.max(win.plies);
                analysis.lines = vec![Line { score, moves: win.line }];
            }
        }
        Verdict::Loses(plies) => {
            analysis.proof = Some(Proof::Loss(plies));
            analysis.shortest = true;
            if let Some(line) = analysis.lines.first_mut() {
                line.score = Score(plies as i32 - engine::search::WIN);
            }
        }
        Verdict::Open { no_win_in } => {
            analysis.shortest = analysis.score().wins_in().is_some_and(|plies| no_win_in + 2 >= plies);
        }
    }
}

/// Proofs first, then the search; what is left of the time goes to proofs again, if the search found a win.
fn one_after_the_other(
    rules: &MoveRules,
    board: &Board,
    limits: &Limits,
    started: Instant,
    report: &mut dyn FnMut(&Thought),
) -> (Verdict, Thought, u64) {
    let mut prover = Prover::new(*rules);
    let share = limits.time.map(|time| time.mul_f64(PROOF_SHARE));
    let plies = limits.depth.min(proof::LONGEST);
    let mut verdict = prover.prove(board, &proof_limits(limits, share, plies));
    if let Verdict::Wins(win) = &verdict {
        let score = Score(engine::search::WIN - win.plies as i32);
        let line = win.line.clone();
        let thought = Thought { score, line, depth: win.plies, nodes: 0 };
        return (verdict, thought, prover.nodes());
    }
    let left = |started: Instant| limits.time.map(|time| time.saturating_sub(started.elapsed()));
    let search = SearchLimits {
        time: left(started),
        depth: limits.depth,
        cancel: limits.cancel.clone(),
        ..SearchLimits::default()
    };
    let mut engine = Engine::new(search.memory());
    let question = Question::new(rules, board);
    let thought = engine.think(question, &search, &AtomicBool::new(false), report);
    if let Some(plies) = thought.score.wins_in() {
        let again = prover.prove(board, &proof_limits(limits, left(started), plies));
        if matches!(again, Verdict::Wins(_)) {
            verdict = again;
        }
    }
    let nodes = thought.nodes + prover.nodes();
    (verdict, thought, nodes)
}

fn proof_limits(limits: &Limits, time: Option<Duration>, plies: u32) -> ProofLimits {
    let nodes = if limits.time.is_some() { u64::MAX } else { PROOF_NODES };
    ProofLimits { time, nodes, plies, cancel: limits.cancel.clone() }
}

/// Proofs in a thread of their own: whoever settles the matter stops the other.
fn side_by_side(
    rules: &MoveRules,
    board: &Board,
    limits: &Limits,
    report: &mut dyn FnMut(&Thought),
) -> (Verdict, Thought, u64) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let proofs = scope.spawn(|| {
            let mut prover = Prover::new(*rules);
            let plies = limits.depth.min(proof::LONGEST);
            let verdict = prover.prove(board, &proof_limits(limits, limits.time, plies));
            if matches!(verdict, Verdict::Wins(_)) {
                stop.store(true, Relaxed);
            }
            (verdict, prover.nodes())
        });
        let search = SearchLimits {
            time: limits.time,
            nodes: None,
            depth: limits.depth,
            threads: limits.threads - 1,
            cancel: limits.cancel.clone(),
        };
        let mut engine = Engine::new(search.memory());
        let thought = engine.think(Question::new(rules, board), &search, &stop, report);
        let (verdict, proof_nodes) = proofs.join().unwrap_or((Verdict::Open { no_win_in: 0 }, 0));
        let nodes = thought.nodes + proof_nodes;
        (verdict, thought, nodes)
    })
}

/// Lines with other first moves, searched as deep as the first one but no longer than it took.
fn more_lines(analysis: &mut Analysis, rules: &MoveRules, limits: &Limits, started: Instant) {
    if limits.lines < 2 {
        return;
    }
    let took = started.elapsed();
    let mut without: Vec<Move> = analysis.best().into_iter().collect();
    let search = SearchLimits {
        time: Some(took),
        nodes: None,
        depth: analysis.depth.max(1),
        threads: limits.threads,
        cancel: limits.cancel.clone(),
    };
    let mut engine = Engine::new(search.memory());
    while analysis.lines.len() < limits.lines && !limits.cancel.is_cancelled() {
        let question = Question { without: &without, ..Question::new(rules, &analysis.board) };
        let thought = engine.answer(question, &search);
        let Some(best) = thought.best() else { break };
        without.push(best);
        analysis.nodes += thought.nodes;
        analysis.lines.push(Line { score: thought.score, moves: thought.line });
    }
    analysis.lines[1..].sort_by_key(|line| std::cmp::Reverse(line.score));
}
