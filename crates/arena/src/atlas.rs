//! The atlas: what is known of a collection of levels, as a report.
//!
//! | file | for |
//! | --- | --- |
//! | `index.html` | everybody: all levels with thumbnails and filters, how many are solved, how hard they are |
//! | `levels/NUMBER.html` | one level: its picture, its plan or the reason why there is none |
//! | `levels/NUMBER.svg` | its picture |
//! | `certificates.csv` | spreadsheets |
//!
//! Pages need nothing from elsewhere. Pictures are files beside them, so that thousands of levels load as they are looked at.

mod curve;
mod page;
mod thumbnail;

use std::path::Path;

use anyhow::{Context, Result, bail};
use damier_host::games::{self, Games};
use damier_host::levels;

use crate::certs::{Certificate, Entry, Finding};
use crate::report::data::csv_field;
use crate::report::put;

/// Writes the atlas of these levels into a folder. They may come from several stores: pages are numbered anew.
pub fn write(folder: &Path, games: Games, entries: &[Entry]) -> Result<()> {
    if entries.is_empty() {
        bail!("there are no levels in the store");
    }
    let own = folder.join("levels");
    std::fs::create_dir_all(&own).with_context(|| own.display().to_string())?;
    for (index, entry) in entries.iter().enumerate() {
        let game = games::find(games, &entry.game)?;
        let open = levels::open(game, &entry.level, &entry.rules)?;
        let picture = thumbnail::svg(&open.table(entry.seed, 0).draw());
        put(&own.join(format!("{}.svg", index + 1)), &picture)?;
        put(&own.join(format!("{}.html", index + 1)), &page::of_level(index + 1, entry))?;
    }
    put(&folder.join("index.html"), &page::of_all(entries))?;
    put(&folder.join("certificates.csv"), &csv(entries))
}

/// One line for each level.
fn csv(entries: &[Entry]) -> String {
    let mut text = String::from(
        "number,level,game,rules,seed,finding,turns,difficulty,won_with_other_chance,of,needs,reason,states,limit_s,cpu_s,plan\n",
    );
    for (index, entry) in entries.iter().enumerate() {
        let mut fields = vec![
            (index + 1).to_string(),
            csv_field(&entry.level.name),
            entry.game.clone(),
            entry.rules.clone(),
            entry.seed.to_string(),
        ];
        fields
            .extend(entry.certificate.as_ref().map_or_else(|| pending_fields().to_vec(), certificate_fields));
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

/// The fields of a level whose turn has not come.
fn pending_fields() -> [String; 11] {
    std::array::from_fn(|field| if field == 0 { "pending".to_owned() } else { String::new() })
}

fn certificate_fields(certificate: &Certificate) -> Vec<String> {
    let or_nothing = |value: Option<String>| value.unwrap_or_default();
    let luck = certificate.luck;
    vec![
        certificate.finding.name().to_owned(),
        or_nothing(certificate.par.map(|par| par.to_string())),
        or_nothing(certificate.difficulty.map(|difficulty| format!("{difficulty:.1}"))),
        or_nothing(luck.map(|luck| luck.won.to_string())),
        or_nothing(luck.map(|luck| luck.games.to_string())),
        csv_field(&certificate.needs.join("; ")),
        csv_field(&certificate.reason),
        certificate.states.to_string(),
        format!("{:.3}", certificate.limit_ms as f64 / 1000.0),
        format!("{:.3}", certificate.cpu_ms / 1000.0),
        csv_field(&certificate.plan.join(",")),
    ]
}

/// The levels with a finding.
fn count(entries: &[Entry], finding: Finding) -> usize {
    let found = |entry: &&Entry| entry.certificate.as_ref().is_some_and(|it| it.finding == finding);
    entries.iter().filter(found).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_host::levels::NamedLevel;

    fn entry(name: &str, certificate: Option<Certificate>) -> Entry {
        let level = NamedLevel { name: name.into(), text: String::new() };
        Entry { number: 9, game: "toy".into(), rules: "only".into(), seed: 1, level, certificate }
    }

    #[test]
    fn a_line_has_as_many_fields_as_the_header() {
        let certificate = Certificate {
            finding: Finding::Impossible,
            plan: Vec::new(),
            par: None,
            difficulty: None,
            needs: vec!["a".into(), "b".into()],
            reason: "no way leads to the exit".into(),
            luck: None,
            states: 1,
            limit_ms: 10_000,
            cpu_ms: 1.5,
        };
        let text = csv(&[entry("one, two", Some(certificate)), entry("three", None)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "1,\"one, two\",toy,only,1,impossible,,,,,a; b,no way leads to the exit,1,10.000,0.002,"
        );
        assert_eq!(lines[2], "2,three,toy,only,1,pending,,,,,,,,,,");
        assert_eq!(lines[0].matches(',').count(), lines[2].matches(',').count());
    }

    #[test]
    fn an_empty_store_has_no_atlas() {
        let refused = write(Path::new("nowhere"), &[], &[]).unwrap_err();
        assert_eq!(refused.to_string(), "there are no levels in the store");
    }
}
