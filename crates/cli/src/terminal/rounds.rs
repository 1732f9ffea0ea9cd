//! Rasende Roboter by its real rules: 17 rounds against the computer, with announcements and a clock.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use damier_core::grid::Dir;
use damier_ricochet::draw;
use damier_ricochet::robot::Robot;
use damier_ricochet::round::{Phase, Side, Strength};
use damier_ricochet::rounds::{self, ROUNDS};
use damier_ricochet::rules::Action;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::app::split;
use super::board::Board;
use super::keys;

const GLANCE: Duration = Duration::from_millis(50);

/// The strength of this name.
pub fn find_strength(name: Option<&str>) -> Result<Strength> {
    let Some(name) = name else { return Ok(Strength::LEVELS[1].1) };
    Strength::LEVELS.iter().find(|(level, _)| *level == name).map(|&(_, strength)| strength).ok_or_else(
        || {
            let names = Strength::LEVELS.map(|(name, _)| name);
            anyhow!("the computer has no strength `{name}`; it has {}", names.join(", "))
        },
    )
}

/// A game of rounds on the screen.
pub struct Rounds {
    play: rounds::Rounds,
    started: Instant,
    ascii: bool,
    /// The robot that the arrows move.
    robot: Robot,
    /// An announcement being typed.
    number: String,
    left: bool,
}

impl Rounds {
    /// A new game; the seed decides the board, the robots and the order of the targets.
    pub fn new(seed: u64, strength: Strength, ascii: bool) -> Self {
        let play = rounds::Rounds::new(seed, strength, Duration::ZERO);
        let started = Instant::now();
        let mut this = Self { play, started, ascii, robot: Robot::Red, number: String::new(), left: false };
        this.begin_round();
        this
    }

    /// Runs until the person leaves.
    pub fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        while !self.left {
            terminal.draw(|frame| self.draw(frame))?;
            if event::poll(GLANCE)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.press(&key);
            }
            self.play.pass_time(self.started.elapsed());
        }
        Ok(())
    }

    /// How the game stands, on one line.
    pub fn summary(&self) -> String {
        self.play.summary()
    }

    fn begin_round(&mut self) {
        self.number.clear();
        self.robot = self.play.game().game().level().target_robot().unwrap_or(Robot::Red);
    }

    fn press(&mut self, key: &KeyEvent) {
        if keys::is_interrupt(key) {
            self.left = true;
            return;
        }
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => self.left = true,
            KeyCode::Enter => self.confirm(),
            KeyCode::Char('+' | '=') => self.play.change_show_pace(true),
            KeyCode::Char('-') => self.play.change_show_pace(false),
            _ if self.play.shown().is_some() || self.play.is_over() => {}
            KeyCode::Char(digit @ '0'..='9') if self.number.len() < 2 => self.number.push(digit),
            KeyCode::Backspace if !self.number.is_empty() => self.number.clear(),
            KeyCode::Backspace | KeyCode::Char('u') => self.play.take_back(),
            KeyCode::Char('x') => self.play.clear(),
            KeyCode::Char(' ') => self.play.stop_clock(),
            KeyCode::Char('h') => self.play.hint(false),
            KeyCode::Char('l') => self.play.hint(true),
            KeyCode::Up => self.try_move(Dir::North),
            KeyCode::Right => self.try_move(Dir::East),
            KeyCode::Down => self.try_move(Dir::South),
            KeyCode::Left => self.try_move(Dir::West),
            KeyCode::Char(letter) => self.choose_robot(letter),
            _ => {}
        }
    }

    fn choose_robot(&mut self, letter: char) {
        let robot = Robot::parse(letter.encode_utf8(&mut [0; 4]));
        if let Some(robot) = robot.filter(|&robot| self.play.game().state().cell_of(robot).is_some()) {
            self.robot = robot;
        }
    }

    fn try_move(&mut self, dir: Dir) {
        self.play.try_move(Action { robot: self.robot, dir });
    }

    /// Enter: announce what was typed or tried, show what was tried, or go on.
    fn confirm(&mut self) {
        let now = self.started.elapsed();
        match self.play.game().phase() {
            Phase::Looking | Phase::Clock(_) => {
                let number = std::mem::take(&mut self.number).parse().ok();
                self.play.announce(number, now);
            }
            Phase::Show(Side::Player, _) => self.play.show(),
            Phase::Show(Side::Computer, _) => {}
            Phase::Won(_) => {
                self.play.next(now);
                self.begin_round();
            }
        }
    }

    fn draw(&self, frame: &mut Frame) {
        let [main, bottom] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(2)]).areas(frame.area());
        let scene = draw::scene(self.play.game().game(), &self.play.state());
        let (width, height) = Board::size(&scene);
        let (board, side) = split(main, width, height);
        frame.render_widget(Board { scene: &scene, marks: &[], ascii: self.ascii }, board);
        frame.render_widget(Paragraph::new(self.panel()).wrap(Wrap { trim: false }), side);
        let help = "r g b y choose a robot · arrows try a move · Backspace take back · x all of them\n\
            number + Enter announce, show, go on · space end the clock · h hint · l its length · +- speed of showing · q quit";
        frame.render_widget(Paragraph::new(help).style(Style::new().fg(Color::Gray)), bottom);
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let row = |label: &str, value: String| {
            Line::from(vec![Span::raw(format!("{label:<14}")), Span::styled(value, bold)])
        };
        let game = self.play.game();
        let announced = |side| game.announced(side).map_or("-".to_owned(), |moves| format!("{moves} moves"));
        let target = game.game().level().target_robot().map_or("any robot", Robot::name);
        let clock = match game.phase() {
            Phase::Clock(end) => format!("{} s left", end.saturating_sub(self.started.elapsed()).as_secs()),
            Phase::Looking => "not running".to_owned(),
            Phase::Show(..) | Phase::Won(_) => "stopped".to_owned(),
        };
        vec![
            Line::styled("Rasende Roboter", bold),
            row("round", format!("{} of {ROUNDS}", self.play.round())),
            row("you", game.score(Side::Player).to_string()),
            row("computer", game.score(Side::Computer).to_string()),
            Line::default(),
            row("mission", format!("{target} to its target")),
            row("clock", clock),
            row("you say", announced(Side::Player)),
            row("computer says", announced(Side::Computer)),
            Line::default(),
            row("arrows move", self.robot.name().to_owned()),
            row("tried", self.play.tried().len().to_string()),
            row("announce", format!("{}▏", self.number)),
            Line::default(),
            Line::raw(self.play.message().to_owned()),
        ]
    }
}
