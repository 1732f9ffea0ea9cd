//! `damier serve`, and `damier` alone.

use std::env;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use damier_web::{Options, Server};
use tokio::signal::unix::{SignalKind, signal};

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
    if !no_open && !open_browser(&url) {
        eprintln!("Open this address in a browser; `damier play` plays in the terminal. Ctrl-C ends it.");
    }
    let mut terminated = signal(SignalKind::terminate())?;
    server
        .run(async move {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
        })
        .await
}

/// Where agents, tournaments and reports are kept unless somebody says otherwise.
fn usual_data_folder() -> Result<PathBuf> {
    let of_data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let of_home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let folder = of_data.or_else(of_home).context("there is no home folder; name one with --data")?;
    Ok(folder.join("damier"))
}

/// Opens the page in the browser, if there is a screen to show one; false if not.
fn open_browser(url: &str) -> bool {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set);
    let started = || {
        Command::new("xdg-open")
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    };
    screen && started().is_ok()
}
