//! `damier games` and `damier levels`.

use std::io::Write;

use anyhow::Result;
use comfy_table::{Table, presets};
use damier_kit::{Info, Named};
use serde_json::json;

use crate::Answer;
use crate::games;
use damier_host::levels;

/// Lists the games.
pub fn games(json: bool) -> Result<Answer> {
    let mut out = std::io::stdout().lock();
    for game in games::all() {
        if json {
            writeln!(out, "{}", game_json(game.info()))?;
        } else {
            write!(out, "{}", game_text(game.info()))?;
        }
    }
    Ok(Answer::Yes)
}

fn game_json(info: &Info) -> serde_json::Value {
    let levels: usize = info.packs.iter().map(|pack| pack.levels.len()).sum();
    json!({
        "game": info.name, "title": info.title, "about": info.about, "rules": info.rules, "agents": info.agents,
        "formats": info.formats, "packs": info.packs.iter().map(|pack| pack.name).collect::<Vec<_>>(),
        "levels": levels, "overlays": info.overlays,
    })
}

fn game_text(info: &Info) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut section = |title: &str, names: &[Named]| {
        for (index, named) in names.iter().enumerate() {
            let title = if index == 0 { title } else { "" };
            table.add_row(vec![format!("  {title}"), named.name.into(), named.about.into()]);
        }
    };
    section("rules", info.rules);
    let agents: Vec<Named> =
        info.agents.iter().map(|agent| Named { name: agent.name, about: agent.about }).collect();
    section("agents", &agents);
    section("formats", info.formats);
    let packs: Vec<Named> =
        info.packs.iter().map(|pack| Named { name: pack.name, about: pack.about }).collect();
    section("packs", &packs);
    format!("{} ({}): {}\n{table}\n\n", info.title, info.name, info.about)
}

/// Lists a game's levels, or prints one.
pub fn levels(game: &str, level: Option<&str>, json: bool) -> Result<Answer> {
    let game = games::find(game)?;
    let info = game.info();
    let mut out = std::io::stdout().lock();
    if let Some(level) = level {
        let level = levels::find_one(game, Some(level), info.rules[0].name)?;
        write!(out, "{}", level.text)?;
        return Ok(Answer::Yes);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for pack in info.packs {
        for (name, text) in pack.levels {
            let opened = info.rules.iter().find_map(|rules| game.open(text, rules.name).ok());
            let size = opened.expect("a shipped level is made for some rules").table(0, 0).draw().size;
            let full_name = format!("{}/{name}", pack.name);
            if json {
                writeln!(
                    out,
                    "{}",
                    json!({"level": full_name, "pack": pack.name, "about": pack.about, "text": text})
                )?;
            }
            table.add_row(vec![full_name, format!("{}x{}", size.width, size.height), pack.about.into()]);
        }
    }
    if !json {
        writeln!(out, "{table}")?;
    }
    Ok(Answer::Yes)
}
