//! The course project's agent, step for step, with its limits.
//!
//! It compares the view with the last one to find where red monsters walk and which rocks fall, imagines the map one tick
//! later, and goes by A* to the nearest diamond it sees, or to the exit once it is open. It knows nothing of blue
//! monsters, of falling diamonds, of pushing rocks, or of anything further than the next tick.

use std::collections::VecDeque;

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, Point, reason};
use damier_search::astar::{AStar, Way};

use crate::kind::Kind;
use crate::observe::Observation;
use crate::rules::{Action, Rules};

/// A place of the map; views overlap from tick to tick.
type Place = (i32, i32);

/// The order in which it tries neighbours.
const ORDER: [Dir; 4] = [Dir::East, Dir::West, Dir::North, Dir::South];

/// What was seen in one tick, by places of the map.
#[derive(Clone, Debug, Default)]
struct View {
    left: i32,
    top: i32,
    width: i32,
    codes: Vec<u8>,
}

impl View {
    fn of(seen: &Observation) -> Self {
        Self {
            left: seen.left.into(),
            top: seen.top.into(),
            width: seen.size.into(),
            codes: seen.cells.clone(),
        }
    }

    fn index(&self, (x, y): Place) -> Option<usize> {
        let (x, y) = (x - self.left, y - self.top);
        let inside = (0..self.width).contains(&x) && y >= 0;
        let index = (y * self.width + x) as usize;
        (inside && index < self.codes.len()).then_some(index)
    }

    /// The code at a place; outside the view there is nothing to walk on.
    fn at(&self, place: Place) -> u8 {
        self.index(place).map_or(Kind::Border.code(), |index| self.codes[index])
    }

    fn is(&self, place: Place, kind: Kind) -> bool {
        self.at(place) == kind.code()
    }

    fn set(&mut self, place: Place, kind: Kind) {
        if let Some(index) = self.index(place) {
            self.codes[index] = kind.code();
        }
    }

    fn places(&self, kind: Kind) -> impl Iterator<Item = Place> + '_ {
        let codes = self.codes.iter().enumerate().filter(move |(_, code)| **code == kind.code());
        codes.map(|(index, _)| (self.left + index as i32 % self.width, self.top + index as i32 / self.width))
    }
}

fn beside((x, y): Place, dir: Dir) -> Place {
    let (dx, dy) = dir.delta();
    (x + i32::from(dx), y + i32::from(dy))
}

/// The agent `original`, which remembers the last view.
#[derive(Clone, Debug, Default)]
pub struct Original {
    last: Option<View>,
    search: AStar<Place>,
}

/// The map as the agent imagines it one tick later.
struct Imagined {
    map: View,
    monsters: Vec<Place>,
    /// Cells that it treats as walls.
    virtual_walls: Vec<Place>,
}

impl Original {
    /// An agent that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Red monsters with the direction they came in, if the last view tells.
    fn red_monsters(&self, view: &View) -> Vec<(Place, Option<Dir>)> {
        let came = |place: Place| {
            let last = self.last.as_ref()?;
            let from = |dir: &Dir| last.is(beside(place, dir.opposite()), Kind::Red);
            Dir::ALL.into_iter().find(from).filter(|_| !last.is(place, Kind::Red))
        };
        view.places(Kind::Red).map(|place| (place, came(place))).collect()
    }

    /// Rocks that were one cell higher in the last view.
    fn falling_rocks(&self, view: &View) -> Vec<Place> {
        let Some(last) = &self.last else { return Vec::new() };
        let fell =
            |&place: &Place| last.is(place, Kind::Empty) && last.is(beside(place, Dir::North), Kind::Rock);
        view.places(Kind::Rock).filter(fell).collect()
    }

    fn imagine(&self, view: &View, miner: Place) -> Imagined {
        let mut map = view.clone();
        let mut monsters = Vec::new();
        for (place, dir) in self.red_monsters(view) {
            let tries = match dir {
                Some(dir) => [dir.left(), dir, dir.right(), dir.opposite()],
                None => [Dir::North, Dir::East, Dir::South, Dir::West],
            };
            let next = tries.into_iter().map(|dir| beside(place, dir)).find(|&it| view.is(it, Kind::Empty));
            map.set(place, Kind::Empty);
            monsters.push(next.unwrap_or(place));
        }
        let mut virtual_walls: Vec<Place> =
            monsters.iter().flat_map(|&monster| Dir::ALL.map(|dir| beside(monster, dir))).collect();
        for rock in self.falling_rocks(view) {
            virtual_walls.extend(threatened(rock, miner));
        }
        virtual_walls.retain(|&place| place != miner);
        for &place in &virtual_walls {
            map.set(place, Kind::Border);
        }
        for &monster in &monsters {
            map.set(monster, Kind::Red);
        }
        Imagined { map, monsters, virtual_walls }
    }

    /// The shortest way over empty cells, grass and diamonds.
    fn way(&mut self, map: &View, miner: Place, goal: Place) -> Option<Way<Place>> {
        let distance = |(x, y): Place| (x.abs_diff(goal.0)) + (y.abs_diff(goal.1));
        self.search.search(
            miner,
            |place| place == goal,
            distance,
            |place, out| {
                let open = |&to: &Place| to == goal || is_open(map, to);
                out.extend(ORDER.map(|dir| beside(place, dir)).into_iter().filter(open).map(|to| (to, 1)));
            },
        )
    }

    /// The way to the nearest of the goals by the length of the way. The course's agent searches a way to each of them; one
    /// flood tells which is the nearest.
    fn nearest(&mut self, map: &View, miner: Place, goals: &[Place]) -> Option<Way<Place>> {
        let steps = flood(map, miner, goals);
        let reached = goals.iter().filter_map(|goal| Some((*steps.get(map.index(*goal)?)?, *goal)));
        let (_, goal) = reached.filter(|&(steps, _)| steps != u32::MAX).min_by_key(|&(steps, _)| steps)?;
        self.way(map, miner, goal)
    }
}

/// What it walks over: empty cells, grass and diamonds.
fn is_open(map: &View, place: Place) -> bool {
    [Kind::Empty, Kind::Dirt, Kind::Diamond].into_iter().any(|kind| map.is(place, kind))
}

/// The steps to every cell in view, or `u32::MAX`. Ways may end on a goal that they could not go over.
fn flood(map: &View, miner: Place, goals: &[Place]) -> Vec<u32> {
    let mut steps = vec![u32::MAX; map.codes.len()];
    let mut queue = VecDeque::from([(miner, 0)]);
    while let Some((place, count)) = queue.pop_front() {
        for to in ORDER.map(|dir| beside(place, dir)) {
            let Some(index) = map.index(to).filter(|&index| steps[index] == u32::MAX) else { continue };
            if is_open(map, to) {
                queue.push_back((to, count + 1));
                steps[index] = count + 1;
            } else if goals.contains(&to) {
                steps[index] = count + 1;
            }
        }
    }
    steps
}

/// The cell that a falling rock makes a virtual wall. A rock right above or beside and one above does not count: a miner
/// who steps under it stops it.
fn threatened((x, y): Place, miner: Place) -> Option<Place> {
    match (x - miner.0, y - miner.1) {
        (-1 | 1, -2) | (0, -3) => Some((x, y + 2)),
        (0, -2) => Some((x, y + 1)),
        _ => None,
    }
}

/// No way: step aside if something comes, else wait.
fn evade(view: &View, imagined: &Imagined, falling: &[Place], miner: Place) -> (Action, &'static str) {
    let (x, y) = miner;
    let hunted = imagined
        .monsters
        .iter()
        .any(|&monster| Dir::ALL.into_iter().any(|dir| beside(miner, dir) == monster));
    let below = falling.iter().any(|&rock| rock == (x, y - 1) || rock == (x, y - 2));
    if !hunted && !below {
        return (Action::Stay, "no way to any goal, and no danger: wait");
    }
    let free = |dir: &Dir| {
        let to = beside(miner, *dir);
        [Kind::Empty, Kind::Dirt].into_iter().any(|kind| view.is(to, kind) && imagined.map.is(to, kind))
    };
    match ORDER.into_iter().find(free) {
        Some(dir) => (Action::Go(dir), "no way to any goal, and danger: step aside"),
        None => (Action::Stay, "no way to any goal, danger, and nowhere to go"),
    }
}

impl Agent<Rules> for Original {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let seen = turn.observation;
        let miner = (i32::from(seen.x), i32::from(seen.y));
        let view = View::of(seen);
        let imagined = self.imagine(&view, miner);
        let falling = self.falling_rocks(&view);
        let goal = if seen.can_goto_exit { Kind::Exit } else { Kind::Diamond };
        let goals: Vec<Place> = view.places(goal).collect();
        let way = self.nearest(&imagined.map, miner, &goals);
        let (action, why) = match way.as_ref().and_then(|way| way.nodes.get(1)) {
            Some(&next) => {
                let dir = Dir::ALL.into_iter().find(|&dir| beside(miner, dir) == next);
                (dir.map_or(Action::Stay, Action::Go), "go to the nearest goal in sight")
            }
            None => evade(&view, &imagined, &falling, miner),
        };
        show(insight, &imagined, way.as_ref(), why, &goals);
        self.last = Some(view);
        action
    }
}

fn show(insight: &mut Insight, imagined: &Imagined, way: Option<&Way<Place>>, why: &str, goals: &[Place]) {
    if !insight.wanted() {
        return;
    }
    let point = |&(x, y): &Place| Some((u16::try_from(x).ok()?, u16::try_from(y).ok()?));
    let points = |places: &[Place]| places.iter().filter_map(point).collect::<Vec<Point>>();
    insight.mark(reason::VIRTUAL_WALL, points(&imagined.virtual_walls));
    insight.mark(reason::PREDICTED, points(&imagined.monsters));
    if let Some(way) = way {
        insight.mark(reason::PATH, points(&way.nodes));
        insight.mark(reason::GOAL, points(&way.nodes[way.nodes.len() - 1..]));
        insight.count("steps", way.cost.into());
    }
    insight.count("goals in sight", goals.len() as u64);
    insight.say(|| why.to_owned());
}
