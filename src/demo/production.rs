//! The demo's second house: the production office of Kestrel, a series in the middle of its shoot.
//!
//! Made once, by the importers that everybody uses: the white draft, the blue one over it, the tables, the cut. Kept in a file beside the
//! store, so that the next run finds the same house and keys.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use bytes::Bytes;
use playhouse_bus::{Deadline, HouseId};
use playhouse_house::{EngagementId, Scope, Scopes};
use playhouse_production::Writer;
use playhouse_production::import::{self, EpisodeChoice, ImportOptions, ImportOrder};
use playhouse_production::kestrel::{KestrelFile, kestrel};
use playhouse_production::messages::SetUpStep;
use serde::{Deserialize, Serialize};

use super::household::order;
use super::private_file;
use crate::boot::Running;
use crate::control::{KeyOwner, Order, OrderReply, set_up};

/// The file, within the demo's folder.
const FILE: &str = "production.json";
/// The house's name.
const NAME: &str = "Kestrel";
/// The engagement that the vendor's key is bound to.
const ENGAGEMENT: &str = "NLT-101";
/// Who brings the files in, as the activity list has it.
const COORDINATOR: &str = "Demo";
/// How long one file may take.
const IMPORT_DEADLINE: Duration = Duration::from_secs(60);

/// What the demo remembers of the production's house.
#[derive(Serialize, Deserialize)]
pub(super) struct Studio {
    /// The house's id.
    pub(super) house: String,
    /// The house's name.
    pub(super) name: String,
    /// The house's keys.
    pub(super) keys: Vec<StudioKey>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StudioKey {
    pub(super) label: String,
    pub(super) key: String,
    pub(super) scopes: Scopes,
    /// The number of the engagement it is bound to.
    pub(super) engagement: Option<EngagementId>,
}

/// Finds the production's house of an earlier run, or makes it.
pub(super) async fn open(running: &Running, folder: &Path) -> anyhow::Result<Studio> {
    let path = folder.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| {
            format!("{} cannot be read; remove the folder {} to start anew", path.display(), folder.display())
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let studio = make(running).await.context("the demo's production could not be set up")?;
            private_file::write(&path, &studio).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(studio)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

async fn make(running: &Running) -> anyhow::Result<Studio> {
    let OrderReply::House(house) = order(running, Order::CreateHouse { name: NAME.to_owned() }).await? else {
        bail!("opening a house did not answer a house");
    };
    let kestrel = kestrel()?;
    steps(running, house.id, kestrel.before).await?;
    for file in &kestrel.files {
        bring_in(running, house.id, file).await.with_context(|| file.filename)?;
    }
    let engagement = steps(running, house.id, kestrel.after).await?;
    let engagement = engagement.with_context(|| format!("Kestrel has no engagement {ENGAGEMENT}"))?;

    let owner = KeyOwner::House(house.id.to_string());
    let keys: [(&str, &[Scope], Option<EngagementId>); 3] = [
        ("production office", &[Scope::Read, Scope::Write, Scope::SubmitTurnover], None),
        ("Northlight pipeline", &[Scope::Read, Scope::SubmitTurnover], Some(engagement)),
        ("production accountant", &[Scope::Read, Scope::ReadMoney], None),
    ];
    let mut studio = Studio { house: house.id.to_string(), name: house.name, keys: Vec::new() };
    for (label, scopes, engagement) in keys {
        studio.keys.push(make_key(running, owner.clone(), label, Scopes::of(scopes), engagement).await?);
    }
    Ok(studio)
}

/// Takes the steps; answers the number of [`ENGAGEMENT`] if one of them was about it.
async fn steps(running: &Running, house: HouseId, steps: Vec<SetUpStep>) -> anyhow::Result<Option<EngagementId>> {
    let mut engagement = None;
    for step in steps {
        let is_ours = matches!(&step, SetUpStep::PutEngagement(put) if put.code == ENGAGEMENT);
        let number = set_up(&running.instance, house, step).await.map_err(|refusal| anyhow!("{refusal}"))?;
        if is_ours {
            engagement = Some(EngagementId(number));
        }
    }
    Ok(engagement)
}

async fn bring_in(running: &Running, house: HouseId, file: &KestrelFile) -> anyhow::Result<()> {
    let options = ImportOptions {
        episode: file.episode.map(EpisodeChoice::Number),
        colour: file.colour.map(str::to_owned),
        dated: file.dated,
        delivery: file.delivery.map(str::to_owned),
        pattern: None,
    };
    let order = ImportOrder {
        house,
        writer: Writer::Person { name: COORDINATOR.to_owned() },
        kind: file.kind,
        bytes: Bytes::from_static(file.bytes),
        options,
        dry_run: false,
        idempotency: None,
    };
    import::run(&running.instance.bus, order, Deadline::after(IMPORT_DEADLINE), |_| {})
        .await
        .map_err(|refusal| anyhow!("{refusal}"))?;
    Ok(())
}

async fn make_key(
    running: &Running,
    owner: KeyOwner,
    label: &str,
    scopes: Scopes,
    engagement: Option<EngagementId>,
) -> anyhow::Result<StudioKey> {
    let label = label.to_owned();
    let (tvs, account, expires_at) = (Vec::new(), None, None);
    let order_key = Order::CreateKey { owner, label: label.clone(), scopes, tvs, account, engagement, expires_at };
    match order(running, order_key).await? {
        OrderReply::NewKey(created) => {
            Ok(StudioKey { label, key: created.plain.reveal().to_owned(), scopes: created.summary.scopes, engagement })
        }
        _ => bail!("making a key did not answer a key"),
    }
}
