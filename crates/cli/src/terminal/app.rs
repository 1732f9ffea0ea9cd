//! The event loop: draws a session, maps keys to actions, advances real-time games.

use std::time::{Duration, Instant};

use anyhow::Result;
use damier_core::game::Status;
use damier_core::insight::Mark;
use damier_kit::Style as Look;
use damier_kit::replay::Replay;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::board::Board;
use super::{keys, panel};
use damier_host::session::Session;

const PANEL_WIDTH: u16 = 34;
const SLOWEST: Duration = Duration::from_secs(2);
const FASTEST: Duration = Duration::from_millis(15);
/// How often a thinking agent is polled.
const POLL: Duration = Duration::from_millis(15);
const IDLE: Duration = Duration::from_millis(250);

/// Mode of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A human plays; with a tick, in real time.
    Play { tick: Option<Duration> },
    /// A human watches.
    Watch,
}

/// A session on the screen.
#[expect(clippy::struct_excessive_bools, reason = "independent switches that the user flips")]
pub struct App {
    session: Session,
    mode: Mode,
    look: &'static Look,
    ascii: bool,
    /// Is the game running (not paused)?
    running: bool,
    /// Time per turn while running.
    pace: Duration,
    last_turn: Instant,
    /// The action for the next tick, from the last key pressed.
    next_action: Option<String>,
    /// Index of the piece that the keys move, in games with a choice.
    piece: usize,
    /// An action being typed.
    typed: Option<String>,
    overlay: Option<usize>,
    insight_shown: bool,
    help_shown: bool,
    quit: bool,
}

impl App {
    pub fn new(mut session: Session, mode: Mode, look: &'static Look, ascii: bool) -> Self {
        session.let_agents_think();
        let pace = match mode {
            Mode::Play { tick } => tick.unwrap_or(Duration::from_millis(200)),
            Mode::Watch => Duration::from_millis(250),
        };
        Self {
            session,
            mode,
            look,
            ascii,
            running: mode == Mode::Watch,
            pace,
            last_turn: Instant::now(),
            next_action: None,
            piece: 0,
            typed: None,
            overlay: None,
            insight_shown: true,
            help_shown: false,
            quit: false,
        }
    }

    /// Runs until the user quits.
    pub fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        while !self.quit {
            terminal.draw(|frame| self.draw(frame))?;
            if event::poll(self.poll_timeout())?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.press(&key)?;
            }
            if self.session.receive() && !self.is_ticking() && self.mode != Mode::Watch {
                self.catch_up();
            }
            self.pass_time();
        }
        Ok(())
    }

    /// Summary of the game on one line.
    pub fn summary(&self) -> String {
        let setup = self.session.setup();
        let table = self.session.table();
        let standing = match table.status() {
            Status::Over(over) => format!("{} ({})", over.outcome(0), over.reason),
            Status::ToMove(_) => "not finished".to_owned(),
        };
        format!(
            "{} on {}: {standing}, {} turns, score {}",
            setup.info.title,
            setup.level_name,
            table.turns(),
            table.score(0)
        )
    }

    /// The game as a replay.
    pub fn into_replay(self) -> Result<Replay> {
        self.session.to_replay(u32::MAX)
    }

    fn is_ticking(&self) -> bool {
        self.running && matches!(self.mode, Mode::Play { tick: Some(_) })
    }

    /// How long to wait for a key.
    fn poll_timeout(&self) -> Duration {
        if self.running {
            self.pace.saturating_sub(self.last_turn.elapsed()).min(POLL)
        } else if self.session.is_thinking() {
            POLL
        } else {
            IDLE
        }
    }

    fn pass_time(&mut self) {
        if !self.running || self.last_turn.elapsed() < self.pace {
            return;
        }
        match self.mode {
            Mode::Watch => {
                if self.session.go_forward() {
                    self.last_turn = Instant::now();
                    self.session.let_agents_think();
                } else if matches!(self.session.table().status(), Status::Over(_)) {
                    self.running = false;
                }
            }
            Mode::Play { .. } => self.tick(),
        }
    }

    /// One turn of a real-time game.
    fn tick(&mut self) {
        if matches!(self.session.table().status(), Status::Over(_)) {
            self.running = false;
        } else if self.session.human_to_move() {
            let idle = self.session.table().idle().unwrap_or_default();
            let action = self.next_action.take().unwrap_or_else(|| idle.to_owned());
            self.session.act(&action);
            self.last_turn = Instant::now();
        } else {
            self.session.go_forward();
        }
    }

    /// Shows the agents' replies to a human's move as soon as they are known.
    fn catch_up(&mut self) {
        while !self.session.human_to_move() && self.session.go_forward() {}
    }

    fn press(&mut self, key: &KeyEvent) -> Result<()> {
        if keys::is_interrupt(key) {
            self.quit = true;
        } else if self.help_shown {
            self.help_shown = false;
        } else if self.typed.is_some() {
            self.type_action(key);
        } else if !self.press_game_key(key) {
            self.press_own_key(key)?;
        }
        Ok(())
    }

    /// Handles a key of the game while a human plays; false if the game does not use it.
    fn press_game_key(&mut self, key: &KeyEvent) -> bool {
        let Mode::Play { tick } = self.mode else { return false };
        let Some(name) = keys::name(key) else { return false };
        if let Some(piece) = self.look.pieces.iter().position(|binding| binding.key == name) {
            self.piece = piece;
            return true;
        }
        let Some(binding) = self.look.keys.iter().find(|binding| binding.key == name) else { return false };
        let action = match self.look.pieces.get(self.piece) {
            Some(piece) => format!("{} {}", piece.action, binding.action),
            None => binding.action.to_owned(),
        };
        if tick.is_some() {
            self.next_action = Some(action);
            let over = matches!(self.session.table().status(), Status::Over(_));
            if !self.running && !over {
                self.running = true;
                self.last_turn = Instant::now();
            }
        } else {
            self.session.act(&action);
        }
        true
    }

    fn type_action(&mut self, key: &KeyEvent) {
        let Some(typed) = &mut self.typed else { return };
        match key.code {
            KeyCode::Enter => {
                let action = std::mem::take(typed);
                self.typed = None;
                if !action.trim().is_empty() {
                    self.session.act(action.trim());
                }
            }
            KeyCode::Esc => self.typed = None,
            KeyCode::Backspace => {
                typed.pop();
            }
            KeyCode::Char(character) => typed.push(character),
            _ => {}
        }
    }

    fn press_own_key(&mut self, key: &KeyEvent) -> Result<()> {
        let watching = self.mode == Mode::Watch;
        match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'Q') => self.quit = true,
            KeyCode::Char('?') => self.help_shown = true,
            KeyCode::Char(' ' | 'p') if watching || self.is_ticking() || self.can_tick() => self.pause(),
            KeyCode::Char('+' | '=') => self.pace = (self.pace * 2 / 3).max(FASTEST),
            KeyCode::Char('-') => self.pace = (self.pace * 3 / 2).min(SLOWEST),
            KeyCode::Up if watching => self.pace = (self.pace * 2 / 3).max(FASTEST),
            KeyCode::Down if watching => self.pace = (self.pace * 3 / 2).min(SLOWEST),
            KeyCode::Char(']') => self.step_forward(),
            KeyCode::Right if watching => self.step_forward(),
            KeyCode::Char('[') => self.step_back(),
            KeyCode::Left if watching => self.step_back(),
            KeyCode::Backspace | KeyCode::Char('u') => self.undo(),
            KeyCode::Home => self.travel(Session::go_to_start),
            KeyCode::End => self.travel(Session::go_to_end),
            KeyCode::Char('h') => self.session.ask_for_hint(),
            KeyCode::Char('w') => self.travel(Session::review_or_next_remark),
            KeyCode::Char('i') => self.insight_shown = !self.insight_shown,
            KeyCode::Char('o') => self.next_overlay(),
            KeyCode::Char(':') if !watching => self.typed = Some(String::new()),
            KeyCode::Char('n') => self.restart()?,
            _ => {}
        }
        Ok(())
    }

    fn can_tick(&self) -> bool {
        matches!(self.mode, Mode::Play { tick: Some(_) })
    }

    fn pause(&mut self) {
        self.running = !self.running;
        self.last_turn = Instant::now();
    }

    fn step_forward(&mut self) {
        self.travel(|session| {
            session.go_forward();
        });
        self.session.let_agents_think();
    }

    fn step_back(&mut self) {
        self.travel(Session::go_back);
    }

    fn undo(&mut self) {
        self.travel(if self.mode == Mode::Watch { Session::go_back } else { Session::undo });
    }

    /// Pauses and shows another moment.
    fn travel(&mut self, to: impl FnOnce(&mut Session)) {
        self.running = false;
        to(&mut self.session);
    }

    fn restart(&mut self) -> Result<()> {
        let seed = self.session.setup().seed;
        let chance = self.session.setup().open.facts().chance;
        self.session.restart(if chance { seed + 1 } else { seed })?;
        self.session.let_agents_think();
        self.running = self.mode == Mode::Watch;
        self.last_turn = Instant::now();
        Ok(())
    }

    fn next_overlay(&mut self) {
        let count = self.session.setup().info.overlays.len();
        self.overlay = match self.overlay {
            None if count > 0 => Some(0),
            Some(index) if index + 1 < count => Some(index + 1),
            _ => None,
        };
    }

    fn draw(&self, frame: &mut Frame) {
        let help = self.key_help(frame.area().width);
        let [main, bottom] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(help.lines.len() as u16)])
                .areas(frame.area());
        let scene = self.session.table().draw();
        let text = (self.look.name != self.session.setup().info.styles[0].name)
            .then(|| self.session.table().draw_text(self.look.name, &self.marks()));
        let (width, height) = match &text {
            None => Board::size(&scene),
            Some(text) => (
                text.lines().map(|line| line.chars().count()).max().unwrap_or(0) as u16,
                text.lines().count() as u16,
            ),
        };
        let (board, side) = split(main, width, height);
        match text {
            Some(text) => frame.render_widget(Paragraph::new(text), board),
            None => {
                frame.render_widget(Board { scene: &scene, marks: &self.marks(), ascii: self.ascii }, board);
            }
        }
        self.draw_panel(frame, side);
        frame.render_widget(Paragraph::new(help), bottom);
        if self.help_shown {
            self.draw_help(frame);
        }
    }

    fn marks(&self) -> Vec<Mark> {
        let overlays = self.session.setup().info.overlays;
        let overlay = self.overlay.map(|index| self.session.table().overlay(overlays[index].name));
        let insight = self.session.insight().filter(|_| self.insight_shown);
        overlay
            .into_iter()
            .flatten()
            .chain(insight.into_iter().flat_map(|insight| insight.marks.clone()))
            .collect()
    }

    fn draw_panel(&self, frame: &mut Frame, area: Rect) {
        let mut lines = panel::standing(&self.session);
        if let Some(index) = self.overlay {
            let overlay = self.session.setup().info.overlays[index];
            lines.push(Line::raw(format!("overlay {}: {}", overlay.name, overlay.about)));
        }
        if self.insight_shown {
            lines.extend(panel::thinking(&self.session));
        }
        if self.mode == Mode::Watch || self.can_tick() {
            let (position, length) = self.session.position();
            let state = if self.running { "running" } else { "paused" };
            lines.push(Line::styled(
                format!("{state} · {} ms per turn · {position}/{length}", self.pace.as_millis()),
                Style::new().fg(Color::DarkGray),
            ));
        }
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
    }

    /// Help on the keys that matter now, on as few lines as possible.
    fn key_help(&self, width: u16) -> Text<'static> {
        if let Some(typed) = &self.typed {
            let legal = self.session.table().legal().join(" ");
            return Text::from(vec![Line::raw(format!("> {typed}▏")), Line::raw(format!("legal: {legal}"))]);
        }
        let watching = self.mode == Mode::Watch;
        let mut parts: Vec<String> = Vec::new();
        if watching {
            parts.extend(["space pause", "←→ step", "↑↓ speed"].map(str::to_owned));
        } else {
            let keys: Vec<&str> =
                self.look.keys.iter().take(4).map(|binding| keys::shown(binding.key)).collect();
            let pieces: Vec<&str> = self.look.pieces.iter().map(|binding| binding.key).collect();
            if let Some(piece) = self.look.pieces.get(self.piece) {
                parts.push(format!("{} choose, now {}", pieces.join(" "), piece.action));
            }
            if !keys.is_empty() {
                parts.push(format!("{} move", keys.join("")));
            }
            parts.extend(["h hint", "⌫ undo", ": type a move"].map(str::to_owned));
            if self.can_tick() {
                parts.extend(["p pause", "+- speed"].map(str::to_owned));
            }
        }
        parts.extend(["i insight", "o overlay", "n new", "? help", "q quit"].map(str::to_owned));
        if self.look.keys.iter().any(|binding| binding.key == "q") {
            parts.retain(|part| part != "q quit");
            parts.push("Esc quit".to_owned());
        }
        wrap(&parts, width, self.ascii)
    }

    fn draw_help(&self, frame: &mut Frame) {
        let mut lines = vec![Line::raw(self.session.setup().info.about), Line::default()];
        let (game_keys, own) = match self.mode {
            Mode::Watch => (&[][..], WATCH_HELP),
            Mode::Play { .. } => (self.look.keys, PLAY_HELP),
        };
        for binding in self.look.pieces.iter().filter(|_| !game_keys.is_empty()) {
            lines.push(Line::raw(format!("{:<10} choose {}", binding.key, binding.action)));
        }
        for binding in game_keys {
            lines.push(Line::raw(format!("{:<10} {}", keys::shown(binding.key), binding.action)));
        }
        lines.extend(own.lines().map(Line::raw));
        let area = centred(frame.area(), 62, lines.len() as u16 + 3);
        frame.render_widget(Clear, area);
        let block = Block::bordered().title(" keys (any key closes) ");
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
    }
}

const PLAY_HELP: &str = "\
h          hint: our strongest agent's choice, and why
Backspace  undo, as often as you like
[ ]        step back and forward
:          type an action by its name
w          review: which move lost the game, and what was better
i o        insight on and off, next overlay
p + -      pause, faster, slower (real-time games)
n          new game
Esc        quit (q too, where the game does not use it)";

const WATCH_HELP: &str = "\
space      pause and resume
left right step back and forward
up down    faster, slower
Home End   first and last known moment
h          hint: our strongest agent's choice
w          review: which move lost the game, and what was better
i o        insight on and off, next overlay
n          new game
q Esc      quit";

/// Board on the left and panel beside it, or below it if the screen is narrow.
pub fn split(area: Rect, width: u16, height: u16) -> (Rect, Rect) {
    let beside = area.width >= width + 2 + PANEL_WIDTH / 2 || area.height < height + 8;
    if beside {
        let panel = PANEL_WIDTH.min(area.width / 2).max(area.width.saturating_sub(width + 2));
        let [board, side] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(panel.saturating_sub(2))])
                .spacing(2)
                .areas(area);
        (board, side)
    } else {
        let [board, below] =
            Layout::vertical([Constraint::Length(height + 1), Constraint::Min(0)]).areas(area);
        (board, below)
    }
}

fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
}

/// Joins the parts to lines of at most `width` columns.
fn wrap(parts: &[String], width: u16, ascii: bool) -> Text<'static> {
    let separator = if ascii { " | " } else { " · " };
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() + 3 <= usize::from(width) => {
                line.push_str(separator);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    let style = Style::new().fg(Color::Gray).add_modifier(Modifier::DIM);
    Text::from(lines.into_iter().map(|line| Line::styled(line, style)).collect::<Vec<_>>())
}
