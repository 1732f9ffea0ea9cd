//! The game's implementation of the kit: everything that front ends need besides the rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Random};
use damier_core::game::{Game, Seat};
use damier_core::grid::Size;
use damier_core::insight::{Mark, reason};
use damier_core::level::LevelError;
use damier_core::random::{Rng, mix};
use damier_kit::scene::Scene;
use damier_kit::{
    ActionOf, AgentInfo, AnswerFinder, Bench, Draw, Generate, GenerateRequest, Info, KeyBinding, Kit, Levels,
    Measure, Named, Pack, Report, RoundsKit, Solution, Solvability, Solve, SolveOptions, Style, Trace,
};
use serde_json::{Map, Value, json};

use crate::agents::{Best, Original};
use crate::answers::answers;
use crate::difficulty;
use crate::draw;
use crate::generate::{self, MissionRequest};
use crate::level::{Level, cases, course, drawn, json as json_format};
use crate::quadrants::BOARD_SIZE;
use crate::reach;
use crate::robot::Robot;
use crate::rounds;
use crate::rules::{Action, RuleSet, Rules, State};
use crate::solve::{Answer, News, SearchLimits, SearchOutcome, solve, solve_all};

/// Everything a front end needs from Rasende Roboter.
///
/// ```
/// use damier_kit::{AnyGame, SolveOptions};
/// use damier_ricochet::Ricochet;
///
/// let level = Ricochet.open("+---+---+---+\n| R       r |\n+---+---+---+\n", "standard").unwrap();
/// let solved = level.table(1, 0).solve(&SolveOptions::default(), &|_| {});
/// assert_eq!(solved.solution.plan, ["red east"]);
/// ```
pub struct Ricochet;

const RULES: &[Named] = &[
    Named { name: RuleSet::Standard.name(), about: "any path to the target counts" },
    Named {
        name: RuleSet::Ricochet.name(),
        about: "the active robot must turn at least once before it reaches the target",
    },
];

const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "best", about: "plays a proven shortest solution, moving any robot", seats: &[0] },
    AgentInfo {
        name: "original",
        about: "the course's A* over one robot with the Euclidean distance",
        seats: &[0],
    },
    AgentInfo { name: "random", about: "a random legal move", seats: &[0] },
];

const FORMATS: &[Named] = &[
    Named { name: "json", about: "one JSON object per line" },
    Named { name: "drawn", about: "a board drawn with | and ---" },
    Named { name: "course", about: "a drawn board and the course's query, y upwards from 1" },
    Named { name: "case", about: "the course's board case.pl, one fact per cell, and its query" },
];

/// A letter chooses the robot, the arrows move it.
const ROBOTS: &[KeyBinding] = &[
    KeyBinding { key: "r", action: "red" },
    KeyBinding { key: "g", action: "green" },
    KeyBinding { key: "b", action: "blue" },
    KeyBinding { key: "y", action: "yellow" },
    KeyBinding { key: "s", action: "silver" },
];

const KEYS: &[KeyBinding] = &[
    KeyBinding { key: "up", action: "north" },
    KeyBinding { key: "right", action: "east" },
    KeyBinding { key: "down", action: "south" },
    KeyBinding { key: "left", action: "west" },
];

const STYLES: &[Style] = &[
    Style { name: "modern", about: "coloured robots on a board with thin walls", pieces: ROBOTS, keys: KEYS },
    Style { name: "drawn", about: "the board as it is typed, with | and ---", pieces: ROBOTS, keys: KEYS },
];

const OVERLAYS: &[Named] = &[
    Named { name: "corridors", about: "cells one move away from the target, and where a blocker is missing" },
    Named {
        name: "reach",
        about: "where the active robot can stop within three moves while the others stay",
    },
];

/// The number of moves that the overlay `reach` looks ahead.
const REACH_MOVES: u32 = 3;

/// The maximum number of solutions in a report.
const SHOWN: usize = 12;

/// The number of solutions compared to find the simplest.
const COMPARED: usize = 500;

const DOOR: &[(&str, &str)] = &[
    ("agent.toml", include_str!("../door/agent.toml")),
    ("door/door.pl", include_str!("../door/door.pl")),
    ("player.pl", include_str!("../door/player.pl")),
];

impl Levels for Ricochet {
    type Game = Rules;

    const INFO: Info = Info {
        name: "ricochet",
        title: "Rasende Roboter",
        about: "Robots that cannot stop: reach the target in the fewest moves, moving any of them",
        rules: RULES,
        agents: AGENTS,
        formats: FORMATS,
        brushes: &[],
        packs: &[Pack {
            name: "missions",
            about: "missions on our own quadrants, from easy to hard",
            levels: crate::missions::MISSIONS,
        }],
        styles: STYLES,
        overlays: OVERLAYS,
        tick_ms: None,
        idle: None,
        suite: include_str!("../suite.toml"),
        door: DOOR,
        page: damier_kit::page_files![
            "page.js",
            "editor.js",
            "hand.js",
            "look.js",
            "mission.js",
            "rounds.js",
            "solve.js",
            "style.css"
        ],
        turn_limit: 200,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rules, LevelError> {
        let set = rule_set(rules).map_err(LevelError::whole)?;
        let level = Level::parse(text)?;
        let must_ricochet = level.must_ricochet() || set == RuleSet::Ricochet;
        Ok(Rules::new(level.with_must_ricochet(must_ricochet)))
    }

    fn print(game: &Rules, format: &str) -> Result<String, LevelError> {
        match format {
            "json" => Ok(json_format::print(game.level())),
            "drawn" => drawn::print(game.level()),
            "course" => course::print(game.level()),
            "case" => cases::print(game.level()),
            other => {
                Err(LevelError::whole(format!("there is no format `{other}`: json, drawn, course or case")))
            }
        }
    }

    /// Every JSON line is a level, named by its `id`; any other text is one level.
    fn split(text: &str) -> Vec<(Option<String>, String)> {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        // A single object may be spread over many lines.
        let one_object = serde_json::from_str::<Value>(text).is_ok();
        if lines.first().is_none_or(|line| !line.trim_start().starts_with('{')) || one_object {
            return vec![(
                Level::parse(text).ok().and_then(|level| level.id().map(str::to_owned)),
                text.to_owned(),
            )];
        }
        let id = |line: &str| {
            let value: Value = serde_json::from_str(line).ok()?;
            Some(value.get("id")?.as_str().map_or_else(|| value["id"].to_string(), str::to_owned))
        };
        lines.into_iter().map(|line| (id(line), line.to_owned())).collect()
    }
}

impl Draw for Ricochet {
    fn draw(game: &Rules, state: &State, _ids: &[u32]) -> Scene {
        draw::scene(game, state)
    }

    fn draw_text(game: &Rules, state: &State, _style: &str, _marks: &[Mark]) -> String {
        let level = game.level();
        drawn::draw(level.board(), |cell| drawn::Contents {
            robot: state.robot_on(cell),
            target: (cell == level.target()).then_some(level.target_robot().into()),
        })
    }

    fn overlay(game: &Rules, state: &State, name: &str) -> Vec<Mark> {
        let size = game.level().board().size();
        let mark = |cell, why: &'static str| Mark::new(size.xy(cell), why);
        match name {
            "corridors" => reach::corridors(game, state)
                .into_iter()
                .flat_map(|corridor| {
                    let cells = corridor.cells.into_iter().map(|cell| mark(cell, reason::CORRIDOR));
                    cells.chain(corridor.missing.map(|cell| mark(cell, reason::VIRTUAL_WALL)))
                })
                .collect(),
            "reach" => {
                let active = game.level().target_robot().or_else(|| state.present().next());
                let distances = active.map(|robot| reach::distances(game, state, robot)).unwrap_or_default();
                let reached = size
                    .cells()
                    .zip(distances)
                    .filter(|(_, moves)| moves.is_some_and(|moves| (1..=REACH_MOVES).contains(&moves)));
                reached
                    .map(|(cell, moves)| mark(cell, ["1", "2", "3"][moves.map_or(0, |it| it as usize - 1)]))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Solve for Ricochet {
    fn solve(
        game: &Arc<Rules>,
        start: &State,
        limits: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> Solution<ActionOf<Self>> {
        let mut news = |news: News<'_>| {
            let best =
                news.plan.map_or_else(String::new, |plan| format!(", best solution so far {}", plan.len()));
            progress(&format!("at least {} moves{best}, {} positions", news.lower_bound, news.positions));
        };
        let answer = solve(game, start, &limits.into(), &mut news);
        let mut solution = solution(&answer);
        solution.notes.extend_from_slice(game.level().notes());
        solution
    }

    fn solution_json(game: &Rules, solution: &Solution<ActionOf<Self>>) -> Map<String, Value> {
        let mut map = Map::new();
        if let Some(id) = game.level().id() {
            map.insert("id".into(), json!(id));
        }
        if solution.outcome == Solvability::Solved {
            map.insert("moves".into(), json!(solution.plan.len()));
            map.insert("solution".into(), json!(plan_names(&solution.plan)));
        }
        map.insert("positions".into(), json!(solution.states));
        map.insert("optimal".into(), json!(solution.optimal()));
        map
    }

    fn check(game: &Arc<Rules>, limits: &SolveOptions, _progress: &dyn Fn(&str)) -> Report {
        let (answer, solutions) = solve_all(game, &game.start(), &limits.into(), COMPARED);
        let mut notes = [game.level().notes(), &solution(&answer).notes].concat();
        let Some(solutions) = solutions else {
            let par = answer.plan.as_ref().map(|plan| plan.len() as u32);
            let solvable = solution(&answer).outcome;
            return Report { solvable, par, difficulty: None, notes, marks: Vec::new() };
        };
        notes.push(format!(
            "the simplest solution moves {}: {}",
            robots_text(&solutions.simplest),
            plan_text(&solutions.simplest)
        ));
        notes.push(format!("{} different shortest solutions:", solutions.count));
        notes.extend(solutions.listed.iter().take(SHOWN).map(|plan| format!("  {}", plan_text(plan))));
        if solutions.count > SHOWN as u64 {
            notes.push(format!("  and {} more", solutions.count - SHOWN as u64));
        }
        notes.push(match Original::answer(game, &game.start()) {
            None => "the original agent, which moves one robot, finds nothing".to_owned(),
            Some(found) => {
                let way = found.text(game.level().board().size());
                format!("the original agent answers {way} in {} moves", found.plan.len())
            }
        });
        Report {
            solvable: Solvability::Solved,
            par: Some(solutions.simplest.len() as u32),
            difficulty: Some(difficulty::rating(&answer, &solutions)),
            notes,
            marks: Vec::new(),
        }
    }
}

impl Generate for Ricochet {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        let mission = MissionRequest {
            size: request.size.map_or(BOARD_SIZE, |(width, height)| Size::new(width, height)),
            moves: request.difficulty.map(generate::moves_for),
            must_ricochet: rule_set(request.rules)? == RuleSet::Ricochet,
            ..MissionRequest::default()
        };
        generate::mission(request.seed, &mission, &request.cancel).map(|level| json_format::print(&level))
    }
}

impl Trace for Ricochet {
    fn state_json(game: &Rules, state: &State) -> Value {
        let size = game.level().board().size();
        let robots: Map<String, Value> = state
            .present()
            .map(|robot| (robot.name().to_owned(), json!(size.xy(state.robots[robot.index()]))))
            .collect();
        json!({"moves": state.moves, "robots": robots, "solved": game.is_solved(state)})
    }
}

impl Kit for Ricochet {
    const ANSWERS: Option<AnswerFinder<Rules>> = Some(|game, options, most| answers(game, options, most));
    const ROUNDS: Option<&'static RoundsKit> = Some(&rounds::KIT);

    fn agent(game: &Arc<Rules>, name: &str, _seat: Seat, seed: u64) -> Option<Box<dyn Agent<Rules>>> {
        match name {
            "best" => Some(Box::new(Best::new(Arc::clone(game)))),
            "original" => Some(Box::new(Original::new(Arc::clone(game)))),
            "random" => Some(Box::new(Random::new(seed))),
            _ => None,
        }
    }

    /// Solves the same random missions repeatedly; the signature depends on their solution lengths and the number of
    /// positions searched.
    fn bench(seconds: f64) -> Bench {
        let mut rng = Rng::new(2026);
        let games: Vec<Rules> = (0..200)
            .map(|_| Rules::new(generate::random_mission(&mut rng, &MissionRequest::default())))
            .collect();
        let (mut signature, mut solved) = (0, 0);
        let positions = Measure::timed("positions", seconds, |_| {
            let answers =
                games.iter().map(|game| solve(game, &game.start(), &SearchLimits::default(), &mut |_| {}));
            let (mut positions, mut lengths) = (0, 0);
            for answer in answers {
                positions += answer.positions;
                lengths = mix(lengths ^ answer.positions ^ (u64::from(answer.lower_bound) << 48));
            }
            signature = lengths;
            solved += games.len() as u64;
            positions
        });
        let missions = Measure { what: "missions", count: solved, seconds: positions.seconds };
        Bench { signature, measures: vec![missions, positions] }
    }
}

fn rule_set(name: &str) -> Result<RuleSet, String> {
    RuleSet::parse(name).ok_or_else(|| {
        let names = RuleSet::ALL.map(RuleSet::name).join(", ");
        format!("`{name}` is not a rule set: {names}")
    })
}

/// Converts the solver's answer to the kit's type.
fn solution(answer: &Answer) -> Solution<Action> {
    let (outcome, note) = match answer.outcome {
        SearchOutcome::Solved => (Solvability::Solved, None),
        SearchOutcome::Unsolvable => {
            (Solvability::Unsolvable, Some("proven: no moves reach the target".to_owned()))
        }
        SearchOutcome::TooLong | SearchOutcome::OutOfTime => (
            Solvability::Unknown,
            Some(format!("out of time: at least {} moves are needed", answer.lower_bound)),
        ),
        SearchOutcome::OutOfMemory => {
            let mebibytes = answer.memory >> 20;
            let bound = answer.lower_bound;
            let note = format!("out of memory ({mebibytes} MiB): at least {bound} moves are needed");
            (Solvability::Unknown, Some(note))
        }
    };
    let known = outcome == Solvability::Unknown && answer.plan.is_some();
    Solution {
        outcome: if known { Solvability::Solved } else { outcome },
        plan: answer.plan.clone().unwrap_or_default(),
        lower_bound: (outcome != Solvability::Unsolvable).then_some(answer.lower_bound),
        states: answer.positions,
        notes: note.into_iter().collect(),
    }
}

fn plan_names(plan: &[Action]) -> Vec<String> {
    plan.iter().map(ToString::to_string).collect()
}

fn plan_text(plan: &[Action]) -> String {
    plan_names(plan).join(", ")
}

fn robots_text(plan: &[Action]) -> String {
    let movers = Robot::ALL.into_iter().filter(|&robot| plan.iter().any(|action| action.robot == robot));
    let names: Vec<&str> = movers.map(Robot::name).collect();
    names.join(" and ")
}
