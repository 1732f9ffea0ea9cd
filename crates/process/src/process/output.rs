//! The output of a process: lines of answers on standard output, its log on standard error.

use std::collections::VecDeque;
use std::path::Path;

use damier_kit::fault::{Fault, FaultCode};

/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 64 << 10;
/// Maximum standard output between two questions, in bytes.
const MAX_OUTPUT: usize = 1 << 20;
/// Bytes of the log kept between two questions.
const KEPT_LOG: usize = 64 << 10;
/// Bytes of the log's end kept to quote its last line.
const KEPT_TAIL: usize = 1 << 10;
/// Maximum log of a whole game, in bytes.
const MAX_LOG: usize = 16 << 20;

/// How programs report a refused operation: Landlock refuses files without notifying us.
const SIGNS_OF_REFUSAL: &[&str] =
    &["Permission denied", "Operation not permitted", "Read-only file system", "EACCES", "EPERM", "EROFS"];
/// How programs report missing files.
const SIGNS_OF_ABSENCE: &[&str] = &["No such file", "ENOENT", "does not exist"];
/// How programs report failed allocations.
const SIGNS_OF_LITTLE_MEMORY: &[&str] =
    &["MemoryError", "out of memory", "Cannot allocate memory", "bad_alloc", "memory allocation of"];

/// Buffered output of a process, with its limits.
#[derive(Default)]
pub struct Output {
    incoming: Vec<u8>,
    lines: VecDeque<String>,
    heard: usize,
    log: Vec<u8>,
    log_written: usize,
    tail: Vec<u8>,
}

impl Output {
    /// Restarts the count of output bytes for a new question.
    pub fn begin_question(&mut self) {
        self.heard = 0;
    }

    /// Adds bytes of standard output; too many are a fault.
    pub fn hear(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.heard += bytes.len();
        for &byte in bytes {
            if byte != b'\n' {
                self.incoming.push(byte);
                continue;
            }
            if self.incoming.len() > MAX_LINE {
                break;
            }
            let line = String::from_utf8_lossy(&self.incoming);
            self.lines.push_back(line.trim_end_matches('\r').to_owned());
            self.incoming.clear();
        }
        if self.incoming.len() > MAX_LINE {
            let detail = format!("it wrote a line of more than {MAX_LINE} bytes");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        if self.heard > MAX_OUTPUT {
            let detail = format!("it wrote more than {MAX_OUTPUT} bytes in one turn");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        Ok(())
    }

    /// Adds bytes of standard error; too many are a fault.
    pub fn hear_log(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.log_written += bytes.len();
        let room = KEPT_LOG.saturating_sub(self.log.len());
        self.log.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.tail.extend_from_slice(bytes);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_TAIL));
        if self.log_written > MAX_LOG {
            let detail = format!("it wrote more than {MAX_LOG} bytes to its log (standard error)");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        Ok(())
    }

    /// The oldest line not read yet.
    pub fn next_line(&mut self) -> Option<String> {
        self.lines.pop_front()
    }

    /// Is a whole line waiting?
    #[cfg(target_os = "linux")]
    pub fn has_line(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Drops all lines not read yet.
    pub fn drop_lines(&mut self) {
        self.lines.clear();
    }

    /// The start of a line whose end has not come yet.
    pub fn unfinished(&self) -> String {
        String::from_utf8_lossy(&self.incoming).into_owned()
    }

    /// Adds a remark of the referee to the log.
    #[cfg(target_os = "linux")]
    pub fn remark(&mut self, text: &str) {
        self.log.extend_from_slice(format!("[damier] {text}\n").as_bytes());
    }

    /// The log since the last call.
    pub fn take_log(&mut self) -> String {
        let log = String::from_utf8_lossy(&self.log).into_owned();
        self.log.clear();
        log
    }

    /// The fault of a process that ended like this, judged by the end of its log, its last refused operation and the files it can see.
    pub fn fault_of_end(&self, ending: String, refused: Option<&str>, sees: impl Fn(&Path) -> bool) -> Fault {
        let words = self.last_words();
        let says = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
        let hidden = || named_paths(&words).find(|path| says(SIGNS_OF_ABSENCE) && !sees(path));
        let (code, mut detail) = match refused {
            Some(refused) => {
                (FaultCode::Forbidden, format!("it {refused}, which was refused; then {ending}"))
            }
            None if says(SIGNS_OF_REFUSAL) => (FaultCode::Forbidden, ending),
            None if says(SIGNS_OF_LITTLE_MEMORY) => (FaultCode::Memory, ending),
            None => match hidden() {
                Some(path) => {
                    let hidden = format!("it may not see the file {}", path.display());
                    (FaultCode::Forbidden, format!("{hidden}; {ending}"))
                }
                None => (FaultCode::Crash, ending),
            },
        };
        if !words.is_empty() {
            detail = format!("{detail}; its last log line: {words}");
        }
        Fault::new(code, detail)
    }

    /// The last line of the log that is not blank.
    fn last_words(&self) -> String {
        let tail = String::from_utf8_lossy(&self.tail);
        let words = tail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        words.trim().chars().take(200).collect()
    }
}

/// The absolute paths in a sentence.
fn named_paths(words: &str) -> impl Iterator<Item = &Path> {
    let around = |character: char| character.is_whitespace() || "'`\"()[],:;".contains(character);
    words.split(around).filter(|word| word.starts_with('/')).map(Path::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_from_pieces() {
        let mut output = Output::default();
        output.hear(b"one\r\ntw").unwrap();
        assert_eq!((output.next_line().as_deref(), output.next_line()), (Some("one"), None));
        assert_eq!(output.unfinished(), "tw");
        output.hear(b"o\n").unwrap();
        assert_eq!(output.next_line().as_deref(), Some("two"));
    }

    #[test]
    fn floods_are_faults() {
        let mut output = Output::default();
        assert_eq!(output.hear(&vec![b'x'; MAX_LINE + 1]).unwrap_err().code, FaultCode::Output);
        let mut output = Output::default();
        let ended = [vec![b'x'; MAX_LINE + 1], vec![b'\n']].concat();
        assert_eq!(output.hear(&ended).unwrap_err().code, FaultCode::Output);
        let mut output = Output::default();
        let mut line = vec![b'x'; MAX_LINE];
        line.push(b'\n');
        let lines = MAX_OUTPUT / line.len();
        (0..lines).for_each(|_| output.hear(&line).unwrap());
        assert_eq!(output.hear(&line).unwrap_err().code, FaultCode::Output);
        output.begin_question();
        output.hear(&line).unwrap();
        let megabyte = vec![b'x'; 1 << 20];
        (0..MAX_LOG >> 20).for_each(|_| output.hear_log(&megabyte).unwrap());
        assert_eq!(output.hear_log(b"x").unwrap_err().code, FaultCode::Output);
    }

    #[test]
    fn the_last_words_tell_why_a_process_ended() {
        let code = |log: &[u8], refused| {
            let mut output = Output::default();
            output.hear_log(log).unwrap();
            output.fault_of_end("it ended".into(), refused, |path| path.starts_with("/usr")).code
        };
        let missing =
            |path: &str| format!("FileNotFoundError: [Errno 2] No such file or directory: '{path}'\n");
        assert_eq!(code(missing("/home/bob/x").as_bytes(), None), FaultCode::Forbidden);
        assert_eq!(code(missing("/usr/x").as_bytes(), None), FaultCode::Crash);
        assert_eq!(code(missing("x").as_bytes(), None), FaultCode::Crash);
        assert_eq!(code(b"", None), FaultCode::Crash);
        assert_eq!(code(b"open: Permission denied\n\n", None), FaultCode::Forbidden);
        assert_eq!(code(b"MemoryError\n", None), FaultCode::Memory);
        assert_eq!(code(b"MemoryError\n", Some("tried to start another process")), FaultCode::Forbidden);
    }
}
