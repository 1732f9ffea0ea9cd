//! `/api/sessions/{id}/live`: one client's socket into a room.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use crate::body::{Path, Query};
use crate::error::Answer;
use crate::room::Room;
use crate::server::Shared;
use crate::sockets::{self, Complaint, Socket, Upgrade};

/// Number of old frames written at a time.
const CHUNK: usize = 64;

/// Request of the page.
#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Request {
    Act { n: usize, action: String },
    Hint { n: usize },
    Overlay { n: usize, name: String },
    Review,
    At { n: usize },
    Want { from: usize, to: Option<usize> },
    Restart { seed: u64 },
}

/// The key of a session.
#[derive(Deserialize)]
pub struct Key {
    /// The key; without it a client only watches.
    pub key: Option<String>,
}

/// A session, live, over a WebSocket.
pub async fn live(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(Key { key }): Query<Key>,
    upgrade: Upgrade,
) -> Answer<Response> {
    let room = shared.rooms.find(&id)?;
    let host = key.is_some_and(|key| room.is_key(&key));
    shared.sockets.open(upgrade, async move |socket| serve(room, host, socket).await)
}

/// Leaves the room when dropped, however the socket ends.
struct Presence {
    room: Arc<Room>,
    viewer: u64,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.room.leave(self.viewer);
    }
}

async fn serve(room: Arc<Room>, host: bool, mut socket: Socket) {
    let joining = Arc::clone(&room);
    let Ok((viewer, mut changes)) = tokio::task::spawn_blocking(move || joining.join(host)).await else {
        return;
    };
    let presence = Presence { room, viewer };
    loop {
        loop {
            let messages = presence.room.batch(viewer);
            if messages.is_empty() {
                break;
            }
            for message in messages {
                if !socket.send(message).await {
                    return;
                }
            }
        }
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            request = socket.receive() => {
                let Some(request) = request else { return };
                if !handle(&presence, host, &request, &mut socket).await {
                    return;
                }
                socket.throttle().await;
            }
        }
    }
}

/// Handles a request; false if the client is gone.
async fn handle(presence: &Presence, host: bool, text: &str, socket: &mut Socket) -> bool {
    let Presence { room, viewer } = presence;
    let (room, viewer) = (Arc::clone(room), *viewer);
    let request = match sockets::parse(text) {
        Ok(request) => request,
        Err(complaint) => return socket.send_json(&complaint).await,
    };
    let for_hosts = match request {
        Request::Act { .. } | Request::Hint { .. } | Request::Restart { .. } => true,
        // A replay has no host, so anybody may request its review.
        Request::Review => !room.is_record(),
        Request::Overlay { .. } | Request::At { .. } | Request::Want { .. } => false,
    };
    if for_hosts && !host {
        return socket
            .send_json(&Complaint::new("you are only watching this game; to act you need its key"))
            .await;
    }
    if let Request::Want { from, to } = request {
        let end = to.unwrap_or_else(|| room.first_kept());
        return send_old(&room, from, end, socket).await;
    }
    // The rules run in another thread, so that they block no socket.
    let done = tokio::task::spawn_blocking(move || match request {
        Request::Act { n, action } => room.act(viewer, n, &action),
        Request::Hint { n } => room.ask_for_hint(viewer, n),
        Request::Overlay { n, name } => room.ask_for_overlay(viewer, n, &name),
        Request::Review => room.ask_for_review(viewer),
        Request::At { n } => room.set_position(viewer, n),
        Request::Restart { seed } => room.restart(viewer, seed),
        Request::Want { .. } => {}
    });
    done.await.is_ok()
}

async fn send_old(room: &Arc<Room>, from: usize, end: usize, socket: &mut Socket) -> bool {
    for start in (from..end).step_by(CHUNK) {
        let room = Arc::clone(room);
        let written =
            tokio::task::spawn_blocking(move || room.frames(start..end.min(start.saturating_add(CHUNK))))
                .await;
        let Ok(messages) = written else { return false };
        if messages.is_empty() {
            return true;
        }
        for message in messages {
            if !socket.send(message).await {
                return false;
            }
        }
    }
    true
}
