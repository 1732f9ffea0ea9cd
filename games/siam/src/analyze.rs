//! Analysis of a position: the best lines, proven forced wins, and the threats of both sides.

use std::time::Duration;

use damier_kit::time::Instant;
use damier_kit::{Analysis, AnalysisLine, AnalyzeOptions, Proof, Threats};

use crate::action::Move;
use crate::board::{Board, Side};
use crate::engine::search::WIN;
use crate::engine::{Engine, MAX_DEPTH, Question, Score, SearchLimits, Thought};
use crate::evaluate;
use crate::moves::MoveRules;
use crate::proof::{self, ProofLimits, Prover, Verdict};

/// Intermediate results of an analysis.
struct Findings {
    /// The best lines with their scores, best first.
    lines: Vec<(Score, Vec<Move>)>,
    depth: u32,
    nodes: u64,
    proof: Option<Proof>,
    shortest: bool,
}

/// A score in words.
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

/// The share of the time for proofs before the search, if they share a thread.
const PROOF_SHARE: f64 = 0.6;
/// The share of the time for the best line, if more lines are wanted.
const FIRST_LINE_SHARE: f64 = 0.5;
/// The node limit of a proof search without a time limit.
const PROOF_NODES: u64 = 2_000_000;

/// Analyzes a position that is not over. `report` gets a snapshot after every depth of the search.
///
/// ```
/// use damier_siam::{AnalyzeOptions, Board, Proof, RuleSet, analyze};
/// let board = Board::parse("....E/EW..w/.MMs./..wME/S.s.. R 35").unwrap();
/// let analysis = analyze(&RuleSet::Official.moves(), &board, &AnalyzeOptions::default(), &mut |_| {});
/// assert_eq!(analysis.best().unwrap().to_string(), "34-24s");
/// assert_eq!(analysis.proof, Some(Proof::Win(3)));
/// ```
pub fn analyze(
    rules: &MoveRules,
    board: &Board,
    options: &AnalyzeOptions,
    report: &mut dyn FnMut(&Analysis<Move>),
) -> Analysis<Move> {
    let started = Instant::now();
    let threats = Side::BOTH.map(|side| Threats {
        letter: side.letter(),
        side: side.name(),
        actions: rules.winning_moves(board, side).to_vec(),
    });
    let present = |findings: &Findings| present(findings, board, &threats, started.elapsed());
    let mut longest = Vec::new();
    let mut tell = |thought: &Thought| {
        longest.clone_from(&thought.line);
        report(&present(&Findings { proof: None, ..findings(thought, thought.nodes) }));
    };
    let first = AnalyzeOptions { time: first_line_time(options), ..options.clone() };
    let (verdict, thought, nodes) = if options.threads > 1 {
        side_by_side(rules, board, &first, &mut tell)
    } else {
        one_after_the_other(rules, board, &first, started, &mut tell)
    };
    let mut findings = findings(&thought, nodes);
    adopt(&mut findings, verdict);
    continue_line(&mut findings.lines[0].1, &longest);
    more_lines(&mut findings, rules, board, options, started);
    present(&findings)
}

fn first_line_time(options: &AnalyzeOptions) -> Option<Duration> {
    let share = if options.lines > 1 { FIRST_LINE_SHARE } else { 1.0 };
    options.time.map(|time| time.mul_f64(share))
}

fn findings(thought: &Thought, nodes: u64) -> Findings {
    let proof = thought.score.wins_in().map(Proof::Win).or(thought.score.loses_in().map(Proof::Loss));
    let lines = vec![(thought.score, thought.line.clone())];
    Findings { lines, depth: thought.depth, nodes, proof, shortest: false }
}

fn present(
    findings: &Findings,
    board: &Board,
    threats: &[Threats<Move>; 2],
    took: Duration,
) -> Analysis<Move> {
    let line = |(score, moves): &(Score, Vec<Move>)| AnalysisLine {
        score: score.0,
        verdict: score_text(*score, board.side()),
        actions: moves.clone(),
    };
    Analysis {
        position: board.to_string(),
        lines: findings.lines.iter().map(line).collect(),
        depth: findings.depth,
        nodes: findings.nodes,
        proof: findings.proof,
        shortest: findings.shortest,
        threats: threats.to_vec(),
        took,
    }
}

/// Adopts a proven result if it is shorter than that of the search.
fn adopt(findings: &mut Findings, verdict: Verdict) {
    let known = findings.lines[0].0.wins_in();
    match verdict {
        Verdict::Wins(win) if known.is_none_or(|plies| win.plies <= plies) => {
            findings.proof = Some(Proof::Win(win.plies));
            findings.shortest = win.shortest;
            findings.depth = findings.depth.max(win.plies);
            findings.lines = vec![(Score(WIN - win.plies as i32), win.line)];
        }
        Verdict::Wins(_) => {}
        Verdict::Loses(plies) => {
            findings.proof = Some(Proof::Loss(plies));
            findings.shortest = true;
            findings.lines[0].0 = Score(plies as i32 - WIN);
        }
        Verdict::Open { no_win_in } => {
            findings.shortest = known.is_some_and(|plies| no_win_in + 2 >= plies);
        }
    }
}

/// Extends a line of a single move from the line of the previous depth: a search that ran out of time lacks the rest.
fn continue_line(line: &mut Vec<Move>, longest: &[Move]) {
    if line.len() == 1 && longest.first() == line.first() {
        *line = longest.to_vec();
    }
}

/// Runs proofs, then the search, then proofs again in the remaining time if the search found a win.
fn one_after_the_other(
    rules: &MoveRules,
    board: &Board,
    options: &AnalyzeOptions,
    started: Instant,
    report: &mut dyn FnMut(&Thought),
) -> (Verdict, Thought, u64) {
    let mut prover = Prover::new(*rules);
    let share = options.time.map(|time| time.mul_f64(PROOF_SHARE));
    let plies = depth(options).min(proof::LONGEST);
    let mut verdict = prover.prove(board, &proof_limits(options, share, plies));
    if let Verdict::Wins(win) = &verdict {
        let score = Score(WIN - win.plies as i32);
        let line = win.line.clone();
        let thought = Thought { score, line, depth: win.plies, nodes: 0 };
        return (verdict, thought, prover.nodes());
    }
    let left = |started: Instant| options.time.map(|time| time.saturating_sub(started.elapsed()));
    let search = SearchLimits {
        time: left(started),
        depth: depth(options),
        cancel: options.cancel.clone(),
        ..SearchLimits::default()
    };
    let mut engine = Engine::new(search.memory());
    let question = Question::new(rules, board);
    let thought = engine.think(question, &search, report);
    if let Some(plies) = thought.score.wins_in() {
        let again = prover.prove(board, &proof_limits(options, left(started), plies));
        if matches!(again, Verdict::Wins(_)) {
            verdict = again;
        }
    }
    let nodes = thought.nodes + prover.nodes();
    (verdict, thought, nodes)
}

fn depth(options: &AnalyzeOptions) -> u32 {
    options.depth.unwrap_or(MAX_DEPTH)
}

fn proof_limits(options: &AnalyzeOptions, time: Option<Duration>, plies: u32) -> ProofLimits {
    let nodes = if options.time.is_some() { u64::MAX } else { PROOF_NODES };
    ProofLimits { time, nodes, plies, cancel: options.cancel.clone() }
}

/// Runs proofs in a separate thread: a proven win ends the search.
fn side_by_side(
    rules: &MoveRules,
    board: &Board,
    options: &AnalyzeOptions,
    report: &mut dyn FnMut(&Thought),
) -> (Verdict, Thought, u64) {
    let searching = options.cancel.child();
    std::thread::scope(|scope| {
        let proofs = scope.spawn(|| {
            let mut prover = Prover::new(*rules);
            let plies = depth(options).min(proof::LONGEST);
            let verdict = prover.prove(board, &proof_limits(options, options.time, plies));
            if matches!(verdict, Verdict::Wins(_)) {
                searching.cancel();
            }
            (verdict, prover.nodes())
        });
        let search = SearchLimits {
            time: options.time,
            nodes: None,
            depth: depth(options),
            threads: options.threads - 1,
            cancel: searching.clone(),
        };
        let mut engine = Engine::new(search.memory());
        let thought = engine.think(Question::new(rules, board), &search, report);
        let (verdict, proof_nodes) = proofs.join().unwrap_or((Verdict::Open { no_win_in: 0 }, 0));
        let nodes = thought.nodes + proof_nodes;
        (verdict, thought, nodes)
    })
}

/// Searches lines with other first moves, to the depth of the first line but for no longer than it took. They share the
/// remaining time.
fn more_lines(
    findings: &mut Findings,
    rules: &MoveRules,
    board: &Board,
    options: &AnalyzeOptions,
    started: Instant,
) {
    if options.lines < 2 || options.cancel.is_cancelled() {
        return;
    }
    let took = started.elapsed();
    let mut without: Vec<Move> = findings.lines[0].1.first().copied().into_iter().collect();
    let mut search = SearchLimits {
        time: Some(took),
        nodes: None,
        depth: findings.depth.max(1),
        threads: options.threads,
        cancel: options.cancel.clone(),
    };
    let mut engine = Engine::new(search.memory());
    while findings.lines.len() < options.lines && !options.cancel.is_cancelled() {
        let wanted = (options.lines - findings.lines.len()) as u32;
        let share = options.time.map(|time| time.saturating_sub(started.elapsed()) / wanted);
        search.time = share.into_iter().chain([took]).min();
        let question = Question { without: &without, ..Question::new(rules, board) };
        let thought = engine.answer(question, &search);
        let Some(best) = thought.best() else { break };
        without.push(best);
        findings.nodes += thought.nodes;
        findings.lines.push((thought.score, thought.line));
    }
    findings.lines[1..].sort_by_key(|(score, _)| std::cmp::Reverse(*score));
}
