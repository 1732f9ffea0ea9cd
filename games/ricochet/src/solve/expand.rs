//! Expansion of whole groups of positions.

use damier_core::grid::{Cell, Dir};
use damier_kit::cancel::Deadline;

use super::bits::Bits;
use super::bounds::{Bounds, Sets};
use super::helpers::{self, Helpers, Key};
use super::last::{Last, Trace, Turn};
use super::rays::Rays;
use super::table::Group;
use crate::rules::Course;

/// The number of groups between two checks of the clock.
const CLOCK_GROUPS: usize = 256;

/// The robots and the target of a search.
#[derive(Clone, Debug)]
pub struct Task<const H: usize> {
    /// The slide table of the active robot.
    pub active_table: usize,
    /// The start of the active robot.
    pub active: Cell,
    /// Its course; [`Course::Turned`] unless it must ricochet.
    pub course: Course,
    /// The starts of the helpers.
    pub helpers: Helpers<H>,
    /// The slide table of each helper.
    pub helper_tables: [usize; H],
    /// The cell to stop on.
    pub target: Cell,
    /// Whether all helpers slide the same way, so that they are interchangeable.
    pub alike: bool,
}

/// A move in the search: the cell of the robot that moves, and the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The cell of the robot that moves.
    pub from: Cell,
    /// The direction.
    pub dir: Dir,
}

/// The result of expanding a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expanded {
    /// This step of the active robot reaches the target.
    Reached(Step),
    /// All its children are within the bound.
    Finished,
    /// Some of its children are, or may be, beyond the bound.
    Unfinished,
}

/// The wanted children of a group.
#[derive(Clone, Copy)]
struct Wanted<'a, const W: usize, const H: usize> {
    /// Children that are within the bound.
    within: Sets<'a, W, H>,
    /// The same with one more remaining move: the most that a helper's move can gain.
    before: Sets<'a, W, H>,
    /// Children that were within the previous bound. They are known if the group is expanded again.
    known: Sets<'a, W, H>,
}

/// A group that is expanded.
struct Parent<'a, const W: usize, const H: usize> {
    group: &'a Group<W>,
    helpers: Helpers<H>,
    /// The cells of the helpers.
    occupied: Bits<W>,
    trace: Trace<W>,
}

/// A helper that moves.
struct Mover<'a, const W: usize, const H: usize> {
    parent: &'a Parent<'a, W, H>,
    index: usize,
    turn: Turn,
    /// The cells that the rough bounds allow with the other helpers.
    without: Bits<W>,
}

/// The result of expanding a chunk of groups.
#[derive(Default)]
pub struct Batch<const W: usize> {
    /// The wanted children.
    pub children: Vec<Group<W>>,
    /// The groups with children beyond the bound.
    pub unfinished: Vec<u32>,
    /// The group from which a step reaches the target.
    pub reached: Option<(u32, Step)>,
}

/// Expands groups.
pub struct Expander<'a, const W: usize, const H: usize> {
    /// The slides.
    pub rays: &'a Rays<'a, W>,
    /// The robots.
    pub task: Task<H>,
    /// The lower bounds.
    pub bounds: Bounds<W, H>,
}

impl<const W: usize, const H: usize> Expander<'_, W, H> {
    /// Expands the groups of a chunk with `left` remaining moves after it. Of groups that were expanded under the previous bound
    /// only children beyond it are wanted. A chunk is left unfinished at the deadline.
    pub fn expand_all(
        &self,
        groups: &[Group<W>],
        chunk: &[u32],
        again: bool,
        left: usize,
        deadline: &Deadline,
        batch: &mut Batch<W>,
    ) {
        batch.children.clear();
        batch.unfinished.clear();
        batch.reached = None;
        let wanted = Wanted {
            within: self.bounds.sets(left),
            before: self.bounds.sets(left + 1),
            known: self.bounds.sets(left.saturating_sub(1)),
        };
        let last = self.bounds.is_last(left);
        for (number, &index) in chunk.iter().enumerate() {
            if number % CLOCK_GROUPS == CLOCK_GROUPS - 1 && deadline.passed() {
                return;
            }
            let group = &groups[index as usize];
            let expanded = if again {
                self.expand::<true>(group, &wanted, &mut batch.children)
            } else {
                self.expand::<false>(group, &wanted, &mut batch.children)
            };
            match expanded {
                Expanded::Reached(step) => {
                    batch.reached = Some((index, step));
                    return;
                }
                Expanded::Unfinished if !last => batch.unfinished.push(index),
                Expanded::Unfinished | Expanded::Finished => {}
            }
        }
    }

    /// Makes every move from every position of a group and appends the wanted children. The first time a group almost always
    /// has children beyond the bound, so it is not checked.
    #[inline]
    fn expand<const AGAIN: bool>(
        &self,
        group: &Group<W>,
        wanted: &Wanted<'_, W, H>,
        children: &mut Vec<Group<W>>,
    ) -> Expanded {
        let helpers: Helpers<H> = helpers::unpack(group.key);
        // Read from tables: setting single bits in memory would stall.
        let occupied = helpers
            .iter()
            .zip(self.task.helper_tables)
            .fold(Bits::NONE, |all, (&cell, table)| all | self.rays.fan(table, cell).from);
        let parent = Parent { group, helpers, occupied, trace: Trace::new(self.rays, group.last) };
        let active = self.move_active::<AGAIN>(&parent, wanted, children);
        if matches!(active, Expanded::Reached(_)) {
            return active;
        }
        let finished = self.move_helpers::<AGAIN>(&parent, wanted, children);
        if AGAIN && finished { active } else { Expanded::Unfinished }
    }

    /// The cell where the active robot stops, and its course then; `None` if it does not move.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "a step of the innermost loop; a call costs as much as the slide"
    )]
    pub fn slide_active(
        &self,
        course: Course,
        from: Cell,
        dir: Dir,
        occupied: &Bits<W>,
    ) -> Option<(Cell, Course)> {
        let stop = self.rays.stop(self.task.active_table, from, dir, occupied);
        if stop == from {
            return None;
        }
        if course == Course::Turned {
            return Some((stop, course));
        }
        let path = self.rays.slides().path_in(self.task.active_table, from, dir);
        let turned = path.free(|cell| occupied.contains(cell)) > path.straight;
        Some((stop, course.after(dir, turned)))
    }

    /// Every step from one position, with the arrangement and the cell of the active robot after it.
    pub fn steps(&self, key: Key, active: Cell) -> Vec<(Step, Key, Cell)> {
        let helpers: Helpers<H> = helpers::unpack(key);
        let course = helpers::course(key);
        let mut occupied: Bits<W> = helpers.iter().copied().collect();
        let mut steps = Vec::with_capacity(4 * (H + 1));
        for dir in Dir::ALL {
            if let Some((stop, after)) = self.slide_active(course, active, dir, &occupied) {
                let key = helpers::pack(helpers, self.task.alike, after);
                steps.push((Step { from: active, dir }, key, stop));
            }
        }
        occupied.insert(active);
        for (index, &from) in helpers.iter().enumerate() {
            let mut others = occupied;
            others.remove(from);
            for dir in Dir::ALL {
                let mut moved = helpers;
                moved[index] = self.rays.stop(self.task.helper_tables[index], from, dir, &others);
                if moved[index] != from {
                    steps.push((Step { from, dir }, helpers::pack(moved, self.task.alike, course), active));
                }
            }
        }
        steps
    }

    /// The cell where the robot of a step stops.
    pub fn landing(&self, key: Key, active: Cell, step: Step) -> Cell {
        let helpers: Helpers<H> = helpers::unpack(key);
        let mut others: Bits<W> = helpers.iter().copied().chain([active]).collect();
        others.remove(step.from);
        let helper = helpers.iter().position(|&cell| cell == step.from);
        let table = helper.map_or(self.task.active_table, |helper| self.task.helper_tables[helper]);
        self.rays.stop(table, step.from, step.dir, &others)
    }

    #[inline]
    fn move_active<const AGAIN: bool>(
        &self,
        parent: &Parent<'_, W, H>,
        wanted: &Wanted<'_, W, H>,
        children: &mut Vec<Group<W>>,
    ) -> Expanded {
        let Parent { group, helpers, occupied, trace } = parent;
        let within = wanted.within.allowed(helpers);
        let new = if AGAIN { within.without(wanted.known.allowed(helpers)) } else { within };
        if new.is_empty() {
            return Expanded::Unfinished;
        }
        let course = helpers::course(group.key);
        let mut stops = Bits::NONE;
        let mut all = Bits::NONE;
        for from in group.cells.iter() {
            let fan = self.rays.fan(self.task.active_table, from);
            let blocked = fan.cells.meets(occupied);
            if !trace.meets(fan, blocked) {
                continue;
            }
            if course == Course::Turned && !blocked && !fan.ends.contains(self.task.target) {
                all |= fan.ends;
                stops |= fan.ends;
                continue;
            }
            for dir in Dir::ALL {
                let Some((stop, after)) = self.slide_active(course, from, dir, occupied) else { continue };
                if stop == self.task.target && after == Course::Turned {
                    return Expanded::Reached(Step { from, dir });
                }
                all.insert(stop);
                if after == course {
                    stops.insert(stop);
                } else if new.contains(stop) {
                    let key = helpers::pack(*helpers, self.task.alike, after);
                    children.push(Group { key, cells: Bits::one(stop), last: None });
                }
            }
        }
        let stops = stops & new;
        if !stops.is_empty() {
            children.push(Group { key: group.key, cells: stops, last: None });
        }
        if AGAIN && all.without(within).is_empty() { Expanded::Finished } else { Expanded::Unfinished }
    }

    /// Moves every helper in every direction; returns whether all children are within the bound.
    #[inline]
    fn move_helpers<const AGAIN: bool>(
        &self,
        parent: &Parent<'_, W, H>,
        wanted: &Wanted<'_, W, H>,
        children: &mut Vec<Group<W>>,
    ) -> bool {
        let Parent { group, helpers, occupied, trace } = parent;
        let mut finished = true;
        let without_each = wanted.within.without_each(helpers);
        // Positions that the other helpers allowed under the previous bound were found then.
        let known_each = if AGAIN && wanted.known.are_rough() {
            wanted.known.without_each(helpers)
        } else {
            [Bits::NONE; H]
        };
        for (index, &from) in helpers.iter().enumerate() {
            let without = without_each[index];
            let cells = group.cells & (without | wanted.before.helped(index, from));
            if trace.is_after(from) {
                let fan = self.rays.fan(self.task.helper_tables[index], from);
                let others = occupied.without(fan.from);
                if !trace.meets(fan, fan.cells.meets(&(others | cells))) {
                    continue;
                }
            }
            finished &= cells == group.cells;
            let cells = if AGAIN { cells.without(known_each[index]) } else { cells };
            if !cells.is_empty() {
                let mover = Mover { parent, index, turn: trace.turn(from), without };
                finished &= self.move_helper::<AGAIN>(&mover, cells, wanted, children);
            }
        }
        finished
    }

    /// Moves a helper in every direction; returns whether all children are within the bound.
    #[inline]
    fn move_helper<const AGAIN: bool>(
        &self,
        mover: &Mover<'_, W, H>,
        actives: Bits<W>,
        wanted: &Wanted<'_, W, H>,
        children: &mut Vec<Group<W>>,
    ) -> bool {
        let mut finished = true;
        let (table, from) = (self.task.helper_tables[mover.index], mover.parent.helpers[mover.index]);
        let fan = self.rays.fan(table, from);
        let others = mover.parent.occupied.without(fan.from);
        if fan.cells.meets(&actives) {
            for dir in Dir::ALL {
                let mut emit = |stop: Cell, actives: Bits<W>| {
                    finished &= self.add_child::<AGAIN>(mover, wanted, (dir, stop), actives, children);
                };
                self.slide_helper(table, Step { from, dir }, &others, actives, &mut emit);
            }
            return finished;
        }
        let stops = if fan.cells.meets(&others) {
            Dir::ALL.map(|dir| self.rays.stop(table, from, dir, &others))
        } else {
            fan.stops
        };
        // Mostly no slide is useful, which one check of all of them together shows.
        let helped =
            stops.iter().fold(mover.without, |all, &stop| all | wanted.within.helped(mover.index, stop));
        if !actives.meets(&helped) {
            return false;
        }
        for (dir, stop) in Dir::ALL.into_iter().zip(stops).filter(|&(_, stop)| stop != from) {
            finished &= self.add_child::<AGAIN>(mover, wanted, (dir, stop), actives, children);
        }
        finished
    }

    /// Appends the child with the helper on `stop` if it is wanted; returns whether it is within the bound.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "a step of the innermost loop; with a call the search takes 5 % longer"
    )]
    fn add_child<const AGAIN: bool>(
        &self,
        mover: &Mover<'_, W, H>,
        wanted: &Wanted<'_, W, H>,
        (dir, stop): (Dir, Cell),
        actives: Bits<W>,
        children: &mut Vec<Group<W>>,
    ) -> bool {
        let Parent { group, helpers, trace, .. } = mover.parent;
        let from = helpers[mover.index];
        let cells = &self.rays.ray(self.task.helper_tables[mover.index], from, dir).cells;
        if !trace.wants(mover.turn, dir, cells, stop) {
            return true;
        }
        let mut moved = *helpers;
        moved[mover.index] = stop;
        let mut new = wanted.within.filter(actives, mover.without, &moved, mover.index);
        let finished = new == actives;
        if new.is_empty() {
            return finished;
        }
        if AGAIN {
            // Cells that the rough bounds allow with the other helpers are removed already.
            let known = &wanted.known;
            let known =
                if known.are_rough() { known.helped(mover.index, stop) } else { known.allowed(&moved) };
            new = new.without(known);
        }
        if !new.is_empty() {
            let key = helpers::pack(moved, self.task.alike, helpers::course(group.key));
            let last = self.rays.are_straight().then_some(Last { from, to: stop, dir });
            children.push(Group { key, cells: new, last });
        }
        finished
    }

    /// Slides a helper. If the active robot is in its path it stops earlier: `emit` gets every stop, with the cells of the
    /// active robot that lead to it.
    #[inline]
    fn slide_helper(
        &self,
        table: usize,
        Step { from, dir }: Step,
        others: &Bits<W>,
        actives: Bits<W>,
        emit: &mut impl FnMut(Cell, Bits<W>),
    ) {
        let ray = self.rays.ray(table, from, dir);
        if ray.stop == from {
            return;
        }
        if !ray.cells.meets(&(*others | actives)) {
            emit(ray.stop, actives);
            return;
        }
        let mut beside = actives;
        let mut stop = from;
        for &cell in self.rays.slides().path_in(table, from, dir).cells {
            if others.contains(cell) {
                break;
            }
            if beside.contains(cell) {
                beside.remove(cell);
                if stop != from {
                    emit(stop, Bits::one(cell));
                }
            }
            stop = cell;
        }
        if stop != from && !beside.is_empty() {
            emit(stop, beside);
        }
    }
}
