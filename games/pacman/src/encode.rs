//! Encoding for learners: actions, masks and planes.

use damier_core::Game;
use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::Seat;
use damier_core::grid::{Dir, Size};
use damier_core::random::Chance;

use crate::level::Tile;
use crate::maze::{NOWHERE, Spot};
use crate::rules::{Action, Figures, POTION_TURNS, RuleSet, Rules, State};

/// Pacman's actions come first; only ghosts can stay, under the rule set `report`.
const ACTIONS: [Action; 6] = [
    Action::Go(Dir::North),
    Action::Go(Dir::East),
    Action::Go(Dir::South),
    Action::Go(Dir::West),
    Action::Wait,
    Action::Stay,
];

/// The planes of `report`; `course` lacks the last one. A facing is 1 for north, 2 for east, 3 for south, 4 for west.
const PLANES: [Plane; 10] = [
    Plane::marks("wall"),
    Plane::marks("pellet"),
    Plane::marks("potion"),
    Plane::values("pacman", 4),
    Plane::values("ghost 1", 4),
    Plane::values("ghost 2", 4),
    Plane::values("ghost 3", 4),
    Plane::values("ghost 4", 4),
    Plane::values("potion clock", POTION_TURNS + 1),
    Plane::marks("ghost to move"),
];
const WALL: usize = 0;
const PELLET: usize = 1;
const POTION: usize = 2;
const PACMAN: usize = 3;
const GHOSTS: usize = 4;
const CLOCK: usize = 8;
const TO_MOVE: usize = 9;

impl Rules {
    #[inline]
    fn put(&self, canvas: &mut Canvas<'_>, plane: usize, spot: Spot, value: u8) {
        if spot != NOWHERE {
            let place = self.maze().place(spot);
            canvas.put(plane, place.x.into(), place.y.into(), value);
        }
    }

    fn put_ghost_to_move(&self, figures: &Figures, canvas: &mut Canvas<'_>, value: u8) {
        if let Some(ghost) = figures.ghost_to_move {
            self.put(canvas, TO_MOVE, figures.ghosts[usize::from(ghost)].spot, value);
        }
    }

    #[inline]
    fn update_figures(&self, before: &Figures, after: &Figures, canvas: &mut Canvas<'_>) {
        if before.pellets_left != after.pellets_left {
            let plane = if self.maze().place(after.pacman).potion { POTION } else { PELLET };
            self.put(canvas, plane, after.pacman, 0);
        }
        self.put(canvas, PACMAN, before.pacman, 0);
        self.put(canvas, PACMAN, after.pacman, facing(after.dir));
        for (number, (old, new)) in before.ghosts.iter().zip(&after.ghosts).enumerate() {
            self.put(canvas, GHOSTS + number, old.spot, 0);
            self.put(canvas, GHOSTS + number, new.spot, facing(new.dir));
        }
        if before.clock != after.clock {
            canvas.fill(CLOCK, clock(after));
        }
        if self.set() == RuleSet::Report {
            self.put_ghost_to_move(before, canvas, 0);
            self.put_ghost_to_move(after, canvas, 1);
        }
    }
}

#[inline]
fn facing(dir: Dir) -> u8 {
    1 + dir as u8
}

/// The value of the potion clock plane: 0 without a potion, else one more than the turns left.
#[inline]
fn clock(figures: &Figures) -> u8 {
    figures.clock.map_or(0, |clock| clock + 1)
}

impl Encode for Rules {
    #[inline]
    fn action_count(&self) -> usize {
        match self.set() {
            RuleSet::Course => 5,
            RuleSet::Report => 6,
        }
    }

    #[inline]
    fn numbered(&self, number: usize) -> Action {
        ACTIONS[number]
    }

    fn number(&self, action: Action) -> Option<usize> {
        ACTIONS[..self.action_count()].iter().position(|&other| other == action)
    }

    #[inline]
    fn allows(&self, state: &State, action: Action) -> bool {
        let figures = &state.figures;
        match (figures.ending, figures.ghost_to_move, action) {
            (Some(_), _, _) => false,
            (None, None, action) => matches!(action, Action::Go(_) | Action::Wait),
            (None, Some(ghost), Action::Go(dir)) => self.ghost_may_step(figures, ghost.into(), dir),
            (None, Some(_), action) => action == Action::Stay,
        }
    }

    #[inline]
    fn mask(&self, state: &State, mask: &mut [u8]) {
        let figures = &state.figures;
        if figures.ending.is_none() && figures.ghost_to_move.is_none() {
            // All of Pacman's actions are always legal.
            mask.fill(1);
            mask[5..].fill(0);
            return;
        }
        for (byte, &action) in mask.iter_mut().zip(&ACTIONS) {
            *byte = u8::from(self.allows(state, action));
        }
    }

    fn planes(&self) -> &'static [Plane] {
        match self.set() {
            RuleSet::Course => &PLANES[..TO_MOVE],
            RuleSet::Report => &PLANES,
        }
    }

    fn extent(&self) -> Size {
        self.maze().size()
    }

    fn write(&self, state: &State, _: Seat, canvas: &mut Canvas<'_>) {
        let (maze, figures) = (self.maze(), &state.figures);
        let size = maze.size();
        canvas.clear();
        canvas.fill_outside(WALL, size, 1);
        for cell in size.cells().filter(|&cell| maze.level().tile(cell) == Tile::Wall) {
            let (x, y) = size.xy(cell);
            canvas.put(WALL, x, y, 1);
        }
        for spot in (0..maze.floor() as Spot).filter(|&spot| state.has_pellet(spot)) {
            self.put(canvas, if maze.place(spot).potion { POTION } else { PELLET }, spot, 1);
        }
        self.put(canvas, PACMAN, figures.pacman, facing(figures.dir));
        for (number, ghost) in figures.ghosts.iter().enumerate() {
            self.put(canvas, GHOSTS + number, ghost.spot, facing(ghost.dir));
        }
        canvas.fill(CLOCK, clock(figures));
        if self.set() == RuleSet::Report {
            self.put_ghost_to_move(figures, canvas, 1);
        }
    }

    fn update(&self, before: &State, after: &State, _: Seat, canvas: &mut Canvas<'_>) {
        self.update_figures(&before.figures, &after.figures, canvas);
    }

    #[inline]
    fn advance<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: Action,
        chance: &mut C,
        _: Seat,
        canvas: &mut Canvas<'_>,
    ) {
        // Only the figures are copied: they are an eighth of a state, and pellets change only under Pacman.
        let before = state.figures;
        self.apply(state, action, chance);
        self.update_figures(&before, &state.figures, canvas);
    }
}
