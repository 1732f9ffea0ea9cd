//! Seeded levels for both rule sets: storeys with gaps, ladders between them, cables over gaps, gold and hunters.
//!
//! A layout is proposed, then certified: our own search must win on it. If it does not, the next proposal follows, so the same
//! seed always gives the same level.
//!
//! ```
//! use damier_kit::GenerateRequest;
//! use damier_loderunner::generate::generate;
//! use damier_loderunner::level::Level;
//! use damier_loderunner::rules::RuleSet;
//!
//! let request = GenerateRequest { seed: 7, difficulty: Some(2.0), size: Some((24, 12)), rules: "course", ..GenerateRequest::default() };
//! let level = Level::parse(&generate(&request).unwrap(), RuleSet::Course).unwrap();
//! assert_eq!(level.header("name"), Some("storeys 7"));
//! ```

use damier_core::random::{Chance, Rng, mix};
use damier_kit::GenerateRequest;

use crate::agents::planner::Planner;
use crate::classic::State;
use crate::classic::board::{Extent, MOST_COLUMNS, MOST_ROWS};
use crate::course;
use crate::course::map::Map;
use crate::course::tour::{Tour, UNREACHABLE};
use crate::level::{Level, MAX_SIDE};
use crate::rules::{Ground, RuleSet, Rules};
use crate::solve::bound::least_ticks;
use crate::solve::classic::{SearchLimits, solve};
use crate::solve::ways::Ways;

/// The smallest number of columns and of rows of a course map.
const SMALLEST: (usize, usize) = (12, 8);
/// Layouts proposed before giving up.
const PROPOSALS: u64 = 200;
/// What certifying one layout may cost, in keys tried or rounds looked at.
const CLASSIC_NODES: u64 = 1_500_000;
const COURSE_NODES: u64 = 40_000;
const MOST_ROUNDS: usize = 600;

/// A new level as text, or why there is none of this size or difficulty.
pub fn generate(request: &GenerateRequest) -> Result<String, String> {
    let set =
        RuleSet::parse(request.rules).ok_or_else(|| format!("`{}` is not a rule set", request.rules))?;
    let (width, height) = checked_size(set, request.size)?;
    let difficulty = request.difficulty.unwrap_or(4.0);
    for proposal in 0..PROPOSALS {
        request.check_cancelled()?;
        let mut rng = Rng::new(mix(request.seed) ^ proposal);
        let layout = Layout::new(width, height, set, difficulty, &mut rng);
        let text = format!("; name: storeys {}\n{}", request.seed, layout.print());
        if is_certified(&text, set) {
            return Ok(text);
        }
    }
    Err(format!("none of {PROPOSALS} layouts of {width}x{height} could be won; try another size or seed"))
}

fn checked_size(set: RuleSet, size: Option<(u16, u16)>) -> Result<(usize, usize), String> {
    let original = (usize::from(Extent::ORIGINAL.columns), usize::from(Extent::ORIGINAL.rows));
    let (usual, least, most) = match set {
        RuleSet::Course => ((30, 18), SMALLEST, (MAX_SIDE, MAX_SIDE)),
        RuleSet::Classic => (original, original, (MOST_COLUMNS, MOST_ROWS)),
    };
    let (width, height) = size.map_or(usual, |(width, height)| (width.into(), height.into()));
    if !(least.0..=most.0).contains(&width) || !(least.1..=most.1).contains(&height) {
        return Err(format!(
            "a map has {} to {} columns and {} to {} rows",
            least.0, most.0, least.1, most.1
        ));
    }
    Ok((width, height))
}

fn is_certified(text: &str, set: RuleSet) -> bool {
    let Ok(level) = Level::parse(text, set) else { return false };
    let rules = Rules::new(level);
    match rules.ground() {
        Ground::Course(map) => (0..3).all(|seed| course_is_won(map, seed)),
        Ground::Classic(board) => {
            let ways = Ways::new(board);
            let limits = SearchLimits { nodes: CLASSIC_NODES, deadline: None };
            least_ticks(board, &ways).is_some()
                && solve(board, &ways, &State::new(board), &Rng::new(1), &limits).wins
        }
    }
}

fn course_is_won(map: &Map, seed: u64) -> bool {
    if Tour::new(map).left(map.runner(), map.all_bonuses()) >= UNREACHABLE {
        return false;
    }
    let mut planner = Planner::new(map);
    let mut chance = Rng::new(seed);
    let mut state = course::State::new(map);
    for _ in 0..MOST_ROUNDS {
        let Some(&action) = planner.plan(map, &state, COURSE_NODES, &|| false).actions.first() else {
            return false;
        };
        state.round(map, action, &mut chance);
        if state.ending.is_some() {
            break;
        }
    }
    state.ending == Some(course::Ending::Won)
}

/// What a cell of a layout is, in both rule sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Nothing,
    Wall,
    Brick,
    Ladder,
    Cable,
    HiddenLadder,
    Gold,
    Hunter,
    Runner,
    Exit,
}

/// A level being laid out.
struct Layout {
    width: usize,
    height: usize,
    set: RuleSet,
    parts: Vec<Part>,
}

impl Layout {
    fn new(width: usize, height: usize, set: RuleSet, difficulty: f64, rng: &mut Rng) -> Self {
        let mut layout = Self { width, height, set, parts: vec![Part::Nothing; width * height] };
        let storeys = layout.build_storeys(rng);
        for pair in storeys.windows(2) {
            layout.join(pair[0], pair[1], rng);
        }
        layout.build_way_out(&storeys, rng);
        let gold = 4 + (width * height) / 90 + rng.below(3) as usize;
        let hunters = (difficulty / 2.0).ceil() as usize;
        layout.put(Part::Runner, 1, rng);
        layout.put(Part::Gold, gold, rng);
        layout.put(Part::Hunter, hunters, rng);
        if set == RuleSet::Course {
            layout.frame();
        }
        layout
    }

    fn at(&mut self, x: usize, y: usize) -> &mut Part {
        &mut self.parts[y * self.width + x]
    }

    fn part(&self, x: usize, y: usize) -> Part {
        self.parts[y * self.width + x]
    }

    /// The first and last column that can be built on.
    fn columns(&self) -> (usize, usize) {
        if self.set == RuleSet::Course { (1, self.width - 2) } else { (0, self.width - 1) }
    }

    /// Floors from the bottom up, three or four rows apart, those above the lowest with gaps under cables.
    fn build_storeys(&mut self, rng: &mut Rng) -> Vec<usize> {
        let (first, last) = self.columns();
        let mut floor = if self.set == RuleSet::Course { self.height - 2 } else { self.height - 1 };
        let mut storeys = vec![floor];
        while floor >= 6 {
            floor -= 3 + rng.below(2) as usize;
            storeys.push(floor);
        }
        for (number, &floor) in storeys.iter().enumerate() {
            for x in first..=last {
                *self.at(x, floor) = Part::Brick;
            }
            if number > 0 {
                for _ in 0..=rng.below(2) {
                    self.open_gap(floor, rng);
                }
            }
        }
        storeys
    }

    /// A gap in a floor, with a cable above it as often as not.
    fn open_gap(&mut self, floor: usize, rng: &mut Rng) {
        let (first, last) = self.columns();
        let length = 2 + rng.below(5) as usize;
        let start = first + 1 + rng.below((last - first - length) as u32) as usize;
        let cable = rng.below(2) == 0;
        for x in start..start + length {
            *self.at(x, floor) = Part::Nothing;
            if cable {
                // Under `course` one hangs in the cell below a cable, under `classic` in its own.
                let row = if self.set == RuleSet::Course { floor - 2 } else { floor - 1 };
                *self.at(x, row) = Part::Cable;
            }
        }
    }

    /// One or two ladders from a storey to the next one above it.
    fn join(&mut self, lower: usize, upper: usize, rng: &mut Rng) {
        let (first, last) = self.columns();
        for _ in 0..=rng.below(2) {
            let bricks: Vec<usize> = (first..=last).filter(|&x| self.part(x, upper) == Part::Brick).collect();
            let Some(&x) = rng.choose(&bricks) else { return };
            for y in upper..lower {
                *self.at(x, y) = Part::Ladder;
            }
        }
    }

    /// The exit on the highest storey, or the hidden ladder from it to the top.
    fn build_way_out(&mut self, storeys: &[usize], rng: &mut Rng) {
        let top = *storeys.last().expect("there is a lowest storey");
        let (first, last) = self.columns();
        let standing: Vec<usize> = (first..=last)
            .filter(|&x| self.part(x, top) == Part::Brick && self.part(x, top - 1) == Part::Nothing)
            .collect();
        let Some(&x) = rng.choose(&standing) else { return };
        match self.set {
            RuleSet::Course => *self.at(x, top - 1) = Part::Exit,
            RuleSet::Classic => (0..top).for_each(|y| *self.at(x, y) = Part::HiddenLadder),
        }
    }

    /// Puts things on floors where nothing else is.
    fn put(&mut self, part: Part, count: usize, rng: &mut Rng) {
        for _ in 0..count {
            let free: Vec<usize> = (0..self.parts.len() - self.width)
                .filter(|&cell| {
                    self.parts[cell] == Part::Nothing && self.parts[cell + self.width] == Part::Brick
                })
                .filter(|&cell| part != Part::Hunter || self.is_far_from_runner(cell))
                .collect();
            let Some(&cell) = rng.choose(&free) else { return };
            self.parts[cell] = part;
        }
    }

    fn is_far_from_runner(&self, cell: usize) -> bool {
        let Some(runner) = self.parts.iter().position(|&part| part == Part::Runner) else { return true };
        let (x, y) = (cell % self.width, cell / self.width);
        (runner % self.width).abs_diff(x) + (runner / self.width).abs_diff(y) > 8
    }

    fn frame(&mut self) {
        for x in 0..self.width {
            *self.at(x, 0) = Part::Wall;
            *self.at(x, self.height - 1) = Part::Wall;
        }
        for y in 0..self.height {
            *self.at(0, y) = Part::Wall;
            *self.at(self.width - 1, y) = Part::Wall;
        }
    }

    fn print(&self) -> String {
        let order = [
            Part::Nothing,
            Part::Wall,
            Part::Brick,
            Part::Ladder,
            Part::Cable,
            Part::HiddenLadder,
            Part::Gold,
            Part::Hunter,
            Part::Runner,
            Part::Exit,
        ];
        let characters = if self.set == RuleSet::Course { ".WFLC.BERX" } else { " @#H-S$0& " };
        let character = |part: Part| {
            let index = order.iter().position(|&other| other == part).expect("all parts are listed");
            char::from(characters.as_bytes()[index])
        };
        let row = |row: &[Part]| row.iter().map(|&part| character(part)).chain(['\n']).collect::<String>();
        self.parts.chunks(self.width).map(row).collect()
    }
}
