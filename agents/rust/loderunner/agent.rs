//! Lode Runner in Rust, for the rules of the course: heads for the nearest bonus and avoids the enemies.

use std::collections::{HashMap, VecDeque};
use std::io;

type Cell = (usize, usize);

/// The words of an observation.
struct Words<'a>(std::slice::Iter<'a, &'a str>);

impl<'a> Words<'a> {
    fn word(&mut self) -> &'a str {
        self.0.next().copied().unwrap_or_default()
    }

    fn number(&mut self) -> i64 {
        self.word().parse().unwrap_or_default()
    }

    /// Reads a list: its length, then its elements.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| element(self)).collect()
    }

    fn cell(&mut self) -> Cell {
        let numbers = self.list(Self::number);
        (numbers[0] as usize, numbers[1] as usize)
    }

    /// Reads an object: its length, then keys and values. Only the position is needed.
    fn thing(&mut self) -> Cell {
        let values: HashMap<&str, &str> = (0..self.number()).map(|_| (self.word(), self.word())).collect();
        let at = |key: &str| values.get(key).and_then(|value| value.parse().ok()).unwrap_or_default();
        (at("x"), at("y"))
    }
}

struct Position {
    map: Vec<Vec<u8>>,
    exit: Cell,
    runner: Cell,
    enemies: Vec<Cell>,
    bonuses: Vec<Cell>,
    holes: Vec<Cell>,
}

impl Position {
    /// Parses an observation under the rules of the course; `None` under other rules.
    fn read(words: &[&str]) -> Option<Self> {
        let mut words = Words(words.iter());
        let mut position = Self {
            map: Vec::new(),
            exit: (0, 0),
            runner: (0, 0),
            enemies: Vec::new(),
            bonuses: Vec::new(),
            holes: Vec::new(),
        };
        for _ in 0..words.number() {
            match words.word() {
                "map" => position.map = words.list(|words| words.word().bytes().collect()),
                "exit" => position.exit = words.cell(),
                "characters" => {
                    let mut characters = words.list(Words::thing).into_iter();
                    position.runner = characters.next()?;
                    position.enemies = characters.collect();
                }
                "bonuses" => position.bonuses = words.list(Words::cell),
                "bombs" => position.holes = words.list(Words::thing),
                _ => return None,
            }
        }
        Some(position)
    }

    fn tile(&self, (x, y): Cell) -> u8 {
        self.map[y][x]
    }

    /// The cell that the runner falls to from here; `None` if it is a hole.
    fn fall(&self, (x, mut y): Cell) -> Option<Cell> {
        while self.tile((x, y - 1)) != b'C' && (self.holes.contains(&(x, y + 1)) || b".C".contains(&self.tile((x, y + 1)))) {
            y += 1;
        }
        (!self.holes.contains(&(x, y))).then_some((x, y))
    }

    /// The cell that an action leads to, if it is possible.
    fn go(&self, action: &str, (x, y): Cell) -> Option<Cell> {
        let open = |cell| !b"WF".contains(&self.tile(cell));
        match action {
            "up" if self.tile((x, y)) == b'L' && open((x, y - 1)) => Some((x, y - 1)),
            "down" if b"L.".contains(&self.tile((x, y + 1))) => self.fall((x, y + 1)),
            "left" if open((x - 1, y)) => self.fall((x - 1, y)),
            "right" if open((x + 1, y)) => self.fall((x + 1, y)),
            _ => None,
        }
    }

    fn steps(from: Cell, to: Cell) -> usize {
        from.0.abs_diff(to.0) + from.1.abs_diff(to.1)
    }

    /// Whether an enemy might be there when the runner arrives.
    fn dangerous(&self, cell: Cell, after: usize) -> bool {
        let free = |enemy: &&Cell| !self.holes.contains(enemy);
        self.enemies.iter().filter(free).any(|&enemy| Self::steps(cell, enemy) <= 1 + after.min(6) / 2)
    }

    /// The first action and the length of a shortest path to a bonus or, if none is left, to the exit.
    fn path(&self) -> Option<(&'static str, usize)> {
        let goal = |cell: &Cell| if self.bonuses.is_empty() { *cell == self.exit } else { self.bonuses.contains(cell) };
        let mut known: HashMap<Cell, ()> = HashMap::from([(self.runner, ())]);
        let mut queue: VecDeque<(Cell, &'static str, usize)> = VecDeque::from([(self.runner, "none", 0)]);
        while let Some((cell, first, length)) = queue.pop_front() {
            if length > 0 && goal(&cell) {
                return Some((first, length));
            }
            for action in ["left", "right", "up", "down"] {
                let Some(there) = self.go(action, cell) else { continue };
                if self.dangerous(there, length + 1) || known.insert(there, ()).is_some() {
                    continue;
                }
                queue.push_back((there, if length == 0 { action } else { first }, length + 1));
            }
        }
        None
    }

    /// Digs a hole for an approaching enemy, or else runs away from the nearest one.
    fn defend<'a>(&self, legal: &[&'a str]) -> &'a str {
        let (x, y) = self.runner;
        let comes = |side: i64| {
            self.enemies.iter().any(|&(ex, ey)| {
                let distance = (ex as i64 - x as i64) * side;
                ey == y && (1..=5).contains(&distance) && !self.holes.contains(&(ex, ey))
            })
        };
        let hole = |side: i64| self.holes.contains(&((x as i64 + side) as usize, y + 1));
        for (action, side) in [("bomb_left", -1), ("bomb_right", 1)] {
            if let Some(bomb) = legal.iter().find(|name| **name == action && comes(side) && !hole(side)) {
                return bomb;
            }
        }
        let far = |cell: Cell| self.enemies.iter().map(|&enemy| Self::steps(cell, enemy)).min().unwrap_or(99);
        let goes = |name: &str| if name == "none" { Some(self.runner) } else { self.go(name, self.runner) };
        let escapes = legal.iter().filter_map(|name| Some((far(goes(name)?), name)));
        escapes.max_by_key(|(steps, _)| *steps).map_or(legal[0], |(_, name)| name)
    }
}

fn act(n: &str, legal: &[&str], seen: &[&str]) {
    let Some(position) = Position::read(seen) else {
        println!("act {n} {}", legal[0]);
        return;
    };
    match position.path() {
        Some((action, length)) if legal.contains(&action) => {
            println!("info {length} moves to go");
            println!("act {n} {action}");
        }
        _ => println!("act {n} {}", position.defend(legal)),
    }
}

fn main() {
    for line in io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "hello" => println!("hello 1 rust-loderunner"),
            "start" => println!("ready"),
            "turn" => {
                let (legal, seen) = words[4..].split_at(words[3].parse().expect("a count"));
                act(words[1], legal, seen);
            }
            "quit" => break,
            _ => {}
        }
    }
}
