//! scratch
use damier_siam::board::Board;
use damier_siam::engine::*;
use damier_siam::proof::{self, Prover};
use damier_siam::rules::RuleSet;
use std::time::{Duration, Instant};
fn main() {
    let text = std::fs::read_to_string("/work/shared/samples/siam_tactics.jsonl").unwrap();
    let rules = RuleSet::Course.moves();
    for line in text.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let pos = format!("{} {} {}", v["board"].as_str().unwrap(), v["stm"].as_str().unwrap(), v["ply"]);
        let board = Board::parse(&pos).unwrap();
        let best: Vec<&str> =
            v["best_running"].as_array().unwrap().iter().map(|b| b.as_str().unwrap()).collect();
        let mut p = Prover::new(rules);
        let t = Instant::now();
        let verdict =
            p.prove(&board, &proof::Limits { time: Some(Duration::from_secs(5)), ..Default::default() });
        let pt = t.elapsed();
        let pn = p.nodes();
        let mut e = Engine::new(16 << 20);
        let ms = if v["plies"].as_u64().unwrap() >= 9 { 1000 } else { 20 };
        let t = Instant::now();
        let mut hist = vec![];
        let th = e.think(
            Question::new(&rules, &board),
            &Limits::time(Duration::from_millis(ms)),
            &std::sync::atomic::AtomicBool::new(false),
            &mut |th| {
                hist.push((
                    th.depth,
                    th.score.wins_in(),
                    t.elapsed().as_micros() as f64 / 1000.0,
                    best.contains(&&*th.best().unwrap().to_string()),
                ))
            },
        );
        let first = hist.iter().find(|h| h.1.is_some() || v["kind"] == "only_defence" && h.3);
        println!(
            "{} {:?} pvs best {:?} ok={} score {:?} depth {} first {:?}\n   proof {:?} ok={} in {:?} nodes {}",
            v["id"],
            best,
            th.best(),
            best.contains(&&*th.best().unwrap().to_string()),
            th.score.wins_in(),
            th.depth,
            first,
            verdict,
            matches!(&verdict, proof::Verdict::Wins(w) if best.contains(&&*w.line[0].to_string()) && w.plies as u64 == v["plies"].as_u64().unwrap() && w.line.len() as u32 == w.plies),
            pt,
            pn
        );
    }
}
