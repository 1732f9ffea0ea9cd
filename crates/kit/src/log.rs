//! Logs of agents, shortened for display.

/// The last `max` lines of a log, without blank and repeated lines. Prolog's warnings about loading a file come first and say little, so
/// they are dropped unless there is nothing else.
///
/// ```
/// let log = "Warning: a.pl:3:\nWarning:    Singleton variables: [X]\nUnknown procedure move/12\n";
/// assert_eq!(damier_kit::log::tail(log, 5), ["Unknown procedure move/12"]);
/// assert_eq!(damier_kit::log::tail("a\nb\nb\nb\n", 2), ["a", "b"]);
/// ```
pub fn tail(log: &str, max: usize) -> Vec<&str> {
    let lines: Vec<&str> = log.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let relevant: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with("Warning:")).collect();
    let mut shown = if relevant.is_empty() { lines } else { relevant };
    shown.dedup();
    shown[shown.len().saturating_sub(max)..].to_vec()
}
