//! The sockets that this node holds: at most one a TV, and the newest wins.
//!
//! A bridge session registers its socket with [`Links::open`] and pumps the [`LinkFrames`] it gets out to the TV. Whoever has
//! something to say to a TV finds its [`Link`] here. The table outlives every actor, so a [`TvActor`](crate::TvActor) that was put away
//! or rebuilt finds its TV still connected.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use jiff::Timestamp;
use playhouse_house::TvId;
use serde::{Deserialize, Serialize};

use crate::wire::{Command, Op, encode};

mod in_flight;
mod outbox;
mod overlays;

pub use in_flight::InFlight;
use in_flight::Waiting;
use outbox::Outbox;
pub use outbox::{LinkFrames, Outgoing, SendRefusal};
use overlays::Overlays;

/// Which socket of a TV is meant. Later sockets have larger numbers, across all TVs of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LinkId(u64);

/// Why the relay closes a socket. The codes are those that the app's WebSocket library can echo: 1000, 1001, 1008, 1011 and 4000–4999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CloseReason {
    /// The TV dialled in again.
    Replaced,
    /// The TV was removed from its house, or its token was revoked.
    Removed,
    /// This node is going away; the TV dials in again by itself.
    ShuttingDown,
    /// The TV did not answer probes.
    Silent,
    /// The TV sent what no bridge sends: too much, too long or no frames at all.
    Misbehaved,
}

impl CloseReason {
    /// The close code.
    pub const fn code(self) -> u16 {
        match self {
            CloseReason::Replaced => 4000,
            CloseReason::Removed => 1008,
            CloseReason::ShuttingDown => 1001,
            CloseReason::Silent => 4001,
            CloseReason::Misbehaved => 4002,
        }
    }

    /// The reason text, below the 123 bytes that a close frame holds.
    pub const fn text(self) -> &'static str {
        match self {
            CloseReason::Replaced => "replaced by a newer connection",
            CloseReason::Removed => "this TV is no longer paired",
            CloseReason::ShuttingDown => "relay is restarting",
            CloseReason::Silent => "no answer to probes",
            CloseReason::Misbehaved => "frames were too many, too long or malformed",
        }
    }
}

/// Bounds of the frames that wait for one socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkSettings {
    /// Frames that may wait.
    pub max_queued_frames: usize,
    /// Bytes that may wait.
    pub max_queued_bytes: usize,
}

impl Default for LinkSettings {
    /// More than a TV's actor admits at once; a socket that holds this much back is not being read.
    fn default() -> Self {
        Self { max_queued_frames: 128, max_queued_bytes: 256 * 1024 }
    }
}

/// All sockets of this node. Cheap to clone; all clones are one table.
#[derive(Clone)]
pub struct Links {
    shared: Arc<Shared>,
}

struct Shared {
    open: DashMap<TvId, Link>,
    overlays: Overlays,
    next_link: AtomicU64,
    settings: LinkSettings,
}

/// One socket of one TV. Cheap to clone.
#[derive(Clone)]
pub struct Link {
    shared: Arc<LinkState>,
}

struct LinkState {
    id: LinkId,
    opened_at: Timestamp,
    outbox: Outbox,
    waiting: Waiting,
    next_command: AtomicU64,
    /// Operations that the app at the other end answered `unsupported op` to. Holds for this socket only: the app may be updated.
    lacking: AtomicU16,
}

impl Links {
    /// An empty table.
    pub fn new(settings: LinkSettings) -> Self {
        let (open, overlays) = (DashMap::new(), Overlays::default());
        Self { shared: Arc::new(Shared { open, overlays, next_link: AtomicU64::new(1), settings }) }
    }

    /// Registers a socket of `tv`. An older socket of the same TV is told to close and is no longer found from this moment.
    ///
    /// The session sends what it reads from the frames, and drops them when its socket ends; that takes the link off the table,
    /// unless a newer one has taken its place.
    pub fn open(&self, tv: TvId, now: Timestamp) -> LinkFrames {
        let entry = self.shared.open.entry(tv);
        // Numbered while the table's entry is held: of two sockets that race, the one that stays has the larger number.
        let id = LinkId(self.shared.next_link.fetch_add(1, Ordering::Relaxed));
        let link = Link {
            shared: Arc::new(LinkState {
                id,
                opened_at: now,
                outbox: Outbox::new(self.shared.settings),
                waiting: Waiting::new(),
                next_command: AtomicU64::new(1),
                lacking: AtomicU16::new(0),
            }),
        };
        match entry {
            Entry::Occupied(mut occupied) => occupied.insert(link.clone()).close(CloseReason::Replaced),
            Entry::Vacant(vacant) => drop(vacant.insert(link.clone())),
        }
        LinkFrames::new(self.clone(), tv, link)
    }

    /// The present socket of `tv`, if it is connected here.
    pub fn current(&self, tv: TvId) -> Option<Link> {
        self.shared.open.get(&tv).map(|link| link.clone())
    }

    /// Whether `tv` is connected here.
    pub fn is_online(&self, tv: TvId) -> bool {
        self.shared.open.contains_key(&tv)
    }

    /// Tells the present socket of `tv` to close. Answers whether there was one.
    pub fn close(&self, tv: TvId, reason: CloseReason) -> bool {
        let removed = self.shared.open.remove(&tv);
        removed.inspect(|(_, link)| link.close(reason)).is_some()
    }

    /// Tells every socket to close, each after what is queued for it and after its subtitle was taken away. For shutting down.
    pub fn close_all(&self, reason: CloseReason) {
        self.shared.open.retain(|tv, link| {
            if self.shared.overlays.is_up(*tv) && link.send(link.clearing_frame()).is_ok() {
                self.shared.overlays.forget(*tv);
            }
            link.shared.outbox.close_when_empty(reason);
            false
        });
    }

    /// How many TVs are connected here.
    pub fn n_open(&self) -> usize {
        self.shared.open.len()
    }

    pub(crate) fn overlays(&self) -> &Overlays {
        &self.shared.overlays
    }

    fn forget(&self, tv: TvId, id: LinkId) {
        self.shared.open.remove_if(&tv, |_, link| link.id() == id);
    }
}

impl Link {
    /// Which socket this is.
    pub fn id(&self) -> LinkId {
        self.shared.id
    }

    /// When the TV dialled in.
    pub fn opened_at(&self) -> Timestamp {
        self.shared.opened_at
    }

    /// Queues a frame behind those already waiting. It does not wait: what does not fit is refused.
    ///
    /// # Errors
    /// [`SendRefusal`]; the frame was not queued and will not be sent.
    pub fn send(&self, frame: String) -> Result<(), SendRefusal> {
        self.shared.outbox.push(frame)
    }

    /// Has the session close the socket at once: frames still queued are dropped, and commands in flight fail.
    pub fn close(&self, reason: CloseReason) {
        self.shared.outbox.close(reason);
        self.shared.waiting.end();
    }

    /// A frame id that no other frame has, on this socket or any other of this process.
    fn next_command_id(&self) -> String {
        let n = self.shared.next_command.fetch_add(1, Ordering::Relaxed);
        format!("{}-{n}", self.shared.id.0)
    }

    /// The frame that takes a subtitle away. Nobody waits for its answer; being clear already is no fault.
    pub(crate) fn clearing_frame(&self) -> String {
        encode(&self.next_command_id(), &Command::ClearSubtitle)
    }

    /// Remembers that the app at the other end does not know `op`.
    pub fn note_lacking(&self, op: Op) {
        self.shared.lacking.fetch_or(op.bit(), Ordering::Relaxed);
    }

    /// Whether the app at the other end is known not to know `op`.
    pub fn lacks(&self, op: Op) -> bool {
        self.shared.lacking.load(Ordering::Relaxed) & op.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};
    use uuid::Uuid;

    use super::*;
    use crate::wire::IncomingFrame;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn tv(n: u128) -> TvId {
        TvId::from_uuid(Uuid::from_u128(n))
    }

    fn links() -> Links {
        Links::new(LinkSettings { max_queued_frames: 3, max_queued_bytes: 200 })
    }

    /// All that can be read from the socket's side without waiting.
    fn written(frames: &mut LinkFrames) -> Vec<Outgoing> {
        std::iter::from_fn(|| frames.next().now_or_never().flatten()).collect()
    }

    fn frame(text: &str) -> Outgoing {
        Outgoing::Frame(text.to_owned())
    }

    #[test]
    fn frames_come_out_in_the_order_they_went_in() {
        let links = links();
        let mut frames = links.open(tv(1), NOW);
        let link = links.current(tv(1)).unwrap();
        for text in ["a", "b", "c"] {
            link.send(text.to_owned()).unwrap();
        }
        assert_eq!(written(&mut frames), [frame("a"), frame("b"), frame("c")]);
    }

    #[test]
    fn the_newest_socket_wins_and_the_old_one_is_told_why() {
        let links = links();
        let mut old = links.open(tv(1), NOW);
        links.current(tv(1)).unwrap().send("late".to_owned()).unwrap();
        let mut new = links.open(tv(1), NOW);

        assert_eq!(written(&mut old), [Outgoing::Close(CloseReason::Replaced)]);
        assert!(new.link().id() > old.link().id());
        assert_eq!(links.current(tv(1)).unwrap().id(), new.link().id());
        assert_eq!(written(&mut new), []);
    }

    #[test]
    fn the_end_of_an_old_socket_does_not_take_the_new_one_offline() {
        let links = links();
        let old = links.open(tv(1), NOW);
        let new = links.open(tv(1), NOW);
        drop(old);
        assert!(links.is_online(tv(1)));
        drop(new);
        assert!(!links.is_online(tv(1)));
    }

    #[test]
    fn a_socket_that_is_not_read_refuses_more() {
        let links = links();
        let mut frames = links.open(tv(1), NOW);
        let link = frames.link().clone();
        assert_eq!(link.send("x".repeat(201)), Err(SendRefusal::Full), "more bytes than may wait");
        for _ in 0..3 {
            link.send("x".to_owned()).unwrap();
        }
        assert_eq!(link.send("x".to_owned()), Err(SendRefusal::Full), "more frames than may wait");
        assert_eq!(written(&mut frames).len(), 3);
        assert_eq!(link.send("x".repeat(200)), Ok(()), "room again");
    }

    #[test]
    fn nothing_is_sent_to_a_socket_that_has_ended() {
        let links = links();
        let frames = links.open(tv(1), NOW);
        let link = frames.link().clone();
        drop(frames);
        assert_eq!(link.send("x".to_owned()), Err(SendRefusal::Closed));
    }

    #[test]
    fn a_tv_that_is_removed_is_closed_at_once() {
        let links = links();
        let mut frames = links.open(tv(1), NOW);
        frames.link().send("x".to_owned()).unwrap();
        assert!(links.close(tv(1), CloseReason::Removed));
        assert!(!links.is_online(tv(1)));
        assert_eq!(written(&mut frames), [Outgoing::Close(CloseReason::Removed)]);
        assert_eq!(frames.next().now_or_never(), Some(None), "nothing comes after the close");
        assert!(!links.close(tv(1), CloseReason::Removed));
    }

    #[test]
    fn shutting_down_lets_what_is_queued_go_first() {
        let links = links();
        let mut frames = links.open(tv(1), NOW);
        frames.link().send("last".to_owned()).unwrap();
        links.close_all(CloseReason::ShuttingDown);
        assert_eq!(written(&mut frames), [frame("last"), Outgoing::Close(CloseReason::ShuttingDown)]);
        assert_eq!(links.n_open(), 0);
    }

    #[test]
    fn frame_ids_are_never_used_twice() {
        let links = links();
        let ids: Vec<String> = [tv(1), tv(1), tv(2)]
            .into_iter()
            .flat_map(|tv| {
                let frames = links.open(tv, NOW);
                [frames.link().next_command_id(), frames.link().next_command_id()]
            })
            .collect();
        let distinct: std::collections::HashSet<&String> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
    }

    #[test]
    fn what_an_app_lacks_is_remembered_for_its_socket_only() {
        let links = links();
        let first = links.open(tv(1), NOW);
        first.link().note_lacking(Op::Subtitle);
        assert!(first.link().lacks(Op::Subtitle) && !first.link().lacks(Op::Gesture));
        assert!(!links.open(tv(1), NOW).link().lacks(Op::Subtitle));
    }

    #[test]
    fn every_close_code_may_be_echoed_by_the_app() {
        for reason in [
            CloseReason::Replaced,
            CloseReason::Removed,
            CloseReason::ShuttingDown,
            CloseReason::Silent,
            CloseReason::Misbehaved,
        ] {
            assert!(matches!(reason.code(), 1000 | 1001 | 1008 | 1011 | 4000..=4999), "{reason:?}");
            assert!(reason.text().len() <= 123, "{reason:?}");
        }
    }

    #[test]
    fn a_reply_finds_its_command_and_no_other() {
        let links = links();
        let frames = links.open(tv(1), NOW);
        let link = frames.link();
        let mut commands =
            [link.send_command(&Command::GetVolume).unwrap(), link.send_command(&Command::GetVolume).unwrap()];
        let reply =
            |id: &str| IncomingFrame { id: id.to_owned(), ok: true, message: String::new(), data: Default::default() };

        link.take_reply(reply("unknown"));
        link.take_reply(reply(commands[1].id()));
        link.take_reply(reply(commands[1].id()));

        assert_eq!(commands[0].reply().now_or_never(), None);
        let id = commands[1].id().to_owned();
        assert_eq!(commands[1].reply().now_or_never(), Some(Some(reply(&id))));
        assert_eq!(link.n_in_flight(), 1);
        drop(commands);
        assert_eq!(link.n_in_flight(), 0);
    }

    #[test]
    fn commands_in_flight_fail_at_once_when_their_socket_ends() {
        type End = fn(&Links, LinkFrames) -> Option<LinkFrames>;
        let ends: [End; 3] = [
            |_, old| {
                drop(old);
                None
            },
            |links, old| {
                let new = links.open(tv(1), NOW);
                drop(old);
                Some(new)
            },
            |links, old| {
                links.close(tv(1), CloseReason::Removed);
                Some(old)
            },
        ];
        for end in ends {
            let links = links();
            let frames = links.open(tv(1), NOW);
            let mut command = frames.link().send_command(&Command::GetVolume).unwrap();
            assert_eq!(command.reply().now_or_never(), None);
            let _still_there = end(&links, frames);
            assert_eq!(command.reply().now_or_never(), Some(None));
        }
    }

    #[tokio::test]
    async fn a_waiting_session_wakes_for_a_frame_and_for_the_close() {
        let links = links();
        let mut frames = links.open(tv(1), NOW);
        let link = frames.link().clone();
        let session = tokio::spawn(async move { [frames.next().await, frames.next().await] });
        tokio::task::yield_now().await;
        link.send("x".to_owned()).unwrap();
        tokio::task::yield_now().await;
        link.close(CloseReason::Silent);
        assert_eq!(session.await.unwrap(), [Some(frame("x")), Some(Outgoing::Close(CloseReason::Silent))]);
    }
}
