//! How one value is read. Each reader says what it expected in words an operator knows.
//!
//! They are `deserialize_with` functions, so that the sections hold plain numbers and addresses. serde's own messages
//! ("invalid type: string, expected u16") would name our types instead of the operator's choices.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use playhouse_catalog::{Country, tmdb::TmdbKey};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;
use toml::Value;
use tracing_subscriber::EnvFilter;
use url::{Host, Url};

use super::reach::host_text;
use super::sections::{LogFormat, PublicUrl, Secret};

/// Reads any value and hands it to `parse`; when that refuses, the error is "expected …".
fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    parse: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    parse(&value).ok_or_else(|| D::Error::custom(format_args!("expected {expected}")))
}

/// A list, all of whose entries `parse` takes; the first that it refuses is named.
fn read_list<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, D::Error> {
    let entries = read(deserializer, &format!("a list of {expected}"), |value| value.as_array().cloned())?;
    entries
        .iter()
        .map(|entry| {
            entry
                .as_str()
                .and_then(&parse)
                .ok_or_else(|| D::Error::custom(format_args!("{entry} in it is wrong, expected a list of {expected}")))
        })
        .collect()
}

/// A whole number from `MIN` to `MAX`.
pub(super) fn whole<'de, const MIN: u64, const MAX: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    read(deserializer, &format!("a whole number from {MIN} to {MAX}"), |value| {
        let number = u64::try_from(value.as_integer()?).ok()?;
        (MIN..=MAX).contains(&number).then(|| T::try_from(number).ok())?
    })
}

pub(super) fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    read(deserializer, "true or false", Value::as_bool)
}

pub(super) fn socket_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    read(deserializer, "an address and a port such as \"127.0.0.1:8080\" or \"[::]:8080\"", |value| {
        value.as_str()?.parse().ok()
    })
}

pub(super) fn folder<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    read(deserializer, "the path of a folder", |value| {
        value.as_str().filter(|path| !path.trim().is_empty()).map(PathBuf::from)
    })
}

/// Networks; a single address stands for the network that holds only it.
pub(super) fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    read_list(deserializer, "networks or addresses such as \"10.0.0.0/8\" or \"192.0.2.7\"", |text| {
        text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
    })
}

/// The root of a site that speaks HTTP: no path, query, fragment or login.
fn site(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let has_login = !url.username().is_empty() || url.password().is_some();
    (matches!(url.scheme(), "http" | "https") && url.has_host() && is_bare && !has_login).then_some(url)
}

pub(super) fn public_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PublicUrl, D::Error> {
    let expected = "a web address without a path such as \"https://tv.example.org\", or \"\" for that of server.listen";
    read(deserializer, expected, |value| match value.as_str()? {
        "" => Some(PublicUrl(None)),
        text => site(text).map(|url| PublicUrl(Some(url))),
    })
}

pub(super) fn url_or_empty<S: Serializer>(url: &Option<Url>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(url.as_ref().map_or("", |url| url.as_str().trim_end_matches('/')))
}

/// A default of ours. A test reads every one of them.
pub(super) fn known_good<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("the defaults are right")
}

/// The base address of a service: a path is fine, a query or login is not.
pub(super) fn service_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    read(deserializer, "the web address of a service, without query or login", |value| {
        let url = Url::parse(value.as_str()?).ok()?;
        let is_bare = url.query().is_none() && url.fragment().is_none();
        let has_login = !url.username().is_empty() || url.password().is_some();
        (matches!(url.scheme(), "http" | "https") && url.has_host() && is_bare && !has_login).then_some(url)
    })
}

/// `UK` is what everybody says for GB.
pub(super) fn country<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Country, D::Error> {
    read(deserializer, "a country by its two letters such as \"US\"", |value| {
        let code = value.as_str()?.trim();
        if code.eq_ignore_ascii_case("uk") { "GB" } else { code }.parse().ok()
    })
}

/// A key of either sort, or none. It goes no further than its shape; TMDB says whether it is valid.
pub(super) fn tmdb_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    let expected = "a key of TMDB, which is either 32 hexadecimal digits or a read access token that starts with \"eyJ\", or \"\" for none";
    read(deserializer, expected, |value| {
        let text = value.as_str()?.trim();
        (text.is_empty() || text.parse::<TmdbKey>().is_ok()).then(|| Secret::new(text))
    })
}

/// A master key, or none.
pub(super) fn master_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    read(deserializer, "a key of 64 hexadecimal digits, or \"\" for none", |value| {
        let text = value.as_str()?.trim();
        (text.is_empty() || crate::master_key::parse(text).is_some()).then(|| Secret::new(text))
    })
}

/// Host names or addresses without a port, in lower case.
pub(super) fn host_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    read_list(deserializer, "host names without scheme and port such as \"tv.example.org\"", |text| {
        match text.parse::<IpAddr>() {
            Ok(address) => Some(host_text(address)),
            Err(_) => Host::parse(text).ok().filter(|_| !text.contains('*')).map(|host| host.to_string()),
        }
    })
}

/// Origins in the form in which browsers send them.
pub(super) fn origins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    read_list(deserializer, "origins such as \"https://app.example.org\"", |text| {
        site(text).map(|url| url.origin().ascii_serialization())
    })
}

pub(super) fn log_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LogFormat, D::Error> {
    read(deserializer, "\"pretty\" or \"json\"", |value| match value.as_str()? {
        "pretty" => Some(LogFormat::Pretty),
        "json" => Some(LogFormat::Json),
        _ => None,
    })
}

/// A filter for the log. A lone word must be a level: the filter's own grammar would take the typing error `inof` for
/// a module's name and log everything of a module that does not exist.
pub(super) fn log_filter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let expected =
        "a level (off, error, warn, info, debug, trace), then exceptions such as \"info,playhouse::bridge=debug\"";
    read(deserializer, expected, |value| {
        let text = value.as_str()?;
        let words_are_levels = text.split(',').all(|part| {
            let part = part.trim();
            part.contains('=') || LEVELS.contains(&part.to_ascii_lowercase().as_str())
        });
        (words_are_levels && EnvFilter::try_new(text).is_ok()).then(|| text.to_owned())
    })
}
