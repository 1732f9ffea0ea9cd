//! Piece ids: numbers that stay with the miner and with each monster from scene to scene.
//!
//! A state lists its monsters in reading order, so a monster's place in that list changes as it walks and as others die. The
//! ids are kept beside the state and follow each monster by the step that it took, which its heading tells.

use damier_core::grid::Size;

use crate::rules::{Monster, Rules, State};

/// Where the next unused id is in the list of ids, the miner's, and those of the monsters in the state's order.
const NEXT: usize = 0;
const MINER: usize = 1;
const MONSTERS: usize = 2;

/// Numbers the pieces of a game's first state: the miner 0, the monsters from 1.
pub(crate) fn number(state: &State) -> Vec<u32> {
    let mut ids = vec![0];
    renumber(&mut ids, state);
    ids
}

/// The miner's id.
pub(crate) fn miner(ids: &[u32]) -> u32 {
    ids[MINER]
}

/// The monsters' ids, in the order of [`Rules::monsters`].
pub(crate) fn monsters(ids: &[u32]) -> &[u32] {
    &ids[MONSTERS..]
}

/// Updates the ids after an action. Ids of the dead are not used again; a new map has new pieces.
pub(crate) fn follow(rules: &Rules, ids: &mut Vec<u32>, before: &State, after: &State) {
    if before.stage() != after.stage() {
        return renumber(ids, after);
    }
    let old = ids.split_off(MONSTERS);
    let origins = origins(rules.size(after), &rules.monsters(before), &rules.monsters(after));
    for origin in origins {
        let id = origin.map_or(ids[NEXT], |index| old[index]);
        ids[NEXT] += u32::from(origin.is_none());
        ids.push(id);
    }
}

/// Gives every piece a new id.
fn renumber(ids: &mut Vec<u32>, state: &State) {
    let first = ids[NEXT];
    let next = first + 1 + state.monster_count() as u32;
    ids.clear();
    ids.push(next);
    ids.extend(first..next);
}

/// Which of the monsters before each monster after was, both in reading order.
///
/// A monster either stands where it stood or has stepped in the direction of its heading. Under `course` nobody enters a cell
/// that another one leaves in the same tick, so who stands on a monster's cell is that monster. Under `boulder` it may also
/// be the next one of a row that walks on: those are found from the head of the row, which entered an empty cell.
fn origins(size: Size, before: &[Monster], after: &[Monster]) -> Vec<Option<usize>> {
    let mut taken = vec![false; before.len()];
    let mut origins = vec![None; after.len()];
    let find = |taken: &[bool], cell, blue| {
        let index = before.binary_search_by_key(&cell, |monster| monster.cell).ok()?;
        (!taken[index] && before[index].blue == blue).then_some(index)
    };
    let mut waiting: Vec<usize> = (0..after.len()).collect();
    loop {
        let still_waiting = waiting.len();
        waiting.retain(|&number| {
            let Monster { cell, blue, heading } = after[number];
            if find(&taken, cell, blue).is_some() {
                return true;
            }
            let came_from = heading.and_then(|dir| size.step(cell, dir.opposite()));
            origins[number] = came_from.and_then(|cell| find(&taken, cell, blue));
            if let Some(index) = origins[number] {
                taken[index] = true;
            }
            false
        });
        if waiting.len() == still_waiting {
            break;
        }
    }
    for number in waiting {
        origins[number] = find(&taken, after[number].cell, after[number].blue);
    }
    origins
}
