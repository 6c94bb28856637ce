//! The actor itself: its start, its sockets, its status.

use std::cell::Cell;
use std::rc::Rc;

use jiff::{SignedDuration, Timestamp};
use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, CallInfo, Handle, HouseId, StartError};
use playhouse_house::TvId;
use playhouse_store::{Expect, Op as StoreOp, encode, read};

use super::context::{TvContext, TvServices};
use super::lane::Lane;
use super::messages::{LinkClosed, LinkOpened, ObserveTv, TvStatus};
use super::overlay;
use crate::links::Link;
use crate::record::{SeenRecord, TvRecord, seen_key, tv_key};
use crate::wire::Op;

/// While a TV stays connected, the moment it was last there is written no more often than this. After a crash of the relay it is
/// at most this much too early.
const SEEN_IS_FRESH_FOR: SignedDuration = SignedDuration::from_mins(10);

/// One paired TV.
pub struct TvActor {
    pub(super) lane: Rc<Lane>,
}

impl TvActor {
    /// The address of `tv`.
    pub fn key(house: HouseId, tv: TvId) -> ActorKey {
        ActorKey::new(house, ActorKind::Tv, tv.actor_id())
    }
}

impl Behaviour for TvActor {
    const KIND: ActorKind = ActorKind::Tv;
    type Services = TvServices;

    async fn start(key: ActorKey, services: TvServices) -> Result<Self, StartError> {
        let (house, tv) = (key.house, TvId::from_uuid(*key.id.as_uuid()));
        let record = read::<TvRecord>(&*services.store, &tv_key(house, tv)).await;
        let (record, _) = record.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        let seen = read::<SeenRecord>(&*services.store, &seen_key(house, tv)).await;
        let seen = seen.map_err(|error| StartError::unavailable(&error))?;
        let last_seen = Cell::new(seen.map(|(seen, _)| seen.at));
        Ok(Self { lane: Lane::new(TvContext { house, tv, services, name_at_start: record.name, last_seen }) })
    }
}

impl Handle<LinkOpened> for TvActor {
    fn handle(&mut self, opened: LinkOpened, _: CallInfo) -> Answer<Self, ()> {
        let context = &self.lane.context;
        let present = context.services.links.current(context.tv).map(|link| link.id());
        if present != Some(opened.link) {
            // Overtaken by a newer socket, or by its own end.
            return Answer::now(());
        }
        overlay::clear_what_was_left(&context.services.links, context.tv);
        self.note_seen((context.services.clock)(), SEEN_IS_FRESH_FOR)
    }
}

impl Handle<LinkClosed> for TvActor {
    fn handle(&mut self, closed: LinkClosed, _: CallInfo) -> Answer<Self, ()> {
        // Whether the TV is offline now is not this report's to say: it may be that of an old socket, arriving late.
        self.note_seen(closed.last_heard_at, SignedDuration::ZERO)
    }
}

impl TvActor {
    /// Notes that the TV was there at `at`, unless what is noted is at most `fresh_for` older.
    fn note_seen(&self, at: Timestamp, fresh_for: SignedDuration) -> Answer<Self, ()> {
        let context = &self.lane.context;
        if context.last_seen.get().is_some_and(|noted| at.duration_since(noted) <= fresh_for) {
            return Answer::now(());
        }
        context.last_seen.set(Some(at));
        let lane = Rc::clone(&self.lane);
        Answer::to_the_end(async move {
            let TvContext { house, tv, services, .. } = &lane.context;
            let Ok(value) = encode(&SeenRecord { at }) else { return };
            let put = StoreOp::put(seen_key(*house, *tv).path, value, Expect::Any);
            // A TV is as connected without this note as with it.
            if let Err(error) = services.store.commit(*house, vec![put], None).await {
                tracing::warn!(%house, %tv, %error, "could not note when a tv was last there");
            }
        })
    }
}

impl Handle<ObserveTv> for TvActor {
    fn handle(&mut self, _: ObserveTv, _: CallInfo) -> Answer<Self, TvStatus> {
        let context = &self.lane.context;
        let link = context.services.links.current(context.tv);
        Answer::now(TvStatus {
            name: context.name(),
            online: link.is_some(),
            online_since: link.as_ref().map(|link| link.opened_at()),
            last_seen: if link.is_some() { None } else { context.last_seen.get() },
            n_in_flight: link.as_ref().map_or(0, Link::n_in_flight),
            lacking: link.map(|link| Op::ALL.into_iter().filter(|op| link.lacks(*op)).collect()).unwrap_or_default(),
        })
    }
}
