//! Rasende Roboter by its real rules: 17 rounds against the computer, with announcements and a clock.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use damier_core::game::Game;
use damier_core::grid::Dir;
use damier_ricochet::draw;
use damier_ricochet::robot::Robot;
use damier_ricochet::round::{Hint, Match, Phase, Side, Strength};
use damier_ricochet::rules::{Action, State};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::app::split;
use super::board::Board;
use super::keys;

const ROUNDS: usize = 17;
/// How long the computer shows each of its moves, unless the person wants it faster or slower.
const SHOW_PACE: Duration = Duration::from_millis(700);
const FASTEST_SHOW: Duration = Duration::from_millis(100);
const SLOWEST_SHOW: Duration = Duration::from_secs(5);
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
    game: Match,
    started: Instant,
    ascii: bool,
    /// The robot that the arrows move.
    robot: Robot,
    /// The moves tried out in this round, on nobody's board but ours.
    tried: Vec<Action>,
    /// An announcement being typed.
    number: String,
    message: String,
    /// How many moves of the computer's solution are on the screen, and since when.
    showing: Option<(usize, Instant)>,
    show_pace: Duration,
    over: bool,
    left: bool,
}

impl Rounds {
    /// A new game; the seed decides the board, the robots and the order of the targets.
    pub fn new(seed: u64, strength: Strength, ascii: bool) -> Self {
        let mut rounds = Self {
            game: Match::new(seed, strength, Duration::ZERO),
            started: Instant::now(),
            ascii,
            robot: Robot::Red,
            tried: Vec::new(),
            number: String::new(),
            message: String::new(),
            showing: None,
            show_pace: SHOW_PACE,
            over: false,
            left: false,
        };
        rounds.begin_round();
        rounds
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
            self.pass_time();
        }
        Ok(())
    }

    /// How the game stands, on one line.
    pub fn summary(&self) -> String {
        let state = if self.over { "final score" } else { "left at" };
        let (you, computer) = (self.game.score(Side::Player), self.game.score(Side::Computer));
        format!("Rasende Roboter: {state} you {you}, computer {computer}")
    }

    fn begin_round(&mut self) {
        self.tried.clear();
        self.number.clear();
        self.showing = None;
        self.robot = self.game.game().level().target_robot().unwrap_or(Robot::Red);
        self.message =
            "Look for the fewest moves. Try them with the arrows, then announce their number.".into();
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// The board on the screen: the moves tried, or what the computer has shown so far.
    fn state(&self) -> State {
        let mut state = self.game.state().clone();
        let shown = match self.showing {
            Some((count, _)) => &self.game.computers_solution().unwrap_or_default()[..count],
            None if matches!(self.game.phase(), Phase::Won(_)) => &[],
            None => &self.tried[..],
        };
        for &action in shown {
            self.game.game().make_move(&mut state, action);
        }
        state
    }

    fn pass_time(&mut self) {
        let before = self.game.announced(Side::Computer);
        let clock_ran = matches!(self.game.phase(), Phase::Clock(_));
        self.game.tick(self.now());
        if clock_ran && !matches!(self.game.phase(), Phase::Clock(_)) {
            self.ask_to_show();
        }
        if let (None, Some(moves)) = (before, self.game.announced(Side::Computer)) {
            self.message =
                format!("The computer announces {moves} moves. The clock runs: can you do better?");
        }
        match (self.game.phase(), self.showing) {
            (Phase::Show(Side::Computer, _), None) => self.showing = Some((0, Instant::now())),
            (Phase::Show(Side::Computer, _), Some((count, since))) if since.elapsed() >= self.show_pace => {
                self.show_next(count);
            }
            _ => {}
        }
    }

    /// One more move of the computer's solution; after the last one the target is won.
    fn show_next(&mut self, count: usize) {
        let plan = self.game.computers_solution().unwrap_or_default().to_vec();
        if count < plan.len() {
            self.showing = Some((count + 1, Instant::now()));
            self.message = format!("The computer shows: {}", plan[count]);
            return;
        }
        self.showing = None;
        if self.game.show(&plan) == Ok(true) {
            self.message = "The computer wins this target. Enter goes on.".into();
        }
    }

    fn press(&mut self, key: &KeyEvent) {
        if keys::is_interrupt(key) {
            self.left = true;
            return;
        }
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => self.left = true,
            KeyCode::Enter => self.confirm(),
            KeyCode::Char('+' | '=') => self.show_pace = (self.show_pace * 2 / 3).max(FASTEST_SHOW),
            KeyCode::Char('-') => self.show_pace = (self.show_pace * 3 / 2).min(SLOWEST_SHOW),
            _ if self.showing.is_some() || self.over => {}
            KeyCode::Char(digit @ '0'..='9') if self.number.len() < 2 => self.number.push(digit),
            KeyCode::Backspace if !self.number.is_empty() => self.number.clear(),
            KeyCode::Backspace | KeyCode::Char('u') => {
                self.tried.pop();
            }
            KeyCode::Char('x') => self.tried.clear(),
            KeyCode::Char(' ') => self.stop_clock(),
            KeyCode::Char('h') => self.hint(false),
            KeyCode::Char('l') => self.hint(true),
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
        if let Some(robot) = robot.filter(|&robot| self.game.state().cell_of(robot).is_some()) {
            self.robot = robot;
        }
    }

    fn try_move(&mut self, dir: Dir) {
        if matches!(self.game.phase(), Phase::Won(_)) {
            return;
        }
        let action = Action { robot: self.robot, dir };
        let state = self.state();
        if let Err(illegal) = self.game.game().check(&state, action) {
            self.message = illegal.to_string();
            return;
        }
        self.tried.push(action);
        if self.game.game().is_solved(&self.state()) {
            self.message = format!("That reaches the target in {}. Enter announces it.", self.tried.len());
        }
    }

    /// Enter: announce what was typed or tried, show what was tried, or go on.
    fn confirm(&mut self) {
        match self.game.phase().clone() {
            Phase::Looking | Phase::Clock(_) => self.announce(),
            Phase::Show(Side::Player, moves) => self.show(moves),
            Phase::Show(Side::Computer, _) => {}
            Phase::Won(_) if self.game.next_round(self.now()) == Ok(true) => self.begin_round(),
            Phase::Won(_) => {
                self.over = true;
                self.message = format!("All targets are won. {}", self.summary());
            }
        }
    }

    fn announce(&mut self) {
        let solved = self.game.game().is_solved(&self.state());
        let tried = if solved { Some(self.tried.len() as u32) } else { None };
        let number = std::mem::take(&mut self.number).parse().ok().or(tried);
        self.message = match number {
            None => "Type a number of moves, or try moves that reach the target, then Enter.".into(),
            Some(moves) => match self.game.announce(Side::Player, moves, self.now()) {
                Ok(()) => format!("You announce {moves} moves. The clock runs; space ends it."),
                Err(not_now) => not_now.to_string(),
            },
        };
    }

    fn show(&mut self, moves: u32) {
        if self.tried.len() as u32 > moves {
            self.message = format!("You announced {moves} moves; take some back.");
            return;
        }
        let tried = std::mem::take(&mut self.tried);
        self.message = match self.game.show(&tried) {
            Ok(true) => "You win this target! Enter goes on.".into(),
            Ok(false) => "That does not reach the target: your announcement is lost. Enter goes on.".into(),
            Err(not_now) => not_now.to_string(),
        };
    }

    fn stop_clock(&mut self) {
        self.game.stop_clock();
        self.ask_to_show();
    }

    /// The time for announcements is over.
    fn ask_to_show(&mut self) {
        self.message = match self.game.phase() {
            Phase::Show(Side::Player, moves) => {
                format!("Show a solution of at most {moves} moves with the arrows, then Enter.")
            }
            Phase::Won(None) => "Nobody announced: nobody wins this target. Enter goes on.".into(),
            _ => return,
        };
    }

    fn hint(&mut self, only_length: bool) {
        if matches!(self.game.phase(), Phase::Won(_)) {
            return;
        }
        self.message = match self.game.hint(&self.state(), only_length) {
            Hint::Length(0) => "The target is reached.".into(),
            Hint::Length(moves) => format!("From here it takes {moves} moves."),
            Hint::Move(action) => format!("Hint: {action}."),
            Hint::Unsolvable => "From here the target cannot be reached.".into(),
        };
    }

    fn draw(&self, frame: &mut Frame) {
        let [main, bottom] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(2)]).areas(frame.area());
        let scene = draw::scene(self.game.game(), &self.state());
        let (width, height) = Board::size(&scene);
        let (board, side) = split(main, width, height);
        frame.render_widget(Board { scene: &scene, marks: &[], ascii: self.ascii }, board);
        frame.render_widget(Paragraph::new(self.panel()).wrap(Wrap { trim: false }), side);
        let help = "r g b y choose a robot · arrows try a move · Backspace take back · x all of them\n\
            number + Enter announce · space end the clock · h hint · l its length · +- speed of showing · q quit";
        frame.render_widget(Paragraph::new(help).style(Style::new().fg(Color::Gray)), bottom);
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let row = |label: &str, value: String| {
            Line::from(vec![Span::raw(format!("{label:<14}")), Span::styled(value, bold)])
        };
        let announced =
            |side| self.game.announced(side).map_or("-".to_owned(), |moves| format!("{moves} moves"));
        let target = self.game.game().level().target_robot().map_or("any robot", Robot::name);
        let clock = match self.game.phase() {
            Phase::Clock(end) => format!("{} s left", end.saturating_sub(self.now()).as_secs()),
            Phase::Looking => "not running".to_owned(),
            Phase::Show(..) | Phase::Won(_) => "stopped".to_owned(),
        };
        vec![
            Line::styled("Rasende Roboter", bold),
            row("round", format!("{} of {ROUNDS}", ROUNDS - self.game.rounds_left())),
            row("you", self.game.score(Side::Player).to_string()),
            row("computer", self.game.score(Side::Computer).to_string()),
            Line::default(),
            row("mission", format!("{target} to its target")),
            row("clock", clock),
            row("you say", announced(Side::Player)),
            row("computer says", announced(Side::Computer)),
            Line::default(),
            row("arrows move", self.robot.name().to_owned()),
            row("tried", self.tried.len().to_string()),
            row("announce", format!("{}▏", self.number)),
            Line::default(),
            Line::raw(self.message.clone()),
        ]
    }
}
