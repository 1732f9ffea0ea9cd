//! The game with one animal each, solved by retrograde analysis.
//!
//! Positions are stored from the view of the side to move and up to the symmetries of the board, so that the 35 million
//! positions with three mountains take three million bytes. The opening rule is ignored.

use crate::board::{Board, MOUNTAINS, Piece, SQUARES, Side, Square, Squares, each};
use crate::line::Reading;
use crate::moves::{MoveList, MoveRules};
use crate::symmetry::Symmetry;
use damier_core::grid::Dir;

/// The number of places of an animal: a square with a facing, or the hand.
const PLACES: usize = 4 * SQUARES + 1;
const IN_HAND: usize = PLACES - 1;
const OPEN: u8 = 0;

/// The value of a position with perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// It wins in this many plies.
    Win(u32),
    /// It loses in this many plies.
    Loss(u32),
    /// Neither side can force a win.
    Draw,
}

/// The solved game.
pub struct Duel {
    rules: MoveRules,
    /// The sets of mountains, one representative of each class of symmetric sets.
    classes: Vec<Squares>,
    /// For every set of mountains, by number: its class, and the symmetry that maps it to the representative.
    class_of: Vec<(u32, Symmetry)>,
    /// The plies to the end by class, own place and opponent's place: odd for a win, even for a loss, 0 if undecided.
    plies: Vec<u8>,
}

/// The number of positions, by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All positions, counted without symmetry.
    pub positions: u64,
    /// Wins of the side to move.
    pub wins: u64,
    /// Losses of the side to move.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// The length of the longest win or loss in plies.
    pub longest: u32,
}

/// An upper limit for the numbers of sets of up to three squares.
const NUMBERS: usize = (SQUARES + 1) * (SQUARES + 1) * (SQUARES + 1);

/// A unique number for every set of up to three squares.
fn number(set: Squares) -> usize {
    each(set).fold(0, |number, square| number * (SQUARES + 1) + square.index() + 1)
}

/// All sets of this many squares.
fn sets(size: u32) -> Vec<Squares> {
    (0..size).fold(vec![0], |sets: Vec<Squares>, _| {
        let larger = |set: Squares| {
            (set.checked_ilog2().map_or(0, |last| last + 1)..SQUARES as u32).map(move |bit| set | 1 << bit)
        };
        sets.into_iter().flat_map(larger).collect()
    })
}

impl Duel {
    /// Solves the game with this number of mountains, 1 to 3.
    ///
    /// ```
    /// use damier_siam::duel::{Duel, Value};
    /// use damier_siam::{level::Level, line::Reading};
    /// let duel = Duel::solve(1, Reading::Running, &mut |_, _| {});
    /// let level = Level::parse("; animals: 1\n...../..M../..N../...../..... E 9").unwrap();
    /// assert_eq!(duel.value(&level.board), Some(Value::Win(3)), "two pushes, and no rhino can stop it");
    /// ```
    pub fn solve(mountains: u32, reading: Reading, report: &mut dyn FnMut(u32, u64)) -> Self {
        let mut duel = Self::unsolved(mountains.clamp(1, MOUNTAINS), reading);
        for plies in 1..=u32::from(u8::MAX) {
            let decided = duel.pass(plies as u8);
            report(plies, decided);
            // A position that ends in one ply more has a successor that ends in this number: without any, all are decided.
            if decided == 0 {
                break;
            }
        }
        duel
    }

    fn unsolved(mountains: u32, reading: Reading) -> Self {
        let mut classes: Vec<Squares> = Vec::new();
        let mut class_of = vec![(u32::MAX, Symmetry::default()); NUMBERS];
        for set in sets(mountains) {
            if class_of[number(set)].0 != u32::MAX {
                continue;
            }
            for symmetry in Symmetry::all() {
                let image = symmetry.squares(set);
                if class_of[number(image)].0 == u32::MAX {
                    let back = Symmetry::all().find(|back| back.squares(image) == set).unwrap_or_default();
                    class_of[number(image)] = (classes.len() as u32, back);
                }
            }
            classes.push(set);
        }
        let plies = vec![OPEN; classes.len() * PLACES * PLACES];
        Self { rules: MoveRules::new(reading, false), classes, class_of, plies }
    }

    /// Decides the positions that end in this many plies, and returns their number.
    fn pass(&mut self, plies: u8) -> u64 {
        let mut news = Vec::new();
        for index in 0..self.plies.len() {
            if self.plies[index] == OPEN
                && let Some(board) = self.board(index)
                && self.ends_in(&board, plies)
            {
                news.push(index as u32);
            }
        }
        for &index in &news {
            self.plies[index as usize] = plies;
        }
        news.len() as u64
    }

    /// Whether a position that does not end sooner ends in this many plies.
    fn ends_in(&self, board: &Board, plies: u8) -> bool {
        let side = board.side();
        if plies == 1 {
            return self.rules.threats(board).of(side);
        }
        let mut moves = MoveList::new();
        self.rules.list(board, &mut moves);
        let wins = plies % 2 == 1;
        let mut outcomes = moves.into_iter().map(|action| {
            let mut next = *board;
            match next.play(action) {
                // A push that wins for the opponent: worse than any loss that takes longer.
                Some(_) => None,
                None => Some(self.plies[self.index(&next)]),
            }
        });
        if wins {
            outcomes.any(|after| after == Some(plies - 1))
        } else {
            outcomes.all(|after| after.is_none_or(|after| after % 2 == 1))
        }
    }

    /// The value of a position with one animal each and the solved number of mountains; `None` for others.
    pub fn value(&self, board: &Board) -> Option<Value> {
        let one = |side| board.hand(side) + board.animals(side).count_ones() as u8 == 1;
        let (class, _) = self.class_of[number(board.mountains())];
        if class == u32::MAX || !Side::BOTH.into_iter().all(one) {
            return None;
        }
        Some(match u32::from(self.plies[self.index(board)]) {
            0 => Value::Draw,
            plies if plies % 2 == 1 => Value::Win(plies),
            plies => Value::Loss(plies),
        })
    }

    /// Counts the positions by their values.
    pub fn census(&self) -> Census {
        let mut sizes = vec![0; self.classes.len()];
        self.class_of
            .iter()
            .filter(|(class, _)| *class != u32::MAX)
            .for_each(|(class, _)| sizes[*class as usize] += 1);
        let mut census = Census::default();
        for index in 0..self.plies.len() {
            if self.board(index).is_none() {
                continue;
            }
            // Each represents its symmetric images, with elephants or with rhinos to move.
            let images = 2 * sizes[index / (PLACES * PLACES)];
            let plies = u32::from(self.plies[index]);
            census.positions += images;
            match plies {
                0 => census.draws += images,
                odd if odd % 2 == 1 => census.wins += images,
                _ => census.losses += images,
            }
            census.longest = census.longest.max(plies);
        }
        census
    }

    /// A position with the longest win or loss.
    pub fn longest(&self) -> Option<Board> {
        let longest = *self.plies.iter().max()?;
        let index = self.plies.iter().position(|&plies| plies == longest)?;
        self.board(index)
    }

    fn index(&self, board: &Board) -> usize {
        let (class, symmetry) = self.class_of[number(board.mountains())];
        let place = |side: Side| {
            each(board.animals(side)).next().map_or(IN_HAND, |square| match board.piece(square) {
                Some(Piece::Animal(_, dir)) => {
                    4 * symmetry.square(square).index() + symmetry.dir(dir).index()
                }
                _ => IN_HAND,
            })
        };
        (class as usize * PLACES + place(board.side())) * PLACES + place(!board.side())
    }

    /// The position at an index with elephants to move; `None` if two pieces would share a square.
    fn board(&self, index: usize) -> Option<Board> {
        let mut board = Board::empty(1);
        for square in each(self.classes[index / (PLACES * PLACES)]) {
            board.put(square, Piece::Mountain);
        }
        let places = [(Side::Elephants, index / PLACES % PLACES), (Side::Rhinos, index % PLACES)];
        for (side, place) in places.into_iter().filter(|&(_, place)| place != IN_HAND) {
            let square = Square::from_index(place / 4);
            if board.free() & square.bit() == 0 {
                return None;
            }
            board.put(square, Piece::Animal(side, Dir::from_index(place as u8 % 4)));
        }
        Some(board)
    }
}
