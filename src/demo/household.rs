//! The demo's household: made once, through the operator's own orders, and kept in a file beside the store.

use std::path::Path;

use anyhow::{Context, bail};
use playhouse_house::{Scope, Scopes};
use playhouse_standins::StoredPairing;
use serde::{Deserialize, Serialize};

use super::private_file;
use crate::boot::Running;
use crate::control::{KeyOwner, Order, OrderReply, perform};

/// The file, within the demo's folder.
const FILE: &str = "household.json";
/// The household's name.
const NAME: &str = "Demo household";
/// The keys of the household: what they are called and what they may do.
const KEYS: [(&str, &[Scope]); 5] = [
    ("assistant", &[Scope::Tv]),
    ("house admin", &[Scope::Tv, Scope::HouseAdmin]),
    // For seeing a refusal: it opens the house and reaches no TV.
    ("no TVs", &[Scope::Media]),
    ("library admin", &[Scope::MediaAdmin]),
    // For seeing the other refusal: it may ask for titles and operates no library.
    ("library guest", &[Scope::Media]),
];

/// What the demo remembers between runs. It holds keys in the clear, which only a demo may do; the file is its owner's alone.
#[derive(Serialize, Deserialize)]
pub(super) struct Household {
    /// The house's id.
    pub(super) house: String,
    /// The house's name.
    pub(super) name: String,
    /// The operator's key.
    pub(super) operator_key: String,
    /// The house's keys.
    pub(super) keys: Vec<DemoKey>,
    /// The TVs, once they are paired.
    #[serde(default)]
    pub(super) tvs: Vec<DemoTv>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DemoKey {
    pub(super) label: String,
    pub(super) key: String,
    pub(super) scopes: Scopes,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DemoTv {
    pub(super) name: String,
    /// The assistant's token for this TV.
    pub(super) token: String,
    /// What the TV's app has stored.
    pub(super) pairing: StoredPairing,
}

impl Household {
    /// The key with that label.
    pub(super) fn key(&self, label: &str) -> &str {
        self.keys.iter().find(|key| key.label == label).map_or("", |key| &key.key)
    }

    /// The key that assistants are given.
    pub(super) fn assistant_key(&self) -> &str {
        self.key(KEYS[0].0)
    }

    /// The key that operates the media libraries.
    pub(super) fn library_key(&self) -> &str {
        self.key(KEYS[3].0)
    }

    /// The key that pairs TVs.
    pub(super) fn admin_key(&self) -> &str {
        self.key(KEYS[1].0)
    }

    /// Writes what is to be remembered, whole or not at all.
    pub(super) fn save(&self, folder: &Path) -> anyhow::Result<()> {
        let path = folder.join(FILE);
        private_file::write(&path, self).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Finds the household of an earlier run, or makes it.
pub(super) async fn open(running: &Running, folder: &Path) -> anyhow::Result<Household> {
    let path = folder.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => {
            let household = serde_json::from_slice(&bytes).with_context(|| {
                format!("{} cannot be read; remove the folder {} to start anew", path.display(), folder.display())
            })?;
            with_new_keys(running, folder, household).await
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let household = make(running).await?;
            household.save(folder)?;
            Ok(household)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Makes the keys that an earlier version of the demo did not have yet.
async fn with_new_keys(running: &Running, folder: &Path, mut household: Household) -> anyhow::Result<Household> {
    let owner = KeyOwner::House(household.house.clone());
    let missing = KEYS.into_iter().filter(|(label, _)| household.key(label).is_empty()).collect::<Vec<_>>();
    for (label, scopes) in &missing {
        household.keys.push(make_key(running, owner.clone(), label, Scopes::of(scopes)).await?);
    }
    if !missing.is_empty() {
        household.save(folder)?;
    }
    Ok(household)
}

async fn make(running: &Running) -> anyhow::Result<Household> {
    let OrderReply::House(house) = order(running, Order::CreateHouse { name: NAME.to_owned() }).await? else {
        bail!("opening a house did not answer a house");
    };
    let owner = KeyOwner::House(house.id.to_string());
    let mut keys = Vec::new();
    for (label, scopes) in KEYS {
        keys.push(make_key(running, owner.clone(), label, Scopes::of(scopes)).await?);
    }
    let operator = make_key(running, KeyOwner::Operator, "demo operator", Scopes::of(&[Scope::Operator])).await?;
    Ok(Household { house: house.id.to_string(), name: house.name, operator_key: operator.key, keys, tvs: Vec::new() })
}

async fn make_key(running: &Running, owner: KeyOwner, label: &str, scopes: Scopes) -> anyhow::Result<DemoKey> {
    let order_key = Order::CreateKey {
        owner,
        label: label.to_owned(),
        scopes,
        tvs: Vec::new(),
        account: None,
        engagement: None,
        expires_at: None,
    };
    match order(running, order_key).await? {
        OrderReply::NewKey(created) => Ok(DemoKey {
            label: label.to_owned(),
            key: created.plain.reveal().to_owned(),
            scopes: created.summary.scopes,
        }),
        _ => bail!("making a key did not answer a key"),
    }
}

pub(super) async fn order(running: &Running, order: Order) -> anyhow::Result<OrderReply> {
    perform(&running.instance, order).await.map_err(anyhow::Error::msg)
}
