//! Replay files: JSON lines, compressed if the name ends in `.zst`.

use std::cell::RefCell;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use damier_core::game::Status;
use damier_kit::Info;
use damier_kit::referee::Finish;
use damier_kit::replay::{End, Replay, Start};
use damier_kit::table::{OpenLevel, Table};
use zstd::bulk::Compressor;

/// A replay is not larger than this when unpacked; a larger one is a mistake or an attack.
const LARGEST: u64 = 256 << 20;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A replay about to be recorded on an opened level.
pub fn begin(
    info: &Info,
    level: &dyn OpenLevel,
    level_name: &str,
    seed: u64,
    agents: Vec<String>,
    turn_limit: u32,
) -> Result<Replay> {
    Ok(Replay::new(Start {
        engine: concat!("damier ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: info.name.to_owned(),
        rules: level.rules().to_owned(),
        level: level_name.to_owned(),
        text: level.print(info.formats[0].name)?,
        seed,
        agents,
        turn_limit,
    }))
}

/// The end line of a game that stands like this, if it is over.
pub fn end(table: &dyn Table, seats: usize) -> Option<End> {
    match table.status() {
        Status::ToMove(_) => None,
        Status::Over(outcome) => Some(Finish::Over(outcome).end(table, seats, 0)),
    }
}

/// How hard zstd tries: more gains little on a replay.
const LEVEL: i32 = 3;

thread_local! {
    /// Making a compressor costs more than compressing a short game, so every thread keeps one.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

/// A replay as it is kept in files and stores: compressed JSON lines.
pub fn pack(replay: &Replay) -> Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = kept.take().map_or_else(|| Compressor::new(LEVEL), Ok)?;
        let packed = compressor.compress(replay.to_json_lines().as_bytes())?;
        *kept = Some(compressor);
        Ok(packed)
    })
}

/// Reads what [`pack`] made, or plain JSON lines; `name` is what errors call it.
pub fn unpack(name: &str, bytes: &[u8]) -> Result<Replay> {
    unpack_within(name, bytes, LARGEST)
}

/// The same, for replays that are no larger than this when unpacked.
pub fn unpack_within(name: &str, bytes: &[u8], largest: u64) -> Result<Replay> {
    let mut text = String::new();
    let unpacked: Box<dyn Read> =
        if bytes.starts_with(&ZSTD_MAGIC) { Box::new(zstd::Decoder::new(bytes)?) } else { Box::new(bytes) };
    unpacked
        .take(largest)
        .read_to_string(&mut text)
        .map_err(|_| anyhow!("{name}: this is not a replay: neither JSON lines nor zstd"))?;
    ensure!((text.len() as u64) < largest, "{name}: the replay is too large");
    Replay::parse(&text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Writes to a temporary file first, so that a kill never leaves half a replay under its name.
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
