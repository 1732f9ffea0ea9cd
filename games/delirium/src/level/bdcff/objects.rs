//! The objects that caves are made of: each draws some cells.

use damier_core::grid::Size;
use damier_core::level::LevelError;

use super::element;
use crate::kind::Kind;
use crate::rules::boulder::next_c64;

/// A cave while it is drawn.
pub(super) struct Canvas {
    pub size: Size,
    pub cells: Vec<Kind>,
    /// Does what is drawn beyond an edge appear at the other one? Shifted by a row?
    pub wraps: bool,
    pub lineshift: bool,
    /// The level that is drawn, from 0.
    pub level: usize,
}

type At = (i32, i32);

impl Canvas {
    fn place(&self, (mut x, mut y): At) -> Option<usize> {
        let (w, h) = (i32::from(self.size.width), i32::from(self.size.height));
        if self.wraps {
            if self.lineshift {
                y += x.div_euclid(w);
            }
            (x, y) = (x.rem_euclid(w), y.rem_euclid(h));
        }
        ((0..w).contains(&x) && (0..h).contains(&y)).then(|| (y * w + x) as usize)
    }

    fn at(&self, at: At) -> Option<Kind> {
        self.place(at).map(|place| self.cells[place])
    }

    fn put(&mut self, at: At, kind: Option<Kind>) {
        if let (Some(place), Some(kind)) = (self.place(at), kind) {
            self.cells[place] = kind;
        }
    }

    /// Draws an object line such as `Line=2 1 2 4 DIAMOND`.
    pub(super) fn draw(&mut self, text: &str, line: usize) -> Result<(), LevelError> {
        let bad = || LevelError::at(line, 0, format!("`{text}` is not an object that is supported"));
        let (shape, rest) = text.split_once('=').ok_or_else(bad)?;
        let shape = shape.trim().to_ascii_lowercase();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let numbers: Vec<i32> = words.iter().map_while(|word| word.parse().ok()).collect();
        // Nothing useful lies so far away; it also keeps a bad line from taking for ever.
        let far = |&number: &i32| !(-1_000..=1_000).contains(&number);
        if numbers.iter().take(6).any(far) {
            return Err(bad());
        }
        let names = &words[numbers.len()..];
        let kind = |index: usize| match names.get(index) {
            Some(name) if name.eq_ignore_ascii_case("NONE") => Ok(None),
            Some(name) => element(name, line).map(Some),
            None => Err(bad()),
        };
        let or_first = |index: usize| if names.len() > index { kind(index) } else { kind(0) };
        match (shape.as_str(), &numbers[..]) {
            ("point", &[x, y]) => self.put((x, y), kind(0)?),
            ("line", &[x1, y1, x2, y2]) => {
                let kind = kind(0)?;
                for at in line_cells((x1, y1), (x2, y2)) {
                    self.put(at, kind);
                }
            }
            ("rectangle", &[x1, y1, x2, y2]) => self.rectangle((x1, y1), (x2, y2), kind(0)?, None),
            ("fillrect", &[x1, y1, x2, y2]) => {
                let inner = or_first(1)?;
                self.rectangle((x1, y1), (x2, y2), kind(0)?, inner);
            }
            ("raster", &[x, y, columns, rows, dx, dy]) => {
                let kind = kind(0)?;
                // Counts below one lead the other way.
                let along = |first: i32, count: i32, by: i32| {
                    let last = first + (count - 1) * by;
                    (first.min(last)..=first.max(last)).step_by(by.unsigned_abs().max(1) as usize)
                };
                for (y, x) in along(y, rows, dy).flat_map(|y| along(x, columns, dx).map(move |x| (y, x))) {
                    self.put((x, y), kind);
                }
            }
            ("add", &[dx, dy]) => self.join((dx, dy), kind(0)?, kind(1)?, false),
            ("addbackward", &[dx, dy]) => self.join((dx, dy), kind(0)?, kind(1)?, true),
            ("floodfill", &[x, y]) => {
                self.flood((x, y), kind(0)?, |canvas, first, at| canvas.at(at) == first);
            }
            ("boundaryfill", &[x, y]) => {
                let border = or_first(1)?;
                self.flood((x, y), kind(0)?, |canvas, _, at| {
                    canvas.at(at).is_some() && canvas.at(at) != border
                });
            }
            ("copypaste", &[x1, y1, x2, y2, x, y]) => self.copy((x1, y1), (x2, y2), (x, y), names),
            ("randomfillc64", &[x1, y1, x2, y2, ref seeds @ ..]) if !seeds.is_empty() => {
                let seed = *seeds.get(self.level).unwrap_or(&seeds[0]);
                self.random_fill((x1, y1), (x2, y2), seed, names, line)?;
            }
            ("randomfill" | "maze", _) => {
                return Err(LevelError::at(
                    line,
                    0,
                    format!("`{}` objects are not supported", text.split('=').next().unwrap_or(text)),
                ));
            }
            _ => return Err(bad()),
        }
        Ok(())
    }

    fn rectangle(&mut self, (x1, y1): At, (x2, y2): At, edge: Option<Kind>, inner: Option<Kind>) {
        let (left, right, top, bottom) = (x1.min(x2), x1.max(x2), y1.min(y2), y1.max(y2));
        for (y, x) in (top..=bottom).flat_map(|y| (left..=right).map(move |x| (y, x))) {
            if x == left || x == right || y == top || y == bottom {
                self.put((x, y), edge);
            } else {
                self.put((x, y), inner);
            }
        }
    }

    /// Beside every element of a kind puts another one; what was put counts too.
    fn join(&mut self, (dx, dy): At, wanted: Option<Kind>, added: Option<Kind>, backward: bool) {
        let mut places: Vec<At> = (0..i32::from(self.size.height))
            .flat_map(|y| (0..i32::from(self.size.width)).map(move |x| (x, y)))
            .collect();
        if backward {
            places.reverse();
        }
        let wraps = std::mem::replace(&mut self.wraps, true);
        for (x, y) in places {
            if self.at((x, y)) == wanted {
                self.put((x + dx, y + dy), added);
            }
        }
        self.wraps = wraps;
    }

    fn flood(&mut self, start: At, kind: Option<Kind>, spreads: impl Fn(&Self, Option<Kind>, At) -> bool) {
        let wraps = std::mem::replace(&mut self.wraps, false);
        let first = self.at(start);
        let mut waiting = vec![start];
        if first == kind {
            waiting.clear();
        }
        while let Some((x, y)) = waiting.pop() {
            if self.at((x, y)) != kind && spreads(self, first, (x, y)) {
                self.put((x, y), kind);
                waiting.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
            }
        }
        self.wraps = wraps;
    }

    fn copy(&mut self, (x1, y1): At, (x2, y2): At, to: At, words: &[&str]) {
        let says = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
        let (left, right, top, bottom) = (x1.min(x2), x1.max(x2), y1.min(y2), y1.max(y2));
        let (w, h) = (right - left + 1, bottom - top + 1);
        let copied: Vec<Option<Kind>> =
            (0..w * h).map(|index| self.at((left + index % w, top + index / w))).collect();
        for y in 0..h {
            for x in 0..w {
                let from_x = if says("mirror") { w - 1 - x } else { x };
                let from_y = if says("flip") { h - 1 - y } else { y };
                self.put((to.0 + x, to.1 + y), copied[(from_y * w + from_x) as usize]);
            }
        }
    }

    /// `INITIAL (ELEMENT threshold)… [REPLACED]`: every cell draws a number; only what is replaced changes.
    fn random_fill(
        &mut self,
        (x1, y1): At,
        (x2, y2): At,
        seed: i32,
        words: &[&str],
        line: usize,
    ) -> Result<(), LevelError> {
        let first = words.first().ok_or_else(|| LevelError::at(line, 0, "a random fill needs an element"))?;
        let mut fills = vec![(element(first, line)?, 256)];
        let mut replaced = None;
        for pair in words[1..].chunks(2) {
            match pair {
                [name, threshold] => {
                    let threshold = threshold.parse();
                    let threshold = threshold
                        .map_err(|_| LevelError::at(line, 0, format!("`{}`: expected a number", pair[1])))?;
                    fills.push((element(name, line)?, threshold));
                }
                [name] => replaced = Some(element(name, line)?),
                _ => {}
            }
        }
        let mut seed = (seed as u16).to_be_bytes();
        for (y, x) in (y1.min(y2)..=y1.max(y2)).flat_map(|y| (x1.min(x2)..=x1.max(x2)).map(move |x| (y, x))) {
            let kind = pick(&fills, next_c64(&mut seed));
            if replaced.is_none() || self.at((x, y)) == replaced {
                self.put((x, y), Some(kind));
            }
        }
        Ok(())
    }
}

/// The last element whose threshold is above the number.
pub(super) fn pick(fills: &[(Kind, u16)], number: u8) -> Kind {
    let drawn = fills.iter().rev().find(|fill| u16::from(number) < fill.1);
    drawn.unwrap_or(&fills[0]).0
}

/// A straight line, drawn from its left or upper end.
fn line_cells(from: At, to: At) -> Vec<At> {
    let steep = (to.1 - from.1).abs() > (to.0 - from.0).abs();
    let turn = |(x, y): At| if steep { (y, x) } else { (x, y) };
    let (mut from, mut to) = (turn(from), turn(to));
    if from.0 > to.0 {
        std::mem::swap(&mut from, &mut to);
    }
    let (long, short) = (to.0 - from.0, (to.1 - from.1).abs());
    let step = if from.1 < to.1 { 1 } else { -1 };
    let (mut y, mut error) = (from.1, 0);
    let mut cells = Vec::new();
    for x in from.0..=to.0 {
        cells.push(turn((x, y)));
        error += short;
        if 2 * error >= long && long > 0 {
            y += step;
            error -= long;
        }
    }
    cells
}
