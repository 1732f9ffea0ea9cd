//! `damier serve`, and `damier` alone.

use std::env;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use damier_web::{Options, Server};

use crate::Answer;
use crate::args::ServeArgs;
use crate::games;

/// The port that is tried first: the same each time, so that the browser finds its settings again.
const USUAL_PORT: u16 = 7272;

/// Serves the page until it is interrupted.
pub fn serve(args: ServeArgs) -> Result<Answer> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(serve_until_interrupted(args))?;
    // Whatever still thinks need not be waited for.
    runtime.shutdown_background();
    Ok(Answer::Yes)
}

async fn serve_until_interrupted(args: ServeArgs) -> Result<()> {
    let ServeArgs { port, listen, token, data, no_open } = args;
    let ip = listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let data = data.map_or_else(usual_data_folder, Ok)?;
    let options = |port| Options {
        games: games::all(),
        listen: SocketAddr::new(ip, port),
        token: token.clone(),
        data: data.clone(),
    };
    let server = match port {
        Some(port) => Server::bind(options(port)).await?,
        None => match Server::bind(options(USUAL_PORT)).await {
            Ok(server) => server,
            Err(_) => Server::bind(options(0)).await?,
        },
    };
    let url = server.url();
    writeln!(std::io::stdout().lock(), "{url}")?;
    if !no_open {
        let what = if open_browser(&url) {
            "Damier is running: its page opens in your browser."
        } else {
            "Damier is running: open this address in a browser. `damier play` plays in the terminal."
        };
        eprintln!("{what} Your agents and tournaments are kept in {}. Ctrl-C stops it.", data.display());
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

/// The system's request to end, beside Ctrl-C.
#[cfg(unix)]
fn termination() -> std::io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
}

/// The system's request to end, beside Ctrl-C: the console window is closed.
#[cfg(windows)]
fn termination() -> std::io::Result<tokio::signal::windows::CtrlClose> {
    tokio::signal::windows::ctrl_close()
}

/// Default folder for agents, tournaments and reports: where programs keep their data on this system.
fn usual_data_folder() -> Result<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = |below: &str| variable("HOME").map(|home| home.join(below));
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").or_else(|| home(".local/share"))
    };
    Ok(folder.context("there is no home folder; name one with --data")?.join("damier"))
}

/// Opens the page in the browser; false if there is no screen to show one.
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
