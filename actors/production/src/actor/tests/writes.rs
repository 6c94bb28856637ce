//! Assets, notes and setting up.

use playhouse_house::{Scope, Scopes};
use serde_json::json;

use crate::messages::{
    AddNote, CreateAsset, NewAsset, NewNote, OfficeRefusal, Question, Reader, SetUpStep, Writer, Written,
};
use crate::model::{EngagementId, EngagementStatus, ProductionStatus};
use crate::testing::{Bed, all_scopes, body, each, person};

fn lantern() -> NewAsset {
    NewAsset {
        name: "Storm lantern".to_owned(),
        kind: "prop".to_owned(),
        department: "props".to_owned(),
        scenes: Some(vec!["4A".to_owned(), "1".to_owned()]),
        ..NewAsset::default()
    }
}

async fn create(bed: &Bed, writer: Writer, asset: NewAsset) -> Result<Written, OfficeRefusal> {
    bed.call(CreateAsset { writer, asset, idempotency: None }).await
}

async fn note(bed: &Bed, writer: Writer, node_id: i64, body: &str, visibility: &str) -> Result<Written, OfficeRefusal> {
    let note = NewNote { body: body.to_owned(), visibility: Some(visibility.to_owned()) };
    bed.call(AddNote { writer, node_id, note, idempotency: None }).await
}

fn refusal(reply: Result<Written, OfficeRefusal>) -> (u16, String) {
    let refusal = reply.unwrap_err();
    (refusal.status, refusal.detail)
}

#[actix_rt::test]
async fn a_new_asset_is_answered_as_it_is_read_afterwards() {
    let bed = Bed::kestrel().await;
    let key = bed.key("Props pipeline", None, all_scopes()).await;
    let written = create(&bed, key, lantern()).await.unwrap();
    assert_eq!((written.status, written.location.as_deref()), (201, Some("/assets/17")));
    let asset = body(&written);
    assert_eq!(
        (&asset["code"], &asset["status"], &asset["scenes"]),
        (&json!("storm-lantern"), &json!("planned"), &json!(["1", "4A"]))
    );
    assert_eq!(bed.see(Question::GetAsset { node_id: 17 }).await, asset);
    assert_eq!(bed.restarted().see(Question::GetAsset { node_id: 17 }).await, asset);
    let newest = &bed.see(Question::ListActivity { limit: Some(1), before_id: None }).await[0];
    let actor = json!({"kind": "key", "label": "Props pipeline"});
    assert_eq!((&newest["verb"], &newest["actor"]), (&json!("asset.created"), &actor));
}

#[actix_rt::test]
async fn an_asset_whose_code_is_taken_is_a_conflict_that_names_the_other() {
    let bed = Bed::kestrel().await;
    let refused =
        create(&bed, person(), NewAsset { code: Some("creature".to_owned()), ..lantern() }).await.unwrap_err();
    assert_eq!(refused.body(), json!({"detail": "An asset with code 'creature' already exists.", "node_id": 14}));
    assert_eq!(refused.status, 409);
}

#[actix_rt::test]
async fn every_wrong_field_of_an_asset_is_named() {
    let bed = Bed::kestrel().await;
    let wrong = NewAsset {
        name: " ".to_owned(),
        kind: "gadget".to_owned(),
        department: "vfxx".to_owned(),
        code: Some("two words".to_owned()),
        status: Some("done".to_owned()),
        scenes: Some(vec!["99".to_owned()]),
        ..NewAsset::default()
    };
    let refused = create(&bed, person(), wrong).await.unwrap_err();
    assert_eq!((refused.status, refused.detail.as_str()), (422, "name must be 1 to 200 characters."));
    let fields = each(&refused.members["errors"], "field");
    assert_eq!(fields, ["name", "kind", "department", "code", "status", "scenes"]);
    let engagement = NewAsset { engagement_id: Some(99), ..lantern() };
    assert_eq!(refusal(create(&bed, person(), engagement).await), (404, "Engagement not found.".to_owned()));
    let episode = NewAsset { episode_id: Some(99), ..lantern() };
    assert_eq!(refusal(create(&bed, person(), episode).await).0, 404);
}

#[actix_rt::test]
async fn an_asset_made_in_review_asks_for_its_approval() {
    let bed = Bed::kestrel().await;
    create(&bed, person(), NewAsset { status: Some("in_review".to_owned()), ..lantern() }).await.unwrap();
    let pending = bed.see(Question::ListApprovals { status: Some("pending".to_owned()) }).await;
    assert_eq!(pending[0]["subject"], json!({"type": "asset", "id": 17, "title": "Storm lantern"}));
}

#[actix_rt::test]
async fn an_asset_given_to_an_engagement_is_in_its_reach_with_its_scenes() {
    let bed = Bed::kestrel().await;
    let vendor = Reader::bound(EngagementId(1), Scopes::of(&[Scope::Read]));
    let scene = Question::SceneBundle { node_id: 8 };
    assert!(bed.ask(vendor, scene.clone()).await.is_err());
    create(&bed, person(), NewAsset { engagement_id: Some(1), ..lantern() }).await.unwrap();
    assert_eq!(each(&bed.ask(vendor, scene).await.unwrap()["assets"], "code"), ["storm-lantern"]);
}

/// Writes are refused by scope, then by door.
#[actix_rt::test]
async fn only_production_wide_keys_with_write_may_write() {
    let bed = Bed::kestrel().await;
    let reader = bed.key("Reader", None, Scopes::of(&[Scope::Read])).await;
    let scope = (403, "This key does not have the 'write' scope.".to_owned());
    assert_eq!(refusal(create(&bed, reader.clone(), lantern()).await), scope);
    assert_eq!(refusal(note(&bed, reader, 14, "Dented.", "production").await), scope);
    let vendor = bed.key("Vendor", Some(EngagementId(1)), all_scopes()).await;
    let door = (403, "This key is bound to an engagement and cannot use this endpoint.".to_owned());
    assert_eq!(refusal(create(&bed, vendor.clone(), lantern()).await), door);
    assert_eq!(refusal(note(&bed, vendor, 14, "Dented.", "production").await), door);
}

/// Edge case 45, and what else an archived production refuses.
#[actix_rt::test]
async fn an_archived_production_takes_no_writes() {
    let bed = Bed::kestrel().await;
    bed.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await.unwrap();
    let archived = (409, "This production is archived.".to_owned());
    assert_eq!(refusal(create(&bed, person(), lantern()).await), archived);
    assert_eq!(refusal(note(&bed, person(), 14, "Dented.", "production").await), archived);
    let status = EngagementStatus::Suspended;
    let step = SetUpStep::SetEngagementStatus { code: "NLT-101".to_owned(), status };
    assert_eq!(bed.set_up(step).await.unwrap_err().detail, archived.1);
    assert_eq!(bed.see(Question::GetProduction).await["status"], "archived");
}

/// Edge case 47.
#[actix_rt::test]
async fn a_note_is_text_of_1_to_4000_characters() {
    let bed = Bed::kestrel().await;
    let refused = (422, "body must be 1 to 4000 characters.".to_owned());
    for (case, text) in
        [("4001 characters", "é".repeat(4_001)), ("only spaces", "   ".to_owned()), ("nothing", String::new())]
    {
        assert_eq!(refusal(note(&bed, person(), 14, &text, "production").await), refused, "{case}");
    }
    let markup = "<b>Dented</b> & *worn*";
    let written = note(&bed, person(), 14, markup, "production").await.unwrap();
    assert_eq!((written.status, &body(&written)["body"]), (201, &json!(markup)));
    assert_eq!(bed.see(Question::GetAsset { node_id: 14 }).await["notes"], json!([body(&written)]));
    assert_eq!(note(&bed, person(), 14, &"é".repeat(4_000), "production").await.unwrap().status, 201);
}

#[actix_rt::test]
async fn a_note_for_engagements_is_seen_by_those_that_hold_the_node() {
    let bed = Bed::kestrel().await;
    note(&bed, person(), 6, "For us.", "production").await.unwrap();
    note(&bed, person(), 6, "Mind the rain.", "engagement").await.unwrap();
    let vendor = Reader::bound(EngagementId(1), Scopes::of(&[Scope::Read]));
    let scene = Question::SceneBundle { node_id: 6 };
    assert_eq!(each(&bed.ask(vendor, scene.clone()).await.unwrap()["notes"], "body"), ["Mind the rain."]);
    assert_eq!(each(&bed.see(scene).await["notes"], "body"), ["Mind the rain.", "For us."]);
    let nobody = (422, "No engagement holds this node.".to_owned());
    assert_eq!(refusal(note(&bed, person(), 16, "Waders leak.", "engagement").await), nobody);
    assert_eq!(refusal(note(&bed, person(), 999, "?", "production").await), (404, "Asset not found.".to_owned()));
    let word = refusal(note(&bed, person(), 6, "?", "everybody").await);
    assert_eq!(word, (422, "Unknown visibility 'everybody'. One of: production, engagement.".to_owned()));
}

#[actix_rt::test]
async fn setting_up_the_same_again_changes_nothing() {
    let bed = Bed::kestrel().await;
    let before = bed.stored().await.revision();
    for step in crate::kestrel::kestrel().unwrap().after {
        bed.set_up(step).await.unwrap();
    }
    assert_eq!(bed.stored().await.revision(), before);
}

#[actix_rt::test]
async fn what_is_set_up_wrongly_is_refused_in_the_callers_terms() {
    let bed = Bed::kestrel().await;
    let kestrel = crate::kestrel::kestrel().unwrap();
    let (mut production, mut engagement) = (None, None);
    for step in kestrel.before {
        match step {
            SetUpStep::PutProduction(step) => production = Some(step),
            SetUpStep::PutEngagement(step) => engagement = Some(step),
            _ => {}
        }
    }
    let (production, engagement) = (production.unwrap(), engagement.unwrap());
    let reach = |name: &str| {
        SetUpStep::PutEngagement(crate::messages::PutEngagement {
            reach: Some(vec![name.to_owned()]),
            ..engagement.clone()
        })
    };
    let steps = [
        (
            SetUpStep::PutProduction(crate::messages::PutProduction {
                timezone: "London".to_owned(),
                ..production.clone()
            }),
            "'London' is no time zone; write a name such as Europe/London.",
        ),
        (
            SetUpStep::PutProduction(crate::messages::PutProduction { fps: "fast".to_owned(), ..production }),
            "fps must be a number or a fraction such as 24000/1001, not 'fast'.",
        ),
        (reach("scene:99"), "'scene:99' names nothing of this production, or several things."),
        (reach("3"), "'3' assigns nothing; write scene:4A, scene:101/4A, character:MARA, asset:code or episode:101."),
    ];
    for (step, expected) in steps {
        assert_eq!(bed.set_up(step).await.unwrap_err().detail, expected);
    }
    let ended = |status| SetUpStep::SetEngagementStatus { code: "TID-101".to_owned(), status };
    bed.set_up(ended(EngagementStatus::Ended)).await.unwrap();
    let refused = bed.set_up(ended(EngagementStatus::Active)).await.unwrap_err();
    assert_eq!((refused.status, refused.detail.as_str()), (409, "This engagement is ended and cannot become active."));
}

#[actix_rt::test]
async fn a_file_that_was_removed_is_gone_and_not_merely_unknown() {
    let bed = Bed::kestrel().await;
    let purge = |sum: &str| SetUpStep::PurgeMedia { sha256: sum.repeat(32) };
    assert_eq!(bed.set_up(purge("ed")).await, Ok(1));
    let removed = (410, "This file was removed.".to_owned());
    assert_eq!(bed.refused(Reader::wide(all_scopes()), Question::GetMedia { id: 1 }).await, removed);
    let newest = &bed.see(Question::ListActivity { limit: Some(1), before_id: None }).await[0];
    assert_eq!((&newest["verb"], &newest["subject"]["id"]), (&json!("media.purged"), &json!(1)));
    let revision = bed.stored().await.revision();
    assert_eq!(bed.set_up(purge("ed")).await, Ok(1), "once is enough");
    assert_eq!(bed.stored().await.revision(), revision);
    assert_eq!(bed.set_up(purge("ab")).await.unwrap_err().detail, "Media not found.");
    assert_eq!(bed.see(Question::ListTurnovers).await[0]["package"], json!([]));
}

#[actix_rt::test]
async fn long_answers_of_a_large_production_are_worked_out_once() {
    let bed = Bed::kestrel().await;
    bed.put(|office, changes| {
        let model = office.asset_coded("sledge").unwrap().clone();
        for number in 0..600 {
            let (node_id, code) = (changes.next_id(), format!("sledge-{number:03}"));
            changes.put(crate::model::Asset { node_id, code, ..model.clone() });
        }
    })
    .await;
    let question = || Question::ListAssets { department: Some("props".to_owned()), kind: None, status: None };
    let (one, two) = futures::join!(bed.see(question()), bed.see(question()));
    assert_eq!((one.as_array().unwrap().len(), &one), (604, &two));
    assert_eq!(bed.call(crate::messages::Observe {}).await.n_cached_answers, 1);
}

#[actix_rt::test]
async fn a_scene_number_means_the_scene_of_the_episode_that_is_named() {
    let bed = Bed::kestrel().await;
    bed.put(|office, changes| {
        let scene = office.script().find(|scene| scene.number == "1").unwrap().clone();
        let (node_id, episode_id) = (changes.next_id(), Some(crate::model::EpisodeId(2)));
        changes.put(crate::model::Scene { node_id, episode_id, characters: Vec::new(), ..scene });
    })
    .await;
    let bell = |code: &str, scenes: &[&str], episode_id| NewAsset {
        code: Some(code.to_owned()),
        scenes: Some(scenes.iter().map(|number| (*number).to_owned()).collect()),
        episode_id,
        ..lantern()
    };
    let several = refusal(create(&bed, person(), bell("a", &["4A", "1"], None)).await);
    assert_eq!(several, (422, "Scene '1' is in several episodes; name the one meant with episode_id.".to_owned()));
    let unknown = refusal(create(&bed, person(), bell("a", &["4A"], Some(2))).await);
    assert_eq!(unknown, (422, "Unknown scene '4A'.".to_owned()));
    assert_eq!(refusal(create(&bed, person(), bell("a", &[""], None)).await), (422, "Unknown scene ''.".to_owned()));
    let twice = create(&bed, person(), bell("a", &["1", "4A", "1"], Some(1))).await.unwrap();
    assert_eq!(body(&twice)["scenes"], json!(["1", "4A"]));
}

#[actix_rt::test]
async fn the_bookkeeping_of_jobs_keeps_answers_about_other_things() {
    let bed = Bed::kestrel().await;
    let scenes = Question::ListScenes;
    bed.see(scenes).await;
    let n_kept = async || bed.call(crate::messages::Observe {}).await.n_cached_answers;
    let jobs = async || bed.see(Question::ListJobs { status: Some("running".to_owned()) }).await;
    assert_eq!((jobs().await, n_kept().await), (json!([]), 2));
    let id = bed.call(crate::messages::StartJob { kind: "import.script".to_owned() }).await.unwrap();
    assert_eq!(n_kept().await, 1, "the scenes are the same, the jobs are not");
    assert_eq!(each(&jobs().await, "id"), [json!(id)]);
    bed.call(crate::messages::EndJob { id, outcome: Ok(json!({})) }).await.unwrap();
    assert_eq!((n_kept().await, jobs().await), (1, json!([])));
}

#[actix_rt::test]
async fn jobs_are_kept_for_a_month_and_not_without_end() {
    let bed = Bed::kestrel().await;
    let job = async |ends: bool| {
        let id = bed.call(crate::messages::StartJob { kind: "import.script".to_owned() }).await.unwrap();
        if ends {
            bed.call(crate::messages::EndJob { id, outcome: Ok(json!({})) }).await.unwrap();
        }
        id
    };
    let (ended, running) = (job(true).await, job(false).await);
    bed.set_clock("2026-11-06T11:00:00Z");
    job(true).await;
    assert!(bed.stored().await.jobs().get(&ended).is_some(), "thirty days are not over");
    bed.set_clock("2026-11-06T12:00:00Z");
    job(true).await;
    let office = bed.stored().await;
    assert!(office.jobs().get(&ended).is_none());
    assert!(office.jobs().get(&running).is_some(), "what goes on is not forgotten");
    for _ in 0..510 {
        job(true).await;
    }
    assert_eq!(bed.stored().await.jobs().len(), 500);
    assert!(bed.stored().await.jobs().get(&running).is_some());
}

#[actix_rt::test]
async fn a_production_is_large_by_whatever_its_lists_go_through() {
    let bed = Bed::kestrel().await;
    assert!(!bed.stored().await.is_large());
    bed.put(|office, changes| {
        let shot = office.shots().iter().next().unwrap().clone();
        for position in 10..600 {
            changes.put(crate::model::Shot { position, ..shot.clone() });
        }
    })
    .await;
    assert!(bed.stored().await.is_large());
}

#[actix_rt::test]
async fn a_key_of_an_engagement_is_noted_once_when_it_is_made_and_once_when_it_is_revoked() {
    use crate::messages::{KeyChange, NoteKey};
    let bed = Bed::kestrel().await;
    let credential = bed.key("Northlight pipeline", Some(EngagementId(1)), all_scopes()).await.credential().unwrap();
    let note = |change, engagement| NoteKey {
        by: "Operator".to_owned(),
        credential,
        label: "Northlight pipeline".to_owned(),
        engagement: EngagementId(engagement),
        scopes: Scopes::of(&[Scope::Read, Scope::SubmitTurnover]),
        change,
    };
    bed.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await.unwrap();
    for change in [KeyChange::Created, KeyChange::Created, KeyChange::Revoked, KeyChange::Revoked] {
        bed.call(note(change, 1)).await.unwrap();
    }
    let entries = bed.see(Question::ListActivity { limit: Some(3), before_id: None }).await;
    assert_eq!(each(&entries, "verb"), ["key.revoked", "key.created", "production.updated"]);
    let created = format!("key {credential} for NLT-101: read submit:turnover");
    let subject = json!({"type": "key", "id": 0, "title": "Northlight pipeline"});
    assert_eq!((&entries[1]["summary"], &entries[1]["subject"]), (&json!(created), &subject));
    assert_eq!(bed.call(note(KeyChange::Created, 99)).await.unwrap_err().detail, "Engagement not found.");
}
