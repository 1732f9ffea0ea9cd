//! The benchmark of `damier bench`: the move generator, the search and forced wins, with a signature that pins them.

use damier_core::random::mix;
use damier_kit::{Bench, Measure};

use crate::board::{ANIMALS, Board};
use crate::engine::{Engine, Question, SearchLimits};
use crate::perft::perft;
use crate::proof::{ProofLimits, Prover};
use crate::rules::RuleSet;

/// The positions of the signature: the start, an opening, a crowded middle game, and forced wins in 7 and 9 plies.
const POSITIONS: [&str; 5] = [
    "...../...../.MMM./...../..... E 0",
    "...../...../.MMM./...../eE... E 2",
    "...n./...../WMMMs/E..../.W..w E 6",
    "....N/..s../EMMsw/.N.M./.nS.W R 21",
    "s.n../EMwS./.eMMW/...N./.N... R 17",
];

const SIGNATURE_DEPTH: u32 = 7;
const MEMORY: usize = 64 << 20;

/// Measures for about `seconds`.
pub fn bench(seconds: f64) -> Bench {
    let boards = POSITIONS.map(|position| Board::parse(position).expect("a position of the benchmark"));
    let rules = RuleSet::Official.moves();
    let start = Board::start(ANIMALS);
    let mut engine = Engine::new(MEMORY);
    let search = Measure::timed("search nodes", seconds * 0.4, |_| {
        let limits = SearchLimits { nodes: Some(250_000), ..SearchLimits::default() };
        boards.iter().map(|board| engine.answer(Question::new(&rules, board), &limits).nodes).sum()
    });
    let nine_plies = Measure::timed("nodes to depth 9", 0.0, |_| {
        Engine::new(MEMORY).answer(Question::new(&rules, &start), &SearchLimits::depth(9)).nodes
    });
    let proofs = Measure::timed("proof nodes", seconds * 0.2, |_| {
        let mut prover = Prover::new(rules);
        let limits = ProofLimits { nodes: 200_000, ..ProofLimits::default() };
        for board in &boards {
            prover.prove(board, &limits);
        }
        prover.nodes()
    });
    Bench {
        signature: signature(&boards),
        measures: vec![
            Measure::timed("perft nodes", seconds * 0.4, |_| perft(&rules, &start, 4)),
            search,
            nine_plies,
            proofs,
        ],
    }
}

/// A hash that depends on every legal move to depth 4 and on every node of a fixed search.
fn signature(boards: &[Board]) -> u64 {
    RuleSet::ALL.iter().fold(0, |signature, set| {
        let rules = set.moves();
        boards.iter().fold(signature, |signature, board| {
            let thought = Engine::new(MEMORY >> 4)
                .answer(Question::new(&rules, board), &SearchLimits::depth(SIGNATURE_DEPTH));
            let line = thought.line.iter().fold(0, |hash, action| mix(hash ^ action.index() as u64));
            let counts = mix(perft(&rules, board, 3)) ^ thought.nodes;
            mix(signature ^ counts ^ line).wrapping_add(thought.score.0 as u64)
        })
    })
}
