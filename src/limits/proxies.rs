//! Whose request it is when a proxy stands in between.
//!
//! `X-Forwarded-For` is a list to whose right end each proxy adds the address it was called from. Anyone can send the
//! header with anything in it, so it is read from the right, and only as far as trusted proxies wrote it: the connection's
//! own address must be a trusted proxy, then the last entry was written by it; if that entry is a trusted proxy too, the
//! one before was written by that; the first that is not trusted is the client. An entry that is no address ends the walk
//! at the last address that could be believed.
//!
//! The newer `Forwarded` header is not read: proxies add `X-Forwarded-For` unasked and pass `Forwarded` on as the client
//! wrote it, so that believing both would let the client choose.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use ipnet::IpNet;

/// The proxies whose word is believed; empty means none.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Believes the proxies in these networks.
    pub fn new(networks: Vec<IpNet>) -> Self {
        TrustedProxies(networks)
    }

    /// The client's address. A connection without an address (a Unix socket) counts as `0.0.0.0`.
    pub fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)).to_canonical();
        let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
        let mut entries = lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        while self.trusts(client) {
            match entries.next().and_then(address) {
                Some(address) => client = address,
                None => break,
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// One entry: an address, with a port as some proxies write it or without, IPv6 with brackets or without.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let parsed: Option<IpAddr> =
        bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    parsed.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "2001:db8:ffff::/48"];

    /// The client of a request from `peer` with these header lines.
    fn client(peer: &str, lines: &[&str]) -> String {
        let proxies = TrustedProxies::new(PROXIES.iter().map(|network| network.parse().unwrap()).collect());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        proxies.client(Some(peer.parse().unwrap()), &headers).to_string()
    }

    #[test]
    fn an_untrusted_peer_cannot_speak_for_another() {
        assert_eq!(client("198.51.100.7", &["203.0.113.9"]), "198.51.100.7");
        assert_eq!(client("198.51.100.7", &["203.0.113.9, 10.0.0.1"]), "198.51.100.7");
    }

    #[test]
    fn a_trusted_proxy_says_who_called() {
        assert_eq!(client("10.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(client("2001:db8:ffff::1", &["2001:db8:1::5"]), "2001:db8:1::5");
    }

    #[test]
    fn what_the_client_itself_put_left_of_its_address_does_not_count() {
        assert_eq!(client("10.0.0.1", &["192.0.2.1, 10.9.9.9, 203.0.113.9"]), "203.0.113.9");
        assert_eq!(
            client("10.0.0.1", &["192.0.2.1", "203.0.113.9"]),
            "203.0.113.9",
            "a second line continues the first"
        );
    }

    #[test]
    fn a_chain_of_trusted_proxies_is_walked_to_its_end() {
        assert_eq!(client("10.0.0.1", &["192.0.2.1, 203.0.113.9, 10.0.0.3, 10.0.0.2"]), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3", "all are ours: the farthest called");
    }

    #[test]
    fn garbage_ends_the_walk_at_the_last_believable_address() {
        for garbage in ["", "unknown", "203.0.113.9.4", "203.0.113.9, ", ",", "[::1", "203.0.113.9, _hidden"] {
            assert_eq!(client("10.0.0.1", &[garbage]), "10.0.0.1", "{garbage:?}");
        }
        assert_eq!(client("10.0.0.1", &["203.0.113.9, nonsense, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        assert_eq!(client("10.0.0.1", &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &["[2001:db8:1::5]:4711"]), "2001:db8:1::5");
        assert_eq!(client("10.0.0.1", &["[2001:db8:1::5]"]), "2001:db8:1::5");
        assert_eq!(client("::ffff:10.0.0.1", &["::ffff:203.0.113.9"]), "203.0.113.9");
    }

    #[test]
    fn without_an_entry_the_peer_counts() {
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
    }

    proptest! {
        #[test]
        fn any_bytes_in_the_header_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let proxies = TrustedProxies::new(vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()]);
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                headers.append(X_FORWARDED_FOR, value);
            }
            proxies.client(Some(IpAddr::V4(Ipv4Addr::LOCALHOST)), &headers);
        }

        #[test]
        fn no_header_moves_an_untrusted_peer(text in "[0-9a-f:., ]{0,60}") {
            prop_assert_eq!(client("198.51.100.7", &[&text]), "198.51.100.7");
        }
    }
}
