#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| damier_fuzz::manifests_have_commands(text));
