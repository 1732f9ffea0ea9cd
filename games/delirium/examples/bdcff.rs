//! Reads BDCFF files and compares each cave with how the reference engine renders it, one cave a line in the format `cells`.
//!
//! `cargo run --release -p damier-delirium --example bdcff EXPECTED.jsonl FILE…`

use std::collections::HashMap;
use std::path::Path;

use damier_delirium::level::{Level, bdcff};
use damier_delirium::rules::CaveOptions;
use serde_json::Value;

/// What of the options is told by the expected line.
fn told(level: &Level) -> CaveOptions {
    let options = CaveOptions::read(level.first()).expect("the parameters are in range");
    let default = CaveOptions::DEFAULT;
    CaveOptions {
        birth: default.birth,
        frame: default.frame,
        slime_mask: default.slime_mask,
        slime_seed: default.slime_seed,
        long_blasts: default.long_blasts,
        magic_stops_amoeba: default.magic_stops_amoeba,
        amoeba_fast: default.amoeba_fast,
        ..options
    }
}

fn main() {
    let mut paths = std::env::args().skip(1);
    let expected = std::fs::read_to_string(paths.next().expect("the expected caves")).expect("can be read");
    let mut caves: HashMap<(String, u64), String> = HashMap::new();
    for line in expected.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON lines");
        caves.insert(
            (value["file"].as_str().unwrap_or("").to_owned(), value["cave"].as_u64().unwrap_or(0)),
            line.to_owned(),
        );
    }
    let (mut same, mut unsupported, mut all) = (0, 0, 0);
    for path in paths {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("the file can be read")).into_owned();
        let file =
            Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for (number, (_, cave)) in bdcff::split(&text).into_iter().enumerate() {
            all += 1;
            let Some(line) = caves.get(&(file.clone(), number as u64)) else {
                println!("{file} {number}: not expected");
                continue;
            };
            match (Level::parse(&cave), Level::parse(line)) {
                (_, Err(error)) => {
                    unsupported += 1;
                    println!("{file} {number}: unsupported: {error}");
                }
                (Err(error), _) => println!("{file} {number}: {error}"),
                (Ok(ours), Ok(theirs)) => {
                    let (ours_map, theirs_map) = (ours.first(), theirs.first());
                    let cells = ours_map
                        .cells()
                        .iter()
                        .zip(theirs_map.cells())
                        .filter(|(one, other)| one != other)
                        .count();
                    let printed = bdcff::print(&ours).and_then(|text| Level::parse(&text));
                    let again = printed.as_ref().is_ok_and(|again| {
                        again.first().cells() == ours_map.cells()
                            && CaveOptions::read(again.first()) == CaveOptions::read(ours_map)
                    });
                    if ours_map.size() != theirs_map.size() || cells > 0 {
                        println!("{file} {number}: {cells} cells differ");
                    } else if told(&ours) != told(&theirs) {
                        println!("{file} {number}: {:?}\n{:?}", told(&ours), told(&theirs));
                    } else if (ours_map.need(), ours_map.header("time"), ours_map.header("sched"))
                        != (theirs_map.need(), theirs_map.header("time"), theirs_map.header("sched"))
                    {
                        println!(
                            "{file} {number}: need, time or sched: {} {:?} {:?}, expected {} {:?} {:?}",
                            ours_map.need(),
                            ours_map.header("time"),
                            ours_map.header("sched"),
                            theirs_map.need(),
                            theirs_map.header("time"),
                            theirs_map.header("sched")
                        );
                    } else if !again {
                        println!(
                            "{file} {number}: not the same when written and read again: {:?}",
                            printed.err()
                        );
                    } else {
                        same += 1;
                    }
                }
            }
        }
    }
    println!(
        "{same} of {all} caves are read as expected and written, {unsupported} have elements that are not supported"
    );
}
