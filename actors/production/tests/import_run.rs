//! Imports as doors start them: jobs, dry runs, who may, what repeating does.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use playhouse_bus::{Bus, BusSettings, Deadline, HouseId, Placement};
use playhouse_house::{CredentialKind, KeyRing, Scope, Scopes, TvGrant, credential_path, mint, open_house};
use playhouse_production::import::limits::MAX_FILE_BYTES;
use playhouse_production::import::{EpisodeChoice, ImportOptions, ImportOrder, run};
use playhouse_production::messages::{Idempotency, PutDepartment, PutEpisode, PutProduction, SetUp, SetUpStep};
use playhouse_production::model::{EngagementId, ImportKind, ProductionKind, ProductionStatus};
use playhouse_production::{
    OfficeRefusal, ProductionActor, ProductionServices, Question, Read, Reader, Writer, Written,
};
use playhouse_store::{Clock, Expect, MemoryStore, SharedStore, put};
use serde_json::{Value, json};

const WHITE: &str = include_str!("../fixtures/kestrel/101-white.fountain");
const BLUE: &str = include_str!("../fixtures/kestrel/101-blue.fountain");
const ASSETS: &str = include_str!("../fixtures/kestrel/assets.csv");

/// An office with a series of one episode and two departments.
struct Bed {
    bus: Bus,
    store: SharedStore,
    house: HouseId,
}

impl Bed {
    async fn new() -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let clock: Clock = Arc::new(|| "2026-10-07T11:00:00Z".parse().unwrap());
        let house = open_house(&store, "Kestrel", &clock).await.unwrap().id;
        let bus = Bus::new(BusSettings::new(Placement::Current));
        let key_ring = KeyRing::new();
        bus.serve::<ProductionActor>(ProductionServices { store: store.clone(), key_ring, clock });
        let bed = Self { bus, store, house };
        bed.set_up(SetUpStep::PutProduction(PutProduction {
            title: "Kestrel".into(),
            code: "KST".into(),
            kind: ProductionKind::Series,
            status: ProductionStatus::Shooting,
            timezone: "Europe/London".into(),
            currency: "GBP".into(),
            fps: "25".into(),
            start_date: None,
            wrap_date: None,
            four_eyes: false,
        }))
        .await;
        bed.set_up(SetUpStep::PutEpisode(PutEpisode { number: 101, title: "Landfall".into(), status: None })).await;
        for slug in ["props", "costume", "vfx"] {
            let department = PutDepartment { slug: slug.into(), name: None, colour: None, head: None };
            bed.set_up(SetUpStep::PutDepartment(department)).await;
        }
        bed
    }

    async fn set_up(&self, step: SetUpStep) {
        self.call(SetUp { by: "Operator".into(), step }).await.unwrap();
    }

    async fn call<M: playhouse_bus::Message<Actor = ProductionActor>>(&self, message: M) -> M::Reply {
        self.bus
            .call(ProductionActor::key(self.house), message, Deadline::after(Duration::from_secs(60)))
            .await
            .unwrap()
    }

    fn order(&self, kind: ImportKind, text: &str) -> ImportOrder {
        ImportOrder {
            house: self.house,
            writer: Writer::Person { name: "Operator".into() },
            kind,
            bytes: Bytes::copy_from_slice(text.as_bytes()),
            options: ImportOptions { episode: Some(EpisodeChoice::Number(101)), ..ImportOptions::default() },
            dry_run: false,
            idempotency: None,
        }
    }

    async fn run(&self, order: ImportOrder) -> Result<Written, OfficeRefusal> {
        run(&self.bus, order, Deadline::after(Duration::from_secs(60)), |_| {}).await
    }

    /// Status and body of an import.
    async fn import(&self, kind: ImportKind, text: &str) -> (u16, Value) {
        let written = self.run(self.order(kind, text)).await.unwrap();
        (written.status, serde_json::from_str(written.document.json()).unwrap())
    }

    async fn key(&self, scopes: &[Scope], engagement: Option<EngagementId>) -> Writer {
        let (scopes, now) = (Scopes::of(scopes), "2026-10-07T11:00:00Z".parse().unwrap());
        let kind = CredentialKind::Key { tvs: TvGrant::All, account: None, engagement };
        let credential = mint(kind, "key".into(), scopes, now, &mut rand::rng()).credential;
        let kept = put(credential_path(credential.id), &credential, Expect::Absent).unwrap();
        self.store.commit(self.house, vec![kept], None).await.unwrap();
        Writer::Key { credential: credential.id, reader: Reader { engagement, scopes } }
    }

    async fn see(&self, question: Question) -> Value {
        let reader = Reader::wide(Scopes::of(&[Scope::Read, Scope::ReadMoney]));
        let document = self.call(Read { reader, question }).await.unwrap();
        serde_json::from_str(document.json()).unwrap()
    }

    async fn jobs(&self) -> Value {
        self.see(Question::ListJobs { status: None }).await
    }
}

#[actix_rt::test]
async fn an_import_is_a_job_and_answers_its_report() {
    let bed = Bed::new().await;
    let (status, white) = bed.import(ImportKind::Script, WHITE).await;
    assert_eq!((status, &white["dry_run"], &white["added"]), (201, &json!(false), &json!(6)));
    let (status, blue) = bed.import(ImportKind::Script, BLUE).await;
    assert_eq!(status, 201);
    let expected = json!({ "added": 1, "updated": 1, "omitted": 1, "unchanged": 4 });
    for (count, expected) in expected.as_object().unwrap() {
        assert_eq!(blue[count], *expected, "{count}");
    }
    let jobs = bed.jobs().await;
    let newest = &jobs[0];
    assert_eq!(
        (&newest["kind"], &newest["status"], &newest["progress"]),
        (&json!("import.script"), &json!("done"), &json!(1.0))
    );
    assert_eq!((&newest["result"]["draft_id"], &newest["id"]), (&blue["draft_id"], &blue["job_id"]));
    let activity = bed.see(Question::ListActivity { limit: Some(1), before_id: None }).await;
    assert_eq!(activity[0]["summary"], "blue draft: 1 added, 1 updated, 1 omitted, 4 unchanged");
}

#[actix_rt::test]
async fn case_38_the_same_file_again_is_200_with_the_old_draft_id() {
    let bed = Bed::new().await;
    bed.import(ImportKind::Script, WHITE).await;
    let (_, blue) = bed.import(ImportKind::Script, BLUE).await;
    let scenes = bed.see(Question::ListScenes).await;
    let (status, again) = bed.import(ImportKind::Script, BLUE).await;
    assert_eq!(
        (status, &again["draft_id"], &again["unchanged"], &again["changes"]),
        (200, &blue["draft_id"], &json!(7), &json!([]))
    );
    assert_eq!(bed.see(Question::ListScenes).await, scenes);
    let production = bed.see(Question::GetProduction).await;
    assert_eq!(production["episodes"][0]["draft"]["id"], blue["draft_id"]);
}

#[actix_rt::test]
async fn what_an_import_reports_is_what_script_changes_answers() {
    let bed = Bed::new().await;
    bed.import(ImportKind::Script, WHITE).await;
    let (_, blue) = bed.import(ImportKind::Script, BLUE).await;
    let answered = bed.see(Question::ScriptChanges { episode_id: None, draft_id: None }).await;
    assert_eq!(answered[0]["changes"], blue["changes"]);
}

#[actix_rt::test]
async fn a_dry_run_answers_the_same_report_and_writes_nothing() {
    let bed = Bed::new().await;
    let dry = ImportOrder { dry_run: true, ..bed.order(ImportKind::Script, WHITE) };
    let planned = bed.run(dry).await.unwrap();
    let mut planned_body: Value = serde_json::from_str(planned.document.json()).unwrap();
    assert_eq!((planned.status, &planned_body["dry_run"], &planned_body["job_id"]), (200, &json!(true), &Value::Null));
    assert_eq!((bed.see(Question::ListScenes).await, bed.jobs().await), (json!([]), json!([])));
    let (_, mut body) = bed.import(ImportKind::Script, WHITE).await;
    for body in [&mut planned_body, &mut body] {
        body["job_id"] = Value::Null;
        body["dry_run"] = Value::Null;
    }
    assert_eq!(planned_body, body);
}

#[actix_rt::test]
async fn case_40_a_refused_table_writes_no_row_and_its_job_failed() {
    let bed = Bed::new().await;
    bed.import(ImportKind::Script, WHITE).await;
    let bad = ASSETS.replace(
        "creature,The creature,vfx,vfx,in_progress,3;6,NLT-101,",
        "creature,The creature,vfx,vfxx,in_progress,3;6,,",
    );
    let refusal = bed.run(bed.order(ImportKind::Assets, &bad)).await.unwrap_err();
    assert_eq!((refusal.status, refusal.detail.as_str()), (422, "Row 4: unknown department 'vfxx'."));
    assert_eq!(refusal.members["rows"][0]["line"], 5);
    let assets = bed.see(Question::ListAssets { department: None, kind: Some("prop".into()), status: None }).await;
    assert_eq!(assets, json!([]));
    let jobs = bed.jobs().await;
    assert_eq!(
        (&jobs[0]["status"], &jobs[0]["error"]),
        (&json!("failed"), &json!("Row 4: unknown department 'vfxx'."))
    );
}

#[actix_rt::test]
async fn who_may_not_import_is_refused_before_anything_happens() {
    let bed = Bed::new().await;
    let cases: [(&[Scope], Option<EngagementId>, ImportKind, &str); 3] = [
        (&[Scope::Read], None, ImportKind::Script, "This key does not have the 'write' scope."),
        (&[Scope::Write], None, ImportKind::PurchaseOrders, "This key does not have the 'read:money' scope."),
        (
            &[Scope::Write],
            Some(EngagementId(1)),
            ImportKind::Script,
            "This key is bound to an engagement and cannot use this endpoint.",
        ),
    ];
    for (scopes, engagement, kind, expected) in cases {
        for dry_run in [false, true] {
            let writer = bed.key(scopes, engagement).await;
            let order = ImportOrder { writer, dry_run, ..bed.order(kind, "number\n") };
            let refusal = bed.run(order).await.unwrap_err();
            assert_eq!((refusal.status, refusal.detail.as_str()), (403, expected));
        }
    }
    assert_eq!(bed.jobs().await, json!([]));
}

#[actix_rt::test]
async fn an_archived_production_takes_no_import() {
    let bed = Bed::new().await;
    bed.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await;
    for dry_run in [false, true] {
        let refusal = bed.run(ImportOrder { dry_run, ..bed.order(ImportKind::Script, WHITE) }).await.unwrap_err();
        assert_eq!((refusal.status, refusal.detail.as_str()), (409, "This production is archived."));
    }
}

#[actix_rt::test]
async fn a_file_of_more_than_five_megabytes_is_413() {
    let bed = Bed::new().await;
    let refusal = bed.run(bed.order(ImportKind::Script, &"a".repeat(MAX_FILE_BYTES + 1))).await.unwrap_err();
    assert_eq!((refusal.status, refusal.detail.as_str()), (413, "The file is larger than 5 MB."));
}

#[actix_rt::test]
async fn imports_at_once_all_get_in() {
    // Each makes the others' plans stale; none is lost and none is written twice.
    let bed = Bed::new().await;
    let (first, second, third) = futures_util::future::join3(
        bed.run(bed.order(ImportKind::Script, WHITE)),
        bed.run(bed.order(ImportKind::People, "name,email\nA,a@example.test\n")),
        bed.run(bed.order(ImportKind::People, "name,email\nA,a@example.test\nB,b@example.test\n")),
    )
    .await;
    for outcome in [first, second, third] {
        assert!(matches!(outcome.unwrap().status, 200 | 201));
    }
    assert_eq!(bed.see(Question::ListPeople { department: None }).await.as_array().unwrap().len(), 2);
}

#[actix_rt::test]
async fn an_idempotency_key_replays_the_first_answer() {
    let bed = Bed::new().await;
    let idempotency = Some(Idempotency { key: "k".into(), request_sha256: "same".into() });
    let writer = bed.key(&[Scope::Write], None).await;
    let order = ImportOrder { writer, idempotency, ..bed.order(ImportKind::Script, WHITE) };
    let first = bed.run(order.clone()).await.unwrap();
    let n_jobs = bed.jobs().await.as_array().unwrap().len();
    let again = bed.run(order.clone()).await.unwrap();
    assert_eq!((again.replayed, again.status, &again.document), (true, 201, &first.document));
    let idempotency = Some(Idempotency { key: "k".into(), request_sha256: "another".into() });
    let other = bed.run(ImportOrder { idempotency, ..order }).await.unwrap_err();
    assert_eq!(other.status, 409);
    // Neither began a job: there was nothing to do.
    assert_eq!(bed.jobs().await.as_array().unwrap().len(), n_jobs);
}

#[actix_rt::test]
async fn progress_goes_up_to_one() {
    let bed = Bed::new().await;
    let seen = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&seen);
    let order = bed.order(ImportKind::Script, WHITE);
    run(&bed.bus, order, Deadline::after(Duration::from_secs(60)), move |done| sink.borrow_mut().push(done))
        .await
        .unwrap();
    let seen = seen.borrow();
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]) && seen.last() == Some(&1.0), "{seen:?}");
}

#[actix_rt::test]
async fn a_client_that_hangs_up_leaves_no_half_import() {
    let bed = Bed::new().await;
    let mut hung_up = Box::pin(bed.run(bed.order(ImportKind::Script, WHITE)));
    // Started, and then nobody waits for it any more.
    assert!(futures_util::poll!(&mut hung_up).is_pending());
    drop(hung_up);
    for _ in 0..1_000 {
        if bed.jobs().await[0]["status"] == "done" {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the import did not go on to its end: {}", bed.jobs().await);
}
