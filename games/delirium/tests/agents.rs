//! The course project's agent: what it sees, and what it does about it.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Agent, Budget, Turn};
use damier_core::game::{Game, Outcome, Status};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, reason};
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_delirium::agents::original::Original;
use damier_delirium::rules::{Action, Rules, State};
use damier_kit::referee::{self, GameLimits};
use damier_kit::time::start_clock;
use damier_kit::{AnyGame, Kit, Levels};

fn decide(agent: &mut Original, rules: &Rules, state: &State) -> (Action, Insight) {
    let mut legal = Vec::new();
    rules.legal(state, &mut legal);
    let observation = rules.observe(state, 0);
    let clock = start_clock(Budget::default());
    let turn = Turn { seat: 0, number: 1, observation: &observation, legal: &legal, clock: &clock };
    let mut insight = Insight::default();
    let action = agent.act(&turn, &mut insight);
    assert!(legal.contains(&action));
    (action, insight)
}

/// Plays to the end or for so many ticks: why it ended.
fn play(map: &str, ticks: u32) -> Option<&'static str> {
    let rules = <Delirium as Levels>::open(map, "course").unwrap();
    let (mut agent, mut state, mut rng) = (Original::new(), rules.start(), Rng::new(1));
    for _ in 0..ticks {
        let (action, _) = decide(&mut agent, &rules, &state);
        rules.apply(&mut state, action, &mut rng);
        if let Status::Over(outcome) = rules.status(&state) {
            return Some(outcome.reason);
        }
    }
    None
}

#[test]
fn it_gathers_and_leaves() {
    assert_eq!(
        play("; need: 2\n########\n#P.d.d.#\n#.r..r.#\n#.....X#\n########\n", 40),
        Some("exit reached")
    );
}

#[test]
fn it_does_not_push_rocks_that_block_the_way() {
    assert_eq!(play("; need: 1\n########\n#P_r_dX#\n########\n", 40), None);
}

#[test]
fn cells_around_the_predicted_monster_are_walls_to_it() {
    let rules =
        <Delirium as Levels>::open("#########\n#P____d_#\n#____R__#\n#______X#\n#########\n", "course")
            .unwrap();
    let (_, insight) = decide(&mut Original::new(), &rules, &rules.start());
    let marked = |why: &str| {
        insight.marks.iter().filter(|mark| mark.why == why).map(|mark| mark.at).collect::<Vec<_>>()
    };
    // Without a heading it goes up first. Real walls and diamonds beside it stay what they are.
    assert_eq!(marked(reason::PREDICTED), [(5, 1)]);
    assert_eq!(marked(reason::VIRTUAL_WALL), [(4, 1), (5, 2)]);
}

fn first_decision(map: &str) -> (Action, Insight) {
    let rules = <Delirium as Levels>::open(map, "course").unwrap();
    decide(&mut Original::new(), &rules, &rules.start())
}

#[test]
fn it_takes_blue_monsters_for_red_ones() {
    let (_, insight) = first_decision("#########\n#P____d_#\n#____B__#\n#______X#\n#########\n");
    assert!(insight.marks.iter().any(|mark| mark.why == reason::PREDICTED && mark.at == (5, 1)));
}

#[test]
fn it_shows_the_length_of_the_way_to_each_diamond_and_which_comes_first() {
    let (action, insight) =
        first_decision("; need: 3\n#########\n#d__P_d##\n##_######\n##d__X#d#\n#########\n");
    assert_eq!(action, Action::Go(Dir::East));
    let labels: Vec<_> =
        insight.marks.iter().filter_map(|mark| Some((mark.at, mark.label.as_deref()?))).collect();
    assert_eq!(labels, [((6, 1), "1: 2"), ((1, 1), "2: 3"), ((2, 3), "3: 4")]);
}

#[test]
fn it_stands_still_while_a_monster_is_walled_in() {
    let map = "; need: 1\n##########\n#P__d_#R##\n#____X####\n##########\n";
    assert_eq!(play(map, 40), None);
    assert_eq!(play(&map.replace("#R##", "#R_#"), 40), Some("exit reached"));
}

#[test]
fn of_equal_ways_it_takes_the_one_its_sort_puts_first() {
    let heading = |map: &str| first_decision(map).0;
    let room = "; need: 1\n#######\n#P____#\n#_____#\n#____d#\n#X____#\n#######\n";
    assert_eq!(heading(room), Action::Go(Dir::South));
    let mirrored = "; need: 1\n#######\n#____P#\n#_____#\n#d____#\n#X____#\n#######\n";
    assert_eq!(heading(mirrored), Action::Go(Dir::South));
    let upwards = "; need: 1\n#######\n#____d#\n#_____#\n#P____#\n#X____#\n#######\n";
    assert_eq!(heading(upwards), Action::Go(Dir::North));
}

#[test]
fn it_runs_out_of_memory_where_a_wide_room_has_no_way() {
    let row = |first, last| format!("#{first}{}#{last}#\n", "_".repeat(24));
    let frame = "#".repeat(29);
    let map = format!(
        "; need: 1\n{frame}\n{}{}{}{frame}\n",
        row('P', 'd'),
        row('_', 'w').repeat(12),
        row('X', 'w')
    );
    let (action, insight) = first_decision(&map);
    assert_eq!(action, Action::Stay);
    assert!(insight.text.contains("runs out of memory"), "{}", insight.text);
}

#[test]
fn every_agent_of_the_kit_plays_every_level_of_the_pack() {
    for (name, text) in Delirium::INFO.packs[0].levels {
        let rules = Arc::new(
            <Delirium as Levels>::open(text, "course").unwrap_or_else(|error| panic!("{name}: {error}")),
        );
        for agent in Delirium::INFO.agents {
            assert!(Delirium::agent(&rules, agent.name, 0, 1).is_some(), "{}", agent.name);
        }
        assert!(rules.map(&rules.start()).header("name").is_some(), "{name} has a name");
    }
    let rules = Arc::new(<Delirium as Levels>::open(Delirium::INFO.packs[0].levels[0].1, "course").unwrap());
    assert!(Delirium::agent(&rules, "nobody", 0, 1).is_none());
}

/// With a limit in time the miner looks at so many positions for each millisecond, which are as many on any machine.
#[test]
fn ten_milliseconds_a_decision_are_enough_for_our_easier_caves() {
    let game = Delirium;
    let budget = Budget { time: Some(Duration::from_millis(10)), nodes: None };
    for (name, text) in &Delirium::INFO.packs[0].levels[..6] {
        let level = game.open(text, "course").unwrap();
        let mut seats = [level.agent("best", 0, 1).unwrap()];
        let limits = GameLimits { turns: 2_000, budget };
        let finish = referee::play(level.table(1, 0).as_mut(), &mut seats, &limits, false, &mut |_| {});
        assert_eq!(finish.outcome(0), Outcome::Win, "{name}");
    }
}

/// With a narrow view the miner stands at its edge, where the report's index arithmetic leaves the list.
#[test]
fn a_narrow_view_does_not_break_it() {
    let map = "; need: 1\n; view: 1x1\n########\n#Prr___#\n#r_r_d_#\n#_R_r_X#\n########\n";
    assert_eq!(play(map, 40).filter(|reason| *reason == "exit reached"), None);
}
