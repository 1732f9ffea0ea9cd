//! `/api/sessions/{id}/live`: one person's socket into a room.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use crate::body::{Path, Query};
use crate::error::{Answer, Problem};
use crate::room::Room;
use crate::server::Shared;
use crate::sockets::{self, Complaint, Socket, Upgrade};

/// Old frames written at a time.
const CHUNK: usize = 64;

/// What the page says.
#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Word {
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
#[utoipa::path(get, path = "/api/sessions/{id}/live", params(("id", description = "The session."),
    ("key" = Option<String>, Query, description = "The key that lets one act.")),
    responses((status = 101, description = "A WebSocket."), (status = 404, description = "There is no such session.", body = Problem)))]
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

/// Leaves the room however the socket ends.
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
    let Ok((viewer, mut told)) = tokio::task::spawn_blocking(move || joining.join(host)).await else {
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
                if !socket.say(message).await {
                    return;
                }
            }
        }
        tokio::select! {
            changed = told.changed() => if changed.is_err() { return },
            word = socket.hear() => {
                let Some(word) = word else { return };
                if !obey(&presence, host, &word, &mut socket).await {
                    return;
                }
                socket.calm().await;
            }
        }
    }
}

/// Does what the client asks for; false if it is gone.
async fn obey(presence: &Presence, host: bool, text: &str, socket: &mut Socket) -> bool {
    let Presence { room, viewer } = presence;
    let (room, viewer) = (Arc::clone(room), *viewer);
    let word = match sockets::parse(text) {
        Ok(word) => word,
        Err(complaint) => return socket.say_json(&complaint).await,
    };
    let for_hosts = match word {
        Word::Act { .. } | Word::Hint { .. } | Word::Restart { .. } => true,
        // A game that was played has no host: anybody may ask what decided it.
        Word::Review => !room.is_record(),
        Word::Overlay { .. } | Word::At { .. } | Word::Want { .. } => false,
    };
    if for_hosts && !host {
        return socket.say_json(&Complaint::new("you only watch this game; acting needs its key")).await;
    }
    if let Word::Want { from, to } = word {
        let end = to.unwrap_or_else(|| room.first_kept());
        return send_old(&room, from, end, socket).await;
    }
    // The rules run where they hold up nobody's socket.
    let done = tokio::task::spawn_blocking(move || match word {
        Word::Act { n, action } => room.act(viewer, n, &action),
        Word::Hint { n } => room.ask_for_hint(viewer, n),
        Word::Overlay { n, name } => room.ask_for_overlay(viewer, n, &name),
        Word::Review => room.ask_for_review(viewer),
        Word::At { n } => room.set_place(viewer, n),
        Word::Restart { seed } => room.restart(viewer, seed),
        Word::Want { .. } => {}
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
            if !socket.say(message).await {
                return false;
            }
        }
    }
    true
}
