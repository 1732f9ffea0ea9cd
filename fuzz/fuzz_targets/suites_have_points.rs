#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| damier_fuzz::suites_have_points(text));
