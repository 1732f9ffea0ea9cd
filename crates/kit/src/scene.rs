//! What a front end draws of a state: tiles, pieces, thin walls and labels, with no game in it.

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

/// How one thing looks. The page draws it by its name, a terminal by its two characters.
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
    /// Where it looks, for things that look somewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<Dir>,
}

impl Sprite {
    /// A sprite that looks nowhere.
    pub const fn new(name: &'static str, unicode: &'static str, ascii: &'static str, colour: Colour) -> Self {
        Self { name, unicode, ascii, colour, facing: None }
    }

    /// The same sprite, looking in a direction.
    pub const fn facing(self, dir: Dir) -> Self {
        Self { facing: Some(dir), ..self }
    }
}

/// A thing that moves over the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Which one, the same from scene to scene, so that a front end can animate it. A screen too small for the board follows the
    /// lowest.
    pub id: u32,
    /// Its cell.
    pub at: Point,
    /// How far it is from its cell, in hundredths of a cell to the right and down, in games that move in parts of a cell.
    pub shift: (i8, i8),
    /// Its look.
    pub sprite: Sprite,
}

impl Piece {
    /// A piece in the middle of its cell.
    pub const fn new(id: u32, at: Point, sprite: Sprite) -> Self {
        Self { id, at, shift: (0, 0), sprite }
    }
}

/// A state as a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// Columns and rows.
    pub size: Size,
    /// One sprite a cell, row by row.
    pub tiles: Vec<Sprite>,
    /// Pieces, later ones over earlier ones.
    pub pieces: Vec<Piece>,
    /// Thin walls on the edge of a cell.
    pub walls: Vec<(Point, Dir)>,
    /// Facts to show beside the board: `("score", "12")`.
    pub labels: Vec<(&'static str, String)>,
}
