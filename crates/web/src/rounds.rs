//! `/api/rounds`: a game of rounds against the computer.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use damier_kit::message::{self, Picture};
use damier_kit::{RoundView, Rounds, RoundsKit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use crate::body::Query;
use crate::error::{Answer, ApiError};
use crate::games;
use crate::server::Shared;
use crate::sockets::{self, Socket, Upgrade};

/// How often the computer and the clock advance.
const TICK: Duration = Duration::from_millis(100);

/// Query parameters.
#[derive(Deserialize)]
pub struct RoundsQuery {
    game: Option<String>,
    seed: Option<u64>,
    strength: Option<String>,
}

/// Message to the page about a game of rounds.
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
pub async fn rounds(
    State(shared): State<Shared>,
    Query(RoundsQuery { game, seed, strength }): Query<RoundsQuery>,
    upgrade: Upgrade,
) -> Answer<Response> {
    let kit = find_rounds(&shared, game.as_deref())?;
    let strength = kit.strength(strength.as_deref()).map_err(|error| ApiError::bad(error.to_string()))?;
    shared.sockets.open(upgrade, async move |socket| serve(kit, seed.unwrap_or(1), strength, socket).await)
}

fn find_rounds(shared: &Shared, game: Option<&str>) -> Answer<&'static RoundsKit> {
    match game {
        Some(name) => {
            games::find(shared, name)?.rounds().ok_or_else(|| ApiError::bad(format!("{name} has no rounds")))
        }
        None => shared
            .games
            .iter()
            .find_map(|game| game.rounds())
            .ok_or_else(|| ApiError::bad("no game has rounds")),
    }
}

async fn serve(kit: &'static RoundsKit, seed: u64, strength: usize, mut socket: Socket) {
    let started = Instant::now();
    let made = tokio::task::spawn_blocking(move || (kit.begin)(seed, strength, Duration::ZERO)).await;
    let Ok(mut rounds) = made else { return };
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if !socket.send_json(&describe(rounds.as_ref(), started.elapsed())).await {
        return;
    }
    loop {
        let changed = tokio::select! {
            _ = ticks.tick() => rounds.pass_time(started.elapsed()),
            text = socket.receive() => {
                let Some(text) = text else { return };
                match sockets::parse(&text) {
                    Err(complaint) => if !socket.send_json(&complaint).await { return },
                    Ok(command) => {
                        // The computer searches for its solution in here.
                        let done = tokio::task::spawn_blocking(move || {
                            rounds.command(&command, started.elapsed());
                            rounds
                        });
                        let Ok(after) = done.await else { return };
                        rounds = after;
                    }
                }
                socket.throttle().await;
                true
            }
        };
        if changed && !socket.send_json(&describe(rounds.as_ref(), started.elapsed())).await {
            return;
        }
    }
}

fn describe(rounds: &dyn Rounds, now: Duration) -> RoundMessage {
    let view = rounds.view(now);
    RoundMessage::Round(Box::new(RoundState { picture: message::picture(&view.scene), view }))
}
