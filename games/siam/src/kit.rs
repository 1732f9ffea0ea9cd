//! The game's implementation of the kit: everything that front ends need besides the rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Random};
use damier_core::game::Seat;
use damier_core::insight::Mark;
use damier_core::level::LevelError;
use damier_kit::scene::Scene;
use damier_kit::{
    ActionOf, AgentInfo, Analyzer, Bench, Divider, Draw, Generate, GenerateRequest, Info, Kit, Levels, Named,
    Pack, Report, Reviewer, Solution, Solve, SolveOptions, Style, Trace,
};
use serde_json::{Value, json};

use crate::action::Move;
use crate::agents::{Best, Leveled, Original, Sparring};
use crate::analyze::analyze;
use crate::board::Side;
use crate::level::{Level, MAX_PLIES};
use crate::perft::divide;
use crate::review::review;
use crate::rules::{Ending, RuleSet, Rules, State};
use crate::{bench, draw, generate, solve};

/// Everything a front end needs from SIAM.
///
/// ```
/// use damier_kit::AnyGame;
/// use damier_siam::Siam;
///
/// let level = Siam.open("...../...../.MMM./...../..... E 0", "official").unwrap();
/// let mut table = level.table(1, 0);
/// table.act("0-11e").unwrap();
/// assert!(table.act("0-13n").is_err(), "closed in the first four plies");
/// ```
pub struct Siam;

const RULES: &[Named] = &[
    Named {
        name: "official",
        about: "the published game: pushes are computed piece by piece, 13 and 53 are closed in the first four plies",
    },
    Named { name: "course", about: "pushes are computed piece by piece, all squares are open" },
    Named {
        name: "official-total",
        about: "as official, but only the sums over the whole line count in a push",
    },
    Named { name: "course-total", about: "as course, but only the sums over the whole line count in a push" },
];

const BOTH: &[Seat] = &[0, 1];

const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "best",
        about: "the strongest agent: principal variation search with a learnt evaluation",
        seats: BOTH,
    },
    AgentInfo { name: "level1", about: "a beginner: does not look ahead, overlooks pushes", seats: BOTH },
    AgentInfo { name: "level2", about: "a novice: does not look ahead, sees most pushes", seats: BOTH },
    AgentInfo { name: "level3", about: "a casual player: looks two plies ahead", seats: BOTH },
    AgentInfo {
        name: "level4",
        about: "a club player: looks three plies ahead, seldom overlooks a push",
        seats: BOTH,
    },
    AgentInfo { name: "level5", about: "a strong player: looks five plies ahead", seats: BOTH },
    AgentInfo { name: "level6", about: "a master: looks seven plies ahead", seats: BOTH },
    AgentInfo {
        name: "sparring",
        about: "alpha-beta to three plies, evaluates only the mountains' distances",
        seats: BOTH,
    },
    AgentInfo { name: "original", about: "the course's program: always the first legal move", seats: BOTH },
    AgentInfo { name: "random", about: "a random legal move", seats: BOTH },
];

const FORMATS: &[Named] = &[
    Named { name: "damier", about: "one line: rows from the north, side to move, plies played" },
    Named { name: "drawn", about: "five lines of five squares, then side to move and plies played" },
];

const STYLES: &[Style] = &[
    Style { name: "modern", about: "coloured animals with arrows", pieces: &[], keys: &[] },
    Style { name: "original", about: "the numbered board of the course's program", pieces: &[], keys: &[] },
];

const OVERLAYS: &[Named] =
    &[Named { name: "threats", about: "pushes with which a side would win immediately, if it were to move" }];

/// A puzzle by its number.
macro_rules! puzzle {
    ($number:literal) => {
        ($number, include_str!(concat!("../levels/", $number, ".txt")))
    };
}

const PACKS: &[Pack] = &[
    Pack {
        name: "start",
        about: "the start of the game, with five animals each or with one",
        levels: &[
            ("start", "...../...../.MMM./...../..... E 0\n"),
            ("duel", "; animals: 1\n...../...../.MMM./...../..... E 0\n"),
        ],
    },
    Pack {
        name: "puzzles",
        about: "twenty proven forced wins in two to six moves",
        levels: &[
            puzzle!("01"),
            puzzle!("02"),
            puzzle!("03"),
            puzzle!("04"),
            puzzle!("05"),
            puzzle!("06"),
            puzzle!("07"),
            puzzle!("08"),
            puzzle!("09"),
            puzzle!("10"),
            puzzle!("11"),
            puzzle!("12"),
            puzzle!("13"),
            puzzle!("14"),
            puzzle!("15"),
            puzzle!("16"),
            puzzle!("17"),
            puzzle!("18"),
            puzzle!("19"),
            puzzle!("20"),
        ],
    },
];

const DOOR: &[(&str, &str)] = &[
    ("agent.toml", include_str!("../door/agent.toml")),
    ("door/door.pl", include_str!("../door/door.pl")),
    ("player.pl", include_str!("../door/player.pl")),
];

impl Levels for Siam {
    type Game = Rules;

    const INFO: Info = Info {
        name: "siam",
        title: "SIAM",
        about: "Elephants and rhinoceroses push mountains: the first to push one off the board wins.",
        rules: RULES,
        agents: AGENTS,
        formats: FORMATS,
        brushes: draw::BRUSHES,
        packs: PACKS,
        styles: STYLES,
        overlays: OVERLAYS,
        tick_ms: None,
        idle: None,
        suite: include_str!("../suite.toml"),
        door: DOOR,
        page: damier_kit::page_files![
            "page.js",
            "analysis.js",
            "hand.js",
            "look.js",
            "notation.js",
            "position.js",
            "puzzles.js",
            "seats.js",
            "style.css",
            "table.js",
            "words.js"
        ],
        turn_limit: MAX_PLIES as u32,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rules, LevelError> {
        let set = RuleSet::parse(rules).ok_or_else(|| {
            let names = RuleSet::ALL.map(RuleSet::name).join(", ");
            LevelError::whole(format!("`{rules}` is not a rule set: {names}"))
        })?;
        Ok(Rules::new(Level::parse(text)?, set))
    }

    fn print(rules: &Rules, format: &str) -> Result<String, LevelError> {
        rules.level().print(format)
    }

    fn split(text: &str) -> Vec<(Option<String>, String)> {
        Level::split(text)
    }
}

impl Draw for Siam {
    fn piece_ids(_rules: &Rules, state: &State) -> Vec<u32> {
        draw::piece_ids(&state.board)
    }

    fn follow_pieces(_rules: &Rules, ids: &mut Vec<u32>, before: &State, action: Move, _after: &State) {
        draw::follow_pieces(ids, &before.board, action);
    }

    fn draw(rules: &Rules, state: &State, ids: &[u32]) -> Scene {
        draw::scene(rules, state, ids)
    }

    fn draw_text(_rules: &Rules, state: &State, style: &str, _marks: &[Mark]) -> String {
        if style == "original" { draw::original_text(state) } else { String::new() }
    }

    fn notation(_rules: &Rules, state: &State) -> Option<String> {
        Some(state.board.to_string())
    }

    fn overlay(rules: &Rules, state: &State, name: &str) -> Vec<Mark> {
        if name == "threats" { draw::threat_marks(rules, state) } else { Vec::new() }
    }
}

impl Solve for Siam {
    fn solve(
        rules: &Arc<Rules>,
        start: &State,
        limits: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> Solution<ActionOf<Self>> {
        solve::solve_from(rules, start, limits, progress)
    }

    fn check(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        solve::check(rules, limits, progress)
    }
}

impl Generate for Siam {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        generate::generate(request)
    }
}

impl Trace for Siam {
    fn state_json(rules: &Rules, state: &State) -> Value {
        let board = &state.board;
        let result = state.ending.map(|ending| match ending {
            Ending::Won(side) => side.letter().to_string(),
            Ending::Repetition => "draw by repetition".to_owned(),
            Ending::PlyCap => "draw by ply cap".to_owned(),
        });
        let moves = if state.ending.is_none() { rules.moves().count(board) } else { 0 };
        json!({
            "position": board.to_string(),
            "hand": {"E": board.hand(Side::Elephants), "R": board.hand(Side::Rhinos)},
            "legal": moves,
            "repeated": state.occurrences(),
            "result": result,
        })
    }
}

impl Kit for Siam {
    const REVIEW: Option<Reviewer<Self::Game>> =
        Some(|rules, played, clock, progress| Some(review(rules, played, clock, progress)));
    const ANALYZE: Option<Analyzer<Self::Game>> =
        Some(|rules, options, report| analyze(rules.moves(), &rules.level().board, options, report));
    const DIVIDE: Option<Divider<Self::Game>> =
        Some(|rules, depth| divide(rules.moves(), &rules.level().board, depth));

    fn agent(rules: &Arc<Rules>, name: &str, _seat: Seat, seed: u64) -> Option<Box<dyn Agent<Rules>>> {
        let rules = Arc::clone(rules);
        Some(match name {
            "best" => Box::new(Best::new(rules)),
            "original" => Box::new(Original),
            "sparring" => Box::new(Sparring::new(rules, seed)),
            "random" => Box::new(Random::new(seed)),
            level => Box::new(Leveled::new(rules, level, seed)?),
        })
    }

    fn bench(seconds: f64) -> Bench {
        bench::bench(seconds)
    }
}
