//! Certificates and the atlas as their users call them: killed and gone on with, with bad levels among good ones, split and joined.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{damier_in, folder, refusal_of, text_of};
use serde_json::Value;

/// Three caves in one file: one to win, one without a way to its exit, one that cannot be read.
const CAVES: [(&str, &str); 3] = [
    ("won.txt", "; need: 1\n######\n#P.dX#\n######\n"),
    ("sealed.txt", "; need: 1\n########\n#P.d##X#\n########\n"),
    ("broken.txt", "; need: 1\n######\n#P.?X#\n######\n"),
];

fn caves(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    for (file, text) in CAVES {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

#[test]
fn every_level_gets_its_certificate_and_a_bad_one_is_named() {
    let folder = caves("certified");
    let args = [
        "certify",
        "delirium",
        "won.txt",
        "broken.txt",
        "sealed.txt",
        "--out",
        "certs.db",
        "--clock",
        "cpu",
        "--json",
    ];
    let output = damier_in(&folder, &args);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("broken.txt:3:4") && complaint.lines().count() == 1, "{complaint}");
    assert_eq!(output.status.code(), Some(2));
    let mut lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines.sort_by_key(|line| line["level"].to_string());
    assert_eq!(lines[0]["finding"], "impossible");
    assert_eq!(lines[0]["reason"], "no way leads to the exit, whatever is dug, pushed or blasted");
    assert_eq!((&lines[1]["finding"], &lines[1]["par"]), (&"solved".into(), &3.into()));
    assert_eq!(lines[1]["plan"].as_array().unwrap().len(), 3);

    // All is known: nothing is searched again, and the table says the same.
    let again =
        damier_in(&folder, &["certify", "delirium", "won.txt", "sealed.txt", "--out", "certs.db", "--json"]);
    assert_eq!(text_of(again, 0), "");
    let table = text_of(
        damier_in(&folder, &["certify", "delirium", "won.txt", "sealed.txt", "--out", "certs.db"]),
        0,
    );
    assert!(table.contains("1 impossible: no way leads to the exit"), "{table}");

    text_of(damier_in(&folder, &["atlas", "certs.db", "--out", "atlas"]), 0);
    let read = |name: &str| std::fs::read_to_string(folder.join("atlas").join(name)).unwrap();
    let csv = read("certificates.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[1].starts_with("1,won.txt,delirium,course,1,solved,3,0.0,100,100,"), "{csv}");
    assert!(lines[2].starts_with("2,sealed.txt,delirium,course,1,impossible,,,,,"), "{csv}");
    let page = read("index.html");
    assert!(page.contains("data-finding=\"impossible\"") && page.contains("levels/2.svg"), "{page}");
    assert!(page.contains("<b>100.0 %</b>"), "{page}");
    assert!(read("levels/1.html").contains("right,right,right"));
    assert!(read("levels/1.svg").starts_with("<svg"));
}

#[test]
fn parts_of_a_collection_make_one_atlas() {
    let folder = caves("parts");
    let levels = ["damier/first-steps", "damier/overhang", "damier/push", "won.txt"];
    for part in ["1/2", "2/2"] {
        let store = format!("part{}.db", &part[..1]);
        let mut args = vec!["certify", "delirium"];
        args.extend(levels);
        args.extend(["--out", &store, "--shard", part]);
        text_of(damier_in(&folder, &args), 0);
    }
    text_of(damier_in(&folder, &["atlas", "part1.db", "part2.db", "--out", "atlas"]), 0);
    let csv = std::fs::read_to_string(folder.join("atlas/certificates.csv")).unwrap();
    assert_eq!((csv.lines().count(), csv.matches(",solved,").count()), (5, 4), "{csv}");
}

/// The columns of a table that do not depend on the machine: all but the processor time.
fn machine_free(csv: &str) -> Vec<Vec<&str>> {
    csv.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            [&fields[..14], &fields[15..]].concat()
        })
        .collect()
}

fn known(folder: &Path, store: &str) -> usize {
    let output = damier_in(folder, &["atlas", store, "--out", "peek"]);
    if !output.status.success() {
        return 0;
    }
    let csv = std::fs::read_to_string(folder.join("peek/certificates.csv")).unwrap();
    csv.matches(",solved,").count()
}

#[test]
fn a_run_that_was_killed_is_continued_to_the_same_certificates() {
    let folder = folder("killed-certify");
    let levels = ["certify", "delirium", "generated/1..24", "--rules", "boulder", "--time", "20s"];
    let whole = [&levels[..], &["--out", "whole.db"]].concat();
    text_of(damier_in(&folder, &whole), 0);
    let args = [&levels[..], &["--out", "killed.db", "--threads", "1"]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(&args)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while known(&folder, "killed.db") < 1 && started.elapsed() < Duration::from_mins(1) {}
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it was not killed in time");
    let before = known(&folder, "killed.db");
    assert!((1..24).contains(&before), "{before} of 24 certificates");
    text_of(damier_in(&folder, &args), 0);
    let table = |store: &str| {
        text_of(damier_in(&folder, &["atlas", store, "--out", "atlas"]), 0);
        std::fs::read_to_string(folder.join("atlas/certificates.csv")).unwrap()
    };
    let (whole, killed) = (table("whole.db"), table("killed.db"));
    assert_eq!(machine_free(&killed), machine_free(&whole));
}

#[test]
fn what_is_no_store_of_certificates_is_refused() {
    let folder = caves("no-certificates");
    std::fs::write(folder.join("notes.db"), "these are notes ".repeat(200)).unwrap();
    let refusal = |args: &[&str]| refusal_of(damier_in(&folder, args));
    assert!(refusal(&["atlas", "notes.db", "--out", "atlas"]).contains("not a Damier store"));
    assert!(refusal(&["atlas", "nothing.db", "--out", "atlas"]).contains("no such store"));
    assert!(refusal(&["certify", "delirium", "won.txt", "--out", "notes.db"]).contains("not a Damier store"));
}
