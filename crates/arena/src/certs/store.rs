//! The store of certificates: one `SQLite` file with the levels as they were given and what is known of each.
//!
//! Certificates go in as they are found, each batch in one transaction: a process that is killed loses only the levels that it was
//! working on, and the next run goes on with those.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use damier_host::levels::NamedLevel;
use rusqlite::{Connection, OpenFlags, Row, params};

use super::{Certificate, Finding, Luck, Terms};
use crate::store::{explain, lock};

/// Marks an `SQLite` file as a store of certificates: `damc`.
const APPLICATION: i32 = 0x6461_6D63;
/// The version of the tables below.
const VERSION: i32 = 1;
/// How long another program may hold the store before we give up.
const PATIENCE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE levels (
        number INTEGER PRIMARY KEY,
        game TEXT NOT NULL, rules TEXT NOT NULL, seed INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
        UNIQUE (game, rules, seed, text)
    );
    CREATE TABLE certificates (
        number INTEGER PRIMARY KEY REFERENCES levels,
        finding TEXT NOT NULL,      -- solved, impossible or open
        plan TEXT NOT NULL,         -- names of actions, separated by commas
        par INTEGER, difficulty REAL,
        needs TEXT NOT NULL,        -- sentences, as a JSON list
        reason TEXT NOT NULL,
        luck_won INTEGER, luck_games INTEGER,
        states INTEGER NOT NULL, limit_ms INTEGER NOT NULL, cpu_ms REAL NOT NULL
    );
";

/// A level of a store and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its number in the store.
    pub number: usize,
    /// The game.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The seed of the chance that plans are made for.
    pub seed: u64,
    /// The level.
    pub level: NamedLevel,
    /// What is known; nothing before its turn has come.
    pub certificate: Option<Certificate>,
}

impl Entry {
    /// Is there no certificate, or an open one that had less time than this?
    pub(super) fn is_worth_trying(&self, limit_ms: u64) -> bool {
        self.certificate
            .as_ref()
            .is_none_or(|known| known.finding == Finding::Open && known.limit_ms < limit_ms)
    }
}

/// An open store of certificates.
pub struct CertStore {
    connection: Connection,
    path: PathBuf,
    /// Held while certificates are added, so that two programs never search the same levels. It is closed after the
    /// connection: closing any handle of a file gives up what `SQLite` has locked in it.
    _lock: Option<File>,
}

impl CertStore {
    /// A store to add to: a new one, or one that exists.
    pub fn to_add(path: &Path) -> Result<Self> {
        let lock = lock(path)?;
        let connection = Connection::open(path).map_err(|error| explain(path, &error))?;
        let mut store = Self { connection, path: path.to_owned(), _lock: Some(lock) };
        store.tell(|connection| {
            connection.busy_timeout(PATIENCE)?;
            let tables: i64 =
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables == 0 {
                connection.execute_batch("PRAGMA journal_mode = WAL;")?;
                let new = connection.transaction()?;
                new.execute_batch(TABLES)?;
                new.execute_batch(&format!(
                    "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                ))?;
                new.commit()?;
            }
            Ok(())
        })?;
        store.check()?;
        Ok(store)
    }

    /// An existing store, to read.
    pub fn open(path: &Path) -> Result<Self> {
        ensure!(path.is_file(), "{}: there is no such store", path.display());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| explain(path, &error))?;
        let mut store = Self { connection, path: path.to_owned(), _lock: None };
        store.tell(|connection| connection.busy_timeout(PATIENCE))?;
        store.check()?;
        Ok(store)
    }

    fn check(&mut self) -> Result<()> {
        let [application, version] = self.tell(|connection| {
            let pragma = |name| connection.query_row(name, [], |row| row.get::<_, i32>(0));
            Ok([pragma("PRAGMA application_id")?, pragma("PRAGMA user_version")?])
        })?;
        let name = self.path.display();
        ensure!(application == APPLICATION, "{name}: this is not a store of certificates");
        ensure!(
            version == VERSION,
            "{name}: another version of damier made this store (version {version}, this program knows {VERSION})"
        );
        Ok(())
    }

    /// Enters levels that are new; the numbers of all of them. A level is known by its text.
    pub(super) fn enlist(&mut self, terms: &Terms, levels: &[NamedLevel]) -> Result<Vec<usize>> {
        let (game, seed) = (terms.game.info().name, terms.seed as i64);
        self.tell(|connection| {
            let transaction = connection.transaction()?;
            let mut insert = transaction.prepare(
                "INSERT OR IGNORE INTO levels (game, rules, seed, name, text) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let mut select = transaction.prepare(
                "SELECT number FROM levels WHERE game = ?1 AND rules = ?2 AND seed = ?3 AND text = ?4",
            )?;
            let mut numbers = Vec::with_capacity(levels.len());
            for level in levels {
                insert.execute(params![game, terms.rules, seed, level.name, level.text])?;
                let key = params![game, terms.rules, seed, level.text];
                numbers.push(select.query_row(key, |row| row.get::<_, i64>(0))? as usize);
            }
            drop((insert, select));
            transaction.commit()?;
            Ok(numbers)
        })
    }

    /// Adds certificates, all or none. Newer ones replace older ones.
    pub(super) fn add(&mut self, entries: &[Entry]) -> Result<()> {
        self.tell(|connection| {
            let transaction = connection.transaction()?;
            for entry in entries {
                if let Some(certificate) = &entry.certificate {
                    insert(&transaction, entry.number, certificate)?;
                }
            }
            transaction.commit()
        })
    }

    /// The level of a number and what is known of it.
    pub fn entry(&mut self, number: usize) -> Result<Entry> {
        let found = self.select("WHERE levels.number = ?1", [number as i64])?;
        found.into_iter().next().ok_or_else(|| anyhow!("{}: no level {number}", self.path.display()))
    }

    /// All levels in the order in which they were given.
    pub fn entries(&mut self) -> Result<Vec<Entry>> {
        self.select("ORDER BY levels.number", [])
    }

    fn select(&mut self, which: &str, values: impl rusqlite::Params) -> Result<Vec<Entry>> {
        self.tell(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT levels.number, game, rules, seed, name, text, finding, plan, par, difficulty, needs, reason,
                    luck_won, luck_games, states, limit_ms, cpu_ms
                FROM levels LEFT JOIN certificates ON levels.number = certificates.number {which}"
            ))?;
            select.query_map(values, entry_of)?.collect()
        })
    }

    /// Talks to the database; what it refuses is explained.
    fn tell<T>(&mut self, talk: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        talk(&mut self.connection).map_err(|error| explain(&self.path, &error))
    }
}

fn insert(connection: &Connection, number: usize, certificate: &Certificate) -> rusqlite::Result<()> {
    let Certificate { finding, plan, par, difficulty, needs, reason, luck, states, limit_ms, cpu_ms } =
        certificate;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO certificates VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            number as i64,
            finding.name(),
            plan.join(","),
            par,
            difficulty,
            serde_json::json!(needs).to_string(),
            reason,
            luck.map(|luck| luck.won),
            luck.map(|luck| luck.games),
            *states as i64,
            *limit_ms as i64,
            cpu_ms
        ])?;
    Ok(())
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        number: row.get::<_, i64>(0)? as usize,
        game: row.get(1)?,
        rules: row.get(2)?,
        seed: row.get::<_, i64>(3)? as u64,
        level: NamedLevel { name: row.get(4)?, text: row.get(5)? },
        certificate: match row.get::<_, Option<String>>(6)? {
            None => None,
            Some(finding) => Some(certificate_of(row, &finding)?),
        },
    })
}

fn certificate_of(row: &Row<'_>, finding: &str) -> rusqlite::Result<Certificate> {
    let wrong = |column: usize| {
        rusqlite::Error::InvalidColumnType(column, "certificate".into(), rusqlite::types::Type::Text)
    };
    let plan: String = row.get(7)?;
    let needs: String = row.get(10)?;
    let luck = match (row.get(12)?, row.get(13)?) {
        (Some(won), Some(games)) => Some(Luck { won, games }),
        _ => None,
    };
    Ok(Certificate {
        finding: Finding::named(finding).ok_or_else(|| wrong(6))?,
        plan: plan.split(',').filter(|action| !action.is_empty()).map(str::to_owned).collect(),
        par: row.get(8)?,
        difficulty: row.get(9)?,
        needs: serde_json::from_str(&needs).map_err(|_| wrong(10))?,
        reason: row.get(11)?,
        luck,
        states: row.get::<_, i64>(14)? as u64,
        limit_ms: row.get::<_, i64>(15)? as u64,
        cpu_ms: row.get(16)?,
    })
}
