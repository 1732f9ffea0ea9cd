//! Temporary.
use damier_core::agent::{Budget, Clock, Turn};
use damier_core::game::{Game, Status};
use damier_core::kit::{GenerateRequest, Kit};
use damier_core::insight::Insight;
use damier_core::random::Rng;
use damier_core::table::{AnyGame, Registered};
use damier_core::agent::Agent;
use damier_delirium::agents::original::Original;
use damier_delirium::Delirium;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.get(0).map(String::as_str) == Some("gen") {
        for seed in args[1].parse().unwrap()..args[2].parse::<u64>().unwrap() {
            let d = args.get(3).and_then(|d| d.parse().ok());
            let t = Instant::now();
            let r = Delirium::generate(&GenerateRequest { seed, difficulty: d, size: None, rules: "course" });
            eprintln!("{seed} {:?} {}", t.elapsed(), r.as_ref().map(|t| t.lines().take(5).collect::<Vec<_>>().join(" | ")).unwrap_or_else(|e| e.clone()));
            if let Ok(t) = r { println!("{t}"); }
        }
        return;
    }
    if args.get(0).map(String::as_str) == Some("solve") {
        for path in &args[1..] {
            let rules = std::sync::Arc::new(Delirium::open(&std::fs::read_to_string(path).unwrap(), "course").unwrap());
            let c = damier_delirium::generate::certify::certify(&rules);
            let t = Instant::now();
            let sol = Delirium::solve(&rules, &damier_core::kit::SolveLimits { time: std::time::Duration::from_secs(15), threads: 1, chance: Rng::new(1) }, &|_| {});
            println!("{path} {:?} {} {:?}", sol.outcome, sol.plan.len(), t.elapsed());
            println!("{path} certify {:?}", c.map(|c| (c.ticks(), c.difficulty())));
        }
        return;
    }
    if args.get(0).map(String::as_str) == Some("orig") {
        let (mut won, mut dead, mut stuck) = (0, 0, 0);
        for path in &args[1..] {
            let text = std::fs::read_to_string(path).unwrap();
            for (_, t) in Delirium::split(&text) {
                let rules = match Delirium::open(&t, "course") { Ok(r) => r, Err(e) => { eprintln!("{path}: {e}"); continue } };
                let mut s = rules.start(); let mut a = Original::new(); let mut rng = Rng::new(1); let mut legal = vec![];
                let mut n = 0;
                while matches!(rules.status(&s), Status::ToMove(_)) && n < 2000 {
                    rules.legal(&s, &mut legal);
                    let obs = rules.observe(&s, 0);
                    let clock = Clock::start(Budget::default());
                    let act = a.act(&Turn { seat: 0, number: n + 1, observation: &obs, legal: &legal, clock: &clock }, &mut Insight::unwanted());
                    rules.apply(&mut s, act, &mut rng); n += 1;
                }
                match rules.status(&s) { Status::ToMove(_) => stuck += 1, Status::Over(o) if o.seen_from(0) == "win" => won += 1, _ => dead += 1 }
            }
        }
        println!("won {won} dead {dead} stuck {stuck}");
        return;
    }
    println!("{} bytes", size_of::<damier_delirium::rules::State>());
    let b = Registered::<Delirium>::new().bench(4.0);
    println!("{:x}", b.signature);
    for m in b.measures { println!("{} {:.2} M/s", m.what, m.count as f64 / m.seconds / 1e6); }
}
