//! What every front end relies on, proven with the smallest complete game: tables, replays, traces, reviews.

use damier_core::agent::Budget;
use damier_core::game::{Illegal, Outcome, Status};
use damier_kit::AnyGame;
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::{Move, Replay, ReplayError, Start};
use damier_kit::time::start_clock;
use damier_tug::Tug;
use serde_json::json;

static TUG: Tug = Tug;
const LONG_ROPE: &str = "<.............o.............>\n";

fn play(seed: u64) -> Replay {
    let level = TUG.open(LONG_ROPE, "slippery").unwrap();
    let mut replay = Replay::new(Start {
        engine: "test".into(),
        game: "tug".into(),
        rules: "slippery".into(),
        level: "long".into(),
        text: level.print("rope").unwrap(),
        seed,
        agents: vec!["random".into(); 2],
        turn_limit: 10_000,
    });
    let mut seats = [0, 1].map(|seat| level.agent("random", seat, seed).unwrap());
    let mut table = level.table(seed, 0);
    let limits = GameLimits { turns: 10_000, budget: Budget::default() };
    let finish = referee::play(table.as_mut(), &mut seats, &limits, true, &mut |decision: Decision<'_>| {
        replay.moves.push(Move { us: 0, ..Move::of(decision) });
    });
    assert!(matches!(finish, Finish::Over(_)));
    replay.end = Some(finish.end(table.as_ref(), 2, 0));
    replay
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    assert_eq!(play(1), play(1));
    assert_ne!(play(1).moves, play(2).moves);
}

#[test]
fn a_replay_survives_its_text_and_verifies() {
    let replay = play(3);
    let read = Replay::parse(&replay.to_json_lines()).unwrap();
    assert_eq!(read, replay);
    assert_eq!(read.verify(&TUG), Ok(()));
    assert!(read.moves[0].insight.text.contains("random choice"));
}

#[test]
fn every_change_of_a_replay_is_found() {
    let replay = play(4);
    let mut other_seed = replay.clone();
    other_seed.start.seed += 1;
    let mut other_action = replay.clone();
    other_action.moves[2].action =
        if replay.moves[2].action == "hard" { "gently".into() } else { "hard".into() };
    let mut other_seat = replay.clone();
    other_seat.moves[1].seat = 0;
    let mut other_end = replay.clone();
    other_end.end.as_mut().unwrap().scores[0] += 1;
    let mut longer = replay.clone();
    longer.moves.push(replay.moves[0].clone());
    let mut other_rules = replay.clone();
    other_rules.start.rules = "fancy".into();
    for changed in [other_seed, other_seat, other_end, longer, other_rules] {
        assert!(changed.verify(&TUG).is_err());
    }
    // A gentle pull and a hard one that does not slip lead to the same state, but never to the same chance afterwards.
    assert!(other_action.verify(&TUG).is_err());
}

#[test]
fn malformed_replays_name_the_line() {
    let text = play(5).to_json_lines();
    let first_line = text.lines().next().unwrap();
    let error = |text: &str| Replay::parse(text).unwrap_err().to_string();
    assert_eq!(Replay::parse(""), Err(ReplayError::Whole("the replay is empty".into())));
    assert!(error("{}").starts_with("line 1: "));
    assert!(error(&format!("{first_line}\n\n{first_line}\n")).contains("line 3: a second start line"));
    assert!(error(text.split_once('\n').unwrap().1).contains("must be the start line"));
    assert!(error(&format!("{text}{}", text.lines().nth(1).unwrap())).contains("after the end line"));
}

#[test]
fn old_replays_open_and_newer_ones_say_what_they_need() {
    let replay = play(7);
    let text = replay.to_json_lines();
    assert!(text.starts_with(r#"{"t":"start","format":1,"engine":"test","game":"tug""#), "{text}");
    let old = Replay::parse(&text.replacen(r#""format":1,"#, "", 1)).unwrap();
    assert_eq!((old.format, old.verify(&TUG)), (0, Ok(())));
    assert!(!old.to_json_lines().contains("format"), "an old replay stays what it is");
    let newer = Replay::parse(r#"{"t":"start","format":2,"engine":"damier 9.0.0","players":3}"#).unwrap_err();
    assert_eq!(
        newer.to_string(),
        "line 1: the replay has format 2, but this program reads formats up to 1; open it with damier 9.0.0"
    );
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut table = TUG.open("<..o..>", "slippery").unwrap().table(1, 0);
    let before = table.hash();
    assert_eq!(
        table.act("sideways"),
        Err(Illegal("`sideways` is not an action; the actions are gently and hard".into()))
    );
    assert_eq!((table.hash(), table.turns(), table.last_action()), (before, 0, None));
}

#[test]
fn a_copy_goes_its_own_way() {
    let table = TUG.open("<..o..>", "slippery").unwrap().table(1, 0);
    let mut copy = table.copy();
    copy.act("gently").unwrap();
    assert_eq!((table.score(0), copy.score(0)), (3, 4));
}

#[test]
fn a_game_over_takes_no_more_actions() {
    let mut table = TUG.open("<o..>", "slippery").unwrap().table(1, 0);
    table.act("gently").unwrap();
    assert!(matches!(table.status(), Status::Over(_)));
    assert!(table.legal().is_empty());
    assert!(table.act("gently").is_err());
}

#[test]
fn the_turn_limit_ends_a_game() {
    let level = TUG.open(LONG_ROPE, "slippery").unwrap();
    let mut seats = [0, 1].map(|seat| level.agent("random", seat, 1).unwrap());
    let limits = GameLimits { turns: 3, budget: Budget::default() };
    let mut table = level.table(1, 0);
    let finish = referee::play(table.as_mut(), &mut seats, &limits, false, &mut |decision: Decision<'_>| {
        assert!(decision.insight.is_empty(), "nobody wanted insight");
    });
    assert_eq!((finish.outcome(0), table.turns()), (Outcome::Limit, 3));
}

#[test]
fn a_review_sees_the_game_as_it_was_played() {
    let replay = play(6);
    let level = TUG.open(LONG_ROPE, "slippery").unwrap();
    let actions: Vec<String> = replay.moves.iter().map(|step| step.action.clone()).collect();
    let clock = start_clock(Budget::default());
    let review = level.review(replay.start.seed, &actions, &clock, &|_| {}).unwrap().unwrap();
    assert_eq!(review.text, format!("it ended at {}", replay.end.unwrap().scores[1]));
    let mut table = level.table(replay.start.seed, 0);
    for (index, action) in actions.iter().enumerate() {
        let (seat, before) = (index % 2, table.score(0));
        table.act(action).unwrap();
        let slipped = action == "hard" && (table.score(0) - before).abs() == 1;
        let remark = review.remarks.iter().find(|remark| remark.number == index + 1);
        assert_eq!(remark.map(|remark| remark.seat), slipped.then_some(seat));
    }
    assert!(level.review(1, &["up".to_owned()], &clock, &|_| {}).is_err());
}

#[test]
fn a_trace_has_one_state_more_than_actions() {
    let level = TUG.open("<..o..>", "slippery").unwrap();
    let mut states = Vec::new();
    level.trace("gently, gently", 1, &mut |state| states.push(state)).unwrap();
    let expected = [(3, 0), (2, 1), (3, 0)].map(|(at, to_move)| json!({"at": at, "to_move": to_move}));
    assert_eq!(states, expected);
    assert!(level.trace("gently,up", 1, &mut |_| {}).is_err());
}
