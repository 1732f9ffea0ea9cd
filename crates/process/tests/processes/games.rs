//! Games with agents that are processes: wires, clocks, strikes.

use std::time::Duration;

use crate::common::{Played, TURNS, agent, agents, play, play_in};
use damier_core::game::Outcome;
use damier_host::terms::{ClockKind, Terms};
use damier_kit::fault::FaultCode;
use damier_kit::referee::Finish;
use damier_pacman::Pacman;
use damier_siam::Siam;

fn polite(wire: &str, habit: &str, more: &str, terms: &Terms) -> Played {
    let command = format!("python3 polite.py {wire} {habit}");
    let manifest = format!("name = \"polite\"\nwire = \"{wire}\"\ncommand = \"{command}\"\n{more}");
    play(&agent(&manifest, &agents()), terms)
}

#[test]
fn every_wire_carries_the_same_game() {
    for wire in ["json", "text", "term"] {
        let played = polite(wire, "none", "", &Terms::default());
        assert_eq!(played.finish, Finish::Limit, "{wire}: {}", played.log);
        let step = &played.moves[1];
        assert_eq!((&*step.action, &*step.insight.text), ("up", "well considered"), "{wire}");
        assert_eq!(step.insight.marks[0].at, (1, 2), "{wire}");
        assert_eq!(step.insight.scores, [("up".to_owned(), 0.5)], "{wire}");
        assert_eq!(step.log, "turn 2 of this process\n", "{wire}");
        assert_eq!(
            step.cpu_us.is_some(),
            cfg!(target_os = "linux"),
            "{wire}: its processor time is measured"
        );
    }
}

#[test]
fn a_stateless_agent_is_started_anew_every_turn() {
    let played = polite("json", "none", "stateless = true\n", &Terms::default());
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    assert_eq!(played.log.matches("turn 1 of this process").count(), TURNS as usize, "{}", played.log);
}

#[test]
fn an_illegal_action_costs_a_strike_and_says_why() {
    let played = polite("json", "illegal-once", "", &Terms::default());
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    let warning = &played.moves[0].warnings[0];
    assert_eq!(warning.code, FaultCode::Illegal);
    assert!(warning.detail.contains("sideways"), "{warning}");
    assert_eq!(played.moves[0].action, "wait", "the game's own idle action is played instead");
    assert!(played.moves[1].warnings.is_empty());
    let strict = Terms { strikes: 1, ..Terms::default() };
    assert_eq!(polite("json", "illegal-once", "", &strict).code(), FaultCode::Illegal);
}

#[test]
fn an_agent_without_an_answer_stays_where_it_is_and_it_is_recorded() {
    for wire in ["json", "text", "term"] {
        let played = polite(wire, "no-answer", "", &Terms { strikes: 1, ..Terms::default() });
        assert_eq!(played.moves.len(), TURNS as usize, "{wire}: it costs no strike: {}", played.log);
        for step in &played.moves {
            let [warning] = &step.warnings[..] else { panic!("{wire}: {:?}", step.warnings) };
            assert_eq!((&*step.action, warning.code), ("wait", FaultCode::NoAnswer), "{wire}");
            assert!(warning.detail.starts_with("Unknown procedure meilleur_coup/2"), "{wire}: {warning}");
            assert!(warning.detail.chars().count() <= 300, "{wire}: it is cut");
            assert!(!warning.detail.contains(char::is_control), "{wire}: {warning:?}");
        }
    }
}

#[test]
fn without_an_idle_action_no_answer_costs_a_strike() {
    let manifest = "name = \"polite\"\ncommand = \"python3 polite.py json no-answer\"\n";
    let terms = Terms { strikes: 2, ..Terms::default() };
    let played = play_in(&Siam, "...../...../.MMM./...../..... E 0", &agent(manifest, &agents()), &terms);
    assert_eq!((played.code(), played.moves.len()), (FaultCode::NoAnswer, 2), "{}", played.log);
    assert_eq!(played.moves[0].warnings[0].code, FaultCode::NoAnswer);
}

#[test]
fn an_agent_may_give_up() {
    for wire in ["json", "text", "term"] {
        let played = polite(wire, "resign", "", &Terms::default());
        assert_eq!(played.finish, Finish::Resigned(0, "impossible".into()), "{wire}: {}", played.log);
        assert_eq!(played.finish.reason(), "it gave up: impossible");
        assert_eq!(played.finish.outcome(0), Outcome::Loss);
        assert_eq!(played.moves.len(), 1, "{wire}: the turn it gave up is not played");
        assert!(played.moves[0].warnings.is_empty());
        played.replay.verify(&Pacman).unwrap();
    }
}

#[test]
fn what_it_writes_to_its_trace_is_in_the_log_of_the_turn() {
    let played = polite("json", "trace", "", &Terms::default());
    for (turn, step) in (1..).zip(&played.moves) {
        assert_eq!(step.log, format!("turn {turn} of this process\ntraced {turn}\n"));
    }
}

#[test]
fn the_agent_is_told_of_faults_limits_and_the_end() {
    let played = polite("text", "echo", "", &Terms { turns: 77, ..Terms::default() });
    assert!(played.log.contains("hello 1 damier~"), "{}", played.log);
    assert!(
        played.log.contains(" 10000 1000 50 5000 3 512 16 77 3 ####### #P....# #######"),
        "{}",
        played.log
    );
    assert!(played.log.contains("\nend limit 4 1 0 turn~limit\n"), "{}", played.log);
    assert!(played.log.ends_with("quit\n"), "{}", played.log);
}

#[test]
fn the_bank_pays_for_slow_turns_until_it_is_empty() {
    let (turn, grace) = (Duration::from_millis(30), Duration::from_millis(20));
    let rich = Terms { turn, grace, bank: Duration::from_secs(30), ..Terms::default() };
    assert_eq!(polite("json", "slow", "", &rich).finish, Finish::Limit);
    // Each turn takes 150 ms, so 100 ms are missing: the bank pays for one of them, and every other turn is a strike.
    let poor = Terms { bank: Duration::from_millis(130), ..rich };
    let played = polite("json", "slow", "", &poor);
    assert_eq!(played.code(), FaultCode::Timeout);
}

#[test]
fn a_late_answer_is_not_taken_for_the_next_turn() {
    let (turn, grace) = (Duration::from_millis(60), Duration::from_millis(20));
    let terms = Terms { turn, grace, bank: Duration::ZERO, ..Terms::default() };
    let played = polite("json", "late-once", "", &terms);
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    assert_eq!(played.moves[0].warnings[0].code, FaultCode::Timeout);
    assert_eq!((&*played.moves[0].action, &*played.moves[1].action), ("wait", "up"));
    assert!(played.moves[2].warnings.is_empty() && played.moves[3].warnings.is_empty());
}

#[cfg(not(target_os = "linux"))]
#[test]
fn a_processor_clock_is_refused_where_there_is_none() {
    use damier_host::terms::Confinement;
    use damier_process::agents::check_machine;

    let refused = check_machine(ClockKind::Cpu, Confinement::Off).unwrap_err();
    assert!(refused.to_string().contains("cannot measure"), "{refused}");
}

#[cfg(target_os = "linux")]
#[test]
fn sleeping_costs_no_processor_time() {
    let (turn, grace) = (Duration::from_millis(60), Duration::from_millis(20));
    let terms = Terms { turn, grace, bank: Duration::ZERO, clock: ClockKind::Cpu, ..Terms::default() };
    let played = polite("json", "slow", "", &terms);
    assert_eq!(played.finish, Finish::Limit, "150 ms of sleep are no work");
    // Sleeping updates the kernel's accounting.
    assert!(played.moves.iter().filter_map(|step| step.cpu_us).sum::<u64>() > 0, "but some work was done");
}
