//! Seeded caves: propose, certify, measure.
//!
//! A theme [proposes](themes) a map; things fall until all rests; a plan that [wins](certify) whatever chance does must be
//! found, or the map is thrown away; what is left is measured, and the one nearest to the wish is taken.

pub mod certify;
pub mod themes;

use damier_core::grid::{Cell, Size};
use damier_core::random::{Chance, Rng, hash_bytes};
use damier_kit::GenerateRequest;

use crate::kind::Kind;
use crate::level::{Level, MAX_SIDE, Map};
use crate::rules::{RuleSet, Rules, State};
use certify::Certificate;
use themes::Theme;

/// The default size of a cave.
const USUAL: Size = Size::new(28, 18);

/// The smallest side of a generated cave.
const SMALLEST: u16 = 10;

/// Proposals before the generator gives up.
const PROPOSALS: u32 = 200;

/// Certified caves to choose from.
const CHOICE: usize = 4;

/// The ticks in which a proposal must come to rest.
const SETTLING: u32 = 400;

/// The distance from the requested difficulty within which a cave is taken at once.
const NEAR: f64 = 0.7;

/// Generates a cave in the format `damier`, or says why there is none for this request.
pub fn generate(request: &GenerateRequest) -> Result<String, String> {
    let size = request.size.map_or(USUAL, |(width, height)| Size::new(width, height));
    let range = SMALLEST..=MAX_SIDE as u16;
    if !range.contains(&size.width) || !range.contains(&size.height) {
        return Err(format!("a cave has {SMALLEST} to {MAX_SIDE} columns and rows"));
    }
    let set =
        RuleSet::parse(request.rules).ok_or_else(|| format!("there is no rule set `{}`", request.rules))?;
    let mut rng = Rng::for_game(hash_bytes(request.rules.as_bytes()), request.seed, 0);
    let wish = request.difficulty.unwrap_or_else(|| 1.0 + f64::from(rng.below(80)) / 10.0).clamp(0.0, 10.0);
    let theme = Theme::ALL[rng.below(Theme::ALL.len() as u32) as usize];
    let mut best: Option<(f64, Level, Certificate)> = None;
    let mut certified = 0;
    for _ in 0..PROPOSALS {
        request.check_cancelled()?;
        let Some(level) = propose(&mut rng, theme, size, wish / 10.0, set) else { continue };
        let Ok(rules) = Rules::new(level, set) else { continue };
        let Some(certificate) = certify::certify(&rules) else { continue };
        certified += 1;
        let distance = (certificate.difficulty() - wish).abs();
        if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
            best = Some((distance, rules.level().clone(), certificate));
        }
        if distance < NEAR || certified >= CHOICE {
            break;
        }
    }
    let (_, level, certificate) = best.ok_or("no cave of this kind could be certified; try another seed")?;
    let name = format!("{} {}", theme.name(), request.seed);
    Ok(with_headers(&level, &name, theme, &certificate))
}

fn with_headers(level: &Level, name: &str, theme: Theme, certificate: &Certificate) -> String {
    let rest = level.print("damier").unwrap_or_default();
    format!(
        "; name: {name}\n; theme: {}\n; par: {}\n; difficulty: {:.1}\n{rest}",
        theme.name(),
        certificate.ticks(),
        certificate.difficulty()
    )
}

/// A proposal that has come to rest, if it is a level at all.
fn propose(rng: &mut Rng, theme: Theme, size: Size, hardness: f64, set: RuleSet) -> Option<Level> {
    let cells = settle(theme.propose(rng, size, hardness), size, set)?;
    let diamonds = cells.iter().filter(|&&kind| kind == Kind::Diamond).count();
    let need = (diamonds * (50 + rng.below(25) as usize) / 100).max(1);
    if diamonds == 0 {
        return None;
    }
    Level::new(vec![map(size, cells, need)?]).ok()
}

fn map(size: Size, cells: Vec<Kind>, need: usize) -> Option<Map> {
    Map::new(size, cells, vec![("need".to_owned(), need.to_string())], &|_: Cell| (0, 0)).ok()
}

/// Lets everything fall while miner and monsters hold still; nothing if that kills the miner or takes too long.
fn settle(mut cells: Vec<Kind>, size: Size, set: RuleSet) -> Option<Vec<Kind>> {
    let monsters: Vec<(usize, Kind)> =
        cells.iter().copied().enumerate().filter(|(_, kind)| kind.is_monster()).collect();
    for &(cell, _) in &monsters {
        cells[cell] = Kind::Border;
    }
    let rules = Rules::new(Level::new(vec![map(size, cells, usize::from(u16::MAX))?]).ok()?, set).ok()?;
    let mut state = damier_core::game::Game::start(&rules);
    let mut before = rules.kinds(&state);
    for _ in 0..SETTLING {
        wait(&rules, &mut state);
        let after = rules.kinds(&state);
        if state.ending().is_some() {
            return None;
        }
        if after == before {
            let mut cells = after;
            for (cell, kind) in monsters {
                cells[cell] = kind;
            }
            return Some(cells);
        }
        before = after;
    }
    None
}

fn wait(rules: &Rules, state: &mut State) {
    let action = crate::rules::Action::Stay;
    rules.apply_out_of_line(state, action, &mut damier_core::random::Smallest);
}
