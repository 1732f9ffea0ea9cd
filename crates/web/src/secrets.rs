//! Keys and tokens: random, and compared in constant time.

use crate::error::{Answer, ApiError};

/// Random bytes as hexadecimal digits.
pub fn secret<const BYTES: usize>() -> Answer<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| ApiError::busy(format!("cannot get random bytes: {error}")))?;
    Ok(hex(&bytes))
}

/// Compares two secrets in constant time.
pub fn same(one: &str, other: &str) -> bool {
    let differences =
        one.bytes().zip(other.bytes()).fold(0, |differences, (one, other)| differences | (one ^ other));
    one.len() == other.len() && differences == 0
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).expect("half a byte");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_only_the_same_is_the_same() {
        let [one, other] = [secret::<8>(), secret::<8>()].map(|made| made.expect("random bytes"));
        assert_eq!(one.len(), 16);
        assert!(same(&one, &one) && !same(&one, &other) && !same(&one, &one[..15]) && !same(&one, ""));
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
