//! Replay files: JSON lines, compressed if the name ends in `.zst`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_core::game::Status;
use damier_kit::Info;
use damier_kit::referee::Finish;
use damier_kit::replay::{End, Parser, Replay, Start};
use damier_kit::table::{OpenLevel, Table};

use crate::ENGINE;

/// Maximum size of an unpacked replay, in bytes. A larger one is broken or an attack.
const LARGEST: u64 = 64 << 20;
/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 32 << 20;
const NOT_A_REPLAY: &str = "this is not a replay: neither JSON lines nor zstd";
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// An empty replay of a game on an opened level.
pub fn begin(
    info: &Info,
    level: &dyn OpenLevel,
    level_name: &str,
    seed: u64,
    agents: Vec<String>,
    turn_limit: u32,
) -> Result<Replay> {
    Ok(Replay::new(Start {
        engine: ENGINE.to_owned(),
        game: info.name.to_owned(),
        rules: level.rules().to_owned(),
        level: level_name.to_owned(),
        text: level.print(info.formats[0].name)?,
        seed,
        agents,
        turn_limit,
    }))
}

/// The end line of a game, if it is over.
pub fn end(table: &dyn Table, seats: usize) -> Option<End> {
    match table.status() {
        Status::ToMove(_) => None,
        Status::Over(outcome) => Some(Finish::Over(outcome).end(table, seats, 0)),
    }
}

/// Compressed JSON lines, as files and stores keep them. In the browser they are not compressed.
pub fn pack(replay: &Replay) -> Result<Vec<u8>> {
    compression::compress(&replay.to_json_lines())
}

/// Reads the output of [`pack`], or plain JSON lines; errors begin with `name`.
pub fn unpack(name: &str, bytes: &[u8]) -> Result<Replay> {
    unpack_within(name, bytes, LARGEST)
}

/// Like [`unpack`], with another maximum size.
pub fn unpack_within(name: &str, bytes: &[u8], largest: u64) -> Result<Replay> {
    read_within(bytes, largest).map_err(|error| anyhow!("{name}: {error:#}"))
}

/// Reads a replay file, compressed or not.
pub fn read(path: &Path) -> Result<Replay> {
    let read = || read_within(File::open(path)?, LARGEST);
    read().map_err(|error| anyhow!("{}: {error:#}", path.display()))
}

/// Reads line by line: other files are refused at once, and endless input before it fills the memory.
fn read_within(source: impl Read, largest: u64) -> Result<Replay> {
    let mut source = BufReader::new(source.take(largest));
    if source.fill_buf()?.starts_with(&ZSTD_MAGIC) {
        let unpacked = compression::decompress(source)?.take(largest);
        return parse(BufReader::new(unpacked), largest);
    }
    parse(source, largest)
}

fn parse(mut text: impl BufRead, largest: u64) -> Result<Replay> {
    let (mut parser, mut line, mut size) = (Parser::default(), Vec::new(), 0);
    let first = text.fill_buf().context(NOT_A_REPLAY)?.first().copied();
    ensure!(first.is_none_or(|byte| byte == b'{' || byte.is_ascii_whitespace()), NOT_A_REPLAY);
    loop {
        line.clear();
        let read = (&mut text).take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
        size += read.context("the replay is damaged")? as u64;
        // The source ends where the largest replay does.
        if line.len() == LONGEST_LINE || size >= largest {
            bail!("the replay is too large");
        }
        if line.is_empty() {
            return Ok(parser.finish()?);
        }
        parser.add(str::from_utf8(&line).map_err(|_| anyhow!(NOT_A_REPLAY))?)?;
    }
}

/// Writes a replay atomically: a kill never leaves half of it under its name.
pub fn write(path: &Path, replay: &Replay) -> Result<()> {
    let bytes = if path.extension().is_some_and(|extension| extension == "zst") {
        pack(replay)?
    } else {
        replay.to_json_lines().into_bytes()
    };
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, path))
        .with_context(|| path.display().to_string())
}

#[cfg(not(target_family = "wasm"))]
mod compression {
    use std::cell::RefCell;
    use std::io::{BufRead, Read};

    use anyhow::Result;
    use zstd::bulk::Compressor;
    use zstd::zstd_safe::CParameter;

    /// Compression level: higher ones gain little on a replay.
    const LEVEL: i32 = 3;
    /// Maximum window of a frame, as a power of two bytes. Level 19 needs this much.
    const LARGEST_WINDOW: u32 = 23;

    thread_local! {
        /// Making a compressor costs more than compressing a short game, so every thread keeps one.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }

    pub fn compress(text: &str) -> Result<Vec<u8>> {
        COMPRESSOR.with_borrow_mut(|kept| {
            let mut compressor = kept.take().map_or_else(new_compressor, Ok)?;
            let packed = compressor.compress(text.as_bytes())?;
            *kept = Some(compressor);
            Ok(packed)
        })
    }

    /// A compressor that adds a checksum.
    fn new_compressor() -> std::io::Result<Compressor<'static>> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        Ok(compressor)
    }

    /// Decompresses a stream. A corrupt frame ends with an error.
    pub fn decompress(packed: impl BufRead) -> Result<impl Read> {
        let mut decoder = zstd::Decoder::with_buffer(packed)?;
        decoder.window_log_max(LARGEST_WINDOW)?;
        Ok(decoder)
    }
}

/// The C library of zstd does not build for the browser.
#[cfg(target_family = "wasm")]
mod compression {
    use std::io::BufRead;

    use anyhow::{Result, bail};

    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub fn compress(text: &str) -> Result<Vec<u8>> {
        Ok(text.as_bytes().to_vec())
    }

    pub fn decompress(_: impl BufRead) -> Result<std::io::Empty> {
        bail!("compressed replays cannot be read in the browser; decompress it first, with `zstd -d`")
    }
}
