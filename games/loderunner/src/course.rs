//! The rule set `course`: turns, as in the ENSSAT project. The agent is called once a round; enemies move every other round.

pub mod map;
pub mod tour;

use damier_core::random::{Chance, mix, zobrist};

use crate::action::Action;
use map::{Map, Tile};

/// No level has more enemies.
pub const MOST_ENEMIES: usize = 16;
/// A hole is open for ten rounds, and one can be dug each round.
const MOST_HOLES: usize = 10;
/// Rounds until a hole closes, the one in which it is dug included.
const HOLE_DELAY: u8 = 10;

/// Why an action is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Up needs a ladder.
    NoLadder,
    /// Down needs a ladder or a path below.
    NoWayDown,
    /// A wall or a floor is in the way.
    Blocked,
    /// Only floor can be dug.
    NoFloor,
    /// The cell above the hole must be a path.
    NoRoom,
}

impl Refusal {
    /// The rule, as a part of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoLadder => "the runner is not on a ladder",
            Self::NoWayDown => "below is neither a ladder nor a path",
            Self::Blocked => "a wall or a floor is in the way",
            Self::NoFloor => "the cell diagonally below is not floor",
            Self::NoRoom => "the cell above the hole is not a path",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// At the exit with every bonus.
    Won,
    /// An enemy got the runner.
    Caught,
    /// The runner fell into a hole of its own.
    InHole,
}

/// An enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enemy {
    /// Where it is.
    pub cell: u16,
    /// The code of its last action as agents see it; -1 at the start.
    pub seen: i8,
}

/// An open hole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hole {
    /// Where it is.
    pub cell: u16,
    /// Rounds until it closes.
    pub delay: u8,
}

/// What a round may leave to chance.
pub trait Fate {
    /// Where an enemy comes back whose hole has closed; nowhere if it stays where it was.
    fn respawn(&mut self, map: &Map, state: &State) -> Option<u16>;
}

/// Chance decides, evenly.
struct ByChance<'a, C: ?Sized>(&'a mut C);

impl<C: Chance + ?Sized> Fate for ByChance<'_, C> {
    fn respawn(&mut self, map: &Map, state: &State) -> Option<u16> {
        let count = state.respawns(map).count() as u32;
        if count == 0 { None } else { state.respawns(map).nth(self.0.below(count) as usize) }
    }
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The runner's cell.
    pub runner: u16,
    /// The code of the runner's last action; -1 at the start.
    pub seen: i8,
    /// Do the enemies move in the coming round?
    pub enemies_move: bool,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    hole_count: u8,
    enemy_count: u8,
    holes: [Hole; MOST_HOLES],
    /// The enemies' cells; those that do not play are in the corner of the frame, where nobody ever is.
    enemy_cells: [u16; MOST_ENEMIES],
    enemy_seen: [i8; MOST_ENEMIES],
    /// The bonuses that are left, a bit each.
    pub bonuses: u128,
}

impl State {
    /// The start on a map.
    pub fn new(map: &Map) -> Self {
        let mut enemy_cells = [0; MOST_ENEMIES];
        enemy_cells[..map.enemies().len()].copy_from_slice(map.enemies());
        Self {
            runner: map.runner(),
            seen: -1,
            enemies_move: true,
            ending: None,
            hole_count: 0,
            enemy_count: map.enemies().len() as u8,
            holes: [Hole::default(); MOST_HOLES],
            enemy_cells,
            enemy_seen: [-1; MOST_ENEMIES],
            bonuses: map.all_bonuses(),
        }
    }

    /// The start with the runner at a cell and without enemies.
    pub(crate) fn alone(map: &Map, runner: u16) -> Self {
        Self { runner, enemy_count: 0, enemy_cells: [0; MOST_ENEMIES], ..Self::new(map) }
    }

    /// The enemies, in the order in which they move.
    pub fn enemies(&self) -> impl ExactSizeIterator<Item = Enemy> + '_ {
        let seen = self.enemy_seen.iter();
        self.enemy_cells().iter().zip(seen).map(|(&cell, &seen)| Enemy { cell, seen })
    }

    /// The enemies' cells, in the order in which they move.
    pub fn enemy_cells(&self) -> &[u16] {
        &self.enemy_cells[..usize::from(self.enemy_count)]
    }

    /// The open holes, the newest first.
    pub fn holes(&self) -> &[Hole] {
        &self.holes[..usize::from(self.hole_count)]
    }

    #[inline]
    fn is_hole(&self, cell: u16) -> bool {
        self.holes().iter().any(|hole| hole.cell == cell)
    }

    /// Compares all cells at once rather than one by one, which is faster.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would compare one by one")]
    fn has_enemy(&self, cell: u16) -> bool {
        self.enemy_cells.iter().fold(false, |found, &enemy| found | (enemy == cell))
    }

    /// The state as it is shown: whether the enemies move in the coming round is not.
    pub fn shown(&self) -> Self {
        Self { enemies_move: true, ..*self }
    }

    /// The state with the phase that the last actions tell: all are -1 in the first round, in which the enemies move; if one
    /// differs from the runner's, they moved last round and not in this one; else they almost surely move now.
    pub fn with_phase_guessed(&self) -> Self {
        let moved = self.seen >= 0 && self.enemies().any(|enemy| enemy.seen != self.seen);
        Self { enemies_move: !moved, ..*self }
    }

    /// Did nobody move in the last round, so that the last actions do not tell whether the enemies move now?
    pub fn is_phase_in_doubt(&self) -> bool {
        self.seen == Action::None.code() && self.enemies().all(|enemy| enemy.seen == self.seen)
    }

    /// The state with the enemies moving if they did not, and not moving if they did.
    pub fn with_other_phase(&self) -> Self {
        Self { enemies_move: !self.enemies_move, ..*self }
    }

    /// A hash of what matters for the future: what agents are shown of the past does not.
    pub fn future_hash(&self) -> u64 {
        let mut hash = mix(u64::from(self.runner) | u64::from(self.enemies_move) << 16)
            ^ mix(self.bonuses as u64 ^ mix((self.bonuses >> 64) as u64));
        for &cell in self.enemy_cells() {
            hash = (hash ^ u64::from(cell)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        for hole in self.holes() {
            let word = u64::from(hole.cell) << 8 | u64::from(hole.delay);
            hash = (hash ^ word).wrapping_mul(0xD1B5_4A32_D192_ED03).rotate_left(31);
        }
        mix(hash)
    }

    /// Is this action legal? An illegal one is death in the course's game.
    #[inline]
    pub fn check(&self, map: &Map, action: Action) -> Result<(), Refusal> {
        if map.allows(self.runner, action) { Ok(()) } else { self.refusal(map, action).map_or(Ok(()), Err) }
    }

    /// Why an action is illegal, if it is.
    pub(crate) fn refusal(&self, map: &Map, action: Action) -> Option<Refusal> {
        let at = self.runner;
        let unless = |legal: bool, refusal| if legal { None } else { Some(refusal) };
        match action {
            Action::None => None,
            Action::Up => unless(map.tile(at) == Tile::Ladder, Refusal::NoLadder),
            Action::Down => {
                let below = map.tile(map.below(at));
                unless(matches!(below, Tile::Ladder | Tile::Path), Refusal::NoWayDown)
            }
            Action::Left => unless(self.is_passable(map, at - 1), Refusal::Blocked),
            Action::Right => unless(self.is_passable(map, at + 1), Refusal::Blocked),
            Action::BombLeft => bomb_refusal(map, at - 1),
            Action::BombRight => bomb_refusal(map, at + 1),
        }
    }

    fn is_passable(&self, map: &Map, cell: u16) -> bool {
        !map.is_closed(cell) || self.is_hole(cell)
    }

    /// One round with a legal action.
    pub fn round<C: Chance + ?Sized>(&mut self, map: &Map, action: Action, chance: &mut C) {
        self.round_with(map, action, &mut ByChance(chance));
    }

    /// One round with a legal action, where `fate` decides what the rules leave to chance.
    #[inline]
    pub fn round_with(&mut self, map: &Map, action: Action, fate: &mut impl Fate) {
        self.move_runner(map, action);
        self.seen = action.code();
        if self.ending.is_some() {
            return;
        }
        if self.bonuses == 0 && self.runner == map.exit() {
            self.ending = Some(Ending::Won);
            return;
        }
        if self.enemies_move {
            self.move_enemies(map);
        } else {
            self.enemy_seen[..usize::from(self.enemy_count)].fill(action.code());
        }
        self.enemies_move = !self.enemies_move;
        if self.hole_count > 0 {
            self.close_holes(map, fate);
        }
    }

    /// The runner's part of a round. What differs between steps is computed rather than branched on, for the branches are unpredictable.
    #[inline]
    pub(crate) fn move_runner(&mut self, map: &Map, action: Action) {
        match action {
            Action::BombLeft => return self.dig(map.below(self.runner - 1)),
            Action::BombRight => return self.dig(map.below(self.runner + 1)),
            _ => self.runner = map.after(self.runner, action),
        }
        if !matches!(action, Action::None | Action::Down) {
            self.collect(map);
        }
        self.land_if(map, !matches!(action, Action::None | Action::Up));
    }

    #[inline]
    fn collect(&mut self, map: &Map) {
        self.bonuses &= !map.bonus(self.runner);
    }

    /// Falls as far as there is nothing below; deadly in a hole or on an enemy.
    pub(crate) fn land(&mut self, map: &Map) {
        self.land_if(map, true);
    }

    /// Falls if the step was one after which one falls. Going up or staying is only deadly on an enemy.
    #[inline]
    fn land_if(&mut self, map: &Map, falls: bool) {
        while falls & self.falls_from(map, self.runner) {
            self.runner = map.below(self.runner);
            self.collect(map);
        }
        if self.has_enemy(self.runner) {
            self.ending = Some(Ending::Caught);
        } else if falls & self.is_hole(self.runner) {
            self.ending = Some(Ending::InHole);
        }
    }

    /// A runner or enemy hangs in the cell below a cable; elsewhere it falls if a path, a cable or an open hole is below.
    #[inline]
    fn falls_from(&self, map: &Map, cell: u16) -> bool {
        if map.drops(cell) {
            return true;
        }
        let below = map.below(cell);
        self.hole_count > 0 && self.is_hole(below) && !map.hangs(cell) && !self.has_enemy(below)
    }

    fn dig(&mut self, cell: u16) {
        self.holes.copy_within(..MOST_HOLES - 1, 1);
        self.holes[0] = Hole { cell, delay: HOLE_DELAY };
        self.hole_count += 1;
    }

    #[inline]
    fn move_enemies(&mut self, map: &Map) {
        let ways = map.ways_to(self.runner);
        for index in 0..usize::from(self.enemy_count) {
            let at = self.enemy_cells[index];
            let way = if self.is_hole(at) { Action::None } else { ways.from(at) };
            let to = map.after(at, way);
            // An enemy without a way is in its own way.
            if self.has_enemy(to) {
                self.enemy_seen[index] = Action::None.code();
                continue;
            }
            self.enemy_seen[index] = way.code();
            self.enemy_cells[index] = to;
            let fell_on_runner = way != Action::Up && self.drop_enemy(map, index);
            if to == self.runner || fell_on_runner {
                self.ending = Some(Ending::Caught);
                return;
            }
        }
    }

    /// Lets an enemy fall as far as it does; true if it falls on the runner.
    #[inline]
    fn drop_enemy(&mut self, map: &Map, index: usize) -> bool {
        let mut cell = self.enemy_cells[index];
        let mut touched = false;
        while !self.is_hole(cell) && self.falls_from(map, cell) {
            cell = map.below(cell);
            touched |= cell == self.runner;
        }
        self.enemy_cells[index] = cell;
        touched
    }

    fn close_holes(&mut self, map: &Map, fate: &mut impl Fate) {
        for hole in &mut self.holes[..usize::from(self.hole_count)] {
            hole.delay -= 1;
        }
        // The newest is first and has the longest delay, so those that close are at the end.
        while let Some(&Hole { cell, delay: 0 }) = self.holes().last() {
            self.hole_count -= 1;
            self.holes[usize::from(self.hole_count)] = Hole::default();
            if let Some(index) = self.enemy_cells().iter().position(|&enemy| enemy == cell)
                && let Some(back) = fate.respawn(map, self)
            {
                self.enemy_cells[index] = back;
            }
        }
    }

    /// The cells where an enemy may come back now.
    pub fn respawns<'a>(&'a self, map: &'a Map) -> impl Iterator<Item = u16> + 'a {
        map.respawns().iter().copied().filter(|&cell| {
            !self.has_enemy(cell)
                && self.bonuses & map.bonus(cell) == 0
                && cell.abs_diff(self.runner) > 1
                && !self.is_hole(map.below(cell))
        })
    }

    /// A hash of everything.
    pub fn hash(&self) -> u64 {
        let mut hash = zobrist(1, u64::from(self.runner))
            ^ zobrist(2, self.bonuses as u64)
            ^ zobrist(3, (self.bonuses >> 64) as u64)
            ^ zobrist(4, u64::from(self.enemies_move))
            ^ zobrist(5, self.seen as u64);
        for (index, enemy) in self.enemies().enumerate() {
            hash ^= zobrist(16 + index as u64, u64::from(enemy.cell) << 8 | u64::from(enemy.seen as u8));
        }
        for (index, hole) in self.holes().iter().enumerate() {
            hash ^= zobrist(64 + index as u64, u64::from(hole.cell) << 8 | u64::from(hole.delay));
        }
        hash
    }
}

fn bomb_refusal(map: &Map, beside: u16) -> Option<Refusal> {
    if map.tile(map.below(beside)) != Tile::Floor {
        return Some(Refusal::NoFloor);
    }
    (map.tile(beside) != Tile::Path).then_some(Refusal::NoRoom)
}
