//! Untrusted text, made harmless for terminals, pages and XML.

use std::borrow::Cow;

/// Replaces control characters: escape sequences, bells, changes of the writing direction. Line ends and tabs stay.
///
/// ```
/// use damier_kit::printable::printable;
///
/// assert_eq!(printable("a\u{1b}[31m b\u{202e}\n"), "a\u{fffd}[31m b\u{fffd}\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(printable_char).collect())
}

/// The character itself, or the replacement character if it is harmful.
pub fn printable_char(character: char) -> char {
    if is_harmless(character) { character } else { char::REPLACEMENT_CHARACTER }
}

fn is_harmless(character: char) -> bool {
    // Marks, embeddings, overrides and isolates of the writing direction, and Unicode line separators.
    let changes_direction = matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    // Noncharacters, not allowed in XML.
    let is_noncharacter = matches!(character, '\u{FFFE}' | '\u{FFFF}');
    matches!(character, '\n' | '\t') || !(character.is_control() || changes_direction || is_noncharacter)
}
