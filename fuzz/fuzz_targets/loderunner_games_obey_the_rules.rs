#![no_main]

use damier_kit::Levels;
use damier_loderunner::LodeRunner;
use libfuzzer_sys::fuzz_target;

// The first byte chooses among the shipped levels, so that both rule sets are played without a level in the data.
fuzz_target!(|data: &[u8]| {
    let Some((&first, data)) = data.split_first() else { return };
    let levels: Vec<&str> =
        LodeRunner::INFO.packs.iter().flat_map(|pack| pack.levels).map(|&(_, text)| text).collect();
    damier_fuzz::games_obey_the_rules::<LodeRunner>(data, levels[usize::from(first) % levels.len()]);
});
