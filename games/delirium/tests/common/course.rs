//! The course's tick, cell by cell over the whole map.

use damier_core::grid::Dir;
use damier_core::random::Chance;
use damier_delirium::kind::Kind;
use damier_delirium::rules::{Action, Options, Slide};

use super::{Beast, World, beside};

/// Something that moves in a tick.
struct Moved {
    from: (usize, usize),
    to: (usize, usize),
    kind: Kind,
    fell: bool,
}

/// A tick under way: the map as it was when it began, and what has been decided since.
struct Tick {
    start: World,
    moved: Vec<Moved>,
    claimed: Vec<(isize, isize)>,
    /// Things that do not move otherwise.
    held: Vec<(usize, usize)>,
    dug: Option<(usize, usize)>,
}

pub fn tick(world: &mut World, options: Options, action: Action, chance: &mut impl Chance) {
    if world.over.is_some() {
        return;
    }
    world.ticks += 1;
    let mut tick =
        Tick { start: world.clone(), moved: Vec::new(), claimed: Vec::new(), held: Vec::new(), dug: None };
    tick.miner(world, action);
    if world.over.is_some() {
        return;
    }
    let beasts = tick.monsters(world.ticks, options);
    for y in (0..tick.start.rows.len()).rev() {
        for x in 0..tick.start.rows[y].len() {
            tick.thing((x, y), options, chance);
        }
    }
    tick.carry_out(world);
    world.beasts = beasts;
    burn(world);
    deaths(world, options, &tick.moved);
}

impl Tick {
    fn free(&self, (x, y): (isize, isize)) -> bool {
        self.start.at(x, y) == Kind::Empty && !self.claimed.contains(&(x, y))
    }

    fn shift(&mut self, from: (usize, usize), to: (isize, isize), kind: Kind, fell: bool) {
        self.moved.push(Moved { from, to: (to.0 as usize, to.1 as usize), kind, fell });
    }

    fn miner(&mut self, world: &mut World, action: Action) {
        let from = world.miner;
        let (dir, walks) = match action {
            Action::Go(dir) => (dir, true),
            Action::Dig(dir) => (dir, false),
            _ => return,
        };
        let (x, y) = beside(from, dir);
        let to = (x as usize, y as usize);
        match self.start.at(x, y) {
            Kind::Dirt if !walks => self.dug = Some(to),
            _ if !walks => {}
            Kind::Empty | Kind::Dirt => {
                self.shift(from, (x, y), Kind::Miner, false);
                self.claimed.push((x, y));
            }
            Kind::Diamond => {
                self.shift(from, (x, y), Kind::Miner, false);
                self.held.push(to);
                world.gathered += 1;
            }
            Kind::Exit if world.gathered >= world.need => {
                world.rows[from.1][from.0] = Kind::Empty;
                world.rows[to.1][to.0] = Kind::Miner;
                world.miner = to;
                world.over = Some("exit reached");
            }
            Kind::Rock if dir != Dir::South => self.push(from, to, dir),
            _ => {}
        }
    }

    fn push(&mut self, from: (usize, usize), first: (usize, usize), dir: Dir) {
        let mut chain = vec![first];
        let mut end = beside(first, dir);
        while self.start.at(end.0, end.1) == Kind::Rock {
            let last = (end.0 as usize, end.1 as usize);
            chain.push(last);
            end = beside(last, dir);
        }
        if self.start.at(end.0, end.1) != Kind::Empty {
            return;
        }
        self.claimed.push(end);
        self.shift(from, (first.0 as isize, first.1 as isize), Kind::Miner, false);
        for &rock in &chain {
            self.shift(rock, beside(rock, dir), Kind::Rock, false);
        }
        self.held.extend(chain);
    }

    /// Monsters, in reading order.
    fn monsters(&mut self, ticks: u32, options: Options) -> Vec<Beast> {
        let mut beasts = self.start.beasts.clone();
        for beast in &mut beasts {
            if beast.blue && !ticks.is_multiple_of(u32::from(options.blue_pace)) {
                continue;
            }
            let tries = match beast.heading {
                Some(dir) => [dir.left(), dir, dir.right(), dir.opposite()],
                None => [Dir::North, Dir::East, Dir::South, Dir::West],
            };
            if let Some(dir) = tries.into_iter().find(|&dir| self.free(beside(beast.at, dir))) {
                let to = beside(beast.at, dir);
                self.claimed.push(to);
                let kind = if beast.blue { Kind::Blue } else { Kind::Red };
                self.shift(beast.at, to, kind, false);
                *beast = Beast { at: (to.0 as usize, to.1 as usize), heading: Some(dir), ..*beast };
            }
        }
        beasts.sort_by_key(|beast| (beast.at.1, beast.at.0));
        beasts
    }

    /// A rock or diamond falls or slides.
    fn thing(&mut self, (x, y): (usize, usize), options: Options, chance: &mut impl Chance) {
        let kind = self.start.rows[y][x];
        if !kind.is_loose() || self.held.contains(&(x, y)) {
            return;
        }
        let (ix, iy) = (x as isize, y as isize);
        let below = (ix, iy + 1);
        if self.free(below) {
            self.claimed.push(below);
            return self.shift((x, y), below, kind, true);
        }
        if !matches!(self.start.at(ix, iy + 1), Kind::Rock | Kind::Diamond | Kind::Wall) {
            return;
        }
        let open = |dx: isize| self.free((ix + dx, iy)) && self.free((ix + dx, iy + 1));
        let dx = match (open(-1), open(1)) {
            (false, false) => return,
            (true, false) => -1,
            (false, true) => 1,
            (true, true) => match options.slide {
                Slide::Left => -1,
                Slide::Right => 1,
                Slide::Random => [-1, 1][chance.below(2) as usize],
            },
        };
        self.claimed.push((ix + dx, iy));
        self.shift((x, y), (ix + dx, iy), kind, false);
    }

    /// All moves at once.
    fn carry_out(&self, world: &mut World) {
        for &Moved { from: (x, y), .. } in &self.moved {
            world.rows[y][x] = Kind::Empty;
        }
        for &Moved { to: (x, y), kind, .. } in &self.moved {
            world.rows[y][x] = kind;
            if kind == Kind::Miner {
                world.miner = (x, y);
            }
        }
        if let Some((x, y)) = self.dug {
            world.rows[y][x] = Kind::Empty;
        }
    }
}

/// Fires burn down.
pub fn burn(world: &mut World) {
    for (x, y) in world.all() {
        if let Some((clock, leaves)) = world.fire[y][x] {
            if clock > 1 {
                world.fire[y][x] = Some((clock - 1, leaves));
            } else {
                world.fire[y][x] = None;
                world.rows[y][x] = leaves;
            }
        }
    }
}

fn deaths(world: &mut World, options: Options, moved: &[Moved]) {
    let mut victims: Vec<((usize, usize), Kind)> = Vec::new();
    for &Moved { to: (x, y), fell, .. } in moved {
        let below = world.at(x as isize, y as isize + 1);
        if fell && (below.is_monster() || below == Kind::Miner) {
            victims.push(((x, y + 1), below));
        }
    }
    victims.sort_by_key(|victim| (victim.1 == Kind::Miner, victim.0.1, victim.0.0));
    if victims.iter().any(|victim| victim.1 == Kind::Miner) {
        world.over = Some("crushed");
    }
    let touched = Dir::ALL.into_iter().any(|dir| {
        let (x, y) = beside(world.miner, dir);
        world.at(x, y).is_monster()
    });
    if touched && world.over.is_none() {
        world.over = Some("caught by a monster");
        victims.push((world.miner, Kind::Miner));
    }
    for (centre, victim) in victims {
        let (ticks, leaves) = match victim {
            Kind::Blue => (options.blue_blast_ticks, Kind::Diamond),
            _ => (options.blast_ticks, Kind::Empty),
        };
        explode(world, centre, ticks, leaves);
    }
}

pub fn explode(world: &mut World, (cx, cy): (usize, usize), ticks: u8, leaves: Kind) {
    for (x, y) in world.all() {
        if x.abs_diff(cx) > 1 || y.abs_diff(cy) > 1 || world.rows[y][x] == Kind::Border {
            continue;
        }
        if world.rows[y][x] == Kind::Miner && world.over.is_none() {
            world.over = Some("killed by an explosion");
        }
        world.beasts.retain(|beast| beast.at != (x, y));
        world.rows[y][x] = Kind::Blast;
        world.fire[y][x] = Some((ticks, leaves));
    }
}
