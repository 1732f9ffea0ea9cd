//! The course's tick, cell by cell over the whole map.

use damier_core::grid::Dir;
use damier_core::random::Chance;
use damier_delirium::kind::Kind;
use damier_delirium::rules::{Action, Options, Slide};

use super::{Beast, World, beside};

pub fn tick(world: &mut World, options: &Options, action: Action, chance: &mut impl Chance) {
    if world.over.is_some() {
        return;
    }
    world.ticks += 1;
    let start = world.clone();
    // What moved: from, to, and whether it fell.
    let mut moved: Vec<((usize, usize), (usize, usize), Kind, bool)> = Vec::new();
    let mut claimed: Vec<(isize, isize)> = Vec::new();
    let mut held: Vec<(usize, usize)> = Vec::new();
    let free = |claimed: &[(isize, isize)], (x, y): (isize, isize)| {
        start.at(x, y) == Kind::Empty && !claimed.contains(&(x, y))
    };

    // The miner.
    let from = world.miner;
    let mut dug = None;
    if let Action::Dig(dir) = action {
        let (x, y) = beside(from, dir);
        dug = (start.at(x, y) == Kind::Dirt).then_some((x as usize, y as usize));
    }
    if let Action::Go(dir) = action {
        let (x, y) = beside(from, dir);
        let to = (x as usize, y as usize);
        match start.at(x, y) {
            Kind::Empty | Kind::Dirt => {
                moved.push((from, to, Kind::Miner, false));
                claimed.push((x, y));
            }
            Kind::Diamond => {
                moved.push((from, to, Kind::Miner, false));
                held.push(to);
                world.gathered += 1;
            }
            Kind::Exit if world.gathered >= world.need => {
                world.rows[from.1][from.0] = Kind::Empty;
                world.rows[to.1][to.0] = Kind::Miner;
                world.miner = to;
                world.over = Some("exit reached");
                return;
            }
            Kind::Rock if dir != Dir::South => {
                let mut chain = vec![to];
                let mut end = beside(to, dir);
                while start.at(end.0, end.1) == Kind::Rock {
                    let last = (end.0 as usize, end.1 as usize);
                    chain.push(last);
                    end = beside(last, dir);
                }
                if start.at(end.0, end.1) == Kind::Empty {
                    claimed.push(end);
                    moved.push((from, to, Kind::Miner, false));
                    for &rock in &chain {
                        let (x, y) = beside(rock, dir);
                        moved.push((rock, (x as usize, y as usize), Kind::Rock, false));
                    }
                    held.extend(chain);
                }
            }
            _ => {}
        }
    }

    // Monsters, in reading order.
    let mut beasts = start.beasts.clone();
    for beast in &mut beasts {
        if beast.blue && !world.ticks.is_multiple_of(u32::from(options.blue_pace)) {
            continue;
        }
        let tries = match beast.heading {
            Some(dir) => [dir.left(), dir, dir.right(), dir.opposite()],
            None => [Dir::North, Dir::East, Dir::South, Dir::West],
        };
        if let Some(&dir) = tries.iter().find(|&&dir| free(&claimed, beside(beast.at, dir))) {
            let to = beside(beast.at, dir);
            claimed.push(to);
            let kind = if beast.blue { Kind::Blue } else { Kind::Red };
            let to = (to.0 as usize, to.1 as usize);
            moved.push((beast.at, to, kind, false));
            *beast = Beast { at: to, heading: Some(dir), ..*beast };
        }
    }

    // Rocks and diamonds, bottom row first.
    for y in (0..start.rows.len()).rev() {
        for x in 0..start.rows[y].len() {
            let kind = start.rows[y][x];
            if !kind.is_loose() || held.contains(&(x, y)) {
                continue;
            }
            let (ix, iy) = (x as isize, y as isize);
            if free(&claimed, (ix, iy + 1)) {
                claimed.push((ix, iy + 1));
                moved.push(((x, y), (x, y + 1), kind, true));
                continue;
            }
            if !matches!(start.at(ix, iy + 1), Kind::Rock | Kind::Diamond | Kind::Wall) {
                continue;
            }
            let open = |dx: isize| free(&claimed, (ix + dx, iy)) && free(&claimed, (ix + dx, iy + 1));
            let dx = match (open(-1), open(1)) {
                (false, false) => continue,
                (true, false) => -1,
                (false, true) => 1,
                (true, true) => match options.slide {
                    Slide::Left => -1,
                    Slide::Right => 1,
                    Slide::Random => [-1, 1][chance.below(2) as usize],
                },
            };
            claimed.push((ix + dx, iy));
            moved.push(((x, y), ((ix + dx) as usize, y), kind, false));
        }
    }

    // All moves are carried out at once.
    for &((x, y), ..) in &moved {
        world.rows[y][x] = Kind::Empty;
    }
    for &(_, (x, y), kind, _) in &moved {
        world.rows[y][x] = kind;
        if kind == Kind::Miner {
            world.miner = (x, y);
        }
    }
    if let Some((x, y)) = dug {
        world.rows[y][x] = Kind::Empty;
    }
    beasts.sort_by_key(|beast| (beast.at.1, beast.at.0));
    world.beasts = beasts;

    burn(world);
    deaths(world, options, &moved);
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

fn deaths(
    world: &mut World,
    options: &Options,
    moved: &[((usize, usize), (usize, usize), Kind, bool)],
) {
    let mut victims: Vec<((usize, usize), Kind)> = Vec::new();
    for &(_, (x, y), _, fell) in moved {
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
