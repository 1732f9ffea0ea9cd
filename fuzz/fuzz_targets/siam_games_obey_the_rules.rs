#![no_main]

use damier_kit::Levels;
use damier_siam::Siam;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    damier_fuzz::games_obey_the_rules::<Siam>(data, Siam::INFO.packs[0].levels[0].1);
});
