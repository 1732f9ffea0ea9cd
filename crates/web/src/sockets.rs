//! What all sockets share: small buffers, a limit of their number, a limit of what they say, and an end for those that vanish.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep, timeout};

use crate::error::{Answer, ApiError};
use crate::guard::Admission;

/// Most open sockets.
const MOST_SOCKETS: usize = 8_192;
/// The longest message that a client sends.
const LONGEST_MESSAGE: usize = 1 << 20;
/// Most messages are short: larger buffers would be what an idle socket costs.
const BUFFER: usize = 2 << 10;
/// Timeout for sending a message.
const PATIENCE: Duration = Duration::from_secs(20);
/// Ping interval of a silent client, and when it counts as gone.
const ASK: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);
/// Rate limit of a client's messages: burst, and messages per second.
const BURST: f64 = 300.0;
const PER_SECOND: f64 = 200.0;

/// A request for a WebSocket.
pub struct Upgrade {
    upgrade: WebSocketUpgrade,
    admission: Option<Arc<Admission>>,
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        let admission = parts.extensions.get().cloned();
        upgrade.map(|upgrade| Self { upgrade, admission }).map_err(|_| {
            ApiError::new(StatusCode::UPGRADE_REQUIRED, "this address takes WebSocket connections only")
        })
    }
}

/// Counts the open sockets.
#[derive(Clone, Default)]
pub struct Sockets(Arc<AtomicUsize>);

/// An open socket's place in the count.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Sockets {
    /// Turns a request into a socket and serves it.
    pub fn open<F: Future<Output = ()> + Send + 'static>(
        &self,
        Upgrade { upgrade, admission }: Upgrade,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Answer<Response> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= MOST_SOCKETS {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return Err(ApiError::busy("too many sockets are open; try again later"));
        }
        let place = Place(Arc::clone(&self.0));
        let small = upgrade
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE);
        Ok(small.on_upgrade(async move |socket| {
            serve(Socket::new(socket)).await;
            drop((place, admission));
        }))
    }
}

/// A client's socket.
pub struct Socket {
    wire: WebSocket,
    ask: Interval,
    heard: Instant,
    /// How much the client may still say now.
    allowance: f64,
}

impl Socket {
    fn new(wire: WebSocket) -> Self {
        let mut ask = interval(ASK);
        ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { wire, ask, heard: Instant::now(), allowance: BURST }
    }

    /// The next text of the client; nothing once it is gone. It can be given up at any time without losing anything.
    pub async fn hear(&mut self) -> Option<Utf8Bytes> {
        loop {
            tokio::select! {
                message = self.wire.recv() => {
                    let message = message?.ok()?;
                    let pause = self.heard.elapsed().as_secs_f64();
                    self.heard = Instant::now();
                    match message {
                        Message::Text(text) => {
                            self.allowance = (self.allowance + pause * PER_SECOND).min(BURST) - 1.0;
                            return Some(text);
                        }
                        Message::Close(_) => return None,
                        Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                _ = self.ask.tick() => {
                    if self.heard.elapsed() > SILENCE {
                        return None;
                    }
                    timeout(PATIENCE, self.wire.send(Message::Ping(Vec::new().into()))).await.ok()?.ok()?;
                }
            }
        }
    }

    /// Lets a client that says too much wait: its own messages wait with it.
    pub async fn calm(&mut self) {
        if self.allowance < 0.0 {
            sleep(Duration::from_secs_f64(-self.allowance / PER_SECOND)).await;
            self.allowance = 0.0;
        }
    }

    /// Says something; false if the client is gone.
    pub async fn say(&mut self, text: Utf8Bytes) -> bool {
        matches!(timeout(PATIENCE, self.wire.send(Message::Text(text))).await, Ok(Ok(())))
    }

    /// Says something as JSON.
    pub async fn say_json(&mut self, message: &impl Serialize) -> bool {
        let text = serde_json::to_string(message).expect("a message is plain data");
        self.say(text.into()).await
    }
}

/// What the client says, or the complaint about it.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Complaint> {
    serde_json::from_str(text).map_err(|error| Complaint::new(format!("invalid message: {error}")))
}

/// Why a message of the client was not followed.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Complaint {
    /// The only kind.
    Complaint {
        /// One sentence.
        text: String,
    },
}

impl Complaint {
    /// A complaint with its sentence.
    pub fn new(text: impl Into<String>) -> Self {
        Self::Complaint { text: text.into() }
    }
}
