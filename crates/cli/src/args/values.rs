//! Parsers for the values of options.

use std::time::Duration;

pub use damier_host::budgets::parse_duration;
use damier_host::seeds;

/// Pace of interactive play, instead of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The game waits for the player.
    Waits,
    /// Real time: one turn per this time.
    Every(Duration),
}

/// Seeds in the order given.
pub type Seeds = std::sync::Arc<[u64]>;

/// Parses an access token.
pub fn parse_token(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if plain && (8..=100).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    Err("a token consists of 8 to 100 letters, digits, hyphens and underscores".into())
}

/// Parses two Elo differences such as `0,20`.
pub fn parse_elo_pair(text: &str) -> Result<(f64, f64), String> {
    text.split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)))
        .ok_or_else(|| format!("`{text}` is not a pair such as 0,20"))
}

/// Parses a pace: `off`, or the time per turn.
pub fn parse_pace(text: &str) -> Result<Pace, String> {
    if text == "off" {
        return Ok(Pace::Waits);
    }
    let tick = parse_duration(text)?;
    if tick < Duration::from_millis(10) {
        return Err("a turn must take at least 10ms".into());
    }
    Ok(Pace::Every(tick))
}

/// Parses a difficulty from 0 to 10.
pub fn parse_difficulty(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=10.0).contains(&value) => Ok(value),
        _ => Err("a difficulty is a number from 0 to 10".into()),
    }
}

/// Parses a size such as `19x21`.
pub fn parse_size(text: &str) -> Result<(u16, u16), String> {
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
        .ok_or_else(|| format!("`{text}` is not a size such as 19x21"))
}

/// Parses seeds such as `1..3,9`.
pub fn parse_seeds(text: &str) -> Result<Seeds, String> {
    seeds::parse(text).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(parse_seeds("1..3,9").unwrap()[..], [1, 2, 3, 9]);
        assert!(parse_seeds("3..1").is_err());
        assert!(parse_seeds("a").is_err());
    }

    #[test]
    fn sizes_need_two_numbers() {
        assert_eq!(parse_size("19x21"), Ok((19, 21)));
        assert!(parse_size("19").is_err());
        assert!(parse_size("-1x3").is_err());
    }
}
