//! The human player's view of a match: the moves tried, the solution that the computer shows, and a message about what to do
//! next. Time is an argument, as in [`Match`].

use std::time::Duration;

use damier_core::game::Game;
use damier_kit::rounds::{
    self, BothSides, RoundCommand, RoundMission, RoundPhase, RoundSide, RoundView, RoundsKit,
};

use crate::draw;
use crate::robot::Robot;
use crate::round::{Hint, Match, Phase, Side, Strength};
use crate::rules::{Action, State};

/// The interface for front ends to rounds of Rasende Roboter.
pub const KIT: RoundsKit = RoundsKit {
    strengths: &Strength::NAMES,
    default_strength: Strength::DEFAULT,
    begin: |seed, strength, now| Box::new(Rounds::new(seed, Strength::LEVELS[strength].1, now)),
};

/// The number of rounds in a match.
pub const ROUNDS: usize = 17;
/// How long the computer shows each of its moves by default.
const SHOW_PACE: Duration = Duration::from_millis(700);
const FASTEST_SHOW: Duration = Duration::from_millis(100);
const SLOWEST_SHOW: Duration = Duration::from_secs(5);

const LOOK: &str = "Look for the fewest moves. Try them on the board, then announce their number.";

/// A match with a human player.
pub struct Rounds {
    game: Match,
    /// The moves that the player tried in this round.
    tried: Vec<Action>,
    message: String,
    /// How many moves of the computer's solution are shown, and since when.
    showing: Option<(usize, Duration)>,
    /// The moves that won this round.
    winning: Vec<Action>,
    show_pace: Duration,
    over: bool,
}

impl Rounds {
    /// A new match; the seed determines the board, the robots and the order of the targets.
    pub fn new(seed: u64, strength: Strength, now: Duration) -> Self {
        let mut rounds = Self {
            game: Match::new(seed, strength, now),
            tried: Vec::new(),
            message: String::new(),
            showing: None,
            winning: Vec::new(),
            show_pace: SHOW_PACE,
            over: false,
        };
        rounds.begin_round();
        rounds
    }

    fn begin_round(&mut self) {
        self.tried.clear();
        self.showing = None;
        self.winning.clear();
        self.message = LOOK.into();
    }

    /// The match.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// The number of this round, from 1.
    pub fn round(&self) -> usize {
        ROUNDS - self.game.rounds_left()
    }

    /// The moves tried out.
    pub fn tried(&self) -> &[Action] {
        &self.tried
    }

    /// A message about what to do next, or what just happened.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The moves that the computer has shown so far, while it shows its solution.
    pub fn shown(&self) -> Option<&[Action]> {
        let (count, _) = self.showing?;
        Some(&self.game.computers_solution().unwrap_or_default()[..count])
    }

    /// The board on the screen: the moves tried, or what the computer has shown so far.
    pub fn state(&self) -> State {
        let mut state = self.game.state().clone();
        let moves = match self.shown() {
            Some(shown) => shown,
            None if matches!(self.game.phase(), Phase::Won(_)) => &[],
            None => &self.tried[..],
        };
        for &action in moves {
            self.game.game().make_move(&mut state, action);
        }
        state
    }

    /// Do the moves on the screen reach the target?
    pub fn is_solved(&self) -> bool {
        self.game.game().is_solved(&self.state())
    }

    /// How the game stands, on one line.
    pub fn summary(&self) -> String {
        let state = if self.over { "final score" } else { "left at" };
        let (you, computer) = (self.game.score(Side::Player), self.game.score(Side::Computer));
        format!("Rasende Roboter: {state} you {you}, computer {computer}")
    }

    /// The computer shows its moves faster or slower.
    pub fn change_show_pace(&mut self, faster: bool) {
        let pace = if faster { self.show_pace * 2 / 3 } else { self.show_pace * 3 / 2 };
        self.show_pace = pace.clamp(FASTEST_SHOW, SLOWEST_SHOW);
    }

    /// Lets time pass. True if something changed on the screen, besides the clock.
    pub fn pass_time(&mut self, now: Duration) -> bool {
        let announced = self.game.announced(Side::Computer);
        let before = (self.game.phase().clone(), announced, self.showing);
        self.game.tick(now);
        if matches!(before.0, Phase::Clock(_)) && !matches!(self.game.phase(), Phase::Clock(_)) {
            self.ask_to_show();
        }
        if let (None, Some(moves)) = (announced, self.game.announced(Side::Computer)) {
            self.message =
                format!("The computer announces {moves} moves. The clock runs: can you do better?");
        }
        match (self.game.phase(), self.showing) {
            (Phase::Show(Side::Computer, _), None) => self.showing = Some((0, now)),
            (Phase::Show(Side::Computer, _), Some((count, since))) if now >= since + self.show_pace => {
                self.show_next(count, now);
            }
            _ => {}
        }
        before != (self.game.phase().clone(), self.game.announced(Side::Computer), self.showing)
    }

    /// One more move of the computer's solution; after the last one the target is won.
    fn show_next(&mut self, count: usize, now: Duration) {
        let plan = self.game.computers_solution().unwrap_or_default().to_vec();
        if count < plan.len() {
            self.showing = Some((count + 1, now));
            self.message = format!("The computer shows: {}", plan[count]);
            return;
        }
        self.showing = None;
        if self.game.show(&plan) == Ok(true) {
            self.message = "The computer wins this target.".into();
            self.winning = plan;
        }
    }

    /// May the person do something on the board?
    fn is_free(&self) -> bool {
        self.showing.is_none() && !self.over && !matches!(self.game.phase(), Phase::Won(_))
    }

    /// Tries a move.
    pub fn try_move(&mut self, action: Action) {
        if !self.is_free() {
            return;
        }
        if let Err(illegal) = self.game.game().check(&self.state(), action) {
            self.message = illegal.to_string();
            return;
        }
        self.tried.push(action);
        if self.is_solved() {
            self.message = match self.game.phase() {
                Phase::Show(..) => "That reaches the target: show it.".to_owned(),
                _ => format!("That reaches the target in {}: announce it.", self.tried.len()),
            };
        }
    }

    /// Takes the last move that was tried back.
    pub fn take_back(&mut self) {
        self.tried.pop();
        self.remind();
    }

    /// Takes all moves that were tried back.
    pub fn clear(&mut self) {
        self.tried.clear();
        self.remind();
    }

    /// What can be done now.
    fn remind(&mut self) {
        match self.game.phase() {
            Phase::Looking => self.message = LOOK.into(),
            Phase::Clock(_) => self.message = "The clock runs.".into(),
            Phase::Show(..) | Phase::Won(_) => self.ask_to_show(),
        }
    }

    /// Announces a number of moves, or that of the moves tried if they reach the target.
    pub fn announce(&mut self, number: Option<u32>, now: Duration) {
        let tried = self.is_solved().then_some(self.tried.len() as u32);
        self.message = match number.or(tried) {
            None => "Say a number of moves, or try moves that reach the target, then announce.".into(),
            Some(moves) => match self.game.announce(Side::Player, moves, now) {
                Ok(()) => format!("You announce {moves} moves. The clock runs; you may end it."),
                Err(not_now) => not_now.to_string(),
            },
        };
    }

    /// Shows the tried moves as the solution, if it is the player's turn to show.
    pub fn show(&mut self) {
        let Phase::Show(Side::Player, moves) = *self.game.phase() else {
            self.message = "It is not your turn to show a solution.".into();
            return;
        };
        if self.tried.len() as u32 > moves {
            self.message = format!("You announced {moves} moves; take some back.");
            return;
        }
        let tried = std::mem::take(&mut self.tried);
        self.message = match self.game.show(&tried) {
            Ok(true) => {
                self.winning = tried;
                "You win this target!".into()
            }
            Ok(false) => "That does not reach the target: your announcement is lost.".into(),
            Err(not_now) => not_now.to_string(),
        };
    }

    /// Starts the next round; after the last one the game is over.
    pub fn next(&mut self, now: Duration) {
        match self.game.next_round(now) {
            Ok(true) => self.begin_round(),
            Ok(false) => {
                self.over = true;
                self.message = format!("All targets are won. {}", self.summary());
            }
            Err(not_now) => self.message = not_now.to_string(),
        }
    }

    /// Ends the time for announcements.
    pub fn stop_clock(&mut self) {
        self.game.stop_clock();
        self.ask_to_show();
    }

    /// The time for announcements is over.
    fn ask_to_show(&mut self) {
        self.message = match self.game.phase() {
            Phase::Show(Side::Player, moves) => {
                format!("Show a solution of at most {moves} moves on the board.")
            }
            Phase::Won(None) => "No announcements: nobody wins this target.".into(),
            _ => return,
        };
    }

    /// Gives a hint for the current board: only the number of moves, or one of them.
    pub fn hint(&mut self, only_length: bool) {
        if !self.is_free() {
            return;
        }
        self.message = match self.game.hint(&self.state(), only_length) {
            Hint::Length(0) => "The target is reached.".into(),
            Hint::Length(moves) => format!("From here it takes {moves} moves."),
            Hint::Move(action) => format!("Hint: {action}."),
            Hint::Unsolvable => "From here the target cannot be reached.".into(),
        };
    }
}

impl rounds::Rounds for Rounds {
    fn view(&self, now: Duration) -> RoundView {
        let (game, level) = (&self.game, self.game.game().level());
        let (phase, by) = match game.phase() {
            Phase::Looking => (RoundPhase::Looking, None),
            Phase::Clock(_) => (RoundPhase::Clock, None),
            Phase::Show(side, _) => (RoundPhase::Show, Some(*side)),
            Phase::Won(side) if self.over => (RoundPhase::Over, *side),
            Phase::Won(side) => (RoundPhase::Won, *side),
        };
        let clock_ms = match game.phase() {
            Phase::Clock(end) => Some(end.saturating_sub(now).as_millis() as u64),
            _ => None,
        };
        let piece = level.target_robot().map(Robot::name);
        let names = |moves: &[Action]| moves.iter().map(ToString::to_string).collect();
        let state = self.state();
        RoundView {
            round: self.round(),
            rounds: ROUNDS,
            score: both(|side| game.score(side)),
            phase,
            by: by.map(RoundSide::from),
            clock_ms,
            announced: both(|side| game.announced(side)),
            mission: RoundMission { piece, target: level.board().size().xy(level.target()) },
            goal: format!("{} to its target", piece.unwrap_or("any robot")),
            pieces: state.present().map(Robot::name).collect(),
            scene: draw::scene(game.game(), &state),
            tried: names(&self.tried),
            solved: game.game().is_solved(&state),
            message: self.message.clone(),
            shown: names(self.shown().unwrap_or(&self.winning)),
        }
    }

    fn command(&mut self, command: &RoundCommand, now: Duration) {
        match command {
            RoundCommand::Move { action } => {
                if let Some(action) = Action::parse(action) {
                    self.try_move(action);
                }
            }
            RoundCommand::Back => self.take_back(),
            RoundCommand::Clear => self.clear(),
            RoundCommand::Announce { moves } => self.announce(*moves, now),
            RoundCommand::StopClock => self.stop_clock(),
            RoundCommand::Show => self.show(),
            RoundCommand::Next => self.next(now),
            RoundCommand::Hint { length } => self.hint(*length),
            RoundCommand::Pace { faster } => self.change_show_pace(*faster),
        }
    }

    fn pass_time(&mut self, now: Duration) -> bool {
        self.pass_time(now)
    }

    fn summary(&self) -> String {
        self.summary()
    }
}

fn both<T>(of: impl Fn(Side) -> T) -> BothSides<T> {
    BothSides { you: of(Side::Player), computer: of(Side::Computer) }
}

impl From<Side> for RoundSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Player => Self::You,
            Side::Computer => Self::Computer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_wins_a_round_and_the_computer_shows_the_next() {
        let at = Duration::from_secs;
        let mut rounds = Rounds::new(3, Strength::LEVELS[3].1, at(0));
        let plan = rounds.game().computers_solution().expect("a printed board is solvable").to_vec();
        for &action in &plan {
            rounds.try_move(action);
        }
        assert!(rounds.is_solved());
        rounds.announce(None, Duration::ZERO);
        assert_eq!(rounds.game().announced(Side::Player), Some(plan.len() as u32));
        rounds.stop_clock();
        rounds.show();
        assert_eq!((rounds.game().score(Side::Player), rounds.message()), (1, "You win this target!"));
        assert_eq!(recap(&rounds), (Some(RoundSide::You), plan));
        rounds.next(at(10));
        assert_eq!((rounds.round(), rounds.tried().len()), (2, 0));
        assert_eq!(recap(&rounds), (None, Vec::new()));
        let plan = rounds.game().computers_solution().expect("a printed board is solvable").to_vec();
        // The computer announces, the clock runs out, and it shows move after move.
        let mut now = at(10_000);
        assert!(rounds.pass_time(now));
        while *rounds.game().phase() != Phase::Won(Some(Side::Computer)) {
            now += at(61);
            rounds.pass_time(now);
            assert!(now < at(12_000), "the computer never shows: {}", rounds.message());
        }
        assert_eq!(rounds.game().score(Side::Computer), 1);
        assert_eq!(recap(&rounds), (Some(RoundSide::Computer), plan));
        rounds.next(now);
        assert_eq!(recap(&rounds), (None, Vec::new()));
    }

    /// The moves listed as a solution, and whose they are.
    fn recap(rounds: &Rounds) -> (Option<RoundSide>, Vec<Action>) {
        let view = rounds::Rounds::view(rounds, Duration::ZERO);
        (view.by, view.shown.iter().filter_map(|name| Action::parse(name)).collect())
    }
}
