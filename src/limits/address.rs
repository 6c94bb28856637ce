//! What a limit counts: one IPv4 address, or one IPv6 /64 network.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// One client as the limits see it.
///
/// An IPv6 customer owns at least a /64 and can use any of its 2^64 addresses, so the network counts and not the address.
/// An IPv4 address that arrives in IPv6 clothes (`::ffff:192.0.2.1`, as sockets that listen on both report it) is the
/// IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(Folded);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Folded {
    Address(Ipv4Addr),
    Network([u8; 8]),
}

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        ClientAddress(match address.to_canonical() {
            IpAddr::V4(address) => Folded::Address(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, h, ..] = address.octets();
                Folded::Network([a, b, c, d, e, f, g, h])
            }
        })
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Folded::Address(address) => write!(f, "{address}"),
            Folded::Network(network) => {
                let address = Ipv6Addr::from(u128::from(u64::from_be_bytes(network)) << 64);
                write!(f, "{address}/64")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddress {
        ClientAddress::from(address.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn the_addresses_of_one_64_network_are_one_client() {
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("2001:db8:1:2::1").to_string(), "2001:db8:1:2::/64");
    }

    #[test]
    fn a_mapped_ipv4_address_is_the_ipv4_address() {
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("::ffff:192.0.2.1"), client("::ffff:192.0.2.2"));
        assert_eq!(client("::ffff:192.0.2.1").to_string(), "192.0.2.1");
    }
}
