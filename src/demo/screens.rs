//! The demo's televisions: paired at the first run as a person would, and switched on again at the next.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use playhouse_standins::{OpTimes, SimulatedTv, StoredPairing, TvEvent};
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::household::{DemoTv, Household};
use crate::boot::Running;

/// The TVs of the house.
const NAMES: [&str; 2] = ["living-room", "bedroom"];
/// How long a TV may take to dial in; the app polls every two seconds.
const DIAL_DEADLINE: Duration = Duration::from_secs(20);

/// The TVs that are on. Dropping it switches them off.
pub(super) struct Screens {
    pub(super) household: Household,
    _tvs: Vec<SimulatedTv>,
}

/// Switches the TVs on, pairing those that are new, and waits until all have dialled in.
pub(super) async fn switch_on(running: &Running, folder: &Path, mut household: Household) -> anyhow::Result<Screens> {
    let relay: Url = format!("http://{}", running.address).parse()?;
    let mut tvs = Vec::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let known = household.tvs.iter().find(|tv| tv.name == name).map(|tv| tv.pairing.clone());
        let is_new = known.is_none();
        let tv = start(&relay, name, number as u64, known);
        if is_new {
            let paired = pair(&relay, &tv, name, household.admin_key()).await?;
            household.tvs.push(paired);
            household.save(folder)?;
        }
        tvs.push(tv);
    }
    for (tv, name) in tvs.iter().zip(NAMES) {
        tokio::time::timeout(DIAL_DEADLINE, tv.online()).await.with_context(|| {
            format!("the simulated TV `{name}` did not dial in; remove the demo's folder to start anew")
        })?;
    }
    Ok(Screens { household, _tvs: tvs })
}

fn start(relay: &Url, name: &'static str, seed: u64, known: Option<StoredPairing>) -> SimulatedTv {
    let builder = SimulatedTv::builder(relay.clone())
        .seed(seed)
        .op_times(OpTimes::like_a_television())
        .on_event(move |event| show(name, event));
    match known {
        Some(pairing) => builder.resume(pairing).start(),
        None => builder.start(),
    }
}

/// Types the code that the TV shows, as its owner would.
async fn pair(relay: &Url, tv: &SimulatedTv, name: &str, admin_key: &str) -> anyhow::Result<DemoTv> {
    #[derive(Deserialize)]
    struct Claimed {
        token: String,
    }
    let code = tokio::time::timeout(DIAL_DEADLINE, tv.code()).await.context("a simulated TV got no pairing code")?;
    let response = reqwest::Client::builder()
        .no_proxy()
        .build()?
        .post(relay.join("/pair/claim")?)
        .bearer_auth(admin_key)
        .json(&json!({ "code": code, "device_id": name }))
        .send()
        .await?;
    if !response.status().is_success() {
        bail!("pairing `{name}` was refused: {}", response.text().await?);
    }
    let Claimed { token } = response.json().await?;
    let mut pairing = tv.pairing().context("a simulated TV forgot its pairing")?;
    pairing.code = None;
    Ok(DemoTv { name: name.to_owned(), token, pairing })
}

/// Shows what a TV is asked and how it answers.
fn show(name: &str, event: &TvEvent) {
    match event {
        TvEvent::Asked(command) if !command.op.contains("probe") => {
            let params: Vec<String> = command.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            println!("  {name:<12} ◀ {} {}", command.op, params.join(" "));
        }
        TvEvent::Answered { op, ok: false, message, .. } if !op.contains("probe") => {
            println!("  {name:<12} ▶ {op}: {message}")
        }
        TvEvent::Online => println!("  {name:<12} is on"),
        TvEvent::ClosedByRelay { reason, .. } => println!("  {name:<12} was disconnected: {reason}"),
        _ => {}
    }
}
