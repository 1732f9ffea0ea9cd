//! The web server under load, as a separate process whose memory is measured from outside, which needs `/proc`.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

const SPECTATORS: usize = 500;
const GAMES: usize = 100;
const IDLE: usize = 2_000;
/// The memory limit of the server, in megabytes.
const MOST_MEMORY: f64 = 500.0;
const PATIENCE: Duration = Duration::from_mins(4);

/// The program serving on a free port; it ends with the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        // This process holds the other end of every socket.
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
        let data = format!("{}/load", env!("CARGO_TARGET_TMPDIR"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(["serve", "--port", "0", "--no-open", "--data", &data])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let address = url.trim().trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
        Self { child, address }
    }

    /// The resident memory, in megabytes.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn begin(address: SocketAddr, session: &Value) -> (String, String) {
    let body = session.to_string();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "Content-Type: application/json\r\nConnection: close";
    let length = body.len();
    let request = format!(
        "POST /api/sessions HTTP/1.1\r\nHost: {address}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let made: Value = serde_json::from_str(answer.rsplit("\r\n\r\n").next().unwrap()).unwrap();
    let text = |name: &str| made[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (text("id"), text("key"))
}

struct Line(WebSocketStream<TcpStream>);

impl Line {
    async fn open(address: SocketAddr, path: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let request = format!("ws://{address}{path}").into_client_request().unwrap();
        // There are many clients in this test, so their buffers are small.
        let small = WebSocketConfig::default().read_buffer_size(4 << 10);
        let (socket, _) = client_async_with_config(request, stream, Some(small)).await.unwrap();
        Self(socket)
    }

    async fn say(&mut self, message: &Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.expect("a message in time");
            match message.expect("the socket stays open").unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("the server closed the socket"),
                _ => {}
            }
        }
    }

    async fn hear_frame(&mut self) -> Value {
        loop {
            let message = self.hear().await;
            if message["t"] == "frame" {
                return message;
            }
        }
    }
}

fn is_over(frame: &Value) -> bool {
    frame["status"].get("over").is_some()
}

/// Watches to the end; the numbers of the frames must be consecutive.
async fn look_on(mut line: Line) -> usize {
    let mut expected = 0;
    loop {
        let frame = line.hear_frame().await;
        assert_eq!(frame["n"], expected, "a frame is missing");
        expected += 1;
        if is_over(&frame) {
            return expected;
        }
    }
}

/// Plays the first legal action against agents for this many turns; the numbers of the frames must be consecutive.
async fn play(address: SocketAddr, session: Value, turns: u64) -> usize {
    let (id, key) = begin(address, &session).await;
    let mut line = Line::open(address, &format!("/api/sessions/{id}/live?key={key}")).await;
    let mut expected = 0;
    loop {
        let frame = line.hear_frame().await;
        assert_eq!(frame["n"], expected, "a frame is missing in {session}");
        expected += 1;
        if is_over(&frame) || frame["turn"].as_u64().unwrap() >= turns {
            return expected;
        }
        if frame["human"] == true {
            let action = &frame["legal"][0];
            line.say(&json!({"t": "act", "n": frame["n"], "action": action})).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_look_on_and_a_hundred_play() {
    let server = Server::start();
    let address = server.address;
    let started = Instant::now();
    let (id, key) = begin(address, &json!({"game": "pacman", "seats": ["best"]})).await;
    let path = format!("/api/sessions/{id}/live");
    let mut spectators = JoinSet::new();
    for _ in 0..SPECTATORS {
        spectators.spawn(look_on(Line::open(address, &path).await));
    }
    let mut host = Line::open(address, &format!("{path}?key={key}")).await;
    let mut games = JoinSet::new();
    for number in 0..GAMES {
        // Two of five games are against the strongest agent, whose tables are large.
        let session = match number % 5 {
            0 => json!({"game": "siam", "seats": ["human", "best"], "nodes": 20_000, "seed": number}),
            1 => json!({"game": "siam", "seats": ["best", "human"], "nodes": 20_000, "seed": number}),
            2 => json!({"game": "siam", "seats": ["human", "level3"], "seed": number}),
            3 => json!({"game": "pacman", "rules": "report", "seats": ["human", "team"], "seed": number}),
            _ => json!({"game": "pacman", "rules": "report", "seats": ["human", "original"], "seed": number}),
        };
        games.spawn(play(address, session, 20));
    }
    // One of the viewers reports each frame as shown, so the agent keeps playing.
    let mut most_memory = 0.0_f64;
    let frames = loop {
        let frame = host.hear_frame().await;
        host.say(&json!({"t": "at", "n": frame["n"]})).await;
        most_memory = most_memory.max(server.memory());
        if is_over(&frame) {
            break frame["n"].as_u64().unwrap() as usize + 1;
        }
    };
    let mut seen = 0;
    while let Some(count) = spectators.join_next().await {
        assert_eq!(count.unwrap(), frames);
        seen += frames;
    }
    let watched = started.elapsed();
    let mut played = 0;
    while let Some(count) = games.join_next().await {
        played += count.unwrap();
        most_memory = most_memory.max(server.memory());
    }
    println!(
        "{SPECTATORS} spectators got {seen} frames, none missing, in {watched:.1?}; {GAMES} games got {played} in {:.1?}; \
         at most {most_memory:.0} MB",
        started.elapsed()
    );
    assert!(most_memory < MOST_MEMORY, "{most_memory} MB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_idle_sockets_cost_little() {
    let server = Server::start();
    let (id, _) = begin(server.address, &json!({"game": "delirium", "seats": ["human"]})).await;
    let path = format!("/api/sessions/{id}/live");
    drop(Line::open(server.address, &path).await);
    let before = server.memory();
    let mut lines = Vec::new();
    for _ in 0..IDLE {
        let mut line = Line::open(server.address, &path).await;
        line.hear_frame().await;
        lines.push(line);
    }
    let each = (server.memory() - before) * 1024.0 / IDLE as f64;
    println!("an idle socket costs {each:.1} kB");
    assert!(each < 40.0, "{each} kB");
    // Clients that disconnect are removed, and the others are still served.
    let mut last = lines.pop().unwrap();
    drop(lines);
    loop {
        let message = last.hear().await;
        if message["t"] == "watchers" && message["count"] == 1 {
            break;
        }
    }
}
