//! Submissions through both doors, by the numbers of their edge cases: what is taken, what is refused, and that nothing is left of what
//! was not taken.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;
mod production;

use common::{Answer, PATIENCE};
use futures_util::stream;
use playhouse_house::Scope;
use playhouse_production::messages::SetUpStep;
use playhouse_production::model::DeliveryStatus;
use production::{Office, call_arguments, form, with_files};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::sync::mpsc;

const NAME: &str = "KST_101_003_0010_comp_NLT_v001.mov";

/// Status and body, as both doors send them.
fn said(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text.as_str())
}

fn detail(sentence: &str) -> String {
    json!({ "detail": sentence }).to_string()
}

impl Office {
    async fn creature(&self) -> u64 {
        self.turnover("TO-101-01").await
    }

    /// That nothing of a submission is to be seen or found.
    async fn assert_untouched(&self, case: &str) {
        let turnover = self.find(&self.w, "/turnovers", "code", "TO-101-01").await;
        assert_eq!((&turnover["status"], &turnover["submissions"]), (&json!("open"), &json!([])), "{case}");
        assert_eq!(self.settled_media_files().await, [""; 0], "{case}");
    }
}

/// A form whose last file is fed by the test; dropping the sender ends it short of its length.
fn fed_form(first: &'static [u8]) -> (Form, mpsc::Sender<Result<Vec<u8>, std::io::Error>>) {
    let (feed, fed) = mpsc::channel(1);
    let bytes = stream::unfold((Some(first), fed), |(first, mut fed)| async move {
        match first {
            Some(first) => Some((Ok(first.to_vec()), (None, fed))),
            None => fed.recv().await.map(|chunk| (chunk, (None, fed))),
        }
    });
    let part = Part::stream(reqwest::Body::wrap_stream(bytes)).file_name(NAME);
    (Form::new().part("files", part), feed)
}

/// Waits until the first bytes of an upload are on their way to the disk.
async fn coming_in(office: &Office) {
    let begun = async {
        while !office.media_files().iter().any(|file| file.starts_with("incoming")) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, begun).await.expect("a file comes in");
}

#[actix_web::test]
async fn case_6_a_key_revoked_during_an_upload_leaves_no_submission_and_no_files() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let key = office.key(&[Scope::SubmitTurnover], None).await;
    let (form, feed) = fed_form(b"first bytes ");
    let upload = office.submission(&key, turnover, form);
    let upload = actix_web::rt::spawn(async move { Answer::of(upload.send().await.unwrap()).await });
    coming_in(&office).await;

    office.revoke(&key).await;
    feed.send(Ok(b"and the last".to_vec())).await.unwrap();
    drop(feed);

    let answer = tokio::time::timeout(PATIENCE, upload).await.unwrap().unwrap();
    assert_eq!(said(&answer), (401, detail("This access key was revoked.").as_str()));
    office.assert_untouched("case 6").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_24_a_turnover_of_another_engagement_is_not_found() {
    let office = Office::open().await;
    let foreign = office.turnover("TO-101-02").await;
    let not_found = detail("Turnover not found.");
    for turnover in [foreign, 4711] {
        let rest = office.submit(&office.v, turnover, &[(NAME, b"x")]).await;
        let mcp = office.town.call(&office.v, "submit_turnover", call_arguments(turnover, &[(NAME, b"x")])).await;
        assert_eq!((said(&rest), said(&mcp)), ((404, not_found.as_str()), (404, not_found.as_str())));
    }
    office.assert_untouched("case 24").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_25_the_scope_is_refused_whatever_the_arguments_are() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let refused = detail("This key does not have the 'submit:turnover' scope.");
    let rest = office.town.http.post(office.url(&format!("/turnovers/{turnover}/submissions"))).bearer_auth(&office.r);
    assert_eq!(said(&office.town.send(rest).await), (403, refused.as_str()));
    for arguments in [json!({}), json!({ "delivery_id": turnover }), call_arguments(turnover, &[(NAME, b"x")])] {
        let mcp = office.town.call(&office.r, "submit_turnover", arguments).await;
        assert_eq!(said(&mcp), (403, refused.as_str()));
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn case_26_a_submission_needs_a_file() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let rest = office.town.send(office.submission(&office.w, turnover, Form::new().text("title", "nothing"))).await;
    assert_eq!(said(&rest), (422, detail("A submission needs at least one file.").as_str()));
    let mcp = office.town.call(&office.w, "submit_turnover", json!({ "delivery_id": turnover, "files": [] })).await;
    assert_eq!((mcp.status, mcp.error_code()), (200, -32602));
    office.assert_untouched("case 26").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn cases_27_and_28_names_that_are_no_names_and_names_that_are_the_same() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let long = format!("{}.mov", "x".repeat(252));
    for names in [&["../../etc/passwd"][..], &["a/b.mov"], &["CON"], &[&long], &["A.mov", "a.mov"]] {
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"x"[..])).collect();
        let mcp = office.town.call(&office.w, "submit_turnover", call_arguments(turnover, &files)).await;
        assert_eq!(mcp.status, 422, "{names:?}: {mcp:?}");
        let rest = office.submit(&office.w, turnover, &files).await;
        assert_eq!(said(&rest), said(&mcp), "{names:?}");
        office.assert_untouched(&format!("{names:?}")).await;
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn case_29_bad_base64_is_named_by_its_place() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    for (bad, place) in [("AA$=", 0), ("AAA", 0), ("AA-_", 0)] {
        let arguments = json!({ "delivery_id": turnover, "files": [{ "filename": NAME, "content_base64": bad }] });
        let answer = office.town.call(&office.w, "submit_turnover", arguments).await;
        assert_eq!(answer.error_code(), -32602, "{bad}");
        assert!(answer.text.contains(&format!("files[{place}]")), "{answer:?}");
    }
    office.assert_untouched("case 29").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_30_a_body_of_12_mb_is_parsed_and_one_byte_more_is_not() {
    const CAP: usize = 12 * 1024 * 1024;
    let office = Office::open().await;
    let body_of = |n_bytes: usize| {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        format!("{ping}{}", " ".repeat(n_bytes - ping.len()))
    };
    let post = || office.town.mcp(&office.w).header("Content-Type", "application/json");
    assert_eq!(office.town.send(post().body(body_of(CAP))).await.status, 200);
    let too_large = detail("Request body is larger than 12 MB.");
    assert_eq!(said(&office.town.send(post().body(body_of(CAP + 1))).await), (413, too_large.as_str()));
    let chunks: Vec<_> =
        body_of(CAP + 1).into_bytes().chunks(1 << 20).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect();
    let chunked = post().body(reqwest::Body::wrap_stream(stream::iter(chunks)));
    assert_eq!(said(&office.town.send(chunked).await), (413, too_large.as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_31_an_upload_cut_off_half_way_leaves_nothing() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let (form, feed) = fed_form(b"first bytes");
    let upload = office.submission(&office.w, turnover, form);
    let upload = actix_web::rt::spawn(async move { upload.send().await.map(|answer| answer.status().as_u16()) });
    coming_in(&office).await;
    feed.send(Err(std::io::Error::other("the vendor's machine went to sleep"))).await.unwrap();
    let cut = tokio::time::timeout(PATIENCE, upload).await.unwrap().unwrap();
    assert!(cut.is_err(), "{cut:?}");
    office.assert_untouched("case 31").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_32_a_hash_that_differs_keeps_nothing() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let hashes = json!({ NAME: "0".repeat(64) }).to_string();
    let form = with_files(Form::new().text("sha256", hashes), &[(NAME, b"x")]);
    let answer = office.town.send(office.submission(&office.w, turnover, form)).await;
    assert_eq!(said(&answer), (422, detail(&format!("sha256 of {NAME} does not match.")).as_str()));
    office.assert_untouched("case 32").await;

    // Of "x", by any other tool.
    let right = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let form = with_files(Form::new().text("sha256", json!({ NAME: right }).to_string()), &[(NAME, b"x")]);
    let taken = office.town.send(office.submission(&office.w, turnover, form)).await;
    assert_eq!((taken.status, &taken.json()["files"][0]["sha256"]), (201, &json!(right)), "{taken:?}");
    office.town.stop().await;
}

#[actix_web::test]
async fn case_33_the_same_files_twice_are_one_submission_and_one_byte_changed_another() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let first = office.submit(&office.v, turnover, &[(NAME, b"frame one")]).await;
    let again = office.submit(&office.v, turnover, &[(NAME, b"frame one")]).await;
    let over_mcp =
        office.town.call(&office.v, "submit_turnover", call_arguments(turnover, &[(NAME, b"frame one")])).await;
    assert_eq!((first.status, again.status), (201, 200), "{first:?}");
    assert_eq!(first.json(), again.json());
    assert_eq!(over_mcp.result()["structuredContent"], first.json());
    assert_eq!((&first.json()["version"], &first.json()["via"]), (&json!(1), &json!("rest")));

    let changed = office.submit(&office.v, turnover, &[(NAME, b"frame two")]).await;
    assert_eq!((changed.status, &changed.json()["version"]), (201, &json!(2)));
    let turnover = office.find(&office.v, "/turnovers", "code", "TO-101-01").await;
    let statuses: Vec<&Value> = turnover["submissions"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, [&json!("superseded"), &json!("received")]);
    assert_eq!(turnover["status"], "submitted");
    assert_eq!(office.settled_media_files().await.len(), 2, "equal bytes are stored once");
    office.town.stop().await;
}

#[actix_web::test]
async fn case_34_a_disk_below_its_floor_refuses_before_the_body_is_read() {
    let office = Office::open_with(|config| config.production.min_free_mib = 1 << 40).await;
    let turnover = office.creature().await;
    let full = detail("Storage is full.");
    // Nothing feeds this form: the answer cannot have waited for its end.
    let (form, _feed) = fed_form(b"first bytes");
    let rest = office.town.send(office.submission(&office.w, turnover, form)).await;
    let mcp = office.town.call(&office.w, "submit_turnover", call_arguments(turnover, &[(NAME, b"x")])).await;
    assert_eq!((said(&rest), said(&mcp)), ((507, full.as_str()), (507, full.as_str())));
    office.assert_untouched("case 34").await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_35_two_submissions_at_once_are_versions_1_and_2() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let (one, other) = futures_util::join!(
        office.submit(&office.v, turnover, &[(NAME, b"one")]),
        office.submit(&office.v, turnover, &[(NAME, b"other")]),
    );
    assert_eq!((one.status, other.status), (201, 201));
    let mut versions = [one.json()["version"].as_u64(), other.json()["version"].as_u64()];
    versions.sort_unstable();
    assert_eq!(versions, [Some(1), Some(2)]);
    office.town.stop().await;
}

#[actix_web::test]
async fn a_turnover_that_takes_nothing_says_why_at_both_doors() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let code = "TO-101-01".to_owned();
    office.set_up(SetUpStep::SetDeliveryStatus { code, status: DeliveryStatus::Cancelled }).await;
    let rest = office.submit(&office.v, turnover, &[(NAME, b"x")]).await;
    let mcp = office.town.call(&office.v, "submit_turnover", call_arguments(turnover, &[(NAME, b"x")])).await;
    assert_eq!((rest.status, said(&rest)), (409, said(&mcp)));
    office.town.stop().await;
}

#[actix_web::test]
async fn what_is_no_form_or_is_in_the_wrong_order_is_refused() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let path = format!("/turnovers/{turnover}/submissions");
    assert_eq!(office.post(&office.w, &path, &json!({ "files": [] })).await.status, 415);
    for (case, form) in [
        ("text after a file", form(&[(NAME, b"x")]).text("title", "late")),
        ("an unknown part", Form::new().text("colour", "blue")),
        ("a long title", with_files(Form::new().text("title", "x".repeat(201)), &[(NAME, b"x")])),
        ("hashes that are none", with_files(Form::new().text("sha256", "[]"), &[(NAME, b"x")])),
        ("an empty file", form(&[(NAME, b"")])),
    ] {
        let answer = office.town.send(office.submission(&office.w, turnover, form)).await;
        assert_eq!(answer.status, 422, "{case}: {answer:?}");
        office.assert_untouched(case).await;
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn files_over_their_limits_are_refused_and_leave_nothing() {
    let office = Office::open_with(|config| {
        (config.production.max_file_mib, config.production.max_submission_mib, config.production.max_files) = (1, 2, 2);
    })
    .await;
    let turnover = office.creature().await;
    let mib = vec![7; 1 << 20];
    let larger = vec![7; (1 << 20) + 1];
    for (files, expected) in [
        (vec![("a.mov", &larger[..])], (413, "a.mov is larger than 1 MB.")),
        (vec![("a.mov", &mib[..]), ("b.mov", &mib[..])], (413, "Request body is larger than 2 MB.")),
        (vec![("a", &b"x"[..]), ("b", b"x"), ("c", b"x")], (422, "A submission has at most 2 files.")),
    ] {
        let answer = office.submit(&office.w, turnover, &files).await;
        assert_eq!(said(&answer), (expected.0, detail(expected.1).as_str()));
        office.assert_untouched(expected.1).await;
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn case_46_a_file_is_sent_whole_or_in_part_as_an_attachment() {
    let office = Office::open().await;
    let turnover = office.creature().await;
    let submission = office.submit(&office.v, turnover, &[(NAME, b"0123456789")]).await.json();
    let id = &submission["files"][0]["media_id"];
    let etag = format!("\"{}\"", submission["files"][0]["sha256"].as_str().unwrap());
    let path = format!("/media/{id}/content");
    let ranged = async |range: &str| {
        let get = office.town.http.get(office.url(&path)).bearer_auth(&office.v).header("Range", range);
        office.town.send(get).await
    };

    let whole = office.get(&office.v, &path).await;
    assert_eq!((whole.status, whole.text.as_str()), (200, "0123456789"));
    for (header, expected) in [
        ("content-type", "video/quicktime"),
        ("content-disposition", &*format!("attachment; filename=\"{NAME}\"")),
        ("x-content-type-options", "nosniff"),
        ("accept-ranges", "bytes"),
        ("etag", &*etag),
        ("content-length", "10"),
    ] {
        assert_eq!(whole.header(header), Some(expected), "{header}");
    }
    let first = ranged("bytes=0-0").await;
    assert_eq!((first.status, first.text.as_str(), first.header("content-range")), (206, "0", Some("bytes 0-0/10")));
    let behind = ranged("bytes=999999-").await;
    assert_eq!((behind.status, behind.header("content-range")), (416, Some("bytes */10")));
    let head = office.town.send(office.town.http.head(office.url(&path)).bearer_auth(&office.v)).await;
    assert_eq!((head.status, head.text.as_str(), head.header("content-length")), (200, "", Some("10")));
    let known = office.town.http.get(office.url(&path)).bearer_auth(&office.v).header("If-None-Match", &etag);
    assert_eq!(office.town.send(known).await.status, 304);

    let media = office.get(&office.v, &format!("/media/{id}")).await.json();
    assert_eq!((&media["filename"], &media["size_bytes"]), (&json!(NAME), &json!(10)));
    let stranger = office.key(&[Scope::Read], Some(sound(&office).await)).await;
    let hidden = office.get(&stranger, &path).await;
    assert_eq!(said(&hidden), (404, detail("Media not found.").as_str()));
    office.town.stop().await;
}

/// The engagement that the creature's files are nothing to.
async fn sound(office: &Office) -> playhouse_house::EngagementId {
    let turnover = office.find(&office.w, "/turnovers", "code", "TO-101-02").await;
    playhouse_house::EngagementId(u32::try_from(turnover["engagement"]["id"].as_u64().unwrap()).unwrap())
}
