//! Levels: parsing, checking and printing.
//!
//! There are two formats, our own and the layouts of the Berkeley AI course:
//!
//! | | `damier` | `berkeley` |
//! | --- | --- | --- |
//! | wall | `#` | `%` |
//! | pellet | `.` | `.` |
//! | potion | `o` | `o` |
//! | floor without pellet | space | space |
//! | Pacman | `P` | `P` |
//! | ghosts | `1` to `4`, or `0` to `3` if a `0` occurs | `G` from the top left, or `1` to `4` |
//!
//! The parser distinguishes them by the wall character. Lines `; key: value` are headers and are kept.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::{LevelError, LevelText};

/// The maximum number of columns and rows.
pub const MAX_SIDE: usize = 61;

/// The minimum number of columns and rows: with fewer, a cell would have the same neighbour on both sides.
pub const MIN_SIDE: usize = 3;

/// The maximum number of ghosts.
pub const MAX_GHOSTS: usize = 4;

/// The initial content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// A wall.
    Wall,
    /// Floor without a pellet, also under Pacman and the ghosts.
    Floor,
    /// Floor with a pellet.
    Pellet,
    /// Floor with a potion, which is also a pellet.
    Potion,
}

/// A well-formed level: one Pacman, at most four ghosts, and every pellet can be reached.
///
/// ```
/// use damier_pacman::level::Level;
/// let level = Level::parse("; name: ring\n#####\n#P..#\n#.#.#\n#.1o#\n#####\n").unwrap();
/// assert_eq!(level.ghosts().len(), 1);
/// assert_eq!(level.print("berkeley").unwrap(), "%%%%%\n%P..%\n%.%.%\n%.Go%\n%%%%%\n");
///
/// let error = Level::parse("#####\n#P.x#\n#####\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: `x` is not a part of a maze");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    size: Size,
    tiles: Vec<Tile>,
    pacman: Cell,
    ghosts: Vec<Cell>,
    headers: Vec<(String, String)>,
}

impl Level {
    /// Reads a level in any of the formats.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let text = LevelText::parse(text)?;
        let size = checked_size(&text)?;
        let drawing = Drawing::read(&text, size)?;
        let level = Self {
            size,
            pacman: drawing.pacman()?,
            ghosts: drawing.ghosts()?,
            tiles: drawing.tiles,
            headers: text.headers.iter().map(|&(_, key, value)| (key.to_owned(), value.to_owned())).collect(),
        };
        level.check_pellets(&text)?;
        Ok(level)
    }

    /// The level as text, in the format `damier` or `berkeley`.
    pub fn print(&self, format: &str) -> Result<String, LevelError> {
        match format {
            "damier" => {
                Ok(self.print_headers() + &self.print_rows('#', |ghost| char::from(b'1' + ghost as u8)))
            }
            "berkeley" if self.ghosts.is_sorted() => Ok(self.print_rows('%', |_| 'G')),
            "berkeley" => Ok(self.print_rows('%', |ghost| char::from(b'1' + ghost as u8))),
            _ => Err(LevelError::whole(format!("`{format}` is not a format of Pacman levels"))),
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The initial content of a cell.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// Whether this cell is a wall.
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.tile(cell) == Tile::Wall
    }

    /// Pacman's starting cell.
    pub fn pacman(&self) -> Cell {
        self.pacman
    }

    /// The ghosts' starting cells, by number.
    pub fn ghosts(&self) -> &[Cell] {
        &self.ghosts
    }

    /// The value of a header line such as `name`.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// Every cell that Pacman can reach.
    fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.size.area()];
        let mut open = vec![self.pacman];
        reached[self.pacman.index()] = true;
        while let Some(cell) = open.pop() {
            for next in Dir::ALL.map(|dir| self.size.step_around(cell, dir)) {
                if !self.is_wall(next) && !reached[next.index()] {
                    reached[next.index()] = true;
                    open.push(next);
                }
            }
        }
        reached
    }

    fn check_pellets(&self, text: &LevelText<'_>) -> Result<(), LevelError> {
        let reached = self.reachable();
        let mut pellets = self
            .size
            .cells()
            .filter(|&cell| matches!(self.tile(cell), Tile::Pellet | Tile::Potion))
            .peekable();
        if pellets.peek().is_none() {
            return Err(LevelError::whole("there is no pellet to eat"));
        }
        match pellets.find(|cell| !reached[cell.index()]) {
            None => Ok(()),
            Some(cell) => {
                let (x, y) = self.size.xy(cell);
                let line = text.rows[usize::from(y)].line;
                Err(LevelError::at(line, usize::from(x) + 1, "Pacman cannot reach this pellet"))
            }
        }
    }

    fn print_headers(&self) -> String {
        self.headers
            .iter()
            .map(
                |(key, value)| {
                    if value.is_empty() { format!("; {key}\n") } else { format!("; {key}: {value}\n") }
                },
            )
            .collect()
    }

    fn print_rows(&self, wall: char, ghost: impl Fn(usize) -> char) -> String {
        let mut text = String::with_capacity(self.size.area() + usize::from(self.size.height));
        for cell in self.size.cells() {
            text.push(match self.tile(cell) {
                _ if cell == self.pacman => 'P',
                Tile::Floor => self.ghosts.iter().position(|&at| at == cell).map_or(' ', &ghost),
                Tile::Wall => wall,
                Tile::Pellet => '.',
                Tile::Potion => 'o',
            });
            if self.size.xy(cell).0 + 1 == self.size.width {
                text.push('\n');
            }
        }
        text
    }
}

fn checked_size(text: &LevelText<'_>) -> Result<Size, LevelError> {
    let (width, height) = (text.width()?, text.rows.len());
    for (side, name) in [(width, "columns"), (height, "rows")] {
        if !(MIN_SIDE..=MAX_SIDE).contains(&side) {
            return Err(LevelError::whole(format!(
                "the maze has {side} {name}; it must have {MIN_SIDE} to {MAX_SIDE}"
            )));
        }
    }
    Ok(Size::new(width as u16, height as u16))
}

/// A character of the drawing that is not a tile, with its position in the text.
struct Figure {
    cell: Cell,
    line: usize,
    column: usize,
}

/// The drawing as read, before its figures are checked.
struct Drawing {
    tiles: Vec<Tile>,
    pacmen: Vec<Figure>,
    /// Ghosts drawn as `G`, in reading order.
    unnumbered: Vec<Figure>,
    /// Ghosts drawn as a digit.
    numbered: Vec<(u8, Figure)>,
}

impl Drawing {
    fn read(text: &LevelText<'_>, size: Size) -> Result<Self, LevelError> {
        let berkeley = is_berkeley(text);
        let mut drawing = Self {
            tiles: Vec::with_capacity(size.area()),
            pacmen: Vec::new(),
            unnumbered: Vec::new(),
            numbered: Vec::new(),
        };
        for row in &text.rows {
            for (x, char) in row.text.chars().enumerate() {
                drawing.read_char(char, berkeley, row.line, x + 1)?;
            }
        }
        Ok(drawing)
    }

    fn read_char(
        &mut self,
        char: char,
        berkeley: bool,
        line: usize,
        column: usize,
    ) -> Result<(), LevelError> {
        let figure = Figure { cell: Cell(self.tiles.len() as u16), line, column };
        let mut tile = Tile::Floor;
        match char {
            '#' if !berkeley => tile = Tile::Wall,
            '%' if berkeley => tile = Tile::Wall,
            '.' => tile = Tile::Pellet,
            'o' => tile = Tile::Potion,
            ' ' => {}
            'P' => self.pacmen.push(figure),
            'G' if berkeley => self.unnumbered.push(figure),
            '0'..='4' => self.numbered.push((char as u8 - b'0', figure)),
            '#' => {
                return Err(LevelError::at(line, column, "the walls of this maze are `%`, this one is `#`"));
            }
            _ => return Err(LevelError::at(line, column, format!("`{char}` is not a part of a maze"))),
        }
        self.tiles.push(tile);
        Ok(())
    }

    fn pacman(&self) -> Result<Cell, LevelError> {
        match &*self.pacmen {
            [] => Err(LevelError::whole("there is no Pacman (`P`)")),
            [pacman] => Ok(pacman.cell),
            [_, second, ..] => {
                Err(LevelError::at(second.line, second.column, "there is a second Pacman (`P`)"))
            }
        }
    }

    fn ghosts(&self) -> Result<Vec<Cell>, LevelError> {
        if let (Some(figure), Some(_)) = (self.unnumbered.first(), self.numbered.first()) {
            return Err(LevelError::at(
                figure.line,
                figure.column,
                "either all ghosts are `G` or all have a number",
            ));
        }
        if let Some(fifth) = self.unnumbered.get(MAX_GHOSTS) {
            return Err(LevelError::at(fifth.line, fifth.column, "there can be at most 4 ghosts"));
        }
        if self.numbered.is_empty() {
            return Ok(self.unnumbered.iter().map(|figure| figure.cell).collect());
        }
        self.numbered_ghosts()
    }

    /// The numbers must be 0, 1, … or 1, 2, … without a gap.
    fn numbered_ghosts(&self) -> Result<Vec<Cell>, LevelError> {
        let first = u8::from(self.numbered.iter().all(|&(number, _)| number != 0));
        let mut ghosts = [None; MAX_GHOSTS];
        for (number, figure) in &self.numbered {
            let error = |message: String| LevelError::at(figure.line, figure.column, message);
            let place = ghosts.get_mut(usize::from(number - first)).ok_or_else(|| {
                error(
                    "there is a ghost 0 and a ghost 4: ghosts are numbered from 1 to 4 or from 0 to 3".into(),
                )
            })?;
            if place.replace(figure.cell).is_some() {
                return Err(error(format!("there is a second ghost {number}")));
            }
        }
        let count = self.numbered.len();
        match ghosts[..count].iter().position(Option::is_none) {
            None => Ok(ghosts.into_iter().flatten().collect()),
            Some(gap) => Err(LevelError::whole(format!(
                "there are {count} ghosts but no ghost {}: their numbers must be consecutive",
                gap + usize::from(first)
            ))),
        }
    }
}

/// Whether this is a Berkeley layout: the first wall is a `%`, or there are no walls but a `G`.
fn is_berkeley(text: &LevelText<'_>) -> bool {
    let first_wall = text.rows.iter().flat_map(|row| row.text.chars()).find(|char| matches!(char, '#' | '%'));
    match first_wall {
        Some(wall) => wall == '%',
        None => text.rows.iter().any(|row| row.text.contains('G')),
    }
}
