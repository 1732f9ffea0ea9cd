//! What the miner believes the world to be: a whole position, kept in step with what is seen of it.
//!
//! Each tick the picture is played on under the exact rules, through every way that chance can go, until one agrees with
//! the view. So headings of monsters, fuses of explosions and whatever left the view are remembered as the rules have it.
//! Cells never seen are imagined until they are: grass, and somewhere in it the exit and the diamonds still missing. So a
//! plan for the picture leads to where there is something left to see.

use std::sync::Arc;

use damier_core::grid::{Cell, Dir};
use damier_core::random::mix;

use crate::kind::Kind;
use crate::observe::Observation;
use crate::rules::{Action, Rules, State};
use crate::solve::exhaust::Stories;

/// The stories of one tick that are tried before the picture is drawn anew.
const MOST_STORIES: usize = 256;

/// The picture.
pub(super) struct Belief {
    rules: Arc<Rules>,
    state: State,
    /// Which cells have been seen on this map.
    seen: Vec<bool>,
}

impl Belief {
    /// The picture after the first look.
    pub(super) fn new(rules: &Arc<Rules>, view: &Observation, stage: usize) -> Self {
        let state = rules.start_of(stage);
        let area = rules.size(&state).area();
        let mut belief = Self { rules: Arc::clone(rules), state, seen: vec![false; area] };
        belief.note(view);
        belief.redraw(view, true);
        belief
    }

    /// The position believed in.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Is there something to go for that has been seen: a diamond, or the exit once it is open?
    pub(super) fn knows_a_goal(&self) -> bool {
        let goal = if self.state.is_open() { Kind::Exit } else { Kind::Diamond };
        self.rules.kinds(&self.state).iter().zip(&self.seen).any(|(&kind, &seen)| seen && kind == goal)
    }

    /// Takes up what is seen after an action: did all go as the rules have it?
    pub(super) fn update(&mut self, action: Action, view: &Observation) -> bool {
        let before = self.state.clone();
        let mut stories = Stories::default();
        for _ in 0..MOST_STORIES {
            let mut next = before.clone();
            self.rules.apply_out_of_line(&mut next, action, &mut stories);
            if next.stage() != before.stage() {
                *self = Self::new(&self.rules, view, next.stage());
                return false;
            }
            let agrees = Observation::of(&self.rules, &next) == *view;
            self.state = next;
            if agrees {
                self.note(view);
                return true;
            }
            if !stories.advance() {
                break;
            }
        }
        self.note(view);
        self.redraw(view, false);
        false
    }

    fn note(&mut self, view: &Observation) {
        let width = self.rules.size(&self.state).width;
        for (index, _) in view.cells.iter().enumerate() {
            let (x, y) = (index as u16 % view.size, index as u16 / view.size);
            self.seen[usize::from((view.top + y) * width + view.left + x)] = true;
        }
    }

    /// Draws what is seen into the picture; the rest stays as it was believed, or is grass if nothing is known of it.
    fn redraw(&mut self, view: &Observation, forget: bool) {
        let size = self.rules.size(&self.state);
        let old = self.rules.monsters(&self.state);
        let mut kinds = self.rules.kinds(&self.state);
        let believed = kinds.clone();
        if forget {
            kinds.fill(Kind::Dirt);
        }
        for kind in kinds.iter_mut().filter(|kind| **kind == Kind::Miner) {
            *kind = Kind::Empty;
        }
        for (index, &code) in view.cells.iter().enumerate() {
            let (x, y) = (index as u16 % view.size, index as u16 / view.size);
            let cell = size.cell(view.left + x, view.top + y);
            kinds[cell.index()] = kind_of(code, believed[cell.index()]);
        }
        self.imagine(&mut kinds, view.missing);
        let heading = |cell: Cell| {
            let same = old.iter().find(|monster| monster.cell == cell).and_then(|monster| monster.heading);
            let came = |&dir: &Dir| {
                let from = size.step(cell, dir.opposite());
                old.iter().any(|monster| Some(monster.cell) == from)
            };
            same.or_else(|| Dir::ALL.into_iter().find(came))
        };
        self.state = self.rules.redraw(&self.state, &kinds, heading);
        self.state.set_counters(view.tick, view.missing, view.gathered, view.view);
    }

    /// Fills the cells never seen: grass, the exit if it is not known yet, and the diamonds that are missing. A cell that
    /// stays unseen keeps what is imagined there.
    fn imagine(&self, kinds: &mut [Kind], missing: u16) {
        let size = self.rules.size(&self.state);
        let inner = |cell: &Cell| {
            let (x, y) = size.xy(*cell);
            (1..size.width - 1).contains(&x) && (1..size.height - 1).contains(&y)
        };
        let mut unseen: Vec<Cell> = size.cells().filter(|cell| !self.seen[cell.index()]).collect();
        for cell in &unseen {
            // What lies beyond the edge is nobody's to enter.
            kinds[cell.index()] = if inner(cell) { Kind::Dirt } else { Kind::Border };
        }
        unseen.retain(inner);
        unseen.sort_unstable_by_key(|cell| mix(u64::from(cell.0)));
        let count = |kinds: &[Kind], kind| kinds.iter().filter(|&&it| it == kind).count();
        let mut places = unseen.into_iter();
        if count(kinds, Kind::Exit) == 0
            && let Some(cell) = places.next()
        {
            kinds[cell.index()] = Kind::Exit;
        }
        let known = count(kinds, Kind::Diamond) + 9 * count(kinds, Kind::Blue);
        for cell in places.take(usize::from(missing).saturating_sub(known)) {
            kinds[cell.index()] = Kind::Diamond;
        }
    }
}

/// What a code means where something was believed to be: an explosion is seen as a border.
fn kind_of(code: u8, believed: Kind) -> Kind {
    if believed.code() == code {
        return believed;
    }
    let of_code = |kind: &&Kind| kind.code() == code;
    Kind::ALL.iter().find(of_code).copied().unwrap_or(Kind::Border)
}
