//! Boulder Dash's tick, cell by cell over the whole map, in place.

use damier_core::grid::Dir;
use damier_core::random::Chance;
use damier_delirium::kind::Kind;
use damier_delirium::rules::{Action, Options, Slide};

use super::course::{burn, explode};
use super::{World, beside};

pub fn tick(world: &mut World, options: Options, action: Action, chance: &mut impl Chance) {
    if world.over.is_some() {
        return;
    }
    world.ticks += 1;
    burn(world);
    let mut done: Vec<(usize, usize)> = Vec::new();
    for (x, y) in world.all() {
        if world.over.is_some() {
            break;
        }
        if done.contains(&(x, y)) {
            continue;
        }
        match world.rows[y][x] {
            Kind::Miner => miner(world, action, chance, &mut done),
            Kind::Red | Kind::Blue => monster(world, options, (x, y), &mut done),
            kind if kind.is_loose() => thing(world, options, (x, y), chance, &mut done),
            _ => {}
        }
    }
    world.beasts.sort_by_key(|beast| (beast.at.1, beast.at.0));
}

fn shift(
    world: &mut World,
    from: (usize, usize),
    to: (isize, isize),
    kind: Kind,
    done: &mut Vec<(usize, usize)>,
) {
    world.rows[from.1][from.0] = Kind::Empty;
    let to = (to.0 as usize, to.1 as usize);
    world.rows[to.1][to.0] = kind;
    done.push(to);
}

fn miner(world: &mut World, action: Action, chance: &mut impl Chance, done: &mut Vec<(usize, usize)>) {
    let from = world.miner;
    let (dir, walks) = match action {
        Action::Go(dir) => (dir, true),
        Action::Dig(dir) => (dir, false),
        _ => return,
    };
    let (x, y) = beside(from, dir);
    let to = (x as usize, y as usize);
    match world.at(x, y) {
        Kind::Empty | Kind::Dirt => {}
        Kind::Diamond | Kind::FallingDiamond => world.gathered += 1,
        Kind::Exit if walks && world.gathered >= world.need => world.over = Some("exit reached"),
        Kind::Rock if walks && (dir == Dir::East || dir == Dir::West) => {
            let behind = beside(to, dir);
            if world.at(behind.0, behind.1) != Kind::Empty || chance.below(8) != 0 {
                return;
            }
            shift(world, to, behind, Kind::Rock, done);
        }
        _ => return,
    }
    if walks {
        shift(world, from, (x, y), Kind::Miner, done);
        world.miner = to;
    } else {
        world.rows[to.1][to.0] = Kind::Empty;
    }
}

fn monster(world: &mut World, options: Options, at: (usize, usize), done: &mut Vec<(usize, usize)>) {
    let index = world.beasts.iter().position(|beast| beast.at == at).unwrap();
    let beast = world.beasts[index];
    if beast.blue && !world.ticks.is_multiple_of(u32::from(options.blue_pace)) {
        return;
    }
    if Dir::ALL.into_iter().any(|dir| {
        let (x, y) = beside(at, dir);
        world.at(x, y) == Kind::Miner
    }) {
        world.over = Some("caught by a monster");
        blow_up(world, options, at);
        return;
    }
    let heading = beast.heading.unwrap();
    let turns =
        if beast.blue { [heading.right(), heading.left()] } else { [heading.left(), heading.right()] };
    for dir in [turns[0], heading] {
        let (x, y) = beside(at, dir);
        if world.at(x, y) == Kind::Empty {
            world.beasts[index].at = (x as usize, y as usize);
            world.beasts[index].heading = Some(dir);
            let kind = if beast.blue { Kind::Blue } else { Kind::Red };
            return shift(world, at, (x, y), kind, done);
        }
    }
    world.beasts[index].heading = Some(turns[1]);
}

fn thing(
    world: &mut World,
    options: Options,
    (x, y): (usize, usize),
    chance: &mut impl Chance,
    done: &mut Vec<(usize, usize)>,
) {
    let kind = world.rows[y][x];
    let flying = kind != kind.at_rest();
    let in_flight = if kind.at_rest() == Kind::Rock { Kind::FallingRock } else { Kind::FallingDiamond };
    let (ix, iy) = (x as isize, y as isize);
    let below = world.at(ix, iy + 1);
    if below == Kind::Empty {
        return shift(world, (x, y), (ix, iy + 1), in_flight, done);
    }
    if flying && (below == Kind::Miner || below.is_monster()) {
        if below == Kind::Miner {
            world.over = Some("crushed");
        }
        return blow_up(world, options, (x, y + 1));
    }
    if matches!(below, Kind::Rock | Kind::Diamond | Kind::Wall) {
        let open =
            |dx: isize| world.at(ix + dx, iy) == Kind::Empty && world.at(ix + dx, iy + 1) == Kind::Empty;
        let sides = match (open(-1), open(1), options.slide) {
            (true, true, Slide::Random) => Some([-1, 1][chance.below(2) as usize]),
            (true, true, Slide::Right) | (false, true, _) => Some(1),
            (true, ..) => Some(-1),
            _ => None,
        };
        if let Some(dx) = sides {
            return shift(world, (x, y), (ix + dx, iy), in_flight, done);
        }
    }
    world.rows[y][x] = kind.at_rest();
}

fn blow_up(world: &mut World, options: Options, at: (usize, usize)) {
    let blue = world.rows[at.1][at.0] == Kind::Blue;
    let (ticks, leaves) =
        if blue { (options.blue_blast_ticks, Kind::Diamond) } else { (options.blast_ticks, Kind::Empty) };
    explode(world, at, ticks, leaves);
}
