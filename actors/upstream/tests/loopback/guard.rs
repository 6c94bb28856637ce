//! Where connections may lead, and what is said when they lead nowhere.

use std::time::Duration;

use crate::support::{Service, json};
use playhouse_bus::Deadline;
use playhouse_upstream::{
    AddressPolicy, Credential, HttpClient, HttpFault, HttpSettings, Unreached, Upstream, UpstreamError,
    UpstreamSettings,
};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

/// What reading from this address ends in under this policy.
async fn read(policy: AddressPolicy, base: &str) -> Result<Value, UpstreamError> {
    let http = HttpClient::new(HttpSettings::guarded(policy)).unwrap();
    let mut settings = UpstreamSettings::new("test", "Testflix", Url::parse(base).unwrap());
    settings.retry.attempts = 1;
    Upstream::over(settings, &http)
        .get_json("x", &[], &Credential::None, Deadline::after(Duration::from_secs(20)))
        .await
}

fn why(outcome: Result<Value, UpstreamError>) -> Unreached {
    match outcome.unwrap_err() {
        UpstreamError::Unreachable { why, .. } => why,
        other => panic!("not unreachable: {other}"),
    }
}

#[tokio::test]
async fn a_hosted_server_calls_no_loopback_address_written_out_or_behind_a_name() {
    let service = Service::with(&[json("{}")]).await;
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"] {
        let base = format!("http://{host}:{}", service.port);
        assert_eq!(why(read(AddressPolicy::hosted(), &base).await), Unreached::NotAllowed, "{host}");
    }
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn a_self_hosted_server_calls_its_own_network() {
    let service = Service::with(&[json("{}")]).await;

    for host in ["127.0.0.1", "localhost"] {
        let base = format!("http://{host}:{}", service.port);
        read(AddressPolicy::self_hosted(), &base).await.unwrap();
    }
    assert_eq!(why(read(AddressPolicy::self_hosted(), "http://169.254.169.254").await), Unreached::NotAllowed);
}

#[tokio::test]
async fn the_operator_may_allow_a_network_of_a_hosted_server() {
    let service = Service::with(&[json("{}")]).await;
    let policy = AddressPolicy::hosted().allowing(["127.0.0.1/32".parse().unwrap()]);

    read(policy, &format!("http://localhost:{}", service.port)).await.unwrap();
}

#[tokio::test]
async fn a_failed_connection_says_why_and_names_no_host_or_port() {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let plain = speaks_plain_http().await;
    let cases = [
        (format!("http://127.0.0.1:{free}"), Unreached::Refused, "connection refused"),
        ("http://no-such-host.invalid:7878".to_owned(), Unreached::HostNotFound, "cannot resolve host"),
        // Plain HTTP answers the TLS greeting: the usual "https typed where http is spoken".
        (format!("https://127.0.0.1:{}", plain), Unreached::Tls, "TLS verification failed"),
    ];
    for (base, expected, words) in cases {
        let outcome = read(AddressPolicy::self_hosted(), &base).await;
        let text = format!("{outcome:?} {}", outcome.as_ref().unwrap_err());
        assert_eq!(why(outcome), expected, "{base}");
        assert!(text.contains(words), "{text}");
        for part in ["127.0.0.1", "no-such-host", "7878", &free.to_string()] {
            assert!(!text.contains(part), "{text}");
        }
    }
}

/// Answers whatever is said to it as an HTTP server answers a TLS greeting.
async fn speaks_plain_http() -> u16 {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        // Read first: a connection that is closed with something unread is reset, and the answer lost.
        let mut greeting = [0; 1_024];
        let n_bytes = socket.read(&mut greeting).await.unwrap();
        assert!(n_bytes > 0);
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await.unwrap();
    });
    port
}

#[test]
fn extra_authorities_that_are_none_are_refused_at_the_start() {
    for pem in [b"".to_vec(), b"not a certificate".to_vec()] {
        let settings =
            HttpSettings { extra_authorities: Some(pem), ..HttpSettings::guarded(AddressPolicy::anywhere()) };
        assert_eq!(HttpClient::new(settings).unwrap_err(), HttpFault::Authorities);
    }
}
