//! A large production, made with the office's own importers in memory and copied into a store on the disk.

use std::{fmt::Write, path::Path, sync::Arc, time::Duration};

use anyhow::{Context, Result, anyhow, ensure};
use playhouse_bus::{Bus, BusSettings, Deadline, HouseId, Placement};
use playhouse_house::{
    CredentialKind, KeyRing, PlainKey, Scope, Scopes, TvGrant, credential_path, mint, open_house, system_clock,
};
use playhouse_production::{
    KNOWN_KINDS, ProductionActor, ProductionServices, Writer,
    import::{ImportOptions, ImportOrder, run},
    messages::{PutDepartment, PutProduction, SetUp, SetUpStep},
    model::{ImportKind, ProductionKind, ProductionStatus},
};
use playhouse_store::{Expect, Key, MAX_COMMIT_OPS, MemoryStore, Op, SharedStore, SledSettings, SledStore, Store, put};

use crate::progress::Progress;

/// How much a production has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfficeSize {
    pub(crate) n_scenes: usize,
    pub(crate) n_assets: usize,
    pub(crate) n_activity: usize,
}

/// Departments that the assets are spread over.
pub(crate) const DEPARTMENTS: [&str; 10] =
    ["art", "camera", "costume", "locations", "makeup", "props", "sets", "sound", "stunts", "vfx"];
const KINDS: [&str; 5] = ["prop", "costume", "vfx", "vehicle", "set"];
const STATUSES: [&str; 4] = ["planned", "in_progress", "approved", "final"];
/// Longer than any step takes, also in a debug build.
const IN_TIME: Duration = Duration::from_secs(600);

/// Fills the store in `folder` with a house that has such a production, and answers a key that reads it.
pub(crate) async fn fill(folder: &Path, size: OfficeSize) -> Result<PlainKey> {
    let folder = folder.to_owned();
    // Actors run on an actix thread, and this program runs on tokio's.
    let filling = move || actix_web::rt::System::new().block_on(fill_on_this_thread(&folder, size));
    tokio::task::spawn_blocking(filling).await?
}

async fn fill_on_this_thread(folder: &Path, size: OfficeSize) -> Result<PlainKey> {
    let store: SharedStore = Arc::new(MemoryStore::new());
    let house = open_house(&store, "Large", &system_clock()).await?.id;
    let kind = CredentialKind::Key { tvs: TvGrant::All, account: None, engagement: None };
    let scopes = Scopes::of(&[Scope::Read, Scope::Write, Scope::ReadMoney]);
    let minted = mint(kind, "benchmark".to_owned(), scopes, (system_clock())(), &mut rand::rng());
    let kept = put(credential_path(minted.credential.id), &minted.credential, Expect::Absent)?;
    store.commit(house, vec![kept], None).await?;

    let bus = Bus::new(BusSettings::new(Placement::Current));
    let services = ProductionServices { store: store.clone(), key_ring: KeyRing::new(), clock: system_clock() };
    bus.serve::<ProductionActor>(services);
    let office = Filling { bus, house };
    office.set_up().await?;
    // Before there is much else: every entry is a change of its own, and small changes of a small production are quick.
    office.add_activity(size.n_activity).await?;
    office.import(ImportKind::Script, script(size.n_scenes)?).await?;
    office.import(ImportKind::Assets, assets(size)?).await?;
    office.bus.close(Duration::from_secs(5)).await;

    let mut settings = SledSettings::new(folder);
    settings.known_kinds = KNOWN_KINDS.to_vec();
    let disk = SledStore::open(settings)?;
    copy(&*store, &disk, house).await?;
    disk.close().await?;
    Ok(minted.plain)
}

struct Filling {
    bus: Bus,
    house: HouseId,
}

impl Filling {
    async fn step(&self, step: SetUpStep) -> Result<()> {
        let order = SetUp { by: "benchmark".to_owned(), step };
        let reply = self.bus.call(ProductionActor::key(self.house), order, Deadline::after(IN_TIME)).await?;
        reply.map(drop).map_err(|refusal| anyhow!("setting up: {refusal}"))
    }

    async fn set_up(&self) -> Result<()> {
        self.step(SetUpStep::PutProduction(PutProduction {
            title: "Large".to_owned(),
            code: "LRG".to_owned(),
            kind: ProductionKind::Film,
            status: ProductionStatus::Shooting,
            timezone: "Europe/London".to_owned(),
            currency: "GBP".to_owned(),
            fps: "25".to_owned(),
            start_date: None,
            wrap_date: None,
            four_eyes: false,
        }))
        .await?;
        for slug in DEPARTMENTS {
            let (name, colour, head) = (None, None, None);
            self.step(SetUpStep::PutDepartment(PutDepartment { slug: slug.to_owned(), name, colour, head })).await?;
        }
        Ok(())
    }

    async fn add_activity(&self, n_entries: usize) -> Result<()> {
        let progress = Progress::new("writing activity", n_entries);
        for turn in 0..n_entries {
            let status = if turn % 2 == 0 { ProductionStatus::Post } else { ProductionStatus::Shooting };
            self.step(SetUpStep::SetProductionStatus { status }).await?;
            progress.step();
        }
        Ok(())
    }

    async fn import(&self, kind: ImportKind, text: String) -> Result<()> {
        let order = ImportOrder {
            house: self.house,
            writer: Writer::Person { name: "benchmark".to_owned() },
            kind,
            bytes: bytes::Bytes::from(text),
            options: ImportOptions::default(),
            dry_run: false,
            idempotency: None,
        };
        let written = run(&self.bus, order, Deadline::after(IN_TIME), |_| {}).await;
        let written = written.map_err(|refusal| anyhow!("importing {kind}: {refusal} {:?}", refusal.members))?;
        ensure!(written.status == 201, "importing {kind} was answered {}", written.status);
        Ok(())
    }
}

/// A screenplay with numbered scenes of a dozen lines.
fn script(n_scenes: usize) -> Result<String> {
    let mut text = String::from("Title: LARGE\n\n");
    for scene in 1..=n_scenes {
        let set = scene % 150;
        write!(
            text,
            "INT. SET {set} - DAY #{scene}#\n\nA door opens. Somebody carries box {scene} across the room.\n\n"
        )?;
        for line in 0..4 {
            let speaker = char::from(b'A' + u8::try_from((scene + line) % 26)?);
            write!(text, "CHARACTER {speaker}\nThis is line {line} of scene {scene}, and it is not short.\n\n")?;
        }
    }
    Ok(text)
}

/// A breakdown: each asset stands in three scenes.
fn assets(size: OfficeSize) -> Result<String> {
    let mut text = String::from("code,name,kind,department,status,scenes,engagement,description\n");
    for asset in 0..size.n_assets {
        let (kind, department) = (KINDS[asset % KINDS.len()], DEPARTMENTS[asset % DEPARTMENTS.len()]);
        let status = STATUSES[asset / DEPARTMENTS.len() % STATUSES.len()];
        let [a, b, c] = [1, 7, 31].map(|step| asset * step % size.n_scenes + 1);
        let scenes = if a == b || b == c || a == c { a.to_string() } else { format!("{a};{b};{c}") };
        writeln!(text, "asset-{asset:05},Asset number {asset},{kind},{department},{status},{scenes},,Found in a box")?;
    }
    Ok(text)
}

/// Copies a house's records.
async fn copy(from: &dyn Store, to: &dyn Store, house: HouseId) -> Result<()> {
    let all = Key::all_of(house);
    let mut after: Option<Key> = None;
    loop {
        let limit = u32::try_from(MAX_COMMIT_OPS)?;
        let page = from.scan(&all, after.as_ref(), limit).await?;
        after = page.entries.last().map(|(key, _)| key.clone());
        let puts = page.entries.into_iter().map(|(key, found)| Op::put(key.path, found.value, Expect::Any));
        to.commit(house, puts.collect(), None).await.context("copy the production to the disk")?;
        if !page.more {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use playhouse_store::{Path as StorePath, system_clock};

    use super::*;

    #[tokio::test]
    async fn a_small_production_is_filled_with_what_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let size = OfficeSize { n_scenes: 40, n_assets: 90, n_activity: 30 };
        fill(folder.path(), size).await.unwrap();

        let mut settings = SledSettings::new(folder.path());
        settings.clock = system_clock();
        let disk = SledStore::open(settings).unwrap();
        let house = disk.partitions(None, 10).await.unwrap()[0];
        for (path, least) in
            [("office/scene", size.n_scenes), ("office/asset", size.n_assets), ("office_activity", size.n_activity)]
        {
            let folder = Key::new(house, StorePath::new(path).unwrap());
            let n_records = disk.scan(&folder, None, 1_000).await.unwrap().entries.len();
            assert!(n_records >= least, "{n_records} records under {path}");
        }
        disk.close().await.unwrap();
    }
}
