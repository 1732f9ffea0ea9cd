//! What the maze generator promises, over random seeds, sizes and difficulties.

use damier_core::grid::{Cell, Dir};
use damier_kit::GenerateRequest;
use damier_pacman::generate::generate;
use damier_pacman::level::{Level, Tile};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

fn request(seed: u64, size: Option<(u16, u16)>, difficulty: Option<f64>) -> GenerateRequest {
    GenerateRequest { seed, difficulty, size, rules: "course", ..GenerateRequest::default() }
}

fn floor(level: &Level) -> impl Iterator<Item = Cell> {
    level.size().cells().filter(|&cell| !level.is_wall(cell))
}

fn neighbours(level: &Level, cell: Cell) -> impl Iterator<Item = Cell> {
    Dir::ALL.map(|dir| level.size().step_around(cell, dir)).into_iter().filter(|&next| !level.is_wall(next))
}

fn reached_from(level: &Level, from: Cell, enter: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let mut known = vec![false; level.size().area()];
    known[from.index()] = true;
    let mut reached = vec![from];
    let mut explored = 0;
    while let Some(&cell) = reached.get(explored) {
        explored += 1;
        for next in neighbours(level, cell) {
            if enter(next) && !known[next.index()] {
                known[next.index()] = true;
                reached.push(next);
            }
        }
    }
    reached
}

/// The ghosts' room is the floor without pellets around them; its doors are the ways out of it.
fn doors(level: &Level) -> Vec<(Cell, Cell)> {
    let room = reached_from(level, level.ghosts()[0], |cell| level.tile(cell) == Tile::Floor);
    assert!(level.ghosts().iter().all(|ghost| room.contains(ghost)));
    let ways = room.iter().flat_map(|&cell| neighbours(level, cell).map(move |next| (cell, next)));
    ways.filter(|(_, next)| !room.contains(next)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn mazes_keep_their_promises(
        seed: u64,
        width in 11u16..=61,
        height in 11u16..=61,
        difficulty in 0.0..=10.0f64,
        usual_size in any::<bool>(),
    ) {
        let size = (!usual_size).then_some((width, height));
        let request = request(seed, size, Some(difficulty));
        let text = generate(&request).unwrap();
        prop_assert_eq!(&text, &generate(&request).unwrap(), "the same seed gives the same maze");
        let level = Level::parse(&text).unwrap();
        let board = level.size();
        prop_assert!(size.is_none_or(|size| size == (board.width, board.height)));

        let wall_at = |x, y| level.is_wall(board.cell(x, y));
        for y in 0..board.height {
            for x in 0..board.width {
                prop_assert_eq!(wall_at(x, y), wall_at(board.width - 1 - x, y), "symmetric\n{}", text);
                if x + 1 < board.width && y + 1 < board.height {
                    let open = !wall_at(x, y) && !wall_at(x + 1, y) && !wall_at(x, y + 1) && !wall_at(x + 1, y + 1);
                    prop_assert!(!open, "corridors are one cell wide\n{}", text);
                }
            }
        }
        prop_assert!((0..board.height).any(|y| !wall_at(0, y)), "a tunnel\n{}", text);
        prop_assert!((0..board.width).all(|x| wall_at(x, 0) && wall_at(x, board.height - 1)));
        for cell in floor(&level) {
            prop_assert!(neighbours(&level, cell).count() >= 2, "no dead end\n{}", text);
        }
        prop_assert_eq!(reached_from(&level, level.pacman(), |_| true).len(), floor(&level).count());

        prop_assert_eq!(level.ghosts().len(), 4);
        prop_assert_eq!(doors(&level).len(), 2, "two doors\n{}", text);
        let potions = floor(&level).filter(|&cell| level.tile(cell) == Tile::Potion).count();
        prop_assert_eq!(potions, 4, "four potions\n{}", text);
        let below = level.ghosts().iter().all(|&ghost| board.xy(ghost).1 < board.xy(level.pacman()).1);
        prop_assert!(below, "Pacman is below the house\n{}", text);
        let bare = floor(&level).filter(|&cell| level.tile(cell) == Tile::Floor).count();
        let room = if board.width % 2 == 1 { 5 } else { 6 };
        prop_assert_eq!(bare, room + 1, "pellets everywhere else\n{}", text);
    }
}

#[test]
fn potions_of_a_low_maze_do_not_share_a_cell() {
    let text =
        generate(&request(3_621_727_698_382_839_731, Some((48, 11)), Some(7.762_211_081_778_508))).unwrap();
    assert_eq!(text.chars().filter(|&sign| sign == 'o').count(), 4, "{text}");
}

#[test]
fn harder_mazes_have_fewer_crossroads() {
    let crossroads = |difficulty| -> usize {
        let count = |seed| {
            let text = generate(&request(seed, Some((19, 21)), Some(difficulty))).unwrap();
            let level = Level::parse(&text).unwrap();
            floor(&level).filter(|&cell| neighbours(&level, cell).count() > 2).count()
        };
        (0..20).map(count).sum()
    };
    let [easy, usual, hard] = [0.0, 5.0, 10.0].map(crossroads);
    assert!(easy > usual && usual > hard, "{easy} {usual} {hard}");
}

#[test]
fn impossible_requests_are_refused_with_a_sentence() {
    let refusal = |size, difficulty| generate(&request(1, size, difficulty)).unwrap_err();
    assert_eq!(refusal(Some((10, 21)), None), "a maze has 11 to 61 columns, not 10");
    assert_eq!(refusal(Some((19, 62)), None), "a maze has 11 to 61 rows, not 62");
    assert_eq!(refusal(None, Some(11.0)), "difficulty must be between 0 and 10, not 11");
    assert!(generate(&request(1, None, Some(f64::NAN))).is_err());
}
