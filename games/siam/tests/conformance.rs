//! The rules against counts and moves from independent engines, and against every figure of the rule sheet.

mod common;

use common::{fixture, position};
use damier_siam::action::Move;
use damier_siam::board::{Board, Side};
use damier_siam::check::check;
use damier_siam::moves::{MoveList, MoveRules};
use damier_siam::perft::{divide, perft};
use damier_siam::rules::RuleSet;

/// Counts beyond this would take too long without optimisation; the benchmark has them.
const MOST_NODES: u64 = 25_000_000;

#[test]
fn perft_agrees_with_independent_engines() {
    for case in fixture("perft") {
        let board = position(&case);
        assert_eq!(
            [board.hand(Side::Elephants), board.hand(Side::Rhinos)].map(u64::from),
            [0, 1].map(|side| { case["hand"][side].as_u64().unwrap() })
        );
        for (set, counts) in case["nodes"].as_object().unwrap() {
            let rules = RuleSet::parse(set).unwrap().moves();
            for (depth, count) in (1..).zip(counts.as_array().unwrap()) {
                let count = count.as_u64().unwrap();
                if count <= MOST_NODES {
                    assert_eq!(perft(&rules, &board, depth), count, "{} {set} depth {depth}", case["id"]);
                }
            }
        }
    }
}

/// The last moves that win for who makes them, and for the opponent.
fn wins(rules: &MoveRules, board: &Board, depth: u32) -> (u64, u64) {
    let mut moves = MoveList::new();
    rules.list(board, &mut moves);
    let mut sums = (0, 0);
    for action in moves {
        let mut next = *board;
        let winner = next.play(action);
        let (mover, opponent) = match winner {
            Some(winner) if depth == 1 => {
                (u64::from(winner == board.side()), u64::from(winner != board.side()))
            }
            None if depth > 1 => wins(rules, &next, depth - 1),
            _ => (0, 0),
        };
        sums = (sums.0 + mover, sums.1 + opponent);
    }
    sums
}

#[test]
fn wins_agree_with_independent_engines() {
    for case in fixture("perft") {
        let board = position(&case);
        for (set, counts) in case["mover_wins"].as_object().unwrap() {
            let rules = RuleSet::parse(set).unwrap().moves();
            for (index, mover) in counts.as_array().unwrap().iter().enumerate().take(3) {
                let expected = (mover.as_u64().unwrap(), case["opponent_wins"][set][index].as_u64().unwrap());
                assert_eq!(wins(&rules, &board, index as u32 + 1), expected, "{} {set} {index}", case["id"]);
            }
        }
    }
}

#[test]
fn every_figure_of_the_rule_sheet_agrees() {
    let cases = fixture("moves");
    assert_eq!(cases.len(), 48);
    for case in cases {
        let action = Move::parse(case["move"].as_str().unwrap()).unwrap();
        for (set, legal) in [(RuleSet::Course, &case["running"]), (RuleSet::CourseTotal, &case["total"])] {
            let mut board = position(&case);
            let rules = set.moves();
            let mut moves = MoveList::new();
            rules.list(&board, &mut moves);
            let expected = legal.as_bool().unwrap();
            assert_eq!(moves.contains(&action), expected, "{} {}", case["id"], set.name());
            assert_eq!(check(&rules, &board, action).is_ok(), expected, "{} {}", case["id"], set.name());
            if expected {
                let winner = board.play(action);
                let letter = winner.map(|side| side.letter().to_string());
                assert_eq!(letter.as_deref(), case["winner"].as_str(), "{}", case["id"]);
                let after = board.to_string();
                assert_eq!(Some(after.split(' ').next().unwrap()), case["after"].as_str(), "{}", case["id"]);
            }
        }
    }
}

#[test]
fn the_opening_rule_closes_two_squares_for_four_plies() {
    let rules = RuleSet::Official.moves();
    for (ply, closed) in [(0, true), (3, true), (4, false)] {
        let board = Board::parse(&format!("...../...../.MMM./...../.N..n E {ply}")).unwrap();
        for text in ["0-13n", "0-53e", "12-13n"] {
            let refused = check(&rules, &board, Move::parse(text).unwrap()).is_err();
            assert_eq!(refused, closed, "{text} at ply {ply}");
        }
    }
}

#[test]
fn divide_adds_up_to_perft() {
    for set in RuleSet::ALL {
        let board = Board::parse(".s.E./..eMs/Mw.../EN.SM/..Ne. E 52").unwrap();
        let sum: u64 = divide(&set.moves(), &board, 3).iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(sum, perft(&set.moves(), &board, 3));
        assert!(divide(&set.moves(), &board, 0).is_empty());
    }
}

#[test]
fn illegal_moves_name_the_rule() {
    let rules = RuleSet::Official.moves();
    let board = Board::parse("...../...../.EMM./....s/N...W E 10").unwrap();
    for (text, sentence) in [
        ("32-33e", "the push is too weak: force 1, mass 2 at 34"),
        ("32-42", "`32-42` does not say where the animal looks afterwards: add n, e, s or w"),
        ("0-33n", "33 is not on the border: an animal enters on a border square"),
        ("0-15e", "15 is occupied: an animal enters there only by pushing north or west"),
        ("25-24n", "the animal on 25 belongs to the rhinos"),
        ("33-43n", "on 33 stands a mountain"),
        ("42-43n", "there is no animal on 42"),
        ("32-32e", "the animal on 32 already looks east: a turn must change that"),
        ("32-44n", "44 is not next to 32: an animal goes one square, never diagonally"),
        ("32-0", "32 is not on the border: an animal leaves from a border square"),
        ("15-25n", "25 is occupied, and an animal pushes only straight ahead: the one on 15 looks west"),
        ("32-", "`32-` is not complete: a move is written from-to and a facing, such as 0-11n"),
        ("3233", "`3233` has no `-`: a move is written from-to and a facing, such as 0-11n"),
        (
            "32-36e",
            "`32-36e` names `36`, which is not a square: squares are 11 to 55, and 0 is off the board",
        ),
        ("32-42x", "`32-42x` ends in `x`: a facing is n, e, s or w"),
        ("0-0", "`0-0` leads from nowhere to nowhere"),
        ("", "no move: write from-to and a facing, such as 0-11n or 12-13e"),
    ] {
        let error = Move::parse(text).and_then(|action| check(&rules, &board, action)).unwrap_err();
        assert_eq!(error.to_string(), sentence, "{text}");
    }
}
