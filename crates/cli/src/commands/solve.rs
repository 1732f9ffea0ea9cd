//! `damier solve` and `damier check`.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use damier_kit::cancel::Cancel;
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::{Report, Solution, Solvability, SolveOptions};
use serde_json::json;

use super::{cores, spinner, with_commas};
use crate::args::SolveArgs;
use crate::{Answer, games};
use damier_host::levels::{self, NamedLevel};
use damier_host::measure::{Effort, Stopwatch, milliseconds, percentile};
use damier_host::solving::{self, SolutionMessage};

/// Solves each level.
pub fn solve(args: &SolveArgs) -> Result<Answer> {
    each_level(args, &|game, level, open, limits, progress| {
        let (answer, effort) = solving::solve(game.info(), open, args.seed, limits, progress)?;
        let solution = &answer.solution;
        let text = if args.json {
            let message = SolutionMessage::new(&level.name, open, args.seed, &answer, &effort);
            serde_json::to_string(&message)?
        } else {
            solution_text(level, solution, &effort)
        };
        Ok((solution.outcome, text))
    })
}

/// Checks each level.
pub fn check(args: &SolveArgs) -> Result<Answer> {
    each_level(args, &|_, level, open, limits, progress| {
        let report = open.check(limits, progress);
        let text = if args.json {
            json!({"level": level.name, "rules": open.rules(), "well_formed": true, "solvable": report.solvable,
                "par": report.par, "difficulty": report.difficulty, "notes": report.notes})
            .to_string()
        } else {
            report_text(level, &report)
        };
        Ok((report.solvable, text))
    })
}

type Examine<'a> = dyn Fn(
        &'static dyn AnyGame,
        &NamedLevel,
        &dyn OpenLevel,
        &SolveOptions,
        &dyn Fn(&str),
    ) -> Result<(Solvability, String)>
    + 'a;

fn each_level(args: &SolveArgs, examine: &Examine<'_>) -> Result<Answer> {
    let game = games::find(&args.game.game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    let threads = args.threads.unwrap_or_else(cores).max(1);
    let mut answer = Answer::Yes;
    let mut efforts = Vec::new();
    let bar = spinner("");
    for level in levels::find_all(game, &args.levels, rules)? {
        let open = levels::open(game, &level, rules)?;
        let limits = SolveOptions {
            time: args.time,
            threads,
            chance: open.chance(args.seed, 0),
            cancel: Cancel::default(),
        };
        bar.set_prefix(level.name.clone());
        bar.set_message("");
        bar.reset_elapsed();
        let stopwatch = Stopwatch::start();
        let examined = examine(game, &level, open.as_ref(), &limits, &|message| {
            bar.set_message(message.to_owned());
        });
        efforts.push(stopwatch.read());
        let (outcome, text) = examined?;
        bar.suspend(|| writeln!(std::io::stdout().lock(), "{text}"))?;
        if outcome != Solvability::Solved {
            answer = Answer::No;
        }
    }
    bar.finish_and_clear();
    if efforts.len() > 1 && !args.json {
        writeln!(std::io::stdout().lock(), "{}", efforts_text(&efforts))?;
    }
    Ok(answer)
}

/// How long the levels took, for comparing solvers.
fn efforts_text(efforts: &[Effort]) -> String {
    let times = times_text(efforts.iter().map(|effort| effort.time).collect());
    let cpu = times_text(efforts.iter().map(|effort| effort.cpu).collect());
    format!("{} levels in {times}\nprocessor time {cpu}", efforts.len())
}

fn times_text(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let share = |percent| milliseconds(percentile(&times, percent));
    format!(
        "{:.2} s: mean {:.2} ms, median {:.2}, p99 {:.2}, max {:.2}",
        total.as_secs_f64(),
        milliseconds(total) / times.len() as f64,
        share(50),
        share(99),
        share(100)
    )
}

fn solution_text(level: &NamedLevel, solution: &Solution<String>, effort: &Effort) -> String {
    let effort = format!("{:.2} s, {} states", effort.time.as_secs_f64(), with_commas(solution.states));
    let verdict = match solution.outcome {
        Solvability::Solved => {
            let proof = match solution.lower_bound {
                _ if solution.optimal() => "proven shortest".to_owned(),
                Some(bound) => format!("none is shorter than {bound}"),
                None => "not proven shortest".to_owned(),
            };
            format!("solved in {} turns, {proof}", solution.plan.len())
        }
        Solvability::Unsolvable => "proven unsolvable".to_owned(),
        Solvability::Unknown => "no answer within the time".to_owned(),
    };
    let mut lines = vec![format!("{}: {verdict} ({effort})", level.name)];
    lines.extend(solution.notes.iter().map(|note| format!("  {note}")));
    if !solution.plan.is_empty() {
        lines.push(format!("  {}", solution.plan.join(",")));
    }
    lines.join("\n")
}

fn report_text(level: &NamedLevel, report: &Report) -> String {
    let verdict = match report.solvable {
        Solvability::Solved => "can be won",
        Solvability::Unsolvable => "cannot be won (proven)",
        Solvability::Unknown => "no win found, and no proof that there is none",
    };
    let mut lines = vec![format!("{}: well formed, {verdict}", level.name)];
    lines.extend(report.par.map(|par| format!("  par {par} turns")));
    lines.extend(report.difficulty.map(|difficulty| format!("  difficulty {difficulty:.1} of 10")));
    lines.extend(report.notes.iter().map(|note| format!("  {note}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_sorted_times() {
        let text = times_text((1..=200).rev().map(Duration::from_millis).collect());
        assert_eq!(text, "20.10 s: mean 100.50 ms, median 100.00, p99 198.00, max 200.00");
    }
}
