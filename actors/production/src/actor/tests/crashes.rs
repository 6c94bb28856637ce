//! A process that dies, or a store that fails, at any commit: afterwards the office is as before the change or as after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use playhouse_house::{Credential, KeyRefusal, Principal, Scope, Scopes, credential_path};
use playhouse_standins::{StoreManners, UnreliableStore};
use playhouse_store::{CommitError, Fence, HouseId, Key, MemoryStore, Op, Path, SharedStore, Store, Version, read};

use crate::media::{FileHead, InMemory, SubmissionHead, SubmissionOrder};
use crate::messages::{Applied, ApplyImport, OfficeRefusal, Question, SetUpStep, Written};
use crate::model::{Asset, EngagementId, EngagementStatus, ImportKind, NodeId as Node, Via};
use crate::office::{Changes, Office};
use crate::testing::{Bed, each, person, plan};

/// A store that fails at its `n`th commit and at all that follow, with or without having done the `n`th.
struct Failing {
    left: AtomicUsize,
    does_the_last: std::sync::atomic::AtomicBool,
}

impl Failing {
    const NEVER: usize = usize::MAX / 2;

    fn new() -> Arc<UnreliableStore<Self>> {
        UnreliableStore::new(Self { left: AtomicUsize::new(Self::NEVER), does_the_last: false.into() })
    }

    fn fail_after(&self, n_commits: usize, does_the_last: bool) {
        self.left.store(n_commits, Ordering::SeqCst);
        self.does_the_last.store(does_the_last, Ordering::SeqCst);
    }
}

#[async_trait]
impl StoreManners for Failing {
    async fn commit(
        &self,
        kept: &MemoryStore,
        house: HouseId,
        ops: Vec<Op>,
        fence: Option<Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        let left = self.left.load(Ordering::SeqCst);
        self.left.store(left.saturating_sub(1), Ordering::SeqCst);
        match left {
            0 => Err(CommitError::Unavailable { cause: "it has stopped".to_owned() }),
            1 => {
                if self.does_the_last.load(Ordering::SeqCst) {
                    kept.commit(house, ops, fence).await?;
                }
                Err(CommitError::Indeterminate)
            }
            _ => kept.commit(house, ops, fence).await,
        }
    }
}

const N_ASSETS: usize = 600;

/// Adds many assets and gives every known one another name: more than one commit holds.
fn many_assets(office: &Office, changes: &mut Changes) {
    let model = office.asset_coded("creature").unwrap().clone();
    for asset in office.assets().iter() {
        changes.put(Asset { name: "renamed".to_owned(), ..asset.clone() });
    }
    for number in 0..N_ASSETS {
        let node_id: Node = changes.next_id();
        changes.put(Asset { node_id, code: format!("extra-{number:04}"), name: "renamed".to_owned(), ..model.clone() });
    }
    changes.remove(crate::model::EntityKey::Note(crate::model::NoteId(1)));
}

async fn codes_and_names(bed: &Bed) -> (usize, usize) {
    let question = Question::ListAssets { department: None, kind: None, status: None };
    let assets = bed.see(question).await;
    let renamed = each(&assets, "name").into_iter().filter(|name| name == "renamed").count();
    (assets.as_array().unwrap().len(), renamed)
}

const BEFORE: (usize, usize) = (6, 0);
const AFTER: (usize, usize) = (6 + N_ASSETS, 6 + N_ASSETS);

#[actix_rt::test]
async fn a_large_import_is_whole_or_not_at_all_whichever_commit_fails() {
    let mut n_whole = 0;
    for n_commits in 1.. {
        for does_the_last in [false, true] {
            let store = Failing::new();
            let bed = Bed::over(Arc::clone(&store) as SharedStore).await;
            bed.fill_with_kestrel().await;
            let note = crate::messages::NewNote { body: "To be removed.".to_owned(), visibility: None };
            bed.call(crate::messages::AddNote { writer: person(), node_id: 14, note, idempotency: None })
                .await
                .unwrap();
            let office = bed.stored().await;
            let plan = plan(&office, ImportKind::Assets, |changes| many_assets(&office, changes));
            let order = ApplyImport { writer: person(), plan, job: None, idempotency: None };

            store.fail_after(n_commits, does_the_last);
            let reply = bed.call(order).await;
            let has_failed = store.left.load(Ordering::SeqCst) == 0;
            store.fail_after(Failing::NEVER, false);

            let after = codes_and_names(&bed.restarted()).await;
            let point = format!("commit {n_commits}, done: {does_the_last}, answered: {}", reply.is_ok());
            assert!([BEFORE, AFTER].contains(&after), "{point}: {after:?}");
            if reply.is_ok() {
                assert_eq!(after, AFTER, "{point}: what was acknowledged is there");
            }
            if after == AFTER {
                n_whole += 1;
                let left = Key::new(bed.house, Path::literal("office_staged"));
                assert_eq!(store.scan(&left, None, 1).await.unwrap().entries, [], "{point}: nothing staged is left");
                assert_eq!(
                    bed.restarted().see(Question::GetAsset { node_id: 14 }).await["notes"],
                    serde_json::json!([])
                );
            }
            // The actor that lived through it goes on with what is in the store.
            let first = bed.ask(crate::Reader::wide(crate::testing::all_scopes()), Question::GetProduction).await;
            if first.is_err() {
                assert_eq!(first.unwrap_err().status, 503);
            }
            assert_eq!(codes_and_names(&bed).await, after, "{point}: the same actor");
            if !has_failed {
                assert!(n_whole > 2 && n_commits > 8, "the failures went past the decision");
                return;
            }
        }
    }
}

#[actix_rt::test]
async fn a_change_whose_commit_ended_in_doubt_is_read_back() {
    for does_the_last in [false, true] {
        let store = Failing::new();
        let bed = Bed::over(Arc::clone(&store) as SharedStore).await;
        bed.fill_with_kestrel().await;
        store.fail_after(1, does_the_last);
        let note = crate::messages::NewNote { body: "Dented.".to_owned(), visibility: None };
        let order = crate::messages::AddNote { writer: person(), node_id: 14, note, idempotency: None };
        assert_eq!(bed.call(order).await.unwrap_err().status, 503);
        store.fail_after(Failing::NEVER, false);
        let notes = bed.see(Question::GetAsset { node_id: 14 }).await["notes"].as_array().unwrap().len();
        assert_eq!(notes, usize::from(does_the_last));
    }
}

#[actix_rt::test]
async fn of_two_actors_that_believe_to_be_in_charge_the_later_commit_is_refused_and_read_anew() {
    let bed = Bed::kestrel().await;
    let twin = bed.restarted();
    let note = |body: &str| crate::messages::NewNote { body: body.to_owned(), visibility: None };
    let order = |body| crate::messages::AddNote { writer: person(), node_id: 14, note: note(body), idempotency: None };
    twin.see(Question::ListScenes).await;
    bed.call(order("First.")).await.unwrap();
    assert_eq!(twin.call(order("Second.")).await.unwrap_err().status, 503);
    assert_eq!(twin.call(order("Second, again.")).await.unwrap().status, 201);
    let notes = twin.see(Question::GetAsset { node_id: 14 }).await;
    assert_eq!(each(&notes["notes"], "body"), ["Second, again.", "First."]);
}

#[actix_rt::test]
async fn an_import_that_was_applied_answers_201() {
    let bed = Bed::kestrel().await;
    let office = bed.stored().await;
    let plan = plan(&office, ImportKind::Assets, |changes| many_assets(&office, changes));
    let order = ApplyImport { writer: person(), plan, job: None, idempotency: None };
    let Applied::Written(written) = bed.call(order).await.unwrap() else { panic!("stale") };
    assert_eq!(written.status, 201);
    assert_eq!(codes_and_names(&bed).await, AFTER);
}

/// Who sends for the creature's turnover.
async fn vendor(bed: &Bed) -> Principal {
    bed.principal(Some(EngagementId(1)), Scopes::of(&[Scope::Read, Scope::SubmitTurnover])).await
}

/// Sends one small file for it.
async fn send(bed: &Bed, principal: &Principal, folder: &std::path::Path) -> Result<Written, OfficeRefusal> {
    let order = SubmissionOrder { turnover_id: 1, via: Via::Rest, announced_bytes: 0, idempotency_key: None };
    let head = FileHead { name: "a.mov".to_owned(), content_type: None };
    let mut source = InMemory::new(SubmissionHead::default(), vec![(head, Bytes::from_static(b"frames"))]);
    bed.desk(folder).take(&bed.bus, principal, order, &mut source).await
}

/// Names of the files in their places.
fn placed(folder: &std::path::Path) -> Vec<String> {
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.file_name() != "incoming");
    let files = folders.flat_map(|entry| std::fs::read_dir(entry.path()).unwrap());
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[actix_rt::test]
async fn files_that_a_record_may_name_stay_when_the_commit_ended_in_doubt() {
    for does_the_last in [false, true] {
        let (store, folder) = (Failing::new(), tempfile::tempdir().unwrap());
        let bed = Bed::over(Arc::clone(&store) as SharedStore).await;
        bed.fill_with_kestrel().await;
        let principal = vendor(&bed).await;
        store.fail_after(1, does_the_last);
        assert_eq!(send(&bed, &principal, folder.path()).await.unwrap_err().status, 503);
        store.fail_after(Failing::NEVER, false);

        let office = bed.stored().await;
        let recorded: Vec<_> = office.media().iter().filter(|media| media.filename == "a.mov").collect();
        assert_eq!(recorded.len(), usize::from(does_the_last));
        assert_eq!(placed(folder.path()).len(), 1, "recorded: {does_the_last}");
        assert!(recorded.iter().all(|media| placed(folder.path()).contains(&media.sha256)));
    }
}

#[actix_rt::test]
async fn files_that_were_surely_not_recorded_are_taken_away() {
    let (store, folder) = (Failing::new(), tempfile::tempdir().unwrap());
    let bed = Bed::over(Arc::clone(&store) as SharedStore).await;
    bed.fill_with_kestrel().await;
    let principal = vendor(&bed).await;
    store.fail_after(0, false);
    let refusal = send(&bed, &principal, folder.path()).await.unwrap_err();
    assert_eq!((refusal.status, refusal.in_doubt), (503, false));
    assert_eq!(placed(folder.path()), [""; 0]);
}

#[actix_rt::test]
async fn an_engagement_whose_end_was_committed_in_doubt_opens_no_door() {
    for does_the_last in [false, true] {
        let store = Failing::new();
        let bed = Bed::over(Arc::clone(&store) as SharedStore).await;
        bed.fill_with_kestrel().await;
        let principal = vendor(&bed).await;
        let now = crate::testing::NOON.parse().unwrap();
        assert_eq!(bed.key_ring.standing(principal.credential, now), Ok(()));
        store.fail_after(1, does_the_last);
        let status = EngagementStatus::Suspended;
        let step = SetUpStep::SetEngagementStatus { code: "NLT-101".to_owned(), status };
        assert!(bed.set_up(step).await.unwrap_err().in_doubt);
        let standing = bed.key_ring.standing(principal.credential, now);
        assert_eq!(standing.is_ok(), !does_the_last, "the ring says what the store says");
    }
}

#[actix_rt::test]
async fn a_started_office_tells_the_ring_how_its_engagements_stand() {
    let bed = Bed::kestrel().await;
    let key = bed.key("Northlight pipeline", Some(EngagementId(1)), Scopes::of(&[Scope::Read])).await;
    let path = credential_path(key.credential().unwrap());
    let found = read::<Credential>(&*bed.store, &Key::new(bed.house, path)).await.unwrap();
    let (credential, _) = found.unwrap();
    let restarted = bed.restarted();
    restarted.key_ring.put(bed.house, &credential);
    let now = crate::testing::NOON.parse().unwrap();
    assert_eq!(restarted.key_ring.standing(credential.id, now), Err(KeyRefusal::EngagementNotActive));
    restarted.see(Question::GetProduction).await;
    assert_eq!(restarted.key_ring.standing(credential.id, now), Ok(()));
}
