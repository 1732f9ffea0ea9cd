//! `damier certify` and `damier atlas`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use damier_arena::atlas as report;
use damier_arena::certs::{self, CertStore, Certificate, Entry, Finding, Terms};
use damier_arena::schedule::Shard;
use damier_host::levels::{self, NamedLevel};
use damier_host::measure::percentile;
use damier_kit::cancel::TimeSource;
use serde_json::json;

use super::{cores, progress_bar, ruled_table};
use crate::args::{AtlasArgs, CertifyArgs, ClockArg};
use crate::output::{report_error, screen};
use crate::{Answer, games};

/// Certifies levels into a store, and prints what is known of them.
pub fn certify(args: &CertifyArgs) -> Result<Answer> {
    let game = games::find(&args.game.game)?;
    let terms = Terms {
        game,
        rules: games::rule_set(game.info(), args.rules.as_deref())?,
        seed: args.seed,
        time: args.time,
        source: match args.clock {
            ClockArg::Wall => TimeSource::Wall,
            ClockArg::Cpu => TimeSource::ThreadCpu,
        },
    };
    let (levels, mut answer) = readable(&terms, &args.levels);
    if levels.is_empty() {
        return Ok(answer);
    }
    let mut store = CertStore::to_add(&args.out)?;
    let bar = progress_bar(levels.len() as u64);
    let mut begun = false;
    let mut told = Ok(());
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let threads = args.threads.unwrap_or_else(cores);
    let numbers = certs::certify(&terms, &levels, &mut store, shard, threads, &mut |progress, entry| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        if !begun {
            // The time left is that of this run: what is known from earlier ones took none of it.
            bar.reset_eta();
            begun = true;
        }
        if args.json {
            told = bar.suspend(|| writeln!(std::io::stdout(), "{}", line_of(entry)));
        }
        if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    bar.finish_and_clear();
    told?;
    let known = numbers.iter().map(|&number| store.entry(number)).collect::<Result<Vec<_>>>()?;
    if !args.json {
        write!(screen(), "{}", table_of(&known))?;
    }
    let open = |entry: &Entry| entry.certificate.as_ref().is_none_or(|it| it.finding == Finding::Open);
    if known.iter().any(open) {
        answer = answer.worse_of(Answer::No);
    }
    Ok(answer)
}

/// The levels that can be read; what is wrong with the others is said.
fn readable(terms: &Terms, names: &[String]) -> (Vec<NamedLevel>, Answer) {
    let mut answer = Answer::Yes;
    let mut readable = Vec::new();
    for level in levels::find_each(terms.game, names, terms.rules) {
        match level.and_then(|level| levels::open(terms.game, &level, terms.rules).map(|_| level)) {
            Ok(level) => readable.push(level),
            Err(error) => answer = report_error(&error),
        }
    }
    (readable, answer)
}

fn line_of(entry: &Entry) -> String {
    let mut line = json!({"level": entry.level.name, "rules": entry.rules, "seed": entry.seed});
    if let (Some(line), Ok(serde_json::Value::Object(known))) =
        (line.as_object_mut(), serde_json::to_value(&entry.certificate))
    {
        line.extend(known);
    }
    line.to_string()
}

/// How many levels of each finding, what it took, and why levels are impossible or open.
fn table_of(known: &[Entry]) -> String {
    let mut table = ruled_table(&["", "levels", "%", "median s", "p95 s"], 1);
    for finding in Finding::ALL {
        let found: Vec<&Certificate> = known
            .iter()
            .filter_map(|entry| entry.certificate.as_ref())
            .filter(|it| it.finding == finding)
            .collect();
        let mut times: Vec<Duration> =
            found.iter().map(|it| Duration::from_secs_f64(it.cpu_ms / 1000.0)).collect();
        times.sort_unstable();
        let seconds = |percent| format!("{:.2}", percentile(&times, percent).as_secs_f64());
        let share = 100.0 * found.len() as f64 / known.len().max(1) as f64;
        table.add_row(vec![
            finding.name().to_owned(),
            found.len().to_string(),
            format!("{share:.1}"),
            seconds(50),
            seconds(95),
        ]);
    }
    let mut text = format!("{table}\n");
    for (reason, count) in reasons(known) {
        let _ = writeln!(text, "{count:5} impossible: {reason}");
    }
    text
}

/// The reasons of impossible levels with numbers left out, the most frequent first.
fn reasons(known: &[Entry]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let impossible = |it: &&Certificate| it.finding == Finding::Impossible;
    for certificate in known.iter().filter_map(|entry| entry.certificate.as_ref()).filter(impossible) {
        let words = certificate.reason.split(' ');
        let plain = words.map(|word| if word.starts_with(|c: char| c.is_ascii_digit()) { "N" } else { word });
        *counts.entry(plain.collect::<Vec<_>>().join(" ")).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Writes the report of what stores know.
pub fn atlas(args: &AtlasArgs) -> Result<Answer> {
    let mut entries = Vec::new();
    for path in &args.stores {
        entries.extend(CertStore::open(path)?.entries()?);
    }
    // The parts of one collection hold the same levels: what is known of a level comes before that it is not.
    entries.sort_by_key(|entry| (entry.number, entry.certificate.is_none()));
    entries.dedup_by(|later, first| {
        let key = |entry: &Entry| (entry.number, entry.level.text.clone(), entry.rules.clone(), entry.seed);
        key(later) == key(first)
    });
    report::write(&args.out, games::all(), &entries)?;
    writeln!(screen(), "{}", args.out.join("index.html").display())?;
    Ok(Answer::Yes)
}
