//! The demo's media libraries: a Radarr, a Sonarr, a Lidarr and a Chaptarr on loopback, lived in for a while, with downloads on their way and
//! downloads that are stuck.
//!
//! They are made anew at each run, on other ports, so what was healed is stuck again; the house keeps its libraries and their ids, and is
//! told the new addresses.

use anyhow::{Context, bail};
use playhouse_library::Service;
use playhouse_library::instance::{InstanceDetails, KeyText};
use playhouse_standins::{ArrKind, ArrSettings, ArrStandin};

use super::household::{Household, order};
use crate::boot::Running;
use crate::control::{InstanceOrder, InstanceReply, Order, OrderReply};

/// The libraries: the application, and what the house calls it.
const LIBRARIES: [(ArrKind, Service, &str); 4] = [
    (ArrKind::Radarr, Service::Radarr, "Films"),
    (ArrKind::Sonarr, Service::Sonarr, "Series"),
    (ArrKind::Lidarr, Service::Lidarr, "Music"),
    (ArrKind::Chaptarr, Service::Chaptarr, "Books"),
];

/// The applications that are up. Dropping them ends them.
pub(super) struct Libraries {
    _applications: Vec<ArrStandin>,
}

/// Starts the four applications and tells the house where they are.
pub(super) async fn open(running: &Running, household: &Household) -> anyhow::Result<Libraries> {
    let house = &household.house;
    let list = order(running, Order::Instance(InstanceOrder::List { house: house.clone() })).await?;
    let OrderReply::Instance(InstanceReply::All(known)) = list else {
        bail!("listing libraries did not answer a list")
    };
    let mut applications = Vec::new();
    for (kind, service, name) in LIBRARIES {
        // Commands and downloads take their time, as in a house.
        let settings = ArrSettings { follows_the_clock: true, ..ArrSettings::default() };
        let application = ArrStandin::demo_with(kind, settings);
        let place = place_of(house, &known, service, name, &application);
        order(running, Order::Instance(place))
            .await
            .with_context(|| format!("the demo's {service} did not come up"))?;
        applications.push(application);
    }
    Ok(Libraries { _applications: applications })
}

/// Tells where the application is: to the library of that name from an earlier run, or to a new one.
fn place_of(
    house: &str,
    known: &[InstanceDetails],
    service: Service,
    name: &str,
    application: &ArrStandin,
) -> InstanceOrder {
    let (house, url, api_key) = (house.to_owned(), application.url().to_string(), KeyText::from(application.api_key()));
    let of_before = known.iter().find(|details| details.summary.service == service && details.summary.name == name);
    match of_before {
        Some(details) => InstanceOrder::Edit {
            house,
            instance: details.summary.id.to_string(),
            name: None,
            url: Some(url),
            api_key: Some(api_key),
            sort_order: None,
        },
        None => {
            InstanceOrder::Add { house, service, name: name.to_owned(), url, api_key, sort_order: 0, is_default: true }
        }
    }
}
