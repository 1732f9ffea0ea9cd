//! Laws about solvers: their plans win, and they stop in time.

use std::sync::Arc;
use std::time::Duration;

use damier_core::game::Game;

use super::Profile;
use super::cases::Case;
use super::games::open;
use crate::cancel::Cancel;
use crate::kit::Kit;
use crate::plan;
use crate::solve::{Solution, Solvability, SolveOptions};
use crate::table::{OpenLevel, Table};
use crate::time::Instant;

/// Time for solving one level.
const SOLVE_TIME: Duration = Duration::from_secs(1);

/// Seed of the games that are solved.
const SEED: u64 = 1;

/// How late a solver may stop at most.
const GRACE: Duration = Duration::from_millis(50);

/// Deadlines that end a search in its preparation, at its start and in the middle.
const DEADLINES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(40), Duration::from_millis(500)];

/// When a search with a time limit of a minute is cancelled.
const CANCELLED_AFTER: Duration = Duration::from_millis(300);

/// Attempts, one of which must stop in time: a busy machine may delay a thread by more than the grace.
const ATTEMPTS: usize = 6;

/// A plan that a solver returns as solved wins with its last action.
pub fn solvers_plans_win<K: Kit>(profile: &Profile<K>) {
    for rules in K::INFO.rules {
        let mut plans = 0;
        let cases = Case::<K>::shipped(rules.name, 2).into_iter().chain([Case::easy(rules.name)]);
        for case in cases {
            let open = open(&profile.game, &case);
            plans += usize::from(solve_from(&case, open.as_ref(), open.table(SEED, 0).as_ref()).is_some());
        }
        assert!(plans > 0, "{}, rules {}: no level was solved within a second", K::INFO.name, rules.name);
    }
}

/// A solver also wins from the middle of a game: it does not call a position lost that its own plan came through.
pub fn solvers_go_on_from_any_position<K: Kit>(profile: &Profile<K>) {
    for rules in K::INFO.rules {
        let case = Case::<K>::easy(rules.name);
        let open = open(&profile.game, &case);
        let mut table = open.table(SEED, 0);
        let plan = solve_from(&case, open.as_ref(), table.as_ref());
        let plan = plan.unwrap_or_else(|| panic!("{case}: not solved within a second"));
        let played = plan::play_actions(open.as_ref(), table.as_mut(), SEED, &plan[..plan.len() / 2]);
        played.unwrap_or_else(|why| panic!("{case}: the plan {why}"));
        let solved = solve_from(&case, open.as_ref(), table.as_ref());
        assert!(solved.is_some(), "{case}: not solved from the middle of the plan `{}`", plan.join(","));
    }
}

/// A plan that wins from the position on the table, if one is found in time. It is played before it is believed.
fn solve_from<K: Kit>(case: &Case<K>, open: &dyn OpenLevel, table: &dyn Table) -> Option<Vec<String>> {
    let options = SolveOptions { time: SOLVE_TIME, ..SolveOptions::default() };
    let Solution { outcome, plan, .. } = table.solve(&options, &|_| {}).solution;
    if outcome != Solvability::Solved {
        return None;
    }
    let won = plan::play_plan(open, table.copy().as_mut(), SEED, &plan);
    won.unwrap_or_else(|why| panic!("{case}, seed {SEED}: the plan `{}` {why}", plan.join(",")));
    Some(plan)
}

/// Solver and checker end no later than 50 ms after their deadline.
pub fn solvers_obey_deadlines<K: Kit>(profile: &Profile<K>) {
    for case in busy_cases(profile) {
        for task in Task::ALL {
            for time in DEADLINES {
                assert_stops(&case, task, &format!("a deadline of {time:?}"), || {
                    let options = SolveOptions { time, ..SolveOptions::default() };
                    let taken = task.run(&case, &options);
                    Stopped { late: taken.saturating_sub(time), was_busy: taken >= time }
                });
            }
        }
    }
}

/// Solver and checker end no later than 50 ms after they are cancelled.
pub fn solvers_obey_cancellation<K: Kit>(profile: &Profile<K>) {
    for case in busy_cases(profile) {
        for task in Task::ALL {
            for after in [Duration::ZERO, CANCELLED_AFTER] {
                assert_stops(&case, task, &format!("cancellation after {after:?}"), || {
                    cancelled(&case, task, after)
                });
            }
        }
    }
}

fn cancelled<K: Kit>(case: &Case<K>, task: Task, after: Duration) -> Stopped {
    let cancel = Cancel::default();
    let options =
        SolveOptions { time: Duration::from_mins(1), cancel: cancel.clone(), ..SolveOptions::default() };
    std::thread::scope(|scope| {
        let cancelling = scope.spawn(move || {
            std::thread::sleep(after);
            cancel.cancel();
            Instant::now()
        });
        task.run(case, &options);
        let ended = Instant::now();
        let was_busy = cancelling.is_finished();
        let cancelled_at = cancelling.join().unwrap_or(ended);
        Stopped { late: ended.saturating_duration_since(cancelled_at), was_busy }
    })
}

/// The computation to stop.
#[derive(Clone, Copy, Debug)]
enum Task {
    Solve,
    Check,
}

impl Task {
    const ALL: [Self; 2] = [Self::Solve, Self::Check];

    /// Runs it and returns the time taken, including the time to free its memory.
    fn run<K: Kit>(self, case: &Case<K>, options: &SolveOptions) -> Duration {
        let game = Arc::clone(&case.game);
        let started = Instant::now();
        match self {
            Self::Solve => drop(K::solve(&game, &game.start(), options, &|_| {})),
            Self::Check => drop(K::check(&game, options, &|_| {})),
        }
        started.elapsed()
    }
}

/// How a search stopped.
struct Stopped {
    /// How late it stopped.
    late: Duration,
    /// Was it still searching when it should have stopped?
    was_busy: bool,
}

fn assert_stops<K: Kit>(case: &Case<K>, task: Task, limit: &str, mut run: impl FnMut() -> Stopped) {
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let Stopped { late, was_busy } = run();
        // A checker divides its time into parts, and may not need the last one.
        let done_early = !was_busy && matches!(task, Task::Solve);
        assert!(!done_early, "{case}: {task:?} is done before {limit}: this level does not keep it busy");
        least = least.min(late);
        if least <= GRACE {
            return;
        }
    }
    panic!("{case}: {task:?} keeps running for {least:?} after {limit}");
}

/// The busy level of every rule set.
fn busy_cases<K: Kit>(profile: &Profile<K>) -> Vec<Case<K>> {
    let case = |rules: &'static str| {
        let name = K::INFO.name;
        let text = profile.busy.iter().find(|(set, _)| *set == rules).map(|(_, text)| *text);
        let text =
            text.unwrap_or_else(|| panic!("{name}: the profile needs a busy level for the rules {rules}"));
        Case::open(rules, "busy", text)
            .unwrap_or_else(|| panic!("{name}, rules {rules}: the busy level does not open"))
    };
    K::INFO.rules.iter().map(|rules| case(rules.name)).collect()
}
