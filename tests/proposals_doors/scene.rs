//! A house with a Radarr, an assistant that proposes and an admin who decides.

use playhouse_house::Clock;
use playhouse_standins::{ArrKind, ArrStandin, Library};
use serde_json::{Value, json};

use crate::common::library::LibraryHouse;
use crate::common::{Answer, Town};

/// The profile that everything is about; Radarr's stand-in calls it `HD-1080p`.
pub(crate) const PROFILE: u32 = 4;

pub(crate) struct Scene {
    pub(crate) house: LibraryHouse,
    pub(crate) arr: ArrStandin,
    /// The library's id.
    pub(crate) library: String,
    /// The profile as it was in the beginning.
    pub(crate) before: Value,
}

impl Scene {
    pub(crate) async fn set() -> Self {
        Self::set_in(Town::start().await).await
    }

    /// With a clock that the test owns.
    pub(crate) async fn set_at(clock: Clock) -> Self {
        Self::set_in(Town::start_at(clock).await).await
    }

    async fn set_in(town: Town) -> Self {
        let house = LibraryHouse::in_town(town).await;
        let arr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
        let library = house.add(&arr, "Films").await;
        let before = profile(&arr);
        Self { house, arr, library, before }
    }

    pub(crate) fn town(&self) -> &Town {
        &self.house.town
    }

    /// Proposes that upgrades are switched off and that no more than `cutoff_format_score` is sought, as an assistant does; answers the proposal.
    pub(crate) async fn propose(&self, cutoff_format_score: i32) -> Value {
        let changes = json!({ "upgrade_allowed": false, "cutoff_format_score": cutoff_format_score });
        let arguments = json!({ "service": "radarr", "profile_id": PROFILE, "changes": changes });
        self.house.ask("preview_profile_change", arguments).await["proposal"].clone()
    }

    /// A request to an address for admins.
    pub(crate) async fn rest(&self, method: &str, path: &str) -> Answer {
        self.town().rest(&self.house.admin, method, path, None).await
    }

    pub(crate) async fn approve(&self, proposal: &Value) -> Answer {
        self.rest("POST", &format!("/v1/proposals/{}/approve", proposal["id"])).await
    }

    pub(crate) async fn reject(&self, proposal: &Value, note: &str) -> Answer {
        let path = format!("/v1/proposals/{}/reject", proposal["id"]);
        self.town().rest(&self.house.admin, "POST", &path, Some(json!({ "note": note }))).await
    }

    /// What became of a proposal.
    pub(crate) async fn shown(&self, proposal: &Value) -> Value {
        let answer = self.rest("GET", &format!("/v1/proposals/{}", proposal["id"])).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// Proposes and approves; answers the number of the change.
    pub(crate) async fn change(&self, cutoff_format_score: i32) -> u64 {
        let proposal = self.propose(cutoff_format_score).await;
        let approved = self.approve(&proposal).await;
        assert_eq!(approved.status, 200, "{approved:?}");
        approved.json()["setting_change_id"].as_u64().unwrap()
    }

    pub(crate) async fn restore(&self, change: u64) -> Answer {
        self.rest("POST", &format!("/v1/configuration-history/{change}/restore")).await
    }

    /// One change with how the library compares with it now.
    pub(crate) async fn compared(&self, change: u64) -> Value {
        let answer = self.rest("GET", &format!("/v1/configuration-history/{change}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// The profile as it is.
    pub(crate) fn profile(&self) -> Value {
        profile(&self.arr)
    }

    /// How many changes of settings arrived at the application.
    pub(crate) fn n_writes(&self) -> usize {
        self.arr.n_settings_writes().n_all()
    }
}

fn profile(arr: &ArrStandin) -> Value {
    arr.profiles().into_iter().find(|profile| profile["id"] == PROFILE).unwrap()
}

/// Status and words of a refusal.
pub(crate) fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["detail"].as_str().unwrap_or_else(|| panic!("no refusal: {answer:?}")).to_owned())
}
