//! Temporary.
use damier_core::table::{AnyGame, Registered};
use damier_core::game::{Game, Status};
use damier_core::random::Rng;
use damier_core::grid::Dir;
use damier_delirium::rules::*;
use damier_delirium::level::Level;
fn main() {
    if let Some(n) = std::env::args().nth(1) {
        let rules = Rules::new(Level::parse(include_str!("../../../levels/delirium/damier/works.txt")).unwrap(), RuleSet::Course).unwrap();
        let mut total = 0u64;
        for seed in 0..n.parse().unwrap() {
            let mut rng = Rng::new(seed);
            let mut state = rules.start();
            let mut ticks = 0;
            let (mut word, mut left) = (0, 0);
            while matches!(rules.status(&state), Status::ToMove(_)) && ticks < 1000 {
                if left == 0 { (word, left) = (rng.next_u64(), 16); }
                let action = Action::Go(Dir::from_index(word as u8));
                for _ in 0..=(word >> 2 & 3) { rules.apply(&mut state, action, &mut rng); ticks += 1; }
                (word, left) = (word >> 4, left - 1);
            }
            total += ticks;
        }
        println!("ticks {total}");
        return;
    }
    println!("{} bytes", size_of::<State>());
    let b = Registered::<damier_delirium::Delirium>::new().bench(4.0);
    println!("{:x}", b.signature);
    for m in b.measures { println!("{} {:.2} M/s", m.what, m.count as f64 / m.seconds / 1e6); }
}
