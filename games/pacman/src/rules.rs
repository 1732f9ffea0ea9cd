//! The rules of the game.
//!
//! In a turn the ghosts move one after the other, death is checked, Pacman moves, and death is checked again, then
//! quitting, then the win. Under `course` the ghosts are part of the rules and move like those of the original program;
//! under `report` they are the second seat.

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::Dir;
use damier_core::random::{Chance, mix, zobrist};

use crate::ghosts::{Aim, Around, Ghost};
use crate::level::Level;
use crate::maze::{Maze, NOWHERE, Spot, WORDS};
use crate::observe::Observation;

/// The number of turns that a potion lasts.
pub const POTION_TURNS: u8 = 30;

/// The points for touching a ghost while a potion works, under `report`.
pub const TOUCH_POINTS: u32 = 10;

/// The seat of Pacman.
pub const PACMAN: Seat = 0;

/// The seat of the ghosts.
pub const GHOSTS: Seat = 1;

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// Exactly as the original program plays, with its ghosts.
    Course,
    /// As its authors described it; the ghosts are a seat.
    Report,
}

impl RuleSet {
    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "course" => Some(Self::Course),
            "report" => Some(Self::Report),
            _ => None,
        }
    }
}

/// An action of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Goes in a direction. Pacman turns even if a wall stops him.
    Go(Dir),
    /// Pacman keeps his direction, as after an unknown key.
    Wait,
    /// Pacman keeps his direction and then quits. Only humans do that: it is never legal.
    Quit,
    /// A ghost stays where it is.
    Stay,
}

impl Action {
    /// All actions of both seats.
    pub const ALL: [Self; 7] = [
        Self::Go(Dir::North),
        Self::Go(Dir::East),
        Self::Go(Dir::South),
        Self::Go(Dir::West),
        Self::Wait,
        Self::Quit,
        Self::Stay,
    ];

    /// The action of a key of the original program: `z`, `d`, `s`, `q` turn, `a` quits, any other key does nothing.
    pub fn of_key(key: char) -> Self {
        match key {
            'z' => Self::Go(Dir::North),
            'd' => Self::Go(Dir::East),
            's' => Self::Go(Dir::South),
            'q' => Self::Go(Dir::West),
            'a' => Self::Quit,
            _ => Self::Wait,
        }
    }

    /// `up`, `right`, `down`, `left`, `wait`, `quit` or `stay`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Go(dir) => dir.arrow_name(),
            Self::Wait => "wait",
            Self::Quit => "quit",
            Self::Stay => "stay",
        }
    }

    /// The action of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A ghost caught Pacman.
    Dead,
    /// Pacman quit.
    Quit,
    /// Pacman won.
    Won,
}

/// The state without the pellets: small enough for a search to store millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The current turn, from 1.
    pub turn: u32,
    /// Pacman's points.
    pub score: u32,
    /// Pacman's spot.
    pub pacman: Spot,
    /// Pellets not yet eaten, potions included.
    pub pellets_left: u16,
    /// The ghosts; those that the level does not have are [`NOWHERE`].
    pub ghosts: [Ghost; 4],
    /// The direction Pacman faces.
    pub dir: Dir,
    /// The potion clock: the remaining turns of the active potion, 30 to 0.
    pub clock: Option<u8>,
    /// The ghost to move; `None` if Pacman is to move.
    pub ghost_to_move: Option<u8>,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// The hash of the pellets, updated incrementally.
    pub(crate) pellet_hash: u64,
}

/// A position: the figures, and one bit per spot that still has its pellet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Everything but the pellets.
    pub figures: Figures,
    /// The pellets not yet eaten, one bit per spot.
    pub pellets: [u64; WORDS],
}

impl State {
    /// Whether this spot still has its pellet or potion.
    #[inline]
    pub fn has_pellet(&self, spot: Spot) -> bool {
        self.pellets[usize::from(spot / 64)] >> (spot % 64) & 1 == 1
    }
}

/// The rules of one level under one rule set.
#[derive(Clone, Debug)]
pub struct Rules {
    maze: Maze,
    set: RuleSet,
    /// The number of ghosts.
    ghosts: usize,
    /// The initial board, computed once because games start often.
    set_up: State,
    /// The state at the first decision, computed once for the same reason.
    start: State,
}

impl Rules {
    /// The rules on a level.
    pub fn new(level: Level, set: RuleSet) -> Self {
        let maze = Maze::new(level);
        let set_up = set_up(&maze);
        let mut rules = Self { set_up, start: set_up, ghosts: maze.ghosts().len(), maze, set };
        rules.start = rules.first_decision();
        rules
    }

    /// The maze.
    pub fn maze(&self) -> &Maze {
        &self.maze
    }

    /// The rule set.
    pub fn set(&self) -> RuleSet {
        self.set
    }

    /// The initial board, before the ghosts' first move.
    pub fn set_up(&self) -> State {
        self.set_up
    }

    /// The state at the first decision: under `course` the ghosts have moved already.
    fn first_decision(&self) -> State {
        let mut state = self.set_up;
        self.begin_turn(&mut state.figures);
        if self.set == RuleSet::Course {
            self.original_ghost_phase(&mut state.figures);
        }
        state
    }

    /// Starts the next turn. Under `report` the first ghost is to move.
    pub fn begin_turn(&self, figures: &mut Figures) {
        figures.turn += 1;
        if self.set == RuleSet::Report && self.ghosts > 0 {
            figures.ghost_to_move = Some(0);
        }
    }

    /// Moves all ghosts that have not moved yet like those of the original program, then checks death.
    pub fn original_ghost_phase(&self, figures: &mut Figures) {
        let first = usize::from(figures.ghost_to_move.take().unwrap_or(0));
        let mut around = Around { others: figures.ghosts.map(|ghost| ghost.spot), pacman: figures.pacman };
        let mut aim = self.original_aim(figures, 0);
        for number in first..self.ghosts {
            if self.set == RuleSet::Report {
                aim = self.original_aim(figures, number);
            }
            around.others[number] = NOWHERE;
            let choice = self.maze.original_choice(figures.ghosts[number], aim, &around);
            self.move_ghost(figures, number, choice.step, choice.dir);
            around.others[number] = figures.ghosts[number].spot;
        }
        check_death(figures);
    }

    /// Plays Pacman's move and, if he is alive, the original ghosts' moves after it: one step of a search against known
    /// ghosts. Pellets are one bit per spot, in as many words as the maze needs.
    #[inline]
    pub fn turn_with_original_ghosts(&self, figures: &mut Figures, pellets: &mut [u64], action: Action) {
        self.pacman_phase(figures, pellets, action);
        if figures.ending.is_none() {
            self.begin_turn(figures);
            self.original_ghost_phase(figures);
        }
    }

    /// Plays Pacman's move, then checks death, quitting and the win.
    #[inline]
    pub fn pacman_phase(&self, figures: &mut Figures, pellets: &mut [u64], action: Action) {
        if let Action::Go(dir) = action {
            figures.dir = dir;
        }
        let to = self.maze.next(figures.pacman, figures.dir);
        if to != NOWHERE {
            figures.pacman = to;
            self.eat(figures, pellets);
            self.touch_ghosts(figures);
        } else if self.set == RuleSet::Report {
            run_clock(figures);
        }
        check_death(figures);
        if figures.ending.is_none() {
            if action == Action::Quit {
                figures.ending = Some(Ending::Quit);
            } else if self.is_won(figures, pellets) {
                figures.ending = Some(Ending::Won);
            }
        }
    }

    /// Plays a ghost's move under `report`.
    ///
    /// The ghost faces its step; only a ghost that was blocked ahead and had no itinerary keeps its facing, like those of
    /// the original program.
    pub fn ghost_phase(&self, figures: &mut Figures, step: Option<Dir>) {
        let Some(number) = figures.ghost_to_move.map(usize::from) else { return };
        let ghost = figures.ghosts[number];
        let around = around(figures, number);
        let bounces =
            !around.free(self.maze.next(ghost.spot, ghost.dir)) && !self.maze.has_itinerary(ghost, &around);
        let dir = step.filter(|_| !bounces).unwrap_or(ghost.dir);
        self.move_ghost(figures, number, step, dir);
        let next = number + 1;
        figures.ghost_to_move = (next < self.ghosts).then_some(next as u8);
        if figures.ghost_to_move.is_none() {
            check_death(figures);
        }
    }

    /// The step that the original program would choose for a ghost; `None` if the ghost is shut in.
    pub fn original_step(&self, figures: &Figures, number: usize) -> Option<Dir> {
        let aim = self.original_aim(figures, number);
        self.maze.original_choice(figures.ghosts[number], aim, &around(figures, number)).step
    }

    /// The cell that an original ghost aims at: Pacman, or while a potion works, a cell far from him (`course`, with the
    /// program's off-by-one error) or its own starting cell (`report`). It may be a wall or outside of the board.
    #[inline]
    pub fn original_aim(&self, figures: &Figures, number: usize) -> Aim {
        let pacman = self.maze.place(figures.pacman);
        let (x, y) = (i16::from(pacman.x), i16::from(pacman.y));
        if figures.clock.is_none() {
            return (x, y);
        }
        match self.set {
            RuleSet::Course => (self.maze.size().width as i16 - x, self.maze.size().height as i16 - y),
            RuleSet::Report => {
                let (x, y) = self.maze.ghosts().get(number).map_or((0, 0), |&home| self.maze.point(home));
                (x as i16, y as i16)
            }
        }
    }

    /// Whether this step is legal for a ghost: to an adjacent floor cell, also across the edge, without another ghost.
    #[inline]
    pub fn ghost_may_step(&self, figures: &Figures, number: usize, dir: Dir) -> bool {
        let to = self.maze.next(figures.ghosts[number].spot, dir);
        to != NOWHERE && figures.ghosts.iter().all(|ghost| ghost.spot != to)
    }

    /// The hash of everything that matters for the future: figures and pellets, but not turn and score.
    pub fn figures_hash(figures: &Figures) -> u64 {
        let ghosts = figures
            .ghosts
            .iter()
            .fold(0, |word, ghost| word << 14 | u64::from(ghost.spot & 0xFFF) << 2 | ghost.dir as u64);
        let rest = [
            u64::from(figures.pacman),
            figures.dir as u64,
            figures.clock.map_or(0, |clock| u64::from(clock) + 1),
            figures.ghost_to_move.map_or(0, |ghost| u64::from(ghost) + 1),
            figures.ending.map_or(0, |ending| ending as u64 + 1),
        ];
        // Twelve bits for Pacman's spot, six for each of the others.
        let rest = rest.into_iter().fold(0, |word, part| word << 6 | part);
        mix(mix(ghosts ^ zobrist(FIGURES, 0)) ^ zobrist(FIGURES, rest) ^ figures.pellet_hash)
    }

    /// Updates the potion clock and eats the pellet of Pacman's cell.
    #[inline]
    fn eat(&self, figures: &mut Figures, pellets: &mut [u64]) {
        let spot = figures.pacman;
        let (word, bit) = (&mut pellets[usize::from(spot / 64)], 1 << (spot % 64));
        let pellet = *word & bit != 0;
        if pellet && self.maze.place(spot).potion {
            // Under `course` a second potion is wasted, but the clock stops for this turn.
            if figures.clock.is_none() || self.set == RuleSet::Report {
                figures.clock = Some(POTION_TURNS);
            }
        } else {
            run_clock(figures);
        }
        if pellet {
            *word ^= bit;
            figures.pellet_hash ^= zobrist(PELLETS, spot.into());
            figures.pellets_left -= 1;
            figures.score += 1;
        }
    }

    /// Under `report`, ghosts that Pacman touches while a potion works give points and go home.
    #[inline]
    fn touch_ghosts(&self, figures: &mut Figures) {
        if self.set == RuleSet::Report && figures.clock.is_some() {
            for number in 0..self.ghosts {
                if figures.ghosts[number].spot == figures.pacman {
                    self.send_home(figures, number);
                }
            }
        }
    }

    /// Sends a ghost to its starting cell or, if another ghost is there, to the first starting cell without one.
    fn send_home(&self, figures: &mut Figures, number: usize) {
        figures.score += TOUCH_POINTS;
        let homes = self.maze.ghosts();
        let around = around(figures, number);
        let home = std::iter::once(&homes[number]).chain(homes).find(|&&home| around.free(home));
        // There are as many homes as ghosts, so one is free.
        figures.ghosts[number] = Ghost { spot: *home.unwrap_or(&homes[number]), dir: Dir::North };
    }

    #[inline]
    fn move_ghost(&self, figures: &mut Figures, number: usize, step: Option<Dir>, dir: Dir) {
        figures.ghosts[number].dir = dir;
        let Some(step) = step else { return };
        let to = self.maze.next(figures.ghosts[number].spot, step);
        figures.ghosts[number].spot = to;
        if to == figures.pacman && figures.clock.is_some() && self.set == RuleSet::Report {
            self.send_home(figures, number);
        }
    }

    /// Whether Pacman has won. Under `course` pellets under ghosts do not count as remaining.
    #[inline]
    fn is_won(&self, figures: &Figures, pellets: &[u64]) -> bool {
        if figures.pellets_left == 0 {
            return true;
        }
        if self.set == RuleSet::Report || usize::from(figures.pellets_left) > self.ghosts {
            return false;
        }
        let covered = figures.ghosts[..self.ghosts]
            .iter()
            .filter(|ghost| pellets[usize::from(ghost.spot / 64)] >> (ghost.spot % 64) & 1 == 1);
        covered.count() == usize::from(figures.pellets_left)
    }

    fn check_pacman(action: Action) -> Result<(), Illegal> {
        match action {
            Action::Go(_) | Action::Wait => Ok(()),
            Action::Quit => Err(Illegal("quit: only a person can leave the game".into())),
            Action::Stay => {
                Err(Illegal("stay: only a ghost can stay; Pacman keeps his direction with `wait`".into()))
            }
        }
    }

    fn check_ghost(&self, figures: &Figures, number: usize, action: Action) -> Result<(), Illegal> {
        let illegal = |why: &str| Err(Illegal(format!("{}: {why}", action.name())));
        match action {
            Action::Go(dir) if self.ghost_may_step(figures, number, dir) => Ok(()),
            Action::Go(dir) if self.maze.next(figures.ghosts[number].spot, dir) == NOWHERE => {
                illegal(&format!("there is a wall beside ghost {}", number + 1))
            }
            Action::Go(_) => illegal(&format!("another ghost blocks ghost {}", number + 1)),
            Action::Stay => Ok(()),
            Action::Wait | Action::Quit => illegal("only Pacman can do that, but a ghost is to move"),
        }
    }
}

/// The stream of Zobrist keys of the pellets.
const PELLETS: u64 = 0x7061_636d_616e_0001;
/// The stream of Zobrist keys of everything else.
const FIGURES: u64 = 0x7061_636d_616e_0002;

/// Computes the hash of a set of pellets from scratch.
pub(crate) fn pellet_hash(pellets: &[u64]) -> u64 {
    let bits = pellets.iter().enumerate().flat_map(|(index, &word)| {
        (0..64u64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u64 * 64 + bit)
    });
    bits.fold(0, |hash, bit| hash ^ zobrist(PELLETS, bit))
}

/// The board before the first turn.
fn set_up(maze: &Maze) -> State {
    let mut pellets = [0; WORDS];
    pellets[..maze.pellets().len()].copy_from_slice(maze.pellets());
    let mut ghosts = [Ghost { spot: NOWHERE, dir: Dir::North }; 4];
    for (ghost, &spot) in ghosts.iter_mut().zip(maze.ghosts()) {
        ghost.spot = spot;
    }
    let figures = Figures {
        turn: 0,
        score: 0,
        pacman: maze.pacman(),
        pellets_left: pellets.iter().map(|word| word.count_ones() as u16).sum(),
        ghosts,
        dir: Dir::East,
        clock: None,
        ghost_to_move: None,
        ending: None,
        pellet_hash: pellet_hash(&pellets),
    };
    State { figures, pellets }
}

/// The surroundings of a ghost.
#[inline]
pub(crate) fn around(figures: &Figures, number: usize) -> Around {
    let mut others = figures.ghosts.map(|ghost| ghost.spot);
    others[number] = NOWHERE;
    Around { others, pacman: figures.pacman }
}

#[inline]
fn run_clock(figures: &mut Figures) {
    figures.clock = figures.clock.and_then(|clock| clock.checked_sub(1));
}

#[inline]
fn check_death(figures: &mut Figures) {
    if figures.clock.is_none() && figures.ghosts.iter().any(|ghost| ghost.spot == figures.pacman) {
        figures.ending = Some(Ending::Dead);
    }
}

impl Game for Rules {
    type State = State;
    type Action = Action;
    type Observation = Observation;

    fn facts(&self) -> Facts {
        let seats: &[&str] = match self.set {
            RuleSet::Course => &["pacman"],
            RuleSet::Report => &["pacman", "ghosts"],
        };
        Facts { seats, chance: false, perfect_information: true }
    }

    fn start(&self) -> State {
        self.start
    }

    fn status(&self, state: &State) -> Status {
        let figures = &state.figures;
        let loss = match self.set {
            RuleSet::Course => Verdict::Lost,
            RuleSet::Report => Verdict::Won(GHOSTS),
        };
        let (verdict, reason) = match figures.ending {
            None if figures.ghost_to_move.is_some() => return Status::ToMove(GHOSTS),
            None => return Status::ToMove(PACMAN),
            Some(Ending::Dead) => (loss, "caught by a ghost"),
            Some(Ending::Quit) => (loss, "left the game"),
            Some(Ending::Won) if figures.pellets_left == 0 => (Verdict::Won(PACMAN), "every pellet eaten"),
            Some(Ending::Won) => (Verdict::Won(PACMAN), "the last pellets are under ghosts"),
        };
        Status::Over(GameOver { verdict, reason })
    }

    fn legal(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        let figures = &state.figures;
        match (figures.ending, figures.ghost_to_move) {
            (Some(_), _) => {}
            (None, None) => {
                actions.extend(Dir::ALL.map(Action::Go));
                actions.push(Action::Wait);
            }
            (None, Some(ghost)) => {
                let may = |dir: &Dir| self.ghost_may_step(figures, ghost.into(), *dir);
                actions.extend(Dir::ALL.into_iter().filter(may).map(Action::Go));
                actions.push(Action::Stay);
            }
        }
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        match (state.figures.ending, state.figures.ghost_to_move) {
            (Some(_), _) => Err(Illegal("the game is over".into())),
            (None, None) => Self::check_pacman(action),
            (None, Some(ghost)) => self.check_ghost(&state.figures, ghost.into(), action),
        }
    }

    #[inline]
    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: Action, _chance: &mut C) {
        let State { figures, pellets } = state;
        if figures.ending.is_some() {
            return;
        }
        match (self.set, figures.ghost_to_move) {
            (RuleSet::Course, _) => self.turn_with_original_ghosts(figures, pellets, action),
            (RuleSet::Report, Some(_)) => {
                let step = if let Action::Go(dir) = action { Some(dir) } else { None };
                self.ghost_phase(figures, step);
            }
            (RuleSet::Report, None) => {
                self.pacman_phase(figures, pellets, action);
                if figures.ending.is_none() {
                    self.begin_turn(figures);
                }
            }
        }
    }

    fn quits(&self, state: &State, action: Action) -> bool {
        action == Action::Quit && self.status(state) == Status::ToMove(PACMAN)
    }

    fn hash(&self, state: &State) -> u64 {
        Self::figures_hash(&state.figures)
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        match seat {
            PACMAN => state.figures.score.into(),
            _ => state.figures.pellets_left.into(),
        }
    }

    fn observe(&self, state: &State, _seat: Seat) -> Observation {
        Observation::of(&self.maze, state)
    }

    fn action_name(&self, action: Action) -> String {
        action.name().to_owned()
    }

    fn parse_action(&self, _state: &State, name: &str) -> Result<Action, Illegal> {
        Action::parse(name).ok_or_else(|| {
            Illegal(format!(
                "`{name}` is not an action; the actions are up, right, down, left, wait, quit and stay"
            ))
        })
    }

    fn counts_as_turn(&self, seat: Seat) -> bool {
        seat == PACMAN
    }
}
