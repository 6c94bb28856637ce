//! One socket of one TV: an actix-web-actors actor that only moves frames.
//!
//! Frames out come from the TV's [`Link`], and replies go back to it: whoever wrote the command waits there. They take no way through
//! the mailbox of the TV's actor, because its callers hold all places of it while they wait for these very replies. The actor is told
//! when the socket opened and when it ended. The session lives as long as its connection; it is not supervised, and everything it knows
//! dies with it.

use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, StreamHandler, WrapFuture};
use actix_web::web::{Bytes, Data, Payload};
use actix_web_actors::ws::{self, CloseCode, WebsocketContext};
use futures_util::{Stream, stream};
use jiff::Timestamp;
use playhouse_bus::{Bus, CallError, Deadline, HouseId, Message};
use playhouse_house::{CredentialId, TvId};
use playhouse_tv::wire::{IncomingFrame, is_probe_answer, parse_frame, probe_frame};
use playhouse_tv::{CloseReason, Link, LinkClosed, LinkFrames, LinkOpened, Outgoing, TvActor};
use tokio::time::Instant;

use super::BridgeServices;
use super::gate::{Gate, Gated};
use super::inbox::{Inbox, InboxFault, Incoming};
use super::manners::Manners;
use super::pulse::{Next, Pulse};
use super::sockets::Place;

/// How long the TV's actor may take to hear that a socket opened or ended. It may just be starting.
const REPORT_DEADLINE: Duration = Duration::from_secs(10);

/// How long to wait before a report is offered again to an actor that has too many callers.
const BUSY_PAUSE: Duration = Duration::from_millis(100);

/// The most bytes of words that fit into a close frame.
const MAX_CLOSE_WORDS_BYTES: usize = 123;

/// Whose socket it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holder {
    /// The TV's house.
    pub(super) house: HouseId,
    /// The TV.
    pub(super) tv: TvId,
    /// The bridge token it dialled in with.
    pub(super) credential: CredentialId,
}

/// The actor of one socket.
pub(super) struct BridgeSession {
    services: Data<BridgeServices>,
    holder: Holder,
    link: Link,
    pulse: Pulse,
    manners: Manners,
    /// Shut while too much is under way to the TV.
    outflow: Gate,
    last_heard_at: Timestamp,
    _place: Place,
}

/// Begins the session; answers the bytes that go out.
pub(super) fn start(
    services: Data<BridgeServices>,
    holder: Holder,
    payload: Payload,
    frames: LinkFrames,
    place: Place,
) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    // The context insists on a reader of its own; it gets nothing to read, because `Inbox` is the one that is bounded.
    WebsocketContext::with_factory(stream::pending(), move |context| {
        let outflow = Gate::new();
        let link = frames.link().clone();
        context.add_stream(Inbox::new(payload, services.max_frame_bytes));
        context.add_stream(Gated::new(frames, outflow.clone()));
        let (manners, last_heard_at) = (Manners::new(Instant::now()), (services.clock)());
        BridgeSession {
            services,
            holder,
            link,
            pulse: Pulse::default(),
            manners,
            outflow,
            last_heard_at,
            _place: place,
        }
    })
}

type Context = WebsocketContext<BridgeSession>;

impl Actor for BridgeSession {
    type Context = Context;

    fn started(&mut self, context: &mut Context) {
        let Holder { house, tv, .. } = self.holder;
        tracing::info!(%house, %tv, link = ?self.link.id(), "tv connected");
        context.run_interval(self.services.probe_interval, Self::interval_over);
        let link = self.link.id();
        let reported = report(self.services.bus.clone(), self.holder, move || LinkOpened { link });
        context.spawn(reported.into_actor(self).map(|outcome, session, context| {
            if let Err(CallError::NotFound) = outcome {
                session.close(CloseReason::Removed, CloseReason::Removed.text(), context);
            }
        }));
    }

    fn stopped(&mut self, _: &mut Context) {
        let (link, last_heard_at) = (self.link.id(), self.last_heard_at);
        let reported = report(self.services.bus.clone(), self.holder, move || LinkClosed { link, last_heard_at });
        // This also runs when a worker is torn down, with no runtime left to say it on; the TV's actor then goes away as well.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(reported);
        }
    }
}

impl StreamHandler<Result<Incoming, InboxFault>> for BridgeSession {
    fn handle(&mut self, incoming: Result<Incoming, InboxFault>, context: &mut Context) {
        match incoming {
            Ok(Incoming::Close { code, reason }) => {
                context.close(Some(CloseCode::Normal.into()));
                self.end(&format_args!("closed by the tv: {code:?} {reason:?}"), context);
            }
            Err(InboxFault::Lost) => self.end(&InboxFault::Lost, context),
            Err(fault) => self.close(CloseReason::Misbehaved, &fault.to_string(), context),
            Ok(message) => match self.manners.spoke(Instant::now()) {
                Err(flood) => self.close(CloseReason::Misbehaved, &flood.to_string(), context),
                Ok(()) => self.take(message, context),
            },
        }
    }
}

impl StreamHandler<Outgoing> for BridgeSession {
    fn handle(&mut self, outgoing: Outgoing, context: &mut Context) {
        match outgoing {
            Outgoing::Close(reason) => self.close(reason, reason.text(), context),
            Outgoing::Frame(frame) => {
                if self.is_still_welcome(context) {
                    self.send(frame, context);
                    if self.pulse.wants_proof() {
                        self.probe(context);
                    }
                    if !self.pulse.has_room() {
                        self.outflow.shut();
                    }
                }
            }
        }
    }
}

/// Never called: see [`start`].
impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for BridgeSession {
    fn handle(&mut self, _: Result<ws::Message, ws::ProtocolError>, _: &mut Context) {}
}

impl BridgeSession {
    fn take(&mut self, message: Incoming, context: &mut Context) {
        match message {
            Incoming::Text(text) => self.take_frame(&text, context),
            Incoming::Ping(bytes) => {
                if self.pulse.has_room() {
                    context.pong(&bytes);
                    self.pulse.sent(bytes.len());
                }
            }
            Incoming::Pong | Incoming::Close { .. } => {}
        }
    }

    fn take_frame(&mut self, text: &str, context: &mut Context) {
        if !self.is_still_welcome(context) {
            return;
        }
        self.pulse.heard();
        self.last_heard_at = (self.services.clock)();
        match parse_frame(text) {
            Err(fault) => {
                tracing::debug!(tv = %self.holder.tv, %fault, "dropped a frame of a tv");
                if let Err(garbage) = self.manners.was_unreadable() {
                    self.close(CloseReason::Misbehaved, &garbage.to_string(), context);
                }
            }
            Ok(frame) => {
                self.manners.was_readable();
                match probe_id(&frame) {
                    Some(id) => self.take_proof(id),
                    None => self.link.take_reply(frame),
                }
            }
        }
    }

    fn take_proof(&mut self, id: u64) {
        self.pulse.answered(id);
        if self.pulse.has_room() {
            self.outflow.open();
        }
    }

    fn send(&mut self, frame: String, context: &mut Context) {
        self.pulse.sent(frame.len());
        self.manners.asked();
        context.text(frame);
    }

    /// Asks whether the TV is there. Its answer proves that it read everything up to here, so nobody may be able to guess the id.
    fn probe(&mut self, context: &mut Context) {
        let id = rand::random();
        self.send(probe_frame(id), context);
        self.pulse.probed(id);
    }

    fn interval_over(&mut self, context: &mut Context) {
        if !self.is_still_welcome(context) {
            return;
        }
        match self.pulse.interval_over() {
            Next::Wait => {}
            Next::Probe => self.probe(context),
            Next::GiveUpSilent => self.close(CloseReason::Silent, CloseReason::Silent.text(), context),
            Next::GiveUpSlow => self.close(CloseReason::Silent, "does not read what it is sent", context),
        }
    }

    /// Whether the token still opens this door; if not, the socket is closed.
    fn is_still_welcome(&mut self, context: &mut Context) -> bool {
        let is_good = self.services.key_ring.still_good(self.holder.credential, (self.services.clock)());
        if !is_good {
            self.close(CloseReason::Removed, CloseReason::Removed.text(), context);
        }
        is_good
    }

    /// Closes with a code that the app can echo.
    fn close(&mut self, reason: CloseReason, words: &str, context: &mut Context) {
        let words = words[..words.floor_char_boundary(MAX_CLOSE_WORDS_BYTES)].to_owned();
        let why = words.clone();
        context.close(Some(ws::CloseReason { code: CloseCode::from(reason.code()), description: Some(words) }));
        self.end(&why, context);
    }

    fn end(&mut self, why: &dyn std::fmt::Display, context: &mut Context) {
        let Holder { house, tv, .. } = self.holder;
        tracing::info!(%house, %tv, link = ?self.link.id(), %why, "tv disconnected");
        context.stop();
    }
}

/// Tells the TV's actor what happened to its socket.
async fn report<M>(bus: Bus, holder: Holder, report: impl Fn() -> M) -> Result<(), CallError>
where
    M: Message<Actor = TvActor, Reply = ()>,
{
    let Holder { house, tv, .. } = holder;
    let deadline = Deadline::after(REPORT_DEADLINE);
    loop {
        match bus.call(TvActor::key(house, tv), report(), deadline).await {
            Err(CallError::Busy { .. }) if deadline.remaining() > BUSY_PAUSE => tokio::time::sleep(BUSY_PAUSE).await,
            outcome => {
                if let Err(error) = &outcome {
                    tracing::debug!(%house, %tv, %error, "a tv's actor was not told about its socket");
                }
                return outcome;
            }
        }
    }
}

/// The id of the probe that `frame` answers, if it answers one.
fn probe_id(frame: &IncomingFrame) -> Option<u64> {
    if !is_probe_answer(frame) {
        return None;
    }
    // An answer to a probe that was never sent is answered like any other made-up frame: it proves nothing.
    Some(frame.id.rsplit('-').next().and_then(|id| id.parse().ok()).unwrap_or_default())
}
