#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| damier_fuzz::levels_round_trip::<damier_siam::Siam>(text));
