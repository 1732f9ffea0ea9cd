#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| damier_fuzz::answers_are_finite(damier_process::Wire::Json, line));
