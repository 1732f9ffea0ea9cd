//! Replay files: JSON lines, compressed if the name ends in `.zst`.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use damier_core::game::Status;
use damier_core::insight::Insight;
use damier_core::kit::Info;
use damier_core::replay::{End, Move, Replay, Start, hash_text};
use damier_core::table::{OpenLevel, Table};

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

/// The line of a move that led to `table`.
pub fn line(table: &dyn Table, seat: usize, took: std::time::Duration, insight: Insight) -> Move {
    Move {
        seat,
        action: table.last_action().unwrap_or_default(),
        hash: hash_text(table.hash()),
        us: took.as_micros() as u64,
        insight,
        log: String::new(),
    }
}

/// The end line of a game that stands like this, if it is over.
pub fn end(table: &dyn Table, seats: usize) -> Option<End> {
    match table.status() {
        Status::ToMove(_) => None,
        Status::Over(outcome) => Some(End {
            outcome: outcome.seen_from(0).to_owned(),
            reason: outcome.reason.to_owned(),
            turns: table.turns(),
            scores: (0..seats).map(|seat| table.score(seat)).collect(),
        }),
    }
}

/// Writes to a temporary file first, so that a kill never leaves half a replay under its name.
pub fn write(path: &Path, replay: &Replay) -> Result<()> {
    let text = replay.to_json_lines();
    let bytes = if path.extension().is_some_and(|extension| extension == "zst") {
        zstd::encode_all(text.as_bytes(), 3)?
    } else {
        text.into_bytes()
    };
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, path))
        .with_context(|| path.display().to_string())
}

/// Reads a replay, compressed or not.
pub fn read(path: &Path) -> Result<Replay> {
    let name = path.display();
    let bytes = std::fs::read(path).with_context(|| name.to_string())?;
    let mut text = String::new();
    let unpacked: Box<dyn Read> = if bytes.starts_with(&ZSTD_MAGIC) {
        Box::new(zstd::Decoder::new(&bytes[..])?)
    } else {
        Box::new(&bytes[..])
    };
    unpacked
        .take(LARGEST)
        .read_to_string(&mut text)
        .map_err(|_| anyhow!("{name}: this is not a replay: neither JSON lines nor zstd"))?;
    ensure!((text.len() as u64) < LARGEST, "{name}: the replay is too large");
    Replay::parse(&text).map_err(|error| anyhow!("{name}: {error}"))
}
