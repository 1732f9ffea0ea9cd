//! The rules of `course` written down as they are told, cell by cell, without any table: the oracle of the engine.

/// A cell, or a target that may lie outside.
pub type At = (i32, i32);

const STEPS: [At; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    pub width: i32,
    pub height: i32,
    pub wall: Vec<bool>,
    pub pellet: Vec<bool>,
    pub potion: Vec<bool>,
    pub pacman: At,
    pub dir: usize,
    pub ghosts: Vec<(At, usize)>,
    pub clock: Option<u8>,
    pub score: u32,
    pub ended: Option<&'static str>,
}

impl Literal {
    /// Reads a drawing in our own format.
    pub fn new(text: &str) -> Self {
        let rows: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
        let cells: Vec<char> = rows.concat();
        let (width, height) = (rows[0].len() as i32, rows.len() as i32);
        let find = |char| cells.iter().position(|&cell| cell == char);
        let at = |index: usize| (index as i32 % width, index as i32 / width);
        Self {
            width,
            height,
            wall: cells.iter().map(|&cell| cell == '#').collect(),
            pellet: cells.iter().map(|&cell| cell == '.' || cell == 'o').collect(),
            potion: cells.iter().map(|&cell| cell == 'o').collect(),
            pacman: at(find('P').unwrap()),
            dir: 1,
            ghosts: "1234".chars().filter_map(find).map(|index| (at(index), 0)).collect(),
            clock: None,
            score: 0,
            ended: None,
        }
    }

    pub fn index(&self, (x, y): At) -> usize {
        (y * self.width + x) as usize
    }

    fn next(&self, (x, y): At, dir: usize) -> At {
        ((x + STEPS[dir].0).rem_euclid(self.width), (y + STEPS[dir].1).rem_euclid(self.height))
    }

    fn free(&self, (x, y): At, me: usize) -> bool {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside
            && !self.wall[self.index((x, y))]
            && self.ghosts.iter().enumerate().all(|(other, ghost)| other == me || ghost.0 != (x, y))
    }

    fn corner(&self, (x, y): At, me: usize) -> bool {
        self.free((x, y), me)
            && (self.free((x - 1, y), me) || self.free((x + 1, y), me))
            && (self.free((x, y - 1), me) || self.free((x, y + 1), me))
    }

    fn order(from: At, to: At) -> [usize; 4] {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let h = if dx < 0 { 3 } else { 1 };
        let v = if dy < 0 { 0 } else { 2 };
        if dx.abs() > dy.abs() { [h, v, (v + 2) % 4, (h + 2) % 4] } else { [v, h, (h + 2) % 4, (v + 2) % 4] }
    }

    /// The step from a cell aiming at another: the new cell and the direction of the step.
    fn toward(&self, from: At, to: At, me: usize) -> (At, Option<usize>) {
        for dir in Self::order(from, to) {
            if self.free(self.next(from, dir), me) {
                return (self.next(from, dir), Some(dir));
            }
        }
        (from, None)
    }

    fn move_ghost(&mut self, me: usize) {
        let (cell, dir) = self.ghosts[me];
        let ahead = self.next(cell, dir);
        let default = if self.free(ahead, me) { ahead } else { self.toward(cell, ahead, me).0 };
        if self.corner(cell, me) {
            let target = match self.clock {
                None => self.pacman,
                Some(_) => (self.width - self.pacman.0, self.height - self.pacman.1),
            };
            for way in Self::order(cell, target) {
                if way == (dir + 2) % 4 {
                    continue;
                }
                if let Some(end) = self.walk(cell, way, me) {
                    let (to, step) = self.toward(cell, end, me);
                    self.ghosts[me] = (to, step.unwrap_or(dir));
                    return;
                }
            }
        }
        self.ghosts[me].0 = default;
    }

    fn walk(&self, from: At, dir: usize, me: usize) -> Option<At> {
        let mut at = from;
        loop {
            at = self.next(at, dir);
            if !self.free(at, me) {
                return None;
            }
            if self.corner(at, me) || at == self.pacman {
                return Some(at);
            }
        }
    }

    fn check_death(&mut self) {
        if self.clock.is_none() && self.ghosts.iter().any(|ghost| ghost.0 == self.pacman) {
            self.ended = Some("dead");
        }
    }

    pub fn ghost_phase(&mut self) {
        for ghost in 0..self.ghosts.len() {
            self.move_ghost(ghost);
        }
        self.check_death();
    }

    pub fn pacman_phase(&mut self, key: char) {
        if let Some(dir) = "zdsq".find(key) {
            self.dir = dir;
        }
        let to = self.next(self.pacman, self.dir);
        let index = self.index(to);
        if !self.wall[index] {
            self.pacman = to;
            if self.potion[index] && self.pellet[index] {
                if self.clock.is_none() {
                    self.clock = Some(30);
                }
            } else if self.clock == Some(0) {
                self.clock = None;
            } else if let Some(clock) = &mut self.clock {
                *clock -= 1;
            }
            if self.pellet[index] {
                self.score += 1;
                self.pellet[index] = false;
            }
        }
        self.check_death();
        if self.ended.is_none() && key == 'a' {
            self.ended = Some("quit");
        }
        let ghost_on = |index: usize| self.ghosts.iter().any(|ghost| self.index(ghost.0) == index);
        if self.ended.is_none() && (0..self.pellet.len()).all(|index| !self.pellet[index] || ghost_on(index))
        {
            self.ended = Some("won");
        }
    }
}
