//! Runs recorded by the Boulder Dash community's reference engine, with every cell of every frame.
//!
//! A run is one JSON object: a cave as in the format `cells`, and `ticks`, one
//! `[move, fire, diamonds, player, magic, [cell, element, …]]` per frame. It is played under our rules with the recorded
//! moves; what chance decided is read off the frames. So is what the object does not tell: when the miner is born, how long
//! magic walls stay active and when the time is up, all of which hang on the unrecorded length of a frame, and what
//! explosions leave behind where a cave changes that.

use std::collections::HashMap;

use damier_core::level::LevelError;
use damier_core::random::{Chance, Rng};
use serde_json::{Map as Object, Value};

use crate::cave::{Cave, Magic, Place};
use crate::kind::Kind;
use crate::level::{Level, cells};
use crate::rules::boulder::fate::{Fate, GROWTH};
use crate::rules::boulder::{Deed, frame};
use crate::rules::{Ground, LargeCave, RuleSet, Rules, State};

/// The player's state: not born yet, living, out of time, dead, or out of the cave.
mod player {
    pub const UNBORN: u64 = 0;
    pub const LIVING: u64 = 1;
    pub const LATE: u64 = 2;
    pub const DEAD: u64 = 3;
    pub const OUT: u64 = 4;
}

/// The frames without a sight of the miner after which it counts as dead.
const UNSEEN: u32 = 15;

/// Guesses of where the amoeba has grown in one frame.
const MOST_ATTEMPTS: u64 = 20_000;

/// One recorded frame.
struct Frame {
    deed: Deed,
    gathered: u64,
    player: u64,
    magic: Magic,
    changes: Vec<(Place, Kind)>,
}

/// A recorded run.
pub struct Recording {
    level: Level,
    frames: Vec<Frame>,
}

/// Where a recording and the rules differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the frame, from 1.
    pub frame: usize,
    /// What differs, as a sentence.
    pub what: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "frame {}: {}", self.frame, self.what)
    }
}

impl Recording {
    /// Reads a run.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let object: Object<String, Value> = serde_json::from_str(text)
            .map_err(|error| LevelError::at(error.line(), error.column(), format!("bad JSON: {error}")))?;
        let level = cells::parse(&object)?;
        let ticks = object.get("ticks").and_then(Value::as_array);
        let ticks = ticks.ok_or_else(|| LevelError::whole("a recording has a list `ticks`"))?;
        let area = level.first().size().area();
        let frames = ticks.iter().enumerate().map(|(index, tick)| {
            read_frame(tick, area).ok_or_else(|| {
                LevelError::whole(format!(
                    "frame {}: expected [move, fire, diamonds, player, magic, [cell, element, …]]",
                    index + 1
                ))
            })?
        });
        Ok(Self { frames: frames.collect::<Result<_, _>>()?, level })
    }

    /// The frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Plays the run; `watch` gets the rules and every state. The first difference, if there is one.
    ///
    /// What the recording does not say is tried both ways.
    pub fn play(&self, mut watch: impl FnMut(&Rules, &State)) -> Result<(), Difference> {
        let mut farthest: Option<(Difference, Guess)> = None;
        let mut found = None;
        for guess in self.guesses() {
            match self.run(&guess, &mut |_, _| {}) {
                Ok(()) => {
                    found = Some(guess);
                    break;
                }
                Err(difference) => {
                    if farthest.as_ref().is_none_or(|(best, _)| best.frame < difference.frame) {
                        farthest = Some((difference, guess));
                    }
                }
            }
        }
        let guess = found.or(farthest.map(|(_, guess)| guess)).expect("there is always a guess");
        self.run(&guess, &mut watch)
    }

    /// The number of the frame at whose end the miner's birth begins. Where there is a miner already, it shows only when an
    /// inbox opens.
    fn birth(&self) -> usize {
        let cells = self.level.first().cells();
        let first = if cells.contains(&Kind::Miner) {
            let opens = |frame: &Frame| frame.changes.iter().any(|&(_, kind)| kind == Kind::Birth1);
            self.frames.iter().position(opens).map(|frame| frame.saturating_sub(1))
        } else {
            self.frames.iter().position(|frame| frame.player != player::UNBORN)
        };
        first.unwrap_or(usize::MAX)
    }

    fn guesses(&self) -> [Guess; 2] {
        let leaves = self.what_is_left();
        [false, true].map(|spares_amoeba| Guess { spares_amoeba, leaves: leaves.clone() })
    }

    /// What explosions leave, and how monsters explode, as the frames show it most often.
    fn what_is_left(&self) -> HashMap<Kind, Kind> {
        let mut counts: HashMap<(Kind, Kind), usize> = HashMap::new();
        let mut cells: Vec<Kind> = self.level.first().cells().to_vec();
        for frame in &self.frames {
            for &(place, kind) in &frame.changes {
                let before = match cells[place] {
                    kind if kind.is_blue() => Kind::Blue,
                    kind if kind.is_monster() => Kind::Red,
                    kind => kind,
                };
                let ends = matches!(before, Kind::Blast5 | Kind::Spark5 | Kind::Bomb4 | Kind::Nitro4);
                if ends && !kind.is_blast() || before.is_monster() && kind.is_blast() {
                    *counts.entry((before, kind)).or_default() += 1;
                }
                if kind == Kind::Blast1 || kind == Kind::Spark1 {
                    *counts.entry((Kind::Blast, kind)).or_default() += 1;
                }
                cells[place] = kind;
            }
        }
        let mut leaves: HashMap<Kind, (usize, Kind)> = HashMap::new();
        for (&(before, after), &count) in &counts {
            let best = leaves.entry(before).or_insert((count, after));
            if (count, after) > *best {
                *best = (count, after);
            }
        }
        leaves.into_iter().map(|(before, (_, after))| (before, after)).collect()
    }

    fn run(&self, guess: &Guess, watch: &mut dyn FnMut(&Rules, &State)) -> Result<(), Difference> {
        let rules =
            Rules::new(self.level.clone(), RuleSet::Boulder).expect("the cave was read from its parameters");
        let mut ground = rules.ground(0).clone();
        guess.apply(&mut ground);
        let mut cave: LargeCave = ground.set_up(self.level.first(), 0);
        let birth = self.birth();
        let mut shown = cave.cells[..ground.cells()].to_vec();
        let mut player = Player::default();
        watch(&rules, &rules.state_of(&cave));
        for (number, frame_) in self.frames.iter().enumerate() {
            for &(place, kind) in &frame_.changes {
                shown[place] = kind;
            }
            (cave.magic_left, cave.birth_left) = (u32::MAX, u16::MAX);
            if number >= birth {
                cave.birth_left = u16::from(number == birth);
            }
            let differs = |what: String| Difference { frame: number + 1, what };
            let seen = force(&ground, &mut cave, frame_.deed, &shown).map_err(differs)?;
            player.follow(&cave, seen, frame_.player);
            if u64::from(cave.gathered) != frame_.gathered {
                return Err(differs(format!(
                    "{} diamonds gathered, recorded {}",
                    cave.gathered, frame_.gathered
                )));
            }
            if player.state != frame_.player {
                return Err(differs(format!(
                    "the miner's state is {}, recorded {}",
                    player.state, frame_.player
                )));
            }
            if frame_.magic == Magic::Expired && cave.magic == Magic::Active {
                cave.magic = Magic::Expired;
            }
            if cave.magic != frame_.magic {
                return Err(differs(format!(
                    "magic walls are {:?}, recorded {:?}",
                    cave.magic, frame_.magic
                )));
            }
            watch(&rules, &rules.state_of(&cave));
        }
        Ok(())
    }
}

/// Plays a frame so that it comes out as shown, if it can. Was the miner seen?
///
/// Where the amoeba grew is not always plain to see: any of several cells may have grown into a new one, at different times,
/// and an explosion may cover it. Then it is guessed until the frame agrees.
fn force(ground: &Ground, cave: &mut LargeCave, deed: Deed, shown: &[Kind]) -> Result<bool, String> {
    let before = *cave;
    let mut first = None;
    for covered in [false, true] {
        for attempt in 0..MOST_ATTEMPTS {
            *cave = before;
            let dice = (attempt > 0).then(|| Rng::new(attempt));
            let mut fate = Forced { after: shown, seen: false, covered, dice, asked: false };
            frame(ground, cave, deed, &mut fate);
            match compare(ground, cave, shown) {
                None => return Ok(fate.seen),
                Some(what) => first = first.or(Some(what)),
            }
            if !fate.asked {
                break;
            }
        }
    }
    Err(first.unwrap_or_default())
}

fn read_frame(tick: &Value, area: usize) -> Option<Result<Frame, LevelError>> {
    let [way, fire, gathered, player, magic, changes] = &tick.as_array()?[..] else { return None };
    let changes = changes.as_array()?;
    let mut read = Vec::with_capacity(changes.len() / 2);
    for pair in changes.chunks(2) {
        let &[place, element] = &pair.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>()?[..] else {
            return None;
        };
        let place = usize::try_from(place).ok().filter(|&place| place < area)?;
        let Some(kind) = u16::try_from(element).ok().and_then(Kind::of_element) else {
            let name = cells::element_name(element);
            return Some(Err(LevelError::whole(format!("the element {name} is not supported"))));
        };
        read.push((place, kind));
    }
    let magic = [Magic::Dormant, Magic::Active, Magic::Expired].get(magic.as_u64()? as usize).copied()?;
    let way = way.as_u64().filter(|&way| way <= 8)?;
    let deed = Deed { way: way.checked_sub(1).map(|way| way as usize), digs: fire.as_u64()? != 0 };
    Some(Ok(Frame { deed, gathered: gathered.as_u64()?, player: player.as_u64()?, magic, changes: read }))
}

/// The cells that differ, as a sentence.
fn compare<const N: usize, const B: usize>(
    ground: &Ground,
    cave: &Cave<N, B>,
    shown: &[Kind],
) -> Option<String> {
    let cells = &cave.cells[..shown.len()];
    if cells == shown {
        return None;
    }
    let differ: Vec<String> = (0..shown.len())
        .filter(|&place| cells[place] != shown[place])
        .map(|place| {
            let (x, y) = ground.xy(place);
            format!("column {x}, row {y} holds {}, recorded {}", cells[place].name(), shown[place].name())
        })
        .collect();
    let more = differ.len().saturating_sub(8);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    Some(format!("{}{rest}", differ[..differ.len() - more].join("; ")))
}

/// What the recording does not say.
#[derive(Clone)]
struct Guess {
    /// Does an active magic wall leave amoeba alone?
    spares_amoeba: bool,
    leaves: HashMap<Kind, Kind>,
}

impl Guess {
    fn apply(&self, ground: &mut Ground) {
        let options = &mut ground.options;
        options.magic_stops_amoeba = !self.spares_amoeba;
        options.long_blasts = self.leaves.contains_key(&Kind::Blast);
        let first = |kind: Kind| match kind {
            Kind::Blast2 => Kind::Blast1,
            Kind::Spark2 => Kind::Spark1,
            Kind::Bomb2 => Kind::Bomb1,
            Kind::Nitro2 => Kind::Nitro1,
            Kind::Rubble2 => Kind::Rubble1,
            other => other,
        };
        let take = |before: Kind, field: &mut Kind| {
            if let Some(&after) = self.leaves.get(&before) {
                *field = first(after);
            }
        };
        take(Kind::Red, &mut options.red_blast);
        take(Kind::Blue, &mut options.blue_blast);
        take(Kind::Blast5, &mut options.blast_leaves);
        take(Kind::Spark5, &mut options.spark_leaves);
        take(Kind::Bomb4, &mut options.bomb_leaves);
        take(Kind::Nitro4, &mut options.nitro_leaves);
    }
}

/// The player's state as the recording has it.
#[derive(Default)]
struct Player {
    state: u64,
    unseen: u32,
}

impl Player {
    fn follow<const N: usize, const B: usize>(&mut self, cave: &Cave<N, B>, seen: bool, recorded: u64) {
        self.unseen = if seen { 0 } else { self.unseen + 1 };
        let born = self.state == player::UNBORN && recorded != player::UNBORN;
        if born {
            self.state = player::LIVING;
        }
        if cave.ending == Some(crate::board::Ending::Won) {
            self.state = player::OUT;
        } else if self.state == player::LIVING && self.unseen > UNSEEN {
            self.state = player::DEAD;
        } else if self.state == player::LIVING && recorded == player::LATE {
            self.state = player::LATE;
        }
    }
}

/// Chance as the frame that comes of it shows it.
struct Forced<'a> {
    after: &'a [Kind],
    seen: bool,
    /// May the amoeba have grown into a cell that an explosion covers?
    covered: bool,
    /// What is not plain to see is guessed; at first the amoeba grows wherever it can have grown.
    dice: Option<Rng>,
    /// Was there anything to guess?
    asked: bool,
}

impl Fate for Forced<'_> {
    fn pushes(&mut self, _ground: &Ground, behind: Place) -> bool {
        self.after[behind] == Kind::Rock
    }

    fn grows(&mut self, ground: &Ground, place: Place, _fast: bool, eats: [bool; 4]) -> Option<usize> {
        let grown = |&way: &usize| {
            let after = self.after[ground.beside(place, GROWTH[way])];
            matches!(after, Kind::Amoeba | Kind::Amoeba2) || self.covered && after.is_blast()
        };
        let ways: Vec<usize> = (0..4).filter(|&way| eats[way]).filter(grown).collect();
        if ways.is_empty() {
            return None;
        }
        // The last way is not to grow.
        self.asked = true;
        let guess = self.dice.as_mut().map_or(0, |dice| dice.below(ways.len() as u32 + 1));
        ways.get(guess as usize).copied()
    }

    fn passes(&mut self, ground: &Ground, below: Place) -> bool {
        let up = ground.options.gravity + 4;
        let above = ground.beside(ground.beside(below, up), up);
        let falls = matches!(self.after[below], Kind::FallingRock | Kind::FallingDiamond);
        falls && !matches!(self.after[above], Kind::Rock | Kind::Diamond)
    }

    fn is_predictable(&self) -> bool {
        false
    }

    fn see(&mut self) {
        self.seen = true;
    }
}
