//! Values that are each right and contradict each other.

use std::net::SocketAddr;

use super::Config;
use super::problems::Problem;

/// Adds a problem for each contradiction, placed at the key that was set (rather than at one left at its default).
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let Config { server, metrics, pairing, limits, bus, bridge, events, .. } = config;

    refuse(
        metrics.enabled && overlap(metrics.listen, server.listen),
        config,
        [("metrics", "listen"), ("server", "listen")],
        format!(
            "`metrics.listen` ({}) is the address of `server.listen` ({}); give one of them another port",
            metrics.listen, server.listen
        ),
        problems,
    );
    refuse(
        server.listen.ip().is_unspecified() && server.public_url.0.is_none(),
        config,
        [("server", "public_url"), ("server", "listen")],
        format!(
            "`server.listen` ({}) is every address of this machine; set `server.public_url` to the one that people use, \
             such as \"https://tv.example.org\"",
            server.listen
        ),
        problems,
    );
    // A number of sockets that is too large by itself has a problem of its own.
    let left_by_tvs = (server.max_connections - 1).checked_sub(bridge.max_sockets);
    let bounds = [
        Bound {
            key: ("bridge", "max_sockets"),
            value: bridge.max_sockets,
            at_most: server.max_connections - 1,
            because_of: ("server", "max_connections"),
            otherwise: "TVs could take every connection and no assistant would get in",
        },
        Bound {
            key: ("events", "max_streams"),
            value: events.max_streams,
            at_most: left_by_tvs.unwrap_or(server.max_connections - 1),
            because_of: ("server", "max_connections"),
            otherwise: "they could, with the sockets of `bridge.max_sockets`, take every connection and no assistant would get in",
        },
        Bound {
            key: ("events", "max_streams_per_house"),
            value: events.max_streams_per_house,
            at_most: events.max_streams,
            because_of: ("events", "max_streams"),
            otherwise: "one house could use up what all share",
        },
        Bound {
            key: ("pairing", "max_unpolled_codes"),
            value: pairing.max_unpolled_codes,
            at_most: pairing.max_pending_codes,
            because_of: ("pairing", "max_pending_codes"),
            otherwise: "this bound would never be reached",
        },
        Bound {
            key: ("limits", "failed_claims_per_hour_per_address"),
            value: limits.failed_claims_per_hour_per_address as usize,
            at_most: limits.failed_claims_per_hour as usize,
            because_of: ("limits", "failed_claims_per_hour"),
            otherwise: "one address could use up what all share",
        },
        Bound {
            key: ("bus", "max_calls_per_house"),
            value: bus.max_calls_per_house as usize,
            at_most: bus.max_calls as usize,
            because_of: ("bus", "max_calls"),
            otherwise: "one house could use up what all share",
        },
    ];
    for Bound { key, value, at_most, because_of, otherwise } in bounds {
        let (name, other) = (dotted(key), dotted(because_of));
        let message =
            format!("`{name}` is {value}; expected at most {at_most}, because of `{other}`: else {otherwise}");
        refuse(value > at_most, config, [key, because_of], message, problems);
    }
}

/// A number that another key bounds, and what would happen beyond it.
struct Bound {
    key: (&'static str, &'static str),
    value: usize,
    at_most: usize,
    because_of: (&'static str, &'static str),
    otherwise: &'static str,
}

fn dotted((section, key): (&str, &str)) -> String {
    format!("{section}.{key}")
}

fn refuse(is_wrong: bool, config: &Config, keys: [(&str, &str); 2], message: String, problems: &mut Vec<Problem>) {
    if is_wrong {
        problems.push(Problem { origin: config.origins.first_set(keys), message });
    }
}

/// Whether both cannot be bound at once. Port 0 is a new port each time.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let same_port = one.port() == other.port() && one.port() != 0;
    same_port && (one.ip() == other.ip() || one.ip().is_unspecified() || other.ip().is_unspecified())
}
