//! `damier grade`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use damier_arena::grade::{Examination, Mark, examine, marks};
use damier_arena::report;
use damier_arena::schedule::Shard;
use damier_arena::store::Store;
use damier_arena::suite::Suite;
use damier_arena::tournament::RunOptions;
use serde_json::json;

use super::{cores, ruled_table, tournament, wrap_last_column};
use crate::Answer;
use crate::args::GradeArgs;
use crate::games;
use crate::output::screen;

/// Grades agents by a suite and writes the report.
pub fn grade(args: &GradeArgs) -> Result<Answer> {
    let (mut suite, folder) = find_suite(&args.suite)?;
    suite.terms = args.confine.apply(suite.terms);
    let examination = examine(games::all(), suite, &args.agents, &folder)?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut store = Store::for_plan(&args.out.join("grade.db"), &examination.prepared.plan, args.resume)?;
    let mut results = store.results()?;
    let options =
        RunOptions { shard: Shard::WHOLE, at_once: args.threads.unwrap_or_else(cores), cut_hangs: true };
    let watch = &mut |_: &_| ControlFlow::Continue(());
    let missed = tournament::play(&examination.prepared, &mut results, Some(&mut store), options, watch)?;
    // Points need all games, so without them there is no report.
    missed.check(tournament::RESUME)?;
    let marks = marks(&examination, &results);
    report::write(&args.out, &examination, &marks, &store)?;
    print(args, &examination, &marks)?;
    Ok(if marks.iter().all(Mark::passed) { Answer::Yes } else { Answer::No })
}

/// Reads a suite file, or takes the suite that comes with a game.
fn find_suite(name: &str) -> Result<(Suite, PathBuf)> {
    let path = Path::new(name);
    if path.is_file() {
        return Ok((Suite::read(path)?, path.parent().map(Path::to_owned).unwrap_or_default()));
    }
    let shipped = || games::all().iter().map(|game| game.info()).filter(|info| !info.suite.is_empty());
    let Some(info) = shipped().find(|info| info.name == name) else {
        let names: Vec<&str> = shipped().map(|info| info.name).collect();
        bail!("`{name}` is neither a suite file nor a game with a suite; those are {}", names.join(", "));
    };
    Ok((Suite::parse(path, info.suite)?, PathBuf::new()))
}

fn print(args: &GradeArgs, examination: &Examination, marks: &[Mark]) -> Result<()> {
    if args.json {
        for mark in marks {
            let tests: Vec<_> = mark
                .tests
                .iter()
                .map(|test| json!({"test": test.name, "passed": test.passed, "points": test.points, "of": test.of}))
                .collect();
            let mut line = json!({"agent": mark.agent, "points": mark.points, "of": mark.of, "tests": tests});
            if let Some(reason) = &mark.refused {
                line["refused"] = json!(reason);
            }
            line["verdict"] = json!(mark.verdict.kind);
            line["explanation"] = json!(mark.explanation());
            writeln!(std::io::stdout(), "{line}")?;
        }
        return Ok(());
    }
    let mut header = vec!["agent", "points"];
    header.extend(examination.suite.tests.iter().map(|test| &*test.name));
    header.push("verdict");
    let mut table = ruled_table(&header, 1);
    wrap_last_column(&mut table);
    for mark in marks {
        let mut cells = vec![mark.agent.clone(), format!("{} / {}", mark.points, mark.of)];
        cells.extend(mark.tests.iter().map(|test| test.points.to_string()));
        cells.push(mark.explanation().lines().next().unwrap_or_default().to_owned());
        table.add_row(cells);
    }
    writeln!(screen(), "{table}\n{}", args.out.join("index.html").display())?;
    Ok(())
}
