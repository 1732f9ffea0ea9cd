//! `/api/rounds`: Rasende Roboter by its real rounds, against the computer.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use damier_ricochet::draw;
use damier_ricochet::round::{Phase, Side, Strength};
use damier_ricochet::rounds::{ROUNDS, Rounds};
use damier_ricochet::rules::Action;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};

use crate::body::Query;
use crate::error::{Answer, ApiError, Problem};
use crate::server::Shared;
use crate::sockets::{self, Socket, Upgrade};

/// How often the computer and the clock are looked after.
const GLANCE: Duration = Duration::from_millis(100);

/// Which game.
#[derive(Deserialize)]
pub struct Wish {
    seed: Option<u64>,
    strength: Option<String>,
}

/// What the page says.
#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Word {
    Move { action: String },
    Back,
    Clear,
    Announce { moves: Option<u32> },
    StopClock,
    Show,
    Next,
    Hint { length: bool },
    Pace { faster: bool },
}

/// A game of rounds, over a WebSocket.
#[utoipa::path(get, path = "/api/rounds", params(("seed" = Option<u64>, Query, description = "Decides board, robots and targets; 1 if not given."),
    ("strength" = Option<String>, Query, description = "The computer's strength, one of the game's `strengths`.")),
    responses((status = 101, description = "A WebSocket."), (status = 400, description = "There is no such strength.", body = Problem)))]
pub async fn rounds(
    State(shared): State<Shared>,
    Query(Wish { seed, strength }): Query<Wish>,
    upgrade: Upgrade,
) -> Answer<Response> {
    let name = strength.as_deref().unwrap_or(Strength::LEVELS[1].0);
    let strength = Strength::LEVELS.iter().find(|(known, _)| *known == name).map(|(_, strength)| *strength);
    let strength = strength.ok_or_else(|| {
        let names = Strength::LEVELS.map(|(name, _)| name);
        ApiError::bad(format!("the computer has no such strength; it has {}", names.join(", ")))
    })?;
    shared.sockets.open(upgrade, async move |socket| serve(seed.unwrap_or(1), strength, socket).await)
}

async fn serve(seed: u64, strength: Strength, mut socket: Socket) {
    let started = Instant::now();
    let made = tokio::task::spawn_blocking(move || Rounds::new(seed, strength, Duration::ZERO)).await;
    let Ok(mut rounds) = made else { return };
    let mut glance = interval(GLANCE);
    glance.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if !socket.say_json(&describe(&rounds, started.elapsed())).await {
        return;
    }
    loop {
        let changed = tokio::select! {
            _ = glance.tick() => rounds.pass_time(started.elapsed()),
            word = socket.hear() => {
                let Some(word) = word else { return };
                match sockets::parse(&word) {
                    Err(complaint) => if !socket.say_json(&complaint).await { return },
                    Ok(word) => {
                        // The computer looks for its solution in here.
                        let obeyed = tokio::task::spawn_blocking(move || {
                            obey(&mut rounds, word, started.elapsed());
                            rounds
                        });
                        let Ok(after) = obeyed.await else { return };
                        rounds = after;
                    }
                }
                socket.calm().await;
                true
            }
        };
        if changed && !socket.say_json(&describe(&rounds, started.elapsed())).await {
            return;
        }
    }
}

fn obey(rounds: &mut Rounds, word: Word, now: Duration) {
    match word {
        Word::Move { action } => {
            if let Some(action) = Action::parse(&action) {
                rounds.try_move(action);
            }
        }
        Word::Back => rounds.take_back(),
        Word::Clear => rounds.clear(),
        Word::Announce { moves } => rounds.announce(moves, now),
        Word::StopClock => rounds.stop_clock(),
        Word::Show => rounds.show(),
        Word::Next => rounds.next(now),
        Word::Hint { length } => rounds.hint(length),
        Word::Pace { faster } => rounds.change_show_pace(faster),
    }
}

fn describe(rounds: &Rounds, now: Duration) -> Value {
    let game = rounds.game();
    let level = game.game().level();
    let (phase, by) = match game.phase() {
        _ if rounds.is_over() => ("over", None),
        Phase::Looking => ("looking", None),
        Phase::Clock(_) => ("clock", None),
        Phase::Show(side, _) => ("show", Some(side_name(*side))),
        Phase::Won(side) => ("won", side.map(side_name)),
    };
    let clock = match game.phase() {
        Phase::Clock(end) => Some(end.saturating_sub(now).as_millis() as u64),
        _ => None,
    };
    let names = |moves: &[Action]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let size = level.board().size();
    let target = level.target();
    json!({
        "t": "round", "round": rounds.round(), "rounds": ROUNDS,
        "score": {"you": game.score(Side::Player), "computer": game.score(Side::Computer)},
        "phase": phase, "by": by, "clock_ms": clock,
        "announced": {"you": game.announced(Side::Player), "computer": game.announced(Side::Computer)},
        "mission": {
            "robot": level.target_robot().map(damier_ricochet::robot::Robot::name),
            "target": [target.0 % size.width, target.0 / size.width],
        },
        "picture": damier_kit::message::picture(&draw::scene(game.game(), &rounds.state())),
        "tried": names(rounds.tried()), "solved": rounds.is_solved(), "message": rounds.message(),
        "shown": names(rounds.shown().unwrap_or_default()),
    })
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Player => "you",
        Side::Computer => "computer",
    }
}
