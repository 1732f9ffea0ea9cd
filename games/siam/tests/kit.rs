//! The game as front ends see it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use damier_core::agent::Budget;
use damier_core::game::{Game, Outcome, Status};
use damier_core::insight::{Insight, Point};
use damier_core::random::{Rng, Smallest};
use damier_kit::referee::{self, Finish, GameLimits};
use damier_kit::scene::{Scene, Sprite};
use damier_kit::time::start_clock;
use damier_kit::{AnyGame, Draw, GenerateRequest, Levels, Solvability, Solve, SolveOptions};
use damier_siam::Move;
use damier_siam::Siam;
use damier_siam::board::Board;
use damier_siam::draw::original_text;
use damier_siam::level::Level;
use damier_siam::proof::{ProofLimits, Prover, Verdict};
use damier_siam::record::Record;
use damier_siam::rules::{RuleSet, Rules};

const START: &str = "...../...../.MMM./...../..... E 0";

fn limits() -> SolveOptions {
    SolveOptions { time: Duration::from_secs(20), ..SolveOptions::default() }
}

#[test]
fn every_agent_plays_legally_at_both_seats_and_shows_why() {
    let level = Siam.open(START, "official").unwrap();
    for agent in Siam::INFO.agents {
        let mut seats = [0, 1].map(|seat| level.agent(agent.name, seat, 3).unwrap());
        let mut table = level.table(1, 0);
        let nodes = Budget { nodes: Some(2_000), time: None };
        for _ in 0..6 {
            let Status::ToMove(seat) = table.status() else { break };
            let mut insight = Insight::default();
            seats[seat].play(table.as_mut(), &start_clock(nodes), &mut insight).unwrap();
            assert!(!insight.text.is_empty(), "{} says something", agent.name);
        }
        assert!(table.turns() > 0);
    }
    assert!(level.agent("level7", 0, 1).is_none());
}

#[test]
fn the_course_program_enters_in_the_corner() {
    let level = Siam.open(START, "course").unwrap();
    let mut table = level.table(1, 0);
    let mut seats = [0, 1].map(|seat| level.agent("original", seat, 1).unwrap());
    for seat in [0, 1] {
        let clock = start_clock(Budget::default());
        seats[seat].play(table.as_mut(), &clock, &mut Insight::unwanted()).unwrap();
        assert_eq!(table.last_action().as_deref(), Some("0-11e"));
    }
    assert_eq!(table.observe(0)["position"], "...../...../.MMM./...../eE... E 2");
    assert_eq!(table.observe(0)["hand"]["R"], 4);
}

#[test]
fn best_beats_the_weak_players() {
    let level = Siam.open(START, "official").unwrap();
    let limits = GameLimits { turns: 200, budget: Budget { nodes: Some(20_000), time: None } };
    for (seed, opponent) in (0..).zip(["original", "random", "level1", "sparring"]) {
        for seat in [0, 1] {
            let names = if seat == 0 { ["best", opponent] } else { [opponent, "best"] };
            let mut seats: Vec<_> =
                (0..2).map(|seat| level.agent(names[seat], seat, seed).unwrap()).collect();
            let finish = referee::play(level.table(1, 0).as_mut(), &mut seats, &limits, false, &mut |_| {});
            assert_eq!(finish.outcome(seat), Outcome::Win, "against {opponent}: {finish:?}");
            assert!(matches!(finish, Finish::Over(_)));
        }
    }
}

#[test]
fn the_shipped_puzzles_have_one_solution() {
    let pack = Siam::INFO.packs.iter().find(|pack| pack.name == "puzzles").unwrap();
    let rules = RuleSet::Official.moves();
    let mut boards = HashSet::new();
    for (name, text) in pack.levels {
        let level = Level::parse(text).unwrap();
        assert!(boards.insert(level.board.to_string()), "{name} is a puzzle of its own");
        let goal = level.goal.unwrap();
        let plies: u32 = goal[goal.find('(').unwrap() + 1..goal.find(" plies").unwrap()].parse().unwrap();
        let mut prover = Prover::new(rules);
        // That there is no shorter win takes long to prove for the longest ones: the tool has done it.
        let limits = ProofLimits { nodes: 150_000, ..ProofLimits::default() };
        let Verdict::Wins(win) = prover.prove(&level.board, &limits) else { panic!("{name}: no win") };
        assert_eq!(win.plies, plies, "{name}");
        if plies <= 5 {
            let winning = prover.winning_moves(&level.board, plies, &ProofLimits::default()).unwrap();
            assert_eq!((winning.len(), win.shortest), (1, true), "{name}");
        }
    }
}

#[test]
fn a_solved_puzzle_has_a_plan_that_wins() {
    let pack = Siam::INFO.packs.iter().find(|pack| pack.name == "puzzles").unwrap();
    for (name, text) in pack.levels.iter().take(8) {
        let rules = Arc::new(<Siam as Levels>::open(text, "official").unwrap());
        let solution = Siam::solve(&rules, &rules.start(), &limits(), &|_| {});
        assert_eq!(solution.outcome, Solvability::Solved, "{name}");
        let (mut state, mut legal) = (rules.start(), Vec::new());
        for &action in &solution.plan {
            rules.play(&mut state, action, &mut Smallest).unwrap();
            rules.legal(&state, &mut legal);
            if let Some(&reply) = legal.first() {
                rules.apply(&mut state, reply, &mut Smallest);
            }
        }
        assert_eq!(rules.score(&state, 0), 1, "{name}");
        assert_eq!(Siam::check(&rules, &limits(), &|_| {}).solvable, Solvability::Solved);
    }
}

#[test]
fn a_lost_position_is_unsolvable() {
    let rules = Arc::new(<Siam as Levels>::open("...s./...s./EeEMM/EN.M./..... R 11", "official").unwrap());
    let solution = Siam::solve(&rules, &rules.start(), &limits(), &|_| {});
    assert_eq!(solution.outcome, Solvability::Unsolvable, "{:?}", solution.notes);
}

#[test]
fn puzzles_depend_on_the_seed_alone() {
    let request = |seed| GenerateRequest {
        seed,
        difficulty: Some(0.0),
        size: None,
        rules: "official",
        ..GenerateRequest::default()
    };
    let text = Siam.generate(&request(5)).unwrap();
    assert_eq!(Siam.generate(&request(5)).unwrap(), text);
    let level = Level::parse(&text).unwrap();
    let verdict = Prover::new(RuleSet::Official.moves()).prove(&level.board, &ProofLimits::default());
    assert!(matches!(verdict, Verdict::Wins(win) if win.plies == 3), "{text}");
    let sized = GenerateRequest { size: Some((6, 6)), ..request(1) };
    assert!(Siam.generate(&sized).is_err());
}

#[test]
fn the_numbered_board_looks_like_the_course_program() {
    let rules = Rules::new(Level::parse("W..../...../.MMM./..e../..... R 10").unwrap(), RuleSet::Course);
    let expected = "\
+----+----+----+----+----+
| Ew | 52 | 53 | 54 | 55 |
+----+----+----+----+----+
| 41 | 42 | 43 | 44 | 45 |
+----+----+----+----+----+
| 31 | /\\ | /\\ | /\\ | 35 |
+----+----+----+----+----+
| 21 | 22 | Re | 24 | 25 |
+----+----+----+----+----+
| 11 | 12 | 13 | 14 | 15 |
+----+----+----+----+----+
elephants in hand: 4
rhinos in hand: 4
";
    assert_eq!(original_text(&rules.start()), expected);
    let scene = Siam::draw(&rules, &rules.start(), &Siam::piece_ids(&rules, &rules.start()));
    assert_eq!((scene.tiles.len(), scene.pieces.len()), (25, 5));
    assert_eq!(scene.pieces.iter().find(|piece| piece.sprite.name == "elephant").unwrap().at, (0, 0));
}

#[test]
fn threats_are_drawn() {
    let rules = Rules::new(Level::parse("...../...../...../..S../..M.. R 10").unwrap(), RuleSet::Official);
    let marks = Siam::overlay(&rules, &rules.start(), "threats");
    assert_eq!(marks.iter().map(|mark| mark.at).collect::<Vec<_>>(), [(2, 3), (2, 4)]);
}

#[test]
fn a_blunder_is_marked() {
    let position = "....E/EW..w/.MMs./..wME/S.s.. R 35";
    let text = format!("; position: {position}\n1. 0-12n");
    let record = Record::parse(&text).unwrap();
    let marks = record.mark(20_000);
    assert_eq!(marks.len(), 1);
    assert_eq!((marks[0].better.to_string().as_str(), marks[0].sign()), ("34-24s", "??"));
    assert!(record.write(&marks).contains("0-12n??"));
    assert_eq!(Record::parse(&record.write(&marks)).unwrap(), record, "marks do not change a game");
}

#[test]
fn a_file_may_hold_many_positions() {
    let text = format!("; title: one\n{START}\n\n; title: two\n; cap: 9\n{START}\n");
    let levels = Siam.split(&text);
    let titles: Vec<_> = levels.iter().map(|(title, _)| title.as_deref()).collect();
    assert_eq!(titles, [Some("one"), Some("two")]);
    assert_eq!(Level::parse(&levels[1].1).unwrap().cap, 9);
}

#[test]
fn malformed_positions_have_clear_errors() {
    for (text, message) in [
        ("", "the level is empty: it has no rows"),
        ("...../...../.MMM./..... E 0", "line 1: a position has five rows separated by `/`, this one has 4"),
        ("...../...../.MMM./...../.... E 0", "line 1, column 29: this row has 4 squares, it should have 5"),
        ("...../....../.MMM./...../..... E 0", "line 1, column 12: this row has 6 squares, it should have 5"),
        ("M..../...../.MMM./...../..... E 0", "line 1, column 16: there are more than 3 mountains"),
        ("EEEEE/E..../.MMM./...../..... E 0", "line 1, column 7: there are more than 5 elephants"),
        ("...../...../.MMM./...../..... X 0", "line 1: `X` is not a side: E or R"),
        ("...../...../.MMM./...../..... E -1", "line 1: `-1` is not a number of plies from 0 to 65535"),
        (
            "...../...../.MMM./...../.....",
            "line 1: after the rows come the side to move and the plies played, such as `E 0`",
        ),
        (
            ".....\n.....\n.MMM.",
            "a position is one line, or five rows and a line with the side to move; this one has 3 lines",
        ),
        (
            "; animals: 9\n...../...../.MMM./...../..... E 0",
            "line 1: `animals` must be a number from 1 to 5, not `9`",
        ),
    ] {
        assert_eq!(Level::parse(text).unwrap_err().to_string(), message, "{text}");
    }
    assert!(Board::parse(".....\n.....\n.MMM.\n.....\n.....\nE 0\n").is_ok(), "the drawn format");
    assert!(Siam.open(START, "chess").is_err());
}

#[test]
fn the_benchmark_measures_and_its_signature_repeats() {
    let bench = Siam.bench(0.0);
    assert_eq!(bench.signature, Siam.bench(0.0).signature);
    assert!(bench.measures.iter().all(|measure| measure.count > 0));
}

/// The pieces of a scene by their numbers: cell and look.
fn pieces(scene: &Scene) -> BTreeMap<u32, (Point, Sprite)> {
    let pieces: BTreeMap<_, _> =
        scene.pieces.iter().map(|piece| (piece.id, (piece.at, piece.sprite))).collect();
    assert_eq!(pieces.len(), scene.pieces.len(), "numbers are unique");
    pieces
}

#[test]
fn pieces_keep_their_numbers() {
    let level = Siam.open(START, "official").unwrap();
    let (mut pushes, mut pushed_off) = (0, 0);
    for seed in 0..40 {
        let (mut table, mut rng) = (level.table(1, 0), Rng::new(seed));
        let mut retired = HashSet::new();
        for _ in 0..200 {
            let Some(action) = rng.choose(&table.legal()).cloned() else { break };
            let before = pieces(&table.draw());
            table.act(&action).unwrap();
            let after = pieces(&table.draw());
            let action = Move::parse(&action).unwrap();
            let new: Vec<&u32> = after.keys().filter(|id| !before.contains_key(id)).collect();
            assert_eq!(new.len(), usize::from(action.from().is_none()), "{action}: an animal enters or not");
            assert!(new.iter().all(|id| !retired.contains(*id)), "{action}: a number is used again");
            let gone: Vec<u32> = before.keys().copied().filter(|id| !after.contains_key(id)).collect();
            let moved: Vec<u32> = before
                .keys()
                .copied()
                .filter(|id| after.get(id).is_some_and(|now| now.0 != before[id].0))
                .collect();
            let leaves = action.to().is_none();
            assert!(gone.len() <= 1 && (!leaves || gone.len() == 1), "{action}: {gone:?} are gone");
            let pushing = moved.len() + usize::from(!leaves) * gone.len() + new.len() > 1;
            for id in &moved {
                let ((was, look), (is, now)) = (before[id], after[id]);
                assert_eq!(look.name, now.name, "{action}");
                let step = (i32::from(is.0) - i32::from(was.0), i32::from(is.1) - i32::from(was.1));
                assert_eq!(step.0.abs() + step.1.abs(), 1, "{action}: {id} jumps from {was:?} to {is:?}");
                if pushing {
                    let (dx, dy) = action.facing().delta();
                    assert_eq!(step, (i32::from(dx), i32::from(dy)), "{action}: {id} is pushed along");
                    assert!(look == now, "{action}: who is pushed does not turn");
                }
            }
            pushes += u32::from(pushing);
            pushed_off += u32::from(pushing && !gone.is_empty());
            retired.extend(gone);
        }
    }
    assert!(pushes > 100 && pushed_off > 20, "{pushes} pushes, {pushed_off} pieces pushed off");
}

#[test]
fn a_plan_is_ready_at_the_deadline_or_not_at_all() {
    let pack = Siam::INFO.packs.iter().find(|pack| pack.name == "puzzles").unwrap();
    for (name, text) in pack.levels.iter().skip(12) {
        let rules = Arc::new(<Siam as Levels>::open(text, "official").unwrap());
        let time = Duration::from_millis(60);
        // A busy machine may delay a thread by more than the grace.
        let in_time = (0..6).any(|_| {
            let started = Instant::now();
            Siam::solve(&rules, &rules.start(), &SolveOptions { time, ..SolveOptions::default() }, &|_| {});
            started.elapsed() <= time + Duration::from_millis(50)
        });
        assert!(in_time, "puzzle {name}");
    }
}
