//! Generated caves: the same seed gives the same cave, and each can be won whatever chance does.

use damier_core::game::{Game, Outcome, Status};
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_delirium::generate::certify::certify;
use damier_kit::{Generate, GenerateRequest, Levels};

fn request(seed: u64, difficulty: Option<f64>) -> GenerateRequest {
    GenerateRequest { seed, difficulty, size: None, rules: "course", ..GenerateRequest::default() }
}

#[test]
fn generated_caves_can_be_won_with_every_seed_of_chance() {
    for seed in 1..=25 {
        let text = Delirium::generate(&request(seed, None)).unwrap();
        assert_eq!(Delirium::generate(&request(seed, None)).unwrap(), text, "the same seed, the same cave");
        let rules = Delirium::open(&text, "course").unwrap();
        let certificate = certify(&rules).expect("it was certified when it was made");
        for chance in 0..5 {
            let mut state = rules.start();
            let mut rng = Rng::new(chance);
            for &action in &certificate.plan {
                rules.apply(&mut state, action, &mut rng);
            }
            let won = matches!(rules.status(&state), Status::Over(over) if over.outcome(0) == Outcome::Win);
            assert!(won, "seed {seed}, chance {chance}\n{text}");
        }
    }
}

#[test]
fn a_harder_wish_gives_harder_caves() {
    let mean = |wish: f64| {
        let measured = (1..=12).map(|seed| {
            let text = Delirium::generate(&request(seed, Some(wish))).unwrap();
            certify(&Delirium::open(&text, "course").unwrap()).unwrap().difficulty()
        });
        measured.sum::<f64>() / 12.0
    };
    let (easy, hard) = (mean(1.0), mean(8.0));
    assert!(easy + 2.0 < hard, "easy caves measure {easy:.1}, hard ones {hard:.1}");
}

#[test]
fn a_size_that_cannot_be_is_refused() {
    let request = GenerateRequest {
        seed: 1,
        difficulty: None,
        size: Some((5, 400)),
        rules: "course",
        ..GenerateRequest::default()
    };
    assert_eq!(Delirium::generate(&request).unwrap_err(), "a cave has 10 to 128 columns and rows");
}

/// The one cave of the pack in which a monster has to be crushed first is beyond this search.
#[test]
fn the_caves_of_the_pack_are_certified() {
    for (name, text) in Delirium::INFO.packs[0].levels.iter().filter(|(name, _)| *name != "butterfly") {
        assert!(certify(&Delirium::open(text, "course").unwrap()).is_some(), "{name}");
    }
}
