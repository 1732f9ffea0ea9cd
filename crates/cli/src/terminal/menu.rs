//! The menu that opens when `damier play` is started without a game.

use std::time::Duration;

use anyhow::Result;
use damier_kit::Info;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::app::{App, Mode};
use super::board::Board;
use super::{keys, on_screen, tick};
use crate::Answer;
use crate::games;
use damier_host::contestant::Contestant;
use damier_host::levels::{self, NamedLevel};
use damier_host::seats;
use damier_host::session::{Executor, Session, Setup};
use damier_host::terms::Terms;

/// The current choice.
struct Choice {
    game: usize,
    rules: usize,
    level: usize,
    opponent: usize,
}

/// Shows the menu until the user quits.
pub fn menu() -> Result<Answer> {
    let mut choice = Choice { game: 0, rules: 0, level: 0, opponent: 0 };
    on_screen(|terminal| {
        while let Some(mode) = choose(terminal, &mut choice)? {
            let setup = choice.setup(mode)?;
            let mode = match mode {
                Mode::Play { .. } => Mode::Play { tick: tick(setup.info, setup.open.as_ref(), None)? },
                Mode::Watch => Mode::Watch,
            };
            let style = &choice.info().styles[0];
            App::new(Session::new(setup)?, mode, style, !keys::terminal_has_unicode()).run(terminal)?;
        }
        Ok(())
    })?;
    Ok(Answer::Yes)
}

/// Lets the user choose; `None` if they quit.
fn choose(terminal: &mut DefaultTerminal, choice: &mut Choice) -> Result<Option<Mode>> {
    loop {
        terminal.draw(|frame| draw(frame, choice))?;
        if !event::poll(Duration::from_millis(500))? {
            continue;
        }
        let Event::Key(key) = event::read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match key.code {
            _ if keys::is_interrupt(&key) => return Ok(None),
            KeyCode::Esc | KeyCode::Char('q') => return Ok(None),
            KeyCode::Enter | KeyCode::Char('p') => return Ok(Some(Mode::Play { tick: None })),
            KeyCode::Char('w') => return Ok(Some(Mode::Watch)),
            KeyCode::Down => choice.change_game(1),
            KeyCode::Up => choice.change_game(games::all().len() - 1),
            KeyCode::Char('r') => choice.change_rules(),
            KeyCode::Right => choice.level = (choice.level + 1) % choice.levels().len(),
            KeyCode::Left => {
                choice.level = (choice.level + choice.levels().len() - 1) % choice.levels().len();
            }
            KeyCode::Char('v') => choice.opponent += 1,
            _ => {}
        }
    }
}

impl Choice {
    fn info(&self) -> &'static Info {
        games::all()[self.game].info()
    }

    fn change_game(&mut self, by: usize) {
        *self = Self { game: (self.game + by) % games::all().len(), rules: 0, level: 0, opponent: 0 };
    }

    fn change_rules(&mut self) {
        self.rules = (self.rules + 1) % self.info().rules.len();
        self.level = 0;
    }

    /// The levels of all packs that are made for the rule set.
    fn levels(&self) -> Vec<NamedLevel> {
        let rules = self.info().rules[self.rules].name;
        let packs = self.info().packs.iter();
        packs
            .filter(|pack| games::all()[self.game].open(pack.levels[0].1, rules).is_ok())
            .flat_map(|pack| {
                pack.levels.iter().map(|(name, text)| NamedLevel {
                    name: format!("{}/{name}", pack.name),
                    text: (*text).to_owned(),
                })
            })
            .collect()
    }

    /// The agents that can take the other seats, the default one first.
    fn opponents(&self) -> Vec<&'static str> {
        let agents = self.info().agents.iter().filter(|agent| agent.seats.iter().any(|&seat| seat > 0));
        let mut names: Vec<&str> = agents.map(|agent| agent.name).collect();
        names.sort_by_key(|name| *name != seats::DEFAULT_OPPONENT);
        names
    }

    fn opponent(&self) -> &'static str {
        let names = self.opponents();
        if names.is_empty() { seats::DEFAULT_OPPONENT } else { names[self.opponent % names.len()] }
    }

    fn setup(&self, mode: Mode) -> Result<Setup> {
        let level = self.levels().swap_remove(self.level);
        let open = levels::open(games::all()[self.game], &level, self.info().rules[self.rules].name)?;
        let built_in = |name: &str| Contestant::built_in(name);
        let first = (mode == Mode::Watch).then(|| built_in("best"));
        let others = std::iter::repeat_n(Some(built_in(self.opponent())), open.facts().seats.len() - 1);
        Ok(Setup {
            info: self.info(),
            players: std::iter::once(first).chain(others).collect(),
            open: open.into(),
            level_name: level.name,
            seed: 1,
            terms: Terms::default(),
            executor: Executor::default(),
        })
    }
}

fn draw(frame: &mut Frame, choice: &Choice) {
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(2), Constraint::Min(1), Constraint::Length(2)])
            .areas(frame.area());
    let [left, right] =
        Layout::horizontal([Constraint::Length(44), Constraint::Min(0)]).spacing(2).areas(body);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let title = Line::from(vec![
        Span::styled("Damier", bold.fg(Color::LightYellow)),
        Span::raw("  classic grid games, exact rules, strong agents"),
    ]);
    frame.render_widget(Paragraph::new(title), head);
    frame.render_widget(Paragraph::new(options(choice)).wrap(Wrap { trim: false }).block(Block::new()), left);
    if let Ok(setup) = choice.setup(Mode::Watch) {
        let scene = setup.open.table(setup.seed, 0).draw();
        frame.render_widget(Board { scene: &scene, marks: &[], ascii: !keys::terminal_has_unicode() }, right);
    }
    let help = "Enter play · w watch our agent · ↑↓ game · ←→ level · r rules · v opponent · q quit\n\
        Everything else: damier --help";
    frame.render_widget(Paragraph::new(help).style(Style::new().fg(Color::Gray)), foot);
}

fn options(choice: &Choice) -> Vec<Line<'static>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut lines = Vec::new();
    for (index, game) in games::all().iter().enumerate() {
        let (sign, style) = if index == choice.game { ("▶ ", bold) } else { ("  ", Style::new()) };
        lines.push(Line::styled(format!("{sign}{}", game.info().title), style));
    }
    let info = choice.info();
    let rules = info.rules[choice.rules];
    lines.extend([
        Line::default(),
        Line::raw(info.about),
        Line::default(),
        Line::from(vec![
            Span::raw("level     "),
            Span::styled(choice.levels()[choice.level].name.clone(), bold),
        ]),
        Line::from(vec![Span::raw("rules     "), Span::styled(rules.name, bold)]),
        Line::raw(rules.about),
    ]);
    let seats = choice.setup(Mode::Watch).map_or(1, |setup| setup.players.len());
    if seats > 1 {
        lines.push(Line::from(vec![Span::raw("opponent  "), Span::styled(choice.opponent(), bold)]));
    }
    lines
}
