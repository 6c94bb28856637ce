//! What becomes of everything that an instance can answer.

use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_library::Service;
use playhouse_library::client::wire::{Movie, Page, QueueRow, Release, SystemStatus};
use playhouse_library::client::{
    ArrClient, ArrError, ArrFault, ArrHttp, ArrKey, BaseUrl, Command, Id, Patience, ProxyLogin, WriteError,
};
use playhouse_upstream::AddressPolicy;

use crate::support::{Service as Loopback, answer, json};

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";

pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

pub(crate) fn http() -> ArrHttp {
    ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap()
}

/// A client of an instance on loopback.
pub(crate) fn client(service: Service, port: u16, url_base: &str) -> ArrClient {
    let base = BaseUrl::parse(&format!("http://127.0.0.1:{port}{url_base}")).unwrap();
    ArrClient::new(service, &base, &ArrKey::parse(KEY).unwrap(), &http())
}

/// A client of an instance that answers this.
async fn that_answers(reply: String) -> (Loopback, ArrClient) {
    let loopback = Loopback::with(&[reply]).await;
    let client = client(Service::Radarr, loopback.port, "");
    (loopback, client)
}

async fn read_queue(reply: String) -> Result<Page<QueueRow>, ArrError> {
    let (_loopback, client) = that_answers(reply).await;
    client.read("queue", &[], Patience::Quick30s, soon()).await
}

async fn read_movies(reply: String) -> ArrError {
    let (_loopback, client) = that_answers(reply).await;
    client.read_list::<Movie>("movie", &[], Patience::Quick30s, soon()).await.unwrap_err()
}

async fn words(reply: String) -> String {
    read_queue(reply).await.unwrap_err().to_string()
}

#[tokio::test]
async fn the_key_goes_into_its_header_and_the_path_below_the_url_base() {
    let loopback = Loopback::with(&[json(r#"{"records":[]}"#)]).await;
    let client = client(Service::Chaptarr, loopback.port, "/books/");

    let query = [("downloadId", "a/b+c&d"), ("filterExistingFiles", "false")];
    client.read_list::<Movie>("manualimport", &query, Patience::Quick30s, soon()).await.unwrap();

    let request = &loopback.requests()[0];
    assert!(
        request.starts_with(
            "GET /books/api/v1/manualimport?downloadId=a%2Fb%2Bc%26d&filterExistingFiles=false HTTP/1.1\r\n"
        ),
        "{request}"
    );
    assert!(request.contains(&format!("x-api-key: {KEY}\r\n")), "{request}");
    assert!(!request.to_lowercase().contains("authorization"), "{request}");
}

#[tokio::test]
async fn a_proxys_login_travels_beside_the_key() {
    let loopback = Loopback::with(&[json("{}")]).await;
    let base = BaseUrl::parse(&format!("http://127.0.0.1:{}", loopback.port)).unwrap();
    let login = ProxyLogin::new("me", "pa55".into()).unwrap();
    let client = ArrClient::behind_proxy(Service::Radarr, &base, &ArrKey::parse(KEY).unwrap(), &login, &http());

    client.read::<SystemStatus>("system/status", &[], Patience::Status10s, soon()).await.unwrap();

    let request = &loopback.requests()[0];
    assert!(request.contains("authorization: Basic bWU6cGE1NQ==\r\n"), "{request}");
    assert!(request.contains(&format!("x-api-key: {KEY}\r\n")), "{request}");
}

#[tokio::test]
async fn a_502_whose_body_holds_a_path_and_a_token_shows_service_method_path_and_502_only() {
    let body = r#"{"message":"/etc/secret","description":"token=s3cret"}"#;
    let error = read_queue(answer("502 Bad Gateway", "", body)).await.unwrap_err();

    assert_eq!(error.to_string(), "Radarr GET /api/v3/queue returned status 502");
    assert_eq!(error.code(), "upstream_status");
    let everything = format!("{error:?} {}", serde_json::to_string(&error).unwrap());
    assert!(!everything.contains("secret") && !everything.contains("127.0.0.1"), "{everything}");
}

#[tokio::test]
async fn an_unresolvable_host_is_told_without_host_and_port() {
    let base = BaseUrl::parse("http://no-such-host.invalid:7878").unwrap();
    let client = ArrClient::new(Service::Sonarr, &base, &ArrKey::parse(KEY).unwrap(), &http());

    let error = client.read::<SystemStatus>("system/status", &[], Patience::Status10s, soon()).await.unwrap_err();

    assert_eq!(error.to_string(), "Sonarr GET /api/v3/system/status was not answered: cannot resolve host");
    assert_eq!(error.code(), "upstream_unreachable");
    assert!(!format!("{error:?}").contains("7878"), "{error:?}");
}

#[tokio::test]
async fn a_307_to_another_host_is_not_followed_and_the_other_host_sees_neither_request_nor_key() {
    let other = Loopback::with(&[json("{}")]).await;
    let location = format!("location: http://localhost:{}/api/v3/queue\r\n", other.port);

    let words = words(answer("307 Temporary Redirect", &location, "")).await;

    assert!(words.starts_with("Radarr GET /api/v3/queue returned status 307, a redirect to another host"), "{words}");
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_names_the_missing_url_base_https_or_a_login_page() {
    let redirect =
        async |status: &str, location: &str| words(answer(status, &format!("location: {location}\r\n"), "")).await;

    assert!(
        redirect("307 Go", "/radarr/api/v3/queue")
            .await
            .ends_with("to /radarr: the URL base is missing, add /radarr to the address")
    );
    assert!(
        redirect("303 Go", "/login?returnUrl=x")
            .await
            .contains("to a login page: the request did not reach the service")
    );
    assert!(
        redirect("301 Go", "https://127.0.0.1/api/v3/queue").await.ends_with("the address must begin with https://")
    );
}

#[tokio::test]
async fn a_401_with_an_empty_body_is_a_wrong_key() {
    assert_eq!(
        words(answer("401 Unauthorized", "", "")).await,
        "Radarr GET /api/v3/queue returned status 401: the API key is wrong"
    );
}

#[tokio::test]
async fn starting_is_told_apart_from_a_proxy_without_its_service() {
    let starting = answer("503 Unavailable", "", r#"{"errorMessage":"Radarr is starting up, please try again later"}"#);
    let proxy = answer("503 Unavailable", "content-type: text/html\r\n", "<html>no backend</html>");

    assert!(words(starting).await.ends_with("the service is starting. Try again in a minute"));
    assert!(words(proxy).await.ends_with("returned status 503"));
}

#[tokio::test]
async fn html_is_named_for_what_it_looks_like_whatever_its_status_says() {
    let html = |page: &str| answer("200 OK", "content-type: text/html; charset=utf-8\r\n", page);
    let login = html("<html><form><input type=\"password\"></form></html>");
    let index = html("<!doctype html><html><head><title>Radarr</title></head></html>");
    let mislabelled = json("<html>It works!</html>");

    assert!(words(login).await.contains("answered with a login page instead of data: check the URL base"));
    assert!(words(index.clone()).await.contains("answered with the service's own web page instead of data"));
    assert!(words(mislabelled.clone()).await.contains("answered with a web page instead of data"));
    assert_eq!(read_movies(index).await.code(), "upstream_body");
    assert!(read_movies(mislabelled).await.to_string().contains("answered with a web page"));
}

#[tokio::test]
async fn half_a_body_is_no_shorter_list() {
    let announced = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\n[{\"id\":1},".to_owned();
    let whole_answer = json(r#"[{"id":1},"#);

    for reply in [announced, whole_answer] {
        assert!(read_movies(reply).await.to_string().ends_with("broke off in the middle of its answer. Try again"));
    }
}

#[tokio::test]
async fn success_with_an_error_inside_is_no_list() {
    let error = read_movies(json(r#"{"message":"database is locked"}"#)).await;

    assert!(error.to_string().contains("was answered in a shape that this version does not understand"), "{error}");
    assert!(read_queue(json(r#"{"message":"database is locked"}"#)).await.is_err());
}

#[tokio::test]
async fn more_than_is_read_is_refused_whether_announced_or_not() {
    let announced = "HTTP/1.1 200 OK\r\ncontent-length: 67108865\r\n\r\n[".to_owned();
    assert!(
        read_movies(announced.clone())
            .await
            .to_string()
            .ends_with("answered with more than 64 MiB, which was not read")
    );

    let (_loopback, client) = that_answers("HTTP/1.1 200 OK\r\ncontent-length: 4194305\r\n\r\n{".to_owned()).await;
    let error = client.read::<Movie>("movie/7", &[], Patience::Quick30s, soon()).await.unwrap_err();
    assert!(error.to_string().ends_with("answered with more than 4 MiB, which was not read"));
    assert_eq!(error.code(), "upstream_body");
}

#[tokio::test]
async fn an_absent_record_is_no_error_and_a_failing_one_is() {
    let optional = async |reply: String| {
        let (_loopback, client) = that_answers(reply).await;
        client.read_optional::<Movie>("movie/7", &[], Patience::Quick30s, soon()).await
    };

    assert_eq!(optional(answer("404 Not Found", "", "")).await, Ok(None));
    assert_eq!(optional(answer("404 Not Found", "", r#"{"message":"NotFound"}"#)).await, Ok(None));
    let proxys = optional(answer("404 Not Found", "content-type: text/plain\r\n", "404 page not found")).await;
    assert_eq!(
        proxys.unwrap_err().fault.status(),
        Some(404),
        "a proxy without its service knows nothing of the record"
    );
    // Of an answer that was not read whole nobody knows how it went on.
    let announcing =
        |body: &str| format!("HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 60\r\n\r\n{body}");
    let broken_off = ["", "{", r#"{"message":"NotFound"}"#].map(announcing);
    let never_ending = format!("{}\0", announcing(r#"{"message":"#).replace("connection: close\r\n", ""));
    let long = answer("404 Not Found", "", &format!("{{\"message\":\"{}\"}}", "x".repeat(9_000)));
    let half = answer("404 Not Found", "", r#"{"message":"Not"#);
    for reply in broken_off.into_iter().chain([never_ending, long, half]) {
        let error = optional(reply.clone()).await.expect_err(&reply);
        assert_eq!(error.to_string(), "Radarr GET /api/v3/movie/7 returned status 404", "{reply}");
        assert_eq!(error.fault, ArrFault::Status { status: 404 }, "{reply}");
    }
    assert_eq!(optional(json(r#"{"id":7}"#)).await.unwrap().unwrap().id, 7);
    assert_eq!(optional(answer("500 Oops", "", "")).await.unwrap_err().fault.status(), Some(500));
}

#[tokio::test]
async fn releases_in_an_envelope_are_read() {
    let body = r#"{"releases":[{"guid":"a","indexerId":3}],"hiddenReleases":[{"guid":"b"}],"filterSummary":{}}"#;
    let loopback = Loopback::with(&[json(body)]).await;
    let client = client(Service::Chaptarr, loopback.port, "");

    let listed =
        client.read_list::<Release>("release", &[("bookId", "4")], Patience::Search180s, soon()).await.unwrap();

    assert_eq!(listed.items.len(), 1);
    assert_eq!(listed.items[0].guid.as_ref().unwrap().as_str(), "a");
    assert!(!format!("{:?}", listed.items[0]).contains("\"a\""), "a guid is shown to nobody");
}

#[tokio::test]
async fn a_command_answers_its_id_and_an_unreadable_receipt_leaves_the_outcome_unknown() {
    let search = Command::MoviesSearch { movie_ids: Id::new(7).unwrap().into() };
    let send = async |reply: String| {
        let (loopback, client) = that_answers(reply).await;
        (client.command(&search, soon()).await, loopback.requests())
    };

    let (accepted, requests) =
        send(answer("201 Created", "", r#"{"id":12,"name":"MoviesSearch","status":"queued"}"#)).await;
    assert_eq!(accepted.unwrap().id, 12);
    assert!(requests[0].ends_with("\r\n\r\n{\"name\":\"MoviesSearch\",\"movieIds\":[7]}"), "{}", requests[0]);

    let unknown =
        [answer("200 OK", "", "[]"), answer("201 Created", "", "{"), answer("500 Oops", "", ""), "HTTP/1.1".to_owned()];
    for reply in unknown {
        let (outcome, requests) = send(reply.clone()).await;
        assert!(matches!(outcome, Err(WriteError::Unknown(_))), "{reply}: {outcome:?}");
        assert_eq!(requests.len(), 1, "a write is sent once");
    }
}

#[tokio::test]
async fn a_refused_write_did_not_happen_and_an_unsent_one_neither() {
    let (_loopback, client) = that_answers(answer("404 Not Found", "", "")).await;
    let refused = client.delete("queue/7", &[("blocklist", "false")], soon()).await.unwrap_err();
    assert!(matches!(refused, WriteError::Refused(_)) && refused.did_not_happen());
    assert_eq!(refused.to_string(), "Radarr DELETE /api/v3/queue/7 returned status 404");

    let late = client.delete("queue/7", &[], Deadline::after(Duration::ZERO)).await.unwrap_err();
    assert!(matches!(late, WriteError::NotSent(_)) && late.did_not_happen());
}

#[tokio::test]
async fn another_services_command_is_not_sent() {
    let (loopback, client) = that_answers(answer("201 Created", "", r#"{"id":1}"#)).await;

    let outcome = client.command(&Command::RescanSeries { series_id: Id::new(1).unwrap() }, soon()).await;

    assert!(matches!(outcome, Err(WriteError::NotSent(_))), "{outcome:?}");
    assert!(loopback.requests().is_empty());
}

#[tokio::test]
async fn a_hosted_server_does_not_call_a_private_address() {
    let loopback = Loopback::with(&[json("{}")]).await;
    let base = BaseUrl::parse(&format!("http://127.0.0.1:{}", loopback.port)).unwrap();
    let http = ArrHttp::new(AddressPolicy::hosted(), None).unwrap();
    let client = ArrClient::new(Service::Radarr, &base, &ArrKey::parse(KEY).unwrap(), &http);

    let error = client.read::<SystemStatus>("system/status", &[], Patience::Status10s, soon()).await.unwrap_err();

    assert!(error.to_string().contains("leads into a network that this server does not call"), "{error}");
    assert!(loopback.requests().is_empty());
}

#[tokio::test]
async fn nothing_prints_the_key_or_the_address() {
    let (_loopback, client) = that_answers(answer("400 Bad", "", &format!(r#"[{{"errorMessage":"{KEY}"}}]"#))).await;

    let error = client.read::<SystemStatus>("system/status", &[], Patience::Status10s, soon()).await.unwrap_err();

    let texts = format!("{client:?} {error:?} {error}");
    assert!(!texts.contains(KEY) && !texts.contains("127.0.0.1"), "{texts}");
}
