//! Forced wins for `damier solve` and `damier check`.
//!
//! Seat 0 is the side to move in the level. A level is solved if that side can force a win; the plan holds its moves
//! against the course's program, which answers deterministically. It is unsolvable if the opponent can force a win.

use damier_core::game::{Game, Outcome, Status};
use damier_core::random::Smallest;
use damier_kit::{
    Analysis, AnalyzeOptions, Cancel, Deadline, Proof, Report, Solution, Solvability, SolveOptions,
};

use crate::action::Move;
use crate::analyze::analyze;
use crate::proof::{ProofLimits, Prover, Verdict};
use crate::rules::{Rules, State};

/// Enough to walk through a proof again.
const PLAN_NODES: u64 = 50_000_000;

/// Looks for a forced win of the side to move.
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
    let deadline = options.deadline();
    let analysis = look(rules, options, progress);
    let mut solution = Solution::unknown(analysis.nodes);
    match analysis.proof {
        Some(Proof::Win(plies)) => {
            solution.notes = win_notes(rules, &analysis, plies);
            if let Some(plan) = plan(rules, plies, &deadline, &options.cancel) {
                solution.outcome = Solvability::Solved;
                solution.plan = plan;
            }
        }
        Some(Proof::Loss(plies)) => {
            solution.outcome = Solvability::Unsolvable;
            let opponent = (!rules.level().board.side()).name();
            solution
                .notes
                .push(format!("the {opponent} win in {plies} plies, whatever the side to move does"));
        }
        None => solution.notes.push(format!("no forced win found; {}", analysis.verdict())),
    }
    solution
}

/// How the position stands and how hard a forced win is to find.
pub fn check(rules: &Rules, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
    let analysis = look(rules, options, progress);
    let legal = rules.moves().count(&rules.level().board);
    let mut notes = vec![format!("{legal} legal moves; {}", analysis.verdict())];
    let (solvable, par) = match analysis.proof {
        Some(Proof::Win(plies)) => {
            notes.extend(win_notes(rules, &analysis, plies));
            (Solvability::Solved, Some(plies.div_ceil(2)))
        }
        Some(Proof::Loss(_)) => (Solvability::Unsolvable, None),
        None => (Solvability::Unknown, None),
    };
    let difficulty = rules.level().rating.as_ref().and_then(|rating| rating.parse().ok());
    Report { solvable, par, difficulty, notes, marks: Vec::new() }
}

fn look(rules: &Rules, options: &SolveOptions, progress: &dyn Fn(&str)) -> Analysis<Move> {
    let options = AnalyzeOptions {
        time: Some(options.time),
        threads: options.threads,
        cancel: options.cancel.clone(),
        ..AnalyzeOptions::default()
    };
    analyze(rules.moves(), &rules.level().board, &options, &mut |partial| {
        progress(&format!("depth {}, {} positions", partial.depth, partial.nodes));
    })
}

fn win_notes(rules: &Rules, analysis: &Analysis<Move>, plies: u32) -> Vec<String> {
    let proven = if analysis.shortest { ", and not sooner" } else { "" };
    let side = rules.level().board.side().name();
    let line: Vec<String> = analysis.lines[0].actions.iter().map(ToString::to_string).collect();
    vec![
        format!("the {side} win in {plies} plies against any defence{proven}"),
        format!("the longest defence: {}", line.join(" ")),
    ]
}

/// The winning moves of seat 0 against the course's program, in a position that it wins within so many plies.
fn plan(rules: &Rules, mut plies: u32, deadline: &Deadline, cancel: &Cancel) -> Option<Vec<Move>> {
    let mut prover = Prover::new(*rules.moves());
    let mut state = rules.start();
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
            Status::Over(over) => return (over.outcome(0) == Outcome::Win).then_some(plan),
            Status::ToMove(_) => {
                rules.legal(&state, &mut legal);
                rules.apply(&mut state, legal[0], &mut Smallest);
            }
        }
        if let Status::Over(over) = rules.status(&state) {
            return (over.outcome(0) == Outcome::Win).then_some(plan);
        }
    }
}

/// The first move of a win within the limits, and how many plies are left for the next one.
fn winning_move(prover: &mut Prover, state: &State, limits: &ProofLimits) -> Option<(Move, u32)> {
    match prover.prove(&state.board, limits) {
        Verdict::Wins(win) => Some((*win.line.first()?, win.plies.saturating_sub(2).max(1))),
        _ => None,
    }
}
