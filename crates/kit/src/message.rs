//! The page's messages: games, levels and moments as JSON.
//!
//! The page's TypeScript types are generated from these types, so a change here shows up there as a type error.

mod picture;

use std::collections::BTreeMap;

use damier_core::game::{Facts, Outcome, Seat};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, Mark};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::picture::{SpriteTable, picture};
use crate::fault::Fault;
use crate::info::{AgentInfo, Brush, KeyBinding, Named};
use crate::review::Remark;
use crate::scene::{Colour, Sprite};

/// Look of one thing.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sprite")]
pub struct SpriteMessage {
    /// What it is: `wall`, `pellet`, `ghost`.
    pub name: &'static str,
    /// Two terminal columns of Unicode.
    pub unicode: &'static str,
    /// Its colour in the palette.
    pub colour: Colour,
    /// Direction it faces, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<Dir>,
    /// Is it part of the background, drawn faintly so that the rest stands out?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub faint: bool,
}

impl From<&Sprite> for SpriteMessage {
    fn from(sprite: &Sprite) -> Self {
        let Sprite { name, unicode, colour, facing, faint, .. } = *sprite;
        Self { name, unicode, colour, facing, faint }
    }
}

/// A column or a row, with decimals for a piece between two cells.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Coordinate {
    /// At the centre of a cell.
    Cell(u16),
    /// Between two cells.
    Between(f64),
}

/// Id, column, row, index into the sprites.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Piece")]
pub struct PieceMessage(pub u32, pub Coordinate, pub Coordinate, pub u16);

/// Column and row of a cell, and the side of it that has a thin wall.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Wall")]
pub struct WallMessage(pub u16, pub u16, pub Dir);

/// Cells, pieces and walls of a state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "BoardPicture")]
pub struct BoardPicture {
    /// Columns and rows.
    pub size: [u16; 2],
    /// The looks that tiles and pieces refer to.
    pub sprites: Vec<SpriteMessage>,
    /// Indices into the sprites, row by row.
    pub tiles: Vec<u16>,
    /// Later ones are drawn over earlier ones.
    pub pieces: Vec<PieceMessage>,
    /// Thin walls on the edges of cells.
    pub walls: Vec<WallMessage>,
}

/// A name with its value.
pub type Label = (&'static str, String);

/// A state as the page draws it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Picture {
    /// The board.
    #[serde(flatten)]
    pub board: BoardPicture,
    /// Facts to show beside the board.
    pub labels: Vec<Label>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Over {
    /// The outcome of each seat.
    pub result: Vec<Outcome>,
    /// Why, in a few words.
    pub reason: String,
    /// Sentences about agents with substituted answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub substituted: Vec<String>,
}

/// Who is to move, or how the game ended: one of the two.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Status")]
pub struct StatusMessage {
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
    /// The seat that is to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
}

/// A decision with its insight and log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Decision<'a> {
    /// Who decided.
    pub seat: Seat,
    /// The action taken.
    pub action: &'a str,
    /// How long it took, in microseconds.
    pub us: u64,
    /// The agent's insight.
    pub insight: &'a Insight,
    /// The end of its log.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub log: &'a str,
    /// Faults because of which the referee substituted the action.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub warnings: &'a [Fault],
}

/// A moment of a game: the changes on the board since the previous one, or the whole board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "WireFrame")]
pub struct Frame<'a> {
    /// The moment's number. A known number replaces that moment and all later ones.
    pub n: usize,
    /// Index of the new sprites in the table of sprites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprites_at: Option<usize>,
    /// Sprites that are new to the table; with a whole board, all sprites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sprites: Vec<SpriteMessage>,
    /// Columns and rows, with a whole board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[u16; 2]>,
    /// The whole board: indices into the sprites, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<u16>>,
    /// The cells that changed, each with its new sprite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<(usize, u16)>>,
    /// All pieces.
    pub pieces: Vec<PieceMessage>,
    /// Facts to show beside the board.
    pub labels: &'a [Label],
    /// Turns played.
    pub turn: u32,
    /// Does stepping through the game stop here?
    pub stop: bool,
    /// The score of each seat.
    pub score: Vec<i64>,
    /// Who is to move, or how the game ended.
    pub status: StatusMessage,
    /// Is a human to move?
    pub human: bool,
    /// The legal actions, if a human is to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// The action when no key is pressed.
    pub idle: Option<&'static str>,
    /// The state in the game's own notation, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// The decision that led here; `null` at the start.
    pub decision: Option<Decision<'a>>,
}

/// Description of a session, sent first, and again after a restart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hello<'a> {
    /// The session.
    pub id: &'a str,
    /// The game.
    pub game: &'static str,
    /// The rule set.
    pub rules: &'a str,
    /// The level's name.
    pub level: &'a str,
    /// The seed of the game's chance.
    pub seed: u64,
    /// Player at each seat: `human`, or an agent's name.
    pub seats: Vec<&'a str>,
    /// Is it a replay?
    pub record: bool,
    /// May this client act?
    pub host: bool,
    /// Properties of every game on the level.
    pub facts: Facts,
    /// Real-time games: milliseconds per turn in interactive play.
    pub tick_ms: Option<u32>,
    /// The action when no key is pressed.
    pub idle: Option<&'static str>,
    /// Turn limit, after which the game ends as `limit`.
    pub turn_limit: u32,
    /// The board of the first moment.
    pub picture: BoardPicture,
}

/// A hint: what our strongest agent would do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hint<'a> {
    /// The moment it is about.
    pub n: usize,
    /// The action.
    pub action: &'a str,
    /// The agent's insight.
    pub insight: &'a Insight,
}

/// The marks of an overlay.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OverlayMarks<'a> {
    /// The moment.
    pub n: usize,
    /// The overlay.
    pub name: &'a str,
    /// Its marks.
    pub marks: Vec<Mark>,
}

/// A remark on one decision, with the moment in which it was taken.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Remark")]
pub struct RemarkMessage<'a> {
    /// The remark.
    #[serde(flatten)]
    pub remark: &'a Remark,
    /// The moment in which the decision was to be taken.
    pub n: usize,
}

/// The review of a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Review")]
pub struct ReviewMessage<'a> {
    /// The verdict, as a sentence.
    pub text: &'a str,
    /// Remarks on single decisions, in the order of the game.
    pub remarks: Vec<RemarkMessage<'a>>,
}

/// Message to a client of a session.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum SessionMessage<'a> {
    /// Description of the session.
    Hello(Hello<'a>),
    /// A moment of the game.
    Frame(Frame<'a>),
    /// The seat whose agent is thinking, if any.
    Thinking {
        /// The seat.
        seat: Option<Seat>,
    },
    /// The requested hint.
    Hint(Hint<'a>),
    /// The requested overlay.
    Overlay(OverlayMarks<'a>),
    /// The requested review.
    Review(ReviewMessage<'a>),
    /// Why a client's message was refused.
    Complaint {
        /// One sentence.
        text: &'a str,
    },
    /// The number of clients that watch.
    Watchers {
        /// Their number.
        count: usize,
    },
}

/// A session in the list of sessions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionInfo {
    /// Its name in addresses.
    pub id: String,
    /// The game.
    pub game: &'static str,
    /// The rule set.
    pub rules: String,
    /// The level's name.
    pub level: String,
    /// Player at each seat.
    pub seats: Vec<String>,
    /// Is it a replay?
    pub record: bool,
    /// Turns played.
    pub turns: u32,
    /// The number of clients that watch.
    pub watchers: usize,
}

/// A brush of the level editor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Brush")]
pub struct BrushMessage {
    /// The symbol in the level's text.
    pub symbol: char,
    /// What it is.
    pub about: &'static str,
    /// Does a level have at most one of it?
    pub once: bool,
    /// The rule sets that support it; empty means all.
    pub rules: &'static [&'static str],
    /// Is it a piece on the board, rather than part of the board?
    pub piece: bool,
    /// Its look.
    pub sprite: SpriteMessage,
}

impl BrushMessage {
    /// Message for a brush; `piece` if it paints pieces.
    pub fn new(brush: &Brush, piece: bool) -> Self {
        let Brush { symbol, sprite, once, rules } = *brush;
        Self { symbol, about: sprite.name, once, rules, piece, sprite: SpriteMessage::from(&sprite) }
    }
}

/// A shipped level.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LevelInfo {
    /// Its name in the pack.
    pub name: &'static str,
    /// Columns and rows.
    pub size: [u16; 2],
    /// The rule sets under which it opens.
    pub rules: Vec<&'static str>,
}

/// Levels shipped together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Pack")]
pub struct PackMessage {
    /// The pack's name.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// Its levels.
    pub levels: Vec<LevelInfo>,
}

/// A game as the page lists it, without the parts that depend on the data folder.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameMessage {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// The name, as shown to people.
    pub title: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The rule sets, the default one first.
    pub rules: &'static [Named],
    /// The agents that come with it.
    pub agents: &'static [AgentInfo],
    /// The level formats that can be written, the game's own first.
    pub formats: &'static [Named],
    /// The level packs.
    pub packs: Vec<PackMessage>,
    /// The keys.
    pub keys: &'static [KeyBinding],
    /// Keys that select which piece the other keys move.
    pub pieces: &'static [KeyBinding],
    /// Overlays that can be drawn over any state.
    pub overlays: &'static [Named],
    /// Brushes of the level editor; empty if levels are not rows of symbols. The first brush erases.
    pub brushes: Vec<BrushMessage>,
    /// Real-time games: milliseconds per turn in interactive play.
    pub tick_ms: Option<u32>,
    /// The action when no key is pressed.
    pub idle: Option<&'static str>,
    /// Turn limit, after which a game ends as `limit`.
    pub turn_limit: u32,
    /// The first level that opens, by rule set.
    pub default_level: BTreeMap<&'static str, String>,
    /// The number of seats, by rule set.
    pub players: BTreeMap<&'static str, usize>,
    /// The names of the seats, by rule set.
    pub seats: BTreeMap<&'static str, &'static [&'static str]>,
    /// The computer's strengths, in games that have rounds.
    pub strengths: Vec<&'static str>,
    /// The names of the game's files for the page; `page.js` is its module.
    pub page: Vec<&'static str>,
}
