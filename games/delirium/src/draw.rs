//! State to picture: the scene that every front end draws, and the plain drawing.

use damier_core::grid::{Cell, Dir};
use damier_core::insight::{Mark, reason};
use damier_kit::Brush;
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

use crate::board::Ending;
use crate::kind::Kind;
use crate::observe::in_view;
use crate::pieces;
use crate::rules::{Action, Rules, State};

const EMPTY: Sprite = Sprite::new("empty", "  ", "  ", Colour::Plain);
const DIRT: Sprite = Sprite::new("dirt", "░░", "::", Colour::Brown);
const BORDER: Sprite = Sprite::new("border", "██", "##", Colour::Dim);
const WALL: Sprite = Sprite::new("wall", "▓▓", "%%", Colour::Orange);
const CLOSED_EXIT: Sprite = Sprite::new("closed exit", "[]", "[]", Colour::Dim);
const OPEN_EXIT: Sprite = Sprite::new("exit", "[]", "[]", Colour::Green);
const ROCK: Sprite = Sprite::new("rock", "◖◗", "()", Colour::White);
const DIAMOND: Sprite = Sprite::new("diamond", "◆ ", "<>", Colour::Cyan);
const BLAST: Sprite = Sprite::new("explosion", "✺✺", "**", Colour::Yellow);
const MINER: Sprite = Sprite::new("miner", "☺ ", "@ ", Colour::Yellow);
const DEAD: Sprite = Sprite::new("dead", "✗ ", "X ", Colour::Yellow);
const RED: Sprite = Sprite::new("red monster", "▟▙", "R ", Colour::Red);
const BLUE: Sprite = Sprite::new("blue monster", "▟▙", "B ", Colour::Blue);

const MAGIC: Sprite = Sprite::new("magic wall", "▒▒", "MM", Colour::Purple);
const AMOEBA: Sprite = Sprite::new("amoeba", "≈≈", "~~", Colour::Green);
const SLIME: Sprite = Sprite::new("slime", "▁▁", "__", Colour::Green);
const INBOX: Sprite = Sprite::new("inbox", "[]", "[]", Colour::Yellow);
const DOLL: Sprite = Sprite::new("doll", "☻ ", "& ", Colour::Yellow);
const GRAVE: Sprite = Sprite::new("gravestone", "† ", "+ ", Colour::Dim);
const GROWING_ACROSS: Sprite = Sprite::new("wall that grows sideways", "▓▓", "%%", Colour::Orange);
const GROWING_UP: Sprite = Sprite::new("wall that grows up and down", "▓▓", "%%", Colour::Orange);
const GROWING: Sprite = Sprite::new("wall that grows to all sides", "▓▓", "%%", Colour::Orange);
/// In a game both look like border; only the editor tells them apart.
const HIDDEN_EXIT: Sprite = Sprite::new("hidden exit", "██", "##", Colour::Dim);
const SOFT_BORDER: Sprite = Sprite::new("border that can be blasted", "██", "##", Colour::Dim);
const KEY: Sprite = Sprite::new("key", "⚷ ", "k ", Colour::Yellow);

/// The level editor's brushes.
pub const BRUSHES: &[Brush] = &[
    Brush::new('_', EMPTY),
    Brush::new('.', DIRT),
    Brush::new('d', DIAMOND),
    Brush::new('r', ROCK),
    Brush::new('w', WALL),
    Brush::new('#', BORDER),
    Brush::new('X', CLOSED_EXIT).once(),
    Brush::new('P', MINER).once(),
    Brush::new('R', RED),
    Brush::new('B', BLUE),
    Brush::new('M', MAGIC).only(BOULDER),
    Brush::new('a', AMOEBA).only(BOULDER),
    Brush::new('s', SLIME).only(BOULDER),
    Brush::new('x', GROWING_ACROSS).only(BOULDER),
    Brush::new('v', GROWING_UP).only(BOULDER),
    Brush::new('e', GROWING).only(BOULDER),
    Brush::new('I', INBOX).only(BOULDER),
    Brush::new('H', HIDDEN_EXIT).only(BOULDER),
    Brush::new('E', SOFT_BORDER).only(BOULDER),
    Brush::new('&', RED.facing(Dir::West)).only(BOULDER),
    Brush::new('^', RED.facing(Dir::North)).only(BOULDER),
    Brush::new('>', RED.facing(Dir::East)).only(BOULDER),
    Brush::new('V', RED.facing(Dir::South)).only(BOULDER),
    Brush::new('(', BLUE.facing(Dir::West)).only(BOULDER),
    Brush::new('\'', BLUE.facing(Dir::North)).only(BOULDER),
    Brush::new(')', BLUE.facing(Dir::East)).only(BOULDER),
    Brush::new(',', BLUE.facing(Dir::South)).only(BOULDER),
];

/// The rule set that has these elements.
const BOULDER: &[&str] = &["boulder"];

/// Draws the state. `ids` are the pieces' numbers, as [`pieces`] keeps them.
pub(crate) fn scene(rules: &Rules, state: &State, ids: &[u32]) -> Scene {
    let size = rules.size(state);
    Scene {
        size,
        tiles: size.cells().map(|cell| tile(rules, state, cell)).collect(),
        pieces: pieces(rules, state, ids),
        walls: Vec::new(),
        labels: labels(rules, state),
    }
}

fn tile(rules: &Rules, state: &State, cell: Cell) -> Sprite {
    match rules.kind(state, cell) {
        Kind::Dirt => DIRT,
        Kind::Border | Kind::SoftBorder | Kind::HiddenExit => BORDER,
        Kind::Wall => WALL,
        Kind::GrowingAcross => GROWING_ACROSS,
        Kind::GrowingUp => GROWING_UP,
        Kind::Growing => GROWING,
        Kind::Exit if state.is_open() => OPEN_EXIT,
        Kind::OpenExit | Kind::OpenHiddenExit => OPEN_EXIT,
        Kind::Exit => CLOSED_EXIT,
        Kind::Rock | Kind::FallingRock => ROCK,
        Kind::Diamond | Kind::FallingDiamond => DIAMOND,
        Kind::Magic => MAGIC,
        Kind::Amoeba | Kind::Amoeba2 => AMOEBA,
        Kind::Slime => SLIME,
        Kind::Inbox | Kind::Birth1 | Kind::Birth2 | Kind::Birth3 => INBOX,
        Kind::Doll => DOLL,
        Kind::Grave => GRAVE,
        Kind::Sweet | Kind::DiamondKey => KEY,
        kind if kind.is_blast() => BLAST,
        _ => EMPTY,
    }
}

fn pieces(rules: &Rules, state: &State, ids: &[u32]) -> Vec<Piece> {
    let size = rules.size(state);
    let monsters = rules.monsters(state).into_iter().zip(pieces::monsters(ids)).map(|(monster, &id)| {
        let sprite = if monster.blue { BLUE } else { RED };
        let sprite = monster.heading.map_or(sprite, |dir| sprite.facing(dir));
        Piece::new(id, size.xy(monster.cell), sprite)
    });
    let dead = state.ending().is_some_and(|ending| ending != Ending::Won);
    let miner = Piece::new(pieces::miner(ids), size.xy(rules.miner(state)), if dead { DEAD } else { MINER });
    monsters.chain([miner]).collect()
}

fn labels(rules: &Rules, state: &State) -> Vec<(&'static str, String)> {
    let map = rules.map(state);
    let mut labels = vec![
        ("tick", state.tick().to_string()),
        ("diamonds", format!("{} of {}", state.gathered(), map.need())),
        ("exit", if state.is_open() { "open" } else { "closed" }.to_owned()),
    ];
    let maps = rules.level().maps().len();
    if maps > 1 {
        labels.insert(0, ("map", format!("{} of {maps}", state.stage() + 1)));
    }
    if let Some(name) = map.header("name") {
        labels.insert(0, ("level", name.to_owned()));
    }
    if let Some(warning) = map.warning() {
        labels.push(("warning", warning.to_owned()));
    }
    if state.view() != (0, 0) {
        labels.push(("view", format!("{} by {}", state.view().0, state.view().1)));
    }
    labels
}

/// The map as it is typed, one character a cell.
pub fn plain_text(rules: &Rules, state: &State) -> String {
    let width = rules.size(state).width.into();
    let mut text = String::new();
    for row in rules.kinds(state).chunks(width) {
        text.extend(row.iter().map(|kind| kind.char()));
        text.push('\n');
    }
    text
}

/// Where monsters can be after the next tick, and where the miner would die at once.
pub fn next_marks(rules: &Rules, state: &State) -> Vec<Mark> {
    let mark = |at, why: &'static str| Mark::new(at, why);
    let size = rules.size(state);
    if state.ending().is_some() {
        return Vec::new();
    }
    let mut marks = Vec::new();
    for action in Action::ALL.into_iter().take(5) {
        for side in [0, 1] {
            let mut next = state.clone();
            let stage = state.stage();
            rules.apply_out_of_line(&mut next, action, &mut Side(side));
            if next.stage() != stage {
                continue;
            }
            for monster in rules.monsters(&next) {
                marks.push(mark(size.xy(monster.cell), reason::PREDICTED));
            }
            if next.ending().is_some_and(|ending| ending != Ending::Won) {
                marks.push(mark(size.xy(rules.miner(&next)), reason::DANGER));
            }
        }
    }
    marks.sort_by(|one, other| (&one.why, one.at).cmp(&(&other.why, other.at)).reverse());
    marks.dedup();
    marks
}

/// The cells outside the miner's view.
pub fn unseen_marks(rules: &Rules, state: &State) -> Vec<Mark> {
    let size = rules.size(state);
    let (columns, rows) = in_view(rules, state);
    let unseen =
        size.cells().map(|cell| size.xy(cell)).filter(|(x, y)| !(columns.contains(x) && rows.contains(y)));
    unseen.map(|at| Mark::new(at, "unseen")).collect()
}

/// Chance that takes the same side every time.
struct Side(u32);

impl damier_core::random::Chance for Side {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.min(bound - 1)
    }
}
