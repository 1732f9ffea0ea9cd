//! Laws about solvers: their plans win, and they stop in time.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;

use super::Profile;
use super::cases::Case;
use super::games::open;
use crate::cancel::Cancel;
use crate::kit::Kit;
use crate::solve::{Solvability, SolveOptions};
use crate::table::OpenLevel;
use crate::time::{Instant, start_clock};

/// Time for one level whose plan is played.
const SOLVE_TIME: Duration = Duration::from_secs(1);

/// The agent at the other seats when a plan is played: solvers plan against it.
const OPPONENT: &str = "original";

/// How late a solver may stop.
const GRACE: Duration = Duration::from_millis(50);

/// Deadlines that end a search in its preparations, at its start and under way.
const DEADLINES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(40), Duration::from_millis(500)];

/// When a search that has a minute is cancelled.
const CANCELLED_AFTER: Duration = Duration::from_millis(300);

/// Runs of a search of which one must stop in time: a busy machine may delay a thread by more than the grace.
const ATTEMPTS: usize = 6;

/// A plan that a solver calls a win, played action by action, wins with its last action.
pub fn solvers_plans_win<K: Kit>(profile: &Profile<K>) {
    for rules in K::INFO.rules {
        let mut plans = 0;
        let cases = Case::<K>::shipped(rules.name, 2).into_iter().chain([Case::easy(rules.name)]);
        for case in cases {
            let open = open(&profile.game, &case);
            let options =
                SolveOptions { time: SOLVE_TIME, chance: open.chance(1, 0), ..SolveOptions::default() };
            let solution = open.solve(&options, &|_| {}).solution;
            if solution.outcome == Solvability::Solved {
                let won = play_plan(open.as_ref(), &solution.plan);
                won.unwrap_or_else(|why| {
                    panic!("{case}, seed 1: the plan `{}` {why}", solution.plan.join(","))
                });
                plans += 1;
            }
        }
        assert!(plans > 0, "{}, rules {}: no level was solved within a second", K::INFO.name, rules.name);
    }
}

fn play_plan(open: &dyn OpenLevel, plan: &[String]) -> Result<(), String> {
    let mut table = open.table(1, 0);
    let mut plan = plan.iter();
    loop {
        match table.status() {
            Status::Over(over) if over.outcome(0) == Outcome::Win && plan.len() == 0 => return Ok(()),
            Status::Over(over) => {
                return Err(format!("ends with {}, {} actions left", over.reason, plan.len()));
            }
            Status::ToMove(0) => {
                let action = plan.next().ok_or("ends before the game does")?;
                table.act(action).map_err(|illegal| format!("is illegal: {illegal}"))?;
            }
            Status::ToMove(seat) => {
                let mut opponent = open.agent(OPPONENT, seat, 1).ok_or("has no opponent")?;
                let clock = start_clock(Budget::default());
                opponent
                    .play(table.as_mut(), &clock, &mut Insight::unwanted())
                    .map_err(|fault| format!("meets an opponent that fails: {fault}"))?;
            }
        }
    }
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

/// What is to stop.
#[derive(Clone, Copy, Debug)]
enum Task {
    Solve,
    Check,
}

impl Task {
    const ALL: [Self; 2] = [Self::Solve, Self::Check];

    /// Runs it; how long it took, with all that it had to free.
    fn run<K: Kit>(self, case: &Case<K>, options: &SolveOptions) -> Duration {
        let game = Arc::clone(&case.game);
        let started = Instant::now();
        match self {
            Self::Solve => drop(K::solve(&game, options, &|_| {})),
            Self::Check => drop(K::check(&game, options, &|_| {})),
        }
        started.elapsed()
    }
}

/// How a search ended that was to stop.
struct Stopped {
    /// How long after it was told to.
    late: Duration,
    /// Was it still searching then?
    was_busy: bool,
}

fn assert_stops<K: Kit>(case: &Case<K>, task: Task, told_by: &str, mut run: impl FnMut() -> Stopped) {
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let Stopped { late, was_busy } = run();
        // A checker divides its time, and may be done before the last part of it.
        let done_early = !was_busy && matches!(task, Task::Solve);
        assert!(!done_early, "{case}: {task:?} is done before {told_by}: this level does not keep it busy");
        least = least.min(late);
        if least <= GRACE {
            return;
        }
    }
    panic!("{case}: {task:?} goes on for {least:?} after {told_by}");
}

/// The busy level of every rule set.
fn busy_cases<K: Kit>(profile: &Profile<K>) -> Vec<Case<K>> {
    let case = |rules: &'static str| {
        let name = K::INFO.name;
        let text = profile.busy.iter().find(|(set, _)| *set == rules).map(|(_, text)| *text);
        let text = text.unwrap_or_else(|| panic!("{name}: name a busy level for the rules {rules}"));
        Case::open(rules, "busy", text)
            .unwrap_or_else(|| panic!("{name}, rules {rules}: the busy level does not open"))
    };
    K::INFO.rules.iter().map(|rules| case(rules.name)).collect()
}
