//! The games that Damier knows: the one place where a game is registered.

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use damier_host::games::Games;
pub use damier_host::games::rule_set;
use damier_kit::AnyGame;

/// All games, in the order in which they are listed.
pub static GAMES: Games = damier_games::GAMES;

/// Accepts the name of a game.
pub fn names_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.info().name))
}

/// What `damier bench` measures beside the games.
pub const ARENA: &str = "arena";

/// Accepts the name of a game, or `arena`.
pub fn bench_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.info().name).chain([ARENA]))
}

/// The game of this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame> {
    damier_host::games::find(GAMES, name)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use damier_host::levels;
    use damier_kit::cancel::Cancel;
    use damier_kit::{Brush, Info, SolveOptions};
    use serde_json::json;

    use super::*;

    /// A diamond in a box that only a monster could blow up, and the only monster is walled in.
    const SEALED: &str = "; need: 3\n\
        ####################\n\
        #P.................#\n\
        #..d....r...r......#\n\
        #.......d..........#\n\
        #...r.......r..www.#\n\
        #..............wdw.#\n\
        #....r...r.....www.#\n\
        #.....r......r.....#\n\
        #..###.............#\n\
        #..#R#...........X.#\n\
        #..###.............#\n\
        ####################\n";

    /// A level of each game that keeps its solver busy for long.
    fn long_searches() -> [(&'static str, &'static str, String); 5] {
        let shipped = |game: &str, rules, level| {
            let game = find(game).unwrap();
            levels::find_one(game, Some(level), rules).unwrap().text
        };
        [
            ("pacman", "course", shipped("pacman", "course", "damier/metropolis")),
            ("ricochet", "standard", open_field()),
            ("siam", "official", shipped("siam", "official", "start/start")),
            ("loderunner", "course", shipped("loderunner", "course", "hard/twelve-hours")),
            ("delirium", "course", SEALED.to_owned()),
        ]
    }

    /// A board of 32 by 32 without inner walls, its target in the middle.
    fn open_field() -> String {
        let wall = |x: u32, y: u32| {
            u32::from(y == 0) + 2 * u32::from(x == 31) + 4 * u32::from(y == 31) + 8 * u32::from(x == 0)
        };
        let walls: Vec<u32> = (0..32).flat_map(|y| (0..32).map(move |x| wall(x, y))).collect();
        let robots = json!({"red": [0, 0], "green": [31, 0], "blue": [0, 31], "yellow": [31, 31]});
        json!({"size": 32, "walls": walls, "robots": robots, "target_robot": "red", "target": [13, 17]})
            .to_string()
    }

    #[test]
    fn every_solver_stops_when_told() {
        for (game, rules, level) in long_searches() {
            let open = find(game).unwrap().open(&level, rules).unwrap();
            let cancel = Cancel::default();
            let (time, chance) = (Duration::from_mins(10), open.chance(1, 0));
            let limits = SolveOptions { time, threads: 1, chance, cancel: cancel.clone() };
            let started = Instant::now();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(300));
                    cancel.cancel();
                });
                open.solve(&limits, &|_| {});
            });
            let took = started.elapsed();
            assert!(took >= Duration::from_millis(290), "{game}: solved in {took:?}, too easy for this test");
            assert!(took < Duration::from_secs(3), "{game} went on for {took:?}");
        }
    }

    #[test]
    fn shipped_levels_can_be_painted() {
        for game in GAMES.iter().filter(|game| !game.info().brushes.is_empty()) {
            let info = game.info();
            let format = if info.formats.iter().any(|format| format.name == "drawn") {
                "drawn"
            } else {
                info.formats[0].name
            };
            for (rules, level) in
                info.rules.iter().flat_map(|rules| texts(info).map(move |level| (rules.name, level)))
            {
                let Ok(open) = game.open(level, rules) else { continue };
                let text = open.print(format).unwrap();
                let strange =
                    rows(&text).flat_map(str::chars).find(|&symbol| !has_brush(info, rules, symbol));
                assert_eq!(strange, None, "{} {rules}:\n{text}", info.name);
            }
        }
    }

    fn texts(info: &'static Info) -> impl Iterator<Item = &'static str> {
        info.packs.iter().flat_map(|pack| pack.levels).map(|(_, text)| *text)
    }

    /// The board's rows, without headers and what follows the board.
    fn rows(text: &str) -> impl Iterator<Item = &str> {
        let rows = text.lines().filter(|line| !line.starts_with(';'));
        let width = rows.clone().map(str::len).max().unwrap_or(0);
        rows.filter(move |line| line.len() == width)
    }

    fn has_brush(info: &Info, rules: &str, symbol: char) -> bool {
        let fits = |brush: &&Brush| brush.rules.is_empty() || brush.rules.contains(&rules);
        info.brushes.iter().filter(fits).any(|brush| brush.symbol == symbol)
    }
}
