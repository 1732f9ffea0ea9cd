//! Access control: checks the host, the origin, the token and the rate of every request.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use crate::error::ApiError;
use crate::secrets::same;
use crate::server::Shared;

/// Rate limits, as burst and requests per second, for this machine and for others.
const OWN_RATE: (f64, f64) = (5_000.0, 2_000.0);
const OTHER_RATE: (f64, f64) = (200.0, 40.0);
/// Maximum number of open connections, including sockets, in total and from one other machine.
const MAX_CONNECTIONS: usize = 10_000;
const MAX_PER_ADDRESS: usize = 256;
/// Timeout of a request, including its body.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum number of addresses whose rate is tracked.
const MAX_BUCKETS: usize = 10_000;

/// Checks of every request.
pub struct Guard {
    /// Access token, required for every request if there is one.
    token: Option<String>,
    /// Does the server accept connections from this machine only?
    loopback: bool,
    /// The name of the cookie that holds the token. It includes the port, because all ports of a machine share cookies.
    cookie: String,
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
    connections: Arc<Mutex<Connections>>,
}

/// The open connections.
#[derive(Default)]
struct Connections {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Counts an open connection until dropped; a WebSocket keeps that of its connection.
pub struct Admission {
    from: IpAddr,
    connections: Arc<Mutex<Connections>>,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.all -= 1;
        if let Some(count) = connections.by_address.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                connections.by_address.remove(&self.from);
            }
        }
    }
}

impl Guard {
    /// The guard of a server at this address.
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        let cookie = format!("damier-{}", address.port());
        Self {
            token,
            loopback: address.ip().is_loopback(),
            cookie,
            buckets: Mutex::default(),
            connections: Arc::default(),
        }
    }

    /// Admits a connection, unless there are too many in total or from its address.
    pub fn admit(&self, from: IpAddr) -> Option<Admission> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let own = connections.by_address.get(&from).copied().unwrap_or(0);
        if connections.all >= MAX_CONNECTIONS || (own >= MAX_PER_ADDRESS && !from.is_loopback()) {
            return None;
        }
        connections.all += 1;
        connections.by_address.insert(from, own + 1);
        Some(Admission { from, connections: Arc::clone(&self.connections) })
    }

    /// The token, if one is required.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn check(&self, from: IpAddr, request: &Request) -> Result<(), ApiError> {
        if !self.is_within_rate(from) {
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too many requests; try again in a moment",
            ));
        }
        let headers = request.headers();
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if self.loopback && !is_own_name(host) {
            let refusal = "this server answers only requests to localhost: any other host name may be an attack by a web page";
            return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, refusal));
        }
        if is_foreign(headers, host) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "requests from pages of other sites are refused",
            ));
        }
        if self.token.is_some() && !self.knows_token(headers) {
            let refusal = "access token missing or wrong: open the address that the server printed, or send Authorization: Bearer TOKEN";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, refusal));
        }
        Ok(())
    }

    fn is_token(&self, given: &str) -> bool {
        self.token.as_deref().is_none_or(|token| same(token, given))
    }

    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        let bearer = text(AUTHORIZATION).find_map(|value| value.strip_prefix("Bearer ")).map(str::trim);
        let cookies = text(COOKIE).flat_map(|value| value.split(';'));
        let mut kept = cookies
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter_map(|(name, value)| (name == self.cookie).then_some(value));
        bearer.is_some_and(|given| self.is_token(given)) || kept.any(|given| self.is_token(given))
    }

    /// Answers a request for the page with the right token in its address: stores the token in a cookie and redirects to the address
    /// without it.
    fn log_in(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_deref()?;
        let query = request.uri().query()?;
        let given = query.split('&').find_map(|part| part.strip_prefix("token="))?;
        if request.uri().path() != "/" || !self.is_token(given) {
            return None;
        }
        let cookie = format!("{}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000", self.cookie);
        Some((StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response())
    }

    /// Is a request of this address within its rate limit? Each call counts as one request.
    fn is_within_rate(&self, from: IpAddr) -> bool {
        let (burst, rate) = if from.is_loopback() { OWN_RATE } else { OTHER_RATE };
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(&from) {
            buckets.retain(|_, (_, last)| now.duration_since(*last).as_secs() < 10);
        }
        let (left, last) = buckets.entry(from).or_insert((burst, now));
        *left = (*left + now.duration_since(*last).as_secs_f64() * rate).min(burst);
        *last = now;
        let granted = *left >= 1.0;
        if granted {
            *left -= 1.0;
        }
        granted
    }
}

/// Is it a name of this machine that no web site can have?
fn is_own_name(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Does the request come from a page of another site?
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let other = origin.is_some_and(|origin| {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        !name.is_some_and(|name| name.eq_ignore_ascii_case(host))
    });
    // Another site may link here, but send no other request.
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let site = header("sec-fetch-site");
    let from_outside = site == "cross-site" || site == "same-site";
    other || (from_outside && header("sec-fetch-mode") != "navigate")
}

/// Security headers of every response: no content from elsewhere, no framing, no sniffing, no referrer.
const SECURITY_HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Middleware that checks every request and adds the security headers to every response.
pub async fn check_request(
    State(shared): State<Shared>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let guard = &shared.guard;
    let mut response = match guard.check(from.ip(), &request) {
        Ok(()) => timeout(REQUEST_TIMEOUT, next.run(request)).await.unwrap_or_else(|_| {
            ApiError::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response()
        }),
        Err(refusal) if refusal.is_unauthorized() => {
            guard.log_in(&request).unwrap_or_else(|| refusal.into_response())
        }
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in SECURITY_HEADERS {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        for own in
            ["localhost", "localhost:80", "LOCALHOST:1", "127.0.0.1:7300", "127.8.9.1", "[::1]:9", "[::1]"]
        {
            assert!(is_own_name(own), "{own}");
        }
        for other in
            ["", "example.com", "localhost.example.com:80", "127.0.0.1.example.com", "10.0.0.1:80", "[::2]:9"]
        {
            assert!(!is_own_name(other), "{other}");
        }
    }

    #[test]
    fn an_address_has_an_allowance() {
        let guard = Guard::new(([127, 0, 0, 1], 1).into(), None);
        let other = IpAddr::from([10, 1, 1, 1]);
        let granted = (0..300).filter(|_| guard.is_within_rate(other)).count();
        assert!((200..=210).contains(&granted), "{granted}");
        assert!(guard.is_within_rate(IpAddr::from([10, 1, 1, 2])), "everybody has their own");
    }

    #[test]
    fn an_address_holds_only_so_many_connections() {
        let guard = Guard::new(([0, 0, 0, 0], 1).into(), Some("token".into()));
        let other = IpAddr::from([10, 1, 1, 1]);
        let mut held: Vec<Admission> = (0..MAX_PER_ADDRESS).filter_map(|_| guard.admit(other)).collect();
        assert_eq!(held.len(), MAX_PER_ADDRESS);
        assert!(guard.admit(other).is_none());
        assert!(guard.admit(IpAddr::from([10, 1, 1, 2])).is_some());
        held.pop();
        assert!(guard.admit(other).is_some());
    }
}
