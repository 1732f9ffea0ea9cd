//! Laws that hold in every position.

mod common;

use common::{random_position, tense_position};
use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::random::{Rng, Smallest};
use damier_siam::action::Move;
use damier_siam::board::{Board, Piece, Side, Square};
use damier_siam::check::check;
use damier_siam::engine::{Engine, Question, SearchLimits};
use damier_siam::level::Level;
use damier_siam::line;
use damier_siam::moves::{MoveList, MoveRules, OPENING_PLIES};
use damier_siam::perft::perft;
use damier_siam::proof::{ProofLimits, Prover, Verdict};
use damier_siam::rules::{Ending, RuleSet, Rules, State};
use damier_siam::symmetry::Symmetry;
use proptest::prelude::*;

fn moves_of(rules: &MoveRules, board: &Board) -> MoveList {
    let mut moves = MoveList::new();
    rules.list(board, &mut moves);
    moves
}

/// Every move that can be written.
fn all_moves() -> impl Iterator<Item = Move> {
    let places = || std::iter::once(None).chain(Square::all().map(Some));
    places().flat_map(move |from| places().map(move |to| (from, to))).flat_map(|(from, to)| {
        Dir::ALL.into_iter().filter_map(move |dir| match (from, to) {
            (None, None) => None,
            (None, Some(to)) => Some(Move::enter(to, dir)),
            (Some(from), None) => (dir == Dir::North).then(|| Move::leave(from)),
            (Some(from), Some(to)) => Some(Move::go(from, to, dir)),
        })
    })
}

/// The same position, put together piece by piece.
fn rebuilt(board: &Board) -> Board {
    Symmetry::default().board(board)
}

fn any_rules() -> impl Strategy<Value = RuleSet> {
    (0..4_usize).prop_map(|index| RuleSet::ALL[index])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn listed_moves_are_exactly_the_legal_ones(set in any_rules(), seed: u64, plies in 0..80_u32) {
        let rules = set.moves();
        let board = random_position(&rules, seed, plies);
        let moves = moves_of(&rules, &board);
        prop_assert_eq!(moves.len() as u64, rules.count(&board));
        prop_assert!(!moves.is_empty());
        for action in all_moves() {
            let legal = check(&rules, &board, action).is_ok();
            prop_assert_eq!(moves.contains(&action), legal, "{} in {}", action, board);
            if legal {
                prop_assert!(rules.allows(&board, action), "{} in {}", action, board);
            }
            prop_assert_eq!(Move::parse(&action.to_string()), Ok(action));
        }
    }

    #[test]
    fn a_move_allowed_elsewhere_is_allowed_here_if_it_is_legal(seed: u64, plies in 0..60_u32) {
        let rules = RuleSet::Official.moves();
        let board = random_position(&rules, seed, plies);
        let elsewhere = moves_of(&rules, &random_position(&rules, !seed, plies));
        let here = moves_of(&rules, &board);
        for action in elsewhere {
            prop_assert_eq!(rules.allows(&board, action), here.contains(&action), "{} in {}", action, board);
        }
    }

    #[test]
    fn a_move_leaves_a_position_that_holds_together(set in any_rules(), seed: u64, plies in 0..80_u32) {
        let rules = set.moves();
        let board = random_position(&rules, seed, plies);
        for action in moves_of(&rules, &board) {
            let mut next = board;
            let winner = next.play(action);
            if winner.is_none() {
                prop_assert_eq!(next, rebuilt(&next), "lines, sets, hands and key after {}", action);
                prop_assert_eq!(next.mountains().count_ones(), board.mountains().count_ones());
            }
            prop_assert_eq!(next.side(), !board.side());
            prop_assert_eq!(Board::parse(&next.to_string()).unwrap(), next);
        }
    }

    #[test]
    fn threats_are_the_pushes_that_win(set in any_rules(), seed: u64, plies in 0..120_u32) {
        let rules = set.moves();
        let board = random_position(&rules, seed, plies);
        for side in Side::BOTH {
            let mut turned = board;
            turned.set_turn(side, board.ply());
            let wins: Vec<Move> = moves_of(&rules, &turned).into_iter().filter(|&action| {
                let mut next = turned;
                next.play(action) == Some(side)
            }).collect();
            prop_assert_eq!(rules.threats(&board).of(side), !wins.is_empty());
            prop_assert_eq!(rules.winning_moves(&board, side).len(), wins.len());
        }
    }

    #[test]
    fn symmetric_positions_have_the_same_counts(set in any_rules(), seed: u64, plies in 0..60_u32, swap: bool) {
        let rules = set.moves();
        let board = random_position(&rules, seed, plies);
        let count = perft(&rules, &board, 2);
        for symmetry in Symmetry::all() {
            if symmetry.transpose && board.ply() < OPENING_PLIES {
                continue;
            }
            let symmetry = Symmetry { swap_sides: swap, ..symmetry };
            let image = symmetry.board(&board);
            prop_assert_eq!(perft(&rules, &image, 2), count, "{}", image);
            for action in moves_of(&rules, &board) {
                prop_assert!(check(&rules, &image, symmetry.action(action)).is_ok());
                let (mut next, mut next_image) = (board, image);
                let winner = next.play(action);
                let winner_image = next_image.play(symmetry.action(action));
                prop_assert_eq!(winner.map(|side| if swap { !side } else { side }), winner_image);
                if winner.is_none() {
                    prop_assert_eq!(symmetry.board(&next), next_image);
                }
            }
        }
    }

    #[test]
    fn lines_seen_from_the_other_end_or_the_other_side_are_themselves_again(line in 0..line::LINES as u16) {
        prop_assert_eq!(line::reversed(line::reversed(line)), line);
        prop_assert_eq!(line::swapped(line::swapped(line)), line);
        prop_assert_eq!(line::reversed(line::swapped(line)), line::swapped(line::reversed(line)));
    }

    #[test]
    fn levels_round_trip(seed: u64, plies in 0..60_u32, cap in 1..1_000_u16) {
        let board = random_position(&RuleSet::Course.moves(), seed, plies);
        let level = Level { cap, goal: Some("win".into()), ..Level::new(board) };
        for format in ["damier", "drawn"] {
            let text = level.print(format).unwrap();
            prop_assert_eq!(Level::parse(&text).unwrap(), level.clone(), "{}", text);
        }
    }

    #[test]
    fn any_text_is_a_level_or_an_error(text in "[.MNESWnesw/ ER0-9;:\n]{0,60}") {
        if let Ok(level) = Level::parse(&text) {
            let printed = level.print("damier").unwrap();
            prop_assert_eq!(Level::parse(&printed).unwrap(), level);
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC{0,12}") {
        if let Ok(action) = Move::parse(&text) {
            prop_assert_eq!(Move::parse(&action.to_string()), Ok(action));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Deeper searches are steered by the order of moves, which is another one in every view; one ply and proofs are not.
    #[test]
    fn the_search_gives_symmetric_positions_the_same_score(seed: u64, plies in 6..40_u32, swap: bool) {
        let rules = RuleSet::Official.moves();
        let board = random_position(&rules, seed, plies);
        let score = |board: &Board| {
            Engine::new(1 << 20).answer(Question::new(&rules, board), &SearchLimits::depth(1)).score
        };
        let tense = tense_position(&rules, seed);
        let proven = |board: &Board| {
            let limits = ProofLimits { plies: 5, ..ProofLimits::default() };
            match Prover::new(rules).prove(board, &limits) {
                Verdict::Wins(win) => (win.plies, win.line.len()),
                Verdict::Loses(plies) => (plies, 0),
                Verdict::Open { no_win_in } => (100 + no_win_in, 0),
            }
        };
        for symmetry in Symmetry::all() {
            let image = Symmetry { swap_sides: swap, ..symmetry }.board(&board);
            prop_assert_eq!(score(&image), score(&board), "{}", image);
            let image = Symmetry { swap_sides: swap, ..symmetry }.board(&tense);
            prop_assert_eq!(proven(&image), proven(&tense), "{}", image);
        }
    }
}

#[test]
fn random_games_end_or_go_on_by_the_rules() {
    for (seed, set) in (0..40).zip(RuleSet::ALL.into_iter().cycle()) {
        let rules = Rules::new(Level::start(), set);
        let (mut state, mut rng, mut legal) = (rules.start(), Rng::new(seed), Vec::new());
        let mut seen = Vec::new();
        while let Status::ToMove(seat) = rules.status(&state) {
            assert_eq!(rules.side_of(seat), state.board.side());
            assert!(seen.iter().filter(|&&board: &&Board| same(&board, &state.board)).count() < 2);
            seen.push(state.board);
            rules.legal(&state, &mut legal);
            rules.apply(&mut state, *rng.choose(&legal).unwrap(), &mut Smallest);
        }
        match state.ending {
            Some(Ending::Won(side)) => {
                assert_eq!(state.board.mountains().count_ones(), 2);
                assert_eq!(rules.score(&state, rules.seat_of(side)), 1);
            }
            Some(Ending::Repetition) => {
                assert_eq!(seen.iter().filter(|board| same(board, &state.board)).count(), 2);
            }
            Some(Ending::PlyCap) => assert_eq!(seen.len(), usize::from(damier_siam::level::MAX_PLIES)),
            None => unreachable!("the status says it is over"),
        }
        rules.legal(&state, &mut legal);
        assert!(legal.is_empty());
    }
}

fn same(one: &Board, other: &Board) -> bool {
    one.side() == other.side() && Square::all().all(|square| one.piece(square) == other.piece(square))
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let rules = Rules::new(Level::start(), RuleSet::Official);
    let mut state = rules.start();
    for round in 0..2 {
        for text in ["0-11n", "0-55s", "11-0", "55-0"] {
            assert_eq!(state.ending, None, "round {round}");
            let action = rules.parse_action(&state, text).unwrap();
            rules.check(&state, action).unwrap();
            rules.apply(&mut state, action, &mut Smallest);
        }
    }
    assert_eq!((state.ending, state.occurrences()), (Some(Ending::Repetition), 3));
    assert!(rules.check(&state, Move::parse("0-11n").unwrap()).is_err());
}

/// Plays a random game without pushes and compares its end with a plain count of all positions.
fn check_repetitions(seed: u64, may_go: impl Fn(Move) -> bool) -> u16 {
    let rules = Rules::new(Level::start(), RuleSet::Course);
    let (mut state, mut rng) = (rules.start(), Rng::new(seed));
    let mut keys = vec![state.board.key()];
    while state.ending.is_none() {
        let mut moves = moves_of(rules.moves(), &state.board);
        moves.retain(|action| !action.is_push(&state.board) && may_go(*action));
        let action = *rng.choose(&moves).expect("somebody can turn, enter or leave");
        rules.apply(&mut state, action, &mut Smallest);
        keys.push(state.board.key());
        assert_eq!(state.past(), keys[..keys.len() - 1]);
        let count = keys.iter().filter(|&&key| key == state.board.key()).count();
        assert_eq!(state.occurrences(), count);
        let expected = if count >= 3 { Some(Ending::Repetition) } else { None };
        assert_eq!(state.ending, expected.or((keys.len() > 1000).then_some(Ending::PlyCap)), "seed {seed}");
    }
    state.played()
}

#[test]
fn repetitions_are_counted_exactly_in_short_and_long_games() {
    assert!(size_of::<State>() < 2000, "{} bytes", size_of::<State>());
    let long = (0..4).map(|seed| check_repetitions(seed, |_| true)).max();
    assert_eq!(long, Some(1000), "no game reaches the cap");
    // Six squares and one facing: positions come again soon.
    let crowded = |action: Move| {
        let squares = [11, 12, 13, 14, 15, 55];
        let at = |square: Option<Square>| square.is_none_or(|square| squares.contains(&square.name()));
        at(action.from()) && at(action.to()) && action.facing() == Dir::North
    };
    assert!((0..40).all(|seed| check_repetitions(seed, crowded) < 1000));
}

#[test]
fn the_ply_cap_is_a_draw_unless_the_last_ply_wins() {
    let text = "; cap: 1\n...../...../...../..S../..M.. E 20";
    let rules = Rules::new(Level::parse(text).unwrap(), RuleSet::Official);
    for (action, ending) in [("23-13s", Ending::Won(Side::Elephants)), ("23-23n", Ending::PlyCap)] {
        let mut state = rules.start();
        rules.apply(&mut state, Move::parse(action).unwrap(), &mut Smallest);
        assert_eq!(state.ending, Some(ending));
    }
}

#[test]
fn seat_zero_is_the_side_to_move_in_the_level() {
    let rules = Rules::new(Level::parse("...../...../.MMM./...../..... R 5").unwrap(), RuleSet::Official);
    assert_eq!(rules.facts().seats, ["rhinos", "elephants"]);
    assert_eq!(rules.status(&rules.start()), Status::ToMove(0));
    assert_eq!(rules.side_of(0), Side::Rhinos);
}

#[test]
fn pieces_have_their_letters() {
    for letter in "MNESWnesw".chars() {
        assert_eq!(Piece::from_letter(letter).unwrap().letter(), letter);
    }
    assert_eq!(Piece::from_letter('.'), None);
}
