//! The solved game with one animal each, against the proof search and against itself.

use damier_core::random::{Chance, Rng};
use damier_siam::board::{Board, Side};
use damier_siam::duel::{Duel, Value};
use damier_siam::level::Level;
use damier_siam::line::Reading;
use damier_siam::moves::{MoveList, MoveRules};
use damier_siam::proof::{ProofLimits, Prover, Verdict};
use damier_siam::rules::RuleSet;

/// A random position with one mountain and one animal each.
fn random_duel(rules: &MoveRules, rng: &mut Rng) -> Board {
    let start = Level::parse("; animals: 1\n...../...../...M./...../..... E 8").unwrap();
    let mut board = start.board;
    for _ in 0..4 + rng.below(30) {
        let mut moves = MoveList::new();
        rules.list(&board, &mut moves);
        let mut next = board;
        if next.play(*rng.choose(&moves).unwrap()).is_none() {
            board = next;
        }
    }
    board
}

#[test]
fn values_follow_from_the_values_of_the_successors() {
    let (duel, rules) = (Duel::solve(1, Reading::Running, &mut |_, _| {}), RuleSet::Course.moves());
    let mut rng = Rng::new(7);
    for _ in 0..3_000 {
        let board = random_duel(&rules, &mut rng);
        let mut moves = MoveList::new();
        rules.list(&board, &mut moves);
        let after = moves.into_iter().map(|action| {
            let mut next = board;
            match next.play(action) {
                Some(winner) if winner == board.side() => Value::Loss(0),
                Some(_) => Value::Win(0),
                None => duel.value(&next).unwrap(),
            }
        });
        let best = after.fold(Value::Loss(0), |best, after| {
            let mine = match after {
                Value::Loss(plies) => Value::Win(plies + 1),
                Value::Win(plies) => Value::Loss(plies + 1),
                Value::Draw => Value::Draw,
            };
            if rank(mine) > rank(best) { mine } else { best }
        });
        assert_eq!(duel.value(&board), Some(best), "{board}");
    }
}

fn rank(value: Value) -> i64 {
    match value {
        Value::Win(plies) => 1_000 - i64::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i64::from(plies) - 1_000,
    }
}

#[test]
fn the_proof_search_agrees() {
    let (duel, rules) = (Duel::solve(1, Reading::Total, &mut |_, _| {}), RuleSet::CourseTotal.moves());
    let mut prover = Prover::new(rules);
    let mut rng = Rng::new(8);
    let limits = ProofLimits { plies: 7, ..ProofLimits::default() };
    let mut decided = 0;
    for _ in 0..200 {
        let board = random_duel(&rules, &mut rng);
        let verdict = prover.prove(&board, &limits);
        match duel.value(&board).unwrap() {
            Value::Win(plies) if plies <= 7 => {
                decided += 1;
                assert!(
                    matches!(verdict, Verdict::Wins(win) if win.plies == plies && win.shortest),
                    "{board}"
                );
            }
            Value::Loss(plies) if plies <= 8 => {
                decided += 1;
                assert_eq!(verdict, Verdict::Loses(plies), "{board}");
            }
            _ => assert_eq!(verdict, Verdict::Open { no_win_in: 7 }, "{board}"),
        }
    }
    assert!(decided > 20, "{decided}");
}

#[test]
fn the_census_counts_every_position() {
    let duel = Duel::solve(1, Reading::Running, &mut |_, _| {});
    let census = duel.census();
    // 25 mountains; each animal in hand or on one of the other squares with one of four facings; two sides to move.
    let expected = 2 * 25 * (1 + 2 * 24 * 4 + 24 * 4 * 23 * 4);
    assert_eq!(census.positions, expected);
    assert_eq!(census.wins + census.losses + census.draws, expected);
    assert_eq!(census.longest, 9);
}

#[test]
fn other_positions_have_no_value() {
    let duel = Duel::solve(1, Reading::Running, &mut |_, _| {});
    assert_eq!(duel.value(&Board::start(1)), None, "three mountains");
    let five = Board::parse("...../...../...M./...../..... E 8").unwrap();
    assert_eq!((five.hand(Side::Elephants), duel.value(&five)), (5, None));
}
