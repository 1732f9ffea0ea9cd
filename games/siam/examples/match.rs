//! A match between two players, from paired openings with both colours.
//!
//! ```text
//! cargo run --release -p damier-siam --example match -- FIRST SECOND [PAIRS] [SEED] [RULES]
//! ```
//!
//! A player is `original`, `random`, `sparring`, `level1` to `level6`, or the engine: `best:100ms`, `best:20000n` (nodes), with
//! weights of its own as `best:20000n:FILE`. Openings are random, of six plies, and judged as balanced by a short search.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Agent, Budget, Random, Turn};
use damier_core::game::{Game, Status, Verdict};
use damier_core::insight::Insight;
use damier_core::random::{Chance, Rng, Smallest};
use damier_kit::time::start_clock;
use damier_siam::action::Move;
use damier_siam::agents::{Leveled, Original, Sparring};
use damier_siam::board::Board;
use damier_siam::engine::{Engine, Question, SearchLimits};
use damier_siam::evaluate::{Evaluation, UNIT};
use damier_siam::level::Level;
use damier_siam::rules::{RuleSet, Rules, State};

const OPENING_PLIES: usize = 6;
const BALANCED: i32 = UNIT / 2;
const MEMORY: usize = 64 << 20;

enum Player {
    Engine(Box<Engine>, SearchLimits),
    Agent(Box<dyn Agent<Rules>>),
}

impl Player {
    fn new(name: &str, rules: &Arc<Rules>, seed: u64) -> Option<Self> {
        if let Some(setting) = name.strip_prefix("best:") {
            let (limit, file) =
                setting.split_once(':').map_or((setting, None), |(limit, file)| (limit, Some(file)));
            let limits = match (limit.strip_suffix("ms"), limit.strip_suffix('n')) {
                (Some(milliseconds), _) => {
                    SearchLimits::time(Duration::from_millis(milliseconds.parse().ok()?))
                }
                (_, Some(nodes)) => SearchLimits::nodes(nodes.parse().ok()?),
                _ => return None,
            };
            let engine = match file {
                None => Engine::new(MEMORY),
                Some(file) => {
                    let evaluation = Evaluation::from_bytes(&std::fs::read(file).ok()?)?;
                    Engine::with_evaluation(Arc::new(evaluation), MEMORY)
                }
            };
            return Some(Self::Engine(Box::new(engine), limits));
        }
        let rules = Arc::clone(rules);
        Some(Self::Agent(match name {
            "original" => Box::new(Original),
            "random" => Box::new(Random::new(seed)),
            "sparring" => Box::new(Sparring::new(rules, seed)),
            level => Box::new(Leveled::new(rules, level, seed)?),
        }))
    }

    fn choose(&mut self, rules: &Rules, state: &State, number: u32) -> Move {
        match self {
            Self::Engine(engine, limits) => {
                let past = state.past();
                let question = Question { past: &past, ..Question::new(rules.moves(), &state.board) };
                engine.answer(question, limits).best().expect("whoever is to move can move")
            }
            Self::Agent(agent) => {
                let mut legal = Vec::new();
                rules.legal(state, &mut legal);
                let clock = start_clock(Budget::default());
                let seat = rules.seat_of(state.board.side());
                let observation = rules.observe(state, seat);
                let turn = Turn { seat, number, observation: &observation, legal: &legal, clock: &clock };
                agent.act(&turn, &mut Insight::unwanted())
            }
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, rest @ ..] = &args[..] else { panic!("two players, then the number of pairs") };
    let pairs: u64 = rest.first().map_or(10, |pairs| pairs.parse().expect("a number of pairs"));
    let seed: u64 = rest.get(1).map_or(1, |seed| seed.parse().expect("a seed"));
    let set = rest.get(2).map_or(RuleSet::Official, |name| RuleSet::parse(name).expect("a rule set"));
    let mut judge = Engine::new(16 << 20);
    let (mut wins, mut draws, mut losses, mut plies) = (0, 0, 0, 0);
    for pair in 0..pairs {
        let mut rng = Rng::for_game(0x0A7C, seed, pair);
        let board = opening(&mut judge, set, &mut rng);
        let rules = Arc::new(Rules::new(Level::new(board), set));
        for colour in 0..2 {
            let name = |seat: usize| if seat == colour { first } else { second };
            let mut players = [0, 1].map(|seat| {
                Player::new(name(seat), &rules, pair * 2 + seat as u64)
                    .unwrap_or_else(|| panic!("no player {}", name(seat)))
            });
            let mut state = rules.start();
            let verdict = loop {
                match rules.status(&state) {
                    Status::Over(outcome) => break outcome.verdict,
                    Status::ToMove(seat) => {
                        let number = u32::from(state.played()) + 1;
                        let action = players[seat].choose(&rules, &state, number);
                        rules.apply(&mut state, action, &mut Smallest);
                    }
                }
            };
            plies += usize::from(state.played());
            match verdict {
                Verdict::Won(seat) if seat == colour => wins += 1,
                Verdict::Won(_) | Verdict::Lost => {
                    losses += 1;
                    eprintln!("lost from {board} as {}", rules.side_of(colour).name());
                }
                Verdict::Draw => draws += 1,
            }
        }
        eprintln!("pair {}: +{wins} ={draws} -{losses}", pair + 1);
    }
    let games = 2 * pairs;
    let share = (f64::from(wins) + 0.5 * f64::from(draws)) / games.max(1) as f64;
    let elo = -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{first} against {second}: {games} games, +{wins} ={draws} -{losses}, {:.1} %, {elo:+.0} Elo, {:.1} plies a game",
        100.0 * share,
        plies as f64 / games.max(1) as f64
    );
}

/// Random moves after which a short search finds the position balanced.
fn opening(judge: &mut Engine, set: RuleSet, rng: &mut Rng) -> Board {
    let rules = Rules::new(Level::start(), set);
    loop {
        let mut state = rules.start();
        let mut legal = Vec::new();
        while usize::from(state.played()) < OPENING_PLIES && state.ending.is_none() {
            rules.legal(&state, &mut legal);
            rules.apply(&mut state, legal[rng.below(legal.len() as u32) as usize], &mut Smallest);
        }
        let judged = judge.answer(Question::new(rules.moves(), &state.board), &SearchLimits::nodes(200_000));
        if state.ending.is_none() && judged.score.0.abs() <= BALANCED {
            return state.board;
        }
    }
}
