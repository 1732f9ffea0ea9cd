//! Sequential probability ratio test (SPRT): is the second agent better than the first? It stops as soon as the answer is clear.
//!
//! Two hypotheses are compared: the second agent is stronger by `elo0`, or by `elo1`. After each pair of games (both sides of a
//! level and seed; in games for one, one comparison on a level and seed) the log-likelihood ratio is compared with two bounds. A
//! pair's result has one of five values (pentanomial model), so both sides of an unbalanced level cancel out.

use crate::ratings::expected_score;

/// Hypotheses and error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Not better: stronger by at most this, in Elo.
    pub elo0: f64,
    /// Better: stronger by at least this, in Elo.
    pub elo1: f64,
    /// False-positive rate: probability of accepting it when it is not better.
    pub alpha: f64,
    /// False-negative rate: probability of rejecting it when it is better.
    pub beta: f64,
}

/// Verdict of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Better.
    Better,
    /// Not better.
    NotBetter,
    /// More pairs are needed.
    Open,
}

impl Sprt {
    /// Checks the parameters.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, String> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err("elo0 must be below elo1".into());
        }
        if [alpha, beta].iter().any(|chance| !(*chance > 0.0 && *chance < 0.5)) {
            return Err("alpha and beta must be between 0 and 0.5".into());
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// Bounds of the log-likelihood ratio: below the first reject, above the second accept.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    fn ratio_of_counts(&self, counts: &[(f64, f64)]) -> f64 {
        let total: f64 = counts.iter().map(|(_, count)| count).sum();
        let seen: Vec<(f64, f64)> = counts.iter().map(|&(value, count)| (value, count / total)).collect();
        let not_better = most_likely_with_mean(&seen, expected_score(self.elo0));
        let better = most_likely_with_mean(&seen, expected_score(self.elo1));
        let terms = seen.iter().zip(not_better.iter().zip(&better));
        total * terms.map(|((_, share), (low, high))| share * (high / low).ln()).sum::<f64>()
    }
}

/// A running test.
#[derive(Clone, Debug)]
pub struct Trial {
    sprt: Sprt,
    /// Number of pairs in which the second agent scored 0, ¼, ½, ¾ or all of the points.
    counts: [u32; 5],
}

impl Trial {
    /// A test without results.
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, counts: [0; 5] }
    }

    /// The hypotheses.
    pub fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// Adds the second agent's score in a pair, between 0 and 1.
    pub fn add(&mut self, score: f64) {
        let quarters = (4.0 * score).round().clamp(0.0, 4.0) as usize;
        self.counts[quarters] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Log-likelihood ratio.
    pub fn log_likelihood_ratio(&self) -> f64 {
        /// Pseudo-count of values not seen yet, so that no likelihood is zero.
        const NEVER_SEEN: f64 = 1e-3;
        if self.pairs() == 0 {
            return 0.0;
        }
        let counted = self.counts.iter().enumerate();
        let counts: Vec<(f64, f64)> = counted
            .map(|(quarter, &count)| (quarter as f64 / 4.0, f64::from(count).max(NEVER_SEEN)))
            .collect();
        self.sprt.ratio_of_counts(&counts)
    }

    /// Verdict so far.
    pub fn verdict(&self) -> Verdict {
        let ratio = self.log_likelihood_ratio();
        let (low, high) = self.sprt.bounds();
        if ratio >= high {
            Verdict::Better
        } else if ratio <= low {
            Verdict::NotBetter
        } else {
            Verdict::Open
        }
    }
}

/// Maximum-likelihood distribution over these values with this mean.
fn most_likely_with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    // Each share becomes share / (1 + x (value - mean)). The sum of share (value - mean) / (1 + x (value - mean)) decreases in
    // x; its root is found by bisection.
    let largest = seen.iter().map(|(value, _)| value - mean).fold(f64::MIN, f64::max);
    let smallest = seen.iter().map(|(value, _)| value - mean).fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let sum: f64 =
            seen.iter().map(|(value, share)| share * (value - mean) / (1.0 + middle * (value - mean))).sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    seen.iter().map(|(value, share)| share / (1.0 + x * (value - mean))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value} instead of {expected}");
    }

    fn ratio(elo0: f64, elo1: f64, counts: &[f64]) -> f64 {
        let step = 1.0 / (counts.len() - 1) as f64;
        let counts: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(index, &count)| (index as f64 * step, count)).collect();
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().ratio_of_counts(&counts)
    }

    /// Figures that testers of chess engines compare their programs by.
    #[test]
    fn known_ratios_are_met() {
        close(ratio(0.5, 2.5, &[21184.0, 40708.0, 21404.0]), -1.57, 0.01);
        close(ratio(0.0, 2.0, &[57030.0, 106_593.0, 57433.0]), -2.59, 0.01);
        close(ratio(0.5, 2.5, &[223.0, 9863.0, 21279.0, 10037.0, 246.0]), -3.07, 0.01);
        close(ratio(0.0, 2.0, &[871.0, 26175.0, 55983.0, 26678.0, 821.0]), -4.98, 0.01);
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap().bounds();
        close(low, -2.944_439, 1e-6);
        close(high, 2.944_439, 1e-6);
        let (low, high) = Sprt::new(0.0, 10.0, 0.01, 0.1).unwrap().bounds();
        close(low, -2.292_535, 1e-6);
        close(high, 4.499_810, 1e-6);
    }

    fn verdict(sprt: Sprt, scores: &[f64]) -> Verdict {
        let mut trial = Trial::new(sprt);
        for &score in scores {
            trial.add(score);
        }
        trial.verdict()
    }

    #[test]
    fn the_test_stops_on_both_sides() {
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
        assert_eq!(verdict(sprt, &[]), Verdict::Open);
        assert_eq!(verdict(sprt, &[1.0, 0.5]), Verdict::Open);
        assert_eq!(verdict(sprt, &[[1.0, 0.75, 0.5]; 40].concat()), Verdict::Better);
        assert_eq!(verdict(sprt, &[[0.0, 0.25, 0.5]; 40].concat()), Verdict::NotBetter);
        assert_eq!(verdict(sprt, &[1.0; 200]), Verdict::Better);
        assert_eq!(verdict(sprt, &[0.0; 200]), Verdict::NotBetter);
    }

    /// Pairs of a fair coin: the test calls it better about as rarely as it promises.
    #[test]
    fn errors_are_as_rare_as_promised() {
        use damier_core::random::{Chance, Rng};
        let mut wrong = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut trial = Trial::new(Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap());
            while trial.verdict() == Verdict::Open {
                trial.add(f64::from(rng.below(2) + rng.below(2)) / 2.0);
            }
            wrong += u32::from(trial.verdict() == Verdict::Better);
        }
        assert!((3..=24).contains(&wrong), "{wrong} of 300");
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.05, 0.6).is_err());
        assert!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05).is_err());
    }
}
