//! The course project's A*: its binary heap decides between equal ways, so it is kept as it is.

use super::sight::{STEPS, Sights};

/// What A* found out from one cell: to its target if there is a way, else about everything that can be reached.
pub struct Search {
    origin: u16,
    target: u16,
    parents: Vec<Option<u16>>,
    steps: Vec<u32>,
    /// Was the target reached?
    pub found: bool,
}

impl Search {
    /// Looks for a way over `open` cells; `ground` says where the runner is in the air.
    pub fn new(origin: u16, target: u16, open: &Sights, ground: &Sights) -> Self {
        let mut search = Self {
            origin,
            target,
            parents: vec![None; open.len()],
            steps: vec![u32::MAX; open.len()],
            found: false,
        };
        search.steps[usize::from(origin)] = 0;
        let mut heap = Heap::default();
        heap.put(origin, 0.0);
        while let Some(cell) = heap.take() {
            if cell == target {
                search.found = true;
                break;
            }
            let steps = search.steps[usize::from(cell)] + 1;
            for step in STEPS.into_iter().filter(|&step| open.allows(cell, step, ground)) {
                let to = open.after(cell, step);
                if steps < search.steps[usize::from(to)] {
                    search.steps[usize::from(to)] = steps;
                    search.parents[usize::from(to)] = Some(cell);
                    heap.put(to, steps as f32 + (open.distance_squared(to, target) as f32).sqrt());
                }
            }
        }
        search
    }

    /// The way to the target, the origin left out.
    pub fn way(&self) -> Vec<u16> {
        let mut way: Vec<u16> = std::iter::successors(Some(self.target), |&cell| self.parent(cell)).collect();
        way.pop();
        way.reverse();
        way
    }

    /// The first cell of the way to the dead end from which the target seems nearest: steps and whole cells of distance count.
    pub fn towards(&self, open: &Sights) -> Option<u16> {
        let mut is_end = vec![true; self.parents.len()];
        for &parent in self.parents.iter().flatten() {
            is_end[usize::from(parent)] = false;
        }
        let ends = (0..self.parents.len() as u16)
            .filter(|&cell| is_end[usize::from(cell)] && self.parent(cell).is_some());
        let first = |end: u16| {
            std::iter::successors(Some(end), |&cell| self.parent(cell).filter(|&cell| cell != self.origin))
                .last()
        };
        let rest = |end: u16| self.steps[usize::from(end)] + open.distance_squared(end, self.target).isqrt();
        ends.map(|end| (rest(end), first(end))).min().and_then(|(_, first)| first)
    }

    fn parent(&self, cell: u16) -> Option<u16> {
        self.parents[usize::from(cell)]
    }
}

/// A binary heap, least priority first.
#[derive(Default)]
struct Heap(Vec<(u16, f32)>);

impl Heap {
    /// Adds a cell, or lowers the priority of one that is there.
    fn put(&mut self, cell: u16, priority: f32) {
        let known = self.0.iter().position(|&(other, _)| other == cell);
        let mut index = known.unwrap_or(self.0.len());
        match known {
            Some(index) => self.0[index].1 = priority,
            None => self.0.push((cell, priority)),
        }
        while index > 0 && self.0[index].1 < self.0[(index - 1) / 2].1 {
            self.0.swap(index, (index - 1) / 2);
            index = (index - 1) / 2;
        }
    }

    fn take(&mut self) -> Option<u16> {
        let last = self.0.len().checked_sub(1)?;
        self.0.swap(0, last);
        let least = self.0.pop();
        let mut index = 0;
        loop {
            let children = [2 * index + 1, 2 * index + 2].into_iter().filter(|&child| child < self.0.len());
            let least = children
                .fold(index, |least, child| if self.0[child].1 < self.0[least].1 { child } else { least });
            if least == index {
                break;
            }
            self.0.swap(index, least);
            index = least;
        }
        least.map(|(cell, _)| cell)
    }
}
