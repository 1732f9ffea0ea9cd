//! The solver: verified winning plans, proven bounds, and the difficulty of a maze.
//!
//! Two beam searches over exact positions alternate ([`win`]): one in which Pacman may do anything finds some win quickly,
//! and one along the shortest covering walks finds wins with the minimum number of turns. They are repeated with growing
//! widths until a plan meets the proven bound or the time is up.

pub mod known;
pub mod win;

mod feast;
mod trail;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use damier_core::game::Game;
use damier_core::grid::Dir;
use damier_kit::cancel::Deadline;
use damier_kit::{Report, Solution, Solvability, SolveOptions};
use damier_search::beam::{End, Found};

use crate::bound::frontier::Errand;
use crate::bound::{Bound, lower_bound};
use crate::maze::{Maze, Spot};
use crate::rules::{Action, RuleSet, Rules, State};
use known::{OriginalGhosts, opening};
use win::{Chase, Look, Walks, Win};

/// Searches for a plan that eats every pellet in as few turns as possible, against the original ghosts.
///
/// Under `course` a game is also won when all remaining pellets are under ghosts. These wins can be shorter; they are
/// mentioned in the notes, and are the answer only if no plan that eats everything is found.
pub fn solve(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Solution<Action> {
    solve_from(rules, &rules.start(), limits, progress)
}

/// As [`solve`], from any state.
pub(crate) fn solve_from(
    rules: &Arc<Rules>,
    start: &State,
    limits: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Solution<Action> {
    let search = Search::new(rules, start, limits);
    if search.start.figures.ending.is_some() {
        let notes = vec!["Pacman is caught before his next move.".to_owned()];
        return Solution { outcome: Solvability::Unsolvable, notes, ..Solution::unknown(0) };
    }
    progress(&format!("no plan takes fewer than {} turns", search.bound.turns));
    std::thread::scope(|scope| {
        let threads = limits.threads.max(1);
        for thread in 1..threads {
            let search = &search;
            scope.spawn(move || search.work(thread, threads, &|_| {}));
        }
        search.work(0, threads, progress);
    });
    search.into_solution()
}

/// The best answers so far.
#[derive(Default)]
struct Answers {
    /// A plan that eats everything.
    whole: Option<Win>,
    /// A shorter plan that leaves pellets under ghosts.
    partial: Option<Win>,
}

struct Search<'a> {
    chase: Chase<'a>,
    start: State,
    /// For plans that eat everything.
    bound: Bound,
    /// For plans that may leave a pellet under every ghost.
    partial_bound: Bound,
    deadline: Deadline,
    done: AtomicBool,
    states: AtomicU64,
    /// Whether it is proven that no plan eats everything, and that no plan wins at all.
    never_whole: AtomicBool,
    never: AtomicBool,
    answers: Mutex<Answers>,
}

/// The beam widths of the first round; they double from round to round.
const FIRST_TRAIL: usize = 200;
const FIRST_FEAST: usize = 60;

/// The maximum beam width: beyond it more memory helps little.
const WIDEST: usize = 50_000;

/// The maximum number of turns above the bound for which all covering walks are computed.
const MAX_SLACK: u32 = 2;

impl<'a> Search<'a> {
    fn new(rules: &'a Rules, start: &State, limits: &SolveOptions) -> Self {
        let deadline = limits.deadline();
        let chase = Chase { rules, ghosts: &OriginalGhosts };
        let start = opening(rules, &OriginalGhosts, start);
        // Bounds may take half of the time.
        let half = deadline.earlier(0.5);
        let give_up = || half.passed();
        let wanted = |spot| start.has_pellet(spot);
        let bound_sparing = |spare| {
            lower_bound(
                rules.maze(),
                start.figures.pacman,
                Errand { wanted: &wanted, spare, give_up: &give_up },
            )
        };
        let spare = spared_pellets(rules);
        Self {
            chase,
            start,
            bound: bound_sparing(0),
            partial_bound: bound_sparing(spare),
            deadline,
            done: AtomicBool::new(false),
            states: AtomicU64::new(0),
            never_whole: AtomicBool::new(false),
            never: AtomicBool::new(false),
            answers: Mutex::default(),
        }
    }

    /// Searches in rounds until the search is over. Each thread uses different salts.
    fn work(&self, thread: usize, threads: usize, progress: &dyn Fn(&str)) {
        let shortest_walks = self.bound.exact.then(|| self.walks(0)).flatten();
        for round in 0.. {
            let salt = (2 * (round * threads + thread) + 1) as u64;
            if self.gap().is_none_or(|gap| gap > MAX_SLACK) {
                self.feast(round, salt, false);
            }
            if let Some(walks) = &shortest_walks {
                for salt in [salt, salt + 1] {
                    self.trail(walks, round, salt, false);
                }
                self.trail_with_slack(round, salt);
            }
            self.search_partial_wins(shortest_walks.as_ref(), round, salt);
            if self.is_over() {
                return;
            }
            progress(&self.summary(round));
        }
    }

    fn walks(&self, slack: u8) -> Option<Walks> {
        Walks::new(self.chase.rules, &self.start, slack, &|| self.is_over())
    }

    fn may_leave_pellets(&self) -> bool {
        spared_pellets(self.chase.rules) > 0
    }

    fn best(&self) -> Option<u32> {
        self.answers().whole.as_ref().map(|win| win.plan.len() as u32)
    }

    /// The number of turns by which the best plan exceeds the bound.
    fn gap(&self) -> Option<u32> {
        self.best().map(|best| best - self.bound.turns)
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.deadline.passed()
    }

    fn look(&self, width: usize, round: usize, salt: u64, any_win: bool) -> Look {
        let width = (width << round.min(16)).min(WIDEST);
        let depth =
            self.best().map_or(self.start.figures.pellets_left as usize * 8 + 1000, |best| best as usize - 1);
        Look { width, depth, nodes: u64::MAX, any_win, salt }
    }

    fn feast(&self, round: usize, salt: u64, any_win: bool) {
        if self.is_over() {
            return;
        }
        // The very first search has no salt, so that it is always the same.
        let salt = if salt == 1 { 0 } else { salt };
        let look = self.look(FIRST_FEAST << round.min(3), round, salt, any_win);
        let found = self.chase.feast(&self.start, &look, || self.is_over());
        if found.end == End::Exhausted {
            let never = any_win || !self.may_leave_pellets();
            self.never_whole.store(true, Ordering::Relaxed);
            self.never.fetch_or(never, Ordering::Relaxed);
            self.done.fetch_or(never, Ordering::Relaxed);
        }
        self.take(&found);
    }

    fn trail(&self, walks: &Walks, round: usize, salt: u64, any_win: bool) {
        if !self.is_over() && (self.gap() != Some(0) || any_win) {
            let look = self.look(FIRST_TRAIL, round, salt, any_win);
            let found = self.chase.trail(&self.start, walks, &look, || self.is_over());
            self.take(&found);
        }
    }

    /// If the shortest walks did not win, tries walks that are a little longer, but shorter than the best plan.
    fn trail_with_slack(&self, round: usize, salt: u64) {
        let slack = self.gap().map_or(0, |gap| gap.saturating_sub(1).min(MAX_SLACK));
        if slack > 0
            && !self.is_over()
            && let Some(walks) = self.walks(slack as u8)
        {
            self.trail(&walks, round, salt, false);
        }
    }

    /// Once a plan eats everything in the fewest turns, only a win that leaves pellets could be shorter.
    fn search_partial_wins(&self, walks: Option<&Walks>, round: usize, salt: u64) {
        let optimal = self.gap() == Some(0);
        if self.may_leave_pellets() && (optimal || self.best().is_none()) {
            match walks {
                Some(walks) if optimal => self.trail(walks, round + 1, salt, true),
                _ => self.feast(round, salt, true),
            }
        }
        if optimal {
            self.done.store(true, Ordering::Relaxed);
        }
    }

    /// Stores a win if the rules confirm it and it is better than the best so far.
    fn take(&self, found: &Found<Dir>) {
        self.states.fetch_add(found.nodes, Ordering::Relaxed);
        if let Some(win) = self.chase.verified(&self.start, found) {
            let mut answers = self.answers();
            let known = if win.left == 0 { &mut answers.whole } else { &mut answers.partial };
            if known.as_ref().is_none_or(|known| win.plan.len() < known.plan.len()) {
                *known = Some(win);
            }
        }
    }

    fn summary(&self, round: usize) -> String {
        let bound = self.bound.turns;
        match self.best() {
            Some(best) => {
                format!("round {}: a plan of {best} turns, none takes fewer than {bound}", round + 1)
            }
            None => format!("round {}: no plan yet", round + 1),
        }
    }

    fn into_solution(self) -> Solution<Action> {
        let notes = self.notes();
        let answers = self.answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        let states = self.states.into_inner();
        let bound = if answers.whole.is_some() { self.bound } else { self.partial_bound };
        let outcome = match (&answers.whole, &answers.partial) {
            (None, None) if self.never.into_inner() => Solvability::Unsolvable,
            (None, None) => Solvability::Unknown,
            _ => Solvability::Solved,
        };
        let plan = answers.whole.or(answers.partial).map_or_else(Vec::new, |win| win.plan);
        Solution {
            outcome,
            plan: plan.into_iter().map(Action::Go).collect(),
            lower_bound: (outcome != Solvability::Unsolvable).then_some(bound.turns),
            states,
            notes,
        }
    }

    fn notes(&self) -> Vec<String> {
        let answers = self.answers();
        let mut notes = vec![bound_note(self.bound, "every pellet can be eaten")];
        if self.partial_bound.turns < self.bound.turns {
            notes.push(bound_note(
                self.partial_bound,
                "a win that leaves a pellet under every ghost is possible",
            ));
        }
        if let Some(Win { plan, left }) = &answers.partial {
            let pellets = if *left == 1 { "one pellet" } else { &*format!("{left} pellets") };
            let turns = plan.len();
            notes.push(match &answers.whole {
                Some(whole) if whole.plan.len() <= turns => String::new(),
                Some(_) => format!("A win of {turns} turns that leaves {pellets} under ghosts is known."),
                None => {
                    format!("The plan leaves {pellets} under ghosts; none that eats everything was found.")
                }
            });
        }
        if self.never_whole.load(Ordering::Relaxed) {
            notes.push("Proven: the ghosts never let Pacman eat every pellet.".to_owned());
        }
        notes.retain(|note| !note.is_empty());
        notes
    }
}

/// The number of pellets that a win may leave: one under every ghost, under `course`.
fn spared_pellets(rules: &Rules) -> u8 {
    if rules.set() == RuleSet::Course { rules.maze().ghosts().len() as u8 } else { 0 }
}

fn bound_note(bound: Bound, what: &str) -> String {
    let Bound { turns, exact } = bound;
    if exact {
        format!("Without ghosts, {what} in {turns} turns at best.")
    } else {
        format!("Without ghosts, at least {turns} turns pass before {what} (a weak bound).")
    }
}

/// Checks whether a maze can be won, and how hard it is.
///
/// The difficulty is the binary logarithm of the beam width that a search needs to win: 0 if a single position per turn
/// suffices, 10 if it takes 1024 or more. It is the mean of three searches with different random choices.
pub fn check(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
    let deadline = limits.deadline();
    let half = SolveOptions { time: limits.time / 2, ..limits.clone() };
    let solution = solve(rules, &half, progress);
    let difficulty =
        if solution.outcome == Solvability::Solved { difficulty(rules, &deadline) } else { None };
    let mut notes = maze_notes(rules.maze());
    notes.extend(solution.notes);
    let par = (solution.outcome == Solvability::Solved).then_some(solution.plan.len() as u32);
    Report { solvable: solution.outcome, par, difficulty, notes, marks: Vec::new() }
}

/// The number of searches for the difficulty.
const SAMPLES: u64 = 3;

/// The maximum difficulty, and the logarithm of the maximum width.
const HARDEST: u32 = 10;

fn difficulty(rules: &Rules, deadline: &Deadline) -> Option<f64> {
    let chase = Chase { rules, ghosts: &OriginalGhosts };
    let start = opening(rules, &OriginalGhosts, &rules.start());
    let depth = usize::from(start.figures.pellets_left) * 4 + 200;
    let mut sum = 0;
    for salt in 1..=SAMPLES {
        let wins = |&log: &u32| {
            let look = Look { width: 1 << log, depth, nodes: u64::MAX, any_win: true, salt };
            chase.feast(&start, &look, || deadline.passed()).end == End::Goal
        };
        sum += (0..HARDEST).find(wins).unwrap_or(HARDEST);
    }
    (!deadline.passed()).then(|| f64::from(sum) / SAMPLES as f64)
}

/// Facts about the maze.
fn maze_notes(maze: &Maze) -> Vec<String> {
    let count = |ways: std::ops::RangeInclusive<usize>| {
        (0..maze.floor() as Spot).filter(|&spot| ways.contains(&maze.neighbours(spot).count())).count()
    };
    let level = maze.level();
    let pellets: u32 = maze.pellets().iter().map(|word| word.count_ones()).sum();
    let mut notes = vec![format!(
        "{} floor cells, {pellets} pellets including {} potions, {} crossroads, {} ghosts.",
        maze.floor(),
        maze.potions().count(),
        count(3..=4),
        maze.ghosts().len()
    )];
    let size = level.size();
    let open = |x: u16, y: u16| maze.spot_at((x, y)).is_some();
    let across = (0..size.height).filter(|&y| open(0, y) && open(size.width - 1, y)).count();
    let down = (0..size.width).filter(|&x| open(x, 0) && open(x, size.height - 1)).count();
    notes.push(match across + down {
        0 => "No tunnel.".to_owned(),
        1 => "One tunnel.".to_owned(),
        tunnels => format!("{tunnels} tunnels."),
    });
    notes.push(match count(0..=1) {
        0 => "No dead ends.".to_owned(),
        dead_ends => format!("{dead_ends} dead ends: Pacman cannot leave them when a ghost follows."),
    });
    notes
}
