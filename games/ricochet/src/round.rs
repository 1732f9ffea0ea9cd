//! A match of rounds against the computer: announce, clock, show.
//!
//! A round draws a target; the robots stay where the last round left them. Both sides search for a solution and announce
//! its number of moves. The first announcement starts a clock; until it runs out either side may announce a lower
//! number. Then the side with the lowest announcement shows its solution: if it reaches the target, that side wins the
//! target, else the other side may show. After all 17 targets the side with more targets wins.
//!
//! This is pure logic: time is an argument, so that both terminal and page can drive it, and tests need not wait.

use std::time::Duration;

use damier_core::game::Game;
use damier_core::grid::Cell;
use damier_core::random::Rng;

use crate::generate;
use crate::level::Level;
use crate::quadrants::{self, PrintedBoard, Target};
use crate::robot::Robot;
use crate::rules::{Action, Rules, State};
use crate::solve::{Answer, SearchLimits, SearchOutcome, solve};

/// The time for announcements after the first one.
pub const CLOCK: Duration = Duration::from_mins(1);

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The human player.
    Player,
    /// The computer.
    Computer,
}

/// The strength of the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The maximum length of solutions that it finds.
    pub depth: u32,
    /// Whether it considers moving robots other than the active one.
    pub helpers: bool,
    /// The thinking time per thousand positions, so that a human has a chance.
    pub pace: Duration,
}

impl Strength {
    /// The named levels, from weak to strong.
    pub const LEVELS: [(&'static str, Self); 4] = [
        ("beginner", Self { depth: 5, helpers: false, pace: Duration::from_secs(30) }),
        ("amateur", Self { depth: 6, helpers: true, pace: Duration::from_secs(12) }),
        ("expert", Self { depth: 10, helpers: true, pace: Duration::from_secs(3) }),
        ("perfect", Self { depth: u32::MAX, helpers: true, pace: Duration::from_millis(50) }),
    ];

    /// The names of the levels.
    pub const NAMES: [&'static str; Self::LEVELS.len()] = {
        let mut names = [""; Self::LEVELS.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::LEVELS[index].0;
            index += 1;
        }
        names
    };

    /// The index of the default level.
    pub const DEFAULT: usize = 1;

    /// The solution that a computer of this strength finds, and its thinking time; `None` if it finds none.
    pub fn think(&self, game: &Rules, state: &State) -> Option<(Vec<Action>, Duration)> {
        let limits = SearchLimits { moves: Some(self.depth), ..SearchLimits::default() };
        let answer = if self.helpers {
            solve(game, state, &limits, &mut |_| {})
        } else {
            without_helpers(game, state, &limits)?
        };
        if answer.outcome != SearchOutcome::Solved {
            return None;
        }
        let thousands = u32::try_from(answer.positions / 1000).unwrap_or(u32::MAX).saturating_add(1);
        Some((answer.plan?, self.pace.saturating_mul(thousands)))
    }
}

/// A shortest solution that moves only the active robot.
fn without_helpers(game: &Rules, state: &State, limits: &SearchLimits) -> Option<Answer> {
    let actives: Vec<Robot> = match game.level().target_robot() {
        Some(robot) => vec![robot],
        None => state.present().collect(),
    };
    let answers = actives.into_iter().filter_map(|robot| {
        let distances = crate::reach::distances(game, state, robot);
        let moves = distances[game.level().target().index()]?;
        let plan = lone_path(game, state, robot, &distances)?;
        let mut end = state.clone();
        for &action in &plan {
            game.make_move(&mut end, action);
        }
        let allowed = limits.moves.is_none_or(|most| moves <= most) && game.is_solved(&end);
        let positions = distances.iter().flatten().count() as u64;
        allowed.then_some(Answer {
            outcome: SearchOutcome::Solved,
            plan: Some(plan),
            lower_bound: 0,
            positions,
            memory: 0,
        })
    });
    answers.min_by_key(|answer| answer.plan.as_ref().map(Vec::len))
}

/// The moves of one robot to the target, found backwards from the number of moves to each cell.
fn lone_path(game: &Rules, state: &State, robot: Robot, moves: &[Option<u32>]) -> Option<Vec<Action>> {
    let mut way = Vec::new();
    let mut at = game.level().target();
    while let Some(left) = moves[at.index()]?.checked_sub(1) {
        let before = (0..moves.len() as u16).map(Cell).filter(|cell| moves[cell.index()] == Some(left));
        let (cell, dir) = before.into_iter().find_map(|cell| {
            let mut stops = crate::reach::stops(game, state, robot, cell);
            stops.find(|&(_, stop)| stop == at).map(|(dir, _)| (cell, dir))
        })?;
        way.push(Action { robot, dir });
        at = cell;
    }
    way.reverse();
    Some(way)
}

/// Why a command is not possible now, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotNow(pub String);

/// A hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The number of moves of a shortest solution.
    Length(u32),
    /// The next move of a shortest solution.
    Move(Action),
    /// There is no solution.
    Unsolvable,
}

/// The phase of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No side has announced.
    Looking,
    /// The clock runs out at this time.
    Clock(Duration),
    /// This side must show a solution of at most this many moves.
    Show(Side, u32),
    /// The round is over; the side that won the target, if any.
    Won(Option<Side>),
}

/// A match of 17 rounds.
pub struct Match {
    printed: PrintedBoard,
    /// The remaining targets, the next one last.
    targets: Vec<Target>,
    strength: Strength,
    game: Rules,
    state: State,
    started: Duration,
    phase: Phase,
    announced: [Option<u32>; 2],
    /// The computer's solution, and when it announces it.
    computer: Option<(Vec<Action>, Duration)>,
    won: [u32; 2],
}

impl Match {
    /// A new match on a random board; the first round starts at time `now`.
    pub fn new(seed: u64, strength: Strength, now: Duration) -> Self {
        let mut rng = Rng::new(seed);
        let printed = quadrants::assemble(&quadrants::random_layout(&mut rng));
        let robots = generate::place_robots(&mut rng, &printed, 4);
        let mut targets = printed.targets.clone();
        rng.shuffle(&mut targets);
        let first = targets.pop().expect("a board has 17 targets");
        let game = mission(&printed, robots, first);
        let state = game.start();
        let mut this = Self {
            printed,
            targets,
            strength,
            game,
            state,
            started: now,
            phase: Phase::Looking,
            announced: [None; 2],
            computer: None,
            won: [0; 2],
        };
        this.begin(now);
        this
    }

    fn begin(&mut self, now: Duration) {
        self.started = now;
        self.phase = Phase::Looking;
        self.announced = [None; 2];
        self.computer = self.strength.think(&self.game, &self.state).map(|(plan, takes)| (plan, now + takes));
    }

    /// The mission of this round.
    pub const fn game(&self) -> &Rules {
        &self.game
    }

    /// The robots at the start of this round.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The phase of the round.
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The number of targets won by a side.
    pub const fn score(&self, side: Side) -> u32 {
        self.won[side as usize]
    }

    /// The lowest announcement of a side.
    pub const fn announced(&self, side: Side) -> Option<u32> {
        self.announced[side as usize]
    }

    /// The number of rounds after this one.
    pub fn rounds_left(&self) -> usize {
        self.targets.len()
    }

    /// Advances the time: the computer announces when it has thought long enough, and the clock may run out.
    pub fn tick(&mut self, now: Duration) {
        let ready = self.computer.as_ref().filter(|(_, at)| *at <= now).map(|(plan, _)| plan.len() as u32);
        if let Some(moves) = ready.filter(|_| self.announced(Side::Computer).is_none())
            && self.announced(Side::Player).is_none_or(|player| moves < player)
        {
            // A late announcement, or one that is not lower, is rejected, which is fine.
            let _ = self.announce(Side::Computer, moves, now);
        }
        if matches!(self.phase, Phase::Clock(end) if end <= now) {
            self.phase = self.next_to_show();
        }
    }

    /// Announces a number of moves, which must be lower than all before.
    pub fn announce(&mut self, side: Side, moves: u32, now: Duration) -> Result<(), NotNow> {
        match self.phase {
            Phase::Looking => self.phase = Phase::Clock(now + CLOCK),
            Phase::Clock(end) if now < end => {}
            _ => return Err(NotNow("the time for announcements is over".into())),
        }
        if let Some(lowest) = self.announced.iter().flatten().min().filter(|lowest| moves >= **lowest) {
            return Err(NotNow(format!("{lowest} moves are already announced: announce fewer")));
        }
        if moves == 0 {
            return Err(NotNow("a solution has at least one move".into()));
        }
        self.announced[side as usize] = Some(moves);
        Ok(())
    }

    /// Stops the clock early; a round without announcements is over.
    pub fn stop_clock(&mut self) {
        if matches!(self.phase, Phase::Looking | Phase::Clock(_)) {
            self.phase = self.next_to_show();
        }
    }

    fn next_to_show(&self) -> Phase {
        let side = [Side::Player, Side::Computer]
            .into_iter()
            .filter_map(|side| Some((self.announced(side)?, side)))
            .min_by_key(|&(moves, _)| moves);
        side.map_or(Phase::Won(None), |(moves, side)| Phase::Show(side, moves))
    }

    /// The computer's solution.
    pub fn computers_solution(&self) -> Option<&[Action]> {
        self.computer.as_ref().map(|(plan, _)| plan.as_slice())
    }

    /// Shows the solution of the side whose turn it is. If it reaches the target within the announced number of moves, that
    /// side wins the target and the robots stay there; else the other side may show.
    pub fn show(&mut self, plan: &[Action]) -> Result<bool, NotNow> {
        let Phase::Show(side, announced) = self.phase else {
            return Err(NotNow("nobody is to show a solution now".into()));
        };
        let mut state = self.state.clone();
        let legal = plan.iter().all(|&action| {
            let legal = self.game.check(&state, action).is_ok();
            self.game.make_move(&mut state, action);
            legal
        });
        if legal && plan.len() as u32 <= announced && self.game.is_solved(&state) {
            self.won[side as usize] += 1;
            self.phase = Phase::Won(Some(side));
            self.state = state;
            return Ok(true);
        }
        self.announced[side as usize] = None;
        self.phase = self.next_to_show();
        Ok(false)
    }

    /// Starts the round of the next target; returns false after the last one. A target that its robot already occupies is
    /// postponed.
    pub fn next_round(&mut self, now: Duration) -> Result<bool, NotNow> {
        if !matches!(self.phase, Phase::Won(_)) {
            return Err(NotNow("this round is not over".into()));
        }
        for _ in 0..self.targets.len() {
            let target = self.targets.pop().expect("there are targets left");
            let robots =
                self.state.present().map(|robot| (robot, self.state.robots[robot.index()])).collect();
            let game = mission(&self.printed, robots, target);
            if !game.is_solved(&game.start()) {
                self.state = game.start();
                self.game = game;
                self.begin(now);
                return Ok(true);
            }
            self.targets.insert(0, target);
        }
        Ok(false)
    }

    /// A hint for any state of this round: only the length of a solution, or its next move.
    pub fn hint(&self, from: &State, only_length: bool) -> Hint {
        let answer = solve(&self.game, from, &SearchLimits::default(), &mut |_| {});
        match answer.plan.as_deref() {
            Some([first, ..]) if !only_length => Hint::Move(*first),
            Some(plan) => Hint::Length(plan.len() as u32),
            None => Hint::Unsolvable,
        }
    }
}

fn mission(printed: &PrintedBoard, robots: Vec<(Robot, Cell)>, target: Target) -> Rules {
    let level = Level::new(printed.board.clone(), robots, target.cell, target.robot);
    Rules::new(level.expect("printed targets and robots are on open cells"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Duration = Duration::ZERO;

    fn perfect(seed: u64) -> Match {
        Match::new(seed, Strength::LEVELS[3].1, START)
    }

    #[test]
    fn a_whole_game_gives_every_target_to_somebody() {
        let mut game = perfect(3);
        let mut rounds = 1;
        loop {
            game.tick(Duration::from_secs(3600 * rounds));
            game.stop_clock();
            let plan = game.computers_solution().expect("the board is solvable").to_vec();
            assert_eq!(game.show(&plan), Ok(true));
            if !game.next_round(Duration::from_secs(3600 * rounds)).unwrap() {
                break;
            }
            rounds += 1;
        }
        assert_eq!(rounds, 17);
        assert_eq!(game.score(Side::Computer), 17);
    }

    #[test]
    fn the_lowest_announcement_shows_first_and_a_failed_show_passes_on() {
        let mut game = perfect(5);
        let best = game.computers_solution().unwrap().to_vec();
        let late = Duration::from_secs(3599);
        game.tick(late);
        assert_eq!(game.announced(Side::Computer), Some(best.len() as u32));
        assert!(game.announce(Side::Player, best.len() as u32, late).is_err());
        if best.len() > 1 {
            game.announce(Side::Player, best.len() as u32 - 1, late).unwrap();
            game.tick(late + CLOCK);
            assert_eq!(*game.phase(), Phase::Show(Side::Player, best.len() as u32 - 1));
            assert_eq!(game.show(&[]), Ok(false));
        } else {
            game.tick(late + CLOCK);
        }
        assert_eq!(*game.phase(), Phase::Show(Side::Computer, best.len() as u32));
        assert_eq!(game.show(&best), Ok(true));
        assert_eq!(game.score(Side::Computer), 1);
    }

    #[test]
    fn the_beginner_overlooks_helpers_and_long_ways() {
        for seed in 0..30 {
            let game = Match::new(seed, Strength::LEVELS[0].1, START);
            if let Some(plan) = game.computers_solution() {
                assert!(plan.len() <= 5);
                assert!(plan.iter().all(|action| action.robot == plan[0].robot));
                let mut state = game.state().clone();
                for &action in plan {
                    game.game().make_move(&mut state, action);
                }
                assert!(game.game().is_solved(&state));
            }
        }
    }

    #[test]
    fn hints_lead_to_the_target() {
        let game = perfect(8);
        let mut state = game.state().clone();
        let Hint::Length(moves) = game.hint(&state, true) else { panic!("solvable") };
        for _ in 0..moves {
            let Hint::Move(action) = game.hint(&state, false) else { panic!("not there yet") };
            game.game().make_move(&mut state, action);
        }
        assert!(game.game().is_solved(&state));
    }
}
