//! Everything that front ends need of the game besides its rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Clock, Random};
use damier_core::game::{Illegal, Seat};
use damier_core::insight::Mark;
use damier_core::level::LevelError;
use damier_kit::review::{Played, Review};
use damier_kit::scene::Scene;
use damier_kit::{
    ActionOf, AgentInfo, Bench, Draw, Generate, GenerateRequest, Info, KeyBinding, Kit, Levels, Named, Pack,
    Report, Reviewer, Solution, Solve, SolveOptions, Style, Tally, Trace,
};
use serde_json::{Value, json};

use crate::action::Action;
use crate::agents::original::Original;
use crate::agents::planner::CourseAgent;
use crate::agents::player::ClassicAgent;
use crate::level::Level;
use crate::recording::Recording;
use crate::rules::{Ground, RuleSet, Rules, State};
use crate::{LodeRunner, bench, check, draw, generate, review, solve};

/// A tick of the game of 1983 when a person plays it.
const CLASSIC_TICK_MS: u32 = 45;

const RULES: &[Named] = &[
    Named { name: "course", about: "the rounds of the ENSSAT project: enemies move every other round" },
    Named { name: "classic", about: "the game of 1983, tick by tick" },
];

const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "best", about: "our strongest: plans on exact rounds and ticks", seats: &[0] },
    AgentInfo { name: "original", about: "the course project's agent: A* to the nearest bonus", seats: &[0] },
    AgentInfo { name: "random", about: "a random legal action", seats: &[0] },
];

const FORMATS: &[Named] = &[
    Named {
        name: "damier",
        about: "course maps of W F L C . B R E X; classic levels of space # @ H - X S $ 0 &",
    },
    Named { name: "kgoldrunner", about: "classic levels in KGoldrunner's characters" },
    Named { name: "vglc", about: "classic levels in the characters of the VGLC corpus" },
];

/// A level of a pack, by its file's name.
macro_rules! level {
    ($pack:literal, $name:literal) => {
        ($name, include_str!(concat!("../levels/", $pack, "/", $name, ".txt")))
    };
}

const PACKS: &[Pack] = &[
    Pack {
        name: "course",
        about: "graded maps for the rule set course, from no enemy to six",
        levels: &[
            level!("course", "first-steps"),
            level!("course", "dig-here"),
            level!("course", "rope-bridge"),
            level!("course", "the-well"),
            level!("course", "two-towers"),
            level!("course", "three-hunters"),
            level!("course", "the-cellar"),
            level!("course", "four-winds"),
            level!("course", "crossfire"),
            level!("course", "beehive"),
        ],
    },
    Pack {
        name: "hard",
        about: "maps for the rule set course with seven to twelve enemies",
        levels: &[
            level!("hard", "seven-gates"),
            level!("hard", "eight-bells"),
            level!("hard", "ninepins"),
            level!("hard", "ten-bridges"),
            level!("hard", "twelve-hours"),
        ],
    },
    Pack {
        name: "classic",
        about: "graded levels for the rule set classic, from no guard to five",
        levels: &[
            level!("classic", "first-gold"),
            level!("classic", "buried-treasure"),
            level!("classic", "night-watch"),
            level!("classic", "trapdoors"),
            level!("classic", "the-vault"),
            level!("classic", "three-guards"),
            level!("classic", "high-wire"),
            level!("classic", "five-to-one"),
        ],
    },
];

const fn key(key: &'static str, action: &'static str) -> KeyBinding {
    KeyBinding { key, action }
}

const STYLES: &[Style] = &[Style {
    name: "modern",
    about: "colours and solid walls",
    pieces: &[],
    keys: &[
        key("left", "left"),
        key("right", "right"),
        key("up", "up"),
        key("down", "down"),
        key("z", "bomb_left"),
        key("x", "bomb_right"),
        key("space", "none"),
    ],
}];

const OVERLAYS: &[Named] = &[Named { name: "predicted", about: "where the enemies go next (course)" }];

const DOOR: &[(&str, &str)] = &[
    ("agent.toml", include_str!("../door/agent.toml")),
    ("door/build.sh", include_str!("../door/build.sh")),
    ("door/door.c", include_str!("../door/door.c")),
    ("door/lode_runner.h", include_str!("../door/lode_runner.h")),
    ("player.c", include_str!("../door/player.c")),
];

impl Levels for LodeRunner {
    type Game = Rules;

    const INFO: Info = Info {
        name: "loderunner",
        title: "Lode Runner",
        about: "Take all the gold and get out; dig holes to trap those who hunt you.",
        rules: RULES,
        agents: AGENTS,
        formats: FORMATS,
        brushes: draw::BRUSHES,
        packs: PACKS,
        styles: STYLES,
        overlays: OVERLAYS,
        tick_ms: None,
        idle: Some("none"),
        suite: include_str!("../suite.toml"),
        door: DOOR,
        page: damier_kit::page_files!["page.js"],
        turn_limit: 10_000,
        tallies: &[Tally { name: "bombs", actions: &["bomb_left", "bomb_right"] }],
    };

    fn open(text: &str, rules: &str) -> Result<Rules, LevelError> {
        let set = RuleSet::parse(rules)
            .ok_or_else(|| LevelError::whole(format!("`{rules}` is not a rule set: course or classic")))?;
        Ok(Rules::new(Level::parse(text, set)?))
    }

    fn print(rules: &Rules, format: &str) -> Result<String, LevelError> {
        rules.level().print(format)
    }
}

impl Draw for LodeRunner {
    fn draw(rules: &Rules, state: &State, _ids: &[u32]) -> Scene {
        draw::scene(rules, state)
    }

    fn overlay(rules: &Rules, state: &State, _: &str) -> Vec<Mark> {
        draw::predicted(rules, state)
    }
}

impl Solve for LodeRunner {
    fn solve(
        rules: &Arc<Rules>,
        start: &State,
        options: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> Solution<ActionOf<Self>> {
        solve::solve_from(rules, start, options, progress)
    }

    fn check(rules: &Arc<Rules>, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        check(rules, options, progress)
    }
}

impl Generate for LodeRunner {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        generate(request)
    }
}

impl Trace for LodeRunner {
    fn state_json(rules: &Rules, state: &State) -> Value {
        match (rules.ground(), state) {
            (Ground::Course(map), State::Course(state)) => json!({
                "runner": map.point(state.runner),
                "enemies": state.enemy_cells().iter().map(|&cell| map.point(cell)).collect::<Vec<_>>(),
                "bonuses": map.bonuses().iter().filter(|&&cell| state.bonuses & map.bonus(cell) != 0)
                    .map(|&cell| map.point(cell)).collect::<Vec<_>>(),
                "holes": state.holes().iter().map(|hole| {
                    let (x, y) = map.point(hole.cell);
                    json!([x, y, hole.delay])
                }).collect::<Vec<_>>(),
                "enemies_move": state.enemies_move,
                "ending": state.ending.map(|ending| format!("{ending:?}").to_lowercase()),
            }),
            (_, State::Classic(state)) => json!({
                "runner": [state.runner.cell.x, state.runner.cell.y],
                "runner_offset": [state.runner.xo, state.runner.yo],
                "guards": state.guards().iter().map(|guard| {
                    let body = guard.body;
                    json!([body.cell.x, body.cell.y, body.xo, body.yo, guard.carry])
                }).collect::<Vec<_>>(),
                "gold_left": state.gold_left(),
                "holes": state.holes().map(|(cell, ticks)| json!([cell.x, cell.y, ticks])).collect::<Vec<_>>(),
                "ending": state.ending.map(|ending| format!("{ending:?}").to_lowercase()),
            }),
            _ => Value::Null,
        }
    }

    fn trace_recording(
        rules: &Rules,
        text: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<Option<String>, Illegal> {
        let Ground::Classic(board) = rules.ground() else {
            return Err(Illegal("recordings are of classic levels: --rules classic".to_owned()));
        };
        let recording = Recording::parse(text.trim()).map_err(Illegal)?;
        let played = recording.play(board, |tick, state| {
            let mut json = Self::state_json(rules, &State::Classic(*state));
            json["tick"] = tick.into();
            line(json);
        });
        played.map(|_| None).map_err(Illegal)
    }
}

impl Kit for LodeRunner {
    const REVIEW: Option<Reviewer<Self::Game>> = Some(review);

    fn agent(rules: &Arc<Rules>, name: &str, _: Seat, seed: u64) -> Option<Box<dyn Agent<Rules>>> {
        match (rules.set(), name) {
            (_, "random") => Some(Box::new(Random::new(seed))),
            (RuleSet::Course, "best") => Some(Box::new(CourseAgent::new(Arc::clone(rules))?)),
            (RuleSet::Course, "original") => Some(Box::new(Original::new(Arc::clone(rules))?)),
            (RuleSet::Classic, "best") => Some(Box::new(ClassicAgent::new(Arc::clone(rules), seed)?)),
            _ => None,
        }
    }

    fn tick_ms(rules: &Rules) -> Option<u32> {
        match rules.set() {
            RuleSet::Course => None,
            RuleSet::Classic => Some(CLASSIC_TICK_MS),
        }
    }

    /// Under `classic` a key stays down until another one is pressed; a dig fires once.
    fn idle_after(rules: &Rules, last: Option<Action>) -> Option<&'static str> {
        let held = last.filter(|last| rules.set() == RuleSet::Classic && !last.digs());
        Some(held.unwrap_or(Action::None).name())
    }

    fn bench(seconds: f64) -> Bench {
        bench::bench(seconds)
    }
}

fn review(
    rules: &Arc<Rules>,
    played: &Played<Rules>,
    clock: &Clock,
    progress: &dyn Fn(&str),
) -> Option<Review> {
    review::review(rules, played, clock, progress)
}
