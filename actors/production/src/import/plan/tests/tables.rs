//! Tables and cuts over what is there.

use super::*;
use crate::model::{AssetStatus, DeliveryStatus};

/// The show with its white draft.
fn scripted() -> Show {
    let mut show = Show::kestrel();
    show.import(ImportKind::Script, &file("101-white.fountain"));
    show
}

#[test]
fn the_demo_show_imports_whole_and_a_second_time_changes_nothing() {
    let mut show = scripted();
    show.import(ImportKind::Script, &file("101-blue.fountain"));
    show.options.delivery = Some("TO-101-01".into());
    let files = [
        (ImportKind::Assets, "assets.csv", [6, 0, 0, 0]),
        (ImportKind::People, "people.csv", [3, 0, 0, 0]),
        (ImportKind::Schedule, "schedule.csv", [5, 0, 0, 0]),
        (ImportKind::Deliveries, "deliveries.csv", [3, 0, 0, 0]),
        (ImportKind::PurchaseOrders, "purchase-orders.csv", [3, 0, 0, 0]),
        (ImportKind::Cut, "101-cut-v03.edl", [3, 0, 0, 0]),
        (ImportKind::Cut, "101-cut-v03.otio", [0, 0, 0, 3]),
    ];
    for (kind, name, expected) in files {
        assert_eq!(counts(&show.import(kind, &file(name))), expected, "{name}");
    }
    for (kind, name, expected) in files {
        let again = show.plan(kind, &file(name)).unwrap();
        let n: u32 = expected.iter().sum();
        assert_eq!((counts(&again.report), again.changes.len()), ([0, 0, 0, n], 0), "{name} again");
    }
    assert_eq!(show.asset("creature").scenes.len(), 2);
    assert_eq!(show.office.order_numbered("PO-1001").unwrap().total_minor, 4_850_000);
}

#[test]
fn case_40_a_bad_department_in_row_4_of_6_writes_nothing_and_names_the_cell() {
    let show = scripted();
    let text = String::from_utf8(file("assets.csv")).unwrap();
    let bad = text.replace("creature,The creature,vfx,vfx,", "creature,The creature,vfx,vfxx,");
    let fault = show.refused(ImportKind::Assets, &bad);
    assert_eq!((fault.status(), fault.to_string().as_str()), (422, "Row 4: unknown department 'vfxx'."));
    let refusal = crate::messages::OfficeRefusal::from(fault);
    let expected = json!({ "detail": "Row 4: unknown department 'vfxx'.",
        "rows": [{ "line": 5, "column": "department", "message": "unknown department 'vfxx'" }] });
    assert_eq!(refusal.body(), expected);
}

#[test]
fn every_fault_of_a_table_is_named_at_once() {
    let show = scripted();
    let fault = show.refused(
        ImportKind::Assets,
        "code,name,kind,scenes,status\na,,propp,9,done\nb,B,prop,1;1,\nb,B,prop,,\n,B,prop,,\n",
    );
    let ImportFault::Rows { rows } = fault else { panic!("not rows") };
    let named: Vec<(u32, &str)> = rows.iter().map(|row| (row.line, row.column.as_deref().unwrap())).collect();
    assert_eq!(
        named,
        [(2, "name"), (2, "kind"), (2, "status"), (2, "scenes"), (3, "scenes"), (4, "code"), (5, "code")]
    );
}

#[test]
fn an_empty_cell_keeps_and_a_dash_clears() {
    let mut show = scripted();
    show.import(ImportKind::Assets, &file("assets.csv"));
    let report = show.import(
        ImportKind::Assets,
        b"code;status;description;engagement\ncreature;in_review;;-\nwaders;;-;\nsledge;;;\n",
    );
    assert_eq!(counts(&report), [0, 2, 0, 1]);
    let creature = show.asset("creature");
    assert_eq!(
        (creature.status, creature.engagement_id, creature.description.as_deref()),
        (AssetStatus::InReview, None, Some("Silhouette only in 101."))
    );
    assert_eq!((show.asset("waders").description.as_deref(), show.asset("waders").scenes.len()), (None, 1));
    assert_eq!(show.refused(ImportKind::Assets, "code,kind\nwaders,-\n").to_string(), "Row 1: kind cannot be cleared.");
}

#[test]
fn a_state_that_may_not_follow_is_refused() {
    let mut show = scripted();
    show.import(ImportKind::Assets, b"code,name,kind,status\nkite,Kite,prop,final\n");
    assert_eq!(
        show.refused(ImportKind::Assets, "code,status\nkite,planned\n").to_string(),
        "Row 1: status cannot go from final to planned."
    );
    show.import(ImportKind::Deliveries, b"code,title,kind,status\nT,Turnover,turnover,open\n");
    assert_eq!(
        show.refused(ImportKind::Deliveries, "code,status\nT,accepted\n").to_string(),
        "Row 1: status cannot go from open to accepted."
    );
}

#[test]
fn a_scene_number_in_two_episodes_needs_its_episode() {
    let mut show = scripted();
    show.options.episode = Some(EpisodeChoice::Number(102));
    show.import(ImportKind::Script, &file("101-white.fountain"));
    show.options.episode = None;
    let said = show.refused(ImportKind::Assets, "code,name,kind,scenes\nkite,Kite,prop,3\n").to_string();
    assert_eq!(said, "Row 1: scene '3' is in several episodes; write 101/3.");
    assert_eq!(
        counts(&show.import(ImportKind::Assets, b"code,name,kind,scenes\nkite,Kite,prop,102/3\n")),
        [1, 0, 0, 0]
    );
}

#[test]
fn a_schedule_replaces_the_days_from_its_first_date_on() {
    let mut show = scripted();
    show.import(ImportKind::Schedule, &file("schedule.csv"));
    let day_of =
        |show: &Show, date: &str| show.office.days().iter().find(|day| day.date.to_string() == date).map(|day| day.id);
    let (first, second) = (day_of(&show, "2026-10-05"), day_of(&show, "2026-10-06"));
    let parts: Vec<bool> =
        show.office.days().get(&second.unwrap()).unwrap().strips.iter().map(|strip| strip.part).collect();
    assert_eq!(parts, [false, true], "2;4pt");

    let report = show
        .import(ImportKind::Schedule, b"day_number,date,location,scenes\n2,2026-10-06,Marsh,2\n3,2026-10-12,Marsh,4\n");
    // The 6th changes, the 12th is new, and the 7th, 8th and 9th are gone; the 5th is before the first date.
    assert_eq!(counts(&report), [1, 1, 3, 0]);
    assert_eq!((day_of(&show, "2026-10-05"), day_of(&show, "2026-10-06")), (first, second), "a day keeps its id");
    let dates: Vec<String> = show.office.days().iter().map(|day| day.date.to_string()).collect();
    assert_eq!(dates, ["2026-10-05", "2026-10-06", "2026-10-12"]);
}

#[test]
fn a_schedule_with_impossible_days_is_refused() {
    let show = scripted();
    let said = |text: &str| show.refused(ImportKind::Schedule, text).to_string();
    assert_eq!(said("date,kind,scenes\n2026-10-05,off,1\n"), "Row 1: a day of the kind 'off' has no scenes.");
    assert_eq!(said("date\n2026-10-05\n2026-10-05\n"), "Row 2: 2026-10-05, unit main, stands in row 1 already.");
    assert_eq!(
        said("date,call_time\n05/10/2026,5am\n"),
        "Row 1: '05/10/2026' is no date; write it as 2026-10-05. (1 more)"
    );
    assert!(said("date\n").starts_with("The table has no days"));
}

#[test]
fn a_scene_that_is_omitted_and_scheduled_is_a_warning() {
    let mut show = scripted();
    show.import(ImportKind::Script, &file("101-blue.fountain"));
    let report = show.import(ImportKind::Schedule, b"date,scenes\n2026-10-05,5\n");
    assert_eq!(report.warnings, [ImportWarning { line: 2, message: "scene 5 is omitted in the newest draft.".into() }]);
}

#[test]
fn people_are_known_by_address_else_by_name_and_role() {
    let mut show = scripted();
    show.import(ImportKind::People, &file("people.csv"));
    let report = show.import(
        ImportKind::People,
        b"name,role,email\nNoor Haddad-Lind,,NOOR@example.test\nSam Okoye,Props master,\nSam Okoye,Driver,\n",
    );
    assert_eq!(counts(&report), [1, 1, 0, 1]);
    let noor = show.office.people().iter().find(|person| person.name == "Noor Haddad-Lind").unwrap();
    assert_eq!((noor.role.as_deref(), noor.vendor.is_some()), (Some("VFX supervisor"), true));
    // One who had no address gets it.
    assert_eq!(
        counts(&show.import(ImportKind::People, b"name,role,email\nSam Okoye,Driver,sam.d@example.test\n")),
        [0, 1, 0, 0]
    );
    assert_eq!(
        show.refused(ImportKind::People, "name,email\nA,a@@b\n").to_string(),
        "Row 1: 'a@@b' is no e-mail address."
    );
    assert!(
        show.refused(ImportKind::People, "name,email\nA,a@b\nB,A@b\n").to_string().contains("stands in row 1 already")
    );
}

#[test]
fn orders_have_amounts_of_their_currency_and_engagements_of_their_vendor() {
    let mut show = scripted();
    let said = |show: &Show, text: &str| show.refused(ImportKind::PurchaseOrders, text).to_string();
    assert_eq!(
        said(&show, "number,vendor,total\nP,NLT,1.005\n"),
        "Row 1: '1.005' has more than the 2 decimals of GBP."
    );
    assert_eq!(
        said(&show, "number,vendor,currency,total\nP,NLT,JPY,1.5\n"),
        "Row 1: '1.5' has more than the 0 decimals of JPY."
    );
    assert_eq!(
        said(&show, "number,vendor,engagement,total\nP,TID,NLT-101,1\n"),
        "Row 1: engagement 'NLT-101' is another vendor's."
    );
    assert_eq!(said(&show, "number,vendor\nP,NLT\n"), "Row 1: total is missing.");
    show.import(ImportKind::PurchaseOrders, &file("purchase-orders.csv"));
    assert_eq!(said(&show, "number,currency\nPO-1001,USD\n"), "Row 1: total is missing.");
    assert_eq!(
        counts(&show.import(ImportKind::PurchaseOrders, b"number,status,total\nPO-1001,,50000\n")),
        [0, 1, 0, 0]
    );
    assert_eq!(show.office.order_numbered("PO-1001").unwrap().total_minor, 5_000_000);
}

#[test]
fn deliveries_find_episode_and_engagement() {
    let mut show = scripted();
    show.import(ImportKind::Deliveries, &file("deliveries.csv"));
    let turnover = show.office.delivery_coded("TO-101-01").unwrap();
    assert_eq!(
        (turnover.status, turnover.episode_id, turnover.engagement_id.is_some()),
        (DeliveryStatus::Open, Some(EpisodeId(1)), true)
    );
    assert_eq!(
        show.refused(ImportKind::Deliveries, "code,title,kind,episode\nX,X,turnover,109\n").to_string(),
        "Row 1: unknown episode '109'."
    );
}

fn with_deliveries() -> Show {
    let mut show = scripted();
    show.import(ImportKind::Deliveries, &file("deliveries.csv"));
    show.options.delivery = Some("TO-101-01".into());
    show
}

#[test]
fn a_cut_fills_a_turnover_and_warns_of_what_is_no_shot() {
    let mut show = with_deliveries();
    let report = show.import(ImportKind::Cut, &file("101-cut-v03.edl"));
    assert_eq!(each(&report, "code"), ["KST_101_003_0010", "KST_101_003_0020", "KST_101_006_0010"]);
    assert_eq!(each(&report, "frames_after"), [75, 62, 100]);
    assert_eq!(
        report.warnings,
        [ImportWarning { line: 10, message: "`MAIN TITLE CARD` was left out: it is not named like a shot.".into() }]
    );
    let shot = show.office.shots().iter().next().unwrap();
    assert_eq!(
        (shot.scene, shot.frame_in, shot.frame_out, shot.handles),
        (Some(show.scene("3").node_id), 1001, 1075, 8)
    );
}

#[test]
fn a_later_cut_is_compared_with_the_last_one() {
    let mut show = with_deliveries();
    show.import(ImportKind::Cut, &file("101-cut-v03.edl"));
    let cut = "TITLE: V04\n\
        001 A V C 00:00:00:00 00:00:01:00 01:00:00:00 01:00:02:00\n* FROM CLIP NAME: KST_101_006_0010.mov\n\
        002 A V C 00:00:00:00 00:00:01:00 01:00:02:00 01:00:05:00\n* FROM CLIP NAME: KST_101_003_0010\n\
        003 A V C 00:00:00:00 00:00:01:00 01:00:05:00 01:00:06:00\n* FROM CLIP NAME: KST_101_003_0010\n\
        004 A V C 00:00:00:00 00:00:01:00 01:00:06:00 01:00:07:00\n* FROM CLIP NAME: KST_101_099_0010\n\
        005 A V C 00:00:00:00 00:00:01:00 01:00:06:00 01:00:07:00\n* FROM CLIP NAME: KST_102_003_0010\n\
        006 A V C 00:00:00:00 00:00:01:00 01:00:06:00 01:00:07:00\n* FROM CLIP NAME: XYZ_101_003_0010\n";
    let report = show.import(ImportKind::Cut, cut.as_bytes());
    assert_eq!(counts(&report), [1, 1, 1, 1]);
    assert_eq!(each(&report, "change"), ["updated", "added", "omitted"]);
    let codes: Vec<&str> = show.office.shots().iter().map(|shot| shot.code.as_str()).collect();
    assert_eq!(codes, ["KST_101_006_0010", "KST_101_003_0010", "KST_101_099_0010"]);
    let said: Vec<&str> = report.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(
        said[0].contains("more than once")
            && said[1].contains("unknown scene")
            && said[2].contains("its episode is 102")
            && said[3].contains("its show is XYZ"),
        "{said:?}"
    );
}

#[test]
fn a_cut_needs_a_turnover_that_is_not_settled() {
    let mut show = with_deliveries();
    let edl = String::from_utf8(file("101-cut-v03.edl")).unwrap();
    let said = |show: &Show| {
        let fault = show.refused(ImportKind::Cut, &edl);
        (fault.status(), fault.to_string())
    };
    show.options.delivery = None;
    assert_eq!(said(&show).0, 422);
    show.options.delivery = Some("TO-9".into());
    assert_eq!(said(&show), (404, "Delivery not found.".to_owned()));
    show.options.delivery = Some("MST-101".into());
    assert_eq!(said(&show), (422, "MST-101 is a delivery of the kind 'master'; only a turnover has shots.".to_owned()));
    show.import(ImportKind::Deliveries, b"code,status\nTO-101-01,cancelled\n");
    show.options.delivery = Some("TO-101-01".into());
    assert_eq!(said(&show), (409, "This turnover was cancelled.".to_owned()));
}

#[test]
fn a_cut_at_another_rate_or_in_drop_frame_is_refused() {
    let show = with_deliveries();
    let edl = String::from_utf8(file("101-cut-v03.edl")).unwrap();
    assert_eq!(show.refused(ImportKind::Cut, &edl.replace("NON-DROP", "DROP")).status(), 422);
    let otio = String::from_utf8(file("101-cut-v03.otio")).unwrap();
    let fault = show.refused(ImportKind::Cut, &otio.replace("\"rate\": 25", "\"rate\": 24"));
    assert_eq!(
        (fault.status(), fault.to_string().as_str()),
        (422, "The timeline has times at 24 frames a second; the production has 25.")
    );
}
