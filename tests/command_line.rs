//! The binary as an operator and a newcomer meet it: commands, configuration, signals, the demo.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Output, Stdio};

use common::process::demo;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a configuration of its own.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.configure("[server]\nlisten = \"127.0.0.1:0\"\n[data]\nfolder = \"data\"\n[metrics]\nlisten = \"127.0.0.1:0\"\n[logging]\nformat = \"json\"\n");
        desk
    }

    fn configure(&self, text: &str) {
        std::fs::write(self.path("playhouse.toml"), text).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playhouse"));
        command.args(["--config", "playhouse.toml"]).args(arguments).current_dir(self.folder.path()).env_clear();
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that succeeds; answers what it printed.
    fn said(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that answers JSON.
    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.said(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// Runs a command that is refused; answers what it said on standard error.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }

    /// Starts the server and waits until it serves.
    fn serve(&self) -> Server {
        let mut child = self.command(&["serve"]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let serving = lines.by_ref().map(|line| line.unwrap()).find_map(|line| {
            let line: Value = serde_json::from_str(&line).ok()?;
            (line["message"] == "serving").then(|| line["mcp_url"].as_str().unwrap().to_owned())
        });
        let mcp_url = serving.expect("the server says that it serves");
        // Somebody has to read on, or the server would wait with its next line.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, mcp_url }
    }
}

struct Server {
    child: Child,
    mcp_url: String,
}

impl Server {
    fn status_of(&self, key: &str) -> u16 {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "tv_list_devices" } });
        actix_web::rt::System::new().block_on(async {
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            http.post(&self.mcp_url).bearer_auth(key).json(&body).send().await.unwrap().status().as_u16()
        })
    }

    fn stop(mut self, signal: &str) -> Option<i32> {
        kill(&self.child, signal);
        self.child.wait().unwrap().code()
    }
}

fn kill(child: &Child, signal: &str) {
    let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

fn new_key(desk: &Desk, house: &str) -> (String, String) {
    let made = desk.json(&["key", "create", "--house", house, "--label", "laptop", "--scope", "tv"]);
    let key = made["new_key"]["plain"].as_str().unwrap().to_owned();
    (key, made["new_key"]["summary"]["id"].as_str().unwrap().to_owned())
}

#[test]
fn houses_and_keys_are_made_before_the_server_runs_and_while_it_does() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel Street"]);
    let (early, _) = new_key(&desk, "Kestrel Street");

    let server = desk.serve();
    assert_eq!(server.status_of(&early), 200);
    let (late, id) = new_key(&desk, "Kestrel Street");
    assert_eq!(server.status_of(&late), 200);

    desk.said(&["key", "revoke", "--house", "Kestrel Street", &id]);
    assert_eq!((server.status_of(&late), server.status_of(&early)), (401, 200));
    assert!(desk.said(&["key", "list", "--house", "Kestrel Street"]).contains("revoked"));
    assert_eq!(server.stop("TERM"), Some(0));

    let again = desk.serve();
    assert_eq!((again.status_of(&late), again.status_of(&early)), (401, 200));
    assert_eq!(again.stop("INT"), Some(0));
}

#[test]
fn a_key_is_printed_once_and_never_listed() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel Street"]);
    let (key, id) = new_key(&desk, "Kestrel Street");
    let listed = desk.said(&["key", "list", "--house", "Kestrel Street"]);
    assert!(listed.contains(&id) && !listed.contains(&key));
    let secret = key.split('_').nth(2).unwrap();
    assert!(!desk.json(&["key", "list", "--house", "Kestrel Street"]).to_string().contains(secret));
}

#[test]
fn what_cannot_be_done_is_said_in_the_operators_words() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Twin"]);
    desk.said(&["house", "create", "Twin"]);
    for (arguments, words) in [
        (&["key", "list", "--house", "Nowhere"][..], "there is no house `Nowhere`; `playhouse house list` shows them"),
        (&["key", "list", "--house", "Twin"][..], "several houses are named `Twin`; name one by its id"),
        (&["key", "revoke", "--operator", "9f3k2m7qx1"][..], "Key not found."),
        (&["house", "create", ""][..], "a name has 1 to 80 characters"),
        (&["import", "missing.jsonl"][..], "cannot read missing.jsonl"),
    ] {
        let said = desk.refused(arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_wrong_configuration_stops_the_start_with_file_line_and_what_was_expected() {
    let desk = Desk::new();
    desk.configure("[server]\nlisten = \"127.0.0.1:0\"\nlissten = 3\n");
    let said = desk.refused(&["serve"]);
    assert!(said.contains("playhouse.toml") && said.contains("3") && said.contains("listen"), "{said}");

    desk.configure("[server]\nlisten = \"somewhere\"\n");
    let said = desk.refused(&["check"]);
    assert!(said.contains("playhouse.toml") && said.contains("somewhere"), "{said}");

    desk.configure("");
    let output = desk.command(&["check"]).env("PLAYHOUSE_SERVER_WORKERS", "many").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("PLAYHOUSE_SERVER_WORKERS"), "{said}");
}

#[test]
fn check_prints_what_is_in_force() {
    let desk = Desk::new();
    let said = desk.said(&["check"]);
    assert!(said.contains("listen") && said.contains("127.0.0.1:0") && said.contains("playhouse.toml"), "{said}");
}

#[test]
fn a_second_server_on_the_same_folder_is_refused() {
    let desk = Desk::new();
    let server = desk.serve();
    let said = desk.refused(&["serve"]);
    assert!(said.contains("is another playhouse running"), "{said}");
    assert_eq!(server.stop("TERM"), Some(0));
}

#[test]
fn an_export_moves_a_house_to_another_instance_while_both_serve() {
    let (from, to) = (Desk::new(), Desk::new());
    from.said(&["house", "create", "Kestrel Street"]);
    let (key, _) = new_key(&from, "Kestrel Street");
    let (serving, receiving) = (from.serve(), to.serve());
    let file = to.path("house.jsonl");
    let file = file.to_str().unwrap();

    from.said(&["export", "--house", "Kestrel Street", "--output", file]);
    assert_eq!(receiving.status_of(&key), 401);
    to.said(&["import", file]);
    assert_eq!(receiving.status_of(&key), 200);

    // Again: refused unless it may replace, and then nothing has changed.
    assert!(to.refused(&["import", file]).contains("already"));
    let (later, _) = new_key(&to, "Kestrel Street");
    to.said(&["import", "--replace", file]);
    assert_eq!((receiving.status_of(&key), receiving.status_of(&later)), (200, 401));
    assert_eq!((serving.stop("TERM"), receiving.stop("TERM")), (Some(0), Some(0)));
}

#[test]
fn a_damaged_export_changes_nothing() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel Street"]);
    let whole = desk.said(&["export"]);
    let cut: String = whole.lines().take(2).map(|line| format!("{line}\n")).collect();
    std::fs::write(desk.path("cut.jsonl"), cut).unwrap();
    let other = Desk::new();
    other.refused(&["import", desk.path("cut.jsonl").to_str().unwrap()]);
    assert_eq!(other.json(&["house", "list"]), json!({ "houses": [] }));
}

#[test]
fn a_killed_server_has_every_key_that_was_answered() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel Street"]);
    let server = desk.serve();
    let keys: Vec<String> = (0..5).map(|_| new_key(&desk, "Kestrel Street").0).collect();
    server.stop("KILL");

    let again = desk.serve();
    for key in keys {
        assert_eq!(again.status_of(&key), 200);
    }
    assert_eq!(again.stop("TERM"), Some(0));
}

const KESTREL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/actors/production/fixtures/kestrel");

#[test]
fn a_production_is_set_up_and_files_are_imported_into_it() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel"]);
    let kestrel = |name: &str| format!("{KESTREL}/{name}");
    let production = kestrel("production.json");
    let import = |command: &str, file: &str, more: &[&str]| {
        desk.said(&[&[command, "--house", "Kestrel", &kestrel(file)], more].concat())
    };

    let opened = desk.said(&["production", "open", "--house", "Kestrel", &production]);
    assert!(opened.contains("Kestrel is set up.") && opened.contains("engagement 1  NLT-101"), "{opened}");
    assert!(opened.contains("NLT-101 reaches nothing new yet"), "{opened}");

    let dry = import("import-script", "101-white.fountain", &["--episode", "101", "--dry-run"]);
    assert!(dry.starts_with("6 would be added, 0 updated, 0 omitted, 0 unchanged\n"), "{dry}");
    assert!(import("import-script", "101-white.fountain", &["--episode", "101"]).starts_with("6 added"));
    let blue = import(
        "import-script",
        "101-blue.fountain",
        &["--episode", "101", "--colour", "blue", "--dated", "2026-09-15"],
    );
    assert_eq!(blue, "1 added, 1 updated, 1 omitted, 4 unchanged; draft 2\n  2: revised\n  4A: added\n  5: omitted\n");
    for (command, file, more, n_added) in [
        ("import-assets", "assets.csv", &[][..], 6),
        ("import-people", "people.csv", &[], 3),
        ("import-schedule", "schedule.csv", &[], 5),
        ("import-deliveries", "deliveries.csv", &[], 3),
        ("import-orders", "purchase-orders.csv", &[], 3),
        ("import-cut", "101-cut-v03.otio", &["--delivery", "TO-101-01"], 3),
    ] {
        let said = import(command, file, more);
        assert!(said.starts_with(&format!("{n_added} added, 0 updated")), "{command}: {said}");
    }

    // Now there is something to reach, and repeating changes nothing else.
    let again = desk.said(&["production", "open", "--house", "Kestrel", &production]);
    assert!(!again.contains("reaches nothing new yet"), "{again}");
    let key = desk.said(&[
        "key",
        "create",
        "--house",
        "Kestrel",
        "--label",
        "pipeline",
        "--scope",
        "read",
        "--engagement",
        "1",
    ]);
    assert!(key.starts_with("ph_"), "{key}");
}

#[test]
fn a_running_server_imports_too_and_a_refusal_names_the_rows() {
    let desk = Desk::new();
    let server = desk.serve();
    desk.said(&["house", "create", "Kestrel"]);
    desk.said(&["production", "open", "--house", "Kestrel", &format!("{KESTREL}/production.json")]);
    let report =
        desk.json(&["import-script", "--house", "Kestrel", "--episode", "101", &format!("{KESTREL}/101-white.fdx")]);
    assert_eq!((&report["added"], &report["dry_run"]), (&json!(2), &json!(false)));

    std::fs::write(desk.path("bad.csv"), "code,name,kind,department\na,A,prop,artt\nb,B,propp,art\n").unwrap();
    let said = desk.refused(&["import-assets", "--house", "Kestrel", "bad.csv"]);
    let expected = "playhouse: Row 1: unknown department 'artt'. (1 more)\n  line 2, department: unknown department 'artt'\n  line 3, kind: unknown kind 'propp'";
    assert!(said.starts_with(expected), "{said}");
    std::fs::write(desk.path("large.csv"), vec![b'a'; 5 * 1024 * 1024 + 1]).unwrap();
    assert!(desk.refused(&["import-assets", "--house", "Kestrel", "large.csv"]).contains("larger than 5 MB"));

    // Purges go the same way.
    let sha256 = "ab".repeat(32);
    assert!(desk.refused(&["production", "purge", "Kestrel", &sha256]).starts_with("playhouse: Media not found."));
    assert!(desk.refused(&["production", "purge", "Kestrel", "ab"]).contains("a sha256 is 64 hexadecimal digits"));
    assert_eq!(server.stop("TERM"), Some(0));
    assert!(desk.refused(&["production", "purge", "Kestrel", &sha256]).starts_with("playhouse: Media not found."));
}

#[test]
fn an_order_that_is_too_long_is_refused_in_words_and_not_sent() {
    let desk = Desk::new();
    let server = desk.serve();
    desk.said(&["house", "create", "Kestrel"]);
    let reject = |n: usize| desk.refused(&["proposals", "reject", "--house", "Kestrel", "1", "--note", &"n".repeat(n)]);
    assert!(reject(70_000).contains("the order is longer than 64 KB"), "{}", reject(70_000));
    assert!(reject(60_000).contains("no such proposal"), "{}", reject(60_000));
    let mut socket = UnixStream::connect(desk.path("data/control.sock")).unwrap();
    socket.write_all(&[b' '; 64 * 1024]).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("the order is longer than 64 KB"), "{answer}");
    assert_eq!(server.stop("TERM"), Some(0));
}

#[test]
fn a_file_that_its_sender_did_not_send_whole_is_not_imported() {
    let desk = Desk::new();
    let server = desk.serve();
    desk.said(&["house", "create", "Kestrel"]);
    desk.said(&["production", "open", "--house", "Kestrel", &format!("{KESTREL}/production.json")]);
    let people = "name,role\nAda Fenwick,Editor\nNoor Haddad,Colourist\n";
    let ask = |sent: &str, n_bytes: usize| {
        let import = json!({ "house": "Kestrel", "kind": "people", "options": {}, "dry_run": true });
        let order = json!({ "production": { "order": { "import": import }, "n_bytes": n_bytes } });
        let mut socket = UnixStream::connect(desk.path("data/control.sock")).unwrap();
        socket.write_all(format!("{order}\n{sent}").as_bytes()).unwrap();
        socket.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    };
    // The first person alone would be a table too.
    let half = ask(&people[..people.rfind("Noor").unwrap()], people.len());
    assert!(half.contains("did not come whole") && half.contains("29 of its 51 bytes"), "{half}");
    assert!(ask(people, people.len()).contains("\"added\":2"), "{}", ask(people, people.len()));
    assert!(ask("", 5 * 1024 * 1024 + 1).contains("larger than 5 MB"));
    assert_eq!(server.stop("TERM"), Some(0));
}

#[test]
fn an_api_key_can_be_taken_from_a_variable_of_any_name() {
    let desk = Desk::new();
    desk.said(&["house", "create", "Kestrel"]);
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let key = "0123456789abcdef0123456789abcdef";
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = desk.command(arguments).envs(variables.iter().copied()).output().unwrap();
        assert!(!output.status.success(), "nothing answers there");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(!words.contains(key), "{words}");
        words
    };
    let add = ["instance", "add", "--house", "Kestrel", "radarr", "Films", &closed];
    let from_env = [&add[..], &["--api-key-from-env", "FILMS_KEY"]].concat();
    // It reaches for the library, so it has a key.
    for variables in [&[("FILMS_KEY", key)][..], &[("FILMS_KEY", key), ("ARR_API_KEY", "no key!")]] {
        assert!(run(&from_env, variables).contains("connection refused"));
    }
    assert!(run(&add, &[("ARR_API_KEY", key)]).contains("connection refused"));
    assert!(run(&[&add[..], &["--api-key", key]].concat(), &[]).contains("connection refused"));
    for variables in [&[][..], &[("FILMS_KEY", "  ")]] {
        assert!(run(&from_env, variables).contains("FILMS_KEY holds no API key"));
    }
    assert!(run(&add, &[]).contains("--api-key"));
    let edit = ["instance", "edit", "--house", "Kestrel", "Films", "--api-key-from-env", "FILMS_KEY"];
    assert!(run(&edit, &[]).contains("FILMS_KEY holds no API key"));
    assert!(run(&edit, &[("FILMS_KEY", key)]).contains("no instance `Films`"));
    assert!(run(&[&edit[..], &["--api-key", key]].concat(), &[("FILMS_KEY", key)]).contains("cannot be used with"));
}

#[test]
fn the_demo_says_where_it_is_works_and_is_still_there_when_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let (ready, mut child) = demo(folder.path(), "house");
    let household = &ready["houses"][0];
    assert_eq!(
        household["tvs"].as_array().unwrap().iter().map(|tv| &tv["name"]).collect::<Vec<_>>(),
        ["living-room", "bedroom"]
    );
    assert_eq!((&ready["console_url"], &household["keys"][0]["engagement"]), (&Value::Null, &Value::Null));
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(folder.path().join("ready.json")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o077, 0, "keys are for the owner's eyes");

    let press = |ready: &Value| -> Value {
        let key = ready["houses"][0]["keys"][0]["key"].as_str().unwrap();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "tv_send_key", "arguments": { "tv": "bedroom", "key": "HOME" } } });
        actix_web::rt::System::new().block_on(async {
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            let sent = http.post(ready["mcp_url"].as_str().unwrap()).bearer_auth(key).json(&body).send().await.unwrap();
            sent.json::<Value>().await.unwrap()["result"]["structuredContent"].clone()
        })
    };
    assert_eq!(press(&ready), json!({ "key": "HOME", "pressed": 1 }));

    let studio = &ready["houses"][1];
    let scopes: Vec<(&Value, bool)> =
        studio["keys"].as_array().unwrap().iter().map(|key| (&key["label"], key["engagement"].is_u64())).collect();
    let (office, vendor, money) =
        (json!("production office"), json!("Northlight pipeline"), json!("production accountant"));
    assert_eq!(
        (&studio["name"], scopes),
        (&json!("Kestrel"), vec![(&office, false), (&vendor, true), (&money, false)])
    );
    let get = |key: usize, path: &str| -> (u16, Value) {
        let key = studio["keys"][key]["key"].as_str().unwrap();
        let url = format!("{}{path}", ready["base_url"].as_str().unwrap());
        actix_web::rt::System::new().block_on(async {
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            let sent = http.get(url).bearer_auth(key).send().await.unwrap();
            (sent.status().as_u16(), sent.json::<Value>().await.unwrap())
        })
    };
    let (status, scenes) = get(0, "/v1/scenes");
    let numbers: Vec<&str> = scenes.as_array().unwrap().iter().map(|scene| scene["number"].as_str().unwrap()).collect();
    assert_eq!((status, numbers), (200, vec!["1", "2", "3", "4", "4A", "5", "6"]));
    let (_, turnovers) = get(1, "/v1/turnovers");
    assert_eq!((turnovers.as_array().unwrap().len(), turnovers[0]["shots"].as_array().unwrap().len()), (1, 3));
    assert_eq!(get(1, "/v1/scenes").0, 403, "a vendor sees its own part");
    let (_, orders) = get(2, "/v1/purchase-orders");
    assert_eq!((orders.as_array().unwrap().len(), &orders[0]["total_minor"]), (3, &json!(4_850_000)));
    kill(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let (again, mut child) = demo(folder.path(), "house");
    assert_eq!((&again["houses"], &again["operator_key"]), (&ready["houses"], &ready["operator_key"]));
    assert_eq!(press(&again), json!({ "key": "HOME", "pressed": 1 }));
    kill(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_page_of_tools_is_current() {
    let desk = Desk::new();
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/TOOLS.md")).unwrap();
    assert_eq!(desk.said(&["docs"]), committed, "run `cargo run -- docs > TOOLS.md`");
}

#[test]
fn without_a_command_the_help_is_printed() {
    let output = Desk::new().run(&[]);
    let mut help = String::new();
    (&output.stderr[..]).read_to_string(&mut help).unwrap();
    assert!(help.contains("demo") && help.contains("serve"), "{help}");
}
