//! Prints what a durable commit and a reading cost on this machine's disk.
//!
//! `cargo run --release -p playhouse-store --example measure [DIR]`; without a folder it uses a temporary one, which
//! may lie in memory: give a folder on the disk you mean.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use playhouse_store::{Expect, HouseId, Key, Op, Path, SledSettings, SledStore, Store};

const EACH_LASTS: Duration = Duration::from_secs(3);
const VALUE_BYTES: usize = 300;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let temporary = tempfile::tempdir()?;
    let dir = std::env::args().nth(1).map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let store = Arc::new(SledStore::open(SledSettings::new(dir.join("measured")))?);
    println!("commits of one record of {VALUE_BYTES} bytes, each answered when it is on the disk:");
    for n_clients in [1, 8, 64] {
        commits(&store, n_clients).await?;
    }
    println!("readings of one record that is in the cache:");
    for n_clients in [1, 64] {
        readings(&store, n_clients).await?;
    }
    baseline(&temporary.path().join("bare"))?;
    store.close().await?;
    Ok(())
}

async fn commits(store: &Arc<SledStore>, n_clients: u32) -> Result<(), Box<dyn std::error::Error>> {
    let store = store.clone();
    run("commits", n_clients, move |client, number| {
        let store = store.clone();
        async move {
            let path = Path::literal("measured").join(client)?.join(number % 1_000)?;
            store.commit(HouseId::INSTANCE, vec![Op::put(path, vec![b'x'; VALUE_BYTES], Expect::Any)], None).await?;
            Ok(())
        }
    })
    .await
}

async fn readings(store: &Arc<SledStore>, n_clients: u32) -> Result<(), Box<dyn std::error::Error>> {
    let store = store.clone();
    run("readings", n_clients, move |_, _| {
        let store = store.clone();
        async move {
            let key = Key::new(HouseId::INSTANCE, Path::literal("measured/0/0"));
            store.get(&key).await?.ok_or("the record is gone")?;
            Ok(())
        }
    })
    .await
}

/// What a reading would cost without the way to another thread, had one no need to fear the disk.
fn baseline(dir: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let db = sled::open(dir)?;
    db.insert("key", vec![b'x'; VALUE_BYTES])?;
    let began = Instant::now();
    let mut n_done = 0_u64;
    while began.elapsed() < EACH_LASTS / 3 {
        std::hint::black_box(db.get("key")?);
        n_done += 1;
    }
    println!("  sled alone, in place: {:.1} µs each", 1e6 * began.elapsed().as_secs_f64() / n_done as f64);
    Ok(())
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Lets `n_clients` do one thing after the other, and prints how many were done and how long each took.
async fn run<F, D>(what: &str, n_clients: u32, one: F) -> Result<(), Box<dyn std::error::Error>>
where
    F: Fn(u32, u64) -> D + Clone + Send + 'static,
    D: Future<Output = Result<(), Failure>> + Send,
{
    let over = Arc::new(AtomicBool::new(false));
    let n_done = Arc::new(AtomicU64::new(0));
    let began = Instant::now();
    let clients: Vec<_> = (0..n_clients)
        .map(|client| {
            let (over, n_done, one) = (over.clone(), n_done.clone(), one.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                for number in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let began = Instant::now();
                    one(client, number).await?;
                    times.push(began.elapsed());
                    n_done.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<_, Failure>(times)
            })
        })
        .collect();
    tokio::time::sleep(EACH_LASTS).await;
    over.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.await?.map_err(|error| error.to_string())?);
    }
    let rate = n_done.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!("  {n_clients:>2} at once: {rate:>8.0} {what}/s, p50 {:?}, p99 {:?}", at(0.5), at(0.99));
    Ok(())
}
