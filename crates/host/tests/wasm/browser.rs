//! The host with all games as a module for the browser; `run.mjs` beside this file loads it in Node and calls its functions.

#![cfg(target_family = "wasm")]

use std::sync::Arc;

use damier_games::GAMES;
use damier_host::{Contestant, Executor, Session, Setup, Terms, games, levels, replays, solving};
use damier_kit::{AnyGame, OpenLevel, SolveOptions};

fn open(game: &dyn AnyGame) -> (String, Arc<dyn OpenLevel>) {
    let rules = games::rule_set(game.info(), None).expect("a game has rules");
    let level = levels::find_one(game, None, rules).expect("a game has levels");
    let open = levels::open(game, &level, rules).expect("it is well formed");
    (level.name, Arc::from(open))
}

/// Number of games.
#[unsafe(no_mangle)]
pub extern "C" fn game_count() -> usize {
    GAMES.len()
}

/// Solves the first level of a game and returns the length of the plan, which is replayed first.
#[unsafe(no_mangle)]
pub extern "C" fn solve(game: usize) -> usize {
    let (_, open) = open(GAMES[game]);
    let table = open.table(1, 0);
    let solved = solving::solve(open.as_ref(), table.as_ref(), 1, &SolveOptions::default(), &|_| {});
    solved.expect("a plan wins").0.solution.plan.len()
}

/// Lets agents take this many decisions, `best` at the first seat, and returns the moves of the replay, packed and unpacked again.
#[unsafe(no_mangle)]
pub extern "C" fn watch(game: usize, decisions: usize) -> usize {
    let (level_name, open) = open(GAMES[game]);
    let agent = |name: &str| Some(Contestant::built_in(name));
    let others = vec![agent("original"); open.facts().seats.len() - 1];
    let inline = |work: Box<dyn FnOnce() + Send>| {
        work();
        Ok(())
    };
    let setup = Setup {
        info: GAMES[game].info(),
        open,
        level_name,
        seed: 1,
        players: std::iter::once(agent("best")).chain(others).collect(),
        terms: Terms::default(),
        executor: Executor::new(inline, || {}),
    };
    let mut session = Session::new(setup).expect("agents start up");
    for _ in 0..decisions {
        session.think_at_newest();
        assert!(session.collect_answers(), "the agent has answered");
    }
    let replay = session.replay_to(session.moments() - 1, 1000).expect("the level can be printed");
    replay.verify(GAMES[game]).expect("it follows the rules");
    let packed = replays::pack(&replay).expect("it is text");
    replays::unpack("replay", &packed).expect("it was packed here").moves.len()
}

/// Whether a compressed replay is rejected.
#[unsafe(no_mangle)]
pub extern "C" fn refuses_compression() -> bool {
    let refusal = replays::unpack("replay", &[0x28, 0xB5, 0x2F, 0xFD]).expect_err("it is compressed");
    refusal.to_string().contains("cannot be read in the browser")
}
