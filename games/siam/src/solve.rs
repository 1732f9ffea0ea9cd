//! Forced wins for `damier solve` and `damier check`.
//!
//! Seat 0 is the side to move in the level. A level is solved if that side can force a win; the plan holds its moves
//! against the course's program, which answers deterministically. It is unsolvable if the opponent can force a win.

use std::sync::Arc;

use damier_core::game::{Game, Outcome, Status};
use damier_core::random::Smallest;
use damier_kit::{Report, Solution, Solvability, SolveOptions};

use crate::action::Move;
use crate::analyze::{self, Analysis, Proof, analyze};
use crate::board::Board;
use crate::proof::{self, Prover, Verdict};
use crate::rules::{Rules, State};

/// Looks for a forced win of the side to move.
pub fn solve(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Solution<Move> {
    let analysis = look(rules, limits, progress);
    let mut solution = Solution::unknown(analysis.nodes);
    match analysis.proof {
        Some(Proof::Win(plies)) => {
            solution.notes = win_notes(&analysis, plies);
            if let Some(plan) = plan(rules, plies) {
                solution.outcome = Solvability::Solved;
                solution.plan = plan;
            }
        }
        Some(Proof::Loss(plies)) => {
            solution.outcome = Solvability::Unsolvable;
            let opponent = (!analysis.board.side()).name();
            solution
                .notes
                .push(format!("the {opponent} win in {plies} plies, whatever the side to move does"));
        }
        None => solution.notes.push(format!("no forced win found; {}", analysis.verdict())),
    }
    solution
}

/// How the position stands and how hard a forced win is to find.
pub fn check(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
    let analysis = look(rules, limits, progress);
    let mut notes =
        vec![format!("{} legal moves; {}", rules.moves().count(&analysis.board), analysis.verdict())];
    let (solvable, par) = match analysis.proof {
        Some(Proof::Win(plies)) => {
            notes.extend(win_notes(&analysis, plies));
            (Solvability::Solved, Some(plies.div_ceil(2)))
        }
        Some(Proof::Loss(_)) => (Solvability::Unsolvable, None),
        None => (Solvability::Unknown, None),
    };
    let difficulty = rules.level().rating.as_ref().and_then(|rating| rating.parse().ok());
    Report { solvable, par, difficulty, notes, marks: Vec::new() }
}

fn look(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Analysis {
    let limits = analyze::Limits {
        time: Some(limits.time),
        threads: limits.threads,
        cancel: limits.cancel.clone(),
        ..analyze::Limits::default()
    };
    analyze(rules.moves(), &rules.level().board, &limits, &mut |thought| {
        progress(&format!("depth {}, {} positions", thought.depth, thought.nodes));
    })
}

fn win_notes(analysis: &Analysis, plies: u32) -> Vec<String> {
    let proven = if analysis.shortest { ", and not sooner" } else { "" };
    let side = analysis.board.side().name();
    let mut notes = vec![format!("the {side} win in {plies} plies against any defence{proven}")];
    if let Some(line) = analysis.lines.first() {
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        notes.push(format!("the longest defence: {}", moves.join(" ")));
    }
    notes
}

/// The winning moves of seat 0 against the course's program, in a position that it wins within so many plies.
fn plan(rules: &Rules, mut plies: u32) -> Option<Vec<Move>> {
    let mut prover = Prover::new(*rules.moves());
    let mut state = rules.start();
    let mut plan = Vec::new();
    let mut legal = Vec::new();
    loop {
        let (action, left) = winning_move(&mut prover, &state, plies)?;
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

/// The first move of a win within so many plies, and how many are left for the next one.
fn winning_move(prover: &mut Prover, state: &State, plies: u32) -> Option<(Move, u32)> {
    let board: &Board = &state.board;
    let limits = ProofLimits { plies, nodes: PLAN_NODES, ..ProofLimits::default() };
    match prover.prove(board, &limits) {
        Verdict::Wins(win) => Some((*win.line.first()?, win.plies.saturating_sub(2).max(1))),
        _ => None,
    }
}

/// Enough to walk through a proof again.
const PLAN_NODES: u64 = 50_000_000;
