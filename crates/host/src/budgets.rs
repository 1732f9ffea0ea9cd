//! Durations and budgets as people write them.

use std::time::Duration;

use damier_core::agent::Budget;

/// Parses a duration such as `5s`, `500ms` or `2m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 =
        digits.trim().parse().map_err(|_| format!("`{text}` is not a duration such as 5s, 500ms or 2m"))?;
    let seconds = match &text[digits.len()..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        unit => return Err(format!("`{unit}` is not a time unit: use ms, s or m")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is not a duration"))
}

/// Parses the budget of a decision: a time with its unit such as `100ms`, or a number of nodes such as `400000n`.
pub fn parse_budget(text: &str) -> Option<Budget> {
    if let Some(nodes) = text.strip_suffix('n') {
        return Some(Budget { nodes: Some(nodes.parse().ok()?), time: None });
    }
    let time = parse_duration(text).ok().filter(|_| text.ends_with(|c: char| c.is_ascii_alphabetic()))?;
    Some(Budget { time: Some(time), nodes: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert!(parse_duration("5 parsecs").is_err());
        assert!(parse_duration("-1s").is_err());
        assert!(parse_duration("").is_err());
    }

    #[test]
    fn budgets_are_times_or_nodes() {
        let time = Some(Duration::from_millis(100));
        assert_eq!(parse_budget("100ms"), Some(Budget { time, nodes: None }));
        assert_eq!(parse_budget("400000n"), Some(Budget { time: None, nodes: Some(400_000) }));
        for wrong in ["", "n", "100", "-1s", "1.5n", "fast"] {
            assert_eq!(parse_budget(wrong), None, "{wrong}");
        }
    }
}
