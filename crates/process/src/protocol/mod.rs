//! The protocol between referee and agent process, in three formats (wires).
//!
//! Each message is one line; the agent reads from standard input and writes to standard output. `docs/agents.md` shows a game in each wire.
//!
//! | wire | a line is | for |
//! | --- | --- | --- |
//! | [`json`](mod@json) | a JSON object | languages with a JSON library |
//! | [`text`] | words separated by single spaces, counts before lists | `scanf` |
//! | [`term`] | a Prolog term and a full stop | `read/1` |

pub mod json;
pub mod term;
pub mod text;

use damier_core::insight::{Insight, Mark, Point};
use damier_kit::fault::Fault;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use damier_host::terms::Terms;

/// The version of the protocol.
pub const PROTO: u32 = 1;

/// Format of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// JSON lines.
    #[default]
    Json,
    /// Words.
    Text,
    /// Prolog terms.
    Term,
}

/// Message of the referee.
#[derive(Clone, Debug)]
pub enum Message<'a> {
    /// First message: the program and the game.
    Hello {
        /// Program and version.
        engine: &'a str,
        /// The game's name.
        game: &'a str,
        /// The rule set's name.
        rules: &'a str,
    },
    /// A game is about to begin.
    Start {
        /// Identifier of the game, for the agent's own files and log.
        id: &'a str,
        /// The agent's seat.
        player: usize,
        /// The number of seats.
        players: usize,
        /// The terms.
        terms: &'a Terms,
        /// The level's lines, in the game's own format.
        level: &'a [&'a str],
    },
    /// Asks for a decision.
    Turn {
        /// Number of the decision, from 1; the answer repeats it.
        n: u32,
        /// Time left in the bank.
        bank_ms: u64,
        /// The legal actions.
        legal: &'a [String],
        /// The agent's observation.
        observation: &'a Value,
    },
    /// A fault: another action was played instead.
    Fault {
        /// The number of the decision.
        n: u32,
        /// What was wrong.
        fault: &'a Fault,
        /// The strikes so far.
        strikes: u32,
    },
    /// The game is over.
    End {
        /// `win`, `loss`, `draw` or `limit`.
        result: &'a str,
        /// Why, in a few words.
        reason: &'a str,
        /// Turns played.
        turns: u32,
        /// The scores by seat.
        scores: &'a [i64],
    },
    /// Last message: the agent should end.
    Quit,
}

/// Policy after a fault: what is played instead.
pub const POLICY: &str = "noop";

/// The limits in `start`, in this order.
pub fn limits(terms: &Terms) -> [(&'static str, u64); 8] {
    [
        ("init_ms", terms.init.as_millis() as u64),
        ("turn_ms", terms.turn.as_millis() as u64),
        ("grace_ms", terms.grace.as_millis() as u64),
        ("bank_ms", terms.bank.as_millis() as u64),
        ("strikes", terms.strikes.into()),
        ("mem_mb", terms.memory_mb),
        ("processes", terms.processes.into()),
        ("turns", terms.turns.into()),
    ]
}

/// Answer of an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Its protocol version and name.
    Hello {
        /// The version.
        proto: u32,
        /// Its name.
        name: String,
    },
    /// It is ready for the first turn.
    Ready,
    /// Its decision.
    Act {
        /// The number of the decision that this answers.
        n: u32,
        /// The action's name.
        action: String,
    },
    /// It has no answer: its author's code failed, threw, is missing or did not return an action.
    Fault {
        /// The number of the decision that this answers.
        n: u32,
        /// What went wrong, for its author.
        detail: String,
    },
    /// It gives up the game.
    Resign {
        /// The number of the decision that this answers.
        n: u32,
        /// Why.
        reason: String,
    },
    /// Insight into its thinking; several of these add up.
    Info(Insight),
}

impl Answer {
    /// An `info` with a sentence.
    fn sentence(text: String) -> Self {
        let mut insight = Insight::default();
        insight.text = text;
        Self::Info(insight)
    }

    /// An `info` with a marked cell.
    fn mark(at: Point, why: String) -> Self {
        let mut insight = Insight::default();
        insight.marks.push(Mark::new(at, why));
        Self::Info(insight)
    }

    /// An `info` with the score of an action. Replays can hold finite numbers only.
    fn score(action: String, score: f64) -> Result<Self, String> {
        if !score.is_finite() {
            return Err(format!("the score of `{action}` is {score}, not a finite number"));
        }
        let mut insight = Insight::default();
        insight.scores.push((action, score));
        Ok(Self::Info(insight))
    }

    /// The number of the decision that it answers; `None` if it is not an answer to a turn.
    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Act { n, .. } | Self::Fault { n, .. } | Self::Resign { n, .. } => Some(*n),
            Self::Hello { .. } | Self::Ready | Self::Info(_) => None,
        }
    }

    /// Name of the message, as it is written.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Ready => "ready",
            Self::Act { .. } => "act",
            Self::Fault { .. } => "fault",
            Self::Resign { .. } => "resign",
            Self::Info(_) => "info",
        }
    }
}

impl Wire {
    /// Its name, as in `agent.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Term => "term",
        }
    }

    /// Appends a message with its line end.
    pub fn write(self, message: &Message<'_>, line: &mut Vec<u8>) {
        match self {
            Self::Json => json::write(message, line),
            Self::Text => text::write(message, line),
            Self::Term => term::write(message, line),
        }
        line.push(b'\n');
    }

    /// Parses an answer; an error says what is wrong with it.
    pub fn read(self, line: &str) -> Result<Answer, String> {
        match self {
            Self::Json => json::read(line),
            Self::Text => text::read(line),
            Self::Term => term::read(line),
        }
    }
}

/// The level as a JSON value, which every wire can write.
fn level_value(level: &[&str]) -> Value {
    json!(level)
}

/// Adds the insight of an `info` message.
pub fn add_insight(known: &mut Insight, new: Insight) {
    if !known.wanted() {
        return;
    }
    if !new.text.is_empty() {
        known.text = new.text;
    }
    known.marks.extend(new.marks);
    known.scores.extend(new.scores);
    known.counters.extend(new.counters);
}

#[cfg(test)]
mod tests {
    use damier_kit::fault::FaultCode;

    use super::*;

    fn written(wire: Wire, message: &Message<'_>) -> String {
        let mut line = Vec::new();
        wire.write(message, &mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn a_turn_in_every_wire() {
        let observation =
            json!({"at": [3, 4], "name": "a b_c~", "none": null, "yes": true, "list": [-2], "low": -1});
        let legal = ["red north".to_owned(), "bomb_left".to_owned()];
        let turn = Message::Turn { n: 17, bank_ms: 1830, legal: &legal, observation: &observation };
        assert_eq!(
            written(Wire::Json, &turn),
            "{\"t\":\"turn\",\"n\":17,\"bank_ms\":1830,\"legal\":[\"red north\",\"bomb_left\"],\"obs\":{\"at\":[3,4],\
             \"name\":\"a b_c~\",\"none\":null,\"yes\":true,\"list\":[-2],\"low\":-1}}\n"
        );
        assert_eq!(
            written(Wire::Text, &turn),
            "turn 17 1830 2 red~north bomb_left 6 at 2 3 4 name a~b_c%7E none - yes 1 list 1 -2 low -1\n"
        );
        assert_eq!(
            written(Wire::Term, &turn),
            "turn(17,1830,['red north',bomb_left],[at=[3,4],name='a b_c~',none=null,yes=true,list=[-2],low= -1]).\n"
        );
    }

    #[test]
    fn other_messages_in_every_wire() {
        let fault = Fault::new(FaultCode::Illegal, "it's a wall");
        let message = Message::Fault { n: 2, fault: &fault, strikes: 1 };
        assert_eq!(written(Wire::Text, &message), "fault 2 illegal noop 1 it's~a~wall\n");
        assert_eq!(written(Wire::Term, &message), "fault(2,illegal,noop,1,'it\\'s a wall').\n");
        let end = Message::End { result: "win", reason: "", turns: 9, scores: &[3, -4] };
        assert_eq!(written(Wire::Text, &end), "end win 9 2 3 -4 %\n");
        assert_eq!(written(Wire::Term, &end), "end(win,9,[3,-4],'').\n");
        assert_eq!(written(Wire::Json, &Message::Quit), "{\"t\":\"quit\"}\n");
        assert_eq!(written(Wire::Term, &Message::Quit), "quit.\n");
    }

    #[test]
    fn answers_are_read_from_every_wire() {
        let act = Answer::Act { n: 3, action: "red north".into() };
        assert_eq!(
            Wire::Json.read("{\"t\":\"act\",\"n\":3,\"a\":\"red north\",\"more\":1}"),
            Ok(act.clone())
        );
        assert_eq!(Wire::Text.read("act 3 red~north"), Ok(act.clone()));
        assert_eq!(Wire::Term.read("act(3, 'red north')."), Ok(act.clone()));
        assert_eq!(Wire::Term.read("act( 3,\"red north\" ) ."), Ok(act));
        let hello = Answer::Hello { proto: 1, name: "it's me".into() };
        assert_eq!(Wire::Term.read("hello(1,'it''s me')."), Ok(hello.clone()));
        assert_eq!(Wire::Term.read("hello(1,'it\\'s me')."), Ok(hello));
        for (wire, ready) in
            [(Wire::Json, "{\"t\":\"ready\"}"), (Wire::Text, "ready"), (Wire::Term, "ready.")]
        {
            assert_eq!(wire.read(ready), Ok(Answer::Ready));
        }
    }

    #[test]
    fn an_agent_may_say_that_it_has_no_answer_or_gives_up() {
        let fault = Answer::Fault { n: 17, detail: "Unknown procedure meilleur_coup/2".into() };
        let resign = Answer::Resign { n: 17, reason: "impossible".into() };
        for (wire, said, meant) in [
            (Wire::Json, r#"{"t":"fault","n":17,"detail":"Unknown procedure meilleur_coup/2"}"#, &fault),
            (Wire::Text, "fault 17 Unknown~procedure~meilleur_coup/2", &fault),
            (Wire::Term, "fault(17, 'Unknown procedure meilleur_coup/2').", &fault),
            (Wire::Json, r#"{"t":"resign","n":17,"reason":"impossible"}"#, &resign),
            (Wire::Text, "resign 17 impossible", &resign),
            (Wire::Term, "resign(17, impossible).", &resign),
        ] {
            assert_eq!(wire.read(said).as_ref(), Ok(meant), "{said}");
        }
        assert!(Wire::Text.read("fault 17 Unknown procedure").unwrap_err().contains("`~` for a space"));
        assert!(Wire::Term.read("resign(17).").unwrap_err().contains("resign(N, Reason)"));
    }

    #[test]
    fn unreadable_answers_say_what_is_wrong() {
        let wrong = |wire: Wire, line: &str| wire.read(line).unwrap_err();
        assert!(wrong(Wire::Term, "ready").contains("full stop"));
        assert!(wrong(Wire::Term, "act(3,X).").contains("`X` is an unbound variable"));
        assert!(wrong(Wire::Term, "act(3,'x).").contains("is not closed"));
        assert!(wrong(Wire::Term, "act(3,f(x)).").contains("an argument is an atom or a number"));
        assert!(wrong(Wire::Term, "act(3).").contains("act(N, Action)"));
        assert!(wrong(Wire::Text, "act 3 red north").contains("two words"));
        assert!(wrong(Wire::Text, "act three up").contains("`three` is not a valid number"));
        assert!(wrong(Wire::Text, "score up inf").contains("not a finite number"));
        assert!(wrong(Wire::Term, "score(up,nan).").contains("not a finite number"));
        assert!(wrong(Wire::Json, "{\"t\":\"info\",\"scores\":{\"up\":1e999}}").contains("not JSON"));
        assert!(wrong(Wire::Json, "[1]").contains("not an object"));
        assert!(wrong(Wire::Json, "{\"t\":\"act\",\"n\":-1,\"a\":\"up\"}").contains("`n` is -1"));
    }
}
