//! Lets our course player play maps with many seeds and says how often it wins, and in how many rounds:
//!
//! ```text
//! cargo run --release -p damier-loderunner --example course 1000 MAP…
//! ```
//!
//! The player remembers nothing from round to round, so it is asked once for each position, and many games cost little more than
//! one. A map on which chance has no say takes one game.

use std::process::ExitCode;
use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Turn};
use damier_core::game::{Game, Outcome, Status};
use damier_core::insight::Insight;
use damier_kit::table::AnyGame;
use damier_kit::time::start_clock;
use damier_loderunner::agents::planner::CourseAgent;
use damier_loderunner::course::State;
use damier_loderunner::{Action, Level, LodeRunner, Observation, RuleSet, Rules};
use rustc_hash::FxHashMap;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seeds, maps @ ..] = &arguments[..] else {
        eprintln!("usage: course SEEDS MAP…");
        return ExitCode::from(2);
    };
    let seeds: u64 = seeds.parse().expect("a number of seeds");
    for map in maps {
        let text = std::fs::read_to_string(map).expect("the map can be read");
        let mut player = Player::new(&text);
        let (mut won, mut rounds) = (0u32, 0u32);
        for seed in 1..=seeds {
            match player.play(seed) {
                Ok(turns) => (won, rounds) = (won + 1, rounds + turns),
                Err(reason) => println!("{map} seed {seed}: {reason}"),
            }
        }
        println!(
            "{map}: {won} of {seeds} won, {:.2} rounds, {} positions",
            f64::from(rounds) / f64::from(won),
            player.actions.len()
        );
    }
    ExitCode::SUCCESS
}

struct Player {
    rules: Arc<Rules>,
    text: String,
    agent: CourseAgent,
    /// What it does in the positions that it was asked about, as they are seen.
    actions: FxHashMap<State, Action>,
}

impl Player {
    fn new(text: &str) -> Self {
        let level = Level::parse(text, RuleSet::Course).expect("the map is well formed");
        let rules = Arc::new(Rules::new(level));
        let agent = CourseAgent::new(Arc::clone(&rules)).expect("it plays course maps");
        Self { rules, text: text.to_owned(), agent, actions: FxHashMap::default() }
    }

    /// Plays one game; the rounds of a win, or how it ended.
    fn play(&mut self, seed: u64) -> Result<u32, String> {
        let open = LodeRunner.open(&self.text, "course").expect("the map is well formed");
        let mut chance = open.chance(seed, 0);
        let mut state = self.rules.start();
        for number in 1..=LodeRunner.info().turn_limit {
            let action = self.act(&state, number);
            self.rules.apply(&mut state, action, &mut chance);
            match self.rules.status(&state) {
                Status::Over(over) if over.outcome(0) == Outcome::Win => return Ok(number),
                Status::Over(over) => return Err(format!("{} in round {number}", over.reason)),
                Status::ToMove(_) => {}
            }
        }
        Err("turn limit".to_owned())
    }

    fn act(&mut self, state: &damier_loderunner::State, number: u32) -> Action {
        let observation = self.rules.observe(state, 0);
        let Observation::Course(view) = &observation else { unreachable!("a course map") };
        if let Some(&action) = self.actions.get(&view.state) {
            return action;
        }
        let mut legal = Vec::new();
        self.rules.legal(state, &mut legal);
        let clock = start_clock(Budget::default());
        let turn = Turn { seat: 0, number, observation: &observation, legal: &legal, clock: &clock };
        let action = self.agent.act(&turn, &mut Insight::unwanted());
        self.actions.insert(view.state, action);
        action
    }
}
