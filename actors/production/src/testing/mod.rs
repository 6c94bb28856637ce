//! An office for tests: on a bus, over a store in memory, with a clock that stands where it is put.

pub(crate) mod kestrel_records;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use playhouse_bus::{Bus, BusSettings, Deadline, Handle, HouseId, Message, Placement};
use playhouse_house::{
    Caller, CredentialKind, KeyRing, Principal, Role, Scope, Scopes, TvGrant, credential_path, mint, open_house,
};
use playhouse_store::{Clock, Expect, MemoryStore, SharedStore, put};
use serde_json::Value;

use crate::media::{MediaLimits, MediaSettings, MediaStore, SubmissionDesk, free_space_of_disk};
use crate::messages::{
    Applied, ApplyImport, CommitSubmission, ImportActivity, ImportPlan, ImportReport, OfficeRefusal, Question, Read,
    Reader, ReceivedFile, SetUp, SetUpStep, Writer, Written,
};
use crate::model::{EngagementId, ImportKind, Subject, SubjectType, Verb, Via};
use crate::office::{Changes, Office, open};
use crate::{ProductionActor, ProductionServices};

/// Noon in London on a day of the shoot.
pub(crate) const NOON: &str = "2026-10-07T11:00:00Z";

/// Everything a key may do in an office.
pub(crate) fn all_scopes() -> Scopes {
    Scopes::of(&[Scope::Read, Scope::Write, Scope::ReadMoney, Scope::SubmitTurnover])
}

/// An office on a bus.
pub(crate) struct Bed {
    pub(crate) bus: Bus,
    pub(crate) house: HouseId,
    pub(crate) store: SharedStore,
    pub(crate) key_ring: KeyRing,
    clock: Arc<Mutex<Timestamp>>,
}

impl Bed {
    /// A house without a production, over `store`.
    pub(crate) async fn over(store: SharedStore) -> Self {
        let clock = Arc::new(Mutex::new(NOON.parse().unwrap()));
        let house = open_house(&store, "Kestrel", &read_clock(&clock)).await.unwrap().id;
        Self::serving(store, house, clock)
    }

    fn serving(store: SharedStore, house: HouseId, clock: Arc<Mutex<Timestamp>>) -> Self {
        let bus = Bus::new(BusSettings::new(Placement::Current));
        let key_ring = KeyRing::new();
        let services =
            ProductionServices { store: store.clone(), key_ring: key_ring.clone(), clock: read_clock(&clock) };
        bus.serve::<ProductionActor>(services);
        Self { bus, house, store, key_ring, clock }
    }

    /// Kestrel, as its files have it.
    pub(crate) async fn kestrel() -> Self {
        let bed = Self::over(Arc::new(MemoryStore::new())).await;
        bed.fill_with_kestrel().await;
        bed
    }

    pub(crate) async fn fill_with_kestrel(&self) {
        let kestrel = crate::kestrel::kestrel().unwrap();
        for step in kestrel.before {
            self.set_up(step).await.unwrap();
        }
        self.put(kestrel_records::put_all).await;
        for step in kestrel.after {
            self.set_up(step).await.unwrap();
        }
    }

    /// The same house over the same store, after a restart.
    pub(crate) fn restarted(&self) -> Self {
        Self::serving(self.store.clone(), self.house, Arc::clone(&self.clock))
    }

    /// A second house on the same bus.
    pub(crate) async fn next_door(&self) -> Self {
        let house = open_house(&self.store, "Other", &read_clock(&self.clock)).await.unwrap().id;
        let (bus, store) = (self.bus.clone(), self.store.clone());
        Self { bus, house, store, key_ring: self.key_ring.clone(), clock: Arc::clone(&self.clock) }
    }

    pub(crate) fn set_clock(&self, time: &str) {
        *self.clock.lock() = time.parse().unwrap();
    }

    pub(crate) async fn call<M: Message<Actor = ProductionActor>>(&self, message: M) -> M::Reply
    where
        ProductionActor: Handle<M>,
    {
        let deadline = Deadline::after(Duration::from_secs(60));
        self.bus.call(ProductionActor::key(self.house), message, deadline).await.unwrap()
    }

    pub(crate) async fn set_up(&self, step: SetUpStep) -> Result<u32, OfficeRefusal> {
        self.call(SetUp { by: "Operator".to_owned(), step }).await
    }

    /// The office as a fresh start would read it.
    pub(crate) async fn stored(&self) -> Office {
        open(self.store.clone(), self.house).await.unwrap().office
    }

    /// Puts records as an import does.
    pub(crate) async fn put(&self, records: impl FnOnce(&Office, &mut Changes)) {
        let office = self.stored().await;
        let plan = plan(&office, ImportKind::Assets, |changes| records(&office, changes));
        let order = ApplyImport { writer: person(), plan, job: None, idempotency: None };
        let applied = self.call(order).await.unwrap();
        assert!(matches!(applied, Applied::Written(Written { status: 201, .. })), "{applied:?}");
    }

    /// A key of this house and the writer that stands for its holder.
    pub(crate) async fn key(&self, label: &str, engagement: Option<EngagementId>, scopes: Scopes) -> Writer {
        let kind = CredentialKind::Key { tvs: TvGrant::All, account: None, engagement };
        let minted = mint(kind, label.to_owned(), scopes, *self.clock.lock(), &mut rand::rng());
        let credential = minted.credential;
        let kept = put(credential_path(credential.id), &credential, Expect::Absent).unwrap();
        self.store.commit(self.house, vec![kept], None).await.unwrap();
        self.key_ring.put(self.house, &credential);
        Writer::Key { credential: credential.id, reader: Reader { engagement, scopes } }
    }

    /// The principal behind a new key of this house.
    pub(crate) async fn principal(&self, engagement: Option<EngagementId>, scopes: Scopes) -> Principal {
        let credential = self.key("Northlight pipeline", engagement, scopes).await.credential().unwrap();
        let caller = Caller::Key { tvs: TvGrant::All, account: None, engagement };
        Principal { house: self.house, credential, caller, scopes, role: Role::Admin }
    }

    /// What takes submissions in, over a folder.
    pub(crate) fn desk(&self, folder: &std::path::Path) -> SubmissionDesk {
        let limits = MediaLimits { min_free_bytes: 0, ..MediaLimits::default() };
        let media =
            MediaStore::new(MediaSettings { folder: folder.to_owned(), limits, free_space: free_space_of_disk() });
        media.prepare().unwrap();
        SubmissionDesk { media, key_ring: self.key_ring.clone(), clock: read_clock(&self.clock) }
    }

    /// The body of an answer, or the refusal.
    pub(crate) async fn ask(&self, reader: Reader, question: Question) -> Result<Value, OfficeRefusal> {
        let document = self.call(Read { reader, question }).await?;
        Ok(serde_json::from_str(document.json()).unwrap())
    }

    /// What everybody with a production-wide key is answered.
    pub(crate) async fn see(&self, question: Question) -> Value {
        self.ask(Reader::wide(all_scopes()), question).await.unwrap()
    }

    /// Status and sentence of what must be a refusal.
    pub(crate) async fn refused(&self, reader: Reader, question: Question) -> (u16, String) {
        let refusal = self.ask(reader, question).await.unwrap_err();
        (refusal.status, refusal.detail)
    }
}

fn read_clock(clock: &Arc<Mutex<Timestamp>>) -> Clock {
    let clock = Arc::clone(clock);
    Arc::new(move || *clock.lock())
}

/// Somebody at the command line.
pub(crate) fn person() -> Writer {
    Writer::Person { name: "Operator".to_owned() }
}

/// A plan over `office`.
pub(crate) fn plan(office: &Office, kind: ImportKind, fill: impl FnOnce(&mut Changes)) -> ImportPlan {
    let mut changes = Changes::upon(office, NOON.parse().unwrap());
    fill(&mut changes);
    let subject = Subject { subject_type: SubjectType::Production, id: 1, title: "Kestrel".to_owned() };
    let activity = ImportActivity { verb: Verb::AssetUpdated, subject, summary: "imported".to_owned() };
    ImportPlan { kind, changes, activity, report: ImportReport::default() }
}

/// The body of what was written.
pub(crate) fn body(written: &Written) -> Value {
    serde_json::from_str(written.document.json()).unwrap()
}

/// The members of each entry of a list, under one name.
pub(crate) fn each(list: &Value, member: &str) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|entry| entry[member].clone()).collect()
}

/// A file that came in, of which each `content` stands for other bytes.
pub(crate) fn file(filename: &str, content: char) -> ReceivedFile {
    ReceivedFile {
        filename: filename.to_owned(),
        content_type: "video/quicktime".to_owned(),
        size_bytes: 41_231,
        sha256: content.to_string().repeat(64),
    }
}

/// Submits for the creature's turnover.
pub(crate) async fn submit(bed: &Bed, writer: &Writer, files: Vec<ReceivedFile>) -> Result<Written, OfficeRefusal> {
    let order = CommitSubmission {
        writer: writer.clone(),
        turnover_id: 1,
        title: None,
        note: None,
        via: Via::Rest,
        files,
        idempotency: None,
    };
    bed.call(order).await
}
