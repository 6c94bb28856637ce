//! The names under which this instance may be addressed: which `Host` and `Origin` headers are ours.
//!
//! The check is what keeps a hostile web page from reaching a service on the reader's own machine or network through a
//! name that it controls (DNS rebinding). Loopback names are always ours: no page on the internet can carry one.

use std::net::{IpAddr, SocketAddr};

use super::Server;

/// Decides on `Host` and `Origin` without allocating, since it is asked for each request.
#[derive(Debug, Clone)]
pub struct Reach {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Reach {
    /// The names of `public_url`, of the listener and of the two lists.
    pub fn of(server: &Server) -> Reach {
        let mut hosts = server.allowed_hosts.clone();
        let mut origins = server.allowed_origins.clone();
        if !server.listen.ip().is_unspecified() {
            hosts.push(host_text(server.listen.ip()));
            origins.push(format!("http://{}", without_default_port(server.listen)));
        }
        if let Some(url) = &server.public_url.0 {
            hosts.extend(url.host_str().map(str::to_owned));
            origins.push(url.origin().ascii_serialization());
        }
        Reach { hosts, origins }
    }

    /// Whether a `Host` header names us. The port is not looked at: a proxy may have changed it.
    pub fn accepts_host(&self, host: &str) -> bool {
        let name = without_port(host);
        is_loopback(name) || self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(name))
    }

    /// Whether an `Origin` header is one of ours. A request without the header comes from no web page and is not asked about.
    pub fn accepts_origin(&self, origin: &str) -> bool {
        let is_local = ["http://", "https://"]
            .iter()
            .any(|scheme| origin.strip_prefix(scheme).is_some_and(|host| is_loopback(without_port(host))));
        is_local || self.origins.iter().any(|ours| ours.eq_ignore_ascii_case(origin))
    }
}

/// `tv.example.org:8080` → `tv.example.org`, `[::1]:8080` → `[::1]`. What is no port stays and then matches nothing.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || name == "[::1]"
}

/// As a host is written in a URL and a `Host` header.
pub(super) fn host_text(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn without_default_port(listen: SocketAddr) -> String {
    if listen.port() == 80 { host_text(listen.ip()) } else { listen.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(public_url: &str) -> Reach {
        let variable = ("PLAYHOUSE_SERVER_PUBLIC_URL".to_owned(), public_url.to_owned());
        Reach::of(&super::super::Config::load(None, std::iter::once(variable)).unwrap().server)
    }

    #[test]
    fn our_public_name_and_loopback_are_ours_with_any_port() {
        let reach = reach("https://TV.example.org");
        for host in ["tv.example.org", "TV.EXAMPLE.ORG:443", "localhost:8080", "127.0.0.1", "[::1]:9", "127.0.0.1:8080"]
        {
            assert!(reach.accepts_host(host), "{host}");
        }
    }

    #[test]
    fn other_hosts_are_refused() {
        let reach = reach("https://tv.example.org");
        for host in [
            "",
            "evil.example",
            "tv.example.org.evil.example",
            "evil.example:8080",
            "tv.example.org:80x",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "[::1",
            "::1:80",
            "tv.example.org@evil.example",
            "0.0.0.0",
        ] {
            assert!(!reach.accepts_host(host), "{host}");
        }
    }

    #[test]
    fn origins_must_match_scheme_host_and_port_unless_they_are_loopback() {
        let reach = reach("https://tv.example.org");
        for origin in ["https://tv.example.org", "http://localhost:6274", "https://[::1]:1", "http://127.0.0.1:8080"] {
            assert!(reach.accepts_origin(origin), "{origin}");
        }
        for origin in [
            "null",
            "http://tv.example.org",
            "https://tv.example.org:8443",
            "https://evil.example",
            "file://localhost",
            "localhost",
        ] {
            assert!(!reach.accepts_origin(origin), "{origin}");
        }
    }
}
