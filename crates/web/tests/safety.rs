//! The API with misbehaving clients: every request gets a clear error, and the server keeps running.

mod common;

use common::House;
use serde_json::{Value, json};

async fn lives(house: &House) {
    assert_eq!(house.get("/api/version").await.good()["name"], "damier");
}

const JSON: &str = "Content-Type: application/json\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn malformed_bodies_are_refused() {
    let house = House::new().await;
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let deep_object = format!("{}1{}", "{\"level\":".repeat(50_000), "}".repeat(50_000));
    for path in [
        "/api/sessions",
        "/api/levels/open",
        "/api/levels/convert",
        "/api/levels/generate",
        "/api/tournaments",
        "/api/agents",
    ] {
        for body in [
            "",
            "{",
            "null",
            "[]",
            "42",
            "\"text\"",
            "{\"game\": 3}",
            "{\"game\":\"pacman\",\"more\":1}",
            "\u{0}",
            &deep,
            &deep_object,
        ] {
            let reply = house.ask("POST", path, JSON, body.as_bytes()).await;
            assert!(reply.refusal(400).contains("invalid request body"), "{path} {body:.40}");
        }
        let reply = house.ask("POST", path, JSON, &[0xFF, 0xFE, b'{', b'}']).await;
        assert!(!reply.refusal(400).is_empty());
        assert!(house.ask("POST", path, "", b"{}").await.refusal(415).contains("application/json"));
        assert!(
            house
                .ask("POST", path, "Content-Type: text/plain\r\n", b"{}")
                .await
                .refusal(415)
                .contains("JSON")
        );
        let large = vec![b' '; 2 << 20];
        assert!(house.ask("POST", path, JSON, &large).await.refusal(413).contains("too large"));
    }
    lives(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_and_hostile_levels_are_refused() {
    let house = House::new().await;
    let wide = format!("{0}\n#P.1{1}#\n{0}\n", "#".repeat(100_000), ".".repeat(99_995));
    let tall = "#\n".repeat(200_000);
    let long = "#".repeat(900 << 10);
    for game in ["pacman", "ricochet", "siam", "loderunner", "delirium"] {
        for text in [
            wide.as_str(),
            &tall,
            &long,
            "",
            "\u{0}\u{0}",
            "<script>alert(1)</script>",
            "🐘\n🐘",
            "{\"size\": 99999999}",
        ] {
            for path in ["/api/levels/open", "/api/levels/convert", "/api/sessions"] {
                let request = match path {
                    "/api/sessions" => json!({"game": game, "level": {"text": text}, "seats": ["human"]}),
                    "/api/levels/convert" => json!({"game": game, "text": text, "to": "damier"}),
                    _ => json!({"game": game, "text": text}),
                };
                let reply = house.post(path, &request).await;
                assert!((400..500).contains(&reply.status), "{game} {path} {}: {:.60}", reply.status, text);
                assert!(reply.json()["error"].is_string());
            }
        }
        let request = json!({"game": game, "seed": 1, "size": [65535, 65535]});
        let reply = house.post("/api/levels/generate", &request).await;
        assert!(reply.status == 200 || reply.status == 400, "{game}");
        let request = json!({"game": game, "seed": 1, "difficulty": 99});
        assert!(house.post("/api/levels/generate", &request).await.refusal(400).contains("0 to 10"));
    }
    lives(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_never_paths_commands_or_markup() {
    let house = House::new().await;
    std::fs::create_dir_all(&house.data).unwrap();
    std::fs::write(house.data.join("agent.toml"), "name = \"x\"\ncommand = \"true\"\n").unwrap();
    let here = house.data.display().to_string();
    let tricks = [
        "cmd:true",
        &*here,
        "../agent",
        "..",
        ".",
        "",
        "/etc/passwd",
        "best/../best",
        "best\u{0}",
        "<b>best</b>",
    ];
    for name in tricks {
        let request = json!({"game": "delirium", "seats": [name]});
        assert!(!house.post("/api/sessions", &request).await.refusal(400).contains("passwd"), "{name}");
        let request = json!({"name": "t", "agents": [name, "best"], "games": [{"game": "delirium"}]});
        assert!((400..410).contains(&house.post("/api/tournaments", &request).await.status), "{name}");
        let request = json!({"name": name, "agents": ["random", "best"], "games": [{"game": "delirium"}]});
        assert!(house.post("/api/tournaments", &request).await.refusal(400).contains("letters"), "{name}");
        let request = json!({"name": name, "language": "python", "game": "delirium"});
        assert!(house.post("/api/agents", &request).await.refusal(400).contains("letters"), "{name}");
    }
    for level in [
        "/etc/passwd",
        "-",
        "../../etc/passwd",
        "damier/../damier",
        "generated/x",
        "generated/1..9",
        "nothing",
    ] {
        let request = json!({"game": "delirium", "level": {"name": level}, "seats": ["human"]});
        let reply = house.post("/api/sessions", &request).await;
        assert!((400..410).contains(&reply.status), "{level}: {}", reply.status);
    }
    let long = "n".repeat(5000);
    let request = json!({"game": "delirium", "level": {"name": long}, "seats": ["human"]});
    assert!(house.post("/api/sessions", &request).await.refusal(400).contains("at most"));
    // A name that looks like markup stays text: JSON, never HTML.
    let request = json!({"game": "pacman", "seats": ["human"],
        "level": {"name": "<script>alert(1)</script>", "text": "#########\n#P.....o#\n#.#.#.#.#\n#......1#\n#########\n"}});
    let mut line = house.play(&request).await;
    assert_eq!(line.hear().await.unwrap()["level"], "<script>alert(1)</script>");
    let listed = house.get("/api/sessions").await;
    assert!(listed.head.contains("application/json") && listed.head.contains("nosniff"), "{}", listed.head);
    assert!(std::fs::read_dir(house.data.join("agents")).is_err(), "nothing was installed");
    lives(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leaves_the_page() {
    let house = House::new().await;
    for trick in [
        "/page/../Cargo.toml",
        "/page/..%2fCargo.toml",
        "/page/%2e%2e%2fCargo.toml",
        "/page/%2e%2e",
        "/page/..\\Cargo.toml",
        "/page//etc/passwd",
        "/page/%00",
        "/page/.",
        "/page/types.d.ts",
        "/../../etc/passwd",
        "/%2e%2e/etc/passwd",
    ] {
        let reply = house.get(trick).await;
        assert!((400..500).contains(&reply.status), "{trick}: {}", reply.status);
        assert!(!String::from_utf8_lossy(&reply.body).contains("[package]"));
    }
    let page = house.get("/").await;
    assert_eq!(page.status, 200);
    for header in [
        "content-security-policy: default-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.head.contains(header), "{header} in {}", page.head);
    }
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    assert_eq!(house.ask("GET", "/", &format!("If-None-Match: {tag}\r\n"), b"").await.status, 304);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_are_refused() {
    let house = House::new().await;
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", "10.0.0.1"] {
        let reply = house.ask("GET", "/api/games", &format!("Host: {host}\r\n"), b"").await;
        assert!(reply.refusal(421).contains("localhost"), "{host}");
    }
    assert_eq!(house.raw(b"GET / HTTP/1.0\r\n\r\n").await.status, 421);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""] {
        let head = format!("{JSON}Origin: {origin}\r\n");
        let body = br#"{"game":"delirium","seats":["human"]}"#;
        assert!(
            house.ask("POST", "/api/sessions", &head, body).await.refusal(403).contains("other sites"),
            "{origin}"
        );
        for path in ["/api/jobs", "/api/rounds"] {
            assert_eq!(house.try_socket(path, &[("origin", origin)]).await.err(), Some(403), "{origin}");
        }
    }
    let own = format!("http://{}", house.address);
    assert!(house.try_socket("/api/jobs", &[("origin", &own)]).await.is_ok());
    let head = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n";
    assert_eq!(house.ask("GET", "/api/games", head, b"").await.status, 403);
    let head = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    assert_eq!(house.ask("GET", "/", head, b"").await.status, 200, "a link on another site may lead here");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_token_nothing_answers_without_it() {
    let house = House::with_token(Some("open-sesame")).await;
    for path in
        ["/", "/page/main.js", "/api/games", "/api/version", "/?token=wrong", "/api/games?token=open-sesame"]
    {
        assert!(house.get(path).await.refusal(401).contains("token"), "{path}");
    }
    assert_eq!(house.try_socket("/api/jobs", &[]).await.err(), Some(401));
    assert_eq!(house.try_socket("/api/jobs", &[("authorization", "Bearer wrong")]).await.err(), Some(401));
    assert!(house.try_socket("/api/jobs", &[("authorization", "Bearer open-sesame")]).await.is_ok());
    let welcome = house.get("/?token=open-sesame").await;
    assert_eq!(welcome.status, 303);
    let cookie = welcome.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(house.ask("GET", "/", &format!("Cookie: other=1; {cookie}\r\n"), b"").await.status, 200);
    assert_eq!(house.ask("GET", "/", "Cookie: damier=open-sesame\r\n", b"").await.status, 401);
}

/// Requests every path and method of the description with malformed input: all responses must be in the description.
#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_is_described() {
    let house = House::new().await;
    let description = house.get("/api/openapi.json").await.good();
    let mut refused = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        let address = path.replace("{number}", "99").replace('{', "no-").replace('}', "");
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_uppercase();
            let json = "Content-Type: application/json\r\n";
            for (query, head, body) in [
                ("", "", &b"nonsense"[..]),
                ("", json, b"[]"),
                ("", json, b"{\"game\": \"nothing\"}"),
                ("?from=x&key=&seed=x&game=x&as=x&count=x", "", b""),
            ] {
                let reply = house.ask(&method, &format!("{address}{query}"), head, body).await;
                let described = &operation["responses"][reply.status.to_string()];
                let about = format!("{method} {address}{query} {head}: {}", reply.head);
                assert!(reply.status < 500 && !described.is_null(), "{about}");
                refused += u32::from(reply.status >= 400);
            }
        }
    }
    assert!(refused > 60, "{refused}");
}

/// A small file that unpacks to a large one.
#[tokio::test(flavor = "multi_thread")]
async fn replays_that_unfold_are_refused() {
    let house = House::new().await;
    let bomb = zstd::encode_all(&vec![b' '; 20 << 20][..], 3).unwrap();
    assert!(bomb.len() < 10_000);
    let reply = house.ask("POST", "/api/replays", "", &bomb).await;
    assert!(reply.refusal(400).contains("large"), "{}", reply.refusal(400));
    lives(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replays_that_are_none_are_refused() {
    let house = House::new().await;
    let bomb = zstd_of_spaces();
    for (body, about) in [
        (&b""[..], "empty"),
        (b"{}", "line 1"),
        (b"not a replay", "neither JSON lines nor zstd"),
        (&[0x28, 0xB5, 0x2F, 0xFD, 1, 2, 3], "neither JSON lines nor zstd"),
        (&bomb, "too large"),
    ] {
        let refusal = house.ask("POST", "/api/replays", "", body).await.refusal(400);
        assert!(refusal.contains(about), "{refusal}");
    }
    let large = vec![b'x'; 9 << 20];
    assert_eq!(house.ask("POST", "/api/replays", "", &large).await.status, 413);
    // A game that contradicts the rules.
    let line = json!({"t": "start", "engine": "x", "game": "delirium", "rules": "course", "level": "x", "seed": 1, "agents": ["a"],
        "text": house.get("/api/games/delirium/levels/damier/first-steps").await.good()["text"], "turn_limit": 10});
    let forged =
        format!("{line}\n{}\n", json!({"t": "move", "seat": 0, "action": "right", "hash": "0", "us": 1}));
    assert!(house.ask("POST", "/api/replays", "", forged.as_bytes()).await.refusal(400).contains("move 1"));
    lives(&house).await;
}

/// A few kilobytes that unpack to hundreds of megabytes: blocks that repeat one byte.
fn zstd_of_spaces() -> Vec<u8> {
    let mut bytes = vec![0x28, 0xB5, 0x2F, 0xFD, 0b0000_0000, 0b0101_1000];
    let block: u32 = (128 << 10) << 3 | 1 << 1;
    for _ in 0..3000 {
        bytes.extend_from_slice(&block.to_le_bytes()[..3]);
        bytes.push(b' ');
    }
    bytes.extend_from_slice(&(block & !0b1 | 1).to_le_bytes()[..3]);
    bytes.push(b' ');
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_survive_nonsense() {
    let house = House::new().await;
    for path in ["/api/jobs", "/api/rounds"] {
        let mut line = house.socket(path).await;
        for nonsense in [
            json!(null),
            json!([]),
            json!({"t": "job"}),
            json!({"t": 3}),
            json!({"t": "move", "action": 3}),
            nested(100),
        ] {
            line.say(&nonsense).await;
            let complaint = line.hear_of("complaint").await;
            assert!(complaint["text"].as_str().unwrap().contains("invalid message"), "{complaint}");
        }
        // A message that is far too long closes only its socket, perhaps before all of it is sent.
        if line.try_say(&json!({"t": "job", "text": "#".repeat(2 << 20)})).await {
            while line.hear().await.is_some() {}
        }
    }
    assert_eq!(house.try_socket("/api/sessions/nobody/live", &[]).await.err(), Some(404));
    assert_eq!(house.try_socket("/api/rounds?strength=godlike", &[]).await.err(), Some(400));
    assert_eq!(house.try_socket("/api/rounds?seed=x", &[]).await.err(), Some(400));
    lives(&house).await;
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!([inner]))
}
