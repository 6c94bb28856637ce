//! Answers to those who see everything.

use playhouse_house::{Scope, Scopes};
use serde_json::{Value, json};

use crate::messages::{Question, Reader, SetUpStep};
use crate::model::{DeliveryStatus, ImportKind};
use crate::testing::{Bed, all_scopes, each, person, plan};

fn assets(department: Option<&str>, kind: Option<&str>, status: Option<&str>) -> Question {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Question::ListAssets { department: owned(department), kind: owned(kind), status: owned(status) }
}

fn activity(limit: Option<i64>, before_id: Option<i64>) -> Question {
    Question::ListActivity { limit, before_id }
}

#[actix_rt::test]
async fn the_production_at_a_glance() {
    let bed = Bed::kestrel().await;
    let expected = json!({
        "id": 1, "title": "Kestrel", "code": "KST", "kind": "series", "status": "shooting", "timezone": "Europe/London",
        "currency": "GBP", "fps": "25", "start_date": "2026-08-31", "wrap_date": "2026-11-27",
        "episodes": [
            {"id": 1, "number": 101, "title": "Landfall", "status": "shooting",
             "draft": {"id": 2, "colour": "blue", "dated": "2026-09-15"}},
            {"id": 2, "number": 102, "title": "Slack Water", "status": "planned", "draft": null},
        ],
        "counts": {"scenes": 6, "omitted_scenes": 1, "assets": 6, "open_turnovers": 2, "overdue": 0, "pending_approvals": 1},
        "shoot": {"day_number": 3, "of": 4, "date": "2026-10-07"},
    });
    assert_eq!(bed.see(Question::GetProduction).await, expected);
}

#[actix_rt::test]
async fn the_members_of_an_answer_come_in_the_order_of_the_page() {
    let bed = Bed::kestrel().await;
    let document = bed.call(crate::Read { reader: Reader::wide(all_scopes()), question: Question::ListScenes }).await;
    let first = r#"[{"node_id":4,"episode_id":1,"number":"1","heading":"EXT. SALT MARSH - DAWN","int_ext":null,"set_name":null,"time_of_day":null,"page_eighths":2,"eighths_estimated":true,"synopsis":null,"omitted":false,"colour":"white","characters":[{"node_id":1,"name":"MARA"}],"asset_count":3,"shoot_dates":["2026-10-05"]}"#;
    let json = document.unwrap().json().to_owned();
    assert!(json.starts_with(first), "{json}");
}

#[actix_rt::test]
async fn the_shoot_is_null_before_its_first_and_after_its_last_day() {
    let bed = Bed::kestrel().await;
    for (time, number) in [
        ("2026-10-04T12:00:00Z", Value::Null),
        ("2026-10-05T12:00:00Z", json!(1)),
        ("2026-10-08T12:00:00Z", json!(4)),
        ("2026-10-09T12:00:00Z", Value::Null),
    ] {
        bed.set_clock(time);
        assert_eq!(bed.see(Question::GetProduction).await["shoot"]["day_number"], number, "{time}");
    }
}

#[actix_rt::test]
async fn scenes_come_in_script_order_and_omitted_ones_stay() {
    let bed = Bed::kestrel().await;
    let scenes = bed.see(Question::ListScenes).await;
    assert_eq!(each(&scenes, "number"), ["1", "2", "3", "4", "4A", "5", "6"]);
    assert_eq!(scenes[5]["omitted"], true);
}

#[actix_rt::test]
async fn departments_count_what_is_theirs() {
    let bed = Bed::kestrel().await;
    bed.set_clock("2026-10-21T12:00:00Z");
    let departments = bed.see(Question::ListDepartments).await;
    assert_eq!(each(&departments, "slug"), ["art", "costume", "editorial", "props", "sound", "vfx"]);
    let head = json!({"person_id": 1, "name": "Ade Bright"});
    let counts = json!({"assets": 1, "not_approved": 1, "overdue": 1});
    assert_eq!(departments[5], json!({"slug": "vfx", "name": "VFX", "head": head, "counts": counts}));
    let one = bed.see(Question::GetDepartment { slug: "vfx".to_owned() }).await;
    assert_eq!(each(&one["people"], "name"), ["Ade Bright", "Noor Haddad"]);
    assert_eq!(each(&one["assets"], "code"), ["creature"]);
    assert_eq!(each(&one["deliveries"], "title"), ["Creature turnover 101"]);
    let none = Question::GetDepartment { slug: "vfxx".to_owned() };
    assert_eq!(bed.refused(Reader::wide(all_scopes()), none).await, (404, "Department not found.".to_owned()));
}

#[actix_rt::test]
async fn assets_come_by_department_and_code_and_are_filtered() {
    let bed = Bed::kestrel().await;
    let all = bed.see(assets(None, None, None)).await;
    assert_eq!(each(&all, "code"), ["waders", "land-rover", "metal-case", "outboard", "sledge", "creature"]);
    assert_eq!(all[2]["scenes"], json!(["1", "2", "4"]));
    assert_eq!(
        each(&bed.see(assets(Some("props"), None, Some("approved"))).await, "code"),
        ["land-rover", "outboard", "sledge"]
    );
    assert_eq!(bed.see(assets(None, Some("stunt"), None)).await, json!([]));
}

#[actix_rt::test]
async fn characters_list_as_assets_of_their_kind() {
    let bed = Bed::kestrel().await;
    let characters = bed.see(assets(None, Some("character"), None)).await;
    assert_eq!(each(&characters, "code"), ["joan", "mara", "tom"]);
    assert_eq!(characters[2]["scenes"], json!(["2", "3"]));
    let node_id = characters[2]["node_id"].as_i64().unwrap();
    assert_eq!(bed.see(Question::GetAsset { node_id }).await["name"], "TOM");
}

/// Rows 19 to 23 of the edge cases, as far as they are the office's own.
#[actix_rt::test]
async fn words_and_numbers_that_nothing_has_are_refused() {
    let bed = Bed::kestrel().await;
    let statuses = "Unknown status 'done'. One of: planned, in_progress, in_review, approved, final, on_hold, omitted.";
    let limit = "limit must be between 1 and 200.";
    let cases = [
        ("GET /assets?status=done", assets(None, None, Some("done")), (422, statuses)),
        ("GET /assets?department=vfxx", assets(Some("vfxx"), None, None), (422, "Unknown department 'vfxx'.")),
        (
            "GET /people?department=vfxx",
            Question::ListPeople { department: Some("vfxx".to_owned()) },
            (422, "Unknown department 'vfxx'."),
        ),
        ("GET /assets/0", Question::GetAsset { node_id: 0 }, (404, "Asset not found.")),
        ("GET /assets/-1", Question::GetAsset { node_id: -1 }, (404, "Asset not found.")),
        ("GET /assets/{a scene}", Question::GetAsset { node_id: 4 }, (404, "Asset not found.")),
        ("GET /activity?limit=0", activity(Some(0), None), (422, limit)),
        ("GET /activity?limit=201", activity(Some(201), None), (422, limit)),
        ("GET /schedule of no episode", Question::GetSchedule { episode_id: Some(11) }, (404, "Episode not found.")),
        (
            "changes of no episode",
            Question::ScriptChanges { episode_id: Some(9), draft_id: None },
            (404, "Episode not found."),
        ),
        (
            "changes of no draft",
            Question::ScriptChanges { episode_id: None, draft_id: Some(9) },
            (404, "Draft not found."),
        ),
        (
            "GET /jobs?status=x",
            Question::ListJobs { status: Some("x".to_owned()) },
            (422, "Unknown status 'x'. One of: queued, running, done, failed."),
        ),
        ("scene bundle with a character's id", Question::SceneBundle { node_id: 1 }, (404, "Scene not found.")),
        ("character bundle with a scene's id", Question::CharacterBundle { node_id: 4 }, (404, "Character not found.")),
        ("no file of this id", Question::GetMedia { id: 70 }, (404, "Media not found.")),
    ];
    for (case, question, (status, detail)) in cases {
        assert_eq!(bed.refused(Reader::wide(all_scopes()), question).await, (status, detail.to_owned()), "{case}");
    }
}

/// Edge case 23.
#[actix_rt::test]
async fn a_film_has_no_episodes_and_its_draft_beside_them() {
    let bed = Bed::over(std::sync::Arc::new(playhouse_store::MemoryStore::new())).await;
    let kestrel = crate::kestrel::kestrel().unwrap();
    let Some(SetUpStep::PutProduction(production)) = kestrel.before.into_iter().next() else { panic!("no production") };
    let film = crate::messages::PutProduction { kind: crate::model::ProductionKind::Film, ..production };
    bed.set_up(SetUpStep::PutProduction(film)).await.unwrap();
    let glance = bed.see(Question::GetProduction).await;
    assert_eq!((&glance["episodes"], glance.get("draft")), (&json!([]), Some(&Value::Null)));
    let schedule = Question::GetSchedule { episode_id: Some(11) };
    assert_eq!(bed.refused(Reader::wide(all_scopes()), schedule).await, (404, "Episode not found.".to_owned()));
}

#[actix_rt::test]
async fn a_house_without_a_production_has_none_to_show() {
    let bed = Bed::over(std::sync::Arc::new(playhouse_store::MemoryStore::new())).await;
    let refused = bed.refused(Reader::wide(all_scopes()), Question::GetProduction).await;
    assert_eq!(refused, (404, "Production not found.".to_owned()));
    assert_eq!(bed.see(Question::ListScenes).await, json!([]));
}

#[actix_rt::test]
async fn the_schedule_of_one_episode_keeps_days_off_and_drops_empty_shoot_days() {
    let bed = Bed::kestrel().await;
    let all = bed.see(Question::GetSchedule { episode_id: None }).await;
    assert_eq!(each(&all["days"], "day_number"), [json!(1), json!(2), json!(3), json!(4), Value::Null]);
    let strips = json!([
        {"node_id": 5, "number": "2", "part": false, "page_eighths": 3, "order": 1},
        {"node_id": 7, "number": "4", "part": true, "page_eighths": 1, "order": 2},
    ]);
    assert_eq!(all["days"][1]["strips"], strips);
    assert_eq!(each(&all["unscheduled"], "number"), ["4A", "6"]);
    assert_eq!(each(&all["milestones"], "name"), ["Turnover 101"]);
    let second = bed.see(Question::GetSchedule { episode_id: Some(2) }).await;
    assert_eq!(each(&second["days"], "kind"), ["off"]);
    assert_eq!((&second["milestones"], &second["unscheduled"]), (&json!([]), &json!([])));
}

#[actix_rt::test]
async fn deliveries_come_by_due_date() {
    let bed = Bed::kestrel().await;
    let deliveries = bed.see(Question::ListDeliveries).await;
    let first = json!({
        "id": 1, "code": "TO-101-01", "title": "Creature turnover 101", "kind": "turnover", "status": "open", "overdue": false,
        "episode_id": 1, "engagement": {"id": 1, "title": "Creature shots, episode 101", "vendor": "Northlight"},
        "due_on": "2026-10-20", "shot_count": 3, "submission_count": 0,
    });
    assert_eq!(deliveries[0], first);
    assert_eq!(each(&deliveries, "code"), ["TO-101-01", "TO-101-02", "MST-101"]);
}

/// Edge case 48: due today, 23:30 in London, server in UTC+9. What is late goes by the production's calendar.
#[actix_rt::test]
async fn what_is_due_today_in_london_is_not_overdue_before_midnight_there() {
    let bed = Bed::kestrel().await;
    for (time, overdue) in [("2026-10-20T22:30:00Z", false), ("2026-10-20T23:00:00Z", true)] {
        bed.set_clock(time);
        let deliveries = bed.see(Question::ListDeliveries).await;
        assert_eq!(deliveries[0]["overdue"], overdue, "{time}");
        assert_eq!(bed.see(Question::ListTurnovers).await[0]["overdue"], overdue, "{time}");
    }
}

#[actix_rt::test]
async fn only_what_is_owed_can_be_overdue() {
    let bed = Bed::kestrel().await;
    bed.set_clock("2027-01-01T12:00:00Z");
    let code = "TO-101-02".to_owned();
    bed.set_up(SetUpStep::SetDeliveryStatus { code, status: DeliveryStatus::Cancelled }).await.unwrap();
    let overdue = |list: &Value| each(list, "overdue");
    assert_eq!(overdue(&bed.see(Question::ListDeliveries).await), [true, false, false]);
}

#[actix_rt::test]
async fn a_scene_bundle_has_all_that_is_known_about_the_scene() {
    let bed = Bed::kestrel().await;
    let bundle = bed.see(Question::SceneBundle { node_id: 6 }).await;
    let expected = json!({
        "view": "production",
        "scene": {"node_id": 6, "number": "3", "heading": "I/E. TOM'S LAND ROVER / MARSH ROAD - DAY (TRAVELLING)",
                  "page_eighths": 2, "omitted": false, "colour": "white", "asset_count": 2},
        "script": {"draft_id": 1, "text": "Rain."},
        "changes": [{"draft_id": 2, "colour": "blue", "change": "unchanged"}],
        "characters": [{"node_id": 2, "name": "TOM", "actor": "R. Lee"}],
        "assets": [{"node_id": 14, "code": "creature", "kind": "vfx", "status": "in_progress", "engagement_id": 1},
                   {"node_id": 15, "code": "land-rover", "kind": "vehicle", "status": "approved", "engagement_id": null}],
        "schedule": [{"date": "2026-10-08", "unit": "second", "day_number": 4, "location": "Marsh road"}],
        "deliveries": [{"id": 1, "title": "Creature turnover 101", "status": "open", "due_on": "2026-10-20",
                        "shots": ["KST_101_003_0010", "KST_101_003_0020"]}],
        "notes": [], "media": [], "approvals": [],
        "outstanding": ["creature is in_progress, not approved", "turnover TO-101-01 has no submission, due 2026-10-20"],
    });
    assert_eq!(bundle, expected);
}

#[actix_rt::test]
async fn a_character_bundle_has_its_scenes_and_what_it_wears() {
    let bed = Bed::kestrel().await;
    let bundle = bed.see(Question::CharacterBundle { node_id: 1 }).await;
    let head = json!({"node_id": 1, "name": "MARA", "cast_number": null, "actor": "A. Novak", "description": null});
    assert_eq!(bundle["character"], head);
    assert_eq!(each(&bundle["scenes"], "number"), ["1", "2", "4"]);
    assert_eq!(bundle["scenes"][2]["shoot_dates"], json!(["2026-10-06", "2026-10-07"]));
    assert_eq!(each(&bundle["assets"], "code"), ["waders"]);
    assert_eq!(bundle["outstanding"], json!(["waders is planned, not approved"]));
}

#[actix_rt::test]
async fn script_changes_compare_the_newest_draft_with_the_one_before() {
    let bed = Bed::kestrel().await;
    let newest = bed.see(Question::ScriptChanges { episode_id: None, draft_id: None }).await;
    let change = |node_id, number, change, before: Option<u32>, after: Option<u32>, added: &[&str]| {
        json!({"node_id": node_id, "number": number, "change": change, "eighths_before": before, "eighths_after": after,
               "characters_added": added, "characters_removed": [], "scheduled": number == "2"})
    };
    let expected = json!([{
        "episode_id": 1, "from": {"draft_id": 1, "colour": "white"}, "to": {"draft_id": 2, "colour": "blue"},
        "changes": [change(5, "2", "revised", Some(3), Some(3), &[]), change(8, "4A", "added", None, Some(1), &["JOAN"]),
                    change(9, "5", "omitted", Some(1), None, &[])],
    }]);
    assert_eq!(newest, expected);
    let first = bed.see(Question::ScriptChanges { episode_id: Some(1), draft_id: Some(1) }).await;
    assert_eq!((&first[0]["from"], first[0]["changes"].as_array().unwrap().len()), (&Value::Null, 6));
    assert_eq!(bed.see(Question::ScriptChanges { episode_id: Some(2), draft_id: None }).await, json!([]));
}

#[actix_rt::test]
async fn people_are_listed_without_their_telephone_numbers() {
    let bed = Bed::kestrel().await;
    let people = bed.see(Question::ListPeople { department: Some("vfx".to_owned()) }).await;
    let noor = json!({"id": 2, "name": "Noor Haddad", "role": "VFX supervisor", "department": "vfx", "vendor": "Northlight",
                      "email": "noor@example.test"});
    assert_eq!(people[1], noor);
}

#[actix_rt::test]
async fn an_import_writes_one_activity_entry_and_one_job() {
    let bed = Bed::kestrel().await;
    let entries = bed.see(activity(Some(200), None)).await;
    let imported: Vec<_> = each(&entries, "verb").into_iter().filter(|verb| verb == "asset.updated").collect();
    assert_eq!(imported.len(), 1);
    let jobs = bed.see(Question::ListJobs { status: Some("done".to_owned()) }).await;
    assert_eq!((each(&jobs, "kind"), &jobs[0]["progress"]), (vec![json!("import.assets")], &json!(1.0)));
}

#[actix_rt::test]
async fn activity_goes_back_past_what_is_in_memory_and_hides_orders_from_keys_without_money() {
    let bed = Bed::kestrel().await;
    let n_before = bed.see(activity(Some(200), None)).await.as_array().unwrap().len();
    let mut desired = 0;
    for turn in 0..1_100 {
        let note = crate::messages::NewNote { body: format!("note {turn}"), visibility: None };
        let order = crate::messages::AddNote { writer: person(), node_id: 4, note, idempotency: None };
        bed.call(order).await.unwrap();
        desired += 1;
    }
    let newest = bed.see(activity(None, None)).await;
    assert_eq!(newest.as_array().unwrap().len(), 50);
    let mut n_seen = 0;
    let mut before = None;
    loop {
        let page = bed.see(activity(Some(200), before)).await;
        let Some(last) = page.as_array().unwrap().last() else { break };
        n_seen += page.as_array().unwrap().len();
        before = last["id"].as_i64();
    }
    assert_eq!(n_seen, n_before + desired);

    let decision = crate::messages::NewDecision { decision: "approved".to_owned(), note: None };
    let order = crate::messages::Decide { writer: person(), approval_id: 1, decision, idempotency: None };
    bed.call(order).await.unwrap();
    let poor = Reader::wide(Scopes::of(&[Scope::Read]));
    let with_money = bed.see(activity(Some(1), None)).await;
    let without = bed.ask(poor, activity(Some(1), None)).await.unwrap();
    assert_eq!((&with_money[0]["verb"], &without[0]["verb"]), (&json!("approval.decided"), &json!("asset.noted")));
}

#[actix_rt::test]
async fn the_entity_tag_goes_by_the_bytes_alone() {
    let bed = Bed::kestrel().await;
    let read = || crate::Read { reader: Reader::wide(all_scopes()), question: Question::ListScenes };
    let first = bed.call(read()).await.unwrap();
    let code = "TO-101-02".to_owned();
    bed.set_up(SetUpStep::SetDeliveryStatus { code, status: DeliveryStatus::Cancelled }).await.unwrap();
    assert_eq!(bed.call(read()).await.unwrap().etag, first.etag);
    assert!(!first.is_object);
    bed.put(|office, changes| {
        let scene = office.script().next().unwrap().clone();
        changes.put(crate::model::Scene { synopsis: Some("A heron.".to_owned()), ..scene });
    })
    .await;
    assert_ne!(bed.call(read()).await.unwrap().etag, first.etag);
}

#[actix_rt::test]
async fn a_plan_upon_an_office_that_changed_meanwhile_is_stale() {
    let bed = Bed::kestrel().await;
    let office = bed.stored().await;
    let asset = office.assets().iter().next().unwrap().clone();
    let plan = plan(&office, ImportKind::Assets, |changes| changes.put(asset));
    bed.put(|office, changes| changes.put(office.assets().iter().last().unwrap().clone())).await;
    let order = crate::messages::ApplyImport { writer: person(), plan, job: None, idempotency: None };
    assert_eq!(bed.call(order).await, Ok(crate::messages::Applied::Stale));
}

#[actix_rt::test]
async fn a_restart_finds_everything_as_it_was() {
    let bed = Bed::kestrel().await;
    let questions = || {
        [
            Question::GetProduction,
            Question::ListScenes,
            assets(None, None, None),
            Question::ListDeliveries,
            Question::ListApprovals { status: None },
            activity(Some(200), None),
            Question::ListPurchaseOrders,
            Question::SceneBundle { node_id: 6 },
            Question::ListTurnovers,
            Question::ScriptChanges { episode_id: None, draft_id: None },
            Question::ListJobs { status: None },
        ]
    };
    let restarted = bed.restarted();
    for question in questions() {
        assert_eq!(restarted.see(question.clone()).await, bed.see(question.clone()).await, "{question:?}");
    }
}

#[actix_rt::test]
async fn a_job_that_a_restart_cut_off_has_failed() {
    let bed = Bed::kestrel().await;
    let id = bed.call(crate::messages::StartJob { kind: "import.script".to_owned() }).await.unwrap();
    bed.call(crate::messages::ReportJob { id, progress: 0.5 }).await.unwrap();
    let running = bed.see(Question::ListJobs { status: Some("running".to_owned()) }).await;
    assert_eq!((each(&running, "id"), &running[0]["progress"]), (vec![json!(id)], &json!(0.5)));
    let failed = bed.restarted().see(Question::ListJobs { status: Some("failed".to_owned()) }).await;
    assert_eq!(failed[0]["error"], "The service was restarted before it was done.");
}
