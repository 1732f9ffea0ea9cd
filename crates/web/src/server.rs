//! The server: shared state, routes, and the loop that accepts connections.

use std::net::SocketAddr;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Extension, Router};
use damier_host::games::Games;
use damier_kit::message::GameMessage;
use damier_kit::time::cores;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{interval, sleep, timeout};
use tower_http::compression::CompressionLayer;

use crate::agents::Agents;
use crate::error::{Answer, ApiError};
use crate::guard::{self, Admission, Guard};
use crate::levels::OpenedLevels;
use crate::queue::Queue;
use crate::secrets::secret;
use crate::sessions::Rooms;
use crate::slots::Searches;
use crate::sockets::Sockets;
use crate::tournaments::Tournaments;
use crate::{files, games, routes};

/// Timeout for the header of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum size of a body, unless its route sets another.
const MAX_BODY: usize = 1 << 20;
/// Maximum wait for a slot.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);
/// Interval between cleanups of rooms.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(1);

/// Options of a server.
pub struct Options {
    /// The games.
    pub games: Games,
    /// Address to listen on; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Access token; generated if none is given and the server listens beyond this machine.
    pub token: Option<String>,
    /// The folder for agents, tournaments and reports.
    pub data: PathBuf,
}

/// Shared handle to the server's state.
#[derive(Clone)]
pub struct Shared(Arc<ServerState>);

impl Deref for Shared {
    type Target = ServerState;

    fn deref(&self) -> &ServerState {
        &self.0
    }
}

/// State that all requests share.
pub struct ServerState {
    /// The games.
    pub games: Games,
    catalogue: OnceLock<Vec<GameMessage>>,
    /// Cache of opened levels.
    pub levels: OpenedLevels,
    /// Access control.
    pub guard: Guard,
    /// The running games.
    pub rooms: Arc<Rooms>,
    /// The open sockets.
    pub sockets: Sockets,
    /// The installed agents.
    pub agents: Agents,
    /// The tournaments.
    pub tournaments: Tournaments,
    /// The folder of grading reports.
    pub reports: PathBuf,
    /// Slots for short blocking work.
    blocking: Arc<Semaphore>,
    /// Slots for level generators, which can take longer.
    generators: Arc<Semaphore>,
    /// Slots for searches, each of which uses all cores.
    pub searches: Searches,
}

impl ServerState {
    /// The games as the page lists them, described once.
    pub fn catalogue(&self) -> &[GameMessage] {
        self.catalogue.get_or_init(|| games::catalogue(self.games))
    }

    /// Runs short blocking work in another thread, so that it blocks no socket.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        run_in_slot(&self.blocking, work).await
    }

    /// Runs a level generator in another thread.
    pub async fn run_generator<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        run_in_slot(&self.generators, work).await
    }
}

/// Runs work when a slot is free. The work keeps its slot until it is done, even if the client is gone by then; a client that leaves
/// while waiting takes no slot.
async fn run_in_slot<T: Send + 'static>(
    blocking: &Arc<Semaphore>,
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let busy = || ApiError::busy("the server is busy; try again in a moment");
    let slot = timeout(QUEUE_TIMEOUT, Arc::clone(blocking).acquire_owned()).await;
    let slot = slot.map_err(|_| busy())?.map_err(|_| busy())?;
    let done = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        work()
    });
    done.await.map_err(|_| ApiError::internal("internal error: please report it"))?
}

/// A server that is listening but not answering yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    /// Starts listening.
    pub async fn bind(options: Options) -> Result<Self> {
        let Options { games, listen, token, data } = options;
        let listener =
            TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
        let address = listener.local_addr()?;
        let token = match token {
            None if !listen.ip().is_loopback() => {
                Some(secret::<16>().map_err(|error| anyhow::anyhow!("{}", error.sentence()))?)
            }
            given => given,
        };
        let state = ServerState {
            games,
            catalogue: OnceLock::new(),
            levels: OpenedLevels::default(),
            guard: Guard::new(address, token),
            rooms: Arc::new(Rooms::new(Queue::new(cores())?)),
            sockets: Sockets::default(),
            agents: Agents::new(&data),
            tournaments: Tournaments::new(&data),
            reports: data.join("reports"),
            blocking: Arc::new(Semaphore::new(cores() * 2)),
            generators: Arc::new(Semaphore::new(cores())),
            searches: Searches::new(cores()),
        };
        Ok(Self { listener, address, shared: Shared(Arc::new(state)) })
    }

    /// The address of the page, with the token if one is needed.
    pub fn url(&self) -> String {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => "localhost".to_owned(),
            std::net::IpAddr::V4(ip) => ip.to_string(),
            std::net::IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let token = self.shared.guard.token().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{host}:{}/{token}", self.address.port())
    }

    /// Serves requests until the future completes.
    pub async fn run(self, until: impl Future<Output = ()>) -> Result<()> {
        allow_many_sockets();
        let Self { listener, shared, .. } = self;
        let early = shared.clone();
        tokio::task::spawn_blocking(move || {
            early.catalogue();
        });
        let router = routes(shared.clone());
        let (ending, end) = watch::channel(());
        let mut cleanup = interval(CLEANUP_INTERVAL);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                _ = cleanup.tick() => {
                    let shared = shared.clone();
                    tokio::task::spawn_blocking(move || shared.rooms.cleanup());
                }
                accepted = listener.accept() => match accepted {
                    // Too many open files, or a client that left at once: retry in a moment.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                    Ok((stream, from)) => {
                        if let Some(admission) = shared.guard.admit(from.ip()) {
                            tokio::spawn(serve(stream, from, admission, router.clone(), end.clone()));
                        }
                    }
                },
            }
        }
        shared.tournaments.stop_all();
        drop(ending);
        Ok(())
    }
}

/// Serves one connection until either side ends it.
async fn serve(
    stream: TcpStream,
    from: SocketAddr,
    admission: Admission,
    router: Router,
    mut end: watch::Receiver<()>,
) {
    // Frames are small and must be sent at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(
        router.layer(Extension(ConnectInfo(from))).layer(Extension(Arc::new(admission))),
    );
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(64 << 10)
        .serve_connection(
            TokioIo::new(stream),
            hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
                hyper::service::Service::call(&service, request.map(axum::body::Body::new))
            }),
        )
        .with_upgrades();
    tokio::select! {
        _ = connection => {}
        _ = end.changed() => {}
    }
}

/// The routes and their description.
fn routes(shared: Shared) -> Router {
    let (router, description) = routes::routes();
    let description = Bytes::from(description.to_string());
    let described = move || std::future::ready(([(CONTENT_TYPE, "application/json")], description.clone()));
    router
        .route("/", get(files::index))
        .route("/page/{name}", get(files::page))
        .route("/page/games/{game}/{name}", get(files::game_page))
        .route("/api/openapi.json", get(described))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(shared.clone(), guard::check_request))
        .with_state(shared)
}

/// The program and its version.
pub async fn version() -> axum::Json<Version> {
    axum::Json(Version { name: "damier", version: damier_host::VERSION })
}

/// The program and its version.
#[derive(Serialize, JsonSchema)]
pub struct Version {
    /// `damier`.
    name: &'static str,
    /// The version of all its crates.
    version: &'static str,
}

async fn nothing(_: Request) -> ApiError {
    ApiError::not_found("there is nothing at this address")
}

async fn other_method() -> ApiError {
    ApiError::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "this address does not support this method")
}

/// Raises the limit of open files as far as the system allows: sockets count, and there may be thousands.
#[cfg(unix)]
fn allow_many_sockets() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If it is not allowed, fewer sockets are served.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// Does nothing: this system does not count sockets as files.
#[cfg(not(unix))]
fn allow_many_sockets() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn work_holds_its_slot_until_it_is_done_even_if_its_client_has_left() {
        let blocking = Arc::new(Semaphore::new(1));
        let (finish, finished) = std::sync::mpsc::channel::<()>();
        let work = run_in_slot(&blocking, move || {
            let _ = finished.recv();
            Ok(())
        });
        assert!(timeout(Duration::from_millis(50), work).await.is_err(), "the client leaves");
        assert_eq!(blocking.available_permits(), 0);
        drop(finish);
        assert!(timeout(Duration::from_secs(10), blocking.acquire()).await.is_ok(), "the slot is free again");
    }
}
