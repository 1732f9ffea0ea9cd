//! The course project's A*, with its ties and its appetite for memory.
//!
//! The open list is sorted anew after every expansion by a quicksort that turns equal entries round. A cell is closed when it
//! is expanded, but entries of it that are open already stay and are expanded again.

use std::collections::{BTreeMap, VecDeque};

use super::map::Codes;

/// The list cells that the program can write in one decision: it copies its open list, with every path in it, at each
/// expansion and frees none. In recorded games decisions with up to 0.4 million were taken in 512 MB; those from 10 million
/// on ended the program.
const STACK: usize = 5_000_000;

/// The stack of one decision.
#[derive(Default)]
pub struct Stack {
    cells: usize,
}

impl Stack {
    fn push(&mut self, cells: usize) -> Result<(), OutOfMemory> {
        self.cells += cells;
        if self.cells > STACK { Err(OutOfMemory) } else { Ok(()) }
    }
}

/// The program ran out of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

struct Entry {
    cell: usize,
    steps: u32,
    parent: Option<usize>,
}

/// Open entries by their estimated length, the next one first.
#[derive(Default)]
struct Open {
    lengths: BTreeMap<u32, VecDeque<usize>>,
    /// Equal entries are read from the back.
    turned: bool,
}

impl Open {
    /// Puts an entry before all others of its length.
    fn put(&mut self, length: u32, entry: usize) {
        let equals = self.lengths.entry(length).or_default();
        if self.turned { equals.push_back(entry) } else { equals.push_front(entry) }
    }

    fn take(&mut self) -> Option<usize> {
        let mut first = self.lengths.first_entry()?;
        let entry = if self.turned { first.get_mut().pop_back() } else { first.get_mut().pop_front() };
        if first.get().is_empty() {
            first.remove();
        }
        entry
    }

    fn sort(&mut self) {
        self.turned = !self.turned;
    }
}

/// The way to a goal, both ends included; nothing if there is none.
pub fn find(
    map: &Codes,
    from: usize,
    goal: usize,
    stack: &mut Stack,
) -> Result<Option<Vec<usize>>, OutOfMemory> {
    let mut entries = vec![Entry { cell: from, steps: 0, parent: None }];
    let mut closed = vec![false; map.len()];
    let mut open = Open::default();
    // The cells of all paths in the open list.
    let mut size = 1;
    open.put(0, 0);
    while let Some(index) = open.take() {
        let Entry { cell, steps, .. } = entries[index];
        if cell == goal {
            let parent = |&index: &usize| entries[index].parent;
            let mut way: Vec<usize> =
                std::iter::successors(Some(index), parent).map(|index| entries[index].cell).collect();
            way.reverse();
            return Ok(Some(way));
        }
        size -= steps as usize + 1;
        closed[cell] = true;
        for to in map.around(cell).into_iter().filter(|&to| !closed[to] && !map.is_obstacle(to)) {
            open.put(steps + 1 + map.distance(to, goal), entries.len());
            entries.push(Entry { cell: to, steps: steps + 1, parent: Some(index) });
            size += steps as usize + 2;
        }
        open.sort();
        stack.push(size)?;
    }
    Ok(None)
}
