//! The course's agent against recorded decisions of the real program.

use damier_core::agent::Budget;
use damier_core::insight::Insight;
use damier_kit::time::start_clock;
use damier_kit::{AnyGame, Levels};
use damier_loderunner::LodeRunner;
use damier_loderunner::action::Action;

const RECORDED: &str = include_str!("fixtures/original.txt");

#[test]
fn it_decides_as_the_real_program_did() {
    let mut decisions = 0;
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let [name, seed, codes] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (pack, level) = name.split_once('/').unwrap();
        let pack = LodeRunner::INFO.packs.iter().find(|known| known.name == pack).unwrap();
        let (_, text) = pack.levels.iter().find(|known| known.0 == level).unwrap();
        let level = LodeRunner.open(text, "course").unwrap();
        let mut table = level.table(seed.parse().unwrap(), 0);
        let mut agent = level.agent("original", 0, 1).unwrap();
        for (number, code) in codes.chars().enumerate() {
            let recorded = Action::parse(&code.to_string()).unwrap().name();
            let mut copy = table.copy();
            agent.play(copy.as_mut(), &start_clock(Budget::default()), &mut Insight::unwanted()).unwrap();
            assert_eq!(
                copy.last_action().as_deref(),
                Some(recorded),
                "{name}, seed {seed}, round {}",
                number + 1
            );
            table.act(recorded).unwrap();
            decisions += 1;
        }
    }
    assert!(decisions > 3_000, "{decisions}");
}
