//! The server: what all requests share, the routes, and the loop that accepts connections.

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
use utoipa::ToSchema;

use crate::agents::Agents;
use crate::error::{Answer, ApiError};
use crate::guard::{self, Admission, Guard};
use crate::levels::OpenedLevels;
use crate::queue::Queue;
use crate::secrets::secret;
use crate::sessions::Rooms;
use crate::sockets::Sockets;
use crate::tournaments::Tournaments;
use crate::{files, games, openapi, reports};

/// The head of a request comes within this time, or never.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// A body is no larger than this, unless its route says otherwise.
const LARGEST_BODY: usize = 1 << 20;
/// Work that takes a moment waits at most so long for its turn.
const QUEUE_TIME: Duration = Duration::from_secs(20);
/// How often rooms are tidied up.
const TIDY: Duration = Duration::from_secs(1);

/// What a server is started with.
pub struct Options {
    /// The games.
    pub games: Games,
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Access token; generated if none is given and the server listens beyond this machine.
    pub token: Option<String>,
    /// The folder for agents, tournaments and reports.
    pub data: PathBuf,
}

/// What all requests share.
#[derive(Clone)]
pub struct Shared(Arc<House>);

impl Deref for Shared {
    type Target = House;

    fn deref(&self) -> &House {
        &self.0
    }
}

/// What there is.
pub struct House {
    /// The games.
    pub games: Games,
    catalogue: OnceLock<Vec<GameMessage>>,
    /// Levels that were opened last.
    pub levels: OpenedLevels,
    /// Who may ask.
    pub guard: Guard,
    /// The games under way.
    pub rooms: Arc<Rooms>,
    /// The open sockets.
    pub sockets: Sockets,
    /// The installed agents.
    pub agents: Agents,
    /// The tournaments.
    pub tournaments: Tournaments,
    /// The folder of grading reports.
    pub reports: PathBuf,
    /// Work that takes a moment: as much of it at once as there are cores.
    desks: Semaphore,
    /// Limits the searches at once, each of which uses all cores.
    pub searches: Semaphore,
}

impl House {
    /// The games as the page lists them, described once.
    pub fn catalogue(&self) -> &[GameMessage] {
        self.catalogue.get_or_init(|| games::catalogue(self.games))
    }

    /// Does something that takes a moment where it holds up no socket.
    pub async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let busy = || ApiError::busy("the server is busy; try again in a moment");
        let _desk =
            timeout(QUEUE_TIME, self.desks.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ApiError::internal("internal error: please report it"))?
    }
}

/// A server that listens, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    /// Takes the address.
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
        let house = House {
            games,
            catalogue: OnceLock::new(),
            levels: OpenedLevels::default(),
            guard: Guard::new(address, token),
            rooms: Arc::new(Rooms::new(Queue::new(cores())?)),
            sockets: Sockets::default(),
            agents: Agents::new(&data),
            tournaments: Tournaments::new(&data),
            reports: data.join("reports"),
            desks: Semaphore::new(cores() * 2),
            searches: Semaphore::new(cores()),
        };
        Ok(Self { listener, address, shared: Shared(Arc::new(house)) })
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

    /// Answers until told to end.
    pub async fn run(self, until: impl Future<Output = ()>) -> Result<()> {
        allow_many_sockets();
        let Self { listener, shared, .. } = self;
        let early = shared.clone();
        tokio::task::spawn_blocking(move || {
            early.catalogue();
        });
        let router = routes(shared.clone());
        let (ending, end) = watch::channel(());
        let mut tidy = interval(TIDY);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                _ = tidy.tick() => {
                    let shared = shared.clone();
                    tokio::task::spawn_blocking(move || shared.rooms.tidy());
                }
                accepted = listener.accept() => match accepted {
                    // Too many open files, or a client that left at once: others may have more luck in a moment.
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
    // Frames are small and wanted at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(
        router.layer(Extension(ConnectInfo(from))).layer(Extension(Arc::new(admission))),
    );
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
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
    let (router, description) = openapi::routes().split_for_parts();
    let description = Bytes::from(openapi::with_sockets(&description).to_string());
    let described = move || std::future::ready(([(CONTENT_TYPE, "application/json")], description.clone()));
    router
        .route("/", get(files::index))
        .route("/page/{name}", get(files::page))
        .route("/page/games/{game}/{name}", get(files::game_page))
        .route("/reports/{name}/{*file}", get(reports::file))
        .route("/api/openapi.json", get(described))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(shared.clone(), guard::stand))
        .with_state(shared)
}

/// The program and its version.
#[utoipa::path(get, path = "/api/version", responses((status = 200, description = "Name and version.", body = Version)))]
pub async fn version() -> axum::Json<Version> {
    axum::Json(Version { name: "damier", version: damier_host::VERSION })
}

/// The program and its version.
#[derive(Serialize, JsonSchema, ToSchema)]
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

/// Nothing to do: this system does not count sockets as files.
#[cfg(not(unix))]
fn allow_many_sockets() {}
