//! Laws of interactive sessions, on a game of two seats: a human at the first, an agent at the second.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use damier_core::agent::{Budget, Clock};
use damier_core::game::{Outcome, Seat};
use damier_core::insight::Insight;
use damier_games::GAMES;
use damier_host::session::Work;
use damier_host::{Contestant, Executor, ForeignAgent, Session, Setup, Terms, games, levels, replays};
use damier_kit::fault::{Fault, FaultCode, Leave};
use damier_kit::{AnyGame, Info, OpenLevel, Seated, Table};

/// Jobs that wait until the test runs them, so that the test controls what happens in between.
#[derive(Clone, Default)]
struct Jobs(Arc<Mutex<Vec<Work>>>);

impl Jobs {
    fn executor(&self) -> Executor {
        let jobs = self.clone();
        let push = move |work| {
            jobs.0.lock().unwrap().push(work);
            Ok(())
        };
        Executor::new(push, || {})
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn run(&self) {
        let jobs = std::mem::take(&mut *self.0.lock().unwrap());
        for job in jobs {
            // A panic ends a job, not the thread that runs it.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }
}

/// Behaviour of the scripted agent at its turn.
#[derive(Clone, Copy, Debug)]
enum Habit {
    First,
    Fault,
    Resign,
    Panic,
}

/// A foreign agent that counts how often it starts up.
#[derive(Debug)]
struct Scripted {
    habit: Habit,
    startups: AtomicUsize,
}

impl Seated for Habit {
    fn play(&mut self, table: &mut dyn Table, _: &Clock, insight: &mut Insight) -> Result<(), Leave> {
        match self {
            Self::First => {
                insight.text = "the first legal action".into();
                let first = table.legal().remove(0);
                Ok(table.act(&first)?)
            }
            Self::Fault => Err(Fault::new(FaultCode::Timeout, "no answer").into()),
            Self::Resign => Err(Leave::Resign("hopeless".into())),
            Self::Panic => panic!("no idea"),
        }
    }
}

impl ForeignAgent for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn game(&self) -> Option<&str> {
        None
    }

    fn prepare(&self, _: &Terms) -> Result<(), Fault> {
        Ok(())
    }

    fn sit(
        self: Arc<Self>,
        _: &'static Info,
        _: &dyn OpenLevel,
        _: Seat,
        _: &Terms,
    ) -> Result<Box<dyn Seated>, Fault> {
        self.startups.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(self.habit))
    }
}

fn game() -> &'static dyn AnyGame {
    games::find(GAMES, "siam").unwrap()
}

fn setup(players: Vec<Option<Contestant>>, jobs: &Jobs) -> Setup {
    let rules = games::rule_set(game().info(), None).unwrap();
    let level = levels::find_one(game(), None, rules).unwrap();
    Setup {
        info: game().info(),
        open: Arc::from(levels::open(game(), &level, rules).unwrap()),
        level_name: level.name,
        seed: 7,
        players,
        terms: Terms::of_budget(Budget { time: None, nodes: Some(200) }),
        executor: jobs.executor(),
    }
}

fn scripted(habit: Habit) -> Arc<Scripted> {
    Arc::new(Scripted { habit, startups: AtomicUsize::new(0) })
}

/// A human against an agent.
fn against(habit: Habit, jobs: &Jobs) -> Session {
    Session::new(setup(vec![None, Some(Contestant::Foreign(scripted(habit)))], jobs)).unwrap()
}

/// Two humans.
fn humans() -> Session {
    Session::new(setup(vec![None, None], &Jobs::default())).unwrap()
}

/// Plays the legal action of this number and returns its name.
fn act(session: &mut Session, number: usize) -> String {
    let action = session.table().legal().swap_remove(number);
    session.act(&action);
    assert_eq!(session.complaint, None);
    action
}

fn actions(session: &Session) -> Vec<String> {
    (1..session.moments()).map(|moment| session.decision_at(moment).unwrap().action.clone()).collect()
}

/// The hash of the state after these actions.
fn hash_after(session: &Session, actions: &[String]) -> u64 {
    let setup = session.setup();
    let mut table = setup.open.table(setup.seed, 0);
    for action in actions {
        table.act(action).unwrap();
    }
    table.hash()
}

#[test]
fn a_legal_action_is_played_and_an_illegal_one_changes_nothing() {
    let mut session = humans();
    let before = session.table().hash();
    session.act("jump");
    assert!(session.complaint.is_some());
    assert_eq!((session.moments(), session.table().hash()), (1, before));
    let played = act(&mut session, 3);
    assert_eq!(session.position(), (1, 1));
    assert_eq!(session.last_decision().unwrap().action, played);
    assert_eq!(session.table().hash(), hash_after(&session, &[played]));
}

#[test]
fn an_action_in_the_past_replaces_the_future() {
    let mut session = humans();
    let first = act(&mut session, 0);
    act(&mut session, 1);
    act(&mut session, 2);
    session.undo();
    session.undo();
    assert_eq!(session.position(), (1, 3), "undo only shows the past");
    let other = act(&mut session, 5);
    assert_eq!(session.position(), (2, 2));
    assert_eq!(actions(&session), [first.clone(), other.clone()]);
    assert_eq!(session.table().hash(), hash_after(&session, &[first, other]));
}

#[test]
fn agents_think_only_when_asked_and_undo_goes_back_to_the_human() {
    let jobs = Jobs::default();
    let mut session = against(Habit::First, &jobs);
    assert_eq!(jobs.count(), 0);
    let own = act(&mut session, 0);
    assert_eq!((jobs.count(), session.thinking_seat()), (1, Some(1)));
    assert!(!session.receive(), "it has not answered yet");
    jobs.run();
    assert!(session.receive());
    assert_eq!((session.moments(), session.thinking_seat()), (3, None));
    assert_eq!(session.decision_at(2).unwrap().insight.text, "the first legal action");
    session.go_to_end();
    session.undo();
    assert_eq!(session.position(), (0, 2));
    assert!(session.human_to_move());
    assert_eq!(actions(&session)[0], own);
}

#[test]
fn an_answer_to_a_moment_that_was_replaced_is_dropped() {
    let jobs = Jobs::default();
    let mut session = against(Habit::First, &jobs);
    act(&mut session, 0);
    session.undo();
    let other = act(&mut session, 4);
    assert_eq!(jobs.count(), 1, "one decision at a time");
    jobs.run();
    assert!(session.receive());
    assert_eq!(actions(&session), [other.as_str()], "the answer was about another moment");
    assert_eq!(jobs.count(), 1, "the agent is asked again");
    jobs.run();
    assert!(session.receive());
    assert_eq!(session.moments(), 3);
    let played = actions(&session);
    assert_eq!(session.table_at(2).hash(), hash_after(&session, &played));
}

#[test]
fn a_hint_is_shown_where_it_was_asked_for_and_nowhere_else() {
    let jobs = Jobs::default();
    let mut session = Session::new(setup(vec![None, None], &jobs)).unwrap();
    act(&mut session, 0);
    session.ask_for_hint();
    assert!(session.is_thinking());
    jobs.run();
    assert!(session.receive());
    let hint = session.hint().expect("it was asked for here").to_owned();
    assert!(session.table().legal().contains(&hint));
    act(&mut session, 0);
    assert_eq!(session.hint(), None, "the game has moved on");
    session.undo();
    assert_eq!(session.hint(), Some(&*hint), "and back");
    session.go_to_start();
    act(&mut session, 1);
    assert_eq!(session.position(), (1, 1));
    assert_eq!(session.hint(), None, "this is another position, at the same place");
    assert_eq!(session.take_hint().map(|hint| hint.about), Some(1));
    assert!(session.take_hint().is_none());
}

#[test]
fn an_agent_that_gives_up_loses_without_a_fault() {
    let jobs = Jobs::default();
    let mut session = against(Habit::Resign, &jobs);
    act(&mut session, 0);
    jobs.run();
    assert!(session.receive());
    let end = session.end().expect("the game is over");
    assert_eq!((&*end.reason, end.outcome, &end.fault), ("it gave up: hopeless", Outcome::Win, &None));
    assert_eq!(session.complaint.as_deref(), Some("the agent gave up: hopeless"));
    session.replay_to(1, 100).unwrap().verify(game()).unwrap();
}

#[test]
fn a_fault_ends_the_game_until_the_human_plays_otherwise() {
    let jobs = Jobs::default();
    let mut session = against(Habit::Fault, &jobs);
    act(&mut session, 0);
    jobs.run();
    assert!(session.receive());
    let (seat, fault) = session.end().and_then(|end| end.fault.clone()).expect("its fault ended the game");
    assert_eq!((seat, fault.code), (1, FaultCode::Timeout));
    assert!(session.complaint.as_deref().unwrap().contains("no answer"));
    session.think_at_newest();
    assert_eq!(jobs.count(), 0, "the game is over");
    let replay = session.replay_to(1, 100).unwrap();
    assert_eq!(replay.end.as_ref(), session.end());
    replay.verify(game()).unwrap();
    session.go_to_start();
    act(&mut session, 1);
    assert!(session.end().is_none());
    assert_eq!(jobs.count(), 1, "the agent is asked again");
}

#[test]
fn the_human_takes_over_the_seat_of_an_agent_that_panics() {
    let jobs = Jobs::default();
    let mut session = against(Habit::Panic, &jobs);
    act(&mut session, 0);
    jobs.run();
    assert!(session.receive());
    assert!(session.complaint.as_deref().unwrap().contains("crashed"));
    assert!(session.human_moves_at(1));
    session.go_forward();
    act(&mut session, 0);
    assert_eq!(session.moments(), 3);
}

#[test]
fn a_replay_comes_back_as_it_was_and_its_players_do_not_act() {
    let jobs = Jobs::default();
    let mut session = against(Habit::First, &jobs);
    for number in [0, 3] {
        act(&mut session, number);
        jobs.run();
        session.receive();
        session.go_to_end();
    }
    let replay = session.to_replay(100).unwrap();
    assert_eq!(replay.start.agents, ["human", "scripted"]);
    replay.verify(game()).unwrap();
    let kept = replays::unpack("kept", &replays::pack(&replay).unwrap()).unwrap();
    assert_eq!(kept, replay);
    let named = |name: &String| Some(Contestant::built_in(name));
    let players = kept.start.agents.iter().map(named).collect();
    let mut again = Session::from_replay(setup(players, &jobs), &kept).unwrap();
    assert!(again.is_record());
    let hashes = |session: &Session| -> Vec<u64> {
        (0..session.moments()).map(|moment| session.table_at(moment).hash()).collect()
    };
    assert_eq!(hashes(&again), hashes(&session));
    again.act(&again.table().legal()[0].clone());
    again.let_agents_think();
    again.restart(9).unwrap();
    assert_eq!((hashes(&again), jobs.count()), (hashes(&session), 0));
    assert_eq!(again.replay_to(4, 100).unwrap(), replay);
}

#[test]
fn lazy_agents_start_up_at_their_first_turn_and_once() {
    let jobs = Jobs::default();
    let agent = scripted(Habit::First);
    let players = vec![None, Some(Contestant::Foreign(agent.clone()))];
    let mut session = Session::with_lazy_agents(setup(players, &jobs));
    let startups = || agent.startups.load(Ordering::Relaxed);
    act(&mut session, 0);
    assert_eq!(startups(), 0);
    for _ in 0..2 {
        jobs.run();
        session.receive();
        session.go_to_end();
        // Only built-in agents are dropped while idle.
        session.drop_idle_agents();
        act(&mut session, 0);
    }
    assert_eq!(startups(), 1);
}

#[test]
fn starting_over_forgets_the_game() {
    let jobs = Jobs::default();
    let mut session = against(Habit::First, &jobs);
    act(&mut session, 0);
    session.restart(8).unwrap();
    assert_eq!((session.moments(), session.setup().seed, session.thinking_seat()), (1, 8, None));
    jobs.run();
    assert!(!session.receive(), "the answer to the old game is cancelled");
    assert_eq!(session.moments(), 1);
}
