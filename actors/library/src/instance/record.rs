//! What is kept of an arr instance, and what lists show of it.

use jiff::Timestamp;
use playhouse_house::{AccountId, Sealed};
use playhouse_store::{Path, Record};
use serde::{Deserialize, Serialize};

use super::InstanceId;
use crate::client::BaseUrl;
use crate::service::Service;

/// What is kept of one instance. `Debug` shows neither its address nor its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceRecord {
    /// Its id, which says its service too.
    pub id: InstanceId,
    /// What the house calls it.
    pub name: String,
    /// Where it is.
    pub base_url: BaseUrl,
    /// Its API key, sealed to this record of this house.
    pub api_key: Sealed,
    /// Its place among those of its service; the lowest is first.
    pub sort_order: i32,
    /// Whether calls that name no instance of its service go to it. At most one of a service has the flag.
    pub is_flagged_default: bool,
    /// The accounts that were granted it.
    pub granted_to: Vec<AccountId>,
    /// When it was added.
    pub added_at: Timestamp,
}

impl Record for InstanceRecord {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "arr_instance";
}

/// Where a house keeps its instances; [`instance_path`] names one of them.
pub(crate) const INSTANCES: Path = Path::literal("arr");

/// Where the instance `id` lies in its house.
pub fn instance_path(id: InstanceId) -> Path {
    INSTANCES.join(id).expect("an id is lower-case letters, digits and a hyphen, which is a segment")
}

/// An instance as tools and their answers know it: never its address, never its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceSummary {
    /// Its id.
    pub id: InstanceId,
    /// Its service.
    pub service: Service,
    /// What the house calls it.
    pub name: String,
    /// Whether calls that name no instance of its service go to it.
    pub is_default: bool,
    /// Its place among those of its service.
    pub sort_order: i32,
}

impl InstanceSummary {
    /// How answers name it: `Radarr instance "4K"`.
    pub fn title(&self) -> String {
        title(self.service, &self.name)
    }
}

/// How answers name an instance: `Radarr instance "4K"`.
pub(crate) fn title(service: Service, name: &str) -> String {
    format!("{service} instance \"{name}\"")
}

impl Service {
    /// Whether an instance of this service can be flagged as the default. Where not, the first by its place is the default: books and
    /// music are granted to people one by one, and a flag would say nothing to those it is not granted to.
    pub const fn has_default_flag(self) -> bool {
        match self {
            Service::Radarr | Service::Sonarr => true,
            Service::Lidarr | Service::Chaptarr => false,
        }
    }
}

/// The instances as lists show them: by service, place, name and id, with the default of each service marked.
pub(crate) fn summaries(records: &[InstanceRecord]) -> Vec<InstanceSummary> {
    let mut records: Vec<&InstanceRecord> = records.iter().collect();
    records.sort_by(|one, other| {
        let key = |record: &InstanceRecord| (record.id.service(), record.sort_order);
        key(one).cmp(&key(other)).then_with(|| one.name.cmp(&other.name)).then_with(|| one.id.cmp(&other.id))
    });
    let default_of = |service: Service| {
        let mut of_service = records.iter().filter(|record| record.id.service() == service);
        let first = of_service.clone().next();
        of_service.find(|record| record.is_flagged_default).or(first).map(|record| record.id)
    };
    let defaults = Service::ALL.map(default_of);
    records
        .iter()
        .map(|record| InstanceSummary {
            id: record.id,
            service: record.id.service(),
            name: record.name.clone(),
            is_default: defaults.contains(&Some(record.id)),
            sort_order: record.sort_order,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use playhouse_bus::HouseId;
    use playhouse_house::Sealer;

    use super::*;

    fn record(id: &str, name: &str, sort_order: i32, is_flagged_default: bool) -> InstanceRecord {
        let id: InstanceId = id.parse().unwrap();
        InstanceRecord {
            id,
            name: name.to_owned(),
            base_url: BaseUrl::parse("http://films.home.arpa:7878").unwrap(),
            api_key: Sealer::random().seal(HouseId::INSTANCE, &instance_path(id), &"0123456789abcdef".into()),
            sort_order,
            is_flagged_default,
            granted_to: Vec::new(),
            added_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn shown(records: &[InstanceRecord]) -> Vec<(String, bool)> {
        summaries(records).into_iter().map(|summary| (summary.id.to_string(), summary.is_default)).collect()
    }

    #[test]
    fn case_7_without_a_flag_the_first_by_place_then_name_then_id_is_the_default() {
        let records = [
            record("radarr-00000003", "B", 1, false),
            record("radarr-00000002", "A", 1, false),
            record("radarr-00000001", "A", 1, false),
            record("radarr-00000004", "Z", 0, false),
        ];
        let order = |records: &[InstanceRecord]| shown(records).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(order(&records), ["radarr-00000004", "radarr-00000001", "radarr-00000002", "radarr-00000003"]);
        assert_eq!(shown(&records)[0], ("radarr-00000004".to_owned(), true));
        assert_eq!(shown(&records[..3])[0], ("radarr-00000001".to_owned(), true));
    }

    #[test]
    fn a_flag_makes_the_default_and_each_service_has_one() {
        let records = [
            record("radarr-00000001", "First", 0, false),
            record("radarr-00000002", "Flagged", 9, true),
            record("sonarr-00000003", "Series", 0, false),
        ];
        let defaults: Vec<String> =
            shown(&records).into_iter().filter(|(_, is_default)| *is_default).map(|(id, _)| id).collect();
        assert_eq!(defaults, ["radarr-00000002", "sonarr-00000003"]);
    }

    #[test]
    fn a_record_prints_neither_address_nor_key() {
        let printed = format!("{:?}", record("radarr-00000001", "Films", 0, false));
        assert!(!printed.contains("home.arpa") && !printed.contains("0123456789"), "{printed}");
        assert!(
            !serde_json::to_string(&record("radarr-00000001", "Films", 0, false)).unwrap().contains("0123456789abcdef")
        );
    }
}
