//! The solver: the proven minimum number of moves, moving any robot, for any position.
//!
//! | module | holds |
//! | --- | --- |
//! | [`search`] | A* over groups of positions that share the arrangement of the helpers |
//! | [`expand`] | moves of whole groups |
//! | [`last`] | moves that need not be made after the last one |
//! | [`bounds`], [`pairs`] | lower bounds on the remaining moves, as sets of cells |
//! | [`table`], [`helpers`] | the visited positions, and their packing |
//! | [`rays`], [`lines`], [`bits`] | slides as sets of cells |
//! | [`answers`] | all shortest solutions |
//! | [`quick`] | a quick solution that need not be shortest |
//!
//! ```
//! use damier_core::game::Game;
//! use damier_ricochet::{level::Level, rules::Rules, solve::{SearchLimits, SearchOutcome, solve}};
//! let level = Level::parse("
//! +---+---+---+
//! | R         |
//! +   +   +   +
//! |         B |
//! +   +   +   +
//! |     r     |
//! +---+---+---+
//! ").unwrap();
//! let game = Rules::new(level);
//! let answer = solve(&game, &game.start(), &SearchLimits::default(), &mut |_| {});
//! assert_eq!(answer.outcome, SearchOutcome::Solved);
//! let plan: Vec<String> = answer.plan.unwrap().iter().map(ToString::to_string).collect();
//! assert_eq!(plan, ["red south", "blue south", "red east"]);
//! ```

pub mod answers;
pub mod bits;
pub mod bounds;
pub mod expand;
pub mod helpers;
pub mod last;
pub mod lines;
pub mod pairs;
pub mod quick;
pub mod rays;
pub mod search;
pub mod table;

use std::time::Duration;

use damier_core::grid::Cell;
use damier_kit::cancel::TimeSource;
use damier_kit::{Cancel, Deadline, SolveOptions};

use crate::robot::Robot;
use crate::rules::{Action, Course, Rules, State};
use answers::Web;
use expand::{Step, Task};
use rays::Rays;
use search::{Order, Progress, Search};

/// The limits of a search. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Time.
    pub time: Option<Duration>,
    /// The clock of the time limit.
    pub source: TimeSource,
    /// The maximum number of positions; the same limit gives the same answer on every machine.
    pub positions: Option<u64>,
    /// Memory in bytes.
    pub memory: usize,
    /// The maximum length of a solution.
    pub moves: Option<u32>,
    /// The number of threads: with two or more, two threads expand positions in long searches.
    pub threads: usize,
    /// Ends the search early, as if its time were up.
    pub cancel: Cancel,
}

/// Longer than any search.
const FOREVER: Duration = Duration::from_secs(1 << 30);

impl SearchLimits {
    /// The deadline of a search that starts now.
    fn deadline(&self) -> Deadline {
        Deadline::measured(self.source, self.time.unwrap_or(FOREVER), &self.cancel)
    }
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            time: None,
            source: TimeSource::Wall,
            positions: None,
            memory: 900 << 20,
            moves: None,
            threads: 1,
            cancel: Cancel::default(),
        }
    }
}

impl From<&SolveOptions> for SearchLimits {
    fn from(options: &SolveOptions) -> Self {
        let SolveOptions { time, source, threads, ref cancel, .. } = *options;
        Self { time: Some(time), source, threads, cancel: cancel.clone(), ..Self::default() }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// The plan is a proven shortest solution.
    Solved,
    /// It is proven that there is no solution.
    Unsolvable,
    /// It is proven that there is no solution within the maximum length.
    TooLong,
    /// The time or the number of positions is exhausted.
    OutOfTime,
    /// The memory limit is reached.
    OutOfMemory,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub outcome: SearchOutcome,
    /// The best solution found: a shortest one if the outcome is [`SearchOutcome::Solved`].
    pub plan: Option<Vec<Action>>,
    /// A proven lower bound on the length of solutions.
    pub lower_bound: u32,
    /// The number of positions searched.
    pub positions: u64,
    /// The memory used in bytes, including the next growth of the tables.
    pub memory: usize,
}

/// Progress of a running search.
#[derive(Clone, Copy, Debug)]
pub struct News<'a> {
    /// A proven lower bound on the length of solutions.
    pub lower_bound: u32,
    /// The best solution found, not proven to be shortest.
    pub plan: Option<&'a [Action]>,
    /// The number of positions searched.
    pub positions: u64,
}

/// All shortest solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// Their number, saturating at `u64::MAX`.
    pub count: u64,
    /// The first of them, as many as requested.
    pub listed: Vec<Vec<Action>>,
    /// The simplest for humans: it moves the fewest robots and, among those listed, switches between them least often.
    pub simplest: Vec<Action>,
}

/// Searches for a shortest solution from a state. `news` is called for every new bound of a long search.
pub fn solve(game: &Rules, state: &State, limits: &SearchLimits, news: &mut dyn FnMut(News<'_>)) -> Answer {
    dispatch(game, state, limits, news, 0).0
}

/// Searches for all shortest solutions and lists up to `most` of them; `None` if none was proven shortest, or if there was
/// no time to count them.
pub fn solve_all(
    game: &Rules,
    state: &State,
    limits: &SearchLimits,
    most: usize,
) -> (Answer, Option<Solutions>) {
    dispatch(game, state, limits, &mut |_| {}, most.max(1))
}

/// Dispatches to the search for this size of board and number of robots.
fn dispatch(
    game: &Rules,
    state: &State,
    limits: &SearchLimits,
    news: &mut dyn FnMut(News<'_>),
    list: usize,
) -> (Answer, Option<Solutions>) {
    let small = game.level().board().size().area() <= 256;
    match (state.present().count(), small) {
        (0 | 1, true) => Solver::<4, 0>::run(game, state, limits, news, list),
        (2, true) => Solver::<4, 1>::run(game, state, limits, news, list),
        (3, true) => Solver::<4, 2>::run(game, state, limits, news, list),
        (4, true) => Solver::<4, 3>::run(game, state, limits, news, list),
        (_, true) => Solver::<4, 4>::run(game, state, limits, news, list),
        (0 | 1, false) => Solver::<16, 0>::run(game, state, limits, news, list),
        (2, false) => Solver::<16, 1>::run(game, state, limits, news, list),
        (3, false) => Solver::<16, 2>::run(game, state, limits, news, list),
        (4, false) => Solver::<16, 3>::run(game, state, limits, news, list),
        (_, false) => Solver::<16, 4>::run(game, state, limits, news, list),
    }
}

/// After this many positions a quick search for some solution is made.
const PATIENCE: u64 = 100_000;

/// The time for a quick search at the deadline.
const HURRY_TIME: Duration = Duration::from_millis(15);

/// One search per robot that may finish; all reach the same bound before it is raised again.
struct Solver<'a, const W: usize, const H: usize> {
    game: &'a Rules,
    state: &'a State,
    limits: &'a SearchLimits,
    deadline: &'a Deadline,
    searches: Vec<Runner<'a, W, H>>,
    /// The best solution known.
    plan: Option<Vec<Action>>,
    hurried: bool,
}

struct Runner<'a, const W: usize, const H: usize> {
    search: Search<'a, W, H>,
    /// The first lower bound; `None` if there is no solution.
    first_bound: Option<usize>,
    exhausted: bool,
}

impl<const W: usize, const H: usize> Solver<'_, W, H> {
    fn run(
        game: &Rules,
        state: &State,
        limits: &SearchLimits,
        news: &mut dyn FnMut(News<'_>),
        list: usize,
    ) -> (Answer, Option<Solutions>) {
        let deadline = limits.deadline();
        let rays = Rays::<W>::new(game.slides(), game.level().board().size().area());
        let actives: Vec<Robot> = match game.level().target_robot() {
            Some(robot) => vec![robot],
            None => state.present().collect(),
        };
        // To list all solutions, all positions under the bound must be known.
        let order = if list > 0 { Order::Breadth } else { Order::Depth };
        let searches = actives.into_iter().map(|active| {
            let mut search = Search::<W, H>::new(&rays, task(game, state, active), order, limits.threads);
            let first_bound = search.lower_bound(&deadline);
            Runner { search, first_bound, exhausted: false }
        });
        let mut solver = Solver {
            game,
            state,
            limits,
            deadline: &deadline,
            searches: searches.collect(),
            plan: None,
            hurried: false,
        };
        let (outcome, bound, reached) = solver.raise_bounds(news, list > 0);
        let solutions = if list > 0 && outcome == SearchOutcome::Solved {
            solver.solutions(bound, &reached, list)
        } else {
            None
        };
        let answer = Answer {
            outcome,
            plan: solver.plan.clone(),
            lower_bound: bound as u32,
            positions: solver.positions(),
            memory: solver.searches.iter().map(|runner| runner.search.memory()).sum(),
        };
        (answer, solutions)
    }

    fn positions(&self) -> u64 {
        self.searches.iter().map(|runner| runner.search.positions()).sum()
    }

    /// Raises the bound until the search ends, and returns the searches that reached the target under the last one. With
    /// `all` every search is raised to the last bound, else the first that reaches the target suffices.
    fn raise_bounds(
        &mut self,
        news: &mut dyn FnMut(News<'_>),
        all: bool,
    ) -> (SearchOutcome, usize, Vec<usize>) {
        let mut bound = self.searches.iter().filter_map(|runner| runner.first_bound).min().unwrap_or(0);
        let mut reached = Vec::new();
        while self.searches.iter().any(|runner| runner.first_bound.is_some() && !runner.exhausted) {
            if self.limits.moves.is_some_and(|moves| bound > moves as usize) {
                return (SearchOutcome::TooLong, bound, reached);
            }
            for index in 0..self.searches.len() {
                match self.raise(index, bound) {
                    Some(Progress::Reached(steps)) => {
                        if reached.is_empty() {
                            self.plan = Some(actions(self.game, self.state, &steps));
                        }
                        reached.push(index);
                        if !all {
                            return (SearchOutcome::Solved, bound, reached);
                        }
                    }
                    Some(Progress::Exhausted) => self.searches[index].exhausted = true,
                    Some(Progress::Stopped) => return (self.why_stopped(), bound, reached),
                    Some(Progress::Beyond) | None => {}
                }
            }
            if !reached.is_empty() {
                return (SearchOutcome::Solved, bound, reached);
            }
            bound += 1;
            self.report(bound, news);
        }
        (SearchOutcome::Unsolvable, bound, reached)
    }

    /// Raises one search, unless it is known to find nothing under this bound.
    fn raise(&mut self, index: usize, bound: usize) -> Option<Progress> {
        let others: usize = self.memory_but(index);
        let met = self.positions() - self.searches[index].search.positions();
        let runner = &mut self.searches[index];
        if runner.exhausted || runner.first_bound.is_none_or(|first| first > bound) {
            return None;
        }
        let limits = self.limits;
        let mut stop = |search: &Search<'_, W, H>| {
            limits.positions.is_some_and(|most| met + search.positions() >= most)
                || others + search.memory() > limits.memory
        };
        Some(runner.search.raise(bound, self.deadline, &mut stop))
    }

    fn memory_but(&self, index: usize) -> usize {
        let others = self.searches.iter().enumerate().filter(|&(other, _)| other != index);
        others.map(|(_, runner)| runner.search.memory()).sum()
    }

    fn why_stopped(&mut self) -> SearchOutcome {
        self.find_any();
        if self.memory_but(usize::MAX) > self.limits.memory {
            SearchOutcome::OutOfMemory
        } else {
            SearchOutcome::OutOfTime
        }
    }

    /// Reports a new bound, if the search has taken long enough.
    fn report(&mut self, bound: usize, news: &mut dyn FnMut(News<'_>)) {
        let positions = self.positions();
        if positions >= PATIENCE {
            self.find_any();
            news(News { lower_bound: bound as u32, plan: self.plan.as_deref(), positions });
        }
    }

    /// Searches once for some solution: a plan that is not the shortest is better than none.
    fn find_any(&mut self) {
        if self.hurried {
            return;
        }
        self.hurried = true;
        let deadline = Deadline::after(self.deadline.left().max(HURRY_TIME), &self.limits.cancel);
        let estimate = |state: &State| {
            let left = self.searches.iter().filter_map(|runner| {
                let task = runner.search.task();
                let active = self.state.robot_on(task.active)?;
                let others = state.present().filter(|&robot| robot != active);
                let cells: Vec<Cell> = others.map(|robot| state.robots[robot.index()]).collect();
                runner.search.moves_left(&cells.try_into().ok()?, state.robots[active.index()])
            });
            left.min().map(|left| left as u32)
        };
        self.plan = quick::find(self.game, self.state, &deadline, estimate);
    }

    /// All solutions of the searches that reached their targets; `None` if the deadline passes.
    fn solutions(&self, bound: usize, reached: &[usize], most: usize) -> Option<Solutions> {
        let web = |&index: &usize| Web::new(&self.searches[index].search, bound, self.deadline);
        let webs: Vec<Web<'_, '_, W, H>> = reached.iter().map(web).collect::<Option<_>>()?;
        let counts: Vec<u64> = webs.iter().map(Web::count).collect::<Option<_>>()?;
        let count = counts.into_iter().fold(0, u64::saturating_add);
        let listed = self.list(&webs, most, &|_| true);
        let simplest = self.simplest(&webs, most)?;
        (!self.deadline.passed()).then_some(Solutions { count, listed, simplest })
    }

    fn list(
        &self,
        webs: &[Web<'_, '_, W, H>],
        most: usize,
        may_move: &dyn Fn(Cell) -> bool,
    ) -> Vec<Vec<Action>> {
        let mut listed = Vec::new();
        for web in webs {
            web.visit(may_move, &mut |steps| {
                if listed.len() < most {
                    listed.push(actions(self.game, self.state, steps));
                }
                listed.len() >= most
            });
        }
        listed
    }

    /// The solution with the fewest robots; among the first `most` of those, with the fewest changes between robots.
    fn simplest(&self, webs: &[Web<'_, '_, W, H>], most: usize) -> Option<Vec<Action>> {
        let robots: Vec<Robot> = self.state.present().collect();
        let mut teams: Vec<u32> = (1..1 << robots.len()).collect();
        teams.sort_by_key(|team| team.count_ones());
        let mut best: Option<Vec<Action>> = None;
        let mut size = 0;
        for team in teams {
            if best.is_some() && team.count_ones() > size {
                break;
            }
            size = team.count_ones();
            let may_move = |start: Cell| {
                let robot = robots.iter().position(|robot| self.state.robots[robot.index()] == start);
                robot.is_some_and(|robot| team >> robot & 1 != 0)
            };
            let candidates = self.list(webs, most, &may_move).into_iter().chain(best.take());
            best = candidates
                .min_by_key(|plan| plan.windows(2).filter(|pair| pair[0].robot != pair[1].robot).count());
        }
        best
    }
}

fn task<const H: usize>(game: &Rules, state: &State, active: Robot) -> Task<H> {
    let robots: Vec<Robot> = state.present().filter(|&robot| robot != active).collect();
    let slides = game.slides();
    Task {
        active_table: slides.table(active),
        active: state.robots[active.index()],
        course: if game.level().must_ricochet() { state.courses[active.index()] } else { Course::Turned },
        helpers: std::array::from_fn(|index| state.robots[robots[index].index()]),
        helper_tables: std::array::from_fn(|index| slides.table(robots[index])),
        target: game.level().target(),
        alike: slides.tables() == 1,
    }
}

/// Converts steps to actions of the robots on their starting cells.
fn actions(game: &Rules, state: &State, steps: &[Step]) -> Vec<Action> {
    let mut state = state.clone();
    steps
        .iter()
        .map(|step| {
            let robot = state.robot_on(step.from).expect("a step begins on a robot");
            let action = Action { robot, dir: step.dir };
            game.make_move(&mut state, action);
            action
        })
        .collect()
}
