//! The course project's agent, decision for decision (see the test `original_agreement`), with its limits.
//!
//! It compares the view with the last one to find where monsters walk and which rocks fall, imagines the map one tick later,
//! and goes by A* to the nearest diamond it sees, or to the exit once it is open. It takes blue monsters for red ones, and
//! knows nothing of falling diamonds, of pushing rocks, or of anything further than the next tick. A monster that cannot move
//! is too much for it: it stands still. On wide maps it runs out of memory, which ends the real program; this one stands still.

mod map;
mod way;

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, Point, reason};

use crate::kind::Kind;
use crate::observe::Observation;
use crate::rules::{Action, Rules};
use map::Codes;
use way::{OutOfMemory, Stack};

/// The order in which it looks for a cell to flee to.
const ESCAPES: [Dir; 4] = [Dir::East, Dir::West, Dir::North, Dir::South];

/// A rock, and whether it falls.
type Rock = (usize, bool);

/// The agent `original`, which remembers the last view.
#[derive(Clone, Debug, Default)]
pub struct Original {
    last: Codes,
    rocks: Vec<Rock>,
    out_of_memory: bool,
}

/// The map as the agent imagines it one tick later.
struct Imagined {
    map: Codes,
    monsters: Vec<usize>,
}

/// What it made of a turn.
enum Decision {
    /// The ways to all goals that can be reached, the shortest first: it takes that.
    Go(Vec<Vec<usize>>),
    /// No way, and danger: where to flee to, if anywhere.
    Flee(Option<Dir>),
    /// No way, no danger.
    Wait,
}

impl Original {
    /// An agent that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn decide(
        &mut self,
        view: &Codes,
        miner: usize,
        open: bool,
    ) -> Result<(Decision, Option<Imagined>), OutOfMemory> {
        let mut stack = Stack::default();
        // In the first turn every rock is at rest. If that leads nowhere, those with nothing below fall.
        let at_rest: Vec<Rock> = view.cells(Kind::Rock).map(|rock| (rock, false)).collect();
        let first = self.rocks.is_empty().then_some(at_rest);
        let rocks = first.into_iter().chain(follow_rocks(view, &self.rocks));
        for rocks in rocks.collect::<Vec<_>>() {
            self.rocks.clone_from(&rocks);
            let Some(imagined) = imagine(view, &self.last, miner, &rocks) else { continue };
            let goals: Vec<Vec<usize>> = if open {
                imagined.map.cells(Kind::Exit).map(|exit| vec![exit]).collect()
            } else {
                vec![imagined.map.cells(Kind::Diamond).collect()]
            };
            for goals in goals {
                let ways = ways_to(&imagined.map, miner, &goals, &mut stack)?;
                if !ways.is_empty() {
                    return Ok((Decision::Go(ways), Some(imagined)));
                }
                if in_danger(&imagined.map, miner, &rocks) {
                    return Ok((Decision::Flee(escape(&imagined.map, miner)), Some(imagined)));
                }
            }
        }
        Ok((Decision::Wait, None))
    }
}

/// The rocks with their state, given those of the last view: a rock that is somewhere new falls as long as the cell below is
/// empty. Nothing if one is over the miner or the exit, which it does not expect.
fn follow_rocks(view: &Codes, last: &[Rock]) -> Option<Vec<Rock>> {
    let state = |rock: usize| {
        let below = rock + view.width();
        let known = last.iter().find(|known| known.0 == rock).map(|known| known.1);
        known.or_else(|| view.is(below, Kind::Empty).then_some(true)).or_else(|| {
            let rests =
                view.is(below, Kind::Dirt) || view.is(below, Kind::Diamond) || view.is_obstacle(below);
            rests.then_some(false)
        })
    };
    view.cells(Kind::Rock).map(|rock| Some((rock, state(rock)?))).collect()
}

/// The map one tick later; nothing if a monster cannot move.
fn imagine(view: &Codes, last: &Codes, miner: usize, rocks: &[Rock]) -> Option<Imagined> {
    let mut map = view.clone();
    for wall in threatened(view, miner, rocks) {
        map.wall_off(wall);
    }
    let monsters = if last.is_empty() { first_moves(&map) } else { next_moves(&map, last) }?;
    for monster in map.monsters().collect::<Vec<_>>() {
        map.set(monster, Kind::Empty);
    }
    for &monster in &monsters {
        map.set(monster, Kind::Red);
    }
    for &monster in &monsters {
        for cell in map.around(monster).into_iter().collect::<Vec<_>>() {
            if map.is(cell, Kind::Empty) || map.is(cell, Kind::Dirt) {
                map.wall_off(cell);
            }
        }
    }
    Some(Imagined { map, monsters })
}

/// The cells that falling rocks make virtual walls. A rock right above, or beside and one above, does not count: a miner who
/// steps under it stops it.
fn threatened(view: &Codes, miner: usize, rocks: &[Rock]) -> Vec<usize> {
    let width = view.width();
    let falls = |rock: usize| rocks.contains(&(rock, true));
    let (above, left, right) = (miner.checked_sub(width), miner.checked_sub(1), Some(miner + 1));
    let threats = [(3 * width, above), (2 * width - 1, right), (2 * width + 1, left), (2 * width, above)];
    let threat =
        |(up, wall): (usize, Option<usize>)| wall.filter(|_| miner.checked_sub(up).is_some_and(falls));
    threats.into_iter().filter_map(threat).collect()
}

fn step(cell: usize, dir: Dir, width: usize) -> usize {
    match dir {
        Dir::North => cell.wrapping_sub(width),
        Dir::East => cell + 1,
        Dir::South => cell + width,
        Dir::West => cell.wrapping_sub(1),
    }
}

fn first_free(map: &Codes, cell: usize, dirs: [Dir; 4]) -> Option<usize> {
    dirs.into_iter().map(|dir| step(cell, dir, map.width())).find(|&to| map.is(to, Kind::Empty))
}

/// Where the monsters of the first view go.
fn first_moves(map: &Codes) -> Option<Vec<usize>> {
    map.monsters()
        .map(|monster| first_free(map, monster, [Dir::North, Dir::East, Dir::South, Dir::West]))
        .collect()
}

/// Where monsters go whose last place is known. Others are forgotten.
fn next_moves(map: &Codes, last: &Codes) -> Option<Vec<usize>> {
    let mut moves: Vec<(usize, Option<Dir>)> = Vec::new();
    for before in last.monsters() {
        let headings = [None, Some(Dir::North), Some(Dir::East), Some(Dir::South), Some(Dir::West)];
        for heading in headings {
            let now = heading.map_or(before, |dir| step(before, dir, map.width()));
            if map.is_monster(now) && moves.iter().all(|&(taken, _)| taken != now) {
                moves.push((now, heading));
            }
        }
    }
    let next = |(now, heading): (usize, Option<Dir>)| {
        let dirs = match heading {
            None => [Dir::South, Dir::East, Dir::West, Dir::North],
            Some(dir) => [dir.left(), dir, dir.right(), dir.opposite()],
        };
        first_free(map, now, dirs)
    };
    moves.into_iter().rev().map(next).collect()
}

/// The ways to the goals that can be reached, the shortest first, equal ones in reading order of their goals.
fn ways_to(
    map: &Codes,
    miner: usize,
    goals: &[usize],
    stack: &mut Stack,
) -> Result<Vec<Vec<usize>>, OutOfMemory> {
    let mut ways = Vec::new();
    for &goal in goals {
        ways.extend(way::find(map, miner, goal, stack)?);
    }
    ways.sort_by_key(Vec::len);
    Ok(ways)
}

/// A monster will be beside the miner, or a rock falls from at most two cells above.
fn in_danger(map: &Codes, miner: usize, rocks: &[Rock]) -> bool {
    let falls = |up: usize| {
        miner
            .checked_sub(up * map.width())
            .is_some_and(|rock| rocks.contains(&(rock, true)) && map.is(rock, Kind::Rock))
    };
    map.around(miner).into_iter().any(|cell| map.is_monster(cell)) || falls(1) || falls(2)
}

fn escape(map: &Codes, miner: usize) -> Option<Dir> {
    ESCAPES.into_iter().find(|&dir| map.is(step(miner, dir, map.width()), Kind::Empty))
}

impl Agent<Rules> for Original {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let seen = turn.observation;
        if self.out_of_memory {
            insight.say(|| "the real program ran out of memory: it stands still".to_owned());
            return Action::Stay;
        }
        let view = Codes::new(seen.cells.clone(), seen.size.into());
        let Ok((decision, imagined)) = self.decide(&view, seen.pos, seen.can_goto_exit) else {
            self.out_of_memory = true;
            insight.say(|| "the real program runs out of memory here: it stands still".to_owned());
            return Action::Stay;
        };
        show(insight, seen, &view, &decision, imagined.as_ref());
        let dir = match &decision {
            Decision::Go(ways) => {
                Dir::ALL.into_iter().find(|&dir| ways[0].get(1) == Some(&step(seen.pos, dir, view.width())))
            }
            // It fails before it notes what it saw.
            Decision::Flee(None) => return Action::Stay,
            Decision::Flee(dir) => *dir,
            Decision::Wait => None,
        };
        self.last = view;
        dir.map_or(Action::Stay, Action::Go)
    }
}

fn show(
    insight: &mut Insight,
    seen: &Observation,
    view: &Codes,
    decision: &Decision,
    imagined: Option<&Imagined>,
) {
    if !insight.wanted() {
        return;
    }
    let point = |cell: &usize| -> Point {
        let (column, row) = ((cell % view.width()) as u16, (cell / view.width()) as u16);
        (seen.left + column, seen.top + row)
    };
    if let Some(Imagined { map, monsters }) = imagined {
        let walls: Vec<usize> = (0..map.len()).filter(|&cell| map.is_walled_off(cell)).collect();
        insight.mark(reason::VIRTUAL_WALL, walls.iter().map(point));
        insight.mark(reason::PREDICTED, monsters.iter().map(point));
    }
    if let Decision::Go(ways) = decision {
        insight.mark(reason::PATH, ways[0].iter().map(point));
        // As in the project's report: which diamond comes first, and how long its way is.
        for (priority, way) in (1..).zip(ways) {
            let why = if priority == 1 { reason::GOAL } else { "candidate" };
            let goal = way.last().map_or((seen.x, seen.y), point);
            insight.label(why, goal, || format!("{priority}: {}", way.len() - 1));
        }
        insight.count("steps", ways[0].len() as u64 - 1);
    }
    let why = match decision {
        Decision::Go(..) => "go to the nearest goal in sight",
        Decision::Flee(Some(_)) => "no way to any goal, and danger: step aside",
        Decision::Flee(None) => "no way to any goal, danger, and nowhere to go",
        Decision::Wait => "no way to any goal, and no danger: wait",
    };
    insight.say(|| why.to_owned());
}
