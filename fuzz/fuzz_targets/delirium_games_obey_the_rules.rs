#![no_main]

use damier_kit::Levels;
use damier_delirium::Delirium;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    damier_fuzz::games_obey_the_rules::<Delirium>(data, Delirium::INFO.packs[0].levels[5].1);
});
