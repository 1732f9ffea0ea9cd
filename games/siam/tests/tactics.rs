//! Forced wins and only defences, and the engine that must find them.

mod common;

use std::time::{Duration, Instant};

use common::{fixture, position, random_position, tense_position};
use damier_siam::{
    AnalyzeOptions, Board, Engine, Move, MoveList, MoveRules, Proof, ProofLimits, Prover, Question, RuleSet,
    SearchLimits, Verdict, analyze,
};
use serde_json::Value;

fn best_moves(case: &Value) -> Vec<Move> {
    case["best"].as_array().unwrap().iter().map(|text| Move::parse(text.as_str().unwrap()).unwrap()).collect()
}

#[test]
fn every_forced_win_is_proven_to_be_the_shortest() {
    let rules = RuleSet::Official.moves();
    for case in fixture("tactics").iter().filter(|case| case["kind"] == "win") {
        let (board, plies) = (position(case), case["plies"].as_u64().unwrap() as u32);
        let mut prover = Prover::new(rules);
        let Verdict::Wins(win) = prover.prove(&board, &ProofLimits::default()) else {
            panic!("{}: no win", case["id"]);
        };
        assert_eq!((win.plies, win.shortest, win.line.len() as u32), (plies, true, plies), "{}", case["id"]);
        assert!(best_moves(case).contains(&win.line[0]), "{}: {:?}", case["id"], win.line);
        if plies <= 7 {
            let winning = prover.winning_moves(&board, plies, &ProofLimits::default()).unwrap();
            let mut expected = best_moves(case);
            expected.sort_unstable();
            let mut winning = winning;
            winning.sort_unstable();
            assert_eq!(winning, expected, "{}", case["id"]);
        }
        let mut after = board;
        let winners: Vec<_> = win.line.iter().map(|&action| after.play(action)).collect();
        assert_eq!(winners.last(), Some(&Some(board.side())), "the line ends in the win");
        assert!(winners[..winners.len() - 1].iter().all(Option::is_none));
    }
}

#[test]
fn the_engine_finds_every_only_defence() {
    let rules = RuleSet::Official.moves();
    for case in fixture("tactics").iter().filter(|case| case["kind"] == "only_defence") {
        let board = position(case);
        let thought =
            Engine::new(1 << 20).answer(Question::new(&rules, &board), &SearchLimits::nodes(20_000));
        assert!(best_moves(case).contains(&thought.best().unwrap()), "{}: {thought:?}", case["id"]);
    }
}

#[test]
fn an_analysis_finds_the_shortest_win() {
    let rules = RuleSet::Official.moves();
    for case in fixture("tactics").iter().filter(|case| case["kind"] == "win") {
        let plies = case["plies"].as_u64().unwrap() as u32;
        let limits = AnalyzeOptions { time: None, depth: Some(plies.max(7)), ..AnalyzeOptions::default() };
        let analysis = analyze(&rules, &position(case), &limits, &mut |_| {});
        assert_eq!(analysis.proof, Some(Proof::Win(plies)), "{}", case["id"]);
        assert!(best_moves(case).contains(analysis.best().unwrap()), "{}", case["id"]);
        let message = analysis.map(ToString::to_string).message();
        assert_eq!(message.proof, Some(format!("win {plies}")));
    }
}

/// Can the side to move force a win within so many plies? By the definition, without any cleverness.
fn wins_by_definition(rules: &MoveRules, board: &Board, plies: u32) -> bool {
    let mut moves = MoveList::new();
    rules.list(board, &mut moves);
    moves.iter().any(|&action| {
        let mut next = *board;
        match next.play(action) {
            Some(winner) => winner == board.side(),
            None => plies >= 2 && loses_by_definition(rules, &next, plies - 1),
        }
    })
}

fn loses_by_definition(rules: &MoveRules, board: &Board, plies: u32) -> bool {
    let mut moves = MoveList::new();
    rules.list(board, &mut moves);
    moves.iter().all(|&action| {
        let mut next = *board;
        match next.play(action) {
            Some(winner) => winner != board.side(),
            None => plies >= 2 && wins_by_definition(rules, &next, plies - 1),
        }
    })
}

#[test]
fn proofs_agree_with_the_definition() {
    let rules = RuleSet::OfficialTotal.moves();
    let mut prover = Prover::new(rules);
    let mut wins = [0; 3];
    for seed in 0..120 {
        let board = tense_position(&rules, seed);
        let limits = ProofLimits { plies: 3, ..ProofLimits::default() };
        let expected = [1, 3].into_iter().find(|&plies| wins_by_definition(&rules, &board, plies));
        let loses = expected.is_none() && loses_by_definition(&rules, &board, 2);
        match prover.prove(&board, &limits) {
            Verdict::Wins(win) => assert_eq!(Some(win.plies), expected, "{board}"),
            Verdict::Loses(2) => assert!(loses, "{board}"),
            Verdict::Loses(_) | Verdict::Open { .. } => assert!(expected.is_none() && !loses, "{board}"),
        }
        wins[expected.map_or(0, |plies| plies as usize / 2 + 1)] += 1;
    }
    assert!(wins.iter().all(|&count| count >= 5), "all kinds occur: {wins:?}");
}

#[test]
fn scores_of_wins_are_proofs() {
    let rules = RuleSet::Official.moves();
    let (mut engine, mut prover) = (Engine::new(1 << 22), Prover::new(rules));
    let mut decided = 0;
    for seed in 0..150 {
        let board = tense_position(&rules, seed);
        let score = engine.answer(Question::new(&rules, &board), &SearchLimits::nodes(3_000)).score;
        let limits = |plies| ProofLimits { plies, nodes: 3_000_000, ..ProofLimits::default() };
        if let Some(plies) = score.wins_in().filter(|&plies| plies <= 7) {
            decided += 1;
            let verdict = prover.prove(&board, &limits(plies));
            assert!(matches!(verdict, Verdict::Wins(_)), "{board}: {score:?} {verdict:?}");
        }
        if let Some(plies) = score.loses_in().filter(|&plies| plies <= 6) {
            decided += 1;
            let verdict = prover.prove(&board, &limits(plies));
            assert!(matches!(verdict, Verdict::Loses(_)), "{board}: {score:?} {verdict:?}");
        }
    }
    assert!(decided > 30, "{decided}");
}

#[test]
fn the_same_nodes_give_the_same_thought() {
    let rules = RuleSet::Official.moves();
    let board = random_position(&rules, 3, 12);
    let think = || Engine::new(1 << 20).answer(Question::new(&rules, &board), &SearchLimits::nodes(30_000));
    assert_eq!(think(), think());
}

#[test]
fn threads_agree_on_a_forced_win() {
    let rules = RuleSet::Official.moves();
    let case = fixture("tactics").into_iter().find(|case| case["id"] == "win5-03").unwrap();
    let limits = SearchLimits { threads: 2, ..SearchLimits::depth(7) };
    let thought = Engine::new(1 << 22).answer(Question::new(&rules, &position(&case)), &limits);
    assert_eq!(thought.score.wins_in(), Some(5));
    let limits = AnalyzeOptions { threads: 2, lines: 2, ..AnalyzeOptions::default() };
    let analysis = analyze(&rules, &position(&case), &limits, &mut |_| {});
    assert_eq!((analysis.proof, analysis.lines.len()), (Some(Proof::Win(5)), 2));
}

#[test]
fn a_search_can_be_cancelled_at_once() {
    let rules = RuleSet::Official.moves();
    let board = Board::start(5);
    let limits = SearchLimits::default();
    limits.cancel.cancel();
    let thought = Engine::new(1 << 20).answer(Question::new(&rules, &board), &limits);
    assert!(thought.best().is_some_and(|best| rules.allows(&board, best)));
    assert!(thought.nodes < 10_000);
}

/// A position that keeps the prover and the search busy for long.
const LONG: &str = "...../...../.MMM./...../..... E 0";

/// Asserts that an analysis stops in time in one of six runs: a busy machine may delay a thread by more.
fn assert_prompt(what: &str, run: impl FnMut() -> Duration) {
    let late = std::iter::repeat_with(run).take(6).find(|late| *late <= Duration::from_millis(50));
    assert!(late.is_some(), "{what}: too late six times");
}

#[test]
fn an_analysis_ends_at_its_deadline_however_many_lines_are_wanted() {
    let (rules, board) = (RuleSet::Official.moves(), Board::parse(LONG).unwrap());
    for (threads, lines) in [(1, 1), (2, 1), (1, 4), (2, 4)] {
        let time = Duration::from_millis(200);
        let options = AnalyzeOptions { time: Some(time), threads, lines, ..AnalyzeOptions::default() };
        assert_prompt(&format!("{threads} threads, {lines} lines"), || {
            let started = Instant::now();
            let analysis = analyze(&rules, &board, &options, &mut |_| {});
            assert_eq!(analysis.lines.len(), lines);
            started.elapsed().saturating_sub(time)
        });
    }
}

#[test]
fn a_cancelled_analysis_ends_at_once() {
    let (rules, board) = (RuleSet::Official.moves(), Board::parse(LONG).unwrap());
    for threads in [1, 2] {
        assert_prompt(&format!("{threads} threads"), || {
            let options = AnalyzeOptions { time: None, threads, lines: 3, ..AnalyzeOptions::default() };
            let cancelled = std::thread::scope(|scope| {
                let cancelling = scope.spawn(|| {
                    // The search's tables are made by then.
                    std::thread::sleep(Duration::from_millis(300));
                    options.cancel.cancel();
                    Instant::now()
                });
                analyze(&rules, &board, &options, &mut |_| {});
                cancelling.join().unwrap()
            });
            cancelled.elapsed()
        });
    }
}
