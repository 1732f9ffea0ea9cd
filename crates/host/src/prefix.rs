//! Prefixes: actions that are played before anybody decides, such as openings and positions to solve.

use anyhow::{Result, anyhow, bail, ensure};
use damier_core::game::{Seat, Status};
use damier_kit::replay::Replay;
use damier_kit::table::Table;

/// Actions from the start of a game to the position in which it begins to count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    actions: Vec<String>,
    /// Are actions that are no turns among them? If not, the agents of those seats play them.
    complete: bool,
    /// It ends after this turn, if it is that long.
    turn: Option<u32>,
}

impl Prefix {
    /// The actions of all turns, by name and separated by commas.
    ///
    /// ```
    /// use damier_host::Prefix;
    ///
    /// assert_eq!(Prefix::parse("left, left,up").unwrap().len(), 3);
    /// assert!(Prefix::parse("left,,up").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let actions: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        ensure!(
            actions.iter().all(|name| !name.is_empty()),
            "a prefix is a list of actions separated by commas, or a replay: `{text}` has an empty action"
        );
        Ok(Self { actions, complete: false, turn: None })
    }

    /// The actions of a replay up to the end of a turn; up to its last action without one.
    pub fn of_replay(replay: &Replay, turn: Option<u32>) -> Self {
        let actions = replay.moves.iter().map(|step| step.action.clone()).collect();
        Self { actions, complete: true, turn }
    }

    /// Number of its actions.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Does the game begin at its start?
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Plays it. `others` plays an action that is no turn for the seat to move; `played` hears of every action. The game must not
    /// be over afterwards.
    pub fn play(
        &self,
        table: &mut dyn Table,
        others: &mut dyn FnMut(&mut dyn Table, Seat) -> Result<()>,
        played: &mut dyn FnMut(&dyn Table, Seat),
    ) -> Result<()> {
        for (index, action) in self.actions.iter().enumerate() {
            if self.turn == Some(table.turns()) && table.between_turns() {
                return Ok(());
            }
            let seat = self.seat_of_next(table, others, played)?;
            table.act(action).map_err(|illegal| anyhow!("action {} of the prefix: {illegal}", index + 1))?;
            played(table, seat);
        }
        if let Some(turn) = self.turn {
            ensure!(table.turns() == turn, "the replay has {} turns, not {turn}", table.turns());
        }
        match table.status() {
            Status::Over(over) if !self.is_empty() => {
                bail!("the game is over after the prefix: {}", over.reason)
            }
            _ => Ok(()),
        }
    }

    /// The seat that takes the next action, after those whose actions are not part of the prefix.
    fn seat_of_next(
        &self,
        table: &mut dyn Table,
        others: &mut dyn FnMut(&mut dyn Table, Seat) -> Result<()>,
        played: &mut dyn FnMut(&dyn Table, Seat),
    ) -> Result<Seat> {
        loop {
            match table.status() {
                Status::Over(over) => {
                    bail!("the game is over after {} turns of the prefix: {}", table.turns(), over.reason)
                }
                Status::ToMove(seat) if self.complete || table.between_turns() => return Ok(seat),
                Status::ToMove(seat) => {
                    others(table, seat)?;
                    played(table, seat);
                }
            }
        }
    }
}
