//! What all sockets share: small buffers, limits on their number and message rate, and a timeout for clients that vanish.

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

/// Maximum number of open sockets.
const MAX_SOCKETS: usize = 8_192;
/// Maximum size of a client's message, in bytes.
const MAX_MESSAGE: usize = 1 << 20;
/// Buffer size. Most messages are short, and the buffers are the main cost of an idle socket.
const BUFFER: usize = 2 << 10;
/// Timeout for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// Ping interval, and the silence after which a client counts as gone.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const SILENCE_LIMIT: Duration = Duration::from_mins(1);
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

/// Counts an open socket until dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Sockets {
    /// Upgrades a request to a socket and serves it.
    pub fn open<F: Future<Output = ()> + Send + 'static>(
        &self,
        Upgrade { upgrade, admission }: Upgrade,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Answer<Response> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= MAX_SOCKETS {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return Err(ApiError::busy("too many sockets are open; try again later"));
        }
        let counted = Counted(Arc::clone(&self.0));
        let small = upgrade
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_message_size(MAX_MESSAGE)
            .max_frame_size(MAX_MESSAGE);
        Ok(small.on_upgrade(async move |socket| {
            serve(Socket::new(socket)).await;
            drop((counted, admission));
        }))
    }
}

/// A client's socket.
pub struct Socket {
    wire: WebSocket,
    ping: Interval,
    heard: Instant,
    /// How many messages the client may send now.
    allowance: f64,
}

impl Socket {
    fn new(wire: WebSocket) -> Self {
        let mut ping = interval(PING_INTERVAL);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { wire, ping, heard: Instant::now(), allowance: BURST }
    }

    /// The client's next message; `None` once it is gone. Cancel-safe.
    pub async fn receive(&mut self) -> Option<Utf8Bytes> {
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
                _ = self.ping.tick() => {
                    if self.heard.elapsed() > SILENCE_LIMIT {
                        return None;
                    }
                    timeout(SEND_TIMEOUT, self.wire.send(Message::Ping(Vec::new().into()))).await.ok()?.ok()?;
                }
            }
        }
    }

    /// Delays a client that sends too much; its further messages wait.
    pub async fn throttle(&mut self) {
        if self.allowance < 0.0 {
            sleep(Duration::from_secs_f64(-self.allowance / PER_SECOND)).await;
            self.allowance = 0.0;
        }
    }

    /// Sends a text; false if the client is gone.
    pub async fn send(&mut self, text: Utf8Bytes) -> bool {
        matches!(timeout(SEND_TIMEOUT, self.wire.send(Message::Text(text))).await, Ok(Ok(())))
    }

    /// Sends a value as JSON; false if the client is gone.
    pub async fn send_json(&mut self, message: &impl Serialize) -> bool {
        let text = serde_json::to_string(message).expect("a message is plain data");
        self.send(text.into()).await
    }
}

/// Parses a client's message.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Complaint> {
    serde_json::from_str(text).map_err(|error| Complaint::new(format!("invalid message: {error}")))
}

/// Why a client's message was refused.
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
