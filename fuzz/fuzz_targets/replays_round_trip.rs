#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| damier_fuzz::replays_round_trip(data));
