//! A team that plans together: two ghosts hunt by the table of all pursuits, the others guard the potions.
//!
//! On mazes like the course's, two free ghosts catch Pacman once he has no potion, so the others only need to guard
//! potions. While a potion works, all stay close but out of reach.

use damier_core::grid::Dir;

use super::teams::View;
use crate::level::MAX_GHOSTS;
use crate::maze::{NOWHERE, Spot};

/// The number of ghosts that always hunt; the others guard potions while there are any.
const HUNTERS: usize = 2;

/// The distance to keep from Pacman while a potion works.
const OUT_OF_REACH: u16 = 4;

/// The step of the ghost to move; `None` to stay.
pub(crate) fn step(view: &View<'_>) -> Option<Dir> {
    let post = post(view);
    if view.figures.clock.is_some() {
        return wait_out(view, post);
    }
    match post {
        Some(potion) => view.towards(potion),
        None => hunt(view),
    }
}

/// The ghost's target, and its intention in words.
pub(crate) fn intention(view: &View<'_>) -> (Option<Spot>, &'static str) {
    match (post(view), view.figures.clock) {
        (Some(potion), None) => (Some(potion), "guards a potion"),
        (Some(potion), Some(_)) => (Some(potion), "keeps out of reach, near its potion"),
        (None, None) => (Some(view.figures.pacman), "hunts together with another ghost"),
        (None, Some(_)) => (None, "keeps out of reach until the potion wears off"),
    }
}

/// The potion that this ghost guards: the nearest one that no guard with a lower number takes.
fn post(view: &View<'_>) -> Option<Spot> {
    let mut taken = [NOWHERE; MAX_GHOSTS];
    for guard in HUNTERS..=view.number {
        let spot = view.figures.ghosts[guard].spot;
        let free = view.potions().filter(|potion| !taken.contains(potion));
        taken[guard] = free.min_by_key(|&potion| view.distances().between(spot, potion))?;
    }
    Some(taken[view.number]).filter(|&potion| potion != NOWHERE)
}

/// While a potion works: steps away from Pacman if he is near, else goes to the post, or as close to him as is safe.
fn wait_out(view: &View<'_>, post: Option<Spot>) -> Option<Dir> {
    let distance = view.to_pacman(view.spot());
    if distance <= OUT_OF_REACH {
        return view.away();
    }
    let step = view.towards(post.unwrap_or(view.figures.pacman))?;
    let next = view.maze.next(view.spot(), step);
    (view.to_pacman(next) > OUT_OF_REACH).then_some(step)
}

/// The step with which this ghost and the best partner catch Pacman soonest.
fn hunt(view: &View<'_>) -> Option<Dir> {
    let posts = view.potions().count();
    let is_hunter = |number: usize| number < HUNTERS || number >= HUNTERS + posts;
    let partners = (0..view.maze.ghosts().len()).filter(|&other| other != view.number && is_hunter(other));
    let best = partners.filter_map(|partner| best_step(view, partner)).min_by_key(|&(turns, _)| turns);
    best.map_or_else(|| view.towards(view.figures.pacman), |(_, step)| step)
}

/// The step with which this ghost and a partner catch Pacman soonest, and the number of turns. A partner with a higher
/// number has not moved yet in this turn.
fn best_step(view: &View<'_>, partner: usize) -> Option<(u16, Option<Dir>)> {
    let pursuit = view.maze.pursuit()?;
    let pacman = view.figures.pacman;
    let partner_at = view.figures.ghosts[partner].spot;
    let stay = std::iter::once((None, view.spot()));
    let own = stay.chain(view.steps().map(|(dir, next)| (Some(dir), next)));
    let value = |own: Spot| {
        if own == pacman {
            return Some(0);
        }
        if partner < view.number {
            return pursuit.caught_in(pacman, partner_at, own);
        }
        let answers = view.maze.neighbours(partner_at).map(|(_, next)| next).chain([partner_at]);
        answers
            .filter(|&answer| answer != own)
            .filter_map(|answer| pursuit.caught_in(pacman, own, answer))
            .min()
    };
    // Ties are broken by the distance to Pacman, so that the ghosts close in even where he could run for ever.
    own.map(|(step, next)| (value(next).map_or(u16::from(u8::MAX), u16::from), view.to_pacman(next), step))
        .min_by_key(|&(turns, distance, _)| (turns, distance))
        .map(|(turns, _, step)| (turns, step))
}
