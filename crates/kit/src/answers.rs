//! Optional capability: all shortest solutions of a level, and hints that help a human to find them.

use std::collections::BTreeMap;
use std::sync::Arc;

use damier_core::game::Game;
use damier_core::grid::Dir;
use damier_core::insight::Point;
use schemars::JsonSchema;
use serde::Serialize;

use crate::solve::{Solvability, SolveOptions};

/// Finds all shortest solutions of a level, and lists up to this many of them.
pub type AnswerFinder<G> = fn(&Arc<G>, &SolveOptions, usize) -> Answers<<G as Game>::Action>;

/// All shortest solutions of a level.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Answers<A> {
    /// The answer's kind; only a shortest plan counts as solved.
    pub outcome: Solvability,
    /// The number of actions of the plan.
    pub moves: Option<usize>,
    /// The best plan found, proven shortest if `outcome` is solved.
    pub plan: Option<Vec<A>>,
    /// Proven lower bound: no plan has fewer actions.
    pub lower_bound: u32,
    /// The number of different shortest plans, if there was time to count them.
    pub count: Option<u64>,
    /// The first of the shortest plans.
    pub solutions: Vec<Vec<A>>,
    /// The shortest plan that is easiest to find for a human.
    pub simplest: Option<Vec<A>>,
    /// From 0 (trivial) to 10.
    pub difficulty: Option<f64>,
    /// Cells where each piece can stop while the others stay: column, row and the number of moves.
    pub reach: BTreeMap<String, Vec<(u16, u16, u32)>>,
    /// Straight lines into the target.
    pub corridors: Vec<Corridor>,
    /// Positions searched.
    pub positions: u64,
}

impl<A> Answers<A> {
    /// The same answers with their actions converted, for example to their names.
    pub fn map<B>(self, convert: impl Fn(A) -> B) -> Answers<B> {
        let all = |plan: Vec<A>| plan.into_iter().map(&convert).collect::<Vec<B>>();
        Answers {
            outcome: self.outcome,
            moves: self.moves,
            plan: self.plan.map(all),
            lower_bound: self.lower_bound,
            count: self.count,
            solutions: self.solutions.into_iter().map(all).collect(),
            simplest: self.simplest.map(all),
            difficulty: self.difficulty,
            reach: self.reach,
            corridors: self.corridors,
            positions: self.positions,
        }
    }
}

/// A straight line into the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Corridor {
    /// The direction in which a piece comes through it.
    pub dir: Dir,
    /// Its cells, from the one next to the target outwards.
    pub cells: Vec<Point>,
    /// Cell that lacks an obstacle: without one, a piece slides over the target.
    pub missing: Option<Point>,
}
