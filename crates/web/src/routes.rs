//! The API: every route with its handler and description.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing;
use damier_kit::message::SessionInfo;
use serde_json::Value;

use crate::openapi::{Api, Operation};
use crate::server::{self, Shared};
use crate::tables::{Tournament, TournamentInfo};
use crate::{agents, games, jobs, levels, live, replays, reports, rounds, sessions, tournaments};

/// The routes of the API, and their description.
pub fn routes() -> (Router<Shared>, Value) {
    let api = games_and_levels(Api::new());
    let api = sessions_and_searches(api);
    let api = agents_and_tournaments(api);
    reports_and_version(api).finish()
}

fn games_and_levels(api: Api) -> Api {
    api.get(
        "/api/games",
        games::list,
        Operation::new("All games: rules, agents, levels, formats, keys, brushes.")
            .answers::<Vec<games::GameInfo>>("The games."),
    )
    .get(
        "/api/games/{game}/levels/{pack}/{name}",
        games::level,
        Operation::new("A shipped level's text.")
            .path::<String>("game", "The game's name.")
            .path::<String>("pack", "The pack.")
            .path::<String>("name", "The level.")
            .answers::<games::LevelText>("The level.")
            .refuses(404, "There is no such game or level."),
    )
    .post(
        "/api/levels/open",
        levels::open,
        Operation::new("Checks a level, draws it and converts it to the requested formats.")
            .takes::<levels::OpenRequest>()
            .answers::<levels::Opened>("The level.")
            .refuses(400, "There is no such rule set or format.")
            .refuses(404, "There is no such game.")
            .refuses(422, "The level is malformed, or the format cannot represent it."),
    )
    .post(
        "/api/levels/convert",
        levels::convert,
        Operation::new("Converts a level to another format.")
            .takes::<levels::ConvertRequest>()
            .answers::<levels::Converted>("The level.")
            .refuses(400, "There is no such rule set or format.")
            .refuses(404, "There is no such game.")
            .refuses(422, "The level is malformed, or the format cannot represent it."),
    )
    .post(
        "/api/levels/generate",
        levels::generate,
        Operation::new("Generates a level.")
            .takes::<levels::Generate>()
            .answers::<levels::Generated>("The level.")
            .refuses(400, "The game cannot generate such a level.")
            .refuses(404, "There is no such game."),
    )
}

fn sessions_and_searches(api: Api) -> Api {
    let session = |about| Operation::new(about).path::<String>("id", "The session.");
    let uploads = routing::post(replays::upload).layer(DefaultBodyLimit::max(replays::MAX_UPLOAD));
    api.get(
        "/api/sessions",
        sessions::list,
        Operation::new("The running games.").answers::<Vec<SessionInfo>>("The sessions."),
    )
    .post(
        "/api/sessions",
        sessions::create,
        Operation::new("Starts a game.")
            .takes::<sessions::NewSession>()
            .answers::<sessions::Ticket>("The session.")
            .refuses(400, "There is no such rule set or agent.")
            .refuses(404, "There is no such game or level.")
            .refuses(422, "The level is malformed.")
            .refuses(503, "Too many games are running."),
    )
    .delete(
        "/api/sessions/{id}",
        sessions::remove,
        session("Ends a session.")
            .query::<String>("key", "Its key.")
            .ends("It is gone.")
            .refuses(403, "The key is wrong.")
            .refuses(404, "There is no such session."),
    )
    .get(
        "/api/sessions/{id}/live",
        live::live,
        session("A session, live, over a WebSocket.")
            .query::<String>("key", "The key that allows acting.")
            .opens_a_socket()
            .refuses(404, "There is no such session."),
    )
    .get(
        "/api/sessions/{id}/replay",
        replays::of_session,
        session("The game so far, as a compressed replay.")
            .sends("application/zstd", "JSON lines, compressed by zstd.")
            .refuses(404, "There is no such session."),
    )
    .add(
        "post",
        "/api/replays",
        uploads,
        Operation::new("Shows a replay: the body is a replay file, JSON lines or compressed by zstd.")
            .takes_file("The replay file.")
            .answers::<sessions::Ticket>("A session that shows the game.")
            .refuses(400, "It is not a replay, or it does not follow the rules.")
            .refuses(413, "The file is too large."),
    )
    .get(
        "/api/jobs",
        jobs::jobs,
        Operation::new("Searches, over a WebSocket: check, solve, all shortest solutions, analysis.")
            .opens_a_socket(),
    )
    .get(
        "/api/rounds",
        rounds::rounds,
        Operation::new("A game of rounds, over a WebSocket.")
            .query::<String>("game", "The game's name; by default the first game that has rounds.")
            .query::<u64>("seed", "Determines board, pieces and targets; by default 1.")
            .query::<String>("strength", "The computer's strength, one of the game's `strengths`.")
            .opens_a_socket()
            .refuses(400, "The game has no rounds, or there is no such strength.")
            .refuses(404, "There is no such game."),
    )
}

fn agents_and_tournaments(api: Api) -> Api {
    let tournament = |about| Operation::new(about).path::<String>("name", "The tournament.");
    let with_selection = |operation: Operation| {
        operation
            .query::<usize>("from", "The first game to list.")
            .query::<usize>("count", "The number of games, at most 200.")
            .query::<String>("agent", "Only games of this agent.")
            .query::<String>("event", "Only games of this event.")
    };
    api.get(
        "/api/agents",
        agents::list,
        Operation::new("The agents of the data folder, and the templates for new ones.")
            .answers::<agents::AgentList>("The agents and the templates."),
    )
    .post(
        "/api/agents",
        agents::create,
        Operation::new("Creates an agent in the data folder from a template.")
            .takes::<agents::NewAgent>()
            .answers::<agents::Installed>("The agent.")
            .refuses(400, "There is no such template.")
            .refuses(404, "There is no such game.")
            .refuses(409, "An agent of this name already exists."),
    )
    .get(
        "/api/tournaments",
        tournaments::list,
        Operation::new("The tournaments of the data folder.")
            .answers::<Vec<TournamentInfo>>("The tournaments."),
    )
    .post(
        "/api/tournaments",
        tournaments::create,
        Operation::new("Starts a tournament.")
            .takes::<tournaments::NewTournament>()
            .answers::<tournaments::TournamentName>("Its name.")
            .refuses(400, "An agent, level or rule set does not exist.")
            .refuses(404, "There is no such game.")
            .refuses(409, "A tournament of this name already exists.")
            .refuses(503, "Too many tournaments are running."),
    )
    .get(
        "/api/tournaments/{name}",
        tournaments::get,
        with_selection(tournament("A tournament: plan, state, tables, ratings, games."))
            .answers::<Tournament>("The tournament.")
            .refuses(404, "There is no such tournament."),
    )
    .delete(
        "/api/tournaments/{name}",
        tournaments::stop,
        tournament("Stops a tournament at the end of its running games; it can be resumed.")
            .ends("It stops.")
            .refuses(404, "There is no such tournament."),
    )
    .post(
        "/api/tournaments/{name}/resume",
        tournaments::resume,
        tournament("Resumes a stopped tournament.")
            .answers::<tournaments::TournamentName>("Its name.")
            .refuses(404, "There is no such tournament.")
            .refuses(409, "It is already running, or was made by another version."),
    )
    .get(
        "/api/tournaments/{name}/live",
        tournaments::live,
        with_selection(tournament("A tournament, live, over a WebSocket."))
            .opens_a_socket()
            .refuses(404, "There is no such tournament."),
    )
    .get(
        "/api/tournaments/{name}/games/{number}/replay",
        tournaments::replay,
        tournament("A game of a tournament, shown in a session, or as a file.")
            .path::<usize>("number", "The game.")
            .query::<String>("as", "`file` returns the compressed replay.")
            .answers::<sessions::Ticket>("A session that shows the game.")
            .refuses(404, "There is no such tournament or game."),
    )
}

fn reports_and_version(api: Api) -> Api {
    api.get(
        "/api/reports",
        reports::list,
        Operation::new("The grading reports of the data folder.")
            .answers::<Vec<reports::Report>>("The reports."),
    )
    .get(
        "/reports/{name}/{*file}",
        reports::file,
        Operation::new("A file of a report.")
            .path::<String>("name", "The report.")
            .path::<String>("file", "The file.")
            .sends("*/*", "The file, in a sandbox.")
            .refuses(404, "No report has this file."),
    )
    .get(
        "/api/version",
        server::version,
        Operation::new("The program and its version.").answers::<server::Version>("Name and version."),
    )
}
