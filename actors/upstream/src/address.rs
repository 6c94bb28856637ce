//! Which addresses requests may go to.
//!
//! A house names its own instances, and a name may lead anywhere: to this machine's own services, to a cloud's metadata service, into the
//! operator's network. So the address is judged after it was resolved, each time a connection is made, by one of these policies.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Which addresses requests may go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressPolicy {
    reach: Reach,
    /// What the operator allows in spite of it.
    allowed: Vec<IpNet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Anywhere,
    SelfHosted,
    Hosted,
}

impl AddressPolicy {
    /// Anywhere but a cloud's metadata service: for addresses that the operator chose.
    pub const fn anywhere() -> Self {
        Self { reach: Reach::Anywhere, allowed: Vec::new() }
    }

    /// For addresses that a house chose, on a server that it runs itself: the internet, private networks and this machine, but no
    /// link-local, metadata, multicast or unassigned addresses.
    pub const fn self_hosted() -> Self {
        Self { reach: Reach::SelfHosted, allowed: Vec::new() }
    }

    /// For addresses that a house chose, on a server that many share: the internet and nothing else.
    pub const fn hosted() -> Self {
        Self { reach: Reach::Hosted, allowed: Vec::new() }
    }

    /// The same, and these networks as well. The metadata services of clouds are among them only where an entry names nothing else, such as
    /// `169.254.169.254/32`: they hand the machine's own credentials to whoever asks, and nobody means that by `169.254.0.0/16`.
    #[must_use]
    pub fn allowing(mut self, networks: impl IntoIterator<Item = IpNet>) -> Self {
        self.allowed.extend(networks);
        self
    }

    /// Whether a request may go to this address.
    pub fn permits(&self, address: IpAddr) -> bool {
        let address = meant(address);
        if is_metadata(address) {
            return self.allowed.contains(&IpNet::from(address));
        }
        if self.allowed.iter().any(|network| network.contains(&address)) {
            return true;
        }
        let lies_in = |v4: &[Ipv4Net], v6: &[Ipv6Net]| match address {
            IpAddr::V4(address) => v4.iter().any(|network| network.contains(&address)),
            IpAddr::V6(address) => {
                v6.iter().any(|network| network.contains(&address))
                    || carried(address).any(|inside| v4.iter().any(|network| network.contains(&inside)))
            }
        };
        match self.reach {
            Reach::Anywhere => true,
            Reach::SelfHosted => !lies_in(&NEVER_V4, &NEVER_V6),
            Reach::Hosted => !lies_in(&NEVER_V4, &NEVER_V6) && !lies_in(&NOT_PUBLIC_V4, &NOT_PUBLIC_V6),
        }
    }
}

/// The IPv4 address that an IPv6 address stands for, where it stands for one: `::ffff:10.0.0.1` connects to 10.0.0.1, and a NAT64 gateway
/// translates `64:ff9b::a00:1` to the same.
fn meant(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if let Some(v4) = v6.to_ipv4_mapped() {
        return IpAddr::V4(v4);
    }
    match v6.octets() {
        [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d] => IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        _ => address,
    }
}

/// The IPv4 addresses that may lie inside an IPv6 address, to which gateways lead that know the form: 6to4, Teredo, IPv4-compatible ones, and
/// translation inside one network, where the place is that network's own affair (RFC 6052, section 2.2).
fn carried(address: Ipv6Addr) -> impl Iterator<Item = Ipv4Addr> {
    let octets = address.octets();
    let of = |places: [usize; 4]| Some(Ipv4Addr::from(places.map(|place| octets[place])));
    let found = match octets {
        [0x20, 0x02, ..] => [of([2, 3, 4, 5]), None, None, None],
        // The client's address, with every bit turned round.
        [0x20, 0x01, 0, 0, ..] => [of([12, 13, 14, 15]).map(|client| !client), None, None, None],
        [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01, ..] => {
            [of([6, 7, 9, 10]), of([7, 9, 10, 11]), of([9, 10, 11, 12]), of([12, 13, 14, 15])]
        }
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, _] if (a, b, c) != (0, 0, 0) => {
            [of([12, 13, 14, 15]), None, None, None]
        }
        _ => [None; 4],
    };
    found.into_iter().flatten()
}

/// Whether the address leads to a metadata service.
fn is_metadata(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => METADATA_V4.contains(&address),
        IpAddr::V6(address) => {
            METADATA_V6.contains(&address) || carried(address).any(|inside| METADATA_V4.contains(&inside))
        }
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, third: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0), prefix)
}

/// The metadata services of clouds, which nothing is sent to in any mode: whoever reaches them is taken for the machine itself.
static METADATA_V4: [Ipv4Addr; 5] = [
    Ipv4Addr::new(100, 100, 100, 200), // Alibaba
    Ipv4Addr::new(168, 63, 129, 16),   // Azure, with its agents
    Ipv4Addr::new(169, 254, 169, 254), // most clouds
    Ipv4Addr::new(169, 254, 170, 2),   // AWS, of containers
    Ipv4Addr::new(192, 0, 0, 192),     // Oracle
];

/// As [`METADATA_V4`].
static METADATA_V6: [Ipv6Addr; 3] = [
    Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254),      // AWS
    Ipv6Addr::new(0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254),      // Google
    Ipv6Addr::new(0xfd00, 0x00c1, 0, 0, 0, 0, 0xa9fe, 0xa9fe), // Oracle
];

/// Where no instance lives, whoever runs the server. Blocks from the IANA special-purpose registry
/// <https://www.iana.org/assignments/iana-ipv4-special-registry>.
static NEVER_V4: [Ipv4Net; 5] = [
    v4(0, 0, 0, 0, 8),      // this network
    v4(169, 254, 0, 0, 16), // link-local
    v4(192, 0, 0, 0, 24),   // protocol assignments
    v4(224, 0, 0, 0, 4),    // multicast
    v4(240, 0, 0, 0, 4),    // reserved, and broadcast
];

/// What is not the public internet.
static NOT_PUBLIC_V4: [Ipv4Net; 10] = [
    v4(10, 0, 0, 0, 8),      // private
    v4(100, 64, 0, 0, 10),   // shared between carriers and their customers
    v4(127, 0, 0, 0, 8),     // loopback
    v4(172, 16, 0, 0, 12),   // private
    v4(192, 168, 0, 0, 16),  // private
    v4(192, 0, 2, 0, 24),    // documentation
    v4(192, 88, 99, 0, 24),  // relays to IPv6
    v4(198, 18, 0, 0, 15),   // benchmarks
    v4(198, 51, 100, 0, 24), // documentation
    v4(203, 0, 113, 0, 24),  // documentation
];

/// As [`NEVER_V4`]; <https://www.iana.org/assignments/iana-ipv6-special-registry>.
static NEVER_V6: [Ipv6Net; 6] = [
    Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128),
    v6(0x0064, 0xff9b, 0x0001, 48), // translation inside one network: leads to whatever IPv4 address that network likes
    v6(0xfe80, 0, 0, 10),           // link-local
    v6(0xfec0, 0, 0, 10),           // site-local, deprecated
    v6(0xff00, 0, 0, 8),            // multicast
    v6(0x0100, 0, 0, 64),           // discard
];

/// As [`NOT_PUBLIC_V4`]. `::/96`, 6to4 and Teredo carry an IPv4 address inside and lead to it.
static NOT_PUBLIC_V6: [Ipv6Net; 7] = [
    Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 96), // IPv4-compatible, and loopback
    v6(0x2001, 0, 0, 23),                           // protocol assignments, and Teredo
    v6(0x2001, 0x0db8, 0, 32),                      // documentation
    v6(0x2002, 0, 0, 16),                           // 6to4
    v6(0x3fff, 0, 0, 20),                           // documentation
    v6(0x5f00, 0, 0, 16),                           // segment routing
    v6(0xfc00, 0, 0, 7),                            // unique local
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these addresses the policy permits.
    fn permitted<'a>(policy: &AddressPolicy, addresses: &[&'a str]) -> Vec<&'a str> {
        addresses.iter().copied().filter(|text| policy.permits(text.parse().unwrap())).collect()
    }

    const PUBLIC: [&str; 4] = ["1.1.1.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"];
    const PRIVATE: [&str; 10] = [
        "127.0.0.1",
        "::1",
        "10.1.2.3",
        "172.31.255.255",
        "192.168.1.10",
        "100.64.0.1",
        "fd12:3456::1",
        "::ffff:192.168.1.10",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
    ];
    const NOWHERE: [&str; 10] = [
        "0.0.0.0",
        "::",
        "64:ff9b:1::a00:1",
        "169.254.1.1",
        "::ffff:169.254.1.1",
        "2002:a9fe:101::1",
        "fe80::1",
        "224.0.0.1",
        "ff02::1",
        "255.255.255.255",
    ];
    const METADATA: [&str; 22] = [
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::6464:64c8",
        "64:ff9b:1::a9fe:a9fe",
        "64:ff9b:1:a9fe:a9:fe00::",
        "64:ff9b:1:a9:fe:a9fe::",
        "64:ff9b:1:0:a9:fea9:fe00::",
        "2002:a9fe:a9fe::",
        "2002:a9fe:a9fe::1",
        "2002:a9fe:a9fe:ffff::1",
        "2002:6464:64c8::1",
        "2001:0:1:2:3:4:5601:5601",
        "2001::5601:5601",
    ];

    #[test]
    fn a_server_that_many_share_reaches_the_internet_alone() {
        let policy = AddressPolicy::hosted();

        assert_eq!(permitted(&policy, &PUBLIC), PUBLIC);
        assert_eq!(permitted(&policy, &PRIVATE), [""; 0]);
        assert_eq!(permitted(&policy, &NOWHERE), [""; 0]);
    }

    #[test]
    fn addresses_that_hide_an_ipv4_address_are_not_public() {
        let hidden = ["::10.0.0.1", "2002:a00:1::", "2001:0:a00:1::", "64:ff9b:1::a00:1"];

        assert_eq!(permitted(&AddressPolicy::hosted(), &hidden), [""; 0]);
    }

    #[test]
    fn a_household_that_runs_its_own_server_reaches_its_own_network() {
        let policy = AddressPolicy::self_hosted();

        assert_eq!(permitted(&policy, &PUBLIC), PUBLIC);
        assert_eq!(permitted(&policy, &PRIVATE), PRIVATE);
        assert_eq!(permitted(&policy, &NOWHERE), [""; 0]);
    }

    #[test]
    fn a_metadata_service_is_called_in_no_mode_and_in_none_of_its_forms() {
        let wide = ["0.0.0.0/0", "::/0", "169.254.0.0/16", "fd00::/8", "64:ff9b::/32", "2002::/16"];
        let wide: Vec<IpNet> = wide.iter().map(|network| network.parse().unwrap()).collect();
        for policy in [AddressPolicy::anywhere(), AddressPolicy::self_hosted(), AddressPolicy::hosted()] {
            assert_eq!(permitted(&policy, &METADATA), [""; 0], "{policy:?}");
            assert_eq!(permitted(&policy.clone().allowing(wide.clone()), &METADATA), [""; 0], "{policy:?}");
        }
    }

    #[test]
    fn a_metadata_service_is_called_where_the_operator_names_exactly_it() {
        let named = ["169.254.169.254/32", "fd20:ce::254/128", "64:ff9b:1::a9fe:a9fe/128"];
        let policy = AddressPolicy::hosted().allowing(named.iter().map(|network| network.parse().unwrap()));

        assert_eq!(
            permitted(&policy, &METADATA),
            ["169.254.169.254", "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe"]
        );
        let translated = AddressPolicy::self_hosted().allowing(["64:ff9b:1::/96".parse().unwrap()]);
        assert!(translated.permits("64:ff9b:1::a00:1".parse().unwrap()));
        assert!(!translated.permits("64:ff9b:1::a9fe:a9fe".parse().unwrap()));
    }

    #[test]
    fn anywhere_is_anywhere_else() {
        let policy = AddressPolicy::anywhere();

        assert_eq!(permitted(&policy, &PUBLIC), PUBLIC);
        assert_eq!(permitted(&policy, &PRIVATE), PRIVATE);
        assert_eq!(permitted(&policy, &NOWHERE), NOWHERE);
    }

    #[test]
    fn the_operator_may_allow_more_and_no_more_than_that() {
        let policy = AddressPolicy::hosted().allowing(["10.8.0.0/16".parse().unwrap()]);

        assert_eq!(
            permitted(&policy, &["10.8.1.1", "::ffff:10.8.1.1", "10.9.1.1", "127.0.0.1"]),
            ["10.8.1.1", "::ffff:10.8.1.1"]
        );
    }
}
