//! The API with well-behaved clients: games, levels, searches, agents, tournaments, its own description.

mod common;

use std::time::{Duration, Instant};

use common::House;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn games_and_levels_are_listed_opened_converted_and_made() {
    let house = House::new().await;
    let games = house.get("/api/games").await.good();
    let names: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pacman", "ricochet", "siam", "loderunner", "delirium"]);
    for game in games.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        for (rules, level) in game["default_level"].as_object().unwrap() {
            let text =
                house.get(&format!("/api/games/{name}/levels/{}", level.as_str().unwrap())).await.good();
            let request = json!({"game": name, "rules": rules, "text": text["text"]});
            let opened = house.post("/api/levels/open", &request).await.good();
            assert_eq!(opened["players"], game["players"][rules], "{name}");
            let [width, height] = [0, 1].map(|side| opened["size"][side].as_u64().unwrap());
            let tiles = opened["picture"]["tiles"].as_array().unwrap();
            assert_eq!(tiles.len() as u64, width * height);
            let sprites = opened["picture"]["sprites"].as_array().unwrap().len() as u64;
            assert!(tiles.iter().all(|tile| tile.as_u64().unwrap() < sprites));
            for format in game["formats"].as_array().unwrap() {
                let request =
                    json!({"game": name, "rules": rules, "text": text["text"], "to": format["name"]});
                let converted = house.post("/api/levels/convert", &request).await;
                // Some formats cannot express every level; the error explains why.
                assert!(converted.status == 200 || !converted.refusal(422).is_empty());
            }
            let request = json!({"game": name, "rules": rules, "seed": 3});
            let made = house.post("/api/levels/generate", &request).await.good();
            let request = json!({"game": name, "rules": rules, "text": made["text"]});
            assert_eq!(house.post("/api/levels/open", &request).await.good()["ok"], true, "{name} {rules}");
        }
    }
    let brush = |game: usize, about: &str| {
        let brushes = games[game]["brushes"].as_array().unwrap();
        brushes.iter().find(|brush| brush["about"] == about).unwrap_or_else(|| panic!("{about}"))["piece"]
            .clone()
    };
    assert_eq!((brush(0, "pacman"), brush(0, "wall")), (json!(true), json!(false)));
}

/// Generators of clients that have left make room for those that still wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_generator_stops_when_its_client_leaves() {
    let house = House::new().await;
    for seed in 0..24 {
        let body = json!({"game": "siam", "seed": seed, "difficulty": 10}).to_string();
        let head = format!("Host: {}\r\nContent-Type: application/json", house.address);
        let length = body.len();
        let request =
            format!("POST /api/levels/generate HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
    }
    let request = json!({"game": "pacman", "seed": 3});
    house.post("/api/levels/generate", &request).await.good();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_level_is_named_by_line_and_column() {
    let house = House::new().await;
    let request = json!({"game": "pacman", "text": "#####\n#P.\n#####\n"});
    let refused = house.post("/api/levels/open", &request).await;
    assert!(refused.refusal(422).contains("3 characters"));
    assert_eq!((&refused.json()["line"], &refused.json()["column"]), (&json!(2), &json!(4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_answer_and_a_new_one_takes_the_place_of_the_old() {
    let house = House::new().await;
    let mut line = house.socket("/api/jobs").await;
    let text = async |game: &str, level: &str| {
        house.get(&format!("/api/games/{game}/levels/{level}")).await.good()["text"].clone()
    };
    // An endless search, replaced immediately.
    let siam = text("siam", "start/start").await;
    line.say(
        &json!({"t": "job", "id": 1, "kind": "analyze", "game": "siam", "text": siam, "time_ms": 60_000}),
    )
    .await;
    assert_eq!(line.hear().await.unwrap()["t"], "partial");
    let started = Instant::now();
    let maze = "#########\n#P.....o#\n#.#.#.#.#\n#......1#\n#########\n";
    line.say(&json!({"t": "job", "id": 2, "kind": "check", "game": "pacman", "text": maze})).await;
    let checked = loop {
        let message = line.hear_of("answer").await;
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(checked["solvable"], "solved", "{checked}");
    assert!(started.elapsed() < Duration::from_secs(20));
    let walled = "#########\n#P.#..1.#\n#########\n";
    line.say(&json!({"t": "job", "id": 3, "kind": "check", "game": "pacman", "text": walled})).await;
    let checked = line.hear().await.unwrap();
    // Either the level is rejected, or it is known to be unwinnable.
    assert!(checked["t"] == "error" || checked["solvable"] == "unsolvable", "{checked}");
    line.say(&json!({"t": "job", "id": 4, "kind": "solve", "game": "pacman", "text": maze})).await;
    let solved = line.hear_of("answer").await;
    assert_eq!(solved["plan"].as_array().unwrap().len() as u64, solved["turns"].as_u64().unwrap());
    let mission = text("ricochet", "missions/05").await;
    line.say(&json!({"t": "job", "id": 5, "kind": "answers", "game": "ricochet", "text": mission})).await;
    let answers = line.hear_of("answer").await;
    assert_eq!(answers["solutions"].as_array().unwrap().len() as u64, answers["count"].as_u64().unwrap());
    assert_eq!(answers["reach"].as_object().unwrap().len(), 4);
    let threat = "...../...../..M../..n../..N.. E 4";
    let job = json!({"t": "job", "id": 6, "kind": "analyze", "game": "siam", "text": threat, "time_ms": 300, "lines": 3});
    line.say(&job).await;
    let analysis = line.hear_of("answer").await;
    assert_eq!(analysis["lines"].as_array().unwrap().len(), 3, "{analysis}");
    line.say(&json!({"t": "job", "id": 7, "kind": "analyze", "game": "pacman", "text": maze})).await;
    assert_eq!(line.hear_of("error").await["id"], 7);
    line.say(&json!({"t": "job", "id": 8, "kind": "check", "game": "pacman", "text": "###\n#"})).await;
    assert_eq!(line.hear_of("error").await["line"], 2);
}

/// Waits until a tournament is in this state.
async fn wait_for(house: &House, name: &str, state: &str) -> Value {
    let started = Instant::now();
    loop {
        let body = house.get(&format!("/api/tournaments/{name}")).await.good();
        if body["state"] == state {
            return body;
        }
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "{} instead of {state}: {}",
            body["state"],
            body["error"]
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_played_stopped_gone_on_with_and_looked_at() {
    let house = House::new().await;
    let request = json!({"name": "spring", "agents": ["sparring", "level1", "random"], "seeds": "1..40", "nodes": 500,
        "games": [{"game": "siam", "levels": ["start/start"], "turns": 60}]});
    assert_eq!(house.post("/api/tournaments", &request).await.good()["name"], "spring");
    assert!(house.post("/api/tournaments", &request).await.refusal(409).contains("already running"));
    let mut line = house.socket("/api/tournaments/spring/live").await;
    loop {
        let message = line.hear_of("progress").await;
        if message["standings"]["played"].as_u64().unwrap() > 0 {
            break;
        }
    }
    assert_eq!(house.delete("/api/tournaments/spring").await.status, 204);
    let stopped = wait_for(&house, "spring", "stopped").await;
    assert!(stopped["standings"]["played"].as_u64() < stopped["standings"]["scheduled"].as_u64());
    // Another server on the same folder resumes it.
    let again = House::on(house.data.clone(), None).await;
    assert_eq!(again.get("/api/tournaments").await.good()[0]["state"], "stopped");
    again.post("/api/tournaments/spring/resume", &json!({})).await.good();
    let done = wait_for(&again, "spring", "done").await;
    assert_eq!(done["standings"]["played"], 240);
    assert_eq!(done["games"]["rows"].as_array().unwrap().len(), 50);
    assert!(done["history"][0].as_array().unwrap().len() > 10);
    let rows = done["standings"]["events"][0]["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["rating"]["margin"].is_number()), "{rows:?}");
    let some = again.get("/api/tournaments/spring?agent=level1&from=10&count=5").await.good();
    assert_eq!((&some["games"]["total"], &some["games"]["rows"][4]["number"].is_u64()), (&json!(160), &true));
    let shown = again.get("/api/tournaments/spring/games/7/replay").await.good();
    let mut game = again.socket(&format!("/api/sessions/{}/live", shown["id"].as_str().unwrap())).await;
    assert_eq!(game.hear().await.unwrap()["record"], true);
    assert!(
        again
            .get("/api/tournaments/spring/games/7/replay?as=file")
            .await
            .body
            .starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
    );
    assert_eq!(again.get("/api/tournaments/spring/games/9999/replay").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_installed_from_a_template_and_plays() {
    let house = House::new().await;
    let listed = house.get("/api/agents").await.good();
    assert!(listed["templates"].as_array().unwrap().iter().any(|template| template["language"] == "python"));
    let request = json!({"language": "python", "game": "delirium", "name": "digger"});
    assert_eq!(house.post("/api/agents", &request).await.good()["game"], "delirium");
    assert_eq!(house.post("/api/agents", &request).await.status, 409);
    let games = house.get("/api/games").await.good();
    assert_eq!(games[4]["installed"][0]["name"], "digger");
    assert_eq!(games[0]["installed"], json!([]));
    let mut line = house.play(&json!({"game": "delirium", "seats": ["digger"]})).await;
    let frame = loop {
        let frame = line.hear_of("frame").await;
        if frame["n"] == 1 || frame["status"].get("over").is_some() {
            break frame;
        }
    };
    assert_eq!(frame["decision"]["seat"], 0, "{frame}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_shown_in_a_sandbox() {
    let house = House::new().await;
    let folder = house.data.join("reports/class-1/alice");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(house.data.join("reports/class-1/index.html"), "<h1>Class</h1>").unwrap();
    std::fs::write(folder.join("index.html"), "<h1>Alice</h1>").unwrap();
    std::fs::write(house.data.join("secret.txt"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(house.data.join("secret.txt"), folder.join("link.txt")).unwrap();
    let listed = house.get("/api/reports").await.good();
    assert_eq!(listed[0], json!({"name": "class-1", "url": "/reports/class-1/index.html"}));
    let page = house.get("/reports/class-1/index.html").await;
    assert!(page.head.contains("sandbox") && page.body == b"<h1>Class</h1>", "{}", page.head);
    assert_eq!(house.get("/reports/class-1/alice/index.html").await.status, 200);
    for trick in
        ["alice/link.txt", "../../secret.txt", "..%2f..%2fsecret.txt", "%2e%2e/%2e%2e/secret.txt", "nothing"]
    {
        assert_eq!(house.get(&format!("/reports/class-1/{trick}")).await.status, 404, "{trick}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_described_route_answers_and_nothing_else_does() {
    let house = House::new().await;
    let description = house.get("/api/openapi.json").await.good();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 18, "{:?}", paths.keys());
    for (path, methods) in paths {
        let place = path.replace("{number}", "7").replace(['{', '}'], "");
        for method in methods.as_object().unwrap().keys() {
            let reply = house.ask(&method.to_uppercase(), &place, "", b"").await;
            let text = String::from_utf8_lossy(&reply.body).into_owned();
            assert!(
                !text.contains("nothing at this address") && reply.status != 405,
                "{method} {path}: {text}"
            );
            assert!(reply.status < 500, "{method} {path}: {text}");
        }
        let strange = house.ask("PATCH", &place, "", b"").await;
        assert_eq!(strange.status, 405, "{path}");
    }
    assert!(house.get("/api/nothing").await.refusal(404).contains("nothing at this address"));
    assert!(
        description["x-sockets"].as_array().is_some_and(|sockets| sockets.len() >= 4),
        "{}",
        description["x-sockets"]
    );
    let schemas = description["components"]["schemas"].as_object().unwrap();
    assert!(schemas.contains_key("Problem") && schemas.contains_key("NewSession"), "{:?}", schemas.keys());
    let text = description.to_string();
    for reference in text.split("\"$ref\":\"").skip(1) {
        let place = reference.split('"').next().unwrap().trim_start_matches('#');
        assert!(description.pointer(place).is_some(), "`{place}` is not described");
    }
    let operations = paths.values().flat_map(|methods| methods.as_object().unwrap().values());
    let mut names: Vec<&str> =
        operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "operations have names of their own");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_opens_draws_and_converts_a_level() {
    let house = House::new().await;
    let text = house.get("/api/games/ricochet/levels/missions/01").await.good()["text"].clone();
    let request =
        json!({"game": "ricochet", "rules": "standard", "text": text, "format": "json", "shown": "drawn"});
    let opened = house.post("/api/levels/open", &request).await.good();
    assert_eq!((&opened["format"], &opened["rules"]), (&json!("json"), &json!("standard")));
    for (format, given) in [("json", &opened["text"]), ("drawn", &opened["shown"])] {
        let request = json!({"game": "ricochet", "text": text, "to": format});
        assert_eq!(house.post("/api/levels/convert", &request).await.good()["text"], *given, "{format}");
    }
    let request = json!({"game": "ricochet", "text": text, "format": "clay"});
    assert!(house.post("/api/levels/open", &request).await.refusal(400).contains("json, drawn"));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_bring_their_files_of_the_page() {
    let house = House::new().await;
    let games = house.get("/api/games").await.good();
    for game in games.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let files: Vec<&str> =
            game["page"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
        assert!(files.contains(&"page.js"), "{name}: {files:?}");
        let mut on_disk: Vec<String> =
            std::fs::read_dir(format!("{}/../../games/{name}/page", env!("CARGO_MANIFEST_DIR")))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
        on_disk.sort();
        let mut listed = files.clone();
        listed.sort_unstable();
        assert_eq!(listed, on_disk, "{name} lists other files than its folder has");
        for file in files {
            let path = format!("/page/games/{name}/{file}");
            let served = house.get(&path).await;
            assert_eq!(served.status, 200, "{path}");
            let tag = served.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
            let again = house.ask("GET", &path, &format!("If-None-Match: {tag}\r\n"), b"").await;
            assert_eq!(again.status, 304, "{path}");
        }
    }
    for nothing in
        ["/page/games/siam/nothing.js", "/page/games/nothing/page.js", "/page/games/siam/..%2fpage.js"]
    {
        assert_eq!(house.get(nothing).await.status, 404, "{nothing}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compressed_for_those_who_can_read_it() {
    let house = House::new().await;
    for path in ["/", "/page/main.js", "/page/games/siam/page.js", "/api/games"] {
        let plain = house.get(path).await;
        let packed = house.ask("GET", path, "Accept-Encoding: gzip\r\n", b"").await;
        assert!(packed.head.contains("content-encoding: gzip"), "{path}: {}", packed.head);
        assert!(packed.body.len() < plain.body.len(), "{path}");
    }
}
