//! The rope, the token and the pulls.

use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::Size;
use damier_core::level::{LevelError, LevelText};
use damier_core::random::{Chance, zobrist};

/// A rope with its token: the level.
#[derive(Debug)]
pub struct Rope {
    /// The cell of the right end; the left end is cell 0.
    pub end: i32,
    /// The token's first cell.
    pub start: i32,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token's cell.
    pub at: i32,
    /// The seat to move.
    pub to_move: Seat,
}

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pull {
    /// One cell.
    Gently,
    /// Two cells, or one if it slips.
    Hard,
}

impl Rope {
    /// Reads a rope such as `<..o..>`.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let level = LevelText::parse(text)?;
        let row = &level.rows[0];
        if let Some(second) = level.rows.get(1) {
            return Err(LevelError::at(second.line, 1, "a rope has a single row"));
        }
        let mut start = None;
        let last = row.text.chars().count() - 1;
        for (column, symbol) in row.text.chars().enumerate() {
            let expected = match (column, symbol) {
                (0, '<') | (_, '.') if column != last => continue,
                (_, '>') if column == last && column > 0 => continue,
                (_, 'o') if column > 0 && column != last && start.is_none() => {
                    start = Some(column as i32);
                    continue;
                }
                (0, _) => "the left end `<`",
                _ if column == last => "the right end `>`",
                _ if start.is_some() => "rope `.`: there is one token",
                _ => "rope `.` or the token `o`",
            };
            return Err(LevelError::at(
                row.line,
                column + 1,
                format!("expected {expected}, found `{symbol}`"),
            ));
        }
        let start = start.ok_or_else(|| LevelError::at(row.line, 0, "there is no token `o`"))?;
        Ok(Self { end: last as i32, start })
    }

    /// The rope as text.
    pub fn print(&self) -> String {
        let cell = |at| match at {
            0 => '<',
            at if at == self.end => '>',
            at if at == self.start => 'o',
            _ => '.',
        };
        (0..=self.end).map(cell).chain(['\n']).collect()
    }
}

impl Game for Rope {
    type State = Token;
    type Action = Pull;
    type Observation = i32;

    fn facts(&self) -> Facts {
        Facts { seats: &["left", "right"], chance: true, perfect_information: true }
    }

    fn start(&self) -> Token {
        Token { at: self.start, to_move: 0 }
    }

    fn status(&self, token: &Token) -> Status {
        let won = |seat| Status::Over(GameOver { verdict: Verdict::Won(seat), reason: "pulled over" });
        match token.at {
            at if at <= 0 => won(0),
            at if at >= self.end => won(1),
            _ => Status::ToMove(token.to_move),
        }
    }

    fn legal(&self, token: &Token, actions: &mut Vec<Pull>) {
        actions.clear();
        if matches!(self.status(token), Status::ToMove(_)) {
            actions.extend([Pull::Gently, Pull::Hard]);
        }
    }

    fn check(&self, token: &Token, _: Pull) -> Result<(), Illegal> {
        match self.status(token) {
            Status::ToMove(_) => Ok(()),
            Status::Over(_) => Err(Illegal("the game is over".into())),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, token: &mut Token, pull: Pull, chance: &mut C) {
        let steps = 1 + if pull == Pull::Hard { chance.below(2) as i32 } else { 0 };
        let at = token.at + if token.to_move == 0 { -steps } else { steps };
        *token = Token { at: at.clamp(0, self.end), to_move: 1 - token.to_move };
    }

    fn hash(&self, token: &Token) -> u64 {
        zobrist(1, token.at as u64) ^ zobrist(2, token.to_move as u64)
    }

    fn score(&self, token: &Token, seat: Seat) -> i64 {
        i64::from(if seat == 0 { self.end - token.at } else { token.at })
    }

    fn observe(&self, token: &Token, _: Seat) -> i32 {
        token.at
    }

    fn action_name(&self, pull: Pull) -> String {
        if pull == Pull::Hard { "hard" } else { "gently" }.to_owned()
    }

    fn parse_action(&self, _: &Token, name: &str) -> Result<Pull, Illegal> {
        match name {
            "gently" => Ok(Pull::Gently),
            "hard" => Ok(Pull::Hard),
            _ => Err(Illegal(format!("`{name}` is not an action; the actions are gently and hard"))),
        }
    }
}

impl Encode for Rope {
    fn action_count(&self) -> usize {
        2
    }

    fn numbered(&self, number: usize) -> Pull {
        if number == 0 { Pull::Gently } else { Pull::Hard }
    }

    fn number(&self, pull: Pull) -> Option<usize> {
        Some(pull as usize)
    }

    fn allows(&self, token: &Token, _: Pull) -> bool {
        matches!(self.status(token), Status::ToMove(_))
    }

    fn planes(&self) -> &'static [Plane] {
        const { &[Plane::marks("token"), Plane::marks("to move"), Plane::marks("outside")] }
    }

    fn extent(&self) -> Size {
        Size::new(self.end as u16 + 1, 1)
    }

    fn write(&self, token: &Token, seat: Seat, canvas: &mut Canvas<'_>) {
        canvas.clear();
        canvas.put(0, token.at as u16, 0, 1);
        canvas.fill(1, u8::from(self.status(token) == Status::ToMove(seat)));
        canvas.fill_outside(2, self.extent(), 1);
    }
}
