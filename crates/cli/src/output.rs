//! Printing of text. Names, logs and reasons come from agents and other people's files, so terminal control characters are replaced
//! here, and only here.

use std::io::{self, StdoutLock, Write};

use damier_kit::printable::printable;

use crate::Answer;

/// Standard output for people. JSON lines bypass it: JSON escapes control characters, and programs want them unchanged.
pub struct Screen(StdoutLock<'static>);

/// Locks standard output to print text.
pub fn screen() -> Screen {
    Screen(io::stdout().lock())
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Formatting writes whole strings, never part of a character.
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(printable(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Reports bad input on standard error.
pub fn report_error(error: &anyhow::Error) -> Answer {
    eprintln!("damier: {}", printable(&format!("{error:#}")));
    Answer::BadInput
}
