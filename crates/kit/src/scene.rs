//! Scenes: pictures of a state made of tiles, pieces, thin walls and labels, independent of the game.

use schemars::JsonSchema;
use serde::Serialize;

use damier_core::grid::{Dir, Size};
use damier_core::insight::Point;

/// A palette that every front end maps to its own colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "colours name themselves")]
pub enum Colour {
    #[default]
    Plain,
    Dim,
    White,
    Red,
    Orange,
    Yellow,
    Green,
    Cyan,
    Blue,
    Navy,
    Purple,
    Pink,
    Brown,
}

/// Look of one thing. The page draws it by its name, a terminal by its two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sprite {
    /// What it is: `wall`, `pellet`, `ghost`.
    pub name: &'static str,
    /// Two terminal columns of Unicode.
    pub unicode: &'static str,
    /// Two terminal columns of ASCII.
    pub ascii: &'static str,
    /// Its colour.
    pub colour: Colour,
    /// Direction it faces, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<Dir>,
    /// Is it part of the background, drawn faintly so that the rest stands out?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub faint: bool,
}

impl Sprite {
    /// A sprite without a direction.
    pub const fn new(name: &'static str, unicode: &'static str, ascii: &'static str, colour: Colour) -> Self {
        Self { name, unicode, ascii, colour, facing: None, faint: false }
    }

    /// The same sprite, facing in a direction.
    pub const fn facing(self, dir: Dir) -> Self {
        Self { facing: Some(dir), ..self }
    }

    /// The same sprite, drawn faintly.
    pub const fn faint(self) -> Self {
        Self { faint: true, ..self }
    }
}

/// A thing that moves over the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its identity, the same from scene to scene, so that a front end can animate it. A screen too small for the board follows the
    /// piece with the lowest id.
    pub id: u32,
    /// Its cell.
    pub at: Point,
    /// Offset from its cell, in hundredths of a cell to the right and down, in games where pieces move by parts of a cell.
    pub shift: (i8, i8),
    /// Its look.
    pub sprite: Sprite,
}

impl Piece {
    /// A piece at the centre of its cell.
    pub const fn new(id: u32, at: Point, sprite: Sprite) -> Self {
        Self { id, at, shift: (0, 0), sprite }
    }
}

/// A state as a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// Columns and rows.
    pub size: Size,
    /// One sprite per cell, row by row.
    pub tiles: Vec<Sprite>,
    /// Pieces, later ones over earlier ones.
    pub pieces: Vec<Piece>,
    /// Thin walls on the edge of a cell.
    pub walls: Vec<(Point, Dir)>,
    /// Facts to show beside the board: `("score", "12")`.
    pub labels: Vec<(&'static str, String)>,
}
