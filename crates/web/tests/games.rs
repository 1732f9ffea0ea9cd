//! The WebSocket protocol: whole games of every kind, branching, replays, rounds.

mod common;

use common::{House, Line};
use damier_kit::fault::{Fault, FaultCode};
use serde_json::{Value, json};

/// A client's copy of a game: all frames so far.
struct Client {
    line: Line,
    frames: Vec<Value>,
}

impl Client {
    async fn new(house: &House, session: &Value) -> Self {
        let mut line = house.play(session).await;
        let hello = line.hear().await.unwrap();
        assert_eq!(hello["t"], "hello");
        Self { line, frames: Vec::new() }
    }

    /// Receives messages until the newest frame fulfils a condition.
    async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(newest) = self.frames.last().filter(|frame| wanted(frame)) {
                return newest.clone();
            }
            let message = self.line.hear().await.expect("the game goes on");
            match message["t"].as_str().unwrap() {
                "frame" => {
                    let n = message["n"].as_u64().unwrap() as usize;
                    assert!(n <= self.frames.len(), "frame {n} after {}", self.frames.len());
                    let whole = message.get("tiles").is_some();
                    assert!(whole || (n > 0 && message.get("changes").is_some()), "{message}");
                    self.frames.truncate(n);
                    self.frames.push(message);
                }
                "complaint" => panic!("{message}"),
                _ => {}
            }
        }
    }

    async fn act(&mut self, n: usize, action: &str) {
        self.line.say(&json!({"t": "act", "n": n, "action": action})).await;
    }
}

fn is_over(frame: &Value) -> bool {
    frame["status"].get("over").is_some()
}

/// Plays a whole game by following the hints.
async fn play_by_hints(house: &House, session: Value) -> Value {
    let mut client = Client::new(house, &session).await;
    loop {
        let frame = client.until(|frame| frame["human"] == true || is_over(frame)).await;
        if is_over(&frame) {
            return frame;
        }
        let n = frame["n"].as_u64().unwrap() as usize;
        client.line.say(&json!({"t": "hint", "n": n})).await;
        let hint = client.line.hear_of("hint").await;
        assert_eq!(hint["n"], n);
        let action = hint["action"].as_str().unwrap();
        assert!(frame["legal"].as_array().unwrap().contains(&json!(action)), "{action} in {frame}");
        client.act(n, action).await;
        client.until(|frame| frame["n"].as_u64().unwrap() as usize > n).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_a_whole_game_of_each() {
    let house = House::new().await;
    let maze = "#########\n#P.....o#\n#.#.#.#.#\n#......1#\n#########\n";
    let games = [
        json!({"game": "pacman", "level": {"text": maze}, "seats": ["human"]}),
        json!({"game": "pacman", "rules": "report", "level": {"text": maze}, "seats": ["human", "original"]}),
        json!({"game": "ricochet", "level": {"name": "missions/05"}, "seats": ["human"]}),
        json!({"game": "siam", "seats": ["human", "level1"], "nodes": 5_000}),
        json!({"game": "loderunner", "rules": "course", "level": {"name": "course/first-steps"}, "seats": ["human"]}),
        json!({"game": "delirium", "seats": ["human"]}),
    ];
    for session in games {
        let name = session["game"].clone();
        let end = play_by_hints(&house, session).await;
        assert_eq!(end["status"]["over"]["result"][0], "win", "{name}: {end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_play_no_further_ahead_than_somebody_watches() {
    let house = House::new().await;
    let session = json!({"game": "pacman", "seats": ["best"]});
    let mut client = Client::new(&house, &session).await;
    let ahead = client.until(|frame| frame["turn"] == 40).await;
    assert!(ahead["decision"]["insight"]["text"].is_string(), "{ahead}");
    let pause = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(pause, client.until(|frame| frame["turn"] == 41)).await.is_err());
    client.line.say(&json!({"t": "at", "n": 10})).await;
    client.until(|frame| frame["turn"] == 50).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_in_the_past_replaces_the_future_for_everybody() {
    let house = House::new().await;
    let made = house.post("/api/sessions", &json!({"game": "delirium", "seats": ["human"]})).await.good();
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    let mut host = Client {
        line: house.socket(&format!("/api/sessions/{id}/live?key={key}")).await,
        frames: Vec::new(),
    };
    let mut other =
        Client { line: house.socket(&format!("/api/sessions/{id}/live")).await, frames: Vec::new() };
    for n in 0..5 {
        host.until(|frame| frame["n"] == n).await;
        host.act(n, "stay").await;
    }
    other.until(|frame| frame["n"] == 5).await;
    host.act(2, "down").await;
    let newest = other.until(|frame| frame["n"] == 3 && frame["decision"]["action"] == "down").await;
    assert_eq!(other.frames.len(), 4);
    assert_eq!(newest["turn"], 3);
    // Spectators cannot act.
    other.line.say(&json!({"t": "act", "n": 0, "action": "stay"})).await;
    let complaint = other.line.hear_of("complaint").await;
    assert!(complaint["text"].as_str().unwrap().contains("only watch"), "{complaint}");
    // Illegal actions and malformed messages get an explanation.
    for (message, about) in [
        (json!({"t": "act", "n": 3, "action": "fly"}), "fly"),
        (json!({"t": "act", "n": 99, "action": "stay"}), "not reached this moment"),
        (json!({"t": "dance"}), "invalid message"),
    ] {
        host.line.say(&message).await;
        let complaint = host.line.hear_of("complaint").await;
        assert!(complaint["text"].as_str().unwrap().contains(about), "{complaint}");
    }
    // A client that connects later sees the same game.
    let mut newcomer =
        Client { line: house.socket(&format!("/api/sessions/{id}/live")).await, frames: Vec::new() };
    newcomer.until(|frame| frame["n"] == 3).await;
    assert_eq!(newcomer.frames, other.frames);
    host.line.say(&json!({"t": "restart", "seed": 7})).await;
    assert_eq!(host.line.hear_of("hello").await["seed"], 7);
    assert_eq!(newcomer.line.hear_of("hello").await["seed"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_home_as_a_replay_and_comes_back() {
    let house = House::new().await;
    let made = house.post("/api/sessions", &json!({"game": "ricochet", "seats": ["best"]})).await.good();
    let path = format!("/api/sessions/{}", made["id"].as_str().unwrap());
    let mut client = Client { line: house.socket(&format!("{path}/live")).await, frames: Vec::new() };
    client.until(is_over).await;
    let file = house.get(&format!("{path}/replay")).await;
    assert!(file.head.contains("attachment"), "{}", file.head);
    let shown = house.ask("POST", "/api/replays", "", &file.body).await.good();
    let id = shown["id"].as_str().unwrap();
    let mut again =
        Client { line: house.socket(&format!("/api/sessions/{id}/live")).await, frames: Vec::new() };
    let hello = again.line.hear().await.unwrap();
    assert_eq!((&hello["record"], &hello["seats"]), (&json!(true), &json!(["best"])));
    again.until(is_over).await;
    assert_eq!(again.frames.len(), client.frames.len());
    again.line.say(&json!({"t": "review"})).await;
    assert!(again.line.hear_of("review").await["remarks"].is_array());
    let listed = house.get("/api/sessions").await.good();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let key = made["key"].as_str().unwrap();
    assert_eq!(house.delete(&format!("{path}?key=wrong")).await.status, 403);
    assert_eq!(house.delete(&format!("{path}?key={key}")).await.status, 204);
    assert_eq!(house.get(&format!("{path}/replay")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_replay_says_whose_answers_were_not_their_own() {
    let house = House::new().await;
    let made = house.post("/api/sessions", &json!({"game": "ricochet", "seats": ["best"]})).await.good();
    let path = format!("/api/sessions/{}", made["id"].as_str().unwrap());
    let mut client = Client { line: house.socket(&format!("{path}/live")).await, frames: Vec::new() };
    client.until(is_over).await;
    assert_eq!(client.frames.last().unwrap()["status"]["over"]["substituted"], Value::Null);
    let file = house.get(&format!("{path}/replay")).await;
    let mut replay = damier_host::replays::unpack("replay", &file.body).unwrap();
    let count = replay.moves.len();
    replay.moves[0].warnings = vec![Fault::new(FaultCode::NoAnswer, "jeu_1robot/13 failed")];
    let shown = house.ask("POST", "/api/replays", "", replay.to_json_lines().as_bytes()).await.good();
    let id = shown["id"].as_str().unwrap();
    let mut again =
        Client { line: house.socket(&format!("/api/sessions/{id}/live")).await, frames: Vec::new() };
    again.until(is_over).await;
    let over = &again.frames.last().unwrap()["status"]["over"];
    let sentence = format!("best: 1 of {count} answers was not yours: jeu_1robot/13 failed");
    assert_eq!(over["substituted"], json!([sentence]));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_frames_come_when_somebody_wants_them_and_overlays_too() {
    let house = House::new().await;
    let mut client = Client::new(&house, &json!({"game": "pacman", "seats": ["baseline"]})).await;
    client.until(|frame| frame["n"] == 20).await;
    client.line.say(&json!({"t": "want", "from": 5, "to": 8})).await;
    for n in 5..8 {
        let frame = client.line.hear_of("frame").await;
        if frame["n"] == n {
            assert_eq!(frame.get("tiles").is_some(), n == 5);
        }
    }
    client.line.say(&json!({"t": "overlay", "n": 3, "name": "debug"})).await;
    let overlay = client.line.hear_of("overlay").await;
    assert!(!overlay["marks"].as_array().unwrap().is_empty(), "{overlay}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_game_is_reviewed() {
    let house = House::new().await;
    let session = json!({"game": "siam", "seats": ["human", "human"], "level": {"text": "...../...../eMMMw/...../..... E 8"}});
    let mut client = Client::new(&house, &session).await;
    let frame = client.until(|frame| frame["human"] == true).await;
    let action = frame["legal"][0].as_str().unwrap().to_owned();
    client.act(0, &action).await;
    client.until(|frame| frame["n"] == 1).await;
    client.line.say(&json!({"t": "review"})).await;
    let review = client.line.hear_of("review").await;
    assert!(review["text"].is_string() && review["remarks"].is_array(), "{review}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_ricochet_is_announced_shown_and_won() {
    let house = House::new().await;
    let mut line = house.socket("/api/rounds?seed=3&strength=perfect").await;
    let round = line.hear().await.unwrap();
    assert_eq!(
        (&round["phase"], &round["round"], &round["rounds"]),
        (&json!("looking"), &json!(1), &json!(17))
    );
    loop {
        line.say(&json!({"t": "hint", "length": false})).await;
        let hint = line.hear_of("round").await;
        let text = hint["message"].as_str().unwrap().to_owned();
        let Some(action) = text.strip_prefix("Hint: ").and_then(|text| text.strip_suffix('.')) else {
            continue;
        };
        line.say(&json!({"t": "move", "action": action})).await;
        let moved = line.hear_of("round").await;
        if moved["solved"] == true {
            break;
        }
    }
    line.say(&json!({"t": "announce", "moves": null})).await;
    let clock = line.hear_of("round").await;
    assert_eq!(clock["phase"], "clock", "{clock}");
    assert!(clock["clock_ms"].as_u64().unwrap() > 50_000);
    line.say(&json!({"t": "stop_clock"})).await;
    assert_eq!(line.hear_of("round").await["phase"], "show");
    line.say(&json!({"t": "show"})).await;
    let won = line.hear_of("round").await;
    assert_eq!((&won["phase"], &won["by"], &won["score"]["you"]), (&json!("won"), &json!("you"), &json!(1)));
    line.say(&json!({"t": "next"})).await;
    assert_eq!(line.hear_of("round").await["round"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_the_past_gives_the_same_frames_as_the_same_game_from_the_start() {
    let house = House::new().await;
    let session = json!({"game": "delirium", "seats": ["human"], "seed": 3});
    let mut straight = Client::new(&house, &session).await;
    let mut branched = Client::new(&house, &session).await;
    for (n, action) in ["right", "down", "stay", "left"].into_iter().enumerate() {
        straight.until(|frame| frame["n"] == n).await;
        straight.act(n, action).await;
    }
    for (n, action) in ["right", "down", "right", "right"].into_iter().enumerate() {
        branched.until(|frame| frame["n"] == n).await;
        branched.act(n, action).await;
    }
    branched.until(|frame| frame["n"] == 4).await;
    branched.act(2, "stay").await;
    branched.until(|frame| frame["n"] == 3).await;
    branched.act(3, "left").await;
    let end = straight.until(|frame| frame["n"] == 4).await;
    let same = branched.until(|frame| frame["n"] == 4 && frame["decision"]["action"] == "left").await;
    let changed = |frame: &Value| frame["changes"].as_array().unwrap().len();
    assert_eq!(
        (changed(&end), &end["pieces"], &end["labels"]),
        (changed(&same), &same["pieces"], &same["labels"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_has_the_position_of_games_with_a_notation() {
    let house = House::new().await;
    let mut client = Client::new(&house, &json!({"game": "siam", "seats": ["human", "human"]})).await;
    let start = client.until(|frame| frame["n"] == 0).await;
    assert_eq!(start["notation"], "...../...../.MMM./...../..... E 0");
    client.act(0, "0-11n").await;
    let moved = client.until(|frame| frame["n"] == 1).await;
    assert_eq!(moved["notation"], "...../...../.MMM./...../N.... R 1");
    let mut other = Client::new(&house, &json!({"game": "delirium", "seats": ["human"]})).await;
    assert!(other.until(|frame| frame["n"] == 0).await.get("notation").is_none());
}
