//! The process that writes until it is killed, and what its writes look like afterwards.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    path::Path as FilePath,
    process::{Child, ChildStdout, Command, Stdio},
};

use playhouse_store::{
    CommitError, Expect, HouseId, IdemKey, Key, LogId, Op, Path, Seq, SledSettings, SledStore, Store,
};
use uuid::Uuid;

/// How many groups of a writer are there at a time: each commit adds one and deletes the one this many before.
const KEPT_GROUPS: u64 = 20;

const DIR: &str = "PLAYHOUSE_STORE_TEST_DIR";
const HOUSE: &str = "PLAYHOUSE_STORE_TEST_HOUSE";
const N_WRITERS: &str = "PLAYHOUSE_STORE_TEST_WRITERS";

/// What the process says before it opens the store.
pub(crate) const OPENING: &str = "opening";

/// What the process says when a write failed.
pub(crate) const FAILED: &str = "failed";

/// The command that starts the writing process, to be run as it is or by another program.
pub(crate) fn arguments() -> Vec<String> {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    ["--exact", "writer::writing_process", "--ignored", "--nocapture", "--quiet"].into_iter().fold(
        vec![program],
        |mut arguments, argument| {
            arguments.push(argument.to_owned());
            arguments
        },
    )
}

/// Starts `program` (the first of `arguments` runs the writer) for `house` in `dir`.
pub(crate) fn start(arguments: &[String], dir: &FilePath, house: u128, n_writers: u64) -> Child {
    Command::new(&arguments[0])
        .args(&arguments[1..])
        .env(DIR, dir)
        .env(HOUSE, house.to_string())
        .env(N_WRITERS, n_writers.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What the process says, without what the test harness says around it.
pub(crate) fn words(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let lines: std::io::Lines<BufReader<ChildStdout>> = lines;
    lines
        .map(Result::unwrap)
        .filter(|line| line.starts_with("ack ") || line.starts_with(FAILED) || line.starts_with(OPENING))
}

/// What was acknowledged: the number of the last group of each writer.
#[derive(Debug, Default)]
pub(crate) struct Acknowledged(pub(crate) BTreeMap<u64, u64>);

impl Acknowledged {
    /// Takes `ack WRITER GROUP`. A line cut by the kill was no acknowledgement; the others count.
    pub(crate) fn take(&mut self, word: &str) {
        let numbers: Vec<u64> = word.split(' ').skip(1).filter_map(|number| number.parse().ok()).collect();
        if let (true, [writer, group, check]) = (word.starts_with("ack "), numbers.as_slice())
            && writer + group == *check
        {
            let before = self.0.insert(*writer, *group);
            assert!(before.is_none_or(|before| before < *group));
        }
    }

    pub(crate) fn n_groups(&self) -> u64 {
        self.0.values().sum()
    }
}

#[test]
#[ignore = "the process that the other tests here start and kill"]
fn writing_process() {
    let setting = |name| std::env::var(name).expect("started by another test of this file, with its settings");
    say(OPENING);
    let store = SledStore::open(SledSettings::new(setting(DIR))).unwrap();
    let house = HouseId::from_uuid(Uuid::from_u128(setting(HOUSE).parse().unwrap()));
    let n_writers: u64 = setting(N_WRITERS).parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let writers = (0..n_writers).map(|writer| write_for_ever(&store, house, writer));
        let _failures: Vec<()> = futures::future::join_all(writers).await;
    });
}

async fn write_for_ever(store: &SledStore, house: HouseId, writer: u64) {
    for group in 1.. {
        let written = write_group(store, house, writer, group).await;
        match written {
            Ok(()) => say(&format!("ack {writer} {group} {}", writer + group)),
            Err(error) => return say(&format!("{FAILED} {error}")),
        }
    }
}

/// One commit over several records, and one log entry.
async fn write_group(store: &SledStore, house: HouseId, writer: u64, group: u64) -> Result<(), CommitError> {
    let value = value(group);
    let mut ops = vec![Op::put(last(writer), value.clone(), Expect::Any)];
    ops.extend(members(writer, group).map(|path| Op::put(path, value.clone(), Expect::Absent)));
    if group > KEPT_GROUPS {
        ops.extend(members(writer, group - KEPT_GROUPS).map(|path| Op::delete(path, Expect::Any)));
    }
    store.commit(house, ops, None).await?;
    let idem = IdemKey::new(group.to_string()).unwrap();
    store.append(LogId::new(house, last(writer)), entry(group).into(), idem, None).await.map(drop)
}

/// One `write` call on standard output, so that a line is never cut by another thread.
fn say(words: &str) {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(format!("{words}\n").as_bytes()).unwrap();
    stdout.flush().unwrap();
}

/// What each record of a group holds; found again in what the process writes to the disk.
pub(crate) fn value(group: u64) -> String {
    format!("group {group}.")
}

/// What the log entry of a group holds.
pub(crate) fn entry(group: u64) -> String {
    format!("entry {group}.")
}

/// [`value`] turned round.
fn group_of(value: &[u8]) -> u64 {
    let text = std::str::from_utf8(value).unwrap();
    text.strip_prefix("group ").and_then(|text| text.strip_suffix('.')).unwrap().parse().unwrap()
}

fn last(writer: u64) -> Path {
    Path::literal("last").join(writer).unwrap()
}

fn members(writer: u64, group: u64) -> impl Iterator<Item = Path> {
    let of_group = Path::literal("groups").join(writer).unwrap().join(group).unwrap();
    ["a", "b", "c"].into_iter().map(move |member| of_group.join(member).unwrap())
}

/// Everything acknowledged is there, and each commit is there whole or not at all.
pub(crate) async fn verify(store: &SledStore, house: u128, acknowledged: &Acknowledged, n_writers: u64) {
    let house = HouseId::from_uuid(Uuid::from_u128(house));
    for writer in 0..n_writers {
        let acked = acknowledged.0.get(&writer).copied().unwrap_or(0);
        let found = match store.get(&Key::new(house, last(writer))).await.unwrap() {
            Some(found) => group_of(&found.value),
            None => 0,
        };
        // A writer begins a group only after the one before, so at most one was under way unacknowledged.
        assert!(found == acked || found == acked + 1, "writer {writer}: {acked} acknowledged, {found} found");

        let kept = found.saturating_sub(KEPT_GROUPS) + 1..=found;
        let mut wanted: Vec<_> = kept.flat_map(|group| members(writer, group).map(move |path| (path, group))).collect();
        wanted.sort();
        let prefix = Key::new(house, Path::literal("groups").join(writer).unwrap());
        let page = store.scan(&prefix, None, 1_000).await.unwrap();
        let there: Vec<_> = page.entries.into_iter().map(|(key, found)| (key.path, group_of(&found.value))).collect();
        assert_eq!(there, wanted, "writer {writer}");

        let mut n_entries = 0;
        loop {
            let from = Seq(n_entries + 1);
            let entries = store.read_log(&LogId::new(house, last(writer)), from, 1_000).await.unwrap();
            if entries.is_empty() {
                break;
            }
            for found in entries {
                n_entries += 1;
                assert_eq!((found.seq, found.record.as_ref()), (Seq(n_entries), entry(n_entries).as_bytes()));
            }
        }
        assert!((acked..=found).contains(&n_entries), "writer {writer}: {acked} acknowledged, {n_entries} logged");
    }
}
