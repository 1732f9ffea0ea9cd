//! One game of a batch.

use std::sync::Arc;

use damier_core::encode::{Canvas, Encode};
use damier_core::game::{Game, Outcome, Seat, Status};
use damier_core::grid::Size;
use damier_core::random::{Chance, Rng, mix};

use crate::options::{Autoreset, IllegalAction, Options, Reward};

/// Plays an opponent's seat: maps state, seat and step number to an action.
pub type Policy<G> = Box<dyn FnMut(&<G as Game>::State, Seat, u32) -> <G as Game>::Action + Send>;

/// Makes the policy of an opponent's seat for one episode, from a seed.
pub type Opponents<G> = Box<dyn Fn(&Arc<G>, Seat, u64) -> Policy<G> + Send + Sync>;

/// A level of a batch.
pub struct Stage<G: Encode> {
    /// The rules on this level.
    pub game: Arc<G>,
    /// Hash of the level, from which the chance of its games is seeded.
    pub identity: u64,
}

/// A level with its first observation, which is copied when an episode starts.
pub(crate) struct Prepared<G: Encode> {
    pub stage: Stage<G>,
    start: G::State,
    planes: Box<[u8]>,
    mask: Box<[u8]>,
    /// Is there only one seat?
    single: bool,
}

/// Data shared by all games of a batch.
pub(crate) struct Shared<G: Encode> {
    pub stages: Vec<Prepared<G>>,
    pub options: Options,
    pub size: Size,
    pub actions: usize,
    pub opponents: Option<Opponents<G>>,
}

/// One game's part of the [`Outputs`](crate::Outputs).
pub(crate) struct Slot<'a> {
    pub planes: &'a mut [u8],
    pub mask: &'a mut [u8],
    pub reward: &'a mut f32,
    pub terminated: &'a mut bool,
    pub truncated: &'a mut bool,
    pub illegal: &'a mut bool,
    pub final_planes: Option<&'a mut [u8]>,
}

/// One game of a batch.
pub(crate) struct Env<G: Encode> {
    pub seed: u64,
    pub episode: u64,
    pub stage: u32,
    pub state: G::State,
    pub chance: Rng,
    pub steps: u32,
    /// Is the episode over, and no new one started yet?
    pub ended: bool,
    /// Numbers of all actions of this episode, by all seats.
    pub log: Vec<u16>,
    /// Opponents by seat; `None` for the seat that the batch's actions are for. Empty if opponents play at random.
    pub policies: Vec<Option<Policy<G>>>,
}

impl<G: Encode> Prepared<G> {
    pub fn new(stage: Stage<G>, options: &Options, size: Size) -> Self {
        let game = &stage.game;
        let start = game.start();
        let mut planes = vec![0; game.planes().len() * size.area()].into_boxed_slice();
        let mut mask = vec![0; game.action_count()].into_boxed_slice();
        let seat = options.seat.unwrap_or(match game.status(&start) {
            Status::ToMove(seat) => seat,
            Status::Over(_) => 0,
        });
        game.write(&start, seat, &mut Canvas::new(&mut planes, size));
        game.mask(&start, &mut mask);
        let single = game.facts().seats.len() == 1;
        Self { stage, start, planes, mask, single }
    }
}

impl<G: Encode> Shared<G> {
    fn stage(&self, env: &Env<G>) -> &Prepared<G> {
        &self.stages[env.stage as usize]
    }
}

impl<G: Encode> Env<G> {
    /// A game that must be reset before its first step.
    pub fn new(shared: &Shared<G>) -> Self {
        Self {
            seed: 0,
            episode: 0,
            stage: 0,
            state: shared.stages[0].start.clone(),
            chance: Rng::new(0),
            steps: 0,
            ended: true,
            log: Vec::new(),
            policies: Vec::new(),
        }
    }

    /// Starts the episode of the current seed and episode number, which alone determine level, chance and opponents.
    pub fn begin(&mut self, shared: &Shared<G>) {
        let levels = shared.stages.len() as u32;
        self.stage =
            if levels == 1 { 0 } else { Rng::for_game(LEVELS, self.seed, self.episode).below(levels) };
        let stage = &shared.stages[self.stage as usize];
        self.state = stage.start.clone();
        self.chance = Rng::for_game(stage.stage.identity, self.seed, self.episode);
        (self.steps, self.ended) = (0, false);
        self.log.clear();
        self.policies.clear();
        if let (Some(opponents), Some(own)) = (&shared.opponents, shared.options.seat) {
            let seed = mix(self.seed ^ mix(self.episode));
            let game = &stage.stage.game;
            let policy =
                |seat| (seat != own).then(|| opponents(game, seat, mix(seed ^ mix(seat as u64 + 1))));
            self.policies.extend((0..game.facts().seats.len()).map(policy));
        }
    }

    /// Starts an episode and writes its first observation.
    pub fn reset(&mut self, shared: &Shared<G>, slot: &mut Slot<'_>) {
        self.begin(shared);
        let stage = shared.stage(self);
        slot.planes.copy_from_slice(&stage.planes);
        slot.mask.copy_from_slice(&stage.mask);
        if !stage.single && self.opponents_move(shared, slot) {
            stage.stage.game.mask(&self.state, slot.mask);
        }
        // The opponents may end the game before the first action.
        self.ended = matches!(stage.stage.game.status(&self.state), Status::Over(_));
        (*slot.reward, *slot.terminated, *slot.truncated, *slot.illegal) = (0.0, false, false, false);
    }

    /// Writes observation and mask, without a step.
    pub fn show(&self, shared: &Shared<G>, slot: &mut Slot<'_>) {
        let game = &shared.stage(self).stage.game;
        game.write(&self.state, self.seat(shared), &mut Canvas::new(slot.planes, shared.size));
        game.mask(&self.state, slot.mask);
    }

    /// Steps the game once, by the number of an action.
    pub fn step(&mut self, shared: &Shared<G>, action: i64, slot: &mut Slot<'_>) {
        if self.ended {
            if shared.options.autoreset == Autoreset::Disabled {
                (*slot.reward, *slot.illegal) = (0.0, false);
            } else {
                self.episode += 1;
                self.reset(shared, slot);
            }
            return;
        }
        let stage = shared.stage(self);
        let (game, options) = (&*stage.stage.game, &shared.options);
        let seat = self.seat(shared);
        let score = game.score(&self.state, seat);
        let action = usize::try_from(action).ok().filter(|&number| number < shared.actions);
        let action = action.filter(|&number| game.allows(&self.state, game.numbered(number)));
        self.steps += 1;
        if let Some(number) = action {
            if stage.single || options.seat.is_some() {
                self.act(game, number, seat, shared.size, slot.planes);
                if !stage.single {
                    self.opponents_move(shared, slot);
                }
                game.mask(&self.state, slot.mask);
            } else {
                self.log.push(number as u16);
                game.apply(&mut self.state, game.numbered(number), &mut self.chance);
                self.show(shared, slot);
            }
        }
        self.judge(shared, game, seat, score, action.is_none(), slot);
        if *slot.terminated || *slot.truncated {
            self.end(shared, slot);
        }
    }

    /// Applies a legal action and updates the planes.
    #[inline]
    fn act(&mut self, game: &G, number: usize, seat: Seat, size: Size, planes: &mut [u8]) {
        self.log.push(number as u16);
        let canvas = &mut Canvas::new(planes, size);
        game.advance(&mut self.state, game.numbered(number), &mut self.chance, seat, canvas);
    }

    /// Writes reward and end of a step by `seat`, whose score was `score` before it.
    #[inline]
    fn judge(
        &self,
        shared: &Shared<G>,
        game: &G,
        seat: Seat,
        score: i64,
        illegal: bool,
        slot: &mut Slot<'_>,
    ) {
        let options = &shared.options;
        let status = game.status(&self.state);
        let lost = illegal && options.illegal == IllegalAction::Lose;
        let mut reward = match status {
            _ if lost => -1.0,
            Status::Over(over) => worth(over.outcome(seat)),
            Status::ToMove(_) => 0.0,
        };
        if options.reward == Reward::Score {
            reward += (game.score(&self.state, seat) - score) as f32;
        }
        *slot.reward = reward;
        *slot.illegal = illegal;
        *slot.terminated = lost || matches!(status, Status::Over(_));
        *slot.truncated = !*slot.terminated && self.steps >= options.step_limit;
    }

    /// The seat that acts and observes: the batch's own, or the seat to move.
    fn seat(&self, shared: &Shared<G>) -> Seat {
        shared.options.seat.unwrap_or_else(|| match shared.stage(self).stage.game.status(&self.state) {
            Status::ToMove(seat) => seat,
            Status::Over(_) => 0,
        })
    }

    /// Lets the other seats play until it is the batch's turn or the game is over. True if any of them moved.
    fn opponents_move(&mut self, shared: &Shared<G>, slot: &mut Slot<'_>) -> bool {
        let Some(own) = shared.options.seat else { return false };
        let game = &*shared.stage(self).stage.game;
        let mut moved = false;
        while let Status::ToMove(seat) = game.status(&self.state)
            && seat != own
        {
            let number = match self.policies.get_mut(seat).and_then(Option::as_mut) {
                Some(policy) => game.number(policy(&self.state, seat, self.steps + 1)).unwrap_or(0),
                None => self.random_action(game, slot.mask),
            };
            self.act(game, number, own, shared.size, slot.planes);
            moved = true;
        }
        moved
    }

    /// Replays an action of a saved game. Random opponents draw again, so that the random stream stays in step.
    pub fn replay(&mut self, shared: &Shared<G>, action: G::Action, scratch: &mut [u8]) {
        let game = &*shared.stage(self).stage.game;
        let own = shared.options.seat.map(Status::ToMove);
        if own.is_some_and(|own| own != game.status(&self.state)) && shared.opponents.is_none() {
            self.random_action(game, scratch);
        }
        game.apply(&mut self.state, action, &mut self.chance);
    }

    /// A random legal action. The mask is scratch space.
    fn random_action(&mut self, game: &G, mask: &mut [u8]) -> usize {
        game.mask(&self.state, mask);
        let legal = mask.iter().map(|&byte| u32::from(byte)).sum();
        let mut skip = self.chance.below(legal);
        let chosen = mask.iter().position(|&byte| {
            let found = byte != 0 && skip == 0;
            skip = skip.wrapping_sub(u32::from(byte));
            found
        });
        chosen.unwrap_or(0)
    }

    fn end(&mut self, shared: &Shared<G>, slot: &mut Slot<'_>) {
        self.ended = true;
        if shared.options.autoreset == Autoreset::SameStep {
            if let Some(last) = slot.final_planes.as_deref_mut() {
                last.copy_from_slice(slot.planes);
            }
            let kept = (*slot.reward, *slot.terminated, *slot.truncated, *slot.illegal);
            self.episode += 1;
            self.reset(shared, slot);
            (*slot.reward, *slot.terminated, *slot.truncated, *slot.illegal) = kept;
        }
    }
}

fn worth(outcome: Outcome) -> f32 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Loss => -1.0,
        Outcome::Draw | Outcome::Limit => 0.0,
    }
}

/// Random stream from which levels are drawn.
const LEVELS: u64 = 0x6c65_7665_6c73_0001;
