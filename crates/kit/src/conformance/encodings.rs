//! Laws about encodings: masks, action numbers and planes.

use std::collections::HashMap;

use damier_core::encode::{Canvas, Encode};
use damier_core::game::{Game, Seat};
use damier_core::grid::Size;

use super::Profile;
use super::cases::{Case, Position};
use crate::kit::{ActionOf, Kit, StateOf};

/// The mask marks exactly the legal actions, and action numbers round-trip.
pub fn masks_mark_the_legal_actions<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all() {
        let game = &case.game;
        for number in 0..game.action_count() {
            let again = game.number(game.numbered(number));
            assert_eq!(again, Some(number), "{case}: action {number} has another number");
        }
        case.walk(|position| check_mask(position));
    }
}

/// In this position, the mask marks exactly the legal actions.
pub fn check_mask<K: Kit>(position: &Position<'_, K>) {
    let game = &position.case.game;
    let mut legal = vec![0; game.action_count()];
    for &action in position.legal {
        let name = game.action_name(action);
        let number = game.number(action).unwrap_or_else(|| panic!("{position}: `{name}` has no number"));
        assert_eq!(game.numbered(number), action, "{position}: number {number} is not `{name}`");
        legal[number] = 1;
    }
    // The previous content of the buffer must not matter.
    let mut mask = vec![7; game.action_count()];
    game.mask(position.state, &mut mask);
    assert_eq!(mask, legal, "{position}: the mask is not what is legal");
    for (number, &legal) in legal.iter().enumerate() {
        let allowed = game.allows(position.state, game.numbered(number));
        assert_eq!(allowed, legal == 1, "{position}: `allows` is wrong about action {number}");
    }
}

/// Planes updated action by action, by `update` or `advance`, equal planes written from scratch.
pub fn updated_planes_equal_written_ones<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all() {
        for seat in 0..case.game.facts().seats.len() {
            let mut updated: Option<(StateOf<K>, Planes)> = None;
            case.walk(|position| {
                let written = Planes::of(position, seat);
                let before = updated.take().filter(|_| !position.played.is_empty());
                if let Some((before, mut planes)) = before {
                    case.game.update(&before, position.state, seat, &mut planes.canvas());
                    planes.assert_equal(&written, position, "updated");
                }
                for &action in position.legal.iter().take(4) {
                    check_advance(position, action, seat, &written);
                }
                updated = Some((position.state.clone(), written));
            });
        }
    }
}

fn check_advance<K: Kit>(position: &Position<'_, K>, action: ActionOf<K>, seat: Seat, written: &Planes) {
    let game = &position.case.game;
    let (mut state, mut planes) = (position.state.clone(), written.clone());
    game.advance(&mut state, action, &mut position.chance.clone(), seat, &mut planes.canvas());
    assert!(state == position.after(action), "{position}: `advance` leads to another state");
    let after = Planes::written(game.as_ref(), &state, seat);
    planes.assert_equal(&after, position, "advanced");
}

/// Planes hide what observations hide: positions with equal observations have equal planes. No value exceeds its maximum.
pub fn planes_show_what_is_seen<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all() {
        for seat in 0..case.game.facts().seats.len() {
            let mut seen: HashMap<String, Planes> = HashMap::new();
            case.walk(|position| {
                for state in position.legal.iter().map(|&action| position.after(action)) {
                    let planes = Planes::written(case.game.as_ref(), &state, seat);
                    planes.assert_bounded(case.game.as_ref(), position);
                    if case.game.facts().perfect_information {
                        continue;
                    }
                    let looks = serde_json::to_string(&case.game.observe(&state, seat)).unwrap_or_default();
                    let alike = seen.entry(looks).or_insert_with(|| planes.clone());
                    planes.assert_equal(alike, position, "of a state that looks the same");
                }
            });
        }
    }
}

/// The planes of one position, on a canvas that is a little larger than the level.
#[derive(Clone)]
struct Planes {
    size: Size,
    bytes: Vec<u8>,
}

impl Planes {
    fn of<K: Kit>(position: &Position<'_, K>, seat: Seat) -> Self {
        Self::written(position.case.game.as_ref(), position.state, seat)
    }

    fn written<G: Encode>(game: &G, state: &G::State, seat: Seat) -> Self {
        let Size { width, height } = game.extent();
        let size = Size::new(width + 2, height + 1);
        // The previous content of the canvas must not matter.
        let mut planes = Self { size, bytes: vec![9; game.planes().len() * size.area()] };
        game.write(state, seat, &mut planes.canvas());
        planes
    }

    fn canvas(&mut self) -> Canvas<'_> {
        Canvas::new(&mut self.bytes, self.size)
    }

    fn assert_equal<K: Kit>(&self, other: &Self, position: &Position<'_, K>, how: &str) {
        let Some(index) = (0..self.bytes.len()).find(|&index| self.bytes[index] != other.bytes[index]) else {
            return;
        };
        let (plane, cell) = (index / self.size.area(), index % self.size.area());
        let width = usize::from(self.size.width);
        panic!(
            "{position}: planes {how} differ in `{}`, column {}, row {}: {} instead of {}",
            position.case.game.planes()[plane].name,
            cell % width,
            cell / width,
            self.bytes[index],
            other.bytes[index],
        );
    }

    fn assert_bounded<K: Kit>(&self, game: &K::Game, position: &Position<'_, K>) {
        for (plane, cells) in game.planes().iter().zip(self.bytes.chunks(self.size.area())) {
            let largest = cells.iter().max().copied().unwrap_or(0);
            assert!(largest <= plane.max, "{position}: `{}` holds {largest}", plane.name);
        }
    }
}
