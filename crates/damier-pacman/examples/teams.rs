//! How often each Pacman wins against each team of ghosts, on generated mazes under the rule set `report`.
//!
//! ```text
//! cargo run --release -p damier-pacman --example teams -- MAZES [PACMAN,…] [TEAM,…] [bare]
//! ```
//!
//! `bare` takes the potions away: then two good hunters are enough.

use std::sync::Arc;
use std::time::{Duration, Instant};

use damier_core::agent::{Agent, Budget, Clock, Turn};
use damier_core::game::{Game, Status};
use damier_core::insight::Insight;
use damier_core::kit::{GenerateRequest, Kit};
use damier_core::random::Smallest;
use damier_pacman::Pacman;
use damier_pacman::rules::Rules;

const TURN_LIMIT: u32 = 2_000;

/// The games of one pairing.
#[derive(Default)]
struct Tally {
    won: u32,
    lost: u32,
    limit: u32,
    turns_of_wins: u32,
    pellets_left: u32,
    decisions: u32,
    thought: Duration,
    longest: Duration,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, usual: &str| arguments.get(index).map_or(usual, String::as_str).to_owned();
    let mazes: u64 = argument(0, "20").parse().expect("the number of mazes");
    let (pacmen, teams) =
        (argument(1, "best,baseline"), argument(2, "original,ambush,pincer,guard,team,random"));
    let bare = arguments.iter().any(|argument| argument == "bare");
    println!("pacman     ghosts     won  lost limit  turns a win  left a loss  ms a move (longest)");
    for (pacman, team) in
        pacmen.split(',').flat_map(|pacman| teams.split(',').map(move |team| (pacman, team)))
    {
        let mut tally = Tally::default();
        for seed in 1..=mazes {
            play(&Arc::new(maze(seed, bare)), [pacman, team], seed, &mut tally);
        }
        print(pacman, team, &tally);
    }
}

fn maze(seed: u64, bare: bool) -> Rules {
    let request = GenerateRequest { seed, difficulty: None, size: None, rules: "report" };
    let text = Pacman::generate(&request).expect("the usual size can be made");
    let rows = text.lines().filter(|line| !line.starts_with(';'));
    let text: String =
        rows.map(|row| if bare { row.replace('o', ".") } else { row.to_owned() } + "\n").collect();
    Pacman::open(&text, "report").expect("generated mazes are well formed")
}

fn play(rules: &Arc<Rules>, names: [&str; 2], seed: u64, tally: &mut Tally) {
    let agent = |seat: usize| Pacman::agent(rules, names[seat], seat, seed).expect("a known agent");
    let mut agents: [Box<dyn Agent<Rules>>; 2] = [agent(0), agent(1)];
    let (mut state, mut legal) = (rules.start(), Vec::new());
    while let Status::ToMove(seat) = rules.status(&state) {
        if state.figures.turn > TURN_LIMIT {
            tally.limit += 1;
            return;
        }
        rules.legal(&state, &mut legal);
        let (number, observation) = (state.figures.turn, rules.observe(&state, seat));
        let clock = Clock::start(Budget::default());
        let turn = Turn { seat, number, observation: &observation, legal: &legal, clock: &clock };
        let started = Instant::now();
        let action = agents[seat].act(&turn, &mut Insight::unwanted());
        if seat == 0 {
            let took = started.elapsed();
            tally.decisions += 1;
            tally.thought += took;
            tally.longest = tally.longest.max(took);
        }
        rules.apply(&mut state, action, &mut Smallest);
    }
    if matches!(rules.status(&state), Status::Over(outcome) if outcome.seen_from(0) == "win") {
        tally.won += 1;
        tally.turns_of_wins += state.figures.turn;
    } else {
        tally.lost += 1;
        tally.pellets_left += u32::from(state.figures.pellets_left);
    }
}

fn print(pacman: &str, team: &str, tally: &Tally) {
    let mean = |sum: u32, count: u32| f64::from(sum) / f64::from(count.max(1));
    println!(
        "{pacman:10} {team:10} {:3}  {:4} {:5}  {:11.0}  {:11.0}  {:9.2} ({:.0})",
        tally.won,
        tally.lost,
        tally.limit,
        mean(tally.turns_of_wins, tally.won),
        mean(tally.pellets_left, tally.lost),
        tally.thought.as_secs_f64() * 1e3 / f64::from(tally.decisions.max(1)),
        tally.longest.as_secs_f64() * 1e3,
    );
}
