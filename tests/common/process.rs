//! The program itself, as a process that can be killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A server process over the data of a town that was stopped.
pub(crate) struct Server {
    child: Child,
    /// Its address, without a slash at its end.
    pub(crate) base: String,
}

impl Server {
    pub(crate) fn start(folder: &Path) -> Self {
        let config = "[server]\nlisten = \"127.0.0.1:0\"\n[data]\nfolder = \"data\"\n[metrics]\nenabled = false\n\
                      [production]\nmin_free_mib = 0\n[logging]\nformat = \"json\"\n";
        std::fs::write(folder.join("playhouse.toml"), config).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_playhouse"));
        command.args(["--config", "playhouse.toml", "serve"]).current_dir(folder).env_clear();
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let serving = lines.by_ref().map(|line| line.unwrap()).find_map(|line| {
            let line: Value = serde_json::from_str(&line).ok()?;
            (line["message"] == "serving").then(|| line["mcp_url"].as_str().unwrap().to_owned())
        });
        let base = serving.expect("the server says that it serves").trim_end_matches("/mcp").to_owned();
        // Somebody has to read on, or the server would wait with its next line.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base }
    }

    /// SIGKILL: nothing is flushed, nothing is said.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Runs the demo in `folder`, with its house in `data` there, until it says that it is up; answers the ready file's content and the running child.
pub(crate) fn demo(folder: &Path, data: &str) -> (Value, Child) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_playhouse"))
        .args(["demo", "--listen", "127.0.0.1:0", "--data", data, "--ready-file", "ready.json"])
        .current_dir(folder)
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    assert!(lines.any(|line| line.starts_with("Playhouse is up")), "the demo ended before it was up");
    std::thread::spawn(move || lines.for_each(drop));
    let ready = std::fs::read(folder.join("ready.json")).unwrap();
    (serde_json::from_slice(&ready).unwrap(), child)
}
