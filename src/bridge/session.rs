//! One socket of one TV: an actix-web-actors actor that only moves frames.
//!
//! Frames in go to the TV's actor one at a time: the next is read when the one before was taken, so they keep their order and a slow
//! actor slows its own TV only. Frames out come from the TV's [`Link`](playhouse_tv::Link). The session lives as long as its
//! connection; it is not supervised, and everything it knows dies with it.

use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, StreamHandler, WrapFuture};
use actix_web::web::{Bytes, Data, Payload};
use actix_web_actors::ws::{self, CloseCode, WebsocketContext};
use futures_util::{Stream, stream};
use jiff::Timestamp;
use playhouse_bus::{Bus, CallError, Deadline, HouseId, Message};
use playhouse_house::{CredentialId, TvId};
use playhouse_tv::wire::{IncomingFrame, is_probe_answer, parse_frame, probe_frame};
use playhouse_tv::{CloseReason, FrameReceived, LinkClosed, LinkFrames, LinkId, LinkOpened, Outgoing, TvActor};
use tokio::time::Instant;

use super::BridgeServices;
use super::gate::{Gate, Gated};
use super::inbox::{Inbox, InboxFault, Incoming};
use super::manners::Manners;
use super::pulse::{Next, Pulse};
use super::sockets::Place;

/// How long the TV's actor may take to take a frame. It may just be starting.
const DELIVERY_DEADLINE: Duration = Duration::from_secs(10);

/// How long to wait before a frame is offered again to an actor that has too many callers. Only the answers that frames bring make
/// room there, so they must not be thrown away.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

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
    link: LinkId,
    pulse: Pulse,
    manners: Manners,
    /// Shut while the TV's actor takes a frame.
    intake: Gate,
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
        let (intake, outflow) = (Gate::new(), Gate::new());
        let link = frames.link().id();
        let inbox = Inbox::new(payload, services.max_frame_bytes);
        context.add_stream(Gated::new(inbox, intake.clone()));
        context.add_stream(Gated::new(frames, outflow.clone()));
        let (manners, last_heard_at) = (Manners::new(Instant::now()), (services.clock)());
        BridgeSession {
            services,
            holder,
            link,
            pulse: Pulse::default(),
            manners,
            intake,
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
        tracing::info!(%house, %tv, link = ?self.link, "tv connected");
        context.run_interval(self.services.probe_interval, Self::interval_over);
        let link = self.link;
        self.tell_tv(move || LinkOpened { link }, context);
    }

    fn stopped(&mut self, _: &mut Context) {
        let Holder { house, tv, .. } = self.holder;
        let closed = LinkClosed { link: self.link, last_heard_at: self.last_heard_at };
        // This also runs when a worker is torn down, with no runtime left to say it on; the TV's actor then goes away as well.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let bus = self.services.bus.clone();
            runtime.spawn(async move {
                let said = bus.call(TvActor::key(house, tv), closed, Deadline::after(DELIVERY_DEADLINE)).await;
                if let Err(error) = said {
                    tracing::debug!(%house, %tv, %error, "the end of a tv's socket was not taken note of");
                }
            });
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
                    None => self.deliver(frame, context),
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

    /// Hands a frame to the TV's actor. The next one is read after that.
    fn deliver(&mut self, frame: IncomingFrame, context: &mut Context) {
        let link = self.link;
        self.intake.shut();
        self.tell_tv(move || FrameReceived { link, frame: frame.clone() }, context);
    }

    /// Tells the TV's actor something, then opens the intake.
    fn tell_tv<M>(&mut self, message: impl Fn() -> M + 'static, context: &mut Context)
    where
        M: Message<Actor = TvActor, Reply = ()>,
    {
        let Holder { house, tv, .. } = self.holder;
        let told = tell(self.services.bus.clone(), house, tv, message);
        let told = told.into_actor(self).map(|outcome, session, context| {
            session.intake.open();
            match outcome {
                Ok(()) => {}
                Err(CallError::NotFound) => session.close(CloseReason::Removed, CloseReason::Removed.text(), context),
                Err(error) => {
                    let Holder { house, tv, .. } = session.holder;
                    tracing::warn!(%house, %tv, %error, "a frame of a tv was lost on the way to its actor");
                }
            }
        });
        context.spawn(told);
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
        tracing::info!(%house, %tv, link = ?self.link, %why, "tv disconnected");
        context.stop();
    }
}

async fn tell<M>(bus: Bus, house: HouseId, tv: TvId, message: impl Fn() -> M) -> Result<(), CallError>
where
    M: Message<Actor = TvActor, Reply = ()>,
{
    let deadline = Deadline::after(DELIVERY_DEADLINE);
    loop {
        match bus.call(TvActor::key(house, tv), message(), deadline).await {
            Err(CallError::Busy { .. }) if deadline.remaining() > BUSY_PAUSE => tokio::time::sleep(BUSY_PAUSE).await,
            outcome => return outcome,
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
