//! Faults that users of other clients reported, each as a statement about this one.

use std::fmt::Write as _;

use playhouse_library::Service;
use playhouse_library::client::wire::{Episode, ErrorBody, Movie, Page, Parsed, QueueRow, Series, SystemStatus};
use playhouse_library::client::{ArrError, BaseUrl, Command, Id, Patience, WriteError};

use crate::answers::{client, soon};
use crate::support::{Service as Loopback, answer, json};

/// The only row of a queue that has this row.
fn row(json: &str) -> QueueRow {
    let page: Page<QueueRow> =
        serde_json::from_str(&format!(r#"{{"page":1,"totalRecords":1,"records":[{json}]}}"#)).unwrap();
    assert_eq!(page.records.n_skipped, 0);
    page.records.items.into_iter().next().unwrap()
}

#[test]
fn a_pending_release_has_no_download_id_and_is_a_row_all_the_same() {
    let row = row(r#"{"id":4,"title":"a","status":"delay","timeleft":"01:30:00","protocol":"usenet"}"#);

    assert_eq!((row.id, row.download_id, row.tracked_download_state), (4, None, None));
    assert_eq!(row.status.as_deref(), Some("delay"), "what it waits for is kept");
    assert_eq!(row.timeleft.unwrap().0.as_secs(), 5_400);
}

#[test]
fn rows_without_added_timeleft_or_tracked_states_are_read() {
    let row = row(r#"{"id":4,"size":10.0,"sizeleft":2.5}"#);

    assert_eq!((row.added, row.timeleft, row.tracked_download_status), (None, None, None));
    assert_eq!((row.size, row.sizeleft), (Some(10.0), Some(2.5)));
}

#[test]
fn record_34_of_a_queue_lacks_what_the_others_have_and_none_is_lost() {
    let mut records = String::new();
    for id in 1..=40 {
        let state =
            if id == 34 { "" } else { r#","trackedDownloadState":"downloading","added":"2026-01-01T00:00:00Z""# };
        write!(records, r#"{}{{"id":{id}{state}}}"#, if id == 1 { "" } else { "," }).unwrap();
    }
    let page: Page<QueueRow> =
        serde_json::from_str(&format!(r#"{{"totalRecords":40,"records":[{records}]}}"#)).unwrap();

    assert_eq!((page.records.items.len(), page.records.n_skipped), (40, 0));
}

#[test]
fn an_error_in_one_record_never_looks_like_an_empty_queue() {
    let page: Page<QueueRow> = serde_json::from_str(r#"{"totalRecords":1,"records":[7]}"#).unwrap();

    assert_eq!((page.total_records, page.records.items.len(), page.records.n_skipped), (Some(1), 0, 1));
}

#[test]
fn a_details_call_lists_downloads_that_are_not_its_own_and_they_are_told_apart() {
    assert_eq!(row(r#"{"id":4,"title":"someone else's"}"#).movie_id, 0);
}

#[test]
fn an_episode_without_air_date_is_unscheduled() {
    let episode: Episode = serde_json::from_str(r#"{"id":9,"title":"TBA","seasonNumber":2}"#).unwrap();

    assert_eq!((episode.air_date_utc, episode.air_date, episode.has_file), (None, None, None));
}

#[test]
fn a_series_without_air_time_is_read() {
    let series: Series = serde_json::from_str(r#"{"id":9,"title":"x"}"#).unwrap();

    assert_eq!(series.air_time, None);
}

#[test]
fn a_movie_file_without_edition_lacks_only_that() {
    let movie: Movie =
        serde_json::from_str(r#"{"id":352,"movieFile":{"id":5,"quality":{"quality":{"name":"DVD"}}}}"#).unwrap();
    let file = movie.movie_file.unwrap();

    assert_eq!((file.edition, file.quality.unwrap().name().map(str::to_owned)), (None, Some("DVD".to_owned())));
}

#[test]
fn a_name_that_matches_nothing_is_an_ordinary_answer() {
    let parsed: Parsed = serde_json::from_str(r#"{"title":"x","parsedMovieInfo":{}}"#).unwrap();

    assert!(parsed.movie.is_none() && parsed.series.is_none());
}

#[test]
fn a_new_field_is_passed_over() {
    assert_eq!(row(r#"{"id":4,"tvdbId":3,"somethingNew":{"a":[1]}}"#).id, 4);
}

#[test]
fn an_unknown_state_is_kept_as_it_was_written() {
    assert_eq!(
        row(r#"{"id":4,"trackedDownloadState":"teleporting"}"#).tracked_download_state.as_deref(),
        Some("teleporting")
    );
}

#[tokio::test]
async fn a_delete_with_200_and_an_empty_body_is_a_success() {
    for body in ["", "{}"] {
        let loopback = Loopback::with(&[answer("200 OK", "", body)]).await;
        let flags = [
            ("removeFromClient", "true"),
            ("blocklist", "false"),
            ("skipRedownload", "false"),
            ("changeCategory", "false"),
        ];

        client(Service::Sonarr, loopback.port, "").delete("queue/7", &flags, soon()).await.unwrap();

        assert!(
            loopback.requests()[0].starts_with(
                "DELETE /api/v3/queue/7?removeFromClient=true&blocklist=false&skipRedownload=false&changeCategory=false HTTP/1.1\r\n"
            ),
            "{}",
            loopback.requests()[0]
        );
    }
}

#[tokio::test]
async fn a_post_that_is_answered_by_a_login_page_with_200_is_no_success() {
    let page = "<html><title>Authelia</title></html>";
    let loopback = Loopback::with(&[answer("200 OK", "content-type: text/html\r\n", page)]).await;

    let error =
        client(Service::Radarr, loopback.port, "").command(&Command::RefreshMonitoredDownloads {}, soon()).await;

    let words = error.unwrap_err().to_string();
    assert!(words.contains("a login page instead of data"), "{words}");
    assert!(!words.contains("character"), "{words}");
}

#[tokio::test]
async fn a_post_that_is_redirected_to_the_url_base_was_refused_and_names_the_base() {
    let loopback = Loopback::with(&[answer("303 See Other", "location: /radarr/api/v3/command\r\n", "")]).await;

    let error =
        client(Service::Radarr, loopback.port, "").command(&Command::RefreshMonitoredDownloads {}, soon()).await;

    let Err(WriteError::Refused(error)) = error else { panic!("{error:?}") };
    assert!(error.to_string().contains("the URL base is missing, add /radarr"), "{error}");
    assert_eq!(loopback.requests().len(), 1, "it did not become a GET");
}

#[test]
fn a_rule_that_failed_is_read_with_its_property() {
    let body = br#"[{"propertyName":"LanguageProfileId","errorMessage":"Language Profile does not exist","severity":"error"}]"#;

    let ErrorBody::Validation(issues) = ErrorBody::read(body) else { panic!("no validation") };

    assert_eq!(issues[0].property_name, "LanguageProfileId");
}

#[tokio::test]
async fn a_metadata_server_that_is_down_is_a_status_and_no_stack_trace() {
    let body = r#"{"message":"Unexpected response from https://metadata.example.org/","description":"System.NotImplementedException at …"}"#;
    let loopback = Loopback::with(&[answer("500 Oops", "", body)]).await;

    let error: ArrError = client(Service::Chaptarr, loopback.port, "")
        .read::<SystemStatus>("system/status", &[], Patience::Status10s, soon())
        .await
        .unwrap_err();

    assert_eq!(error.to_string(), "Chaptarr GET /api/v1/system/status returned status 500");
}

#[tokio::test]
async fn a_command_goes_into_the_body_and_never_into_the_query() {
    let loopback = Loopback::with(&[answer("201 Created", "", r#"{"id":3,"status":"queued"}"#)]).await;

    let command = Command::RescanMovie { movie_id: Id::new(7).unwrap() };
    let accepted = client(Service::Radarr, loopback.port, "").command(&command, soon()).await.unwrap();

    let request = &loopback.requests()[0];
    assert!(request.starts_with("POST /api/v3/command HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with(r#"{"name":"RescanMovie","movieId":7}"#), "{request}");
    assert_eq!((accepted.id, accepted.status.as_str()), (3, "queued"));
}

#[test]
fn an_address_without_scheme_is_refused_at_entry() {
    assert!(BaseUrl::parse("radarr:7878").unwrap_err().to_string().contains("must begin with http:// or https://"));
}

#[tokio::test]
async fn one_failed_answer_ends_nothing_and_the_next_read_heals() {
    let loopback = Loopback::with(&[answer("500 Oops", "", ""), json(r#"{"totalRecords":0,"records":[]}"#)]).await;
    let client = client(Service::Sonarr, loopback.port, "");
    let read = async || client.read::<Page<QueueRow>>("queue", &[], Patience::Quick30s, soon()).await;

    assert_eq!(read().await.unwrap_err().fault.status(), Some(500));
    assert_eq!(read().await.unwrap().total_records, Some(0));
}
