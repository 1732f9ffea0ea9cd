//! The game's implementation of the kit: everything that front ends need besides the rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Random};
use damier_core::game::{Illegal, Seat};
use damier_core::insight::Mark;
use damier_core::level::LevelError;
use damier_core::random::Rng;
use damier_kit::scene::Scene;
use damier_kit::{
    ActionOf, AgentInfo, Bench, Draw, Generate, GenerateRequest, Info, KeyBinding, Kit, Levels, Named, Pack,
    Report, Solution, Solve, SolveOptions, Style, Trace,
};
use serde_json::Value;

use crate::agents::baseline::Baseline;
use crate::agents::hunted::Hunted;
use crate::agents::planner::Planner;
use crate::agents::random::RandomWalk;
use crate::agents::teams::{Team, TeamAgent};
use crate::level::Level;
use crate::rules::{GHOSTS, PACMAN, RuleSet, Rules, State};
use crate::solve::known::OriginalGhosts;
use crate::trace::{self, Phase};
use crate::{ORIGINAL_MAZE, Pacman, bench, check, draw, generate, solve};

const RULES: &[Named] = &[
    Named { name: "course", about: "exactly as the original program plays" },
    Named { name: "report", about: "as its authors described it; the ghosts are a second seat" },
];

const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "best", about: "the strongest agent for each seat", seats: &[PACMAN, GHOSTS] },
    AgentInfo {
        name: "original",
        about: "the ghosts of the original program; as Pacman, the baseline, as the course had none",
        seats: &[PACMAN, GHOSTS],
    },
    AgentInfo {
        name: "baseline",
        about: "heads for the nearest pellet, runs from nearby ghosts",
        seats: &[PACMAN],
    },
    AgentInfo {
        name: "ambush",
        about: "one ghost follows, the others aim ahead of Pacman",
        seats: &[GHOSTS],
    },
    AgentInfo { name: "pincer", about: "the ghosts approach from different sides", seats: &[GHOSTS] },
    AgentInfo {
        name: "guard",
        about: "one ghost guards the potion nearest to Pacman, the others chase",
        seats: &[GHOSTS],
    },
    AgentInfo {
        name: "team",
        about: "two ghosts hunt by a table of all pursuits, the others guard potions",
        seats: &[GHOSTS],
    },
    AgentInfo { name: "random", about: "a random legal action", seats: &[PACMAN, GHOSTS] },
];

const FORMATS: &[Named] = &[
    Named { name: "damier", about: "# wall, . pellet, o potion, P Pacman, 1 to 4 ghosts" },
    Named { name: "berkeley", about: "the layouts of the Berkeley AI course: % wall, G ghosts" },
];

/// A level of the pack `damier`, by its file's name.
macro_rules! level {
    ($name:literal) => {
        ($name, include_str!(concat!("../levels/damier/", $name, ".txt")))
    };
}

const PACKS: &[Pack] = &[
    Pack { name: "original", about: "the maze of the course", levels: &[("maze", ORIGINAL_MAZE)] },
    Pack {
        name: "damier",
        about: "ten mazes of our own, from small to large",
        levels: &[
            level!("pocket"),
            level!("cellar"),
            level!("windmill"),
            level!("cloister"),
            level!("gallery"),
            level!("boulevard"),
            level!("colonnade"),
            level!("orchard"),
            level!("cathedral"),
            level!("metropolis"),
        ],
    },
];

const fn key(key: &'static str, action: &'static str) -> KeyBinding {
    KeyBinding { key, action }
}

const STYLES: &[Style] = &[
    Style {
        name: "modern",
        about: "colours and solid walls",
        pieces: &[],
        keys: &[
            key("up", "up"),
            key("right", "right"),
            key("down", "down"),
            key("left", "left"),
            key("space", "wait"),
        ],
    },
    Style {
        name: "original",
        about: "the display and the keys of the original program",
        pieces: &[],
        keys: &[
            key("z", "up"),
            key("d", "right"),
            key("s", "down"),
            key("q", "left"),
            key("space", "wait"),
            key("a", "quit"),
        ],
    },
];

const OVERLAYS: &[Named] =
    &[Named { name: "debug", about: "the targets of the original ghosts, corners and crossroads" }];

impl Levels for Pacman {
    type Game = Rules;

    const INFO: Info = Info {
        name: "pacman",
        title: "Pacman",
        about: "Eat every pellet of the maze before the ghosts catch you.",
        rules: RULES,
        agents: AGENTS,
        formats: FORMATS,
        brushes: draw::BRUSHES,
        packs: PACKS,
        styles: STYLES,
        overlays: OVERLAYS,
        tick_ms: None,
        idle: Some("wait"),
        suite: include_str!("../suite.toml"),
        door: &[],
        page: damier_kit::page_files!["page.js"],
        turn_limit: 2_000,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rules, LevelError> {
        let set = RuleSet::parse(rules)
            .ok_or_else(|| LevelError::whole(format!("`{rules}` is not a rule set: course or report")))?;
        Ok(Rules::new(Level::parse(text)?, set))
    }

    fn print(rules: &Rules, format: &str) -> Result<String, LevelError> {
        rules.maze().level().print(format)
    }
}

impl Draw for Pacman {
    fn draw(rules: &Rules, state: &State, _ids: &[u32]) -> Scene {
        draw::scene(rules, state)
    }

    fn draw_text(rules: &Rules, state: &State, style: &str, marks: &[Mark]) -> String {
        if style == "original" { draw::original_text(rules, state, marks) } else { String::new() }
    }

    fn overlay(rules: &Rules, state: &State, name: &str) -> Vec<Mark> {
        if name == "debug" { draw::debug_marks(rules, state) } else { Vec::new() }
    }
}

impl Solve for Pacman {
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

impl Generate for Pacman {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        generate(request)
    }
}

impl Trace for Pacman {
    fn state_json(rules: &Rules, state: &State) -> Value {
        trace::state_json(rules, state, Phase::Ghosts)
    }

    fn trace(
        rules: &Rules,
        actions: &str,
        _chance: &mut Rng,
        line: &mut dyn FnMut(Value),
    ) -> Result<(), Illegal> {
        trace::trace(rules, actions, line)
    }
}

impl Kit for Pacman {
    fn agent(rules: &Arc<Rules>, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Agent<Rules>>> {
        let rules = Arc::clone(rules);
        match (seat, name) {
            (PACMAN, "baseline" | "original") => Some(Box::new(Baseline::new(rules))),
            (PACMAN, "best") if rules.set() == RuleSet::Course => {
                Some(Box::new(Planner::new(rules, Box::new(OriginalGhosts))))
            }
            (PACMAN, "best") => Some(Box::new(Hunted::new(rules))),
            (PACMAN, "random") => Some(Box::new(RandomWalk::new(seed))),
            (GHOSTS, "random") => Some(Box::new(Random::new(seed))),
            (GHOSTS, "best") => Some(Box::new(TeamAgent::new(rules, Team::Pack))),
            (GHOSTS, name) => Some(Box::new(TeamAgent::new(rules, Team::parse(name)?))),
            _ => None,
        }
    }

    fn bench(seconds: f64) -> Bench {
        bench::bench(seconds)
    }
}
