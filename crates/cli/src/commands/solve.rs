//! `damier solve` and `damier check`.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use damier_core::agent::Budget;
use damier_core::insight::Insight;
use damier_kit::cancel::TimeSource;
use damier_kit::plan::OPPONENT;
use damier_kit::table::{OpenLevel, Table};
use damier_kit::time::start_clock;
use damier_kit::{Report, Solution, Solvability, SolveOptions};
use serde_json::json;

use super::opening::Opening;
use super::{cores, spinner, with_commas};
use crate::args::{ClockArg, SolveArgs};
use crate::output::{report_error, screen};
use crate::{Answer, games};
use damier_host::Prefix;
use damier_host::levels::{self, NamedLevel};
use damier_host::measure::{Effort, Stopwatch, milliseconds, percentile};
use damier_host::solving::{self, SolutionMessage};

/// Solves each level, from the position after the prefix.
pub fn solve(args: &SolveArgs, prefix: Option<&str>) -> Result<Answer> {
    let opening = Opening::read(prefix, games::find(&args.game.game)?.info())?;
    let seed = args.seed.unwrap_or(opening.seed());
    each_level(args, &opening, &|level, open, limits, progress| {
        let mut table = open.table(seed, 0);
        play_prefix(&opening.prefix, open, table.as_mut(), seed)?;
        let (answer, effort) = solving::solve(open, table.as_ref(), seed, limits, progress)?;
        let solution = &answer.solution;
        let text = if args.json {
            let message = SolutionMessage::new(&level.name, open, seed, &answer, &effort);
            serde_json::to_string(&message)?
        } else {
            solution_text(level, solution, &effort)
        };
        Ok((solution.outcome, text))
    })
}

/// Brings a game to the position after the prefix; the other seats are played as solvers expect.
fn play_prefix(prefix: &Prefix, open: &dyn OpenLevel, table: &mut dyn Table, seed: u64) -> Result<()> {
    let mut others = |table: &mut dyn Table, seat| {
        let mut opponent =
            open.agent(OPPONENT, seat, seed).context("this game has no agent for its other seat")?;
        let clock = start_clock(Budget::default());
        opponent.play(table, &clock, &mut Insight::unwanted()).map_err(|leave| anyhow!("{leave}"))
    };
    prefix.play(table, &mut others, &mut |_, _| {})
}

/// Checks each level.
pub fn check(args: &SolveArgs) -> Result<Answer> {
    each_level(args, &Opening::default(), &|level, open, limits, progress| {
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

type Examine<'a> =
    dyn Fn(&NamedLevel, &dyn OpenLevel, &SolveOptions, &dyn Fn(&str)) -> Result<(Solvability, String)> + 'a;

fn each_level(args: &SolveArgs, opening: &Opening, examine: &Examine<'_>) -> Result<Answer> {
    let game = games::find(&args.game.game)?;
    let rules = opening.rules(game.info(), args.rules.as_deref())?;
    let seed = args.seed.unwrap_or(opening.seed());
    let threads = args.threads.unwrap_or_else(cores).max(1);
    let mut answer = Answer::Yes;
    let mut efforts = Vec::new();
    let bar = spinner("");
    for level in opening.levels(game, &args.levels, rules)? {
        let opened = level.and_then(|level| Ok((levels::open(game, &level, rules)?, level)));
        let (open, level) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                answer = report_error(&error);
                continue;
            }
        };
        let limits = SolveOptions {
            time: args.time,
            source: match args.clock {
                ClockArg::Wall => TimeSource::Wall,
                ClockArg::Cpu => TimeSource::Cpu,
            },
            threads,
            chance: open.chance(seed, 0),
            ..SolveOptions::default()
        };
        bar.set_prefix(level.name.clone());
        bar.set_message("");
        bar.reset_elapsed();
        let stopwatch = Stopwatch::start();
        let examined = examine(&level, open.as_ref(), &limits, &|message| {
            bar.set_message(message.to_owned());
        });
        efforts.push(stopwatch.read());
        let (outcome, text) = examined?;
        bar.suspend(|| {
            if args.json { writeln!(std::io::stdout(), "{text}") } else { writeln!(screen(), "{text}") }
        })?;
        if outcome != Solvability::Solved {
            answer = answer.worse_of(Answer::No);
        }
    }
    bar.finish_and_clear();
    if efforts.len() > 1 && !args.json {
        writeln!(screen(), "{}", efforts_text(&efforts))?;
    }
    Ok(answer)
}

/// Time and processor time of all levels, for comparing solvers.
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
                Some(bound) => format!("lower bound {bound}"),
                None => "not proven shortest".to_owned(),
            };
            format!("solved in {} turns, {proof}", solution.plan.len())
        }
        Solvability::Unsolvable => "proven unsolvable".to_owned(),
        Solvability::Unknown => "no answer within the time limit".to_owned(),
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
    fn percentiles_are_of_the_sorted_times() {
        let text = times_text((1..=200).rev().map(Duration::from_millis).collect());
        assert_eq!(text, "20.10 s: mean 100.50 ms, median 100.00, p99 198.00, max 200.00");
    }
}
