//! `/api/rounds`: a game by rounds, against the computer.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use damier_kit::message::{self, Picture};
use damier_kit::{RoundView, Rounds, RoundsKit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use crate::body::Query;
use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::server::Shared;
use crate::sockets::{self, Socket, Upgrade};

/// How often the computer and the clock are looked after.
const GLANCE: Duration = Duration::from_millis(100);

/// Which game.
#[derive(Deserialize)]
pub struct Wish {
    game: Option<String>,
    seed: Option<u64>,
    strength: Option<String>,
}

/// What the page hears of a game of rounds.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum RoundMessage {
    /// The whole state, at every change.
    Round(Box<RoundState>),
}

/// The state of a game of rounds.
#[derive(Serialize, JsonSchema)]
pub struct RoundState {
    #[serde(flatten)]
    view: RoundView,
    /// The board, with the actions tried or shown.
    picture: Picture,
}

/// A game of rounds, over a WebSocket.
#[utoipa::path(get, path = "/api/rounds", params(
    ("game" = Option<String>, Query, description = "The game's name; the first game that has rounds if not given."),
    ("seed" = Option<u64>, Query, description = "Decides board, pieces and targets; 1 if not given."),
    ("strength" = Option<String>, Query, description = "The computer's strength, one of the game's `strengths`.")),
    responses((status = 101, description = "A WebSocket."),
        (status = 400, description = "The game has no rounds, or there is no such strength.", body = Problem),
        (status = 404, description = "There is no such game.", body = Problem)))]
pub async fn rounds(
    State(shared): State<Shared>,
    Query(Wish { game, seed, strength }): Query<Wish>,
    upgrade: Upgrade,
) -> Answer<Response> {
    let kit = find_rounds(&shared, game.as_deref())?;
    let strength = kit.strength(strength.as_deref()).map_err(|error| ApiError::bad(error.to_string()))?;
    shared.sockets.open(upgrade, async move |socket| serve(kit, seed.unwrap_or(1), strength, socket).await)
}

fn find_rounds(shared: &Shared, game: Option<&str>) -> Answer<&'static RoundsKit> {
    match game {
        Some(name) => games::find(shared, name)?
            .rounds()
            .ok_or_else(|| ApiError::bad(format!("{name} is not played by rounds"))),
        None => shared
            .games
            .iter()
            .find_map(|game| game.rounds())
            .ok_or_else(|| ApiError::bad("no game is played by rounds")),
    }
}

async fn serve(kit: &'static RoundsKit, seed: u64, strength: usize, mut socket: Socket) {
    let started = Instant::now();
    let made = tokio::task::spawn_blocking(move || (kit.begin)(seed, strength, Duration::ZERO)).await;
    let Ok(mut rounds) = made else { return };
    let mut glance = interval(GLANCE);
    glance.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if !socket.say_json(&describe(rounds.as_ref(), started.elapsed())).await {
        return;
    }
    loop {
        let changed = tokio::select! {
            _ = glance.tick() => rounds.pass_time(started.elapsed()),
            word = socket.hear() => {
                let Some(word) = word else { return };
                match sockets::parse(&word) {
                    Err(complaint) => if !socket.say_json(&complaint).await { return },
                    Ok(command) => {
                        // The computer looks for its solution in here.
                        let obeyed = tokio::task::spawn_blocking(move || {
                            rounds.command(&command, started.elapsed());
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
        if changed && !socket.say_json(&describe(rounds.as_ref(), started.elapsed())).await {
            return;
        }
    }
}

fn describe(rounds: &dyn Rounds, now: Duration) -> RoundMessage {
    let view = rounds.view(now);
    RoundMessage::Round(Box::new(RoundState { picture: message::picture(&view.scene), view }))
}
