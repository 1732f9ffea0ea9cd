//! Forced wins for `damier solve` and `damier check`.
//!
//! A position is solved if the side to move can force a win; the plan contains its moves against the course's program, which
//! is deterministic. It is unsolvable if the opponent can force a win.

use damier_core::game::{Game, GameOver, Outcome, Status};
use damier_core::random::Smallest;
use damier_kit::{
    Analysis, AnalyzeOptions, Cancel, Deadline, Proof, Report, Solution, Solvability, SolveOptions,
};

use crate::action::Move;
use crate::analyze::analyze;
use crate::board::{Board, Side};
use crate::proof::{ProofLimits, Prover, Verdict};
use crate::rules::{Rules, State};

/// The node limit for extracting the plan of a proof.
const PLAN_NODES: u64 = 50_000_000;

/// Searches for a forced win of the side to move in the level.
///
/// ```
/// use damier_kit::{Solvability, SolveOptions};
/// use damier_siam::{Level, RuleSet, Rules, solve};
/// let level = Level::parse("....E/EW..w/.MMs./..wME/S.s.. R 35").unwrap();
/// let solution = solve(&Rules::new(level, RuleSet::Official), &SolveOptions::default(), &|_| {});
/// assert_eq!(solution.outcome, Solvability::Solved);
/// assert_eq!(solution.plan[0].to_string(), "34-24s");
/// ```
pub fn solve(rules: &Rules, options: &SolveOptions, progress: &dyn Fn(&str)) -> Solution<Move> {
    solve_from(rules, &rules.start(), options, progress)
}

/// Searches for a forced win of the side to move in a position.
pub(crate) fn solve_from(
    rules: &Rules,
    start: &State,
    options: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Solution<Move> {
    let deadline = options.deadline();
    let analysis = look(rules, &start.board, options, progress);
    let mut solution = Solution::unknown(analysis.nodes);
    match analysis.proof {
        Some(Proof::Win(plies)) => {
            solution.notes = win_notes(start.board.side(), &analysis, plies);
            if let Some(plan) = plan(rules, start, plies, &deadline, &options.cancel) {
                solution.outcome = Solvability::Solved;
                solution.plan = plan;
            }
        }
        Some(Proof::Loss(plies)) => {
            solution.outcome = Solvability::Unsolvable;
            let opponent = (!start.board.side()).name();
            solution
                .notes
                .push(format!("the {opponent} win in {plies} plies, whatever the side to move does"));
        }
        None => solution.notes.push(format!("no forced win found; {}", analysis.verdict())),
    }
    solution
}

/// The verdict on a position, and how hard a forced win is to find.
pub fn check(rules: &Rules, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
    let board = &rules.level().board;
    let analysis = look(rules, board, options, progress);
    let legal = rules.moves().count(board);
    let mut notes = vec![format!("{legal} legal moves; {}", analysis.verdict())];
    let (solvable, par) = match analysis.proof {
        Some(Proof::Win(plies)) => {
            notes.extend(win_notes(board.side(), &analysis, plies));
            (Solvability::Solved, Some(plies.div_ceil(2)))
        }
        Some(Proof::Loss(_)) => (Solvability::Unsolvable, None),
        None => (Solvability::Unknown, None),
    };
    let difficulty = rules.level().rating.as_ref().and_then(|rating| rating.parse().ok());
    Report { solvable, par, difficulty, notes, marks: Vec::new() }
}

fn look(rules: &Rules, board: &Board, options: &SolveOptions, progress: &dyn Fn(&str)) -> Analysis<Move> {
    let options = AnalyzeOptions {
        time: Some(options.time),
        threads: options.threads,
        cancel: options.cancel.clone(),
        ..AnalyzeOptions::default()
    };
    analyze(rules.moves(), board, &options, &mut |partial| {
        progress(&format!("depth {}, {} positions", partial.depth, partial.nodes));
    })
}

fn win_notes(side: Side, analysis: &Analysis<Move>, plies: u32) -> Vec<String> {
    let proven = if analysis.shortest { ", and not sooner" } else { "" };
    let line: Vec<String> = analysis.lines[0].actions.iter().map(ToString::to_string).collect();
    vec![
        format!("the {} win in {plies} plies against any defence{proven}", side.name()),
        format!("the longest defence: {}", line.join(" ")),
    ]
}

/// The winning moves of the side to move against the course's program, in a position with a forced win within this many
/// plies.
fn plan(
    rules: &Rules,
    start: &State,
    mut plies: u32,
    deadline: &Deadline,
    cancel: &Cancel,
) -> Option<Vec<Move>> {
    let Status::ToMove(planner) = rules.status(start) else { return None };
    let won = |over: GameOver| over.outcome(planner) == Outcome::Win;
    let mut prover = Prover::new(*rules.moves());
    let mut state = start.clone();
    let mut plan = Vec::new();
    let mut legal = Vec::new();
    loop {
        let limits =
            ProofLimits { time: Some(deadline.left()), nodes: PLAN_NODES, plies, cancel: cancel.clone() };
        let (action, left) = winning_move(&mut prover, &state, &limits)?;
        plies = left;
        plan.push(action);
        rules.apply(&mut state, action, &mut Smallest);
        match rules.status(&state) {
            Status::Over(over) => return won(over).then_some(plan),
            Status::ToMove(_) => {
                rules.legal(&state, &mut legal);
                rules.apply(&mut state, legal[0], &mut Smallest);
            }
        }
        if let Status::Over(over) = rules.status(&state) {
            return won(over).then_some(plan);
        }
    }
}

/// The first move of a win within the limits, and the remaining plies.
fn winning_move(prover: &mut Prover, state: &State, limits: &ProofLimits) -> Option<(Move, u32)> {
    match prover.prove(&state.board, limits) {
        Verdict::Wins(win) => Some((*win.line.first()?, win.plies.saturating_sub(2).max(1))),
        _ => None,
    }
}
