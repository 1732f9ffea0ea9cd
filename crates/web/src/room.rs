//! A game that several clients watch: one session, its frames, which are written once, and each viewer's position in them.
//!
//! Frames are not queued per viewer: each viewer has a position in the list of frames and gets the next ones when its socket is ready, so
//! a slow viewer costs nothing extra. One that falls behind the cached frames resumes with a whole board.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use damier_host::contestant::Contestant;
use damier_host::session::{Executor, PERSON, Session, Setup};
use damier_kit::message::{
    Hello, Hint, OverlayMarks, RemarkMessage, ReviewMessage, SessionInfo, SessionMessage, SpriteTable,
};
use damier_kit::replay::Replay;
use damier_kit::review::Review;
use tokio::sync::watch;

use crate::error::Answer;
use crate::frame::{self, FrameWriter};
use crate::secrets::same;
use crate::sessions::Rooms;

/// Number of newest frames that are cached; older ones are written again when a client requests them.
pub const KEPT: usize = 2_000;
/// How many turns agents may think ahead of the furthest viewer, in games without humans.
const AHEAD: u32 = 40;
/// Number of messages passed to a socket at a time.
const BATCH: usize = 64;
/// Maximum number of waiting answers of a viewer; beyond that, the oldest are dropped.
const MAX_MAIL: usize = 32;

/// A client of the room.
struct Viewer {
    host: bool,
    /// The next frame to send.
    next: usize,
    /// Must that one be a whole board?
    whole: bool,
    /// The frame it shows.
    at: usize,
    mail: VecDeque<Utf8Bytes>,
    /// Values last sent to it.
    thinking: Option<usize>,
    watchers: usize,
}

struct Inside {
    session: Session,
    turn_limit: u32,
    /// Does a human play?
    has_human: bool,
    sprites: SpriteTable,
    /// Writes the frames of new moments.
    writer: FrameWriter,
    frames: VecDeque<Utf8Bytes>,
    /// The number of the first cached frame.
    first_kept: usize,
    /// Is the end outside the rules in the newest frame?
    end_shown: bool,
    viewers: BTreeMap<u64, Viewer>,
    newest_viewer: u64,
    /// The last announced number of viewers.
    watchers: usize,
    hint_for: Vec<u64>,
    review_for: Vec<u64>,
    /// When the last viewer left.
    left: Instant,
    /// When an agent last decided something.
    decided: Instant,
}

/// A session with its viewers.
pub struct Room {
    /// Its name in addresses.
    pub id: String,
    key: String,
    /// Approximate memory use of its game.
    pub bytes: usize,
    inside: Mutex<Inside>,
    changed: watch::Sender<u64>,
}

/// Summary of a room.
pub struct Summary {
    /// The entry in the list of sessions.
    pub info: SessionInfo,
    /// When the last viewer left; `None` while there are viewers.
    pub left: Option<Instant>,
}

impl Room {
    /// A room whose agents think in the queue. `make` gets the session's executor.
    pub fn new(
        (id, key): (String, String),
        rooms: &Arc<Rooms>,
        turn_limit: u32,
        bytes: usize,
        make: impl FnOnce(Executor) -> Answer<Session>,
    ) -> Answer<Arc<Self>> {
        let place: Arc<OnceLock<Weak<Self>>> = Arc::default();
        let (found, thinking, resting) = (Arc::clone(&place), Arc::clone(rooms), Arc::clone(rooms));
        let begin = move |work| {
            thinking.think(work);
            Ok(())
        };
        let wake = move || {
            if let Some(room) = found.get().and_then(Weak::upgrade) {
                room.advance();
            }
            resting.save_memory();
        };
        let session = make(Executor::new(begin, wake))?;
        let inside = Mutex::new(Inside::new(session, turn_limit));
        let room = Arc::new(Self { id, key, bytes, inside, changed: watch::Sender::new(0) });
        place.get_or_init(|| Arc::downgrade(&room));
        Ok(room)
    }

    /// Does it show a replay?
    pub fn is_record(&self) -> bool {
        self.lock().session.is_record()
    }

    /// Is this the key that lets a client act?
    pub fn is_key(&self, key: &str) -> bool {
        same(&self.key, key)
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the game, writes new frames and lets agents think. It runs the rules, so it must not be called from threads that serve
    /// sockets.
    fn change<T>(&self, change: impl FnOnce(&mut Inside) -> T) -> T {
        let mut inside = self.lock();
        let value = change(&mut inside);
        inside.show();
        inside.let_agents_think();
        drop(inside);
        self.changed.send_modify(|count| *count += 1);
        value
    }

    /// Collects the agents' decisions.
    fn advance(&self) {
        self.change(|inside| {
            inside.session.collect_answers();
            inside.decided = Instant::now();
        });
    }

    /// Adds a viewer; the receiver is notified of every change.
    pub fn join(&self, host: bool) -> (u64, watch::Receiver<u64>) {
        let changes = self.changed.subscribe();
        let mut inside = self.lock();
        let viewer = inside.join(&self.id, host);
        inside.let_agents_think();
        (viewer, changes)
    }

    /// Removes a viewer.
    pub fn leave(&self, viewer: u64) {
        let mut inside = self.lock();
        inside.viewers.remove(&viewer);
        if inside.viewers.is_empty() {
            inside.left = Instant::now();
            inside.session.drop_idle_agents();
        }
    }

    /// Drops idle agents to free their memory, unless the room is in use.
    pub fn drop_idle_agents(&self) {
        if let Ok(mut inside) = self.inside.try_lock() {
            inside.session.drop_idle_agents();
        }
    }

    /// When an agent last decided something here.
    pub fn last_decision(&self) -> Instant {
        self.lock().decided
    }

    /// The next messages for a viewer; empty if it has them all.
    pub fn batch(&self, viewer: u64) -> Vec<Utf8Bytes> {
        self.lock().batch(viewer)
    }

    /// Records which frame a viewer shows.
    pub fn set_position(&self, viewer: u64, n: usize) {
        let mut inside = self.lock();
        if let Some(viewer) = inside.viewers.get_mut(&viewer) {
            viewer.at = n;
        }
        inside.let_agents_think();
    }

    /// Old frames, written again; the first one with the whole board.
    pub fn frames(&self, range: std::ops::Range<usize>) -> Vec<Utf8Bytes> {
        let mut inside = self.lock();
        let end = range.end.min(inside.session.moments());
        let mut writer = FrameWriter::default();
        (range.start..end).map(|n| inside.frame(&mut writer, n, n == range.start)).collect()
    }

    /// The oldest frame that a new viewer gets.
    pub fn first_kept(&self) -> usize {
        self.lock().first_kept
    }

    /// Plays a human's action.
    pub fn act(&self, viewer: u64, n: usize, action: &str) {
        self.change(|inside| {
            if let Err(complaint) = inside.act(n, action) {
                inside.mail(viewer, &SessionMessage::Complaint { text: &complaint });
            }
        });
    }

    /// Asks our strongest agent for a hint.
    pub fn ask_for_hint(&self, viewer: u64, n: usize) {
        let mut inside = self.lock();
        if n < inside.session.moments() && !inside.session.is_record() {
            inside.hint_for.push(viewer);
            inside.session.ask_for_hint_at(n);
        }
    }

    /// Requests a review of the game.
    pub fn ask_for_review(&self, viewer: u64) {
        let mut inside = self.lock();
        inside.review_for.push(viewer);
        if inside.session.review().is_none() {
            inside.session.review_or_next_remark();
        }
        inside.answer();
    }

    /// Sends the marks of an overlay.
    pub fn ask_for_overlay(&self, viewer: u64, n: usize, name: &str) {
        let mut inside = self.lock();
        let known = inside.session.setup().info.overlays.iter().any(|overlay| overlay.name == name);
        if known && n < inside.session.moments() {
            let marks = inside.session.table_at(n).overlay(name);
            inside.mail(viewer, &SessionMessage::Overlay(OverlayMarks { n, name, marks }));
        }
    }

    /// Restarts the game with another seed.
    pub fn restart(&self, viewer: u64, seed: u64) {
        self.change(|inside| {
            if let Err(error) = inside.restart(&self.id, seed) {
                inside.mail(viewer, &SessionMessage::Complaint { text: &error.to_string() });
            }
        });
    }

    /// The game so far, as a replay.
    pub fn replay(&self) -> anyhow::Result<Replay> {
        let inside = self.lock();
        inside.session.replay_to(inside.session.moments() - 1, inside.turn_limit)
    }

    /// The room's entry in the list.
    pub fn summary(&self) -> Summary {
        let inside = self.lock();
        let Inside { session, viewers, .. } = &*inside;
        let setup = session.setup();
        let info = SessionInfo {
            id: self.id.clone(),
            game: setup.info.name,
            rules: setup.open.rules().to_owned(),
            level: setup.level_name.clone(),
            seats: seat_names(setup).into_iter().map(str::to_owned).collect(),
            record: session.is_record(),
            turns: session.table_at(session.moments() - 1).turns(),
            watchers: viewers.len(),
        };
        Summary { info, left: viewers.is_empty().then_some(inside.left) }
    }

    /// Sends the number of viewers to all of them, if it changed.
    pub fn send_watcher_count(&self) {
        let mut inside = self.lock();
        if inside.watchers != inside.viewers.len() {
            inside.watchers = inside.viewers.len();
            drop(inside);
            self.changed.send_modify(|count| *count += 1);
        }
    }
}

impl Inside {
    fn new(session: Session, turn_limit: u32) -> Self {
        let has_human = session.setup().players.iter().any(Option::is_none);
        let mut inside = Self {
            session,
            turn_limit,
            has_human,
            sprites: SpriteTable::default(),
            writer: FrameWriter::default(),
            frames: VecDeque::new(),
            first_kept: 0,
            end_shown: false,
            viewers: BTreeMap::new(),
            newest_viewer: 0,
            watchers: 0,
            hint_for: Vec::new(),
            review_for: Vec::new(),
            left: Instant::now(),
            decided: Instant::now(),
        };
        inside.show();
        inside
    }

    fn join(&mut self, id: &str, host: bool) -> u64 {
        self.newest_viewer += 1;
        let hello = self.hello(id, host);
        let viewer = Viewer {
            host,
            next: self.first_kept,
            whole: self.first_kept > 0,
            at: self.first_kept,
            mail: VecDeque::from([hello]),
            thinking: None,
            watchers: 0,
        };
        self.viewers.insert(self.newest_viewer, viewer);
        self.newest_viewer
    }

    fn hello(&mut self, id: &str, host: bool) -> Utf8Bytes {
        let picture = self.sprites.board(&self.session.table_at(0).draw());
        let setup = self.session.setup();
        write(&SessionMessage::Hello(Hello {
            id,
            game: setup.info.name,
            rules: setup.open.rules(),
            level: &setup.level_name,
            seed: setup.seed,
            seats: seat_names(setup),
            record: self.session.is_record(),
            host,
            facts: setup.open.facts(),
            tick_ms: setup.open.tick_ms(),
            idle: setup.info.idle,
            turn_limit: self.turn_limit,
            picture,
        }))
    }

    fn frame(&mut self, writer: &mut FrameWriter, n: usize, whole: bool) -> Utf8Bytes {
        writer.write(&self.session, &mut self.sprites, self.turn_limit, n, whole).into()
    }

    /// The number of the frame after the newest.
    fn next_frame(&self) -> usize {
        self.first_kept + self.frames.len()
    }

    /// Writes the frames of new moments and the answers that are ready.
    fn show(&mut self) {
        if self.session.end().is_some() && !self.end_shown {
            self.drop_frames_from(self.session.moments() - 1);
            self.end_shown = true;
        }
        while self.next_frame() < self.session.moments() {
            let n = self.next_frame();
            let Self { session, sprites, writer, turn_limit, .. } = self;
            let frame = writer.write(session, sprites, *turn_limit, n, false);
            self.frames.push_back(frame.into());
            if self.frames.len() > KEPT {
                self.frames.pop_front();
                self.first_kept += 1;
            }
        }
        self.answer();
    }

    /// Drops outdated frames, from this one on.
    fn drop_frames_from(&mut self, n: usize) {
        self.frames.truncate(n.saturating_sub(self.first_kept));
        self.first_kept = self.first_kept.min(n);
        for viewer in self.viewers.values_mut() {
            viewer.next = viewer.next.min(n);
        }
    }

    fn answer(&mut self) {
        if let Some(hint) = self.session.take_hint() {
            let text =
                SessionMessage::Hint(Hint { n: hint.about, action: &hint.action, insight: &hint.insight });
            for viewer in std::mem::take(&mut self.hint_for) {
                self.mail(viewer, &text);
            }
        }
        if !self.review_for.is_empty() && !self.session.is_reviewing() {
            let text = write(&review_message(self.session.review()));
            self.session.complaint = None;
            for viewer in std::mem::take(&mut self.review_for) {
                self.post(viewer, text.clone());
            }
        }
        if let Some(text) = self.session.complaint.take() {
            let hosts: Vec<u64> =
                self.viewers.iter().filter(|(_, viewer)| viewer.host).map(|(id, _)| *id).collect();
            for host in hosts {
                self.mail(host, &SessionMessage::Complaint { text: &text });
            }
        }
    }

    fn mail(&mut self, viewer: u64, message: &SessionMessage<'_>) {
        self.post(viewer, write(message));
    }

    fn post(&mut self, viewer: u64, message: Utf8Bytes) {
        if let Some(viewer) = self.viewers.get_mut(&viewer) {
            viewer.mail.push_back(message);
            if viewer.mail.len() > MAX_MAIL {
                viewer.mail.pop_front();
            }
        }
    }

    /// Lets agents think while there are viewers, but not too far ahead of them.
    fn let_agents_think(&mut self) {
        let Some(furthest) = self.viewers.values().map(|viewer| viewer.at).max() else { return };
        let front = self.session.moments() - 1;
        let turns = |n: usize| self.session.table_at(n).turns();
        let ahead = !self.has_human && turns(front) >= turns(furthest.min(front)) + AHEAD;
        if !ahead && turns(front) < self.turn_limit {
            self.session.think_at_newest();
        }
    }

    fn act(&mut self, n: usize, action: &str) -> Result<(), String> {
        if n >= self.session.moments() {
            return Err("the game has not reached this moment yet".into());
        }
        if frame::over(&self.session, self.turn_limit, n).is_some() {
            return Err("the game is over".into());
        }
        if !self.session.human_moves_at(n) {
            return Err("it is not your move".into());
        }
        if !self.session.act_at(n, action) {
            return Err(self.session.complaint.take().unwrap_or_default());
        }
        self.drop_frames_from(n + 1);
        self.end_shown = false;
        Ok(())
    }

    fn restart(&mut self, id: &str, seed: u64) -> anyhow::Result<()> {
        anyhow::ensure!(!self.session.is_record(), "a replay cannot be restarted");
        self.session.restart(seed)?;
        self.drop_frames_from(0);
        self.end_shown = false;
        let hellos = [self.hello(id, false), self.hello(id, true)];
        for viewer in self.viewers.values_mut() {
            viewer.mail.clear();
            viewer.mail.push_back(hellos[usize::from(viewer.host)].clone());
            (viewer.at, viewer.whole) = (0, false);
        }
        Ok(())
    }

    fn batch(&mut self, id: u64) -> Vec<Utf8Bytes> {
        let end = self.next_frame();
        let Some(viewer) = self.viewers.get_mut(&id) else { return Vec::new() };
        let mut messages: Vec<Utf8Bytes> = viewer.mail.drain(..).collect();
        if viewer.next < self.first_kept {
            // It fell behind the cached frames: it resumes with the newest moment.
            (viewer.next, viewer.whole) = (end - 1, true);
        }
        let first = viewer.next;
        let last = end.min(first + BATCH);
        let whole = std::mem::take(&mut viewer.whole) && first < last;
        viewer.next = last;
        let mut news: Vec<Utf8Bytes> = Vec::new();
        let thinking = self.session.thinking_seat().filter(|_| self.has_human);
        if viewer.thinking != thinking {
            viewer.thinking = thinking;
            news.push(write(&SessionMessage::Thinking { seat: thinking }));
        }
        if viewer.watchers != self.watchers {
            viewer.watchers = self.watchers;
            news.push(write(&SessionMessage::Watchers { count: self.watchers }));
        }
        if whole {
            messages.push(self.frame(&mut FrameWriter::default(), first, true));
        }
        let kept = self.frames.range(first - self.first_kept..last - self.first_kept);
        messages.extend(kept.skip(usize::from(whole)).cloned());
        messages.extend(news);
        messages
    }
}

/// The players' names by seat.
fn seat_names(setup: &Setup) -> Vec<&str> {
    setup.players.iter().map(|player| player.as_ref().map_or(PERSON, Contestant::name)).collect()
}

/// A message as the socket sends it.
fn write(message: &SessionMessage<'_>) -> Utf8Bytes {
    serde_json::to_string(message).expect("a message is plain data").into()
}

fn review_message(review: Option<&Review>) -> SessionMessage<'_> {
    let Some(review) = review else {
        let text = "No remarks on this game.";
        return SessionMessage::Review(ReviewMessage { text, remarks: Vec::new() });
    };
    let remarks =
        review.remarks.iter().map(|remark| RemarkMessage { remark, n: remark.number - 1 }).collect();
    SessionMessage::Review(ReviewMessage { text: &review.text, remarks })
}
