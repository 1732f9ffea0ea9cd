//! A server for each test, and clients that can also misbehave.
#![allow(dead_code, reason = "each test uses its part")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use damier_host::games::Games;
use damier_web::{Options, Server};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

/// All games, as the program registers them.
pub static GAMES: Games = damier_games::GAMES;

const PATIENCE: Duration = Duration::from_mins(1);

/// A running server with a data folder of its own.
pub struct House {
    pub address: SocketAddr,
    pub data: PathBuf,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The message of an error response.
    #[track_caller]
    pub fn refusal(&self, status: u16) -> String {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        let error = self.json()["error"].as_str().map(str::to_owned);
        error.unwrap_or_else(|| panic!("a refusal without a sentence: {text}"))
    }

    #[track_caller]
    pub fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }
}

impl House {
    pub async fn new() -> Self {
        Self::with_token(None).await
    }

    pub async fn with_token(token: Option<&str>) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let data = std::env::temp_dir().join(format!("damier-web-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&data);
        Self::on(data, token).await
    }

    /// A server on a data folder that may already exist.
    pub async fn on(data: PathBuf, token: Option<&str>) -> Self {
        let options = Options {
            games: GAMES,
            listen: ([127, 0, 0, 1], 0).into(),
            token: token.map(str::to_owned),
            data: data.clone(),
        };
        let server = Server::bind(options).await.unwrap();
        let url = server.url();
        let address = url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap();
        tokio::spawn(server.run(std::future::pending()));
        Self { address, data }
    }

    /// Sends bytes as they are and reads the answer.
    pub async fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that rejects the request may close before all is sent.
        let _ = stream.write_all(request).await;
        let mut bytes = Vec::new();
        let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an answer in time");
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("an answer with a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: bytes[end + 4..].to_vec() }
    }

    /// A request with additional headers.
    pub async fn ask(&self, method: &str, path: &str, head: &str, body: &[u8]) -> Reply {
        let host = if head.to_ascii_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\n{host}{head}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.raw(&request).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, "", b"").await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.ask("DELETE", path, "", b"").await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes()).await
    }

    /// A WebSocket.
    pub async fn socket(&self, path: &str) -> Line {
        self.try_socket(path, &[]).await.unwrap()
    }

    /// A WebSocket with additional request headers, or the status of the error response.
    pub async fn try_socket(&self, path: &str, head: &[(&'static str, &str)]) -> Result<Line, u16> {
        use tokio_tungstenite::tungstenite::client::IntoClientRequest;
        let stream = TcpStream::connect(self.address).await.unwrap();
        let mut request = format!("ws://{}{path}", self.address).into_client_request().unwrap();
        for (name, value) in head {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Line(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(refusal)) => Err(refusal.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Starts a game and opens a socket to it.
    pub async fn play(&self, session: &Value) -> Line {
        let made = self.post("/api/sessions", session).await.good();
        let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
        self.socket(&format!("/api/sessions/{id}/live?key={key}")).await
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

/// A WebSocket of a client.
pub struct Line(WebSocketStream<TcpStream>);

impl Line {
    pub async fn say(&mut self, message: &Value) {
        assert!(self.try_say(message).await, "the socket is open");
    }

    /// Whether all of a message could be sent before the server closed the socket.
    pub async fn try_say(&mut self, message: &Value) -> bool {
        self.0.send(Message::Text(message.to_string().into())).await.is_ok()
    }

    /// The next message; `None` if the server has closed the socket.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            match timeout(PATIENCE, self.0.next()).await.expect("a message in time")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of this kind.
    pub async fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed before `{kind}`"));
            if message["t"] == kind {
                return message;
            }
        }
    }
}
