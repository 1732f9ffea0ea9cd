//! Seeded mazes in the style of the original one.
//!
//! Every maze is left-right symmetric and connected, has no dead end and no corridor whose removal would split it, at least
//! one tunnel, corridors one cell wide, a house with two doors for four ghosts, four potions, and Pacman below the house.
//!
//! It starts as a lattice of corridors with random spacing around the house; then symmetric pairs of corridors are walled up
//! as long as these properties hold, until the share of floor matches the difficulty. Fewer crossroads mean fewer escapes,
//! so harder mazes have less floor.
//!
//! ```
//! use damier_kit::GenerateRequest;
//! use damier_pacman::generate::generate;
//! use damier_pacman::level::Level;
//!
//! let request = GenerateRequest { seed: 7, difficulty: None, size: Some((19, 21)), rules: "course", ..GenerateRequest::default() };
//! let level = Level::parse(&generate(&request).unwrap()).unwrap();
//! assert_eq!((level.size().width, level.size().height, level.ghosts().len()), (19, 21, 4));
//! ```

use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};
use damier_kit::GenerateRequest;

/// The minimum number of columns and rows: the house and the corridors around it need them.
pub const MIN_SIDE: u16 = 11;

/// The maximum number of columns and rows.
pub const MAX_SIDE: u16 = 61;

/// Generates a maze as text, or explains why this size or difficulty is not possible.
pub fn generate(request: &GenerateRequest) -> Result<String, String> {
    let mut rng = Rng::new(request.seed);
    let usual = (17 + 2 * rng.below(4) as u16, 17 + 2 * rng.below(4) as u16);
    let (width, height) = request.size.unwrap_or(usual);
    for (side, name) in [(width, "columns"), (height, "rows")] {
        if !(MIN_SIDE..=MAX_SIDE).contains(&side) {
            return Err(format!("a maze has {MIN_SIDE} to {MAX_SIDE} {name}, not {side}"));
        }
    }
    let difficulty = request.difficulty.unwrap_or(5.0);
    if !(0.0..=10.0).contains(&difficulty) {
        return Err(format!("difficulty must be between 0 and 10, not {difficulty}"));
    }
    let mut maze = Builder::new(Size::new(width, height), &mut rng);
    maze.wall_up(EASIEST_FLOOR - difficulty / 10.0 * (EASIEST_FLOOR - HARDEST_FLOOR), &mut rng);
    Ok(format!("; name: maze {}\n", request.seed) + &maze.print(&mut rng))
}

/// The target share of floor at difficulty 0 and at difficulty 10. The original maze has 0.48.
const EASIEST_FLOOR: f64 = 0.54;
const HARDEST_FLOOR: f64 = 0.38;

/// The rows of the house: its walls, three high, and a corridor above and below.
const HOUSE_ROWS: u16 = 5;

/// The largest block of wall that may be created.
const MAX_BLOCK: usize = 30;

/// A maze being built.
struct Builder {
    size: Size,
    floor: Vec<bool>,
    /// Cells that must not change: the house, the corridor around it and the tunnels.
    kept: Vec<bool>,
    /// The row of the corridor above the house.
    house_top: u16,
    /// The column of the ghosts in the left half of the house.
    ghost_column: u16,
}

impl Builder {
    /// Builds the full lattice.
    fn new(size: Size, rng: &mut Rng) -> Self {
        let Size { width, height } = size;
        let house_top = choose_house_top(height, rng);
        // Even widths have two middle columns, and a house that is one column wider.
        let ghost_column = (width - 1) / 2 - 1;
        let ring_column = ghost_column - 2;
        let mut maze = Self {
            size,
            floor: vec![false; size.area()],
            kept: vec![false; size.area()],
            house_top,
            ghost_column,
        };
        let first_column = if ring_column == 2 { 2 } else { 1 };
        let mut columns = spaced(first_column, ring_column, rng);
        columns.push(if width % 2 == 1 && rng.below(2) == 0 { ghost_column + 1 } else { ghost_column });
        let house_bottom = house_top + HOUSE_ROWS - 1;
        let first_row = if house_top == 2 { 2 } else { 1 };
        let last_row = if house_bottom == height - 3 { height - 3 } else { height - 2 };
        let rows_above = spaced(first_row, house_top, rng);
        let rows_below = spaced(house_bottom, last_row, rng);
        for &row in rows_above.iter().chain(&rows_below) {
            maze.carve((columns[0]..=width / 2).map(|x| (x, row)));
        }
        for &column in &columns {
            maze.carve((first_row..=last_row).map(|y| (column, y)));
        }
        let beside = house_top + HOUSE_ROWS / 2;
        maze.carve((columns[0]..=ring_column).map(|x| (x, beside)));
        maze.build_house(ring_column);
        maze.dig_tunnels(columns[0], &rows_above, &rows_below, rng);
        maze
    }

    fn cell(&self, x: u16, y: u16) -> usize {
        self.size.cell(x, y).index()
    }

    fn mirrored(&self, x: u16) -> u16 {
        self.size.width - 1 - x
    }

    /// Turns cells and their mirror images into floor.
    fn carve(&mut self, cells: impl IntoIterator<Item = (u16, u16)>) {
        self.set(cells, true);
    }

    fn set(&mut self, cells: impl IntoIterator<Item = (u16, u16)>, floor: bool) {
        for (x, y) in cells {
            let both = [self.cell(x, y), self.cell(self.mirrored(x), y)];
            for cell in both {
                self.floor[cell] = floor;
            }
        }
    }

    fn keep(&mut self, cells: impl IntoIterator<Item = (u16, u16)>) {
        for (x, y) in cells {
            let both = [self.cell(x, y), self.cell(self.mirrored(x), y)];
            for cell in both {
                self.kept[cell] = true;
            }
        }
    }

    /// Builds the house: walls with two doors to the north, a room for the ghosts, and a corridor around it.
    fn build_house(&mut self, ring_column: u16) {
        let (top, ghosts, middle) = (self.house_top, self.ghost_column, self.size.width / 2);
        self.set((1..=3).flat_map(|row| (ring_column + 1..=middle).map(move |x| (x, top + row))), false);
        let room = [(ghosts, top + 1), (ghosts, top + 2)];
        self.carve(room.into_iter().chain((ghosts + 1..=middle).map(|x| (x, top + 2))));
        let all = (0..HOUSE_ROWS).flat_map(|row| (ring_column..=middle).map(move |x| (x, top + row)));
        self.keep(all);
    }

    /// Digs one tunnel, usually beside the house, and a second one in tall mazes.
    fn dig_tunnels(&mut self, first_column: u16, above: &[u16], below: &[u16], rng: &mut Rng) {
        let beside = self.house_top + HOUSE_ROWS / 2;
        // The outermost rows get no tunnel.
        let inner = above[1..].iter().chain(&below[..below.len() - 1]);
        let others: Vec<u16> = inner.copied().filter(|row| row.abs_diff(beside) > 4).collect();
        let mut rows = vec![if rng.below(4) == 0 { *rng.choose(&others).unwrap_or(&beside) } else { beside }];
        if self.size.height >= 27 {
            let far: Vec<u16> = others.into_iter().filter(|row| row.abs_diff(rows[0]) > 6).collect();
            rows.extend(rng.choose(&far));
        }
        for row in rows {
            self.carve((0..first_column).map(|x| (x, row)));
            self.keep((0..first_column).map(|x| (x, row)));
        }
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let around = Dir::ALL.map(|dir| self.size.step_around(Cell(cell as u16), dir).index());
        around.into_iter().filter(|&next| self.floor[next])
    }

    /// Walls up corridors until only this share of the board is floor, or no more can be removed.
    fn wall_up(&mut self, share: f64, rng: &mut Rng) {
        let target = (self.size.area() as f64 * share) as usize;
        let mut corridors = self.corridors();
        rng.shuffle(&mut corridors);
        while self.floor.iter().filter(|&&floor| floor).count() > target {
            let Some(corridor) = corridors.pop() else { return };
            self.set(corridor.iter().copied(), false);
            if self.has_no_bridge(rng) && self.block_of(corridor[0]) <= MAX_BLOCK {
                // Corridors have merged where it ended.
                corridors = self.corridors();
                rng.shuffle(&mut corridors);
            } else {
                self.set(corridor, true);
            }
        }
    }

    /// The corridors that may be removed: runs of cells with two neighbours each, without their mirror images.
    fn corridors(&self) -> Vec<Vec<(u16, u16)>> {
        let mut known = vec![false; self.floor.len()];
        let is_inside = |cell: usize| self.floor[cell] && self.neighbours(cell).count() == 2;
        let mut corridors = Vec::new();
        for start in 0..self.floor.len() {
            if known[start] || !is_inside(start) {
                continue;
            }
            known[start] = true;
            let mut run = vec![start];
            let mut explored = 0;
            while let Some(&cell) = run.get(explored) {
                explored += 1;
                for next in self.neighbours(cell) {
                    if is_inside(next) && !known[next] {
                        known[next] = true;
                        run.push(next);
                    }
                }
            }
            let cells: Vec<(u16, u16)> = run.iter().map(|&cell| self.size.xy(Cell(cell as u16))).collect();
            let is_left = cells.iter().any(|&(x, _)| 2 * x < self.size.width);
            if is_left && run.iter().all(|&cell| !self.kept[cell]) {
                corridors.push(cells);
            }
        }
        corridors
    }

    /// Whether the floor is connected and has no bridge: a step whose removal would split it. (Then there is no dead end
    /// either.)
    ///
    /// Every step outside a spanning tree adds a random word to both of its ends; a tree step whose subtree sums to zero is
    /// crossed by no such step, so it is a bridge.
    fn has_no_bridge(&self, rng: &mut Rng) -> bool {
        let Some(root) = self.floor.iter().position(|&floor| floor) else { return false };
        let mut parents = vec![usize::MAX; self.floor.len()];
        parents[root] = root;
        let mut order = vec![root];
        let mut explored = 0;
        while let Some(&cell) = order.get(explored) {
            explored += 1;
            for next in self.neighbours(cell) {
                if parents[next] == usize::MAX {
                    parents[next] = cell;
                    order.push(next);
                }
            }
        }
        let mut sums = vec![0u64; self.floor.len()];
        for &cell in &order {
            for next in self.neighbours(cell) {
                if cell < next && parents[cell] != next && parents[next] != cell {
                    let word = rng.next_u64();
                    sums[cell] ^= word;
                    sums[next] ^= word;
                }
            }
        }
        for &cell in order[1..].iter().rev() {
            if sums[cell] == 0 {
                return false;
            }
            sums[parents[cell]] ^= sums[cell];
        }
        order.len() == self.floor.iter().filter(|&&floor| floor).count()
    }

    /// The size of the block of wall around a cell, without the border.
    fn block_of(&self, (x, y): (u16, u16)) -> usize {
        let mut known = vec![false; self.floor.len()];
        let mut open = vec![self.cell(x, y)];
        known[open[0]] = true;
        let mut count = 0;
        while let Some(cell) = open.pop() {
            count += 1;
            for dir in Dir::ALL {
                let Some(next) = self.size.step(Cell(cell as u16), dir) else { continue };
                if !self.floor[next.index()] && !known[next.index()] && !self.is_border(next) {
                    known[next.index()] = true;
                    open.push(next.index());
                }
            }
        }
        count
    }

    fn is_border(&self, cell: Cell) -> bool {
        let (x, y) = self.size.xy(cell);
        x == 0 || y == 0 || x + 1 == self.size.width || y + 1 == self.size.height
    }

    /// Prints the maze, with pellets everywhere except in the house and under Pacman.
    fn print(&self, rng: &mut Rng) -> String {
        let mut signs: Vec<char> = self.floor.iter().map(|&floor| if floor { '.' } else { '#' }).collect();
        let (ghosts, top) = (self.ghost_column, self.house_top);
        for x in ghosts..=self.mirrored(ghosts) {
            for y in [top + 1, top + 2] {
                let cell = self.cell(x, y);
                if self.floor[cell] {
                    signs[cell] = ' ';
                }
            }
        }
        let right = self.mirrored(ghosts);
        for (place, sign) in [(ghosts, 1), (right, 1), (right, 2), (ghosts, 2)].into_iter().zip('1'..) {
            signs[self.cell(place.0, top + place.1)] = sign;
        }
        signs[self.pacman(rng)] = 'P';
        for (x, y) in self.potions(&signs, rng) {
            for x in [x, self.mirrored(x)] {
                signs[self.cell(x, y)] = 'o';
            }
        }
        signs.chunks(self.size.width.into()).flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// Pacman's cell: in a middle column below the house, in its lower half. Next to the house the ghosts would catch him
    /// before he could escape.
    fn pacman(&self, rng: &mut Rng) -> usize {
        let column = (self.size.width - 1) / 2;
        let rows = self.house_top + HOUSE_ROWS - 1..self.size.height;
        let cells: Vec<usize> = rows.map(|y| self.cell(column, y)).filter(|&cell| self.floor[cell]).collect();
        *rng.choose(&cells[cells.len() / 2..]).expect("the corridor below the house is floor")
    }

    /// A potion near the top corner and one near the bottom corner of the left half, on cells with a pellet.
    fn potions(&self, signs: &[char], rng: &mut Rng) -> [(u16, u16); 2] {
        let Size { width, height } = self.size;
        let half = (0..height).flat_map(|y| (1..width / 2).map(move |x| (x, y)));
        let mut pellets: Vec<(u16, u16)> = half.filter(|&(x, y)| signs[self.cell(x, y)] == '.').collect();
        [0, height - 1].map(|corner| {
            let away = rng.below(u32::from(height / 4)) as u16 + 3;
            let nearby = |&(x, y): &(u16, u16)| (x + y.abs_diff(corner)).abs_diff(away) * 8 + x;
            let nearest = (0..pellets.len()).min_by_key(|&index| nearby(&pellets[index]));
            // In a low maze both corners can be nearest to the same pellet.
            pellets.remove(nearest.expect("there is floor in the left half"))
        })
    }
}

/// The row of the corridor above the house: a little above the middle, so that there are rows above and below.
fn choose_house_top(height: u16, rng: &mut Rng) -> u16 {
    let middle = (height - HOUSE_ROWS) * 2 / 5;
    let spread = height / 10;
    middle.saturating_sub(spread).max(1) + rng.below(u32::from(2 * spread + 1)) as u16
}

/// Positions from `first` to `last`, both included, with random gaps of two or three.
fn spaced(first: u16, last: u16, rng: &mut Rng) -> Vec<u16> {
    let mut places = vec![first];
    let mut at = first;
    while at < last {
        at += match last - at {
            3 => 3,
            2 | 4 => 2,
            _ => 2 + u16::from(rng.below(3) == 0),
        };
        places.push(at);
    }
    places
}
