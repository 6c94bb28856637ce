//! Any run of calls answers as a simple model does.
//!
//! The model keeps records and logs in plain maps, knows nothing of rows, rounds or generations, and is asked the same
//! questions after every step.

use std::{collections::BTreeMap, time::Duration};

use futures::{StreamExt, stream};
use playhouse_store::{
    Claim, CommitError, Expect, Fence, IdemKey, Key, LogEntry, LogId, Lost, NodeId, Op, Refusal, ResourceId,
    RestoreEntry, RestoreError, Seq, Store, Version, WhenOccupied,
};
use proptest::prelude::*;
use uuid::Uuid;

use crate::subject::{Subject, house, path};

const PATHS: [&str; 6] = ["a", "a/b", "a/b/c", "a-b", "ab", "b"];
const TTL: Duration = Duration::from_secs(10);

/// What a proptest run may do. Small numbers pick from small sets, so that steps meet each other.
#[derive(Debug, Clone)]
enum Step {
    Commit { house: u128, ops: Vec<(usize, Condition, Option<u8>)>, fence: Option<u64> },
    Append { house: u128, log: usize, idem: u8, record: u8 },
    Scan { house: u128, prefix: Option<usize>, after: Option<usize>, limit: u32 },
    ReadLog { house: u128, log: usize, from: u64, limit: u32 },
    Claim { node: u128 },
    Renew { epoch: u64 },
    Release { epoch: u64 },
    Wait { seconds: u64 },
    Restore { house: u128, records: BTreeMap<usize, u8>, n_entries: u8, when_occupied: bool },
    OpenAgain,
}

#[derive(Debug, Clone, Copy)]
enum Condition {
    Any,
    Absent,
    Current,
    /// A version given earlier, or one never given.
    Number(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let house = 0..3u128;
    let path = 0..PATHS.len();
    let condition = prop_oneof![
        3 => Just(Condition::Any),
        1 => Just(Condition::Absent),
        3 => Just(Condition::Current),
        1 => (0..6u64).prop_map(Condition::Number),
    ];
    let op = (path.clone(), condition, proptest::option::weighted(0.7, any::<u8>()));
    let commit = (house.clone(), proptest::collection::vec(op, 0..5), proptest::option::weighted(0.2, 0..5u64));
    let records = proptest::collection::btree_map(path.clone(), any::<u8>(), 0..4);
    let step = prop_oneof![
        8 => commit.prop_map(|(house, ops, fence)| Step::Commit { house, ops, fence }),
        3 => (house.clone(), path.clone(), 0..4u8, 0..2u8)
            .prop_map(|(house, log, idem, record)| Step::Append { house, log, idem, record }),
        3 => (house.clone(), proptest::option::of(path.clone()), proptest::option::of(path.clone()), 0..4u32)
            .prop_map(|(house, prefix, after, limit)| Step::Scan { house, prefix, after, limit }),
        2 => (house.clone(), path, 0..4u64, 0..4u32)
            .prop_map(|(house, log, from, limit)| Step::ReadLog { house, log, from, limit }),
        2 => (1..3u128).prop_map(|node| Step::Claim { node }),
        1 => (0..5u64).prop_map(|epoch| Step::Renew { epoch }),
        1 => (0..5u64).prop_map(|epoch| Step::Release { epoch }),
        1 => (1..12u64).prop_map(|seconds| Step::Wait { seconds }),
        1 => (house, records, 0..3u8, any::<bool>()).prop_map(|(house, records, n_entries, when_occupied)| {
            Step::Restore { house, records, n_entries, when_occupied }
        }),
        1 => Just(Step::OpenAgain),
    ];
    proptest::collection::vec(step, 1..30)
}

pub(crate) fn check<S: Subject>() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in steps())| {
        runtime.block_on(async {
            let mut run = Run { subject: S::fresh().await, model: Model::default() };
            for step in &steps {
                run.take(step).await;
                run.compare().await;
            }
            run.subject.store().close().await.unwrap();
        });
    });
}

type Name = (u128, &'static str);

#[derive(Default)]
struct Model {
    records: BTreeMap<Name, (Vec<u8>, Version)>,
    logs: BTreeMap<Name, Vec<(u8, Vec<u8>)>>,
    /// The highest version each house has given out.
    newest: BTreeMap<u128, Version>,
    epoch: u64,
    /// Who has the one resource, and until which second.
    holder: Option<(u128, Duration)>,
    now: Duration,
}

impl Model {
    fn fence_holds(&self, fence: Option<u64>) -> bool {
        fence.is_none_or(|epoch| epoch == self.epoch && self.holder.is_some())
    }

    fn version(&self, name: Name) -> Option<Version> {
        self.records.get(&name).map(|(_, version)| *version)
    }

    fn is_empty(&self, house: u128) -> bool {
        !self.records.keys().chain(self.logs.keys()).any(|(of, _)| *of == house)
    }
}

struct Run<S> {
    subject: S,
    model: Model,
}

impl<S: Subject> Run<S> {
    async fn take(&mut self, step: &Step) {
        match step {
            Step::Commit { house, ops, fence } => self.commit(*house, ops, *fence).await,
            Step::Append { house, log, idem, record } => self.append(*house, *log, *idem, *record).await,
            Step::Scan { house, prefix, after, limit } => self.scan(*house, *prefix, *after, *limit).await,
            Step::ReadLog { house, log, from, limit } => self.read_log(*house, *log, *from, *limit).await,
            Step::Claim { .. } | Step::Renew { .. } | Step::Release { .. } => self.claims(step).await,
            Step::Wait { seconds } => {
                self.subject.clock().advance(Duration::from_secs(*seconds));
                self.model.now += Duration::from_secs(*seconds);
            }
            Step::Restore { house, records, n_entries, when_occupied } => {
                let when = if *when_occupied { WhenOccupied::Replace } else { WhenOccupied::Refuse };
                self.restore(*house, records, *n_entries, when).await;
            }
            Step::OpenAgain => self.subject.open_again().await,
        }
    }

    async fn commit(&mut self, number: u128, ops: &[(usize, Condition, Option<u8>)], fence: Option<u64>) {
        let expect = |at: usize, condition| match condition {
            Condition::Any => Expect::Any,
            Condition::Absent => Expect::Absent,
            Condition::Current => self.model.version((number, PATHS[at])).map_or(Expect::Absent, Expect::Version),
            Condition::Number(version) => Expect::Version(Version(version)),
        };
        let ops: Vec<Op> = ops
            .iter()
            .map(|(at, condition, value)| match value {
                Some(value) => Op::put(path(PATHS[*at]), vec![*value], expect(*at, *condition)),
                None => Op::delete(path(PATHS[*at]), expect(*at, *condition)),
            })
            .collect();
        let wanted = self.expected_refusal(number, &ops, fence);
        let fence = fence.map(|epoch| Fence { resource: resource(), epoch });
        let answer = self.subject.store().commit(house(number), ops.clone(), fence).await;
        if let Some(refusal) = wanted {
            assert_eq!(answer, Err(refusal));
            return;
        }
        let versions = answer.unwrap();
        assert_eq!(versions.len(), ops.len());
        for (op, version) in ops.iter().zip(versions) {
            let newest = self.model.newest.insert(number, version);
            assert!(newest.is_none_or(|newest| version >= newest), "version {version} came after {newest:?}");
            let name = (number, PATHS.into_iter().find(|known| *known == op.path.as_str()).unwrap());
            match &op.change {
                playhouse_store::Change::Put(value) => {
                    assert!(self.model.version(name).is_none_or(|old| version > old));
                    self.model.records.insert(name, (value.to_vec(), version));
                }
                playhouse_store::Change::Delete => drop(self.model.records.remove(&name)),
            }
        }
    }

    fn expected_refusal(&self, number: u128, ops: &[Op], fence: Option<u64>) -> Option<CommitError> {
        let key = |op: &Op| Key::new(house(number), op.path.clone());
        let mut sorted: Vec<_> = ops.iter().map(|op| &op.path).collect();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(Refusal::KeyTwice(Key::new(house(number), pair[0].clone())).into());
        }
        if !self.model.fence_holds(fence) {
            return Some(CommitError::Fenced { current: self.model.epoch });
        }
        ops.iter().find_map(|op| {
            let name = PATHS.into_iter().find(|known| *known == op.path.as_str())?;
            let current = self.model.version((number, name));
            let holds = match op.expect {
                Expect::Any => true,
                Expect::Absent => current.is_none(),
                Expect::Version(version) => current == Some(version),
            };
            (!holds).then(|| CommitError::Conflict { key: key(op), current })
        })
    }

    async fn append(&mut self, number: u128, log: usize, idem: u8, record: u8) {
        let entries = self.model.logs.get(&(number, PATHS[log])).cloned().unwrap_or_default();
        let first = entries.iter().position(|(known, _)| *known == idem);
        let wanted = match first {
            Some(at) if entries[at].1 == [record] => Ok(Seq(at as u64 + 1)),
            Some(at) => Err(Refusal::IdemKeyReused { seq: Seq(at as u64 + 1) }.into()),
            None => Ok(Seq(entries.len() as u64 + 1)),
        };
        let id = LogId::new(house(number), path(PATHS[log]));
        let answer = self.subject.store().append(id, vec![record].into(), idem_key(idem), None).await;
        assert_eq!(answer, wanted);
        if first.is_none() {
            self.model.logs.entry((number, PATHS[log])).or_default().push((idem, vec![record]));
        }
    }

    async fn scan(&mut self, number: u128, prefix: Option<usize>, after: Option<usize>, limit: u32) {
        let key = |at: usize| Key::new(house(number), path(PATHS[at]));
        let prefix = prefix.map_or_else(|| Key::all_of(house(number)), key);
        let after = after.map(key);
        let page = self.subject.store().scan(&prefix, after.as_ref(), limit).await.unwrap();
        let beneath = |text: &str| prefix.path.is_root() || text.starts_with(&format!("{}/", prefix.path));
        let later = |text: &str| after.as_ref().is_none_or(|after| text > after.path.as_str());
        let all: Vec<_> = self.model.records.keys().filter(|(of, _)| *of == number).map(|(_, text)| *text).collect();
        let all: Vec<_> = all.into_iter().filter(|text| beneath(text) && later(text)).collect();
        let found: Vec<_> = page.entries.iter().map(|(key, _)| key.path.as_str()).collect();
        assert_eq!(found, all[..all.len().min(limit as usize)]);
        assert_eq!(page.more, all.len() > limit as usize);
    }

    async fn read_log(&mut self, number: u128, log: usize, from: u64, limit: u32) {
        let id = LogId::new(house(number), path(PATHS[log]));
        let found = self.subject.store().read_log(&id, Seq(from), limit).await.unwrap();
        let entries = self.model.logs.get(&(number, PATHS[log])).cloned().unwrap_or_default();
        let wanted: Vec<_> = entries
            .into_iter()
            .enumerate()
            .map(|(at, (idem, record))| log_entry(at as u64 + 1, idem, record))
            .filter(|entry| entry.seq.0 >= from)
            .take(limit as usize)
            .collect();
        assert_eq!(found, wanted);
    }

    async fn claims(&mut self, step: &Step) {
        let Model { epoch, holder, now, .. } = &mut self.model;
        let store = self.subject.store();
        let held = holder.filter(|(_, until)| until > now);
        match *step {
            Step::Claim { node } => {
                let answer = store.claim(&resource(), NodeId(Uuid::from_u128(node)), TTL).await.unwrap();
                if let Some((by, _)) = held.filter(|(by, _)| *by != node) {
                    assert!(matches!(answer, Claim::Held { by: found, .. } if found.0.as_u128() == by));
                    return;
                }
                *epoch += 1;
                *holder = Some((node, *now + TTL));
                assert_eq!(answer, Claim::Owned { epoch: *epoch });
            }
            Step::Renew { epoch: wanted } => {
                let answer = store.renew(&resource(), wanted, TTL).await;
                match held.filter(|_| wanted == *epoch) {
                    Some((by, _)) => {
                        assert_eq!(answer, Ok(()));
                        *holder = Some((by, *now + TTL));
                    }
                    None => assert_eq!(answer, Err(Lost::Over { current: *epoch })),
                }
            }
            Step::Release { epoch: wanted } => {
                store.release(&resource(), wanted).await;
                if wanted == *epoch && holder.is_some() {
                    *epoch += 1;
                    *holder = None;
                }
            }
            _ => unreachable!("only the steps about claims come here"),
        }
    }

    async fn restore(&mut self, number: u128, records: &BTreeMap<usize, u8>, n_entries: u8, when: WhenOccupied) {
        let records: Vec<_> = records.iter().map(|(at, value)| (PATHS[*at], vec![*value])).collect();
        let as_record = |(text, value): &(&str, Vec<u8>)| {
            Ok(RestoreEntry::Record { path: path(text), value: value.clone().into() })
        };
        let as_entry =
            |at: u8| Ok(RestoreEntry::Log { log: path("a"), entry: log_entry(u64::from(at) + 1, at, vec![at]) });
        let entries: Vec<_> = records.iter().map(as_record).chain((0..n_entries).map(as_entry)).collect();
        let answer = self.subject.store().restore(house(number), stream::iter(entries).boxed(), when).await;
        if when == WhenOccupied::Refuse && !self.model.is_empty(number) {
            assert!(matches!(answer, Err(RestoreError::Occupied { .. })));
            return;
        }
        answer.unwrap();
        self.model.records.retain(|(of, _), _| *of != number);
        self.model.logs.retain(|(of, _), _| *of != number);
        for (text, value) in records {
            let found = self.subject.store().get(&Key::new(house(number), path(text))).await.unwrap().unwrap();
            let newest = self.model.newest.insert(number, found.version);
            assert!(newest.is_none_or(|newest| found.version >= newest));
            self.model.records.insert((number, text), (value, found.version));
        }
        if n_entries > 0 {
            let entries = (0..n_entries).map(|at| (at, vec![at])).collect();
            self.model.logs.insert((number, "a"), entries);
        }
    }

    /// Asks for everything.
    async fn compare(&self) {
        let store: &dyn Store = &**self.subject.store();
        let mut houses = Vec::new();
        for number in 0..3 {
            let page = store.scan(&Key::all_of(house(number)), None, 100).await.unwrap();
            let found: Vec<_> = page
                .entries
                .iter()
                .map(|(key, found)| (key.path.as_str(), found.value.to_vec(), found.version))
                .collect();
            let wanted: Vec<_> = self
                .model
                .records
                .range((number, "")..(number + 1, ""))
                .map(|((_, text), (value, version))| (*text, value.clone(), *version))
                .collect();
            assert_eq!(found, wanted);
            let logs = store.logs(house(number), None, 100).await.unwrap();
            let wanted: Vec<_> = self.model.logs.range((number, "")..(number + 1, "")).collect();
            assert_eq!(logs.len(), wanted.len());
            for (log, ((_, text), entries)) in logs.iter().zip(wanted) {
                assert_eq!(log.path.as_str(), *text);
                assert_eq!(store.read_log(log, Seq::FIRST, 100).await.unwrap().len(), entries.len());
            }
            if !self.model.is_empty(number) {
                houses.push(house(number));
            }
        }
        assert_eq!(store.partitions(None, 100).await.unwrap(), houses);
    }
}

fn resource() -> ResourceId {
    ResourceId::new(house(1), path("arr"))
}

fn idem_key(number: u8) -> IdemKey {
    IdemKey::new(number.to_string()).unwrap()
}

fn log_entry(seq: u64, idem: u8, record: Vec<u8>) -> LogEntry {
    LogEntry { seq: Seq(seq), idem: idem_key(idem), record: record.into() }
}
