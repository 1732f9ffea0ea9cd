//! Boulder Dash's frame, cell by cell over the whole cave, in place: the oracle of the fast one.

use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::random::Chance;
use damier_delirium::kind::Kind;
use damier_delirium::level::Level;
use damier_delirium::rules::{Action, CaveOptions, Rules, State};

type At = (i32, i32);

/// Up, right, down, left and the diagonals between them, clockwise.
const AROUND: [At; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    Asleep,
    Awake,
    TooBig,
    Enclosed,
}

/// A cave of the oracle.
#[expect(clippy::struct_excessive_bools, reason = "a literal oracle keeps each fact by its name")]
pub struct Den {
    rows: Vec<Vec<Kind>>,
    /// What has been put into a cell in this frame, until the scan passes it.
    fresh: Vec<Vec<bool>>,
    options: CaveOptions,
    /// Border around the cave that the level has not.
    ring: usize,
    open_edges: bool,
    frames: u32,
    gathered: u32,
    need: u32,
    open: bool,
    magic: (bool, bool, u32),
    mood: Mood,
    eaten: bool,
    counted: u32,
    slow_frames: u32,
    birth: u32,
    seed: (u32, u32),
    attempts: Option<(u32, bool)>,
    inbox_waits: bool,
    strong: bool,
    miner: At,
    left: bool,
    death: &'static str,
    pub over: Option<&'static str>,
}

impl Den {
    pub fn new(level: &Level) -> Self {
        let map = level.first();
        let options = CaveOptions::read(map).unwrap();
        let (width, height) = (usize::from(map.size().width), usize::from(map.size().height));
        let ring = usize::from(!map.is_closed() && !options.open_edges);
        let mut rows = vec![vec![Kind::Border; width + 2 * ring]; height + 2 * ring];
        let mut miner = (0, 0);
        for cell in map.size().cells() {
            let (x, y) = map.size().xy(cell);
            let (x, y) = (usize::from(x) + ring, usize::from(y) + ring);
            rows[y][x] = map.headed(cell);
            if rows[y][x].is_miner() {
                miner = (x as i32, y as i32);
            }
        }
        let frames = |ms: u32| ms.div_ceil(options.frame).max(1);
        let (high, low) = (options.slime_seed[0].into(), options.slime_seed[1].into());
        Self {
            fresh: rows.iter().map(|row| vec![false; row.len()]).collect(),
            open_edges: !map.is_closed() && options.open_edges,
            ring,
            frames: 0,
            gathered: 0,
            need: map.need().into(),
            open: map.need() == 0,
            magic: (false, false, frames(options.magic_time)),
            mood: Mood::Asleep,
            eaten: false,
            counted: 0,
            slow_frames: frames(options.amoeba_time),
            birth: options.birth.into(),
            seed: (high, low),
            attempts: None,
            inbox_waits: false,
            strong: false,
            miner,
            left: false,
            death: "killed by an explosion",
            over: None,
            options,
            rows,
        }
    }

    /// The place a step away, around the edges where they are open.
    fn step(&self, (x, y): At, way: usize) -> At {
        let (dx, dy) = AROUND[way % 8];
        let (mut x, mut y) = (x + dx, y + dy);
        if self.open_edges {
            let (w, h) = (self.rows[0].len() as i32, self.rows.len() as i32);
            if self.options.lineshift {
                y += if x < 0 { -1 } else { i32::from(x >= w) };
            }
            (x, y) = ((x + w) % w, (y + h) % h);
        }
        (x, y)
    }

    fn at(&self, (x, y): At) -> Kind {
        self.rows[y as usize][x as usize]
    }

    fn is_fresh(&self, (x, y): At) -> bool {
        self.fresh[y as usize][x as usize]
    }

    fn store(&mut self, at: At, kind: Kind) {
        let kind = match (self.options.long_blasts, kind) {
            (false, Kind::Blast1) => Kind::Blast2,
            (false, Kind::Spark1) => Kind::Spark2,
            _ => kind,
        };
        let (x, y) = (at.0 as usize, at.1 as usize);
        self.rows[y][x] = kind;
        // Grass, walls, doors and nothing itself do not remember that they were put there.
        let moves = kind.is_loose()
            || kind.is_monster()
            || kind.is_blast()
            || matches!(
                kind,
                Kind::Miner | Kind::Amoeba | Kind::GrowingAcross | Kind::GrowingUp | Kind::Growing
            );
        self.fresh[y][x] = moves;
        if kind == Kind::Miner {
            self.miner = at;
        }
    }

    fn shift(&mut self, from: At, to: At, kind: Kind) {
        self.store(to, kind);
        self.store(from, Kind::Empty);
    }

    pub fn frame(&mut self, action: Action, chance: &mut impl Chance) {
        if self.over.is_some() {
            return;
        }
        self.frames += 1;
        self.inbox_waits = self.frames % 2 == 1;
        (self.eaten, self.counted, self.attempts) = (false, 0, None);
        self.death = "killed by an explosion";
        let (w, h) = (self.rows[0].len() as i32, self.rows.len() as i32);
        let skipped = i32::from(!self.options.border_scan);
        for y in skipped..h - skipped {
            for x in 0..w {
                if self.is_fresh((x, y)) {
                    self.fresh[y as usize][x as usize] = false;
                    continue;
                }
                self.scan((x, y), action, chance);
                self.fresh[y as usize][x as usize] = false;
            }
        }
        self.fresh.iter_mut().flatten().for_each(|fresh| *fresh = false);
        self.end();
    }

    fn end(&mut self) {
        if self.mood == Mood::Awake {
            if self.counted >= self.options.amoeba_size {
                self.mood = Mood::TooBig;
            }
            if !self.eaten {
                self.mood = Mood::Enclosed;
            }
        }
        let (active, expired, left) = self.magic;
        if self.options.magic_stops_amoeba && active && !expired && self.has_amoeba() {
            self.mood = Mood::Enclosed;
        }
        if self.mood == Mood::Awake {
            self.slow_frames = self.slow_frames.saturating_sub(1);
        }
        if active && !expired && self.birth == 0 {
            self.magic = (active, left <= 1, left.saturating_sub(1));
        }
        self.birth = self.birth.saturating_sub(1);
        if self.left {
            self.over = Some("exit reached");
        } else if !self.rows.iter().flatten().any(|kind| kind.is_miner()) {
            self.over = Some(self.death);
        }
    }

    fn has_amoeba(&self) -> bool {
        self.counted > 0 || self.rows.iter().flatten().any(|&kind| kind == Kind::Amoeba)
    }

    fn scan(&mut self, at: At, action: Action, chance: &mut impl Chance) {
        let kind = self.at(at);
        match kind {
            Kind::Rock | Kind::Diamond | Kind::FallingRock | Kind::FallingDiamond => self.thing(at, kind),
            Kind::Miner => self.walk(at, action, chance),
            Kind::Inbox => {
                if self.birth == 0 && !self.inbox_waits {
                    self.store(at, Kind::Birth1);
                }
                self.inbox_waits = !self.inbox_waits;
            }
            Kind::Birth1 => self.store(at, Kind::Birth2),
            Kind::Birth2 => self.store(at, Kind::Birth3),
            Kind::Birth3 => self.store(at, Kind::Miner),
            Kind::Exit if self.open => self.store(at, Kind::OpenExit),
            Kind::HiddenExit if self.open => self.store(at, Kind::OpenHiddenExit),
            Kind::Amoeba => self.amoeba(at, chance),
            Kind::Slime => self.slime(at, chance),
            Kind::GrowingAcross => self.grow(at, kind, &[6, 2], 1),
            Kind::GrowingUp => self.grow(at, kind, &[0, 4], 1),
            Kind::Growing => self.grow(at, kind, &[6, 2, 0, 4], 4),
            kind if kind.is_monster() => self.monster(at, kind),
            kind if kind.is_blast() => self.burn(at, kind),
            _ => {}
        }
    }

    fn thing(&mut self, at: At, kind: Kind) {
        let down = self.options.gravity;
        let below = self.step(at, down);
        let hit = self.at(below);
        let flying = kind != kind.at_rest();
        let in_flight = if kind.at_rest() == Kind::Rock { Kind::FallingRock } else { Kind::FallingDiamond };
        if hit == Kind::Empty {
            return self.shift(at, below, in_flight);
        }
        if flying && hit == Kind::Magic {
            self.magic.0 = true;
            let under = self.step(below, down);
            if !self.magic.1 && self.at(under) == Kind::Empty {
                let other =
                    if in_flight == Kind::FallingRock { Kind::FallingDiamond } else { Kind::FallingRock };
                self.store(under, other);
            }
            return self.store(at, Kind::Empty);
        }
        if flying && (hit == Kind::Miner || hit.is_monster()) && !self.is_fresh(below) {
            if hit == Kind::Miner {
                self.death = "crushed";
            }
            return self.explode(below);
        }
        if matches!(hit, Kind::Rock | Kind::Diamond | Kind::Wall) && !self.is_fresh(below) {
            for (side, under) in [(down + 2, down + 1), (down + 6, down + 7)] {
                let to = self.step(at, side);
                if self.at(to) == Kind::Empty && self.at(self.step(at, under)) == Kind::Empty {
                    return self.shift(at, to, in_flight);
                }
            }
        }
        if flying {
            self.store(at, kind.at_rest());
        }
    }

    fn walk(&mut self, at: At, action: Action, chance: &mut impl Chance) {
        let (dir, digs) = match action {
            Action::Go(dir) => (dir, false),
            Action::Dig(dir) => (dir, true),
            _ => return,
        };
        let way =
            [Dir::North, Dir::East, Dir::South, Dir::West].iter().position(|&it| it == dir).unwrap() * 2;
        let to = self.step(at, way);
        let mut leaves = self.options.dig_leaves;
        match self.at(to) {
            Kind::Empty | Kind::Dirt | Kind::DiamondKey => {}
            Kind::Diamond if !self.is_fresh(to) => {
                self.gathered += 1;
                self.open |= self.gathered >= self.need;
            }
            Kind::OpenExit | Kind::OpenHiddenExit => self.left = true,
            Kind::Rock if !self.is_fresh(to) && way % 4 != self.options.gravity % 4 => {
                let behind = self.step(to, way);
                if self.at(behind) != Kind::Empty || !(self.strong || draw(self.options.push, chance)) {
                    return;
                }
                self.store(behind, Kind::Rock);
                leaves = Kind::Empty;
            }
            Kind::Sweet => self.strong = true,
            _ => return,
        }
        if digs {
            self.store(to, leaves);
        } else {
            self.shift(at, to, Kind::Miner);
        }
    }

    fn monster(&mut self, at: At, kind: Kind) {
        for way in [0, 2, 4, 6] {
            let beside = self.step(at, way);
            let touched = self.at(beside);
            if touched == Kind::Miner || touched == Kind::Amoeba && !self.is_fresh(beside) {
                if touched == Kind::Miner {
                    self.death = "caught by a monster";
                }
                return self.explode(at);
            }
        }
        let heading = kind.heading().unwrap();
        let (turn, other) = if kind.is_blue() {
            (heading.right(), heading.left())
        } else {
            (heading.left(), heading.right())
        };
        for dir in [turn, heading] {
            let to = self.step(at, dir as usize * 2);
            if self.at(to) == Kind::Empty {
                return self.shift(at, to, Kind::monster(kind.is_blue(), dir));
            }
        }
        self.store(at, Kind::monster(kind.is_blue(), other));
    }

    fn explode(&mut self, centre: At) {
        let kind = self.at(centre);
        let blast = if kind.is_blue() { self.options.blue_blast } else { Kind::Blast1 };
        let blast = if kind.is_monster() && !kind.is_blue() { self.options.red_blast } else { blast };
        let around: Vec<At> = (0..8).map(|way| self.step(centre, way)).chain([centre]).collect();
        for at in around {
            if self.at(at) != Kind::Border {
                self.store(at, blast);
            }
        }
    }

    fn burn(&mut self, at: At, kind: Kind) {
        let chains: [(&[Kind], Kind); 3] = [
            (
                &[Kind::Blast1, Kind::Blast2, Kind::Blast3, Kind::Blast4, Kind::Blast5],
                self.options.blast_leaves,
            ),
            (
                &[Kind::Spark1, Kind::Spark2, Kind::Spark3, Kind::Spark4, Kind::Spark5],
                self.options.spark_leaves,
            ),
            (&[Kind::Rubble1, Kind::Rubble2, Kind::Rubble3, Kind::Rubble4], Kind::Rock),
        ];
        for (chain, leaves) in chains {
            if let Some(step) = chain.iter().position(|&it| it == kind) {
                let next = chain.get(step + 1).copied().unwrap_or(leaves);
                self.rows[at.1 as usize][at.0 as usize] = next;
            }
        }
    }

    fn amoeba(&mut self, at: At, chance: &mut impl Chance) {
        self.counted += 1;
        match self.mood {
            Mood::TooBig => return self.store(at, self.options.amoeba_big),
            Mood::Enclosed => return self.store(at, self.options.amoeba_enclosed),
            _ => {}
        }
        let eats = |den: &Self, way| matches!(den.at(den.step(at, way)), Kind::Empty | Kind::Dirt);
        if ![0, 2, 4, 6].into_iter().any(|way| eats(self, way)) {
            return;
        }
        (self.eaten, self.mood) = (true, Mood::Awake);
        if !self.grows(chance) {
            return;
        }
        let way = [0, 4, 6, 2][chance.below(4) as usize];
        if eats(self, way) {
            self.store(self.step(at, way), Kind::Amoeba);
        }
    }

    /// How many attempts fail is drawn at once.
    fn grows(&mut self, chance: &mut impl Chance) -> bool {
        let hits = if self.slow_frames == 0 { self.options.amoeba_fast } else { self.options.amoeba_growth };
        if self.attempts.is_none() {
            let fails = 1.0 - f64::from(hits) / 1e6;
            let until = |attempt: i32| ((1.0 - fails.powi(attempt)) * f64::from(u32::MAX)).round() as u32;
            self.attempts = Some(match hits {
                0 => (64, false),
                1_000_000 => (0, true),
                _ => {
                    let drawn = chance.below(u32::MAX);
                    (1..=64)
                        .position(|attempt| until(attempt) > drawn)
                        .map_or((64, false), |it| (it as u32, true))
                }
            });
        }
        let (left, succeeds) = self.attempts.unwrap();
        self.attempts = match (left, succeeds) {
            (0, _) | (1, false) => None,
            _ => Some((left - 1, succeeds)),
        };
        left == 0
    }

    fn slime(&mut self, at: At, chance: &mut impl Chance) {
        let down = self.options.gravity;
        let drawn = self.options.slime_mask.map(|mask| self.c64() & u32::from(mask) == 0);
        let (above, below) = (self.step(at, down + 4), self.step(at, down));
        let falling = match self.at(above) {
            Kind::Rock => Kind::FallingRock,
            Kind::Diamond => Kind::FallingDiamond,
            _ => return,
        };
        if self.at(below) != Kind::Empty || self.is_fresh(above) {
            return;
        }
        if drawn.unwrap_or_else(|| draw(self.options.slime, chance)) {
            self.store(below, falling);
            self.store(above, Kind::Empty);
        }
    }

    /// The C64's generator, as the rule book spells it out.
    fn c64(&mut self) -> u32 {
        let (a, b) = self.seed;
        let t1 = (a & 1) * 128;
        let t2 = (b / 2) & 127;
        let r = b + (b & 1) * 128;
        let carry = r / 256;
        let r = r % 256 + carry + 0x13;
        let carry = r / 256;
        let high = a + carry + t1;
        let carry = high / 256;
        let high = high % 256 + carry + t2;
        self.seed = (high % 256, r % 256);
        self.seed.0
    }

    fn grow(&mut self, at: At, kind: Kind, ways: &[usize], most: usize) {
        let mut grown = 0;
        for &way in ways {
            let to = self.step(at, way);
            if grown < most && self.at(to) == Kind::Empty {
                self.store(to, kind);
                grown += 1;
            }
        }
    }
}

/// So many millionths, in the smallest numbers.
fn draw(millionths: u32, chance: &mut impl Chance) -> bool {
    let part = (1..=millionths.max(1))
        .rev()
        .find(|part| millionths.is_multiple_of(*part) && 1_000_000_u32.is_multiple_of(*part))
        .unwrap();
    match millionths {
        0 => false,
        1_000_000 => true,
        _ => chance.below(1_000_000 / part) < millionths / part,
    }
}

/// Compares everything that both know.
pub fn assert_same(rules: &Rules, state: &State, den: &Den, what: &str) {
    let size = rules.size(state);
    for cell in size.cells() {
        let (x, y) = size.xy(cell);
        let theirs = den.rows[usize::from(y) + den.ring][usize::from(x) + den.ring];
        assert_eq!(rules.kind(state, cell), theirs, "{what}: column {x}, row {y}");
    }
    assert_eq!(u32::from(state.gathered()), den.gathered, "{what}: diamonds");
    let ending = match rules.status(state) {
        Status::ToMove(_) => None,
        Status::Over(outcome) => Some(outcome.reason),
    };
    assert_eq!(ending, den.over, "{what}: the end");
}
