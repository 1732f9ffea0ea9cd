//! Laws about scenes: they fit their board, and a piece keeps its id.

use damier_core::grid::Size;

use super::Profile;
use super::cases::{Case, Position};
use crate::kit::{Kit, StateOf};
use crate::scene::{Piece, Scene};

/// A move of one piece from a scene to the next.
pub struct Hop<'a, K: Kit> {
    /// The rules.
    pub game: &'a K::Game,
    /// The state before the action.
    pub before: &'a StateOf<K>,
    /// The state after it.
    pub after: &'a StateOf<K>,
    /// The piece before.
    pub from: Piece,
    /// The piece after.
    pub to: Piece,
    size: Size,
}

impl<K: Kit> Hop<'_, K> {
    /// Columns to the right and rows down.
    pub fn delta(&self) -> (i32, i32) {
        let difference = |from: u16, to: u16| i32::from(to) - i32::from(from);
        (difference(self.from.at.0, self.to.at.0), difference(self.from.at.1, self.to.at.1))
    }

    /// The larger of the distances in columns and in rows.
    pub fn cells(&self) -> i32 {
        let (dx, dy) = self.delta();
        dx.abs().max(dy.abs())
    }

    /// The same on a board that wraps around at its edges.
    pub fn cells_around(&self) -> i32 {
        let (dx, dy) = self.delta();
        let around = |distance: i32, length: u16| distance.abs().min(i32::from(length) - distance.abs());
        around(dx, self.size.width).max(around(dy, self.size.height))
    }
}

/// A scene has one tile per cell, and its pieces and walls are on the board.
pub fn scenes_fit_their_boards<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        watch(&case, |position, scene, _| {
            let size = scene.size;
            assert_eq!(scene.tiles.len(), size.area(), "{position}: one tile per cell");
            let cells =
                scene.pieces.iter().map(|piece| piece.at).chain(scene.walls.iter().map(|wall| wall.0));
            for (x, y) in cells {
                assert!(x < size.width && y < size.height, "{position}: ({x}, {y}) is outside of {size:?}");
            }
        });
    }
}

/// An id identifies one piece from scene to scene: it is unique in a scene, never reused for another piece, never replaced.
pub fn pieces_keep_their_ids<K: Kit>(profile: &Profile<K>) {
    for case in Case::<K>::all() {
        watch(&case, |position, scene, last| {
            for (index, piece) in scene.pieces.iter().enumerate() {
                let twin = scene.pieces[..index].iter().find(|other| other.id == piece.id);
                assert!(
                    twin.is_none(),
                    "{position}: two pieces have the id {}: {twin:?}, {piece:?}",
                    piece.id
                );
            }
            if let Some((state, before)) = last {
                compare_scenes(profile, position, (state, before), scene);
            }
        });
    }
}

fn compare_scenes<K: Kit>(
    profile: &Profile<K>,
    position: &Position<'_, K>,
    (before, old): (&StateOf<K>, &Scene),
    new: &Scene,
) {
    let find = |scene: &Scene, id: u32| scene.pieces.iter().find(|piece| piece.id == id).copied();
    let hop = |from: Piece, to: Piece| {
        let (game, after) = (&*position.case.game, position.state);
        (profile.may_hop)(&Hop { game, before, after, from, to, size: new.size })
    };
    for &piece in &new.pieces {
        if let Some(from) = find(old, piece.id) {
            let (was, is) = (from.sprite.name, piece.sprite.name);
            assert!(related(profile, was, is), "{position}: piece {} was a {was} and is a {is}", piece.id);
            let (a, b) = (from.at, piece.at);
            assert!(hop(from, piece), "{position}: piece {}, a {is}, is taken from {a:?} to {b:?}", piece.id);
        } else {
            let gone = old.pieces.iter().find(|gone| {
                find(new, gone.id).is_none()
                    && related(profile, gone.sprite.name, piece.sprite.name)
                    && hop(**gone, piece)
            });
            assert!(gone.is_none(), "{position}: {gone:?} got another id: {piece:?}");
        }
    }
}

/// May the same piece have both sprites at different times?
fn related<K: Kit>(profile: &Profile<K>, one: &str, other: &str) -> bool {
    one == other || profile.families.iter().any(|family| family.contains(&one) && family.contains(&other))
}

/// Plays random games and draws every position, together with the state and the scene before.
fn watch<K: Kit>(
    case: &Case<K>,
    mut see: impl FnMut(&Position<'_, K>, &Scene, Option<(&StateOf<K>, &Scene)>),
) {
    let game = &*case.game;
    let mut ids = Vec::new();
    let mut last: Option<(StateOf<K>, Scene)> = None;
    case.walk(|position| {
        if let (Some(&action), Some((before, _))) = (position.played.last(), &last) {
            K::follow_pieces(game, &mut ids, before, action, position.state);
        } else {
            (ids, last) = (K::piece_ids(game, position.state), None);
        }
        let scene = K::draw(game, position.state, &ids);
        see(position, &scene, last.as_ref().map(|(state, scene)| (state, scene)));
        last = Some((position.state.clone(), scene));
    });
}
