//! The board: cells, walls on their edges, diagonal deflectors.

use damier_core::grid::{Cell, Dir, Size};

use crate::robot::Robot;

/// The longest side of a board.
pub const MAX_SIDE: u16 = 32;

/// The bit of a wall on a cell's side: north 1, east 2, south 4, west 8.
#[inline]
pub const fn wall_bit(dir: Dir) -> u8 {
    1 << dir as u8
}

/// The slope of a diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slope {
    /// `/`: a robot that goes east turns north.
    Rising,
    /// `\`: a robot that goes east turns south.
    Falling,
}

impl Slope {
    /// The character that draws it.
    pub const fn letter(self) -> char {
        match self {
            Self::Rising => '/',
            Self::Falling => '\\',
        }
    }

    /// The slope drawn by this character.
    pub const fn parse(letter: char) -> Option<Self> {
        match letter {
            '/' => Some(Self::Rising),
            '\\' => Some(Self::Falling),
            _ => None,
        }
    }

    /// The direction in which a robot leaves that came in this direction.
    #[inline]
    pub const fn turn(self, dir: Dir) -> Dir {
        match (self, dir) {
            (Self::Rising, Dir::North | Dir::South) | (Self::Falling, Dir::East | Dir::West) => dir.right(),
            (Self::Rising, Dir::East | Dir::West) | (Self::Falling, Dir::North | Dir::South) => dir.left(),
        }
    }
}

/// A diagonal deflector: robots of its colour pass through, all others turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Diagonal {
    /// Its slope.
    pub slope: Slope,
    /// The robot that passes through it; `None` if it turns every robot.
    pub colour: Option<Robot>,
}

/// The walls and diagonals of a board, which is always surrounded by walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: Size,
    walls: Vec<u8>,
    diagonals: Vec<Option<Diagonal>>,
}

impl Board {
    /// An empty board of this size with its outer wall. Both sides must be between 1 and [`MAX_SIDE`].
    pub fn empty(size: Size) -> Self {
        assert!((1..=MAX_SIDE).contains(&size.width) && (1..=MAX_SIDE).contains(&size.height));
        let mut board = Self { size, walls: vec![0; size.area()], diagonals: vec![None; size.area()] };
        for cell in size.cells() {
            for dir in Dir::ALL {
                if size.step(cell, dir).is_none() {
                    board.walls[cell.index()] |= wall_bit(dir);
                }
            }
        }
        board
    }

    /// Columns and rows.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Builds the wall on one side of a cell, for both cells that share it.
    pub fn build_wall(&mut self, cell: Cell, dir: Dir) {
        self.walls[cell.index()] |= wall_bit(dir);
        if let Some(neighbour) = self.size.step(cell, dir) {
            self.walls[neighbour.index()] |= wall_bit(dir.opposite());
        }
    }

    /// Puts a diagonal on a cell.
    pub fn put_diagonal(&mut self, cell: Cell, diagonal: Diagonal) {
        self.diagonals[cell.index()] = Some(diagonal);
    }

    /// Whether there is a wall on this side of the cell.
    #[inline]
    pub fn has_wall(&self, cell: Cell, dir: Dir) -> bool {
        self.walls[cell.index()] & wall_bit(dir) != 0
    }

    /// The walls of a cell as a bit mask.
    #[inline]
    pub fn walls(&self, cell: Cell) -> u8 {
        self.walls[cell.index()]
    }

    /// The diagonal on a cell.
    #[inline]
    pub fn diagonal(&self, cell: Cell) -> Option<Diagonal> {
        self.diagonals[cell.index()]
    }

    /// Whether the board has any diagonal.
    pub fn has_diagonals(&self) -> bool {
        self.diagonals.iter().any(Option::is_some)
    }

    /// The neighbour in a direction, unless there is a wall between.
    #[inline]
    pub fn open_neighbour(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        if self.has_wall(cell, dir) { None } else { self.size.step(cell, dir) }
    }

    /// Whether the cell is closed: walled on all four sides, or one of the four centre cells if these are walled off. No
    /// robot can ever enter or leave it.
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.walls(cell) == 0b1111 || (self.in_centre(cell) && self.centre_is_walled_off())
    }

    /// Whether the cell is one of the four in the centre of a board with even sides.
    pub fn in_centre(&self, cell: Cell) -> bool {
        let (x, y) = self.size.xy(cell);
        let middle = |at: u16, side: u16| {
            side >= 4 && side.is_multiple_of(2) && (at == side / 2 || at + 1 == side / 2)
        };
        middle(x, self.size.width) && middle(y, self.size.height)
    }

    fn centre_is_walled_off(&self) -> bool {
        self.size.cells().filter(|&cell| self.in_centre(cell)).all(|cell| {
            Dir::ALL
                .into_iter()
                .all(|dir| self.open_neighbour(cell, dir).is_none_or(|neighbour| self.in_centre(neighbour)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_belongs_to_both_cells() {
        let mut board = Board::empty(Size::new(3, 2));
        board.build_wall(Cell(0), Dir::East);
        assert!(board.has_wall(Cell(1), Dir::West));
        assert_eq!(board.open_neighbour(Cell(0), Dir::East), None);
        assert_eq!(board.open_neighbour(Cell(0), Dir::South), Some(Cell(3)));
    }

    #[test]
    fn a_diagonal_turns_back_what_it_turned() {
        for slope in [Slope::Rising, Slope::Falling] {
            for dir in Dir::ALL {
                let turned = slope.turn(dir);
                assert_ne!(turned, dir);
                assert_ne!(turned, dir.opposite());
                assert_eq!(slope.turn(turned.opposite()), dir.opposite());
            }
        }
        assert_eq!(Slope::Rising.turn(Dir::East), Dir::North);
        assert_eq!(Slope::Falling.turn(Dir::East), Dir::South);
    }

    #[test]
    fn the_centre_is_closed_only_when_walled_off() {
        let mut board = Board::empty(Size::new(4, 4));
        assert!(!board.is_closed(Cell(5)));
        for (cell, dirs) in [
            (5, [Dir::North, Dir::West]),
            (6, [Dir::North, Dir::East]),
            (9, [Dir::South, Dir::West]),
            (10, [Dir::South, Dir::East]),
        ] {
            for dir in dirs {
                board.build_wall(Cell(cell), dir);
            }
        }
        assert!(board.is_closed(Cell(5)) && board.is_closed(Cell(10)));
        assert!(!board.is_closed(Cell(0)));
    }
}
