//! `damier serve`, and `damier` alone.

use std::env;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow};
use damier_host::terms::Confinement;
use damier_process::agents::confinement_warning;
use damier_web::{Options, Server};

use crate::Answer;
use crate::args::ServeArgs;
use crate::args::values::parse_token;
use crate::games;

/// Default port: the same each time, so that the browser finds its settings again.
const DEFAULT_PORT: u16 = 7272;
/// The environment variable that may hold the access token.
const TOKEN_VARIABLE: &str = "DAMIER_TOKEN";

/// Serves the page until it is interrupted.
pub fn serve(args: ServeArgs) -> Result<Answer> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(serve_until_interrupted(args))?;
    // Does not wait for agents that are still thinking.
    runtime.shutdown_background();
    Ok(Answer::Yes)
}

async fn serve_until_interrupted(args: ServeArgs) -> Result<()> {
    let token = find_token(&args)?;
    let ServeArgs { port, listen, data, no_open, .. } = args;
    let ip = listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let data = data.map_or_else(default_data_folder, Ok)?;
    let options = |port| Options {
        games: games::all(),
        listen: SocketAddr::new(ip, port),
        token: token.clone(),
        data: data.clone(),
    };
    let server = match port {
        Some(port) => Server::bind(options(port)).await?,
        None => match Server::bind(options(DEFAULT_PORT)).await {
            Ok(server) => server,
            Err(_) => Server::bind(options(0)).await?,
        },
    };
    let url = server.url();
    writeln!(std::io::stdout().lock(), "{url}")?;
    if !no_open {
        let what = if open_browser(&url) {
            "Damier is running: the page opens in your browser."
        } else {
            "Damier is running: open this address in a browser, or play in the terminal with `damier play`."
        };
        eprintln!("{what} Your agents and tournaments are in {}. Press Ctrl-C to stop.", data.display());
    }
    if let Some(warning) = confinement_warning(Confinement::Full) {
        eprintln!("damier: {warning}");
    }
    let mut terminated = termination()?;
    server
        .run(async move {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
        })
        .await
}

/// The access token, if one is given: as an option, in a file or in the environment.
fn find_token(args: &ServeArgs) -> Result<Option<String>> {
    if args.token.is_some() {
        return Ok(args.token.clone());
    }
    let (name, text) = match &args.token_file {
        Some(path) => {
            let name = path.display().to_string();
            (name.clone(), std::fs::read_to_string(path).context(name)?)
        }
        None => match env::var(TOKEN_VARIABLE) {
            Ok(text) => (TOKEN_VARIABLE.to_owned(), text),
            Err(_) => return Ok(None),
        },
    };
    parse_token(text.trim()).map(Some).map_err(|error| anyhow!("{name}: {error}"))
}

/// The system's request to terminate, besides Ctrl-C.
#[cfg(unix)]
fn termination() -> std::io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
}

/// The system's request to terminate, besides Ctrl-C: the console window is closed.
#[cfg(windows)]
fn termination() -> std::io::Result<tokio::signal::windows::CtrlClose> {
    tokio::signal::windows::ctrl_close()
}

/// Default folder for agents, tournaments and reports: the system's place for program data.
fn default_data_folder() -> Result<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = |below: &str| variable("HOME").map(|home| home.join(below));
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").or_else(|| home(".local/share"))
    };
    Ok(folder.context("there is no home folder; choose a data folder with --data")?.join("damier"))
}

/// Opens the page in the browser; false if there is no display.
fn open_browser(url: &str) -> bool {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let (program, arguments): (_, &[&str]) = if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set) {
        ("xdg-open", &[])
    } else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
