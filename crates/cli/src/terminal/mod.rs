//! The terminal interface: play, watch, replay, and the menu that opens without a game.

mod app;
mod board;
mod keys;
mod menu;
mod panel;
mod rounds;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use damier_core::agent::Budget;
use damier_core::game::{Facts, Seat};
use damier_kit::replay::Replay;
use damier_kit::table::OpenLevel;
use damier_kit::{Info, RoundsKit, Style};
use ratatui::DefaultTerminal;

use crate::args::{BudgetArgs, Look, Pace, PlayArgs, StartArgs, WatchArgs};
use crate::commands::warn_of_weak_confinement;
use crate::output::screen;
use crate::terminal::app::{App, Mode};
use crate::terminal::rounds::Rounds;
use crate::{Answer, games};
use damier_host::contestant::Contestant;
use damier_host::session::{AGENT_THREAD, Executor, Session, Setup};
use damier_host::terms::Terms;
use damier_host::{levels, replays, seats};
use damier_process::agents;

/// Lets a human play; without a game, the menu opens.
///
/// A game with rounds against the computer is played in rounds, unless a level is given.
pub fn play(args: &PlayArgs) -> Result<Answer> {
    need_terminal()?;
    let Some(game) = &args.game else { return menu::menu() };
    let found = games::find(game)?;
    if let (Some(kit), None) = (found.rounds(), &args.start.level) {
        return play_rounds(found.info(), kit, args);
    }
    let mut setup = open(game, &args.start, args.budget)?;
    let facts = setup.open.facts();
    let mine = parse_seat(&args.seat, &facts)?;
    if args.vs.is_some() && facts.seats.len() == 1 {
        bail!("{} has a single seat under these rules, so --vs does not apply", setup.info.name);
    }
    let opponent = agents::find(args.vs.as_deref().unwrap_or(seats::DEFAULT_OPPONENT))?;
    setup.players = (0..facts.seats.len())
        .map(|seat| mine.is_some_and(|mine| mine != seat).then(|| opponent.clone()))
        .collect();
    let tick = tick(setup.info, setup.open.as_ref(), args.pace)?;
    let style = find_style(setup.info, args.look.style.as_deref())?;
    show(Session::new(setup)?, Mode::Play { tick }, style, args.look.ascii, args.look.save.as_deref())
}

fn play_rounds(info: &'static Info, kit: &RoundsKit, args: &PlayArgs) -> Result<Answer> {
    let strength = kit.strength(args.vs.as_deref())?;
    let ascii = args.look.ascii || !keys::terminal_has_unicode();
    let mut rounds = Rounds::new(info, kit, args.start.seed, strength, ascii);
    on_screen(|terminal| rounds.run(terminal))?;
    writeln!(std::io::stdout().lock(), "{}", rounds.summary())?;
    Ok(Answer::Yes)
}

/// Lets a human watch agents.
pub fn watch(args: WatchArgs) -> Result<Answer> {
    let mut setup = open(&args.setting.game.game, &args.setting.start, args.budget)?;
    setup.terms = args.confine.apply(setup.terms);
    let first = agents::find(&args.agent)?;
    let others = args.vs.as_deref().map(agents::find).transpose()?;
    let contestants = seats::contestants(setup.info, setup.open.as_ref(), &first, others.as_ref())?;
    warn_of_weak_confinement(&contestants, &setup.terms);
    setup.players = contestants.into_iter().map(Some).collect();
    let Look { style, ascii, save } = args.look;
    let style = find_style(setup.info, style.as_deref())?;
    show(Session::new(setup)?, Mode::Watch, style, ascii, save.as_deref())
}

/// Shows a replay.
pub fn replay(replay: &Replay) -> Result<Answer> {
    let start = &replay.start;
    let game = games::find(&start.game)?;
    replay.verify(game)?;
    let setup = Setup {
        info: game.info(),
        open: game.open(&start.text, &start.rules)?.into(),
        level_name: start.level.clone(),
        seed: start.seed,
        players: start.agents.iter().map(|name| Some(Contestant::built_in(name))).collect(),
        terms: Terms::default(),
        executor: Executor::default(),
    };
    let style = &game.info().styles[0];
    show(Session::from_replay(setup, replay)?, Mode::Watch, style, false, None)
}

fn need_terminal() -> Result<()> {
    ensure!(
        std::io::stdout().is_terminal() && std::io::stdin().is_terminal(),
        "this needs a terminal; `damier run` plays without one"
    );
    Ok(())
}

fn open(game: &str, start: &StartArgs, limits: BudgetArgs) -> Result<Setup> {
    need_terminal()?;
    let game = games::find(game)?;
    let rules = games::rule_set(game.info(), start.rules.as_deref())?;
    let level = levels::find_one(game, start.level.as_deref(), rules)?;
    let open = levels::open(game, &level, rules)?;
    let budget = Budget { time: limits.think, nodes: limits.nodes };
    Ok(Setup {
        info: game.info(),
        open: open.into(),
        level_name: level.name,
        seed: start.seed,
        players: Vec::new(),
        terms: Terms::of_budget(budget),
        executor: Executor::default(),
    })
}

/// Parses a seat by number or name; `None` for all seats.
fn parse_seat(text: &str, facts: &Facts) -> Result<Option<Seat>> {
    if text == "all" {
        return Ok(None);
    }
    let by_name = facts.seats.iter().position(|name| *name == text);
    let by_number = text.parse().ok().filter(|&seat| seat < facts.seats.len());
    by_name.or(by_number).map(Some).ok_or_else(|| {
        let seats: Vec<String> =
            facts.seats.iter().enumerate().map(|(seat, name)| format!("{seat} ({name})")).collect();
        anyhow!("there is no seat `{text}`; the seats are {}", seats.join(", "))
    })
}

fn tick(info: &Info, open: &dyn OpenLevel, pace: Option<Pace>) -> Result<Option<Duration>> {
    match (pace, open.tick_ms()) {
        (Some(Pace::Waits), _) | (None, None) => Ok(None),
        (None, Some(tick)) => Ok(Some(Duration::from_millis(tick.into()))),
        (Some(Pace::Every(_)), _) if info.idle.is_none() => {
            bail!("{} waits for every move, so --pace does not apply", info.name)
        }
        (Some(Pace::Every(tick)), _) => Ok(Some(tick)),
    }
}

fn find_style(info: &'static Info, name: Option<&str>) -> Result<&'static Style> {
    let Some(name) = name else { return Ok(&info.styles[0]) };
    info.styles.iter().find(|style| style.name == name).ok_or_else(|| {
        let names: Vec<_> = info.styles.iter().map(|style| style.name).collect();
        anyhow!("{} has no style `{name}`; it has {}", info.name, names.join(", "))
    })
}

/// Takes over the terminal, and restores it even after a panic.
fn on_screen<T>(show: impl FnOnce(&mut DefaultTerminal) -> Result<T>) -> Result<T> {
    ratatui::run(|terminal| {
        let restore = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() != Some(AGENT_THREAD) {
                restore(panic);
            }
        }));
        show(terminal)
    })
}

/// Shows a session until the user quits, then prints a summary and saves the replay.
fn show(
    session: Session,
    mode: Mode,
    style: &'static Style,
    ascii: bool,
    save: Option<&Path>,
) -> Result<Answer> {
    let mut app = App::new(session, mode, style, ascii || !keys::terminal_has_unicode());
    on_screen(|terminal| app.run(terminal))?;
    let mut out = screen();
    writeln!(out, "{}", app.summary())?;
    if let Some(path) = save {
        replays::write(path, &app.into_replay()?)?;
        writeln!(out, "replay saved to {}", path.display())?;
    }
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use super::on_screen;

    const CHILD: &str = "DAMIER_TEST_PANIC_ON_SCREEN";

    /// Runs itself in a real terminal, panics there, and checks that the terminal is restored.
    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(CHILD).is_some() {
            on_screen(|_| -> anyhow::Result<()> { panic!("the board fell off the table") }).unwrap();
        }
        let program = std::env::current_exe().unwrap();
        let socket = format!("damier-panic-{}", std::process::id());
        let tmux = |args: &[&str]| {
            Command::new("tmux").args(["-L", &socket, "-f", "/dev/null"]).args(args).output().unwrap()
        };
        let script = format!(
            "{CHILD}=1 '{}' --exact terminal::tests::a_panic_gives_the_terminal_back --nocapture; \
             stty -a | tr ' ;' '\n\n' | grep -x -- '-\\?icanon'; echo ended; sleep 60",
            program.display()
        );
        tmux(&["new-session", "-d", "-x", "150", "-y", "50", &script]);
        let started = Instant::now();
        let mut screen = String::new();
        while !screen.contains("\nended") && started.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(50));
            screen = String::from_utf8(tmux(&["capture-pane", "-p"]).stdout).unwrap();
        }
        tmux(&["kill-server"]);
        assert!(screen.contains("the board fell off the table"), "the message is readable:\n{screen}");
        assert!(screen.contains("\nicanon\nended"), "the terminal is in its usual mode:\n{screen}");
    }
}
