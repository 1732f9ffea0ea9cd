//! Elo ratings with confidence intervals.
//!
//! Ratings are maximum-likelihood estimates of the Bradley-Terry model (a draw counts as half a win). Their mean is 0.
//!
//! Two estimates of the standard error are made: from the curvature of the likelihood, which assumes independent games, and from
//! the scatter between groups of games with the same level and seed, which does not. The larger one counts.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

/// Result between two agents on a level with a seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duel {
    /// First agent.
    pub first: usize,
    /// Second agent.
    pub second: usize,
    /// Score of the first: 1, ½ or 0.
    pub score: f64,
    /// Level and seed: results of the same group may be correlated.
    pub group: (usize, u64),
}

/// An agent's Elo rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rating {
    /// Elo; 0 is the mean of all agents that met, directly or through others.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval.
    pub margin: f64,
    /// An agent won or lost every game, so its rating would be infinite; one extra draw per pair keeps it finite.
    pub damped: bool,
}

/// Elo points per natural-logarithm unit.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviations on each side of the mean that hold 95 % of a normal distribution.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Expected score against an opponent whose rating is lower by `difference`.
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference / POINTS).exp())
}

/// Ratings of all agents; `None` for those without a duel.
pub fn ratings(agents: usize, duels: &[Duel]) -> Vec<Option<Rating>> {
    let mut ratings = vec![None; agents];
    for members in connected(agents, duels) {
        let place: BTreeMap<usize, usize> =
            members.iter().enumerate().map(|(place, &agent)| (agent, place)).collect();
        let own: Vec<Duel> = duels
            .iter()
            .filter(|duel| place.contains_key(&duel.first))
            .map(|duel| Duel { first: place[&duel.first], second: place[&duel.second], ..*duel })
            .collect();
        for (agent, rating) in members.iter().zip(rate(members.len(), &own)) {
            ratings[*agent] = Some(rating);
        }
    }
    ratings
}

/// Rates agents that all met, directly or through others.
fn rate(agents: usize, duels: &[Duel]) -> Vec<Rating> {
    let damped = !has_finite_ratings(agents, duels);
    let mut counted = duels.to_vec();
    if damped {
        let pairs: BTreeSet<(usize, usize)> =
            duels.iter().map(|duel| (duel.first.min(duel.second), duel.first.max(duel.second))).collect();
        counted.extend(pairs.into_iter().enumerate().map(|(index, (first, second))| Duel {
            first,
            second,
            score: 0.5,
            group: (usize::MAX, index as u64),
        }));
    }
    let strengths = most_likely(agents, &counted);
    let covariance = pseudo_inverse(&information(agents, &counted, &strengths));
    let scattered = scatter_variance(&counted, &strengths, &covariance);
    (0..agents)
        .map(|agent| Rating {
            elo: strengths[agent] * POINTS,
            margin: TWO_SIDED_95 * POINTS * covariance[agent][agent].max(scattered[agent]).max(0.0).sqrt(),
            damped,
        })
        .collect()
}

/// Maximum-likelihood strengths by Newton's method, with a maximum step length.
fn most_likely(agents: usize, duels: &[Duel]) -> Vec<f64> {
    const LONGEST_STEP: f64 = 2.0;
    let mut strengths = vec![0.0; agents];
    for _ in 0..200 {
        let mut slope = vec![0.0; agents];
        for duel in duels {
            let surplus = duel.score - chance(&strengths, duel);
            slope[duel.first] += surplus;
            slope[duel.second] -= surplus;
        }
        let step = apply(&pseudo_inverse(&information(agents, duels, &strengths)), &slope);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        let scale = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
        for (strength, part) in strengths.iter_mut().zip(&step) {
            *strength += scale * part;
        }
        if longest < 1e-12 {
            break;
        }
    }
    strengths
}

fn chance(strengths: &[f64], duel: &Duel) -> f64 {
    1.0 / (1.0 + (strengths[duel.second] - strengths[duel.first]).exp())
}

type Matrix = Vec<Vec<f64>>;

/// Fisher information of the strengths.
fn information(agents: usize, duels: &[Duel], strengths: &[f64]) -> Matrix {
    let mut matrix = vec![vec![0.0; agents]; agents];
    for duel in duels {
        let chance = chance(strengths, duel);
        let weight = chance * (1.0 - chance);
        matrix[duel.first][duel.first] += weight;
        matrix[duel.second][duel.second] += weight;
        matrix[duel.first][duel.second] -= weight;
        matrix[duel.second][duel.first] -= weight;
    }
    matrix
}

/// Pseudo-inverse of a matrix whose rows sum to 0: ratings have no absolute height.
fn pseudo_inverse(matrix: &Matrix) -> Matrix {
    let size = matrix.len();
    // Adding 1 to every entry makes the matrix regular; its effect on the constant vector is subtracted at the end.
    let mut left: Matrix = matrix.iter().map(|row| row.iter().map(|value| value + 1.0).collect()).collect();
    let mut right: Matrix =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for column in 0..size {
        let largest = (column..size).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()));
        let pivot = largest.expect("there is at least this row");
        left.swap(column, pivot);
        right.swap(column, pivot);
        let divisor = left[column][column];
        for other in 0..size {
            left[column][other] /= divisor;
            right[column][other] /= divisor;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = left[row][column];
            for other in 0..size {
                left[row][other] -= factor * left[column][other];
                right[row][other] -= factor * right[column][other];
            }
        }
    }
    let constant = 1.0 / (size * size) as f64;
    right.iter_mut().flatten().for_each(|value| *value -= constant);
    right
}

fn apply(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// Cluster-robust variance of each rating: from the scatter between groups of duels.
fn scatter_variance(duels: &[Duel], strengths: &[f64], covariance: &Matrix) -> Vec<f64> {
    let mut groups: BTreeMap<(usize, u64), Vec<f64>> = BTreeMap::new();
    for duel in duels {
        let surplus = duel.score - chance(strengths, duel);
        let slope = groups.entry(duel.group).or_insert_with(|| vec![0.0; strengths.len()]);
        slope[duel.first] += surplus;
        slope[duel.second] -= surplus;
    }
    let count = groups.len() as f64;
    let mut variance = vec![0.0; strengths.len()];
    if groups.len() > 1 {
        for slope in groups.values() {
            for (sum, shift) in variance.iter_mut().zip(apply(covariance, slope)) {
                *sum += shift * shift * count / (count - 1.0);
            }
        }
    }
    variance
}

/// Connected components: agents that met, directly or through others.
fn connected(agents: usize, duels: &[Duel]) -> Vec<Vec<usize>> {
    let mut met = vec![false; agents];
    let mut links = vec![Vec::new(); agents];
    for duel in duels {
        links[duel.first].push(duel.second);
        links[duel.second].push(duel.first);
        met[duel.first] = true;
        met[duel.second] = true;
    }
    let mut groups = Vec::new();
    let mut placed = vec![false; agents];
    for agent in (0..agents).filter(|&agent| met[agent]) {
        if !placed[agent] {
            let members = reached(&links, agent);
            for &member in &members {
                placed[member] = true;
            }
            groups.push(members);
        }
    }
    groups
}

/// Does the likelihood have a finite maximum? Only if no agent or group won or lost everything against the rest.
fn has_finite_ratings(agents: usize, duels: &[Duel]) -> bool {
    let mut gave = vec![Vec::new(); agents];
    let mut took = vec![Vec::new(); agents];
    for duel in duels {
        for (winner, loser, score) in
            [(duel.first, duel.second, duel.score), (duel.second, duel.first, 1.0 - duel.score)]
        {
            if score > 0.0 {
                took[winner].push(loser);
                gave[loser].push(winner);
            }
        }
    }
    reached(&took, 0).len() == agents && reached(&gave, 0).len() == agents
}

/// Agents reachable from `start`, in ascending order.
fn reached(links: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(agent) = open.pop() {
        open.extend(links[agent].iter().copied().filter(|&next| seen.insert(next)));
    }
    seen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duels(first: usize, second: usize, scores: &[(f64, usize)]) -> Vec<Duel> {
        let all = scores.iter().flat_map(|&(score, count)| std::iter::repeat_n(score, count));
        all.enumerate().map(|(level, score)| Duel { first, second, score, group: (level, 0) }).collect()
    }

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value} instead of {expected}");
    }

    #[test]
    fn two_agents_differ_as_the_formula_says() {
        // 60 of 100 points: 400 log10(60/40) = 70.44.
        let rated = ratings(2, &duels(0, 1, &[(1.0, 60), (0.0, 40)]));
        let (a, b) = (rated[0].unwrap(), rated[1].unwrap());
        close(a.elo - b.elo, 70.436_504, 1e-5);
        close(a.elo + b.elo, 0.0, 1e-9);
        assert!(!a.damped);
        // The score's standard error is sqrt(0.24/99), scaled by 400/(ln 10 · 0.24) to Elo.
        close(a.margin + b.margin, 1.959_964 * (0.24_f64 / 99.0).sqrt() * 173.717_793 / 0.24, 1e-3);
    }

    #[test]
    fn draws_are_half_a_win_and_do_not_widen_the_margin() {
        let rated = ratings(2, &duels(0, 1, &[(1.0, 30), (0.5, 60), (0.0, 10)]));
        close(rated[0].unwrap().elo * 2.0, 70.436_504, 1e-5);
        let without = ratings(2, &duels(0, 1, &[(1.0, 60), (0.0, 40)]));
        assert!(rated[0].unwrap().margin <= without[0].unwrap().margin);
    }

    #[test]
    fn true_strengths_are_found_again() {
        let truth: [f64; 4] = [220.0, 35.0, -85.0, -170.0];
        let mut all = Vec::new();
        for first in 0..4 {
            for second in first + 1..4 {
                let score = expected_score(truth[first] - truth[second]);
                all.extend((0..10).map(|seed| Duel { first, second, score, group: (0, seed) }));
            }
        }
        for (rating, truth) in ratings(4, &all).iter().zip(truth) {
            close(rating.unwrap().elo, truth, 1e-6);
        }
    }

    #[test]
    fn a_clean_sweep_has_a_finite_rating_that_says_so() {
        let rated = ratings(2, &duels(0, 1, &[(1.0, 10)]));
        let (a, b) = (rated[0].unwrap(), rated[1].unwrap());
        assert!(a.damped && b.damped);
        // With one more drawn game: 10.5 of 11.
        close(a.elo - b.elo, 400.0 * (10.5_f64 / 0.5).log10(), 1e-5);
        assert!(a.margin.is_finite() && a.margin > 100.0);
    }

    #[test]
    fn who_did_not_play_is_not_rated_and_separate_groups_have_their_own_zero() {
        let mut all = duels(0, 1, &[(1.0, 3), (0.0, 1)]);
        all.extend(duels(3, 4, &[(1.0, 1), (0.0, 1)]));
        let rated = ratings(5, &all);
        assert!(rated[2].is_none());
        close(rated[0].unwrap().elo + rated[1].unwrap().elo, 0.0, 1e-9);
        close(rated[3].unwrap().elo, 0.0, 1e-9);
        assert!(ratings(3, &[]).iter().all(Option::is_none));
    }

    #[test]
    fn results_that_hang_together_count_once() {
        let apart = duels(0, 1, &[(1.0, 30), (0.0, 20)]);
        let together: Vec<Duel> =
            apart.iter().map(|duel| Duel { group: (duel.group.0 / 5, 0), ..*duel }).collect();
        let margin = |duels: &[Duel]| ratings(2, duels)[0].unwrap().margin;
        assert!(margin(&together) > 2.0 * margin(&apart));
    }

    #[test]
    fn a_strength_of_nobody_is_no_surprise() {
        close(expected_score(0.0), 0.5, 1e-12);
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
    }
}
