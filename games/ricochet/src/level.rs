//! Levels: boards with robots and a mission, in all formats.
//!
//! The parser detects the format: [`json`] starts with `{`, [`course`] contains a `jeu_1robot(…)` query, [`cases`] contains facts
//! `case(…)`, and everything else is a [`drawn`] board.

pub mod cases;
pub mod course;
pub mod drawn;
pub mod json;

use damier_core::grid::Cell;
use damier_core::level::LevelError;
use thiserror::Error;

use crate::board::Board;
use crate::robot::Robot;

/// A checked board with robots and one mission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    id: Option<String>,
    board: Board,
    robots: Vec<(Robot, Cell)>,
    target: Cell,
    target_robot: Option<Robot>,
    must_ricochet: bool,
    panels: Option<Panels>,
    notes: Vec<String>,
}

/// The name of a mission in a course whose solvers contain the walls themselves (see [`json`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// The upper side of each panel: north-west, north-east, south-west, south-east.
    pub sides: [u8; 4],
    /// The target's number.
    pub number: u8,
}

/// Why a mission is invalid, in any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages explain them")]
pub enum Flaw {
    #[error("there is no robot on the board")]
    NoRobot,
    #[error("the {} robot stands in a closed cell, which nothing can enter or leave", .0.name())]
    RobotInClosedCell(Robot),
    #[error("the {} robot stands on the {} robot", .0.name(), .1.name())]
    RobotOnRobot(Robot, Robot),
    #[error("the target is in a closed cell, which nothing can enter or leave")]
    TargetInClosedCell,
    #[error("the mission is for the {} robot, which is not on the board", .0.name())]
    TargetRobotMissing(Robot),
}

impl Level {
    /// Checks a mission. All cells must be on the board; without a target robot any robot may reach the target.
    pub fn new(
        board: Board,
        mut robots: Vec<(Robot, Cell)>,
        target: Cell,
        target_robot: Option<Robot>,
    ) -> Result<Self, Flaw> {
        robots.sort_unstable();
        for (index, &(robot, cell)) in robots.iter().enumerate() {
            if board.is_closed(cell) {
                return Err(Flaw::RobotInClosedCell(robot));
            }
            if let Some(&(other, _)) = robots[..index].iter().find(|&&(_, taken)| taken == cell) {
                return Err(Flaw::RobotOnRobot(robot, other));
            }
        }
        if robots.is_empty() {
            return Err(Flaw::NoRobot);
        }
        if board.is_closed(target) {
            return Err(Flaw::TargetInClosedCell);
        }
        if let Some(missing) = target_robot.filter(|&wanted| robots.iter().all(|&(robot, _)| robot != wanted))
        {
            return Err(Flaw::TargetRobotMissing(missing));
        }
        Ok(Self {
            id: None,
            board,
            robots,
            target,
            target_robot,
            must_ricochet: false,
            panels: None,
            notes: Vec::new(),
        })
    }

    /// Reads a level in any format.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        if text.trim_start().starts_with('{') {
            json::parse(text)
        } else if text.contains(course::QUERY) {
            course::parse(text)
        } else if cases::is_case_file(text) {
            cases::parse(text)
        } else {
            drawn::parse(text)
        }
    }

    /// The level with this name.
    pub fn with_id(self, id: Option<String>) -> Self {
        Self { id, ..self }
    }

    /// The level with or without the rule that the active robot must turn before it reaches the target.
    pub fn with_must_ricochet(self, must_ricochet: bool) -> Self {
        Self { must_ricochet, ..self }
    }

    /// The level with the course's numbers for it.
    pub fn with_panels(self, panels: Option<Panels>) -> Self {
        Self { panels, ..self }
    }

    /// The course's numbers for it, if it has them.
    pub const fn panels(&self) -> Option<Panels> {
        self.panels
    }

    /// The level with notes of the parser.
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Notes of the parser, such as walls on which two cells disagree.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Its name, if it has one.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The robots on the board with their starting cells, in the order of [`Robot::ALL`].
    pub fn robots(&self) -> impl Iterator<Item = (Robot, Cell)> + Clone + '_ {
        self.robots.iter().copied()
    }

    /// The cell to stop on.
    pub const fn target(&self) -> Cell {
        self.target
    }

    /// The robot that must stop there; `None` for any robot.
    pub const fn target_robot(&self) -> Option<Robot> {
        self.target_robot
    }

    /// Whether the active robot must turn before it reaches the target.
    pub const fn must_ricochet(&self) -> bool {
        self.must_ricochet
    }
}
