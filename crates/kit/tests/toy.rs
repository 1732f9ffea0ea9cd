//! A complete little game, to prove what every front end relies on: a tug of war with slippery ground.
//!
//! ```text
//! <..o..>     two seats pull the token `o` in turn; one step left for seat 0, right for seat 1, two if the ground is slippery
//! ```

use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Clock, Random};
use damier_core::game::{Facts, Game, GameOver, Illegal, Outcome, Seat, Status, Verdict};
use damier_core::grid::Size;
use damier_core::level::{LevelError, LevelText};
use damier_core::random::{Chance, zobrist};
use damier_kit::AnyGame;
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::{Move, Replay, ReplayError, Start};
use damier_kit::review::{Moment, Played, Remark, Review, kind};
use damier_kit::scene::{Colour, Scene, Sprite};
use damier_kit::time::start_clock;
use damier_kit::{
    ActionOf, AgentInfo, Bench, Draw, Generate, GenerateRequest, Info, Kit, Levels, Named, Pack, Report,
    Reviewer, Solution, Solve, SolveOptions, Style, Trace,
};
use serde_json::{Value, json};

struct Rope {
    length: i32,
    start: i32,
}

#[derive(Clone, Debug, PartialEq)]
struct Token {
    at: i32,
    to_move: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pull {
    Gently,
    Hard,
}

impl Game for Rope {
    type State = Token;
    type Action = Pull;
    type Observation = i32;

    fn facts(&self) -> Facts {
        Facts { seats: &["left", "right"], chance: true, perfect_information: true }
    }

    fn start(&self) -> Token {
        Token { at: self.start, to_move: 0 }
    }

    fn status(&self, token: &Token) -> Status {
        let won = |seat| Status::Over(GameOver { verdict: Verdict::Won(seat), reason: "pulled over" });
        match token.at {
            at if at <= 0 => won(0),
            at if at >= self.length => won(1),
            _ => Status::ToMove(token.to_move),
        }
    }

    fn legal(&self, token: &Token, actions: &mut Vec<Pull>) {
        actions.clear();
        if matches!(self.status(token), Status::ToMove(_)) {
            actions.extend([Pull::Gently, Pull::Hard]);
        }
    }

    fn check(&self, _: &Token, _: Pull) -> Result<(), Illegal> {
        Ok(())
    }

    fn apply<C: Chance + ?Sized>(&self, token: &mut Token, pull: Pull, chance: &mut C) {
        let steps = 1 + if pull == Pull::Hard { chance.below(2) as i32 } else { 0 };
        token.at += if token.to_move == 0 { -steps } else { steps };
        token.to_move = 1 - token.to_move;
    }

    fn hash(&self, token: &Token) -> u64 {
        zobrist(1, token.at as u64) ^ zobrist(2, token.to_move as u64)
    }

    fn score(&self, token: &Token, _: Seat) -> i64 {
        i64::from(token.at)
    }

    fn observe(&self, token: &Token, _: Seat) -> i32 {
        token.at
    }

    fn action_name(&self, pull: Pull) -> String {
        if pull == Pull::Hard { "hard" } else { "gently" }.to_owned()
    }

    fn parse_action(&self, _: &Token, name: &str) -> Result<Pull, Illegal> {
        match name {
            "gently" => Ok(Pull::Gently),
            "hard" => Ok(Pull::Hard),
            _ => Err(Illegal(format!("`{name}` is neither gently nor hard"))),
        }
    }
}

struct Tug;

impl Levels for Tug {
    type Game = Rope;

    const INFO: Info = Info {
        name: "tug",
        title: "Tug of war",
        about: "Pull the token over your end of the rope.",
        rules: &[Named { name: "plain", about: "the only ones" }],
        agents: &[AgentInfo { name: "random", about: "pulls by chance", seats: &[0, 1] }],
        formats: &[Named { name: "rope", about: "the only one" }],
        brushes: &[],
        packs: &[Pack { name: "ropes", about: "some ropes", levels: &[("short", "<..o..>\n")] }],
        styles: &[Style { name: "modern", about: "the only one", pieces: &[], keys: &[] }],
        overlays: &[],
        tick_ms: None,
        idle: None,
        suite: "",
        door: &[],
        page: &[],
        turn_limit: 1000,
    };

    fn open(text: &str, _rules: &str) -> Result<Rope, LevelError> {
        let level = LevelText::parse(text)?;
        let length = level.width()?;
        let row = &level.rows[0];
        let start = row.text.find('o').ok_or_else(|| LevelError::at(row.line, 1, "there is no token"))?;
        Ok(Rope { length: length as i32 - 1, start: start as i32 })
    }

    fn print(rope: &Rope, _format: &str) -> Result<String, LevelError> {
        let cell = |at| match at {
            0 => '<',
            at if at == rope.length => '>',
            at if at == rope.start => 'o',
            _ => '.',
        };
        Ok((0..=rope.length).map(cell).chain(['\n']).collect())
    }
}

impl Draw for Tug {
    fn draw(rope: &Rope, _: &Token, _ids: &[u32]) -> Scene {
        let size = Size::new(rope.length as u16 + 1, 1);
        let tiles = vec![Sprite::new("rope", "· ", ". ", Colour::Plain); size.area()];
        Scene { size, tiles, pieces: Vec::new(), walls: Vec::new(), labels: Vec::new() }
    }
}

impl Solve for Tug {
    fn solve(_: &Arc<Rope>, _: &SolveOptions, _: &dyn Fn(&str)) -> Solution<ActionOf<Self>> {
        Solution::unknown(0)
    }

    fn check(_: &Arc<Rope>, _: &SolveOptions, _: &dyn Fn(&str)) -> Report {
        unreachable!("these tests check no level")
    }
}

impl Generate for Tug {
    fn generate(_: &GenerateRequest) -> Result<String, String> {
        Err("ropes are found, not made".into())
    }
}

impl Trace for Tug {
    fn state_json(_: &Rope, token: &Token) -> Value {
        json!({"at": token.at})
    }
}

impl Kit for Tug {
    const REVIEW: Option<Reviewer<Self::Game>> = Some(review);

    fn agent(_: &Arc<Rope>, name: &str, _: Seat, seed: u64) -> Option<Box<dyn Agent<Rope>>> {
        (name == "random").then(|| Box::new(Random::new(seed)) as Box<dyn Agent<Rope>>)
    }

    fn bench(_: f64) -> Bench {
        unreachable!("these tests measure nothing")
    }
}

/// Remarks on every hard pull that did not get further than a gentle one would have.
fn review(rope: &Arc<Rope>, played: &Played<Rope>, _: &Clock, _: &dyn Fn(&str)) -> Option<Review> {
    let remark = |(index, moment): (usize, &Moment<Rope>)| {
        let after = |pull| {
            let (mut token, mut chance) = (moment.state.clone(), moment.chance.clone());
            rope.apply(&mut token, pull, &mut chance);
            token
        };
        (moment.action == Pull::Hard && after(Pull::Hard) == after(Pull::Gently)).then(|| Remark {
            number: index + 1,
            seat: moment.seat,
            action: rope.action_name(moment.action),
            kind: kind::MISTAKE.into(),
            text: "it slipped".into(),
            instead: vec!["gently".into()],
        })
    };
    let remarks = played.moments.iter().enumerate().filter_map(remark).collect();
    let text = format!("it ended at {}", played.end.at);
    (!played.moments.is_empty()).then_some(Review { text, remarks })
}

static TUG: Tug = Tug;
const LONG_ROPE: &str = "<.............o.............>\n";

fn play(seed: u64) -> Replay {
    let level = TUG.open(LONG_ROPE, "plain").unwrap();
    let mut replay = Replay::new(Start {
        engine: "test".into(),
        game: "tug".into(),
        rules: "plain".into(),
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
    assert!(read.moves[0].insight.text.contains("by chance"));
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
    let mut table = TUG.open("<..o..>", "plain").unwrap().table(1, 0);
    let before = table.hash();
    assert_eq!(table.act("sideways"), Err(Illegal("`sideways` is neither gently nor hard".into())));
    assert_eq!((table.hash(), table.turns(), table.last_action()), (before, 0, None));
}

#[test]
fn a_copy_goes_its_own_way() {
    let table = TUG.open("<..o..>", "plain").unwrap().table(1, 0);
    let mut copy = table.copy();
    copy.act("gently").unwrap();
    assert_eq!((table.score(0), copy.score(0)), (3, 2));
}

#[test]
fn a_game_over_takes_no_more_actions() {
    let mut table = TUG.open("<o..>", "plain").unwrap().table(1, 0);
    table.act("gently").unwrap();
    assert!(matches!(table.status(), Status::Over(_)));
    assert!(table.legal().is_empty());
    assert!(table.act("gently").is_err());
}

#[test]
fn the_turn_limit_ends_a_game() {
    let level = TUG.open(LONG_ROPE, "plain").unwrap();
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
    let level = TUG.open(LONG_ROPE, "plain").unwrap();
    let actions: Vec<String> = replay.moves.iter().map(|step| step.action.clone()).collect();
    let clock = start_clock(Budget::default());
    let review = level.review(replay.start.seed, &actions, &clock, &|_| {}).unwrap().unwrap();
    assert_eq!(review.text, format!("it ended at {}", replay.end.unwrap().scores[0]));
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
    let level = TUG.open("<..o..>", "plain").unwrap();
    let mut states = Vec::new();
    level.trace("gently, gently", 1, &mut |state| states.push(state)).unwrap();
    assert_eq!(states, [json!({"at": 3}), json!({"at": 2}), json!({"at": 3})]);
    assert!(level.trace("gently,up", 1, &mut |_| {}).is_err());
}
