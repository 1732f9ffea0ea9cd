//! What the game offers to front ends beyond its rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Clock, Random};
use damier_core::game::{Illegal, Seat};
use damier_core::insight::Mark;
use damier_core::level::LevelError;
use damier_kit::review::{Played, Review};
use damier_kit::scene::Scene;
use damier_kit::{
    AgentInfo, Bench, Draw, Generate, GenerateRequest, Info, KeyBinding, Kit, Levels, Named, Pack, Report,
    Reviewer, Solution, Solve, SolveOptions, Style, Trace,
};
use serde_json::Value;

use crate::agents::miner::Miner;
use crate::agents::original::Original;
use crate::level::{Level, bdcff, xml};
use crate::recording::Recording;
use crate::rules::{Action, RuleSet, Rules, State};
use crate::{Delirium, bench, draw, generate, pieces, review, solve, trace};

const RULES: &[Named] = &[
    Named { name: "course", about: "the engine of the course project" },
    Named { name: "boulder", about: "Boulder Dash, for the caves of its community" },
];

const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "best",
        about: "our miner: plans on exact simulation, repairs its plans, never walks into certain death",
        seats: &[0],
    },
    AgentInfo {
        name: "original",
        about: "the course project's agent: A* to the nearest diamond on the map as it imagines it one tick later",
        seats: &[0],
    },
    AgentInfo { name: "random", about: "a random action", seats: &[0] },
];

const FORMATS: &[Named] = &[
    Named {
        name: "damier",
        about: "_ empty, . grass, d diamond, r rock, w wall, # border, X exit, P miner, R B monsters",
    },
    Named { name: "json", about: "the same rows in one JSON object a line" },
    Named {
        name: "cells",
        about: "the elements of the Boulder Dash community's engine, in one JSON object a line",
    },
    Named { name: "codes", about: "the course environment's numbers, row by row" },
    Named { name: "xml", about: "the course environment's maps" },
    Named { name: "bdcff", about: "caves of the Boulder Dash community" },
];

/// A level of the pack `damier`, by its file's name.
macro_rules! level {
    ($name:literal) => {
        ($name, include_str!(concat!("../levels/damier/", $name, ".txt")))
    };
}

const PACKS: &[Pack] = &[Pack {
    name: "damier",
    about: "twelve caves of our own, from easy to hard",
    levels: &[
        level!("first-steps"),
        level!("overhang"),
        level!("push"),
        level!("gallery"),
        level!("scree"),
        level!("sentry"),
        level!("butterfly"),
        level!("grotto"),
        level!("warren"),
        level!("cataract"),
        level!("hornets"),
        level!("works"),
    ],
}];

const fn key(key: &'static str, action: &'static str) -> KeyBinding {
    KeyBinding { key, action }
}

const KEYS: &[KeyBinding] = &[
    key("right", "right"),
    key("up", "up"),
    key("left", "left"),
    key("down", "down"),
    key("space", "stay"),
    key("d", "dig-right"),
    key("w", "dig-up"),
    key("a", "dig-left"),
    key("s", "dig-down"),
    key("l", "look"),
];

const STYLES: &[Style] = &[
    Style { name: "modern", about: "colours and solid walls", pieces: &[], keys: KEYS },
    Style { name: "plain", about: "the map as it is typed", pieces: &[], keys: KEYS },
];

const OVERLAYS: &[Named] = &[
    Named { name: "next", about: "where monsters go next, and where the miner would die at once" },
    Named { name: "unseen", about: "what the miner does not see" },
];

const DOOR: &[(&str, &str)] = &[
    ("agent.toml", include_str!("../door/agent.toml")),
    ("door/door.pl", include_str!("../door/door.pl")),
    ("decision.pl", include_str!("../door/decision.pl")),
];

impl Levels for Delirium {
    type Game = Rules;

    const INFO: Info = Info {
        name: "delirium",
        title: "Delirium 2",
        about: "Dig for diamonds under falling rocks, past monsters, and reach the exit.",
        rules: RULES,
        agents: AGENTS,
        formats: FORMATS,
        brushes: draw::BRUSHES,
        packs: PACKS,
        styles: STYLES,
        overlays: OVERLAYS,
        tick_ms: Some(180),
        idle: Some("stay"),
        suite: include_str!("../suite.toml"),
        door: DOOR,
        page: damier_kit::page_files!["page.js", "view.js"],
        turn_limit: 4_000,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rules, LevelError> {
        let set = RuleSet::parse(rules)
            .ok_or_else(|| LevelError::whole(format!("`{rules}` is not a rule set: course or boulder")))?;
        Rules::new(Level::parse(text)?, set)
    }

    fn print(rules: &Rules, format: &str) -> Result<String, LevelError> {
        rules.level().print(format)
    }

    /// JSON lines are levels of their own, named by their `name`, and so are the caves of a BDCFF file.
    fn split(text: &str) -> Vec<(Option<String>, String)> {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let json = lines.len() > 1 && lines.iter().all(|line| line.trim_start().starts_with('{'));
        if json {
            let name = |line: &str| {
                let value: Value = serde_json::from_str(line).ok()?;
                value.get("name").and_then(Value::as_str).map(str::to_owned)
            };
            return lines.into_iter().map(|line| (name(line), line.to_owned())).collect();
        }
        if bdcff::is_bdcff(text) { bdcff::split(text) } else { vec![(None, text.to_owned())] }
    }

    fn parts(text: &str) -> Vec<String> {
        xml::parts(text)
    }
}

impl Draw for Delirium {
    fn piece_ids(_rules: &Rules, state: &State) -> Vec<u32> {
        pieces::number(state)
    }

    fn follow_pieces(rules: &Rules, ids: &mut Vec<u32>, before: &State, _action: Action, after: &State) {
        pieces::follow(rules, ids, before, after);
    }

    fn draw(rules: &Rules, state: &State, ids: &[u32]) -> Scene {
        draw::scene(rules, state, ids)
    }

    fn draw_text(rules: &Rules, state: &State, style: &str, _marks: &[Mark]) -> String {
        if style == "plain" { draw::plain_text(rules, state) } else { String::new() }
    }

    fn overlay(rules: &Rules, state: &State, name: &str) -> Vec<Mark> {
        match name {
            "next" => draw::next_marks(rules, state),
            "unseen" => draw::unseen_marks(rules, state),
            _ => Vec::new(),
        }
    }
}

impl Solve for Delirium {
    fn solve(
        rules: &Arc<Rules>,
        start: &State,
        options: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> Solution<Action> {
        solve::solve_from(rules, start, options, progress)
    }

    fn check(rules: &Arc<Rules>, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        solve::certify(rules, options, progress).1
    }

    fn certify(
        rules: &Arc<Rules>,
        options: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> (Solution<Action>, Report) {
        solve::certify(rules, options, progress)
    }
}

impl Generate for Delirium {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        generate::generate(request)
    }
}

impl Trace for Delirium {
    fn state_json(rules: &Rules, state: &State) -> Value {
        trace::state_json(rules, state)
    }

    /// A recording carries its own cave.
    fn trace_recording(
        rules: &Rules,
        text: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<Option<String>, Illegal> {
        if rules.options().set != RuleSet::Boulder {
            return Err(Illegal("recordings are of Boulder Dash: --rules boulder".to_owned()));
        }
        let recording = Recording::parse(text.trim()).map_err(|error| Illegal(error.to_string()))?;
        let played = recording.play(|rules, state| line(trace::state_json(rules, state)));
        Ok(played.err().map(|difference| difference.to_string()))
    }
}

impl Kit for Delirium {
    const REVIEW: Option<Reviewer<Self::Game>> = Some(review);

    fn agent(rules: &Arc<Rules>, name: &str, _seat: Seat, seed: u64) -> Option<Box<dyn Agent<Rules>>> {
        match name {
            "best" => Some(Box::new(Miner::new(rules, seed))),
            "original" => Some(Box::new(Original::new())),
            "random" => Some(Box::new(Random::new(seed))),
            _ => None,
        }
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
