//! Proofs of forced wins: "the elephants win in five plies, whatever the rhinos do".
//!
//! The search is exact and uses no evaluation. An attacker wins within n plies if, after one of his moves, he wins within
//! n - 2 plies after every reply. The search tries n = 1, 3, 5, … in turn, so the first proof is the shortest. Before each
//! it tries only moves that threaten to win immediately: they leave few replies and can be searched much deeper.

use std::time::Duration;

use damier_kit::time::Instant;

use damier_core::random::mix;
use damier_kit::cancel::Cancel;

use crate::action::Move;
use crate::board::Board;
use crate::moves::{MoveList, MoveRules};

/// The maximum length of a forced win, in plies.
pub const LONGEST: u32 = 31;

/// The limits of a proof search. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct ProofLimits {
    /// Wall time.
    pub time: Option<Duration>,
    /// The maximum number of nodes.
    pub nodes: u64,
    /// The maximum length of a win, in plies.
    pub plies: u32,
    /// Ends the search early.
    pub cancel: Cancel,
}

impl Default for ProofLimits {
    fn default() -> Self {
        Self { time: None, nodes: u64::MAX, plies: LONGEST, cancel: Cancel::default() }
    }
}

/// A forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The number of plies against the longest defence.
    pub plies: u32,
    /// Whether it is proven that there is no shorter win.
    pub shortest: bool,
    /// The attacker's moves and the defender's longest defence; truncated if the time ran out.
    pub line: Vec<Move>,
}

/// The result of a proof search for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can force a win.
    Wins(Win),
    /// All of its moves lose within this many plies.
    Loses(u32),
    /// Neither was proven. There is no win within this number of plies.
    Open {
        /// The number of plies; 0 if nothing is known.
        no_win_in: u32,
    },
}

/// The attacker's moves to try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attacks {
    /// All.
    All = 0,
    /// Those that threaten to win immediately.
    Threats = 1,
}

/// Stored knowledge about an attacker's position.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    /// The plies of the shortest win found; 0 if none.
    wins_in: u8,
    /// There is no win within this many plies, by all moves and by threats.
    no_win_in: [u8; 2],
    best: Option<Move>,
}

const TABLE_BITS: u32 = 18;
const CLOCK_NODES: u64 = 1_024;
/// How many plies deeper wins by threats are searched than wins by all moves.
const THREATS_AHEAD: u32 = 4;
/// The node limit for extracting the line of a proof.
const LINE_NODES: u64 = 20_000_000;
/// The extra time for extracting the line of a win that is proven at the deadline.
const LINE_TIME: Duration = Duration::from_millis(20);

/// Searches for proofs, with a hash table.
pub struct Prover {
    rules: MoveRules,
    table: Box<[Known]>,
    /// The latest reply that saved the defender, by the attacker's remaining plies.
    saviours: [Option<Move>; LONGEST as usize + 2],
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    cancel: Cancel,
    stopped: bool,
}

impl Prover {
    /// A prover for a rule set.
    pub fn new(rules: MoveRules) -> Self {
        Self {
            rules,
            table: vec![Known::default(); 1 << TABLE_BITS].into_boxed_slice(),
            saviours: [None; LONGEST as usize + 2],
            nodes: 0,
            node_limit: u64::MAX,
            deadline: None,
            cancel: Cancel::default(),
            stopped: false,
        }
    }

    /// The number of nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn start(&mut self, limits: &ProofLimits) {
        self.node_limit = self.nodes.saturating_add(limits.nodes);
        self.deadline = limits.time.map(|time| Instant::now() + time);
        self.cancel = limits.cancel.clone();
        self.stopped = false;
    }

    /// Searches for a forced win or loss of the side to move. The position must not be over.
    pub fn prove(&mut self, board: &Board, limits: &ProofLimits) -> Verdict {
        self.start(limits);
        let longest = limits.plies.min(LONGEST);
        let (mut no_win_in, mut by_threats) = (0, None);
        for plies in (1..=longest).step_by(2) {
            if by_threats.is_none() {
                let deepest = (plies + THREATS_AHEAD).min(longest);
                by_threats =
                    (1..=deepest).step_by(2).find(|&plies| self.attack(board, plies, Attacks::Threats));
            }
            let settled = by_threats == Some(plies) || self.attack(board, plies, Attacks::All);
            if settled {
                return Verdict::Wins(self.win(board, plies, true));
            }
            if self.stopped {
                break;
            }
            no_win_in = plies;
            if !self.rules.threats(board).of(board.side()) && self.defend(board, plies + 1, Attacks::All) {
                return Verdict::Loses(plies + 1);
            }
        }
        by_threats.map_or(Verdict::Open { no_win_in }, |plies| Verdict::Wins(self.win(board, plies, false)))
    }

    /// The first moves that force a win within this many plies; `None` if a limit was reached.
    pub fn winning_moves(&mut self, board: &Board, plies: u32, limits: &ProofLimits) -> Option<Vec<Move>> {
        self.start(limits);
        let mut moves = MoveList::new();
        self.rules.list(board, &mut moves);
        let side = board.side();
        let mut wins = Vec::new();
        for action in moves {
            let mut next = *board;
            let won = match next.play(action) {
                Some(winner) => winner == side,
                None if plies < 3 || self.rules.threats(&next).of(!side) => false,
                None => self.defend(&next, plies - 1, Attacks::All),
            };
            if won {
                wins.push(action);
            }
        }
        (!self.stopped).then_some(wins)
    }

    /// Whether the side to move can win within this many plies.
    fn attack(&mut self, board: &Board, plies: u32, attacks: Attacks) -> bool {
        self.count_node();
        let side = board.side();
        if self.rules.threats(board).of(side) {
            return true;
        }
        if plies < 3 || self.stopped {
            return false;
        }
        let known = self.look_up(board);
        if known.wins_in > 0 && u32::from(known.wins_in) <= plies {
            return true;
        }
        if u32::from(known.no_win_in[attacks as usize]) >= plies {
            return false;
        }
        let best = self.find_attack(board, plies, attacks, known.best);
        if !self.stopped {
            self.remember(board, plies, attacks, best);
        }
        best.is_some()
    }

    /// A move after which the defender loses: tries the one that worked before, then threats, then all others.
    fn find_attack(
        &mut self,
        board: &Board,
        plies: u32,
        attacks: Attacks,
        known: Option<Move>,
    ) -> Option<Move> {
        let mut moves = MoveList::new();
        self.rules.list(board, &mut moves);
        let mut quiet = MoveList::new();
        if let Some(index) = moves.iter().position(|&action| Some(action) == known) {
            moves.swap(0, index);
        }
        for action in moves {
            let mut next = *board;
            if next.play(action).is_some() {
                continue;
            }
            let threats = self.rules.threats(&next);
            if threats.of(next.side()) {
                continue;
            }
            if !threats.of(board.side()) {
                quiet.push(action);
            } else if self.defend(&next, plies - 1, attacks) {
                return Some(action);
            }
        }
        if attacks == Attacks::Threats {
            return None;
        }
        quiet.into_iter().find(|&action| {
            let mut next = *board;
            next.play(action);
            self.defend(&next, plies - 1, attacks)
        })
    }

    /// Whether the side to move, which cannot win immediately, loses within this many plies.
    fn defend(&mut self, board: &Board, plies: u32, attacks: Attacks) -> bool {
        let saviour = self.saviours[plies as usize].filter(|&action| self.rules.allows(board, action));
        if saviour.is_some_and(|action| self.saves(board, action, plies, attacks)) {
            return false;
        }
        let mut moves = MoveList::new();
        self.rules.list(board, &mut moves);
        for action in moves.into_iter().filter(|&action| Some(action) != saviour) {
            if self.saves(board, action, plies, attacks) {
                self.saviours[plies as usize] = Some(action);
                return false;
            }
        }
        !self.stopped
    }

    /// Whether this reply prevents a win within the remaining plies.
    fn saves(&mut self, board: &Board, action: Move, plies: u32, attacks: Attacks) -> bool {
        let mut next = *board;
        // A reply that pushes a mountain off for the attacker does not save the defender.
        next.play(action).is_none() && !self.attack(&next, plies - 1, attacks)
    }

    /// The win in this many plies, with its line.
    fn win(&mut self, board: &Board, plies: u32, shortest: bool) -> Win {
        let time = self.deadline.map(|at| at.saturating_duration_since(Instant::now()).max(LINE_TIME));
        let cancel = self.cancel.clone();
        self.start(&ProofLimits { time, nodes: LINE_NODES, cancel, ..ProofLimits::default() });
        let mut line = Vec::new();
        let (mut board, mut left) = (*board, plies);
        loop {
            if let Some(action) = self.rules.winning_move(&board, board.side()) {
                line.push(action);
                break;
            }
            let known = self.look_up(&board).best.filter(|_| self.attack(&board, left, Attacks::All));
            let Some(action) = known else { break };
            board.play(action);
            line.push(action);
            let Some((reply, plies)) = self.longest_defence(&board, left - 1) else { break };
            board.play(reply);
            line.push(reply);
            left = plies;
        }
        Win { plies, shortest, line }
    }

    /// The reply after which the attacker needs the most plies, and their number.
    fn longest_defence(&mut self, board: &Board, plies: u32) -> Option<(Move, u32)> {
        let mut moves = MoveList::new();
        self.rules.list(board, &mut moves);
        let mut best = None;
        for reply in moves {
            let mut next = *board;
            if next.play(reply).is_some() {
                continue;
            }
            let needed = (1..plies).step_by(2).find(|&needed| self.attack(&next, needed, Attacks::All))?;
            if best.is_none_or(|(_, most)| needed > most) {
                best = Some((reply, needed));
            }
        }
        best
    }

    fn look_up(&self, board: &Board) -> Known {
        let key = self.rules.key(board);
        let known = self.table[slot(key)];
        if known.key == key { known } else { Known { key, ..Known::default() } }
    }

    fn remember(&mut self, board: &Board, plies: u32, attacks: Attacks, best: Option<Move>) {
        let mut known = self.look_up(board);
        match best {
            Some(_) => (known.wins_in, known.best) = (plies as u8, best),
            None => known.no_win_in[attacks as usize] = plies as u8,
        }
        if best.is_none() && attacks == Attacks::All {
            let by_threats = &mut known.no_win_in[Attacks::Threats as usize];
            *by_threats = (*by_threats).max(plies as u8);
        }
        self.table[slot(known.key)] = known;
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || self.cancel.is_cancelled() || self.nodes >= self.node_limit;
        }
    }
}

/// The table slot of a position; slots are shared between positions.
fn slot(key: u64) -> usize {
    (mix(key) >> (64 - TABLE_BITS)) as usize
}
