//! The solver and the checker.
//!
//! Three layers, each with a page of its own:
//!
//! ```text
//! portfolio   passes of the outer search, from quick and greedy to broad and patient     here
//!             homeward ones, where others lose their way to the exit
//! plan        a beam over errands: the next diamond, a monster crushed, a wall blasted,
//!             the exit                                                                   plan
//! reach       one errand, tick by exact tick                                             reach
//! ```
//!
//! Every plan is played again under the rules before it is handed out. That there is none is claimed only with a proof:
//! too few diamonds or no exit within reach even if every rock and every wall that can open were gone (`outlook`), or
//! every position looked at (`exhaust`).

pub(crate) mod exhaust;
mod field;
mod lure;
pub(crate) mod outlook;
pub(crate) mod plan;
pub(crate) mod reach;
pub(crate) mod table;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use damier_core::game::{Game, Status};
use damier_core::insight::{Mark, Point, reason};
use damier_core::random::Rng;
use damier_kit::cancel::Deadline;
use damier_kit::{Report, Solution, Solvability, SolveOptions};

use crate::board::{Board, Ending, Word};
use crate::rules::{Action, Rules, State, pictured};
use exhaust::{Exhausted, exhaust};
use outlook::Outlook;
use plan::{Pass, Plan, Planner, WayOut};
use reach::{Luck, Manner, Position};

/// The parameters in which the passes of a round differ; [`Pass`] and [`Manner`] say what each of them means.
struct PassRow {
    width: usize,
    nodes: u32,
    results: usize,
    visits: u32,
    weight: u32,
    restless: u32,
    jitter: u32,
}

/// The passes of a round: narrow ones, which dash through, alternate with broad ones. What one misses another finds, and
/// which one it will be cannot be told beforehand.
const ROUND: [PassRow; 12] = [
    PassRow { width: 4, nodes: 6_000, results: 4, visits: 4, weight: 6, restless: 8, jitter: 30 },
    PassRow { width: 24, nodes: 6_000, results: 4, visits: 3, weight: 10, restless: 0, jitter: 0 },
    PassRow { width: 2, nodes: 12_000, results: 2, visits: 3, weight: 10, restless: 0, jitter: 30 },
    PassRow { width: 24, nodes: 6_000, results: 4, visits: 3, weight: 6, restless: 8, jitter: 0 },
    PassRow { width: 8, nodes: 3_000, results: 8, visits: 8, weight: 6, restless: 8, jitter: 30 },
    PassRow { width: 48, nodes: 3_000, results: 4, visits: 8, weight: 6, restless: 0, jitter: 0 },
    PassRow { width: 4, nodes: 6_000, results: 3, visits: 2, weight: 8, restless: 0, jitter: 30 },
    PassRow { width: 48, nodes: 3_000, results: 8, visits: 4, weight: 6, restless: 8, jitter: 20 },
    PassRow { width: 6, nodes: 3_000, results: 4, visits: 16, weight: 4, restless: 8, jitter: 30 },
    PassRow { width: 6, nodes: 40_000, results: 6, visits: 3, weight: 4, restless: 0, jitter: 0 },
    PassRow { width: 3, nodes: 12_000, results: 4, visits: 4, weight: 6, restless: 0, jitter: 30 },
    PassRow { width: 16, nodes: 20_000, results: 6, visits: 40, weight: 10, restless: 8, jitter: 30 },
];

/// The passes that keep the way to the exit free, in turn. They take their time with each diamond, for the shortest way to
/// it is often the one that brings the rocks down behind the miner.
const HOMEWARD: [PassRow; 2] = [
    PassRow { width: 4, nodes: 20_000, results: 6, visits: 40, weight: 4, restless: 16, jitter: 30 },
    PassRow { width: 8, nodes: 12_000, results: 6, visits: 40, weight: 4, restless: 8, jitter: 30 },
];

/// Positions that homeward passes may look at before the other passes have earned them any.
const HOMEWARD_ADVANCE: u64 = 300_000;

/// The passes of the outer search by number: two quick and greedy ones, then rounds with ever larger budgets.
pub(crate) fn pass(number: usize, caution: u32) -> Pass {
    let quick = Manner {
        nodes: 2_000,
        results: 1,
        visits: 4,
        weight: 6,
        caution,
        restless: 0,
        alike: false,
        grass: 1 + number % 2,
        way_back: false,
        digs: false,
    };
    let Some(later) = number.checked_sub(QUICK_PASSES) else {
        let manner = if number == 0 { quick } else { Manner { nodes: 6_000, results: 4, ..quick } };
        return Pass { width: [1, 4][number], manner, jitter: 0 };
    };
    pass_of_round(&ROUND[later % ROUND.len()], later, caution)
}

/// The homeward pass that follows pass `number` where that loses its way to the exit.
fn homeward(number: usize, caution: u32) -> Pass {
    let pass = pass_of_round(&HOMEWARD[number % HOMEWARD.len()], number, caution);
    Pass { manner: Manner { way_back: true, ..pass.manner }, ..pass }
}

/// A pass after `later` others: budgets double from round to round.
fn pass_of_round(row: &PassRow, later: usize, caution: u32) -> Pass {
    let (turn, round) = (later % ROUND.len(), (later / ROUND.len()).min(8) as u32);
    Pass {
        width: row.width << round.div_ceil(2),
        manner: Manner {
            nodes: row.nodes << round,
            results: row.results,
            visits: row.visits << round,
            weight: row.weight,
            caution,
            restless: row.restless,
            alike: turn % 3 == 2,
            grass: 1 + (turn / 2 + round as usize) % 2,
            way_back: false,
            digs: turn % 2 == 1,
        },
        jitter: row.jitter + 10 * round,
    }
}

/// The result of a search for a plan.
pub(crate) struct Sought {
    /// The plan that wins, or the one that comes farthest.
    pub plan: Plan,
    /// Positions looked at.
    pub states: u64,
    /// Passes begun.
    pub passes: usize,
}

/// Should a homeward pass follow this plan? Yes if the plan lost the way to the exit; where chance is only guessed, also if
/// it might lose it.
fn is_worth_a_homeward_pass(plan: &Plan, caution: u32) -> bool {
    match plan.way_out {
        WayOut::Lost => true,
        WayOut::Free => caution > 0 && !plan.wins,
        WayOut::Closed => false,
    }
}

/// Runs passes until one wins or `stop` says so.
pub(crate) fn portfolio<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    start: &Position<W, H, M>,
    planner: &mut Planner<W, H, M>,
    numbers: &mut dyn Iterator<Item = usize>,
    caution: u32,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Sought {
    let mut best = Plan { missing: start.board.missing.into(), ..Plan::default() };
    let before = planner.expanded();
    let mut passes = 0;
    // Positions that homeward passes may still look at: as many as the others do, and some in advance.
    let mut credit = HOMEWARD_ADVANCE;
    for number in numbers {
        passes += 1;
        let begun = planner.expanded();
        let plan = planner.pass(rules, start, &pass(number, caution), number as u64, stop);
        let spent = planner.expanded() - begun;
        credit += spent;
        let again = is_worth_a_homeward_pass(&plan, caution);
        best.improve(plan);
        if again && !stop(planner.expanded()) {
            let until = planner.expanded() + credit;
            let mut stop = |states| states >= until || stop(states);
            best.improve(planner.pass(rules, start, &homeward(number, caution), number as u64, &mut stop));
            credit = until.saturating_sub(planner.expanded());
        }
        // A pass that found nothing to do at all will find nothing the next time either.
        let idle = spent <= 1 && number > ROUND.len();
        if best.wins || idle || stop(planner.expanded()) {
            break;
        }
    }
    Sought { plan: best, states: planner.expanded() - before, passes }
}

/// Searches for a plan that wins the level, or for the proof that there is none.
///
/// The plan is for the game that draws its chance from `options.chance`. It is replayed before it is returned.
///
/// ```
/// use damier_delirium::{Level, RuleSet, Rules, Solvability, SolveOptions, solve};
///
/// let level = Level::parse("; need: 2\n######\n#P.dX#\n######\n").unwrap();
/// let rules = Rules::new(level, RuleSet::Course).unwrap();
/// let solution = solve(&rules, &SolveOptions::default());
/// assert_eq!(solution.outcome, Solvability::Unsolvable);
/// assert_eq!(solution.notes, ["2 diamonds are needed, and at most 1 can ever be reached or made"]);
/// ```
pub fn solve(rules: &Rules, options: &SolveOptions) -> Solution<Action> {
    solve_from(rules, &rules.start(), options, &|_| {})
}

/// As [`solve`], from any state; `progress` gets a sentence after each map of a sequence.
pub(crate) fn solve_from(
    rules: &Rules,
    start: &State,
    options: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Solution<Action> {
    let deadline = options.deadline();
    let mut state = start.clone();
    let mut chance = options.chance.clone();
    let mut solution = Solution::unknown(0);
    loop {
        let stage = state.stage();
        let answer =
            pictured!(rules, &state, board => solve_map(rules, &board, &chance, options.threads, &deadline));
        solution.states += answer.states;
        if rules.level().maps().len() > 1 {
            progress(&format!("map {} of {}: {:?}", stage + 1, rules.level().maps().len(), answer.outcome));
        }
        solution.notes.extend(answer.notes);
        if answer.outcome != Solvability::Solved {
            // The plans of the maps before are no plan of the level.
            solution.outcome = answer.outcome;
            solution.plan.clear();
            return solution;
        }
        for action in answer.plan {
            solution.plan.push(action);
            if rules.status(&state) == Status::ToMove(0) {
                rules.apply_out_of_line(&mut state, action, &mut chance);
            }
        }
        match state.ending() {
            None => {}
            Some(Ending::Won) => {
                solution.outcome = Solvability::Solved;
                return solution;
            }
            Some(ending) => {
                debug_assert_eq!(ending, Ending::Late, "plans are exact");
                let ticks = solution.plan.len();
                solution
                    .notes
                    .push(format!("the way that was found takes {ticks} ticks, more than the time limit"));
                solution.plan.clear();
                return solution;
            }
        }
        if state.stage() == stage {
            return Solution::unknown(solution.states);
        }
    }
}

/// The answer for one map.
struct Answer {
    outcome: Solvability,
    plan: Vec<Action>,
    states: u64,
    notes: Vec<String>,
}

/// The passes that a map gets before anything else is tried.
const QUICK_PASSES: usize = 2;

/// Bytes that the positions of a proof may take.
const PROOF_MEMORY: usize = 200 << 20;

fn solve_map<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: &Board<W, H, M>,
    chance: &Rng,
    threads: usize,
    deadline: &Deadline,
) -> Answer {
    let outlook = Outlook::of(board);
    let answer = |outcome, plan, states, notes| Answer { outcome, plan, states, notes };
    if let Some(proof) = outlook.why_lost() {
        return answer(Solvability::Unsolvable, Vec::new(), 1, vec![proof]);
    }
    let start = Position { board: *board, luck: Luck::new(chance.clone()) };
    let late = |_| deadline.passed();
    // Only after the quick passes is it worth while to ask whether there is anything to find.
    let mut sought =
        portfolio(rules, &start, &mut Planner::new(), &mut (0..QUICK_PASSES), 0, &mut |states| late(states));
    let mut states = sought.states;
    if !sought.plan.wins && !deadline.passed() {
        let most = PROOF_MEMORY / size_of_val(board);
        let soon = deadline.earlier(0.1);
        match exhaust(rules, board, most, &mut |_| soon.passed()) {
            Exhausted::Impossible { positions } => {
                let proof =
                    format!("all {positions} positions that can come about were looked at: none is a win");
                return answer(Solvability::Unsolvable, Vec::new(), states + positions, vec![proof]);
            }
            Exhausted::Winnable | Exhausted::TooMany => {}
        }
        let broad = broad_search(rules, &start, threads, &late);
        states += broad.states;
        sought.plan.improve(broad.plan);
        sought.passes += broad.passes;
    }
    let actions = |plan: &Plan| plan.actions.iter().map(|&number| Action::ALL[usize::from(number)]).collect();
    if sought.plan.wins {
        answer(Solvability::Solved, actions(&sought.plan), states, Vec::new())
    } else {
        let note = format!(
            "not found in {} passes; the best plan leaves {} diamonds missing",
            sought.passes, sought.plan.missing
        );
        answer(Solvability::Unknown, Vec::new(), states, vec![note])
    }
}

/// All passes after the quick ones, dealt out to the threads.
fn broad_search<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    start: &Position<W, H, M>,
    threads: usize,
    late: &(dyn Fn(u64) -> bool + Sync),
) -> Sought {
    let found = AtomicBool::new(false);
    let states = AtomicU64::new(0);
    let best: Mutex<Option<Sought>> = Mutex::new(None);
    let work = |thread: usize| {
        let mut stop = |states| found.load(Ordering::Relaxed) || late(states);
        let mut numbers = (QUICK_PASSES + thread..).step_by(threads.max(1));
        let sought = portfolio(rules, start, &mut Planner::new(), &mut numbers, 0, &mut stop);
        states.fetch_add(sought.states, Ordering::Relaxed);
        found.fetch_or(sought.plan.wins, Ordering::Relaxed);
        let mut best = best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if best.as_ref().is_none_or(|best| sought.plan.rank() < best.plan.rank()) {
            *best = Some(sought);
        }
    };
    if threads > 1 {
        std::thread::scope(|scope| {
            for thread in 1..threads {
                let work = &work;
                scope.spawn(move || work(thread));
            }
            work(0);
        });
    } else {
        // Not every system has threads.
        work(0);
    }
    let best = best.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let best = best.expect("the first thread always has an answer");
    Sought { states: states.into_inner(), ..best }
}

/// Judges a level: can it be won, in how many ticks, and how hard is it?
pub fn check(rules: &Rules, options: &SolveOptions) -> Report {
    certify(rules, options, &|_| {}).1
}

/// As [`check`], with the solution; `progress` gets a sentence after each map of a sequence.
pub(crate) fn certify(
    rules: &Rules,
    options: &SolveOptions,
    progress: &dyn Fn(&str),
) -> (Solution<Action>, Report) {
    let mut notes: Vec<String> = Vec::new();
    for stage in 0..rules.level().maps().len() {
        let state = rules.start_of(stage);
        let outlook = pictured!(rules, &state, board => Outlook::of(&board));
        let diamonds = rules.kinds(&state).iter().filter(|kind| kind.char() == 'd').count() as u32;
        let map = if rules.level().maps().len() > 1 { format!("map {}: ", stage + 1) } else { String::new() };
        notes.extend(rules.map(&state).warning().map(|warning| format!("{map}{warning}")));
        notes.extend(outlook.remarks(diamonds).into_iter().map(|remark| format!("{map}{remark}")));
    }
    let solution = solve_from(rules, &rules.start(), options, progress);
    let solved = solution.outcome == Solvability::Solved;
    notes.extend_from_slice(&solution.notes);
    let report = Report {
        solvable: solution.outcome,
        par: solved.then_some(solution.plan.len() as u32),
        difficulty: solved.then(|| difficulty(solution.states)),
        notes,
        marks: out_of_reach(rules).into_iter().map(|at| Mark::new(at, reason::UNREACHABLE)).collect(),
    };
    (solution, report)
}

/// The diamonds and exits of the first map that the miner can never come to.
fn out_of_reach(rules: &Rules) -> Vec<Point> {
    fn points<W: Word, const H: usize, const M: usize>(
        rules: &Rules,
        state: &State,
        board: &Board<W, H, M>,
    ) -> Vec<Point> {
        let spots = outlook::out_of_reach(board);
        spots.map(|spot| rules.size(state).xy(rules.cell_of::<W>(state, spot))).collect()
    }
    let start = rules.start();
    pictured!(rules, &start, board => points(rules, &start, &board))
}

/// From 0 to 10 by the work that the solver had: a level that is won by walking from diamond to diamond takes some hundred
/// positions, the hardest that is solved some ten million.
fn difficulty(states: u64) -> f64 {
    let tenfolds = (states.max(1) as f64).log10();
    (20.0 * (tenfolds - 2.0)).round().clamp(0.0, 100.0) / 10.0
}
