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
use damier_arena::tournament::Manner;
use damier_host::contestant::Contestant;
use damier_host::terms::Confinement;
use damier_process::confine;
use serde_json::json;

use super::{cores, ruled_table, tournament};
use crate::Answer;
use crate::args::GradeArgs;
use crate::games;

/// Grades agents by a suite and writes the report.
pub fn grade(args: &GradeArgs) -> Result<Answer> {
    let (mut suite, folder) = find_suite(&args.suite)?;
    if args.unconfined {
        suite.terms.confinement = Confinement::Off;
    }
    let examination = examine(games::all(), suite, &args.agents, &folder)?;
    report_confinement(&examination);
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut store = Store::for_plan(&args.out.join("grade.db"), &examination.prepared.plan, args.resume)?;
    let mut results = store.results()?;
    let manner = Manner { shard: Shard::WHOLE, at_once: args.threads.unwrap_or_else(cores) };
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    tournament::play(&examination.prepared, &mut results, Some(&mut store), manner, go_on)?;
    let marks = marks(&examination, &results);
    report::write(&args.out, &examination, &marks, &store)?;
    print(args, &examination, &marks)?;
    Ok(if marks.iter().all(Mark::passed) { Answer::Yes } else { Answer::No })
}

/// A file, or one of those that come with the program.
fn find_suite(name: &str) -> Result<(Suite, PathBuf)> {
    let path = Path::new(name);
    if path.is_file() {
        return Ok((Suite::read(path)?, path.parent().map(Path::to_owned).unwrap_or_default()));
    }
    let shipped = || games::all().iter().map(|game| game.info()).filter(|info| !info.suite.is_empty());
    let Some(info) = shipped().find(|info| info.name == name) else {
        let names: Vec<&str> = shipped().map(|info| info.name).collect();
        bail!("`{name}` is neither a suite's file nor one of {}", names.join(", "));
    };
    Ok((Suite::parse(path, info.suite)?, PathBuf::new()))
}

/// Tells the teacher how agents from outside are confined.
fn report_confinement(examination: &Examination) {
    let foreign = examination.prepared.contestants.iter().any(Contestant::is_foreign);
    match examination.suite.terms.confinement {
        Confinement::Off if foreign => eprintln!("damier: agents are NOT confined"),
        Confinement::Full if foreign => eprintln!("agents are confined:\n{}", confine::report()),
        Confinement::Off | Confinement::Full => {}
    }
}

fn print(args: &GradeArgs, examination: &Examination, marks: &[Mark]) -> Result<()> {
    let mut out = std::io::stdout().lock();
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
            writeln!(out, "{line}")?;
        }
        return Ok(());
    }
    let mut header = vec!["agent", "points"];
    header.extend(examination.suite.tests.iter().map(|test| &*test.name));
    header.push("");
    let mut table = ruled_table(&header, 1);
    for mark in marks {
        let mut cells = vec![mark.agent.clone(), format!("{} / {}", mark.points, mark.of)];
        cells.extend(mark.tests.iter().map(|test| test.points.to_string()));
        cells.push(mark.refused.clone().unwrap_or_default());
        table.add_row(cells);
    }
    writeln!(out, "{table}\n{}", args.out.join("index.html").display())?;
    Ok(())
}
