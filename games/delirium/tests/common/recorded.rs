//! Recorded ticks of the original engine, seen through the miner's view, against our rules.
//!
//! What lies outside the view is unknown, and so is where a monster walks before it was seen to move. So each tick is
//! played many times, with other things outside the view, other headings, and slides to either side. A cell that can hold
//! several things after that is undecided by the view; the recorded thing must be one of those that it can hold.
//! Burning cells look empty in the recordings.

use std::collections::{BTreeMap, BTreeSet};

use damier_core::game::Game;
use damier_core::grid::{Cell, Dir};
use damier_core::random::{Chance, Rng};
use damier_delirium::kind::Kind;
use damier_delirium::level::Level;
use damier_delirium::rules::{Action, Options, RuleSet, Rules};

/// Cells around the view that are played with, because they may reach into it.
const MARGIN: i32 = 3;

/// Ways to fill what is unknown.
const FILLINGS: u64 = 160;

/// Part of a map; `?` cells were not seen.
#[derive(Clone, Debug)]
pub struct View {
    pub x0: i32,
    pub y0: i32,
    pub rows: Vec<Vec<char>>,
}

impl View {
    pub fn new(x0: i32, y0: i32, rows: &[&str]) -> Self {
        Self { x0, y0, rows: rows.iter().map(|row| row.chars().collect()).collect() }
    }

    /// What was seen at a place of the map.
    pub fn at(&self, x: i32, y: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(y - self.y0).ok()?)?;
        row.get(usize::try_from(x - self.x0).ok()?).copied().filter(|&char| char != '?')
    }

    pub fn places(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.rows.iter().zip(self.y0..).flat_map(|(row, y)| (self.x0..).take(row.len()).map(move |x| (x, y)))
    }
}

/// What is known besides the view: where monsters walk, and which cells burn, for how many ticks, to become what.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub headings: BTreeMap<(i32, i32), Dir>,
    pub fires: BTreeMap<(i32, i32), (u8, char)>,
}

/// What a comparison found.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Cells whose content after the tick follows from what was seen, and is what was recorded.
    pub decided: usize,
    /// Cells that can hold several things, the recorded one among them.
    pub undecided: usize,
    /// Cells that cannot hold what was recorded: place, recorded, possible.
    pub wrong: Vec<((i32, i32), char, String)>,
    /// The cells that burn after the tick.
    fires: BTreeMap<(i32, i32), (u8, char)>,
}

/// Does the miner leave by an exit? Then the next view is of another map, or of the same one from its start.
pub fn leaves(before: &View, action: u32) -> bool {
    let Some(Action::Go(dir)) = Action::numbered(action) else { return false };
    let (dx, dy) = dir.delta();
    let miner = before.places().find(|&(x, y)| before.at(x, y) == Some('P'));
    miner.is_some_and(|(x, y)| before.at(x + i32::from(dx), y + i32::from(dy)) == Some('X'))
}

/// Plays one recorded tick.
pub fn compare(before: &View, action: u32, after: &View, known: &Known, options: Options) -> Comparison {
    let action = Action::numbered(action).expect("a recorded action");
    let mut possible: BTreeMap<(i32, i32), BTreeSet<char>> = BTreeMap::new();
    let mut comparison = Comparison::default();
    for filling in 0..FILLINGS {
        let (drawn, fires) = play(before, action, known, options, filling);
        for (place, char) in drawn {
            possible.entry(place).or_default().insert(char);
        }
        // A fire is known if it burns whatever the unknown is.
        match filling {
            0 => comparison.fires = fires,
            _ => comparison.fires.retain(|place, _| fires.contains_key(place)),
        }
    }
    for (&place, &(ticks, leaves)) in &known.fires {
        possible.insert(place, BTreeSet::from([if ticks > 1 { '_' } else { leaves }]));
        if ticks > 1 {
            comparison.fires.entry(place).or_insert((ticks - 1, leaves));
        }
    }
    for (x, y) in after.places() {
        let (Some(recorded), Some(_)) = (after.at(x, y), before.at(x, y)) else { continue };
        match possible.get(&(x, y)) {
            Some(possible) if !possible.contains(&recorded) => {
                comparison.wrong.push(((x, y), recorded, possible.iter().collect()));
            }
            Some(possible) if possible.len() == 1 => comparison.decided += 1,
            _ => comparison.undecided += 1,
        }
    }
    comparison
}

/// Cells with what they show, and the fires that a tick has lit.
type Played = (Vec<((i32, i32), char)>, BTreeMap<(i32, i32), (u8, char)>);

/// The view's cells after the tick, under one guess of all that is unknown.
fn play(before: &View, action: Action, known: &Known, options: Options, filling: u64) -> Played {
    let mut rng = Rng::new(filling);
    let uniform = "_#r.dw".chars().nth(filling as usize);
    let mut unknown =
        || uniform.unwrap_or_else(|| ['_', '_', '#', 'r', '.', 'd', 'w', 'R', 'B'][rng.below(9) as usize]);
    let width = before.rows.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let (left, top) = (before.x0 - MARGIN, before.y0 - MARGIN);
    let (right, bottom) = (before.x0 + width + MARGIN, before.y0 + before.rows.len() as i32 + MARGIN);
    // Nothing is left of or above the map; the last column holds the exit that every level needs.
    let mut text = String::from("; need: 65535\n");
    for y in top..bottom {
        for x in left..right {
            let outside = x < 0 || y < 0;
            text.push(if outside { '#' } else { before.at(x, y).unwrap_or_else(&mut unknown) });
        }
        text.push_str(if y == top { "#X\n" } else { "##\n" });
    }
    let level = Level::parse(&text).expect("a view is a map");
    let rules = Rules::with_options(level, options);
    let start = rules.start();
    let size = rules.size(&start);
    let place = |cell: Cell| {
        let (x, y) = size.xy(cell);
        (left + i32::from(x), top + i32::from(y))
    };
    let guess = |cell: Cell| match known.headings.get(&place(cell)) {
        Some(&heading) => Some(heading),
        None => match Rng::new(filling ^ u64::from(cell.0) << 8).below(5) {
            0 => None,
            dir => Some(Dir::from_index(dir as u8)),
        },
    };
    let seen = |cell: Cell| {
        if known.fires.contains_key(&place(cell)) { Kind::Blast } else { rules.kind(&start, cell) }
    };
    let mut state = rules.redraw(&start, &size.cells().map(seen).collect::<Vec<_>>(), guess);
    rules.apply(&mut state, action, &mut Rng::new(filling));
    let shown = |cell: Cell| match rules.kind(&state, cell) {
        Kind::Blast => '_',
        kind => kind.char(),
    };
    let cells = || size.cells().filter(|&cell| size.xy(cell).0 + 2 < size.width);
    let mut fires = BTreeMap::new();
    for (centre, diamonds, ticks) in rules.explosions(&state) {
        let (x, y) = place(centre);
        let burns = |&cell: &Cell| {
            let (cx, cy) = place(cell);
            cx.abs_diff(x) <= 1 && cy.abs_diff(y) <= 1 && rules.kind(&state, cell) == Kind::Blast
        };
        let leaves = if diamonds { 'd' } else { '_' };
        fires.extend(cells().filter(burns).map(|cell| (place(cell), (ticks, leaves))));
    }
    (cells().map(|cell| (place(cell), shown(cell))).collect(), fires)
}

/// The options of the recordings: the rule book's, but blue monsters walk in every tick, and their explosions take three.
pub fn options() -> Options {
    Options { blue_pace: 1, blue_blast_ticks: 3, ..Options::of(RuleSet::Course) }
}

/// The headings after a tick, of the monsters whose step can be told.
fn follow(before: &View, after: &View, known: &Known) -> BTreeMap<(i32, i32), Dir> {
    let is_monster = |view: &View, x: i32, y: i32| view.at(x, y).filter(|char| "RB".contains(*char));
    let mut next = BTreeMap::new();
    for (x, y) in after.places() {
        let Some(monster) = is_monster(after, x, y) else { continue };
        let came = |&dir: &Dir| {
            let (dx, dy) = dir.delta();
            is_monster(before, x - i32::from(dx), y - i32::from(dy)) == Some(monster)
        };
        let from: Vec<Dir> = Dir::ALL.into_iter().filter(came).collect();
        let stayed = is_monster(before, x, y) == Some(monster);
        match (&from[..], stayed, known.headings.get(&(x, y))) {
            // Nobody can have come from a place that was not seen, if all around was.
            ([dir], false, _) if seen_around(before, x, y) => {
                next.insert((x, y), *dir);
            }
            ([], true, Some(&heading)) => {
                next.insert((x, y), heading);
            }
            _ => {}
        }
    }
    next
}

fn seen_around(view: &View, x: i32, y: i32) -> bool {
    Dir::ALL.into_iter().all(|dir| {
        let (dx, dy) = dir.delta();
        view.at(x + i32::from(dx), y + i32::from(dy)).is_some()
    })
}

/// A recorded tick of `transitions.txt`: `T action`, the view before, `--`, the view after; `==` ends it.
pub fn transitions(text: &str) -> Vec<(u32, View, View)> {
    text.split("==")
        .filter_map(|block| {
            let (head, rest) = block.trim().split_once('\n')?;
            let (before, after) = rest.split_once("\n--\n")?;
            let view = |text: &str| View::new(1, 1, &text.trim_end().lines().collect::<Vec<_>>());
            Some((head.strip_prefix("T ")?.trim().parse().ok()?, view(before), view(after)))
        })
        .collect()
}

/// A frame of an episode: the view, and the action taken in it.
pub type Frame = (View, Option<u32>);

/// The episodes of a file of JSON lines.
pub fn episodes(text: &str) -> Vec<Vec<Frame>> {
    let frame = |value: &serde_json::Value| -> Frame {
        let view = &value["view"];
        let rows: Vec<&str> =
            view["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        let number = |key: &str| view[key].as_i64().unwrap() as i32;
        (View::new(number("x0"), number("y0"), &rows), value["action"].as_u64().map(|it| it as u32))
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("an episode is JSON");
            value["frames"].as_array().expect("frames").iter().map(frame).collect()
        })
        .collect()
}

/// All ticks of an episode that stay on the map, compared.
pub fn compare_episode(frames: &[Frame], options: Options) -> Vec<Comparison> {
    let mut known = Known::default();
    let mut comparisons = Vec::new();
    for pair in frames.windows(2) {
        let [(before, Some(action)), (after, _)] = pair else { continue };
        if leaves(before, *action) {
            known = Known::default();
            continue;
        }
        let comparison = compare(before, *action, after, &known, options);
        known = Known { headings: follow(before, after, &known), fires: comparison.fires.clone() };
        comparisons.push(comparison);
    }
    comparisons
}
