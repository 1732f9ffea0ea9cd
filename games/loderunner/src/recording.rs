//! Recorded runs of classic levels: keys with the ticks at which they went down, and what chance gave.
//!
//! ```json
//! {"level":1,"ai":4,"ticks":495,"goldDrop":[22,30],"bornPos":[1,0],"keys":[[0,"R"],[3,"x"],[6,"L"]]}
//! ```
//!
//! A key is held until the next entry; a dig fires once. `goldDrop` are the carry counters in the order drawn, `bornPos` is 1
//! and the columns of row 1 where guards came back, or 2 and pairs of column and row.

use serde::Deserialize;

use crate::action::Action;
use crate::classic::board::{Board, Cell};
use crate::classic::{Fate, State, Version};

/// A run as it is written down.
#[derive(Clone, Debug, Deserialize)]
pub struct Recording {
    /// The number of the level, as its pack counts.
    #[serde(default)]
    pub level: u32,
    /// The version of the rules: 3 or 4.
    pub ai: u8,
    /// The tick on which it ended.
    pub ticks: u32,
    /// The carry counters in the order drawn.
    #[serde(default, rename = "goldDrop")]
    pub gold_drop: Vec<i8>,
    /// Where guards came back.
    #[serde(default, rename = "bornPos")]
    pub born_pos: Vec<u8>,
    /// Ticks and keys.
    pub keys: Vec<(u32, String)>,
}

/// What a recording says chance gave; a guess once it says nothing more.
struct Recorded {
    carries: std::vec::IntoIter<i8>,
    cells: std::vec::IntoIter<Cell>,
}

impl Fate for Recorded {
    fn carry(&mut self) -> i8 {
        self.carries.next().unwrap_or(25)
    }

    fn column(&mut self, bag: u64) -> u8 {
        bag.trailing_zeros() as u8
    }

    fn recorded_cell(&mut self) -> Option<Cell> {
        self.cells.next()
    }
}

impl Recording {
    /// Reads one line.
    pub fn parse(line: &str) -> Result<Self, String> {
        let recording: Self =
            serde_json::from_str(line).map_err(|error| format!("not a recording: {error}"))?;
        if let Some((tick, key)) = recording.keys.iter().find(|(_, key)| Action::parse(key).is_none()) {
            return Err(format!("at tick {tick}: `{key}` is not a key: L R U D, z and x dig, . stops"));
        }
        if ![3, 4].contains(&recording.ai) {
            return Err(format!("rule version {} is not known: 3 or 4", recording.ai));
        }
        if let Some(pair) = recording.keys.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            let (tick, key) = &pair[1];
            return Err(format!("at tick {tick}: `{key}` does not come after the key of tick {}", pair[0].0));
        }
        Ok(recording)
    }

    /// Plays it tick by tick on its board until the game is over or the recording has ended; `watch` gets every state. Fails
    /// if a guard comes back outside the board.
    pub fn play(&self, board: &Board, mut watch: impl FnMut(u32, &State)) -> Result<State, String> {
        self.check_cells(board)?;
        let version = if self.ai == 3 { Version::Three } else { Version::Four };
        let mut fate = self.fate();
        let mut keys = self.keys.iter().peekable();
        let mut held = Action::None;
        let mut state = State::new(board);
        watch(0, &state);
        for tick in 0..self.ticks {
            while let Some((_, key)) = keys.next_if(|(at, _)| *at <= tick) {
                held = Action::parse(key).unwrap_or(Action::None);
            }
            let looked = state.tick(board, version, held, &mut fate);
            if looked && held.digs() {
                held = Action::None;
            }
            watch(tick + 1, &state);
            if state.ending.is_some() {
                break;
            }
        }
        Ok(state)
    }

    /// The cells where guards came back.
    fn cells(&self) -> Vec<Cell> {
        match self.born_pos.split_first() {
            Some((2, pairs)) => pairs.chunks_exact(2).map(|pair| Cell { x: pair[0], y: pair[1] }).collect(),
            Some((_, columns)) => columns.iter().map(|&x| Cell { x, y: 1 }).collect(),
            None => Vec::new(),
        }
    }

    fn check_cells(&self, board: &Board) -> Result<(), String> {
        match self.cells().iter().find(|&&cell| !board.extent().contains(cell)) {
            Some(Cell { x, y }) => Err(format!("bornPos: ({x}, {y}) is not on the board")),
            None => Ok(()),
        }
    }

    fn fate(&self) -> Recorded {
        Recorded { carries: self.gold_drop.clone().into_iter(), cells: self.cells().into_iter() }
    }
}
