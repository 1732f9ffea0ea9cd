//! What front ends need besides the rules.

use std::sync::Arc;

use damier_core::agent::{Agent, Clock, Random, Turn};
use damier_core::game::{Game, Outcome, Seat, Status};
use damier_core::grid::Size;
use damier_core::insight::Insight;
use damier_core::level::LevelError;
use damier_core::random::{Chance, Rng};
use damier_kit::cancel::Deadline;
use damier_kit::review::{Moment, Played, Remark, Review, kind};
use damier_kit::scene::{Colour, Piece, Scene, Sprite};
use damier_kit::{
    AgentInfo, Bench, Brush, Draw, Generate, GenerateRequest, Info, KeyBinding, Kit, Levels, Measure, Named,
    Pack, Report, Reviewer, Solution, Solvability, Solve, SolveOptions, Style, Trace,
};
use serde_json::{Value, json};

use crate::Tug;
use crate::rules::{Pull, Rope, Token};

const LEFT: Sprite = Sprite::new("left end", "◀ ", "< ", Colour::Blue);
const RIGHT: Sprite = Sprite::new("right end", " ▶", " >", Colour::Red);
const ROPE: Sprite = Sprite::new("rope", "──", "--", Colour::Brown);
const TOKEN: Sprite = Sprite::new("token", "● ", "o ", Colour::Yellow);

/// The only rule set.
const RULES: &str = "slippery";

/// The maximum length of the solver's plans.
const MAX_PLAN: usize = 40;

/// The maximum length of generated ropes.
const MAX_ROPE: u16 = 21;

impl Levels for Tug {
    type Game = Rope;

    const INFO: Info = Info {
        name: "tug",
        title: "Tug of war",
        about: "Pull the token over your end of the rope.",
        rules: &[Named { name: RULES, about: "a hard pull may slip" }],
        agents: &[
            AgentInfo { name: "best", about: "pulls hard", seats: &[0, 1] },
            AgentInfo { name: "original", about: "pulls gently", seats: &[0, 1] },
            AgentInfo { name: "random", about: "a random legal action", seats: &[0, 1] },
        ],
        formats: &[Named { name: "rope", about: "< left end, . rope, o token, > right end" }],
        brushes: &[
            Brush::new('.', ROPE),
            Brush::new('o', TOKEN).once(),
            Brush::new('<', LEFT).once(),
            Brush::new('>', RIGHT).once(),
        ],
        packs: &[Pack {
            name: "ropes",
            about: "a short rope and a long one",
            levels: &[("short", "<..o..>\n"), ("long", "<........o........>\n")],
        }],
        styles: &[Style {
            name: "modern",
            about: "the only one",
            pieces: &[],
            keys: &[
                KeyBinding { key: "space", action: "gently" },
                KeyBinding { key: "enter", action: "hard" },
            ],
        }],
        overlays: &[],
        tick_ms: None,
        idle: None,
        suite: include_str!("../suite.toml"),
        door: &[],
        page: &[],
        turn_limit: 1000,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rope, LevelError> {
        if rules != RULES {
            return Err(LevelError::whole(format!("`{rules}` is not a rule set: {RULES}")));
        }
        Rope::parse(text)
    }

    fn print(rope: &Rope, _format: &str) -> Result<String, LevelError> {
        Ok(rope.print())
    }
}

impl Draw for Tug {
    fn draw(rope: &Rope, token: &Token, _ids: &[u32]) -> Scene {
        let mut tiles = vec![ROPE; rope.end as usize + 1];
        (tiles[0], tiles[rope.end as usize]) = (LEFT, RIGHT);
        Scene {
            size: Size::new(rope.end as u16 + 1, 1),
            tiles,
            pieces: vec![Piece::new(0, (token.at as u16, 0), TOKEN)],
            walls: Vec::new(),
            labels: Vec::new(),
        }
    }
}

impl Trace for Tug {
    fn state_json(_: &Rope, token: &Token) -> Value {
        json!({"at": token.at, "to_move": token.to_move})
    }
}

impl Solve for Tug {
    /// Searches all pulls of the seat to move against an opponent who pulls gently, with known random numbers.
    fn solve(rope: &Arc<Rope>, start: &Token, options: &SolveOptions, _: &dyn Fn(&str)) -> Solution<Pull> {
        let deadline = options.deadline();
        let mut search = Search { rope, seat: start.to_move, deadline, states: 0, plan: Vec::new() };
        let won = search.wins(start, &options.chance);
        let outcome = if won { Solvability::Solved } else { Solvability::Unknown };
        Solution { outcome, plan: search.plan, ..Solution::unknown(search.states) }
    }

    fn check(rope: &Arc<Rope>, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        let solution = Self::solve(rope, &rope.start(), options, progress);
        let solvable = solution.outcome;
        let par = (solvable == Solvability::Solved).then_some(solution.plan.len() as u32);
        Report { solvable, par, difficulty: None, notes: Vec::new(), marks: Vec::new() }
    }
}

struct Search<'a> {
    rope: &'a Rope,
    seat: Seat,
    deadline: Deadline,
    states: u64,
    plan: Vec<Pull>,
}

impl Search<'_> {
    /// Whether the seat, which is to move, can win. If so, the plan contains its pulls.
    fn wins(&mut self, token: &Token, chance: &Rng) -> bool {
        self.states += 1;
        if self.plan.len() == MAX_PLAN || self.deadline.passed() {
            return false;
        }
        for pull in [Pull::Hard, Pull::Gently] {
            let (mut token, mut chance) = (token.clone(), chance.clone());
            self.plan.push(pull);
            self.rope.apply(&mut token, pull, &mut chance);
            if let Status::ToMove(_) = self.rope.status(&token) {
                self.rope.apply(&mut token, Pull::Gently, &mut chance);
            }
            let won = match self.rope.status(&token) {
                Status::Over(over) => over.outcome(self.seat) == Outcome::Win,
                Status::ToMove(_) => self.wins(&token, &chance),
            };
            if won {
                return true;
            }
            self.plan.pop();
        }
        false
    }
}

impl Generate for Tug {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        let mut rng = Rng::new(request.seed);
        let (width, height) = request.size.unwrap_or((5 + 2 * rng.below(9) as u16, 1));
        if height != 1 || !(3..=MAX_ROPE).contains(&width) {
            return Err(format!("a rope has one row of 3 to {MAX_ROPE} cells"));
        }
        let end = i32::from(width) - 1;
        Ok(Rope { end, start: (end / 2).max(1) }.print())
    }
}

impl Kit for Tug {
    const REVIEW: Option<Reviewer<Rope>> = Some(review);

    fn agent(_: &Arc<Rope>, name: &str, _: Seat, seed: u64) -> Option<Box<dyn Agent<Rope>>> {
        match name {
            "best" => Some(Box::new(Always(Pull::Hard))),
            "original" => Some(Box::new(Always(Pull::Gently))),
            "random" => Some(Box::new(Random::new(seed))),
            _ => None,
        }
    }

    fn bench(seconds: f64) -> Bench {
        let rope = Rope { end: 100, start: 50 };
        let mut signature = 0;
        let pulls = Measure::timed("pulls", seconds, |number| {
            let (mut token, mut chance, mut count) = (rope.start(), Rng::new(number), 0);
            while matches!(rope.status(&token), Status::ToMove(_)) && count < 1000 {
                rope.apply(&mut token, Pull::Hard, &mut chance);
                count += 1;
            }
            if number == 0 {
                signature = rope.hash(&token) ^ count;
            }
            count
        });
        Bench { signature, measures: vec![pulls] }
    }
}

/// An agent that always pulls the same way.
struct Always(Pull);

impl Agent<Rope> for Always {
    fn act(&mut self, turn: &Turn<'_, Rope>, insight: &mut Insight) -> Pull {
        insight.say(|| format!("the token is at {}: same pull as always", turn.observation));
        self.0
    }
}

/// Remarks on every hard pull that got no further than a gentle one.
fn review(rope: &Arc<Rope>, played: &Played<Rope>, _: &Clock, _: &dyn Fn(&str)) -> Option<Review> {
    if played.moments.is_empty() {
        return None;
    }
    let remark = |(index, moment): (usize, &Moment<Rope>)| {
        let after = |pull| {
            let (mut token, mut chance) = (moment.state.clone(), moment.chance.clone());
            rope.apply(&mut token, pull, &mut chance);
            token
        };
        let slipped = moment.action == Pull::Hard && after(Pull::Hard) == after(Pull::Gently);
        slipped.then(|| Remark {
            number: index + 1,
            seat: moment.seat,
            action: rope.action_name(moment.action),
            kind: kind::MISTAKE.into(),
            text: "it slipped".into(),
            instead: vec!["gently".into()],
        })
    };
    let remarks = played.moments.iter().enumerate().filter_map(remark).collect();
    Some(Review { text: format!("it ended at {}", played.end.at), remarks })
}
