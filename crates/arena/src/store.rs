//! The store: one `SQLite` file with a tournament's plan and the result and replay of every finished game.
//!
//! A game's result and replay are added in one transaction, so a process that is killed at any moment leaves a store with exactly
//! the finished games. Replays are in the store and not in a folder beside it for the same reason, and so that a tournament is one
//! file.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_kit::fault::{Fault, FaultCode, Substituted};
use damier_kit::replay::Replay;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use damier_host::replays;

use crate::plan::Plan;
use crate::record::{Record, Times};
use crate::schedule::Fixture;
use crate::sync::Syncer;

/// `SQLite` application id of our stores: `damr`.
const APPLICATION: i32 = 0x6461_6D72;
/// Version of the tables below.
const VERSION: i32 = 1;
/// Maximum wait for another program's lock on the store.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Length of the write-ahead log, in pages of 4 KB, at which it is copied into the file.
const WAL_PAGES: u32 = 16_384;

const TABLES: &str = "
    CREATE TABLE plan (json TEXT NOT NULL);
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        event TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL, level TEXT NOT NULL, seed INTEGER NOT NULL,
        agents TEXT NOT NULL,       -- names by seat, as a JSON list, like all lists below
        outcomes TEXT NOT NULL,     -- win, loss, draw or limit by seat
        reason TEXT NOT NULL, turns INTEGER NOT NULL, scores TEXT NOT NULL,
        fingerprint INTEGER NOT NULL,
        fault_seat INTEGER, fault_code TEXT, fault_detail TEXT,
        strikes TEXT NOT NULL,      -- by seat, the number of substituted answers, of all answers, and the first fault
        times TEXT NOT NULL,
        replay BLOB                 -- JSON lines, compressed by zstd
    );
";

/// The results of a tournament by the games' numbers.
pub type Results = BTreeMap<usize, Record>;

/// A finished game, with its compressed replay.
pub struct Finished {
    /// The game.
    pub fixture: Fixture,
    /// Its result.
    pub record: Record,
    /// Its replay, if it is kept.
    pub replay: Option<Vec<u8>>,
}

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Flushes new games to disk; `None` for readers.
    syncer: Option<Syncer>,
    /// Held while games are added, so that two programs never play the same tournament into the same store. It must be closed
    /// after the connection, because closing any handle of a file releases `SQLite`'s locks on it.
    _lock: Option<File>,
}

impl Store {
    /// Opens a store for this tournament: a new one or, to resume, an existing one of the same tournament.
    pub fn for_plan(path: &Path, plan: &Plan, resume: bool) -> Result<Self> {
        let name = path.display();
        ensure!(resume || !path.exists(), "{name} exists: resume it with --resume, or choose another name");
        let lock = lock(path)?;
        let connection = Connection::open(path).map_err(|error| explain(path, &error))?;
        let syncer = Some(Syncer::new(path));
        let mut store = Self { connection, path: path.to_owned(), syncer, _lock: Some(lock) };
        store.set_up(plan).map_err(|error| match error.downcast_ref::<rusqlite::Error>() {
            Some(cause) => explain(path, cause),
            None => error,
        })?;
        Ok(store)
    }

    /// Opens an existing store for reading.
    pub fn open(path: &Path) -> Result<Self> {
        ensure!(path.is_file(), "{}: there is no such store", path.display());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || -> rusqlite::Result<(Connection, i32)> {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(LOCK_TIMEOUT)?;
            let application = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
            Ok((connection, application))
        };
        let (connection, application) = open().map_err(|error| explain(path, &error))?;
        ensure!(application == APPLICATION, "{}: not a Damier store", path.display());
        let store = Self { connection, path: path.to_owned(), syncer: None, _lock: None };
        store.check_version()?;
        Ok(store)
    }

    /// Is this file a store? Other files that hold replays begin differently.
    pub fn is_store(path: &Path) -> bool {
        use std::io::Read;
        let mut magic = [0; 15];
        // Not a pipe: bytes read from one are lost.
        path.is_file()
            && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
            && magic == *b"SQLite format 3"
    }

    fn set_up(&mut self, plan: &Plan) -> Result<()> {
        self.connection.busy_timeout(LOCK_TIMEOUT)?;
        // Games wait while the log is copied into the file, so the log may grow long.
        let settings = format!("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = {WAL_PAGES};");
        self.connection.execute_batch(&settings)?;
        let application: i32 = self.connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
        let tables: i64 =
            self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        // A file without tables is new, or its creator was killed before making them.
        if application == 0 && tables == 0 {
            // With a write-ahead log a commit need not wait for the disk and is still atomic if we are killed.
            self.connection.execute_batch("PRAGMA journal_mode = WAL;")?;
            let new = self.connection.transaction()?;
            new.execute_batch(TABLES)?;
            new.execute("INSERT INTO plan (json) VALUES (?1)", [serde_json::to_string(plan)?])?;
            new.execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            ))?;
            return Ok(new.commit()?);
        }
        let name = self.path.display();
        ensure!(application == APPLICATION, "{name}: not a Damier store");
        self.check_version()?;
        match plan.difference(&self.plan()?) {
            None => Ok(()),
            Some(what) => bail!("{name} holds another tournament: it differs in {what}"),
        }
    }

    fn check_version(&self) -> Result<()> {
        let version: i32 = self.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        ensure!(
            version == VERSION,
            "{}: made by another version of Damier (store version {version}, this program reads {VERSION})",
            self.path.display()
        );
        Ok(())
    }

    /// The tournament's plan.
    pub fn plan(&self) -> Result<Plan> {
        let json: String = self.query_row("SELECT json FROM plan", |row| row.get(0))?;
        serde_json::from_str(&json).with_context(|| format!("{}: its plan", self.path.display()))
    }

    /// All results.
    pub fn results(&self) -> Result<Results> {
        let columns = "number, outcomes, reason, turns, scores, fault_seat, fault_code, fault_detail, strikes, times, fingerprint";
        let mut select = self.connection.prepare(&format!("SELECT {columns} FROM games"))?;
        let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)? as usize, record_of(row)?)))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|error| explain(&self.path, &error))
    }

    /// Adds games, all or none.
    pub fn add(&mut self, plan: &Plan, games: &[Finished]) -> Result<()> {
        let add = |connection: &mut Connection| -> Result<()> {
            let transaction = connection.transaction()?;
            for game in games {
                insert(&transaction, plan, game)?;
            }
            Ok(transaction.commit()?)
        };
        add(&mut self.connection).map_err(|error| match error.downcast_ref::<rusqlite::Error>() {
            Some(cause) => explain(&self.path, cause),
            None => error,
        })?;
        if let Some(syncer) = &self.syncer {
            syncer.note();
        }
        Ok(())
    }

    /// Flushes all added games to disk. This also happens every few seconds.
    pub fn sync(&self) -> Result<()> {
        let synced = self.syncer.as_ref().map_or(Ok(()), Syncer::sync);
        synced.with_context(|| self.path.display().to_string())
    }

    /// The numbers of the games with a replay, in order.
    pub fn replayed(&self) -> Result<Vec<usize>> {
        let mut select =
            self.connection.prepare("SELECT number FROM games WHERE replay IS NOT NULL ORDER BY number")?;
        let numbers = select.query_map([], |row| row.get::<_, i64>(0).map(|number| number as usize))?;
        numbers.collect::<rusqlite::Result<_>>().map_err(|error| explain(&self.path, &error))
    }

    /// The compressed replay of a game.
    pub fn packed_replay(&self, number: usize) -> Result<Vec<u8>> {
        let mut select = self.connection.prepare_cached("SELECT replay FROM games WHERE number = ?1")?;
        let found: Option<Option<Vec<u8>>> =
            select.query_row([number as i64], |row| row.get(0)).optional()?;
        let name = self.path.display();
        match found {
            None => bail!("{name} holds no game {number}"),
            Some(None) => bail!("{name} holds no replay of game {number}"),
            Some(Some(replay)) => Ok(replay),
        }
    }

    /// The replay of a game.
    pub fn replay(&self, number: usize) -> Result<Replay> {
        let name = format!("{}#{number}", self.path.display());
        replays::unpack(&name, &self.packed_replay(number)?)
    }

    /// Copies the games of another store of the same tournament that are not here yet.
    pub fn copy_from(&mut self, other: &Self) -> Result<()> {
        let copy = |connection: &Connection| -> rusqlite::Result<()> {
            connection.execute("ATTACH DATABASE ?1 AS other", [other.path.to_string_lossy()])?;
            connection.execute("INSERT OR IGNORE INTO games SELECT * FROM other.games", [])?;
            connection.execute("DETACH DATABASE other", []).map(|_| ())
        };
        copy(&self.connection).map_err(|error| explain(&self.path, &error))
    }

    fn query_row<T>(&self, sql: &str, read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>) -> Result<T> {
        self.connection.query_row(sql, [], read).map_err(|error| explain(&self.path, &error))
    }
}

/// The common tournament of these stores, and all their results. Games that are in several stores must have the same result.
pub fn join(stores: &[Store]) -> Result<(Plan, Results)> {
    let first = stores.first().ok_or_else(|| anyhow!("there is no store to join"))?;
    let plan = first.plan()?;
    for store in stores {
        if let Some(what) = plan.difference(&store.plan()?) {
            let (name, other) = (store.path.display(), first.path.display());
            bail!("{name} holds another tournament than {other}: they differ in {what}");
        }
    }
    let mut results = Results::new();
    for store in stores {
        for (number, record) in store.results()? {
            if results.get(&number).is_some_and(|known: &Record| !known.agrees_with(&record)) {
                bail!("game {number} ended differently in {} than in another store", store.path.display());
            }
            results.entry(number).or_insert(record);
        }
    }
    Ok((plan, results))
}

fn insert(connection: &Connection, plan: &Plan, game: &Finished) -> Result<()> {
    let Finished { fixture, record, replay } = game;
    let event = &plan.events[fixture.event];
    let names: Vec<&str> = fixture.seats.iter().map(|&agent| &*plan.agents[agent].name).collect();
    let fault = record.fault.as_ref();
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        )?
        .execute(params![
            fixture.number as i64,
            event.name,
            event.game,
            event.rules,
            event.levels[fixture.level].name,
            fixture.seed as i64,
            serde_json::to_string(&names)?,
            serde_json::to_string(&record.outcomes)?,
            record.reason,
            record.turns,
            serde_json::to_string(&record.scores)?,
            record.fingerprint as i64,
            fault.map(|(seat, _)| *seat as i64),
            fault.map(|(_, fault)| fault.code.name()),
            fault.map(|(_, fault)| &*fault.detail),
            serde_json::to_string(&record.substituted)?,
            serde_json::to_string(&record.times)?,
            replay,
        ])?;
    Ok(())
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<Record> {
    let fault = match row.get::<_, Option<i64>>(5)? {
        None => None,
        Some(seat) => {
            let code: FaultCode = json_text(6, &format!("\"{}\"", row.get::<_, String>(6)?))?;
            Some((seat as usize, Fault::new(code, row.get::<_, String>(7)?)))
        }
    };
    let times: Vec<Times> = list(row, 9)?;
    let strikes: Vec<Strikes> = list(row, 8)?;
    Ok(Record {
        outcomes: list(row, 1)?,
        reason: row.get(2)?,
        turns: row.get(3)?,
        scores: list(row, 4)?,
        fault,
        substituted: strikes.into_iter().zip(&times).map(|(strikes, times)| strikes.known(times)).collect(),
        times,
        fingerprint: row.get::<_, i64>(10)? as u64,
    })
}

/// A seat's entry in the column `strikes`. Stores of earlier versions have only a count.
#[derive(Deserialize)]
#[serde(untagged)]
enum Strikes {
    Count(u32),
    Substituted(Substituted),
}

impl Strikes {
    fn known(self, times: &Times) -> Substituted {
        match self {
            Self::Count(count) => Substituted { answers: times.decisions, count, why: None },
            Self::Substituted(substituted) => substituted,
        }
    }
}

fn list<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    json_text(column, &row.get::<_, String>(column)?)
}

fn json_text<T: DeserializeOwned>(column: usize, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// Creates a store's file, if there is none, and locks it against other writers.
pub(crate) fn lock(path: &Path) -> Result<File> {
    let name = path.display();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let lock = File::options().create(true).append(true).open(path).with_context(|| name.to_string())?;
    lock.try_lock().map_err(|_| anyhow!("{name}: another program is writing to this store"))?;
    Ok(lock)
}

/// Explains an `SQLite` error to the user.
pub(crate) fn explain(path: &Path, error: &rusqlite::Error) -> anyhow::Error {
    use rusqlite::ErrorCode::{
        DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, ReadOnly,
    };
    let name = path.display();
    match error.sqlite_error_code() {
        Some(NotADatabase) => anyhow!("{name}: not a Damier store"),
        Some(DatabaseBusy | DatabaseLocked) => anyhow!("{name}: another program has locked this store"),
        Some(DatabaseCorrupt) => anyhow!("{name}: this store is damaged: {error}"),
        Some(ReadOnly) => anyhow!("{name}: this store is read-only"),
        Some(DiskFull) => anyhow!("{name}: the disk is full"),
        _ => anyhow!("{name}: {error}"),
    }
}

/// Reads a replay: a file, compressed or not, or a game of a store, `STORE.db#NUMBER`.
pub fn read_replay(path: &Path) -> Result<Replay> {
    let name = path.to_string_lossy();
    if let Some((store, number)) = name.rsplit_once('#')
        && let Ok(number) = number.parse()
        && !path.exists()
    {
        return Store::open(Path::new(store))?.replay(number);
    }
    ensure!(!Store::is_store(path), "{name} is a store with many games: choose one with {name}#NUMBER");
    replays::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Entrant, Event};
    use crate::schedule::Format;
    use damier_core::game::Outcome;
    use damier_host::levels::NamedLevel;
    use damier_host::terms::Terms;

    fn plan() -> Plan {
        Plan {
            engine: "damier test".into(),
            name: "test".into(),
            format: Format::RoundRobin,
            terms: Terms::default(),
            agents: ["a", "b"].map(|name| Entrant { name: name.into(), agent: name.into() }).to_vec(),
            events: vec![Event {
                name: "toy".into(),
                game: "toy".into(),
                rules: "only".into(),
                levels: vec![NamedLevel { name: "one".into(), text: "1".into() }],
                seeds: vec![1, 2],
                turns: 10,
                seats: 1,
                agents: vec![0, 1],
            }],
        }
    }

    fn finished(number: usize, turns: u32) -> Finished {
        Finished {
            fixture: Fixture { number, event: 0, level: 0, seed: 1, seats: vec![number % 2] },
            record: Record {
                outcomes: vec![Outcome::Loss],
                reason: "fault of seat 0, crash: it ended".into(),
                turns,
                scores: vec![-3],
                fingerprint: u64::MAX - 1,
                fault: Some((0, Fault::new(FaultCode::Crash, "it ended"))),
                substituted: vec![Substituted {
                    answers: 3,
                    count: 1,
                    why: Some(Fault::new(FaultCode::NoAnswer, "move/12 failed")),
                }],
                times: vec![Times::default()],
            },
            replay: None,
        }
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("damier-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn message<T>(result: Result<T>) -> String {
        result.err().expect("it must be refused").to_string()
    }

    #[test]
    fn results_come_back_as_they_went_in() {
        let folder = folder("round-trip");
        let path = folder.join("new/games.db");
        let mut store = Store::for_plan(&path, &plan(), false).unwrap();
        let (first, second) = (finished(0, 5), finished(1, 6));
        let expected = Results::from([(0, first.record.clone()), (1, second.record.clone())]);
        store.add(&plan(), &[first, second]).unwrap();
        assert_eq!(store.results().unwrap(), expected);
        let reader = Store::open(&path).unwrap();
        assert_eq!(reader.results().unwrap(), expected);
        assert_eq!(reader.plan().unwrap(), plan());
        // A store of an earlier version has only the number of strikes.
        let times = "[{\"decisions\":9,\"wall_us\":0,\"wall_max_us\":0}]";
        let update = "UPDATE games SET strikes = '[2]', times = ?1 WHERE number = 0";
        Connection::open(&path).unwrap().execute(update, [times]).unwrap();
        let earlier = Substituted { answers: 9, count: 2, why: None };
        assert_eq!(reader.results().unwrap()[&0].substituted, [earlier]);
        assert!(message(reader.replay(0)).contains("no replay of game 0"));
        assert!(message(reader.replay(7)).contains("no game 7"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_store_is_resumed_only_when_asked_and_by_one_program_at_a_time() {
        let folder = folder("resume");
        let path = folder.join("games.db");
        let store = Store::for_plan(&path, &plan(), false).unwrap();
        assert!(message(Store::for_plan(&path, &plan(), false)).contains("--resume"));
        assert!(message(Store::for_plan(&path, &plan(), true)).contains("another program is writing"));
        drop(store);
        Store::for_plan(&path, &plan(), true).unwrap();
        let mut other = plan();
        other.events[0].seeds.push(9);
        assert!(
            message(Store::for_plan(&path, &other, true)).contains("differs in the games, levels or seeds")
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_that_are_not_stores_are_refused() {
        let folder = folder("strangers");
        let text = folder.join("notes.txt");
        std::fs::write(&text, "these are notes, and enough of them to be longer than a header ".repeat(20))
            .unwrap();
        assert!(message(Store::open(&text)).contains("not a Damier store"));
        assert!(message(Store::for_plan(&text, &plan(), true)).contains("not a Damier store"));
        let stranger = folder.join("stranger.db");
        Connection::open(&stranger).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
        assert!(message(Store::open(&stranger)).contains("not a Damier store"));
        assert!(message(Store::for_plan(&stranger, &plan(), true)).contains("not a Damier store"));
        let later = folder.join("later.db");
        drop(Store::for_plan(&later, &plan(), false).unwrap());
        Connection::open(&later).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
        assert!(message(Store::open(&later)).contains("another version"));
        assert!(message(Store::open(&folder.join("nothing.db"))).contains("no such store"));
        // Killed before it came to its tables: nothing is lost.
        let empty = folder.join("empty.db");
        std::fs::write(&empty, "").unwrap();
        Store::for_plan(&empty, &plan(), true).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn stores_of_one_tournament_are_joined() {
        let folder = folder("merge");
        let mut stores: Vec<Store> = ["a.db", "b.db", "c.db"]
            .iter()
            .map(|name| Store::for_plan(&folder.join(name), &plan(), false).unwrap())
            .collect();
        stores[1].add(&plan(), &[finished(0, 5), finished(1, 6)]).unwrap();
        stores[2].add(&plan(), &[finished(1, 6), finished(2, 7)]).unwrap();
        let (plan_found, results) = join(&stores).unwrap();
        assert_eq!((plan_found, results.len()), (plan(), 3));
        let (whole, parts) = stores.split_at_mut(1);
        for part in parts {
            whole[0].copy_from(part).unwrap();
        }
        assert_eq!(whole[0].results().unwrap(), results);
        stores[1].add(&plan(), &[finished(2, 99)]).unwrap();
        assert!(message(join(&stores)).contains("game 2 ended differently"));
        let mut other = plan();
        other.name = "another".into();
        stores.push(Store::for_plan(&folder.join("d.db"), &other, false).unwrap());
        assert!(message(join(&stores)).contains("another tournament"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
