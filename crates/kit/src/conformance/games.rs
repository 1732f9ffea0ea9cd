//! Laws about whole games at a table: replays and seeds.

use damier_core::agent::{Budget, Clock};
use damier_core::insight::Insight;
use damier_core::random::Rng;

use super::Profile;
use super::cases::Case;
use crate::fault::Leave;
use crate::kit::Kit;
use crate::referee::{self, Finish, GameLimits};
use crate::replay::{Move, Replay, ReplayError, Start, hash_text};
use crate::table::{AnyGame, OpenLevel, Seated, Table};

/// Turn limit of the games played.
const TURNS: u32 = 60;

/// A recorded game round-trips through its text and verifies; with one hash changed it does not.
pub fn replays_verify<K: Kit>(profile: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        let mut replay = record(&profile.game, &case, 7);
        let read = Replay::parse(&replay.to_json_lines());
        assert_eq!(read.as_ref(), Ok(&replay), "{case}: a replay does not survive its text");
        assert_eq!(replay.verify(&profile.game), Ok(()), "{case}: a replay of seed 7 does not verify");
        let middle = replay.moves.len() / 2;
        replay.moves[middle].hash = hash_text(0x0123_4567_89ab_cdef);
        let found = replay.verify(&profile.game);
        let named = matches!(found, Err(ReplayError::Differs(at, _)) if at == middle + 1);
        assert!(named, "{case}: the changed move {} is not found: {found:?}", middle + 1);
    }
}

/// The level and the seeds of chance and agents determine a game: played twice, it is the same.
pub fn equal_seeds_give_equal_games<K: Kit>(profile: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        for seed in [1, 2] {
            let (first, second) = (record(&profile.game, &case, seed), record(&profile.game, &case, seed));
            assert_eq!(first, second, "{case}: two games of seed {seed} differ");
        }
    }
}

/// Plays a random game and records it.
fn record<K: Kit>(game: &K, case: &Case<K>, seed: u64) -> Replay {
    let open = open(game, case);
    let seats = open.facts().seats.len();
    let mut agents: Vec<Box<dyn Seated>> =
        (0..seats).map(|seat| Box::new(Chooser(Rng::new(seed + seat as u64))) as Box<dyn Seated>).collect();
    let mut replay = Replay::new(Start {
        engine: "conformance".to_owned(),
        game: K::INFO.name.to_owned(),
        rules: case.rules.to_owned(),
        level: case.level.clone(),
        text: case.text.clone(),
        seed,
        agents: vec!["random".to_owned(); seats],
        turn_limit: TURNS,
    });
    let mut table = open.table(seed, 0);
    let limits = GameLimits { turns: TURNS, budget: Budget::default() };
    let finish = referee::play(table.as_mut(), &mut agents, &limits, true, &mut |decision| {
        replay.moves.push(Move { us: 0, ..Move::of(decision) });
    });
    if let Finish::Fault(seat, fault) = &finish {
        panic!("{case}: a game of seed {seed} ends with a fault of seat {seat}: {fault}");
    }
    replay.end = Some(finish.end(table.as_ref(), seats, 0));
    replay
}

/// The level of a case, in its type-erased form.
pub(super) fn open<K: Kit>(game: &K, case: &Case<K>) -> Box<dyn OpenLevel> {
    AnyGame::open(game, &case.text, case.rules).unwrap_or_else(|error| panic!("{case}: {error}"))
}

/// Chooses randomly among the names of the legal actions, as an agent in another language would.
struct Chooser(Rng);

impl Seated for Chooser {
    fn play(&mut self, table: &mut dyn Table, _: &Clock, _: &mut Insight) -> Result<(), Leave> {
        let legal = table.legal();
        let name = self.0.choose(&legal).map_or("", String::as_str);
        Ok(table.act(name)?)
    }
}
