//! A game of rounds against the computer, with announcements and a clock.

use std::time::{Duration, Instant};

use anyhow::Result;
use damier_kit::rounds::{self, RoundCommand, RoundPhase, RoundSide, RoundView, RoundsKit};
use damier_kit::{Info, KeyBinding};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::app::split;
use super::board::Board;
use super::keys;

const POLL: Duration = Duration::from_millis(50);

/// A game of rounds on the screen.
pub struct Rounds {
    info: &'static Info,
    play: Box<dyn rounds::Rounds>,
    started: Instant,
    ascii: bool,
    /// The piece that the arrows move.
    piece: &'static str,
    /// An announcement being typed.
    number: String,
    quit: bool,
}

impl Rounds {
    /// A new game; the seed decides the board and the missions.
    pub fn new(info: &'static Info, kit: &RoundsKit, seed: u64, strength: usize, ascii: bool) -> Self {
        let play = (kit.begin)(seed, strength, Duration::ZERO);
        let started = Instant::now();
        let mut this = Self { info, play, started, ascii, piece: "", number: String::new(), quit: false };
        this.begin_round();
        this
    }

    /// Runs until the user quits.
    pub fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        while !self.quit {
            let view = self.view();
            terminal.draw(|frame| self.draw(&view, frame))?;
            if event::poll(POLL)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.press(&key);
            }
            self.play.pass_time(self.started.elapsed());
        }
        Ok(())
    }

    /// The score on one line.
    pub fn summary(&self) -> String {
        self.play.summary()
    }

    fn view(&self) -> RoundView {
        self.play.view(self.started.elapsed())
    }

    fn command(&mut self, command: &RoundCommand) {
        self.play.command(command, self.started.elapsed());
    }

    fn begin_round(&mut self) {
        self.number.clear();
        let view = self.view();
        self.piece = view.mission.piece.or(view.pieces.first().copied()).unwrap_or_default();
    }

    fn press(&mut self, key: &KeyEvent) {
        if keys::is_interrupt(key) {
            self.quit = true;
            return;
        }
        let view = self.view();
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => self.quit = true,
            KeyCode::Enter => self.confirm(&view),
            KeyCode::Char('+' | '=') => self.command(&RoundCommand::Pace { faster: true }),
            KeyCode::Char('-') => self.command(&RoundCommand::Pace { faster: false }),
            _ if is_showing(&view) || view.phase == RoundPhase::Over => {}
            KeyCode::Char(digit @ '0'..='9') if self.number.len() < 2 => self.number.push(digit),
            KeyCode::Backspace if !self.number.is_empty() => self.number.clear(),
            KeyCode::Backspace | KeyCode::Char('u') => self.command(&RoundCommand::Back),
            KeyCode::Char('x') => self.command(&RoundCommand::Clear),
            KeyCode::Char(' ') => self.command(&RoundCommand::StopClock),
            KeyCode::Char('h') => self.command(&RoundCommand::Hint { length: false }),
            KeyCode::Char('l') => self.command(&RoundCommand::Hint { length: true }),
            _ => self.press_game_key(&view, key),
        }
    }

    /// Handles a key of the game, which selects a piece or moves it.
    fn press_game_key(&mut self, view: &RoundView, key: &KeyEvent) {
        let Some(name) = keys::name(key) else { return };
        if let Some(binding) = self.pieces(view).find(|binding| binding.key == name) {
            self.piece = binding.action;
        } else if let Some(binding) = self.info.styles[0].keys.iter().find(|binding| binding.key == name) {
            let action = format!("{} {}", self.piece, binding.action);
            self.command(&RoundCommand::Move { action });
        }
    }

    /// The keys of the pieces on the board.
    fn pieces<'a>(&self, view: &'a RoundView) -> impl Iterator<Item = &'static KeyBinding> + use<'a> {
        self.info.styles[0].pieces.iter().filter(|binding| view.pieces.contains(&binding.action))
    }

    /// Handles Enter: announces the typed or tried number of moves, shows the tried moves, or starts the next round.
    fn confirm(&mut self, view: &RoundView) {
        match view.phase {
            RoundPhase::Looking | RoundPhase::Clock => {
                let moves = std::mem::take(&mut self.number).parse().ok();
                self.command(&RoundCommand::Announce { moves });
            }
            RoundPhase::Show if is_showing(view) => {}
            RoundPhase::Show => self.command(&RoundCommand::Show),
            RoundPhase::Won | RoundPhase::Over => {
                self.command(&RoundCommand::Next);
                self.begin_round();
            }
        }
    }

    fn draw(&self, view: &RoundView, frame: &mut Frame) {
        let [main, bottom] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(2)]).areas(frame.area());
        let (width, height) = Board::size(&view.scene);
        let (board, side) = split(main, width, height);
        frame.render_widget(Board { scene: &view.scene, marks: &[], ascii: self.ascii }, board);
        frame.render_widget(Paragraph::new(self.panel(view)).wrap(Wrap { trim: false }), side);
        let letters: Vec<&str> = self.pieces(view).map(|binding| binding.key).collect();
        let help = format!(
            "{} select a piece · arrows try a move · Backspace undo · x undo all\n\
            number + Enter announce, show, continue · space stop the clock · h hint · l length hint · +- playback speed · q quit",
            letters.join(" ")
        );
        frame.render_widget(Paragraph::new(help).style(Style::new().fg(Color::Gray)), bottom);
    }

    fn panel(&self, view: &RoundView) -> Vec<Line<'static>> {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let row = |label: &str, value: String| {
            Line::from(vec![Span::raw(format!("{label:<14}")), Span::styled(value, bold)])
        };
        let announced = |moves: Option<u32>| moves.map_or("-".to_owned(), |moves| format!("{moves} moves"));
        let clock = match (view.phase, view.clock_ms) {
            (_, Some(left)) => format!("{} s left", left / 1000),
            (RoundPhase::Looking, None) => "not running".to_owned(),
            _ => "stopped".to_owned(),
        };
        let mut lines = vec![
            Line::styled(self.info.title, bold),
            row("round", format!("{} of {}", view.round, view.rounds)),
            row("you", view.score.you.to_string()),
            row("computer", view.score.computer.to_string()),
            Line::default(),
            row("mission", view.goal.clone()),
            row("clock", clock),
            row("you say", announced(view.announced.you)),
            row("computer says", announced(view.announced.computer)),
            Line::default(),
            row("arrows move", self.piece.to_owned()),
            row("tried", view.tried.len().to_string()),
            row("announce", format!("{}▏", self.number)),
            Line::default(),
            Line::raw(view.message.clone()),
        ];
        if !view.shown.is_empty() {
            let whose = if view.by == Some(RoundSide::You) { "Your" } else { "The computer's" };
            lines.extend([Line::default(), Line::styled(format!("{whose} moves"), bold)]);
            lines.extend(
                (1..).zip(&view.shown).map(|(number, action)| Line::raw(format!("{number:>2} {action}"))),
            );
        }
        lines
    }
}

/// Is the computer showing its solution?
fn is_showing(view: &RoundView) -> bool {
    view.phase == RoundPhase::Show && view.by == Some(RoundSide::Computer)
}
