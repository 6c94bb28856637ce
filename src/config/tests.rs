use std::io::Write;

use super::*;

/// Loads `text` as `playhouse.toml` with these variables; the answer names the file without its folder.
fn load(text: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("playhouse.toml");
    std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
    let environment = environment.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Config::load(Some(&path), environment)
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// The mistakes in `text` and `environment`, one a line.
#[track_caller]
fn refused(text: &str, environment: &[(&str, &str)], expected: &[&str]) {
    let error = load(text, environment).expect_err("the configuration was accepted");
    let found: Vec<&str> = error.lines().skip(1).map(str::trim).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_empty_file_gives_the_defaults() {
    assert_eq!(load("", &[]).unwrap(), Config::default());
    assert_eq!(Config::load(None, std::iter::empty()).unwrap(), Config::default());
}

#[test]
fn the_file_overrides_the_defaults_and_the_environment_overrides_the_file() {
    let text = "[server]\nworkers = 3\nmax_connections = 20_000\n[logging]\nformat = \"json\"\n";
    let config = load(text, &[("PLAYHOUSE_SERVER_WORKERS", "5"), ("HOME", "/root")]).unwrap();

    assert_eq!(config.server.workers, 5);
    assert_eq!(config.server.max_connections, 20_000);
    assert_eq!(config.logging.format, LogFormat::Json);
    assert_eq!(config.server.listen, Server::default().listen);
}

#[test]
fn every_key_can_be_set_by_its_variable() {
    for key in Keys::of(&Config::default()).unwrap().0 {
        let text = match &key.value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Array(_) => String::new(),
            other => other.to_string(),
        };
        let config = load("", &[(&key.variable(), &text)]).unwrap();
        assert_eq!(config, Config::default(), "{}", key.dotted());
        let origin = config.origins.of(&key.section, &key.name);
        assert_eq!(origin, Origin::Environment { variable: key.variable() });
    }
}

#[test]
fn lists_in_variables_are_separated_by_commas() {
    let config = load("", &[("PLAYHOUSE_SERVER_TRUSTED_PROXIES", "10.0.0.0/8, 2001:db8::1,")]).unwrap();
    let networks: Vec<String> = config.server.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(networks, ["10.0.0.0/8", "2001:db8::1/128"]);
}

#[test]
fn an_unknown_key_is_refused_with_its_line_and_the_nearest_key() {
    refused(
        "[server]\n\nlisen = \"127.0.0.1:1\"\n",
        &[],
        &["playhouse.toml, line 3: `server.lisen` is not a key; did you mean `server.listen`?"],
    );
}

#[test]
fn a_key_in_the_wrong_section_is_sent_to_the_right_one() {
    refused(
        "folder = \"x\"\n[server]\nmax_sockets = 5\n",
        &[],
        &[
            "playhouse.toml, line 1: `folder` stands outside any section; did you mean `data.folder`?",
            "playhouse.toml, line 3: `server.max_sockets` is not a key; did you mean `bridge.max_sockets`?",
        ],
    );
}

#[test]
fn an_unknown_section_is_refused_with_the_nearest_or_all() {
    refused(
        "[sever]\nlisten = \"127.0.0.1:1\"\n[nonsense_at_length]\n",
        &[],
        &[
            "playhouse.toml, line 1: there is no section `[sever]`; did you mean `[server]`?",
            "playhouse.toml, line 3: there is no section `[nonsense_at_length]`; the sections are server, data, metrics, \
             pairing, waitlist, limits, bus, bridge, events, secrets, library, resolver, production, logging",
        ],
    );
}

#[test]
fn a_section_that_is_no_table_is_refused() {
    refused(
        "server = 5\n[[data]]\nfolder = \"x\"\n",
        &[],
        &[
            "playhouse.toml, line 1: `server` is a section; write it as a line `[server]` with its keys below",
            "playhouse.toml, line 2: `data` is a section; write it as a line `[data]` with its keys below",
        ],
    );
}

#[test]
fn a_wrong_value_is_refused_with_what_was_found_and_what_was_expected() {
    let expected_address = "expected an address and a port such as \"127.0.0.1:8080\" or \"[::]:8080\"";
    refused(
        "server.listen = \"localhost\"\nbridge.probe_interval_seconds = 0\npairing.open_pairing = \"yes\"\ndata.cache_mib = -1\n",
        &[],
        &[
            &format!("playhouse.toml, line 1: `server.listen` is \"localhost\"; {expected_address}"),
            "playhouse.toml, line 2: `bridge.probe_interval_seconds` is 0; expected a whole number from 1 to 60",
            "playhouse.toml, line 3: `pairing.open_pairing` is \"yes\"; expected true or false",
            "playhouse.toml, line 4: `data.cache_mib` is -1; expected a whole number from 1 to 65536",
        ],
    );
}

#[test]
fn a_wrong_entry_of_a_list_is_named() {
    refused(
        "[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"10.0.0.0/33\"]\nallowed_hosts = [\"https://tv.example.org\"]\n\
         allowed_origins = [\"tv.example.org\", 5]\n",
        &[],
        &[
            "playhouse.toml, line 2: `server.trusted_proxies` is [\"10.0.0.0/8\", \"10.0.0.0/33\"]; \"10.0.0.0/33\" in it is \
             wrong, expected a list of networks or addresses such as \"10.0.0.0/8\" or \"192.0.2.7\"",
            "playhouse.toml, line 3: `server.allowed_hosts` is [\"https://tv.example.org\"]; \"https://tv.example.org\" in it is \
             wrong, expected a list of host names without scheme and port such as \"tv.example.org\"",
            "playhouse.toml, line 4: `server.allowed_origins` is [\"tv.example.org\", 5]; \"tv.example.org\" in it is wrong, \
             expected a list of origins such as \"https://app.example.org\"",
        ],
    );
}

#[test]
fn a_wrong_variable_is_refused_by_name() {
    refused(
        "",
        &[("PLAYHOUSE_SERVER_WORKERS", "many"), ("PLAYHOUSE_METRICS_ENABLED", "")],
        &[
            "environment variable PLAYHOUSE_METRICS_ENABLED: `metrics.enabled` is \"\"; expected true or false",
            "environment variable PLAYHOUSE_SERVER_WORKERS: `server.workers` is \"many\"; expected a whole number from 0 to 256",
        ],
    );
}

#[test]
fn an_unknown_variable_is_refused_with_the_nearest_name() {
    refused(
        "",
        &[("PLAYHOUSE_SERVER_LISEN", "127.0.0.1:1"), ("PLAYHOUSE_WHATEVER_ELSE", "1")],
        &[
            "environment variable PLAYHOUSE_SERVER_LISEN: this is not a key; did you mean `PLAYHOUSE_SERVER_LISTEN`?",
            "environment variable PLAYHOUSE_WHATEVER_ELSE: this is not a key; variables are named \
             PLAYHOUSE_<SECTION>_<KEY>; `playhouse check` lists them",
        ],
    );
}

#[test]
fn variables_that_others_set_are_let_through() {
    let links = [
        ("PLAYHOUSE_PORT", "tcp://10.0.0.1:8080"),
        ("PLAYHOUSE_PORT_8080_TCP_ADDR", "10.0.0.1"),
        ("PLAYHOUSE_SERVICE_HOST", "10.0.0.1"),
        ("PLAYHOUSE_CONFIG", "/etc/playhouse.toml"),
        ("PLAYHOUSE_KEY", "ph_x"),
        ("PLAYHOUSE_AUTHORIZATION", "Bearer ph_x"),
    ];
    assert_eq!(load("", &links).unwrap(), Config::default());
}

#[test]
fn what_is_not_toml_is_refused_with_its_line() {
    let error = load("[server]\nlisten = \"127.0.0.1:1\nworkers = 1\n", &[]).unwrap_err();
    assert!(error.contains("playhouse.toml, line 2: this is not TOML: "), "{error}");
    let error = load("[server]\nworkers = 1\nworkers = 2\n", &[]).unwrap_err();
    assert!(error.contains("playhouse.toml, line 3: this is not TOML: duplicate key"), "{error}");
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let error = Config::load(Some(Path::new("/nowhere/playhouse.toml")), std::iter::empty()).unwrap_err();
    assert_eq!(error.to_string(), "could not read the configuration file `/nowhere/playhouse.toml`");
}

#[test]
fn contradictions_are_refused_at_the_key_that_was_set() {
    refused(
        "[metrics]\nlisten = \"127.0.0.1:8080\"\n[bridge]\nmax_sockets = 20_000\n[pairing]\nmax_pending_codes = 10\n",
        &[("PLAYHOUSE_BUS_MAX_CALLS", "8")],
        &[
            "playhouse.toml, line 2: `metrics.listen` (127.0.0.1:8080) is the address of `server.listen` (127.0.0.1:8080); give \
             one of them another port",
            "playhouse.toml, line 4: `bridge.max_sockets` is 20000; expected at most 16383, because of \
             `server.max_connections`: else TVs could take every connection and no assistant would get in",
            "playhouse.toml, line 6: `pairing.max_unpolled_codes` is 1000; expected at most 10, because of \
             `pairing.max_pending_codes`: else this bound would never be reached",
            "environment variable PLAYHOUSE_BUS_MAX_CALLS: `bus.max_calls_per_house` is 1024; expected at most 8, because of \
             `bus.max_calls`: else one house could use up what all share",
        ],
    );
}

#[test]
fn tvs_and_listening_admins_leave_a_connection_for_assistants_between_them() {
    assert!(load("server.max_connections = 1001\nbridge.max_sockets = 900\nevents.max_streams = 100\n", &[]).is_ok());
    refused(
        "[server]\nmax_connections = 1000\n[bridge]\nmax_sockets = 900\n[events]\nmax_streams = 100\n",
        &[],
        &[
            "playhouse.toml, line 6: `events.max_streams` is 100; expected at most 99, because of `server.max_connections`: else \
           they could, with the sockets of `bridge.max_sockets`, take every connection and no assistant would get in",
        ],
    );
}

#[test]
fn listening_everywhere_needs_a_public_address() {
    refused(
        "",
        &[("PLAYHOUSE_SERVER_LISTEN", "0.0.0.0:8080")],
        &[
            "environment variable PLAYHOUSE_SERVER_LISTEN: `server.listen` (0.0.0.0:8080) is every address of this machine; set \
           `server.public_url` to the one that people use, such as \"https://tv.example.org\"",
        ],
    );
    let text = "[server]\nlisten = \"0.0.0.0:8080\"\npublic_url = \"https://TV.example.org/\"\n";
    let config = load(text, &[]).unwrap();
    assert_eq!(config.server.public_url(config.server.listen), "https://tv.example.org");
}

#[test]
fn a_public_address_has_no_path_and_no_login() {
    for wrong in [
        "https://tv.example.org/mcp",
        "https://me:secret@tv.example.org",
        "ftp://tv.example.org",
        "tv.example.org",
        "https://",
    ] {
        let error = load("", &[("PLAYHOUSE_SERVER_PUBLIC_URL", wrong)]).expect_err(wrong);
        assert!(error.contains("expected a web address without a path"), "{error}");
    }
}

#[test]
fn connections_are_shared_out_among_the_threads() {
    let server = load("server.workers = 3\nserver.max_connections = 13000\n", &[]).unwrap().server;
    assert_eq!((server.n_workers(), server.max_connections_of_worker()), (3, 4_334));
    assert!(load("", &[]).unwrap().server.n_workers() >= 1);
}

#[test]
fn uploads_leave_threads_for_the_rest_however_few_there_are() {
    let production = |max: usize| load(&format!("production.max_uploads = {max}\n"), &[]).unwrap().production;
    assert_eq!(production(32).blocking_threads_of_worker(2), 256);
    assert_eq!(production(32).blocking_threads_of_worker(64), 48);
    assert_eq!(production(256).blocking_threads_of_worker(2), 272);
}

#[test]
fn a_misspelt_log_level_is_refused() {
    for wrong in ["inof", "playhouse", "info,playhouse=loud", ""] {
        let error = load("", &[("PLAYHOUSE_LOGGING_FILTER", wrong)]).expect_err(wrong);
        assert!(error.contains("expected a level (off, error, warn, info, debug, trace)"), "{error}");
    }
    assert!(load("", &[("PLAYHOUSE_LOGGING_FILTER", "warn,playhouse::bridge=debug")]).is_ok());
}

#[test]
fn the_listing_of_what_is_in_force_is_a_file_that_loads_to_the_same() {
    let config = load("[server]\nworkers = 3\n", &[("PLAYHOUSE_BRIDGE_MAX_SOCKETS", "77")]).unwrap();
    let listing = config.in_force().unwrap();

    assert_eq!(load(&listing, &[]).unwrap(), config);
    let line = |start: &str| listing.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(line("workers = 3").contains("# PLAYHOUSE_SERVER_WORKERS ("), "{listing}");
    assert!(line("workers = 3").ends_with("playhouse.toml, line 2)"), "{listing}");
    assert!(line("max_sockets = 77").ends_with("# PLAYHOUSE_BRIDGE_MAX_SOCKETS (from the environment)"), "{listing}");
    assert!(line("cache_mib = 64").ends_with("# PLAYHOUSE_DATA_CACHE_MIB (default)"), "{listing}");
}

const KEY: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn the_plain_variables_set_their_keys_and_ours_win_over_them() {
    let resolver =
        |environment: &[(&str, &str)]| load("resolver.default_country = \"FR\"", environment).unwrap().resolver;
    let plain = resolver(&[("TMDB_API_KEY", KEY), ("RESOLVE_DEFAULT_COUNTRY", "gb")]);
    assert_eq!((plain.tmdb_api_key.reveal(), plain.default_country.as_str()), (Some(KEY), "GB"));
    let both = resolver(&[("RESOLVE_DEFAULT_COUNTRY", "GB"), ("PLAYHOUSE_RESOLVER_DEFAULT_COUNTRY", "DE")]);
    assert_eq!(both.default_country.as_str(), "DE");
    let empty = resolver(&[("TMDB_API_KEY", ""), ("RESOLVE_DEFAULT_COUNTRY", " ")]);
    assert_eq!((empty.tmdb_api_key.reveal(), empty.default_country.as_str()), (None, "FR"));
    refused(
        "",
        &[("RESOLVE_DEFAULT_COUNTRY", "USA")],
        &[
            "environment variable RESOLVE_DEFAULT_COUNTRY: `resolver.default_country` is \"USA\"; expected a country by its two letters such as \"US\"",
        ],
    );
}

#[test]
fn a_secret_is_shown_nowhere_not_even_a_wrong_one() {
    let config = load("", &[("TMDB_API_KEY", KEY)]).unwrap();
    let listing = config.in_force().unwrap();
    assert!(listing.contains("# tmdb_api_key = \"(set, not shown)\""), "{listing}");
    assert!(load(&listing, &[]).is_ok(), "the listing is still a file that loads");
    for text in [listing, format!("{config:?}"), serde_json::to_string(&config).unwrap()] {
        assert!(!text.contains(KEY), "{text}");
    }
    for wrong in ["0123456789abcdef-mistyped", "(set, not shown)"] {
        let error = load("", &[("PLAYHOUSE_RESOLVER_TMDB_API_KEY", wrong)]).expect_err(wrong);
        assert!(error.contains("expected a key of TMDB") && !error.contains(wrong), "{error}");
    }
}

#[test]
fn a_services_address_may_have_a_path_and_no_login() {
    assert!(load("resolver.tmdb_url = \"http://127.0.0.1:9/3\"", &[]).is_ok());
    for wrong in ["https://me:secret@x.example", "ftp://x.example", "https://x.example/?a=1", "x"] {
        let error = load("", &[("PLAYHOUSE_RESOLVER_JUSTWATCH_URL", wrong)]).expect_err(wrong);
        assert!(error.contains("expected the web address of a service"), "{error}");
    }
}

/// The shipped example is the operator's reference: it must list every key with its default, its variable and its range.
mod the_shipped_example {
    use super::*;

    const EXAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ops/playhouse.example.toml"));

    /// The comment lines directly above the line that sets `key`.
    fn comment_above(section: &str, key: &str) -> String {
        let lines: Vec<&str> = EXAMPLE.lines().collect();
        let header =
            lines.iter().position(|line| *line == format!("[{section}]")).expect("the section is in the example");
        let at = (header + 1..lines.len())
            .find(|&at| lines[at].starts_with(&format!("{key} = ")))
            .unwrap_or_else(|| panic!("`{section}.{key}` is not in the example"));
        let comments = lines[..at].iter().rev().take_while(|line| line.starts_with('#'));
        comments.fold(String::new(), |text, line| format!("{}\n{text}", line.trim_start_matches("# ")))
    }

    #[test]
    fn loads_to_the_defaults() {
        assert_eq!(load(EXAMPLE, &[]).unwrap(), Config::default());
    }

    #[test]
    fn sets_every_key_under_its_variables_name() {
        let set = load(EXAMPLE, &[]).unwrap();
        for key in Keys::of(&Config::default()).unwrap().0 {
            assert_ne!(set.origins.of(&key.section, &key.name), Origin::Default, "{} is missing", key.dotted());
            let comment = comment_above(&key.section, &key.name);
            assert!(comment.contains(&format!("Variable: {}\n", key.variable())), "{}: {comment}", key.dotted());
        }
    }

    #[test]
    fn gives_the_range_of_every_number() {
        for key in Keys::of(&Config::default()).unwrap().0.iter().filter(|key| key.value.is_integer()) {
            let error = load("", &[(&key.variable(), "-1")]).unwrap_err();
            let range = error.split("expected a whole number ").nth(1).expect("numbers have a range").trim();
            let comment = comment_above(&key.section, &key.name).replace('\n', " ");
            assert!(comment.contains(&format!("{range}.")), "{}: `{range}` is not in: {comment}", key.dotted());
        }
    }
}
