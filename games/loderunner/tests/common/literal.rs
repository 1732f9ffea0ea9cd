//! The rules of `classic` written down as they are told, cell by cell in two layers of characters, without any table: the
//! oracle of the engine.

use damier_core::random::Chance;

/// The characters of the layers: ` #@H-XS$` as drawn, `0` a guard, `&` the runner.
type Layer = Vec<Vec<char>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    pub x: i32,
    pub y: i32,
    pub xo: i32,
    pub yo: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Moving,
    Trapped,
    Climbing(i32, i32),
    Respawning,
    Away,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub at: Figure,
    pub action: Action,
    pub carry: i32,
}

/// A list entry of steps 4 to 6: who or where, the phase, and the counter within it.
#[derive(Clone, Copy, Debug)]
pub struct Timer<T> {
    pub of: T,
    phase: usize,
    counter: i32,
}

impl<T> Timer<T> {
    fn new(of: T) -> Self {
        Self { of, phase: 0, counter: -1 }
    }

    /// One tick; true after the last phase.
    fn tick(&mut self, phases: &[i32]) -> bool {
        self.counter += 1;
        if self.counter == phases[self.phase] {
            self.phase += 1;
            self.counter = 0;
        }
        self.phase == phases.len()
    }

    /// The ticks until it is done.
    pub fn left(&self, phases: &[i32]) -> i32 {
        phases[self.phase..].iter().sum::<i32>() - self.counter
    }
}

pub const HOLE_PHASES: [i32; 4] = [166, 8, 8, 4];
pub const RESPAWN_PHASES: [i32; 2] = [6, 2];

/// What is left to chance: the draws of a recording first, then chance.
pub struct Draws<'a, C> {
    pub carries: std::vec::IntoIter<i32>,
    pub cells: std::vec::IntoIter<(i32, i32)>,
    pub chance: &'a mut C,
}

#[derive(Clone, Debug)]
pub struct Literal {
    width: i32,
    height: i32,
    pub base: Layer,
    pub now: Layer,
    pub runner: Figure,
    pub runner_falls: bool,
    pub gold_left: i32,
    pub guards: Vec<Guard>,
    pub turn: usize,
    pub cycle: usize,
    pub dig: Option<(i32, i32, i32)>,
    pub trapped: Vec<Timer<usize>>,
    pub holes: Vec<Timer<(i32, i32)>>,
    pub respawning: Vec<Timer<usize>>,
    bag: Vec<i32>,
    pub dead: bool,
    pub version: u8,
}

impl Literal {
    pub fn new(text: &str, version: u8) -> Self {
        let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
        let longest = rows.iter().map(|row| row.len()).max().unwrap();
        let (width, height) = (longest.max(28) as i32, rows.len() as i32);
        let mut base = vec![vec![' '; width as usize]; height as usize];
        for (y, row) in rows.into_iter().enumerate() {
            for (x, character) in row.chars().enumerate() {
                base[y][x] = character;
            }
        }
        let mut now = base.clone();
        let (mut runner, mut guards) = (Figure { x: 0, y: 0, xo: 0, yo: 0 }, Vec::new());
        let mut gold_left = 0;
        for y in 0..height {
            for x in 0..width {
                let at = Figure { x, y, xo: 0, yo: 0 };
                let (ground, seen) = (&mut base[y as usize][x as usize], &mut now[y as usize][x as usize]);
                match *ground {
                    '&' => (runner, *ground) = (at, ' '),
                    '0' => {
                        guards.push(Guard { at, action: Action::Moving, carry: 0 });
                        *ground = ' ';
                    }
                    '$' => (gold_left, *seen) = (gold_left + 1, ' '),
                    'S' => *seen = ' ',
                    _ => {}
                }
            }
        }
        while guards.len() > 5 {
            let dropped = guards.remove(0).at;
            now[dropped.y as usize][dropped.x as usize] = ' ';
        }
        let mut literal = Self {
            width,
            height,
            base,
            now,
            runner,
            runner_falls: false,
            gold_left,
            guards,
            turn: 0,
            cycle: 0,
            dig: None,
            trapped: Vec::new(),
            holes: Vec::new(),
            respawning: Vec::new(),
            bag: Vec::new(),
            dead: false,
            version,
        };
        if gold_left == 0 {
            literal.show_hidden_ladders();
        }
        literal
    }

    /// What reads there; beyond the edges nothing does.
    pub fn now(&self, x: i32, y: i32) -> char {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.now[y as usize][x as usize]
        } else {
            '!'
        }
    }

    pub fn base(&self, x: i32, y: i32) -> char {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.base[y as usize][x as usize]
        } else {
            '!'
        }
    }

    fn set_now(&mut self, x: i32, y: i32, character: char) {
        self.now[y as usize][x as usize] = character;
    }

    pub fn won(&self) -> bool {
        !self.dead && self.gold_left == 0 && self.runner.y == 0 && self.runner.yo == 0
    }

    pub fn trapped_phases(&self) -> [i32; 6] {
        [if self.version == 3 { 36 } else { 51 }, 3, 3, 3, 3, 3]
    }

    /// One tick; `LRUDzx.` is the key. True if the runner looked at the key.
    pub fn tick<C: Chance>(&mut self, key: char, draws: &mut Draws<'_, C>) -> bool {
        let looked = if self.dig_goes_on() {
            self.go_on_digging();
            false
        } else {
            self.move_runner(key)
        };
        if !self.dead {
            self.move_guards(draws);
        }
        self.trapped_guards();
        self.fill_holes(draws);
        self.respawn_guards(draws);
        looked
    }

    fn dig_goes_on(&mut self) -> bool {
        let Some((x, y, frame)) = self.dig else { return false };
        if self.now(x, y - 1) != '0' {
            return true;
        }
        let guard = self.guard_at(x, y - 1);
        if frame < 8 && guard.is_some_and(|id| self.guards[id].at.yo > -11) {
            self.set_now(x, y, '#');
            self.dig = None;
            return false;
        }
        self.set_now(x, y, ' ');
        true
    }

    fn go_on_digging(&mut self) {
        let (x, y, frame) = self.dig.unwrap();
        self.dig = Some((x, y, frame + 1));
        if frame + 1 == 11 {
            self.dig = None;
            self.set_now(x, y, ' ');
            self.holes.push(Timer::new((x, y)));
        }
    }

    fn guard_at(&self, x: i32, y: i32) -> Option<usize> {
        self.guards.iter().position(|it| (it.at.x, it.at.y) == (x, y) && it.action != Action::Away)
    }

    /// Nothing holds up whoever is there.
    fn falls(&self, at: Figure) -> bool {
        let here = self.base(at.x, at.y);
        if here == 'H' || (here == '-' && at.yo == 0) {
            return false;
        }
        at.yo < 0 || (at.y < self.height - 1 && !"#H@0".contains(self.now(at.x, at.y + 1)))
    }

    fn move_runner(&mut self, key: char) -> bool {
        let Figure { x, y, xo, yo } = self.runner;
        let falls = self.falls(self.runner);
        if falls {
            let stop = y == self.height - 1 || "#@0".contains(self.now(x, y + 1));
            self.runner_falls = true;
            self.runner_sinks(stop, true);
        } else {
            self.runner_falls = false;
            match key {
                'U' => self.runner_up(),
                'D' => {
                    let stop = y == self.height - 1 || "#@".contains(self.now(x, y + 1));
                    if !(yo >= 0 && stop) {
                        self.runner_sinks(stop, false);
                    }
                }
                'L' if !(xo <= 0 && "#@X!".contains(self.now(x - 1, y))) => self.runner_aside(-1),
                'R' if !(xo >= 0 && "#@X!".contains(self.now(x + 1, y))) => self.runner_aside(1),
                'z' => self.begin_dig(x - 1, y + 1),
                'x' => self.begin_dig(x + 1, y + 1),
                _ => {}
            }
        }
        self.settle_runner();
        !falls
    }

    fn runner_up(&mut self) {
        let Figure { x, y, yo, .. } = self.runner;
        let mut stop = y == 0 || "#@X".contains(self.now(x, y - 1));
        let on_ladder = self.base(x, y) == 'H';
        let ladder_below = self.base(x, y + 1) == 'H';
        if !on_ladder && yo > 0 && yo < 11 && ladder_below && y > 0 {
            stop = true;
        } else if (!on_ladder && (yo <= 0 || !ladder_below)) || (yo <= 0 && stop) {
            return;
        }
        self.runner.xo = towards_zero(self.runner.xo, 8);
        self.runner.yo -= 9;
        if stop && self.runner.yo < 0 {
            self.runner.yo = 0;
        } else if self.runner.yo < -22 {
            self.runner_enters(x, y - 1);
            self.runner.yo += 44;
        }
    }

    fn runner_sinks(&mut self, stop: bool, mut falling: bool) {
        let Figure { x, y, yo, .. } = self.runner;
        let mut catches = false;
        if self.base(x, y) == '-' {
            if yo < 0 {
                catches = true;
            } else if !falling && y < self.height - 1 && !"H0".contains(self.now(x, y + 1)) {
                falling = true;
            }
        }
        self.runner_falls = falling;
        self.runner.xo = towards_zero(self.runner.xo, 8);
        self.runner.yo += 9;
        if catches && self.runner.yo >= 0 {
            self.runner.yo = 0;
            self.runner_falls = false;
        }
        if stop && self.runner.yo > 0 {
            self.runner.yo = 0;
        } else if self.runner.yo > 22 {
            self.runner_enters(x, y + 1);
            self.runner.yo -= 44;
        }
        let Figure { x, y, .. } = self.runner;
        if falling && self.now(x, y + 1) == '0' {
            let head = self.guard_at(x, y + 1).map_or(i32::MAX, |id| self.guards[id].at.yo);
            self.runner.yo = self.runner.yo.min(head);
        }
    }

    fn runner_aside(&mut self, sign: i32) {
        let Figure { x, y, .. } = self.runner;
        let stop = "#@X!".contains(self.now(x + sign, y));
        self.runner.yo = towards_zero(self.runner.yo, 9);
        self.runner.xo += 8 * sign;
        if stop && self.runner.xo * sign > 0 {
            self.runner.xo = 0;
        } else if self.runner.xo * sign > 20 {
            self.runner_enters(x + sign, y);
            self.runner.xo -= 40 * sign;
        }
    }

    fn begin_dig(&mut self, x: i32, y: i32) {
        if self.now(x, y) == '#' && self.now(x, y - 1) == ' ' && self.base(x, y - 1) != '$' {
            (self.runner.xo, self.runner.yo) = (0, 0);
            self.dig = Some((x, y, 0));
        }
    }

    /// An entity leaves a cell: `now` becomes the base again, but brick and hidden ladder become empty.
    fn leave(&mut self, x: i32, y: i32) {
        let seen = match self.base(x, y) {
            '#' | 'S' | '$' => ' ',
            base => base,
        };
        self.set_now(x, y, seen);
    }

    fn runner_enters(&mut self, x: i32, y: i32) {
        self.leave(self.runner.x, self.runner.y);
        (self.runner.x, self.runner.y) = (x, y);
        if self.now(x, y) == '0' {
            let id = self.guard_at(x, y);
            self.dead |= id.is_some_and(|id| self.guards[id].action != Action::Respawning);
        }
    }

    fn within_reach(&self, at: Figure) -> bool {
        (at.xo == 0 && at.yo >= 0 && at.yo < 11)
            || (at.yo == 0 && at.xo >= 0 && at.xo < 10)
            || (self.base(at.x, at.y + 1) == 'H' && at.yo < 11)
    }

    fn settle_runner(&mut self) {
        let at = self.runner;
        self.set_now(at.x, at.y, '&');
        if self.base(at.x, at.y) == '$' && self.within_reach(at) {
            self.base[at.y as usize][at.x as usize] = ' ';
            self.collected();
        }
        let around = [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(x, y)| (at.x + x, at.y + y));
        let beside = around.into_iter().find(|&(x, y)| self.now(x, y) == '0');
        if let Some(id) = beside.and_then(|(x, y)| self.guard_at(x, y)) {
            let other = self.guards[id].at;
            let apart_x = (other.x * 40 + other.xo - at.x * 40 - at.xo).abs();
            let apart_y = (other.y * 44 + other.yo - at.y * 44 - at.yo).abs();
            self.dead |= self.guards[id].action != Action::Respawning && apart_x <= 30 && apart_y <= 33;
        }
    }

    fn collected(&mut self) {
        self.gold_left -= 1;
        if self.gold_left == 0 {
            self.show_hidden_ladders();
        }
    }

    fn show_hidden_ladders(&mut self) {
        for y in 0..self.height as usize {
            for x in 0..self.width as usize {
                if self.base[y][x] == 'S' {
                    self.base[y][x] = 'H';
                    self.now[y][x] = 'H';
                }
            }
        }
    }

    fn move_guards<C: Chance>(&mut self, draws: &mut Draws<'_, C>) {
        const MOVES: [[u8; 6]; 6] = [
            [0, 0, 0, 0, 0, 0],
            [0, 1, 0, 1, 0, 1],
            [1, 1, 1, 1, 1, 1],
            [1, 2, 1, 1, 2, 1],
            [1, 2, 2, 1, 2, 2],
            [2, 2, 2, 2, 2, 2],
        ];
        self.cycle = (self.cycle + 1) % 6;
        for _ in 0..MOVES[self.guards.len()][self.cycle] {
            self.turn = (self.turn + 1) % self.guards.len();
            let id = self.turn;
            if matches!(self.guards[id].action, Action::Moving | Action::Climbing(..)) {
                let way = self.choose(id);
                self.step_guard(id, way, draws);
                self.end_turn(id, draws);
            }
        }
    }

    /// `U D L R`, `F` to fall, `.` to stand.
    fn choose(&mut self, id: usize) -> char {
        let Guard { at, action, .. } = self.guards[id];
        if let Action::Climbing(x, y) = action {
            if at.y == y {
                return 'U';
            }
            if at.x != x {
                self.guards[id].action = Action::Moving;
            }
        } else if self.falls(at) {
            return 'F';
        }
        if at.y == self.runner.y && !self.runner_falls && self.can_run_to_runner(at) {
            let is_left = (at.x, at.xo) < (self.runner.x, self.runner.xo);
            return if is_left { 'R' } else { 'L' };
        }
        self.scan(at)
    }

    fn can_run_to_runner(&self, at: Figure) -> bool {
        let (mut x, y) = (at.x, at.y);
        while x != self.runner.x {
            let holds = "H-".contains(self.base(x, y))
                || y == self.height - 1
                || "@H#-$".contains(self.base(x, y + 1))
                || self.now(x, y + 1) == '0';
            if !holds {
                return false;
            }
            x += (self.runner.x - x).signum();
        }
        true
    }

    fn support(&self, x: i32, y: i32) -> bool {
        "#@H".contains(self.base(x, y))
    }

    fn scan(&self, at: Figure) -> char {
        let end = |sign: i32| {
            let mut x = at.x;
            while (0..self.width).contains(&(x + sign)) && !"#@".contains(self.now(x + sign, at.y)) {
                x += sign;
                let goes_on =
                    "H-".contains(self.now(x, at.y)) || at.y == self.height - 1 || self.support(x, at.y + 1);
                if !goes_on {
                    break;
                }
            }
            x
        };
        let (left, right) = (end(-1), end(1));
        let mut tries = vec![(at.x, 'D', 'D'), (at.x, 'U', 'U')];
        for x in left..at.x {
            tries.extend([(x, 'D', 'L'), (x, 'U', 'L')]);
        }
        for x in (at.x + 1..=right).rev() {
            tries.extend([(x, 'D', 'R'), (x, 'U', 'R')]);
        }
        let (mut best, mut way) = (255, '.');
        for (x, vertical, direction) in tries {
            let row = if vertical == 'D' { self.look_down(x, at.y) } else { self.look_up(x, at.y) };
            let Some(row) = row else { continue };
            let rating = match row - self.runner.y {
                0 => (x - at.x).abs(),
                below if below > 0 => 200 + below,
                above => 100 - above,
            };
            if rating < best {
                (best, way) = (rating, direction);
            }
        }
        way
    }

    /// On either side there is support diagonally below or a bar beside.
    fn can_get_off(&self, x: i32, y: i32) -> bool {
        [x - 1, x + 1].into_iter().any(|beside| {
            (0..self.width).contains(&beside)
                && ((y < self.height - 1 && self.support(beside, y + 1)) || self.base(beside, y) == '-')
        })
    }

    fn look_down(&self, x: i32, from: i32) -> Option<i32> {
        let mut y = from;
        if y == self.height - 1 || "#@".contains(self.base(x, y + 1)) {
            return None;
        }
        while y < self.height - 1 && !"#@".contains(self.base(x, y + 1)) {
            if !" S".contains(self.base(x, y)) && y >= self.runner.y && self.can_get_off(x, y) {
                break;
            }
            y += 1;
        }
        Some(y)
    }

    fn look_up(&self, x: i32, from: i32) -> Option<i32> {
        if self.base(x, from) != 'H' {
            return None;
        }
        let mut y = from;
        while y > 0 && self.base(x, y) == 'H' {
            y -= 1;
            if y <= self.runner.y && self.can_get_off(x, y) {
                break;
            }
        }
        Some(y)
    }

    fn step_guard<C: Chance>(&mut self, id: usize, way: char, _: &mut Draws<'_, C>) {
        match way {
            '.' => self.guards[id].action = Action::Moving,
            'U' => self.guard_up(id),
            'D' | 'F' => self.guard_sinks(id, way == 'F'),
            'L' => self.guard_aside(id, -1),
            _ => self.guard_aside(id, 1),
        }
    }

    fn end_turn<C: Chance>(&mut self, id: usize, draws: &mut Draws<'_, C>) {
        let Guard { at, carry, .. } = self.guards[id];
        self.set_now(at.x, at.y, '0');
        if carry == 0 && self.base(at.x, at.y) == '$' && self.within_reach(at) {
            self.base[at.y as usize][at.x as usize] = ' ';
            let drawn = draws.carries.next();
            self.guards[id].carry = drawn.unwrap_or_else(|| 12 + draws.chance.below(26) as i32);
        }
    }

    fn guard_enters(&mut self, id: usize, x: i32, y: i32) {
        self.leave(self.guards[id].at.x, self.guards[id].at.y);
        (self.guards[id].at.x, self.guards[id].at.y) = (x, y);
        self.dead |= self.now(x, y) == '&';
    }

    fn guard_up(&mut self, id: usize) {
        let before = self.guards[id].at;
        let stop = before.y == 0 || "#@X0".contains(self.now(before.x, before.y - 1));
        if before.yo <= 0 && stop {
            return;
        }
        self.guards[id].at.xo = towards_zero(before.xo, 8);
        self.guards[id].at.yo -= 9;
        if stop && self.guards[id].at.yo < 0 {
            self.guards[id].at.yo = 0;
        } else if self.guards[id].at.yo < -22 {
            self.guard_enters(id, before.x, before.y - 1);
            self.guards[id].at.yo += 44;
        }
        let yo = self.guards[id].at.yo;
        if yo <= 0 && yo > -9 {
            self.count_carry(id, before);
        }
    }

    fn guard_sinks(&mut self, id: usize, falling: bool) {
        let before = self.guards[id].at;
        let Figure { x, y, .. } = before;
        let into_hole = falling && before.yo < 0 && self.base(x, y) == '#';
        let stop = into_hole || y == self.height - 1 || "#@0".contains(self.now(x, y + 1));
        if before.yo >= 0 && stop {
            return;
        }
        let catches = self.base(x, y) == '-' && before.yo < 0;
        self.guards[id].at.xo = towards_zero(before.xo, 8);
        self.guards[id].at.yo += 9;
        let caught = catches && self.guards[id].at.yo >= 0;
        if caught {
            self.guards[id].at.yo = 0;
        }
        if stop && self.guards[id].at.yo > 0 {
            self.guards[id].at.yo = 0;
        } else if self.guards[id].at.yo > 22 {
            self.guard_enters(id, x, y + 1);
            self.guards[id].at.yo -= 44;
        }
        let yo = self.guards[id].at.yo;
        if into_hole {
            if yo >= 0 || self.version == 4 {
                self.lose_gold(id);
            }
            if yo >= 0 {
                self.guards[id].action = Action::Trapped;
                self.guards[id].carry = 0;
                self.trapped.push(Timer::new(id));
            }
        } else if !caught && (0..9).contains(&yo) {
            self.count_carry(id, before);
        }
    }

    fn guard_aside(&mut self, id: usize, sign: i32) {
        let before = self.guards[id].at;
        let (beside, y) = (before.x + sign, before.y);
        let stop = "#@0!".contains(self.now(beside, y)) || self.base(beside, y) == 'X';
        if before.xo * sign >= 0 && stop {
            return;
        }
        self.guards[id].at.yo = towards_zero(before.yo, 9);
        self.guards[id].at.xo += 8 * sign;
        if stop && self.guards[id].at.xo * sign > 0 {
            self.guards[id].at.xo = 0;
        } else if self.guards[id].at.xo * sign > 20 {
            self.guard_enters(id, beside, y);
            self.guards[id].at.xo -= 40 * sign;
        }
        if (0..8).contains(&(self.guards[id].at.xo * sign)) {
            self.count_carry(id, before);
        }
    }

    fn count_carry(&mut self, id: usize, before: Figure) {
        let Figure { x, y, .. } = before;
        match self.guards[id].carry {
            2.. => self.guards[id].carry -= 1,
            1 if self.base(x, y) == ' ' && (y == self.height - 1 || self.support(x, y + 1)) => {
                self.base[y as usize][x as usize] = '$';
                self.guards[id].carry = -1;
            }
            0 | 1 => {}
            _ => self.guards[id].carry += 1,
        }
    }

    fn lose_gold(&mut self, id: usize) {
        if self.guards[id].carry > 0 {
            self.guards[id].carry = 0;
            let Figure { x, y, .. } = self.guards[id].at;
            if self.base(x, y - 1) == ' ' {
                self.base[(y - 1) as usize][x as usize] = '$';
            } else {
                self.collected();
            }
        }
    }

    fn trapped_guards(&mut self) {
        let phases = self.trapped_phases();
        let mut index = 0;
        while index < self.trapped.len() {
            if self.trapped[index].tick(&phases) {
                let id = self.trapped.remove(index).of;
                self.guards[id].action = Action::Climbing(self.guards[id].at.x, self.guards[id].at.y);
            } else {
                index += 1;
            }
        }
    }

    fn fill_holes<C: Chance>(&mut self, draws: &mut Draws<'_, C>) {
        let mut index = 0;
        while index < self.holes.len() {
            if !self.holes[index].tick(&HOLE_PHASES) {
                index += 1;
                continue;
            }
            let (x, y) = self.holes.remove(index).of;
            match self.now(x, y) {
                '&' => self.dead = true,
                '0' => {
                    if let Some(id) = self.guard_at(x, y) {
                        self.set_now(x, y, '#');
                        self.bury(id, draws);
                    }
                }
                _ => {}
            }
            self.set_now(x, y, '#');
        }
    }

    fn bury<C: Chance>(&mut self, id: usize, draws: &mut Draws<'_, C>) {
        self.trapped.retain(|timer| timer.of != id);
        if self.guards[id].carry > 0 {
            self.guards[id].carry = 0;
            self.collected();
        }
        self.guards[id].action = Action::Away;
        self.come_back(id, draws);
    }

    fn come_back<C: Chance>(&mut self, id: usize, draws: &mut Draws<'_, C>) {
        let Some((x, y)) = draws.cells.next().or_else(|| self.draw_cell(draws.chance)) else { return };
        self.set_now(x, y, '0');
        self.guards[id].at = Figure { x, y, xo: 0, yo: 0 };
        self.guards[id].action = Action::Respawning;
        self.respawning.push(Timer::new(id));
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        self.now(x, y) == ' ' && !"$#".contains(self.base(x, y))
    }

    fn draw_cell(&mut self, chance: &mut impl Chance) -> Option<(i32, i32)> {
        if !(1..self.height).any(|y| (0..self.width).any(|x| self.is_free(x, y))) {
            return None;
        }
        let first = self.draw_column(chance);
        let (mut x, mut y) = (first, 1);
        while !self.is_free(x, y) {
            x = self.draw_column(chance);
            if x == first {
                y = if y + 1 == self.height { 1 } else { y + 1 };
            }
        }
        Some((x, y))
    }

    /// A shuffled bag, drawn one by one.
    fn draw_column(&mut self, chance: &mut impl Chance) -> i32 {
        if self.bag.is_empty() {
            self.bag = (0..self.width).collect();
        }
        let drawn = chance.below(self.bag.len() as u32) as usize;
        self.bag.remove(drawn)
    }

    fn respawn_guards<C: Chance>(&mut self, draws: &mut Draws<'_, C>) {
        let mut index = 0;
        while index < self.respawning.len() {
            if !self.respawning[index].tick(&RESPAWN_PHASES) {
                index += 1;
                continue;
            }
            let id = self.respawning.remove(index).of;
            let Figure { x, y, .. } = self.guards[id].at;
            self.dead |= self.now(x, y) == '&';
            self.set_now(x, y, '0');
            self.guards[id].action = Action::Moving;
        }
        for id in 0..self.guards.len() {
            if self.guards[id].action == Action::Away {
                self.come_back(id, draws);
            }
        }
    }
}

fn towards_zero(offset: i32, step: i32) -> i32 {
    offset - offset.clamp(-step, step)
}
