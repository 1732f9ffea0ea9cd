//! Piece ids: each stays with one creature for the whole game.

#[path = "common/levels.rs"]
mod levels;

use std::collections::BTreeMap;

use damier_core::game::Status;
use damier_core::random::{Chance, Rng};
use damier_delirium::Delirium;
use damier_kit::{AnyGame, Table};
use levels::random_level;

/// A drawn creature: what it looks like, and where.
type Drawn = (&'static str, (u16, u16));

fn drawn(table: &dyn Table) -> BTreeMap<u32, Drawn> {
    let scene = table.draw();
    let pieces: BTreeMap<u32, Drawn> =
        scene.pieces.iter().map(|piece| (piece.id, (piece.sprite.name, piece.at))).collect();
    assert_eq!(pieces.len(), scene.pieces.len(), "no two pieces share an id");
    pieces
}

fn map_label(table: &dyn Table) -> Option<String> {
    table.draw().labels.into_iter().find(|(name, _)| *name == "map").map(|(_, text)| text)
}

/// A monster keeps its colour; the miner changes only by dying.
fn is_same_creature(before: &str, after: &str) -> bool {
    before == after || (before, after) == ("miner", "dead")
}

/// Compares a scene with the one before: whoever has the same id is one step away at most, and looks the same.
fn assert_followed(before: &BTreeMap<u32, Drawn>, after: &BTreeMap<u32, Drawn>, what: &str) {
    for (id, (name, (x, y))) in after {
        let (old_name, (old_x, old_y)) = before[id];
        assert!(is_same_creature(old_name, name), "{what}: {old_name} {id} became {name}");
        let steps = x.abs_diff(old_x) + y.abs_diff(old_y);
        assert!(steps <= 1, "{what}: {name} {id} went {steps} cells");
    }
}

#[test]
fn ids_follow_every_creature_of_random_games() {
    let mut rng = Rng::new(11);
    let (mut deaths, mut steps) = (0, 0);
    for number in 0..400 {
        let set = ["course", "boulder"][number % 2];
        let text = random_level(&mut rng, (20, 14)).print("damier").unwrap();
        let mut table = Delirium.open(&text, set).unwrap().table(number as u64, 0);
        let mut before = drawn(table.as_ref());
        for tick in 0..120 {
            if matches!(table.status(), Status::Over(_)) {
                break;
            }
            let legal = table.legal();
            table.act(&legal[rng.below(legal.len() as u32) as usize]).unwrap();
            let after = drawn(table.as_ref());
            assert_followed(&before, &after, &format!("game {number}, tick {tick}\n{text}"));
            deaths += before.len() - after.len();
            steps += after.iter().filter(|(id, piece)| before[id].1 != piece.1).count();
            before = after;
        }
    }
    assert!(deaths > 100 && steps > 1_000, "only {deaths} deaths and {steps} steps were followed");
}

/// The second of two monsters that walk in single file enters the cell that the first one leaves.
#[test]
fn single_file_keeps_its_order() {
    let mut table =
        Delirium.open("########\n#___RR##\n########\n#PX....#\n########\n", "boulder").unwrap().table(1, 0);
    table.act("stay").unwrap();
    let pieces = drawn(table.as_ref());
    assert_eq!([pieces[&1].1, pieces[&2].1], [(3, 1), (4, 1)]);
}

#[test]
fn the_next_map_has_new_pieces() {
    let map = "; need: 0\n######\n#PX__#\n#w_R_#\n######\n";
    let mut table = Delirium.open(&format!("{map}; next\n{map}"), "course").unwrap().table(1, 0);
    let before = drawn(table.as_ref());
    assert_eq!(map_label(table.as_ref()).as_deref(), Some("1 of 2"));
    table.act("right").unwrap();
    assert_eq!(map_label(table.as_ref()).as_deref(), Some("2 of 2"));
    assert!(drawn(table.as_ref()).keys().all(|id| !before.contains_key(id)), "ids are never used again");
}
