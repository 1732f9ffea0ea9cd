//! Keys by the names that games give them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The name of a key: `up`, `space`, `enter`, a single character.
pub fn name(key: &KeyEvent) -> Option<String> {
    let name = match key.code {
        KeyCode::Up => "up",
        KeyCode::Down => "down",
        KeyCode::Left => "left",
        KeyCode::Right => "right",
        KeyCode::Enter => "enter",
        KeyCode::Char(' ') => "space",
        KeyCode::Char(character) => return Some(character.to_string()),
        _ => return None,
    };
    Some(name.to_owned())
}

/// Is this Ctrl-C, which quits every game?
pub fn is_interrupt(key: &KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// How a key is written in the help.
pub fn shown(name: &str) -> &str {
    match name {
        "up" => "↑",
        "down" => "↓",
        "left" => "←",
        "right" => "→",
        other => other,
    }
}

/// Does the terminal support Unicode, judging by its environment?
pub fn terminal_has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_default()
        .to_ascii_lowercase();
    let terminal = std::env::var("TERM").unwrap_or_default();
    (locale.contains("utf-8") || locale.contains("utf8")) && terminal != "linux" && terminal != "dumb"
}
