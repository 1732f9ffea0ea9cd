//! Replay files: JSON lines, compressed if the name ends in `.zst`.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use damier_core::game::Status;
use damier_kit::Info;
use damier_kit::referee::Finish;
use damier_kit::replay::{End, Replay, Start};
use damier_kit::table::{OpenLevel, Table};

use crate::ENGINE;

/// Maximum size of a replay when unpacked, in bytes: a larger one is a mistake or an attack.
const LARGEST: u64 = 256 << 20;
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
    let bytes = if bytes.starts_with(&ZSTD_MAGIC) {
        compression::decompress(bytes, largest).map_err(|error| anyhow!("{name}: {error}"))?
    } else {
        bytes.to_owned()
    };
    ensure!((bytes.len() as u64) < largest, "{name}: the replay is too large");
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("{name}: {NOT_A_REPLAY}"))?;
    Replay::parse(&text).map_err(|error| anyhow!("{name}: {error}"))
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
    use std::io::Read;

    use anyhow::{Context, Result};
    use zstd::bulk::Compressor;

    /// Compression level: higher ones gain little on a replay.
    const LEVEL: i32 = 3;

    thread_local! {
        /// Making a compressor costs more than compressing a short game, so every thread keeps one.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }

    pub fn compress(text: &str) -> Result<Vec<u8>> {
        COMPRESSOR.with_borrow_mut(|kept| {
            let mut compressor = kept.take().map_or_else(|| Compressor::new(LEVEL), Ok)?;
            let packed = compressor.compress(text.as_bytes())?;
            *kept = Some(compressor);
            Ok(packed)
        })
    }

    /// At most `largest` bytes of what was compressed.
    pub fn decompress(bytes: &[u8], largest: u64) -> Result<Vec<u8>> {
        let mut unpacked = Vec::new();
        let read =
            zstd::Decoder::new(bytes).and_then(|decoder| decoder.take(largest).read_to_end(&mut unpacked));
        read.map(|_| unpacked).context(super::NOT_A_REPLAY)
    }
}

/// The C library of zstd does not build for the browser.
#[cfg(target_family = "wasm")]
mod compression {
    use anyhow::{Result, bail};

    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub fn compress(text: &str) -> Result<Vec<u8>> {
        Ok(text.as_bytes().to_vec())
    }

    pub fn decompress(_: &[u8], _: u64) -> Result<Vec<u8>> {
        bail!("compressed replays cannot be read in the browser; decompress it first, with `zstd -d`")
    }
}
