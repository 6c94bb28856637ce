//! Prepares a production with an open turnover in a data folder that no server has open yet.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use playhouse::config::Config;
use playhouse::control::{KeyOwner, Order, OrderReply, perform};
use playhouse::instance::Instance;
use playhouse_bus::{Deadline, HouseId};
use playhouse_house::{Scope, Scopes};
use playhouse_production::ProductionActor;
use playhouse_production::import::{self, ImportOptions, ImportOrder};
use playhouse_production::kestrel::kestrel;
use playhouse_production::messages::{SetUp, Writer};
use playhouse_production::model::ImportKind;

const PATIENCE: Duration = Duration::from_secs(30);

/// Who submits, and to what.
pub(crate) struct OpenTurnover {
    pub(crate) key: String,
    pub(crate) id: u32,
}

/// Opens a house with the Kestrel show's deliveries in `data`, and closes it again.
pub(crate) async fn prepare(data: &Path) -> Result<OpenTurnover> {
    let data = data.to_owned();
    // The actors live on actix threads, and this one is tokio's.
    let prepared = tokio::task::spawn_blocking(|| actix_web::rt::System::new().block_on(open_turnover(data)));
    prepared.await?
}

async fn open_turnover(data: PathBuf) -> Result<OpenTurnover> {
    let mut config = Config::default();
    config.data.folder = data;
    let instance = Instance::open(config).await?;
    let said = |error: String| anyhow!(error);
    let house = match perform(&instance, Order::CreateHouse { name: "Kestrel".to_owned() }).await.map_err(said)? {
        OrderReply::House(house) => house.id,
        _ => return Err(anyhow!("no house was opened")),
    };
    let kestrel = kestrel()?;
    for step in kestrel.before {
        let order = SetUp { by: "bench".to_owned(), step };
        instance.bus.call(ProductionActor::key(house), order, Deadline::after(PATIENCE)).await??;
    }
    let deliveries = kestrel.files.iter().find(|file| file.kind == ImportKind::Deliveries).context("no deliveries")?;
    let order = ImportOrder {
        house,
        writer: Writer::System,
        kind: deliveries.kind,
        bytes: deliveries.bytes.into(),
        options: ImportOptions::default(),
        dry_run: false,
        idempotency: None,
    };
    import::run(&instance.bus, order, Deadline::after(PATIENCE), |_| {}).await?;
    let key = key(&instance, house).await?;
    instance.close().await.map_err(said)?;
    // The first delivery of the sheet is the creature turnover.
    Ok(OpenTurnover { key, id: 1 })
}

async fn key(instance: &Instance, house: HouseId) -> Result<String> {
    let order = Order::CreateKey {
        owner: KeyOwner::House(house.to_string()),
        label: "bench".to_owned(),
        scopes: Scopes::of(&[Scope::SubmitTurnover]),
        tvs: vec![],
        account: None,
        engagement: None,
        expires_at: None,
    };
    match perform(instance, order).await.map_err(|error| anyhow!(error))? {
        OrderReply::NewKey(created) => Ok(created.plain.reveal().to_owned()),
        _ => Err(anyhow!("no key was made")),
    }
}
