//! Seeds as users write them.

/// Parses `FIRST..LAST`, both included.
pub fn parse_range(text: &str) -> Option<std::ops::RangeInclusive<u64>> {
    let (first, last) = text.split_once("..")?;
    let (first, last) = (first.parse().ok()?, last.trim_start_matches('=').parse().ok()?);
    (first <= last && last - first < 1_000_000).then_some(first..=last)
}

/// Parses seeds and ranges, separated by commas: `1..200`, `1,5,9`.
pub fn parse(text: &str) -> Result<Vec<u64>, String> {
    let mut seeds = Vec::new();
    for part in text.split(',') {
        match (parse_range(part), part.trim().parse()) {
            (Some(range), _) => seeds.extend(range),
            (None, Ok(seed)) => seeds.push(seed),
            (None, Err(_)) => return Err(format!("`{part}` is neither a seed nor a range such as 1..200")),
        }
    }
    Ok(seeds)
}
