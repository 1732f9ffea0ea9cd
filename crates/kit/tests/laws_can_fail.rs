//! The conformance suite finds flaws: a sound little game passes, and each of its flawed copies fails.
//!
//! ```text
//! <..o....>     the token `o` goes left or right; at `>` it wins, at `<` it loses
//! ```

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Agent, Random};
use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::Size;
use damier_core::level::LevelError;
use damier_core::random::{Chance, mix};
use damier_kit::conformance::{self, Profile};
use damier_kit::scene::{Colour, Piece, Scene, Sprite};
use damier_kit::{
    ActionOf, AgentInfo, Bench, Draw, Generate, GenerateRequest, Info, Kit, Levels, Named, Pack, Report,
    Solution, Solvability, Solve, SolveOptions, StateOf, Style, Trace,
};
use serde_json::{Value, json};

/// A flaw of the game.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Flaw {
    Nothing,
    AcceptsUnlisted,
    ListsRefused,
    SameName,
    StaleHash,
    LosesLevel,
    GeneratesByAccident,
    PlanLoses,
    PlansFromTheLevel,
    IgnoresDeadline,
    IgnoresCancellation,
    SwapsIds,
    RenewsIds,
    MasksWrongly,
    MixesNumbers,
    LeavesStalePlanes,
    ShowsHidden,
    ShowsTooMuch,
}

/// The game with one of the flaws.
struct Line<const FLAW: u8>;

struct Rules<const FLAW: u8> {
    length: u16,
    start: u16,
}

#[derive(Clone, Debug, PartialEq)]
struct Token {
    at: u16,
    moves: u16,
    /// An incrementally updated hash.
    hash: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Go {
    Left,
    Right,
    Jump,
}

const fn has(flaw: u8, what: Flaw) -> bool {
    flaw == what as u8
}

fn hash_of(at: u16, moves: u16) -> u64 {
    mix(u64::from(at) << 16 | u64::from(moves))
}

impl<const FLAW: u8> Game for Rules<FLAW> {
    type State = Token;
    type Action = Go;
    type Observation = (u16, u16);

    fn facts(&self) -> Facts {
        Facts { seats: &["token"], chance: false, perfect_information: !has(FLAW, Flaw::ShowsHidden) }
    }

    fn start(&self) -> Token {
        Token { at: self.start, moves: 0, hash: hash_of(self.start, 0) }
    }

    fn status(&self, token: &Token) -> Status {
        let (verdict, reason) = match token.at {
            0 => (Verdict::Lost, "fell off"),
            at if at == self.length => (Verdict::Won(0), "arrived"),
            _ => return Status::ToMove(0),
        };
        Status::Over(GameOver { verdict, reason })
    }

    fn legal(&self, token: &Token, actions: &mut Vec<Go>) {
        actions.clear();
        if self.status(token) == Status::ToMove(0) {
            actions.extend([Go::Left, Go::Right]);
            actions.extend(has(FLAW, Flaw::ListsRefused).then_some(Go::Jump));
        }
    }

    fn check(&self, token: &Token, go: Go) -> Result<(), Illegal> {
        let may_jump = has(FLAW, Flaw::AcceptsUnlisted);
        match self.status(token) {
            Status::Over(_) => Err(Illegal("the game is over".into())),
            Status::ToMove(_) if go == Go::Jump && !may_jump => Err(Illegal("jump: there is no room".into())),
            Status::ToMove(_) => Ok(()),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, token: &mut Token, go: Go, _: &mut C) {
        token.at = if go == Go::Left { token.at - 1 } else { token.at + 1 };
        token.moves += 1;
        if !has(FLAW, Flaw::StaleHash) {
            token.hash = hash_of(token.at, token.moves);
        }
    }

    fn hash(&self, token: &Token) -> u64 {
        token.hash
    }

    fn score(&self, token: &Token, _: Seat) -> i64 {
        token.at.into()
    }

    fn observe(&self, token: &Token, _: Seat) -> (u16, u16) {
        (token.at, if has(FLAW, Flaw::ShowsHidden) { 0 } else { token.moves })
    }

    fn action_name(&self, go: Go) -> String {
        match go {
            _ if has(FLAW, Flaw::SameName) => "left",
            Go::Left => "left",
            Go::Right => "right",
            Go::Jump => "jump",
        }
        .to_owned()
    }

    fn parse_action(&self, _: &Token, name: &str) -> Result<Go, Illegal> {
        match name {
            "left" => Ok(Go::Left),
            "right" => Ok(Go::Right),
            "jump" => Ok(Go::Jump),
            _ => Err(Illegal(format!("`{name}` is not an action"))),
        }
    }
}

impl<const FLAW: u8> Encode for Rules<FLAW> {
    fn action_count(&self) -> usize {
        3
    }

    fn numbered(&self, number: usize) -> Go {
        [Go::Left, Go::Right, Go::Jump][number]
    }

    fn number(&self, go: Go) -> Option<usize> {
        Some(if has(FLAW, Flaw::MixesNumbers) { 2 - go as usize } else { go as usize })
    }

    fn allows(&self, token: &Token, go: Go) -> bool {
        self.check(token, go).is_ok()
    }

    fn mask(&self, token: &Token, mask: &mut [u8]) {
        let running = u8::from(self.status(token) == Status::ToMove(0));
        mask.copy_from_slice(&[running, running, u8::from(has(FLAW, Flaw::MasksWrongly))]);
    }

    fn planes(&self) -> &'static [Plane] {
        const { &[Plane::marks("token"), Plane::values("moves", 200)] }
    }

    fn extent(&self) -> Size {
        Size::new(self.length + 1, 1)
    }

    fn write(&self, token: &Token, _: Seat, canvas: &mut Canvas<'_>) {
        canvas.clear();
        canvas.put(0, token.at, 0, if has(FLAW, Flaw::ShowsTooMuch) { 2 } else { 1 });
        canvas.fill(1, token.moves as u8);
    }

    fn update(&self, before: &Token, after: &Token, _: Seat, canvas: &mut Canvas<'_>) {
        if !has(FLAW, Flaw::LeavesStalePlanes) {
            canvas.put(0, before.at, 0, 0);
        }
        canvas.put(0, after.at, 0, if has(FLAW, Flaw::ShowsTooMuch) { 2 } else { 1 });
        canvas.fill(1, after.moves as u8);
    }
}

impl<const FLAW: u8> Levels for Line<FLAW> {
    type Game = Rules<FLAW>;

    const INFO: Info = Info {
        name: "line",
        title: "Line",
        about: "Go to the right.",
        rules: &[Named { name: "plain", about: "the only ones" }],
        agents: &[AgentInfo { name: "random", about: "random actions", seats: &[0] }],
        formats: &[Named { name: "line", about: "the only one" }],
        brushes: &[],
        packs: &[Pack {
            name: "lines",
            about: "some lines",
            levels: &[("short", "<..o....>\n"), ("long", LONG)],
        }],
        styles: &[Style { name: "modern", about: "the only one", pieces: &[], keys: &[] }],
        overlays: &[],
        tick_ms: None,
        idle: None,
        suite: "",
        door: &[],
        page: &[],
        turn_limit: 100,
        tallies: &[],
    };

    fn open(text: &str, rules: &str) -> Result<Rules<FLAW>, LevelError> {
        let row = text.trim_end();
        let start =
            row.find('o').filter(|_| rules == "plain").ok_or_else(|| LevelError::whole("no token"))?;
        Ok(Rules { length: row.len() as u16 - 1, start: start as u16 })
    }

    fn print(rules: &Rules<FLAW>, _: &str) -> Result<String, LevelError> {
        let length = if has(FLAW, Flaw::LosesLevel) { rules.length + 1 } else { rules.length };
        let cell = |at| match at {
            0 => '<',
            at if at == rules.start => 'o',
            at if at == length => '>',
            _ => '.',
        };
        Ok((0..=length).map(cell).chain(['\n']).collect())
    }
}

const LONG: &str = "<...............o...............................>\n";
const TOKEN: Sprite = Sprite::new("token", "o ", "o ", Colour::Plain);

impl<const FLAW: u8> Draw for Line<FLAW> {
    fn draw(rules: &Rules<FLAW>, token: &Token, _: &[u32]) -> Scene {
        let size = Size::new(rules.length + 1, 1);
        let tiles = vec![Sprite::new("line", ". ", ". ", Colour::Plain); size.area()];
        let parity = u32::from(token.moves % 2);
        let id = if has(FLAW, Flaw::RenewsIds) { u32::from(token.moves) } else { 0 };
        let (id, other) = if has(FLAW, Flaw::SwapsIds) { (parity, 1 - parity) } else { (id, 100) };
        let far = Piece::new(other, (rules.length, 0), TOKEN);
        let pieces = vec![far, Piece::new(id, (token.at, 0), TOKEN)];
        Scene { size, tiles, pieces, walls: Vec::new(), labels: Vec::new() }
    }
}

/// A solver that has more to do the longer the line is.
fn search<const FLAW: u8>(rules: &Rules<FLAW>, start: &Token, options: &SolveOptions) -> Solution<Go> {
    let deadline = options.deadline();
    let nap = Duration::from_millis(2);
    let cancelled = || !has(FLAW, Flaw::IgnoresCancellation) && options.cancel.is_cancelled();
    let late = || {
        !has(FLAW, Flaw::IgnoresDeadline)
            && deadline.left() == Duration::ZERO
            && !options.cancel.is_cancelled()
    };
    for _ in 0..10 * u32::from(rules.length) {
        if rules.length > 30 && (cancelled() || late()) {
            return Solution::unknown(0);
        }
        if rules.length > 30 {
            std::thread::sleep(nap);
        }
    }
    let from = if has(FLAW, Flaw::PlansFromTheLevel) { rules.start } else { start.at };
    let steps = rules.length - from - u16::from(has(FLAW, Flaw::PlanLoses));
    let plan = vec![Go::Right; steps.into()];
    Solution { outcome: Solvability::Solved, plan, ..Solution::unknown(1) }
}

impl<const FLAW: u8> Solve for Line<FLAW> {
    fn solve(
        rules: &Arc<Rules<FLAW>>,
        start: &Token,
        options: &SolveOptions,
        _: &dyn Fn(&str),
    ) -> Solution<ActionOf<Self>> {
        search(rules, start, options)
    }

    fn check(rules: &Arc<Rules<FLAW>>, options: &SolveOptions, _: &dyn Fn(&str)) -> Report {
        let solvable = search(rules, &rules.start(), options).outcome;
        Report { solvable, par: None, difficulty: None, notes: Vec::new(), marks: Vec::new() }
    }
}

impl<const FLAW: u8> Generate for Line<FLAW> {
    fn generate(request: &GenerateRequest) -> Result<String, String> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static MADE: AtomicU64 = AtomicU64::new(0);
        let accident =
            if has(FLAW, Flaw::GeneratesByAccident) { MADE.fetch_add(1, Ordering::Relaxed) } else { 0 };
        Ok(format!("<o{}>\n", ".".repeat((request.seed + accident) as usize)))
    }
}

impl<const FLAW: u8> Trace for Line<FLAW> {
    fn state_json(_: &Rules<FLAW>, token: &Token) -> Value {
        json!(token.at)
    }
}

impl<const FLAW: u8> Kit for Line<FLAW> {
    fn agent(_: &Arc<Rules<FLAW>>, _: &str, _: Seat, seed: u64) -> Option<Box<dyn Agent<Rules<FLAW>>>> {
        Some(Box::new(Random::new(seed)))
    }

    fn bench(_: f64) -> Bench {
        unreachable!("nothing is measured here")
    }
}

fn profile_of<const FLAW: u8>() -> Profile<Line<FLAW>> {
    fn rebuild<const FLAW: u8>(_: &Rules<FLAW>, token: &StateOf<Line<FLAW>>) -> Token {
        Token { hash: hash_of(token.at, token.moves), ..token.clone() }
    }
    Profile::new(Line).actions(&[Go::Left, Go::Right, Go::Jump]).busy("plain", LONG).rebuild(rebuild)
}

/// The game without a flaw, under the name that the suite needs.
type Sound = Line<{ Flaw::Nothing as u8 }>;
#[expect(non_upper_case_globals, reason = "the suite takes the marker type of a game as a value too")]
const Sound: Sound = Line;

damier_kit::conformance!(Sound.actions(&[Go::Left, Go::Right, Go::Jump]).busy("plain", LONG));

/// A law that a flawed copy breaks, and a part of what it says.
macro_rules! fails {
    ($name:ident: $flaw:ident, $law:ident, $says:literal) => {
        #[test]
        #[should_panic(expected = $says)]
        fn $name() {
            conformance::$law(&profile_of::<{ Flaw::$flaw as u8 }>());
        }
    };
}

fails!(an_action_that_is_not_listed: AcceptsUnlisted, legal_actions_are_those_that_check_accepts, "`jump` is accepted but not listed");
fails!(an_action_that_is_refused: ListsRefused, legal_actions_are_those_that_check_accepts, "`jump` is listed as legal but refused");
fails!(two_actions_of_one_name: SameName, action_names_round_trip, "names another action");
fails!(a_stale_hash: StaleHash, hashes_equal_hashes_from_scratch, "the rebuilt state differs");
fails!(a_format_that_changes_the_level: LosesLevel, formats_round_trip, "does not print what it read");
fails!(a_generator_with_a_memory: GeneratesByAccident, generators_give_checked_levels, "a second level of the same seed");
fails!(a_plan_that_does_not_win: PlanLoses, solvers_plans_win, "ends before the game does");
fails!(a_plan_from_another_position: PlansFromTheLevel, solvers_go_on_from_any_position, "actions left");
fails!(a_solver_that_overruns: IgnoresDeadline, solvers_obey_deadlines, "keeps running for");
fails!(a_solver_that_cannot_be_cancelled: IgnoresCancellation, solvers_obey_cancellation, "keeps running for");
fails!(ids_that_change_places: SwapsIds, pieces_keep_their_ids, "is taken from");
fails!(ids_that_are_never_the_same: RenewsIds, pieces_keep_their_ids, "got another id");
fails!(a_mask_that_marks_too_much: MasksWrongly, masks_mark_the_legal_actions, "the mask is not what is legal");
fails!(numbers_that_are_mixed_up: MixesNumbers, masks_mark_the_legal_actions, "has another number");
fails!(planes_that_keep_what_is_gone: LeavesStalePlanes, updated_planes_equal_written_ones, "differ in `token`");
fails!(planes_that_show_what_is_hidden: ShowsHidden, planes_show_what_is_seen, "of a state that looks the same differ in `moves`");
fails!(values_that_are_too_large: ShowsTooMuch, planes_show_what_is_seen, "`token` holds 2");
