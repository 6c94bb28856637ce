//! Reading the profiles of an instance.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::ground::find;
use super::{Languages, ProfileSummary};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::ArrFailure;
use crate::service::Service;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::exact::Exact;
use crate::settings::{JsonText, PlannedLanguage};

/// Reads all profiles in a few words each.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadProfiles {
    /// Whether the languages are read too. Only Radarr and Sonarr have any that profiles or formats look at.
    pub(crate) with_languages: bool,
}

/// The profiles of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProfileList {
    /// In the service's order.
    pub(crate) profiles: Vec<ProfileSummary>,
    /// Those of a shape that this version does not know.
    pub(crate) unreadable_ids: Vec<i64>,
    /// Those of which not even the id can be read.
    pub(crate) n_without_id: usize,
    /// By ascending id; `None` where they were not asked for, or the service has none that matter.
    pub(crate) languages: Option<Vec<PlannedLanguage>>,
}

/// Reads one profile as the service stores it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadProfile {
    /// Its id. One that is not there is refused with those there are.
    pub(crate) profile_id: i64,
}

/// A stored object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredObject {
    /// What it is called.
    pub(crate) name: String,
    /// To the byte as the service wrote it.
    pub(crate) json: JsonText,
    /// Whether a program that reads its numbers as doubles has it whole.
    pub(crate) survives_doubles: bool,
}

impl Message for ReadProfiles {
    type Actor = ArrActor;
    type Reply = Result<ProfileList, ArrFailure>;
}

impl Message for ReadProfile {
    type Actor = ArrActor;
    type Reply = Result<StoredObject, ArrFailure>;
}

impl Handle<ReadProfiles> for ArrActor {
    fn handle(&mut self, order: ReadProfiles, call: CallInfo) -> Answer<Self, Result<ProfileList, ArrFailure>> {
        self.answer_read(|hands| async move { read_all(&hands, order.with_languages, call.deadline).await })
    }
}

impl Handle<ReadProfile> for ArrActor {
    fn handle(&mut self, order: ReadProfile, call: CallInfo) -> Answer<Self, Result<StoredObject, ArrFailure>> {
        self.answer_read(|hands| async move { read_one(&hands, order.profile_id, call.deadline).await })
    }
}

pub(super) async fn read_all(
    hands: &Hands,
    with_languages: bool,
    deadline: Deadline,
) -> Result<ProfileList, ArrFailure> {
    let texts = Collection::Profiles.read(hands, deadline).await?;
    let mut list = aside(n_bytes(&texts), move || summarise(&texts)).await?;
    if with_languages && matches!(hands.service, Service::Radarr | Service::Sonarr) {
        let texts = Collection::Languages.read(hands, deadline).await?;
        list.languages = Some(aside(n_bytes(&texts), move || Languages::read(&texts)).await??.all);
    }
    Ok(list)
}

/// One that cannot be read leaves the others.
fn summarise(texts: &[String]) -> ProfileList {
    let mut list = ProfileList { profiles: Vec::new(), unreadable_ids: Vec::new(), n_without_id: 0, languages: None };
    for text in texts {
        let profile = Exact::parse(text).ok();
        let summary = profile.as_ref().and_then(ProfileSummary::of);
        match (summary, profile.as_ref().and_then(|profile| profile.member("id")?.as_integer())) {
            (Some(summary), _) => list.profiles.push(summary),
            (None, Some(id)) => list.unreadable_ids.push(id),
            (None, None) => list.n_without_id += 1,
        }
    }
    list
}

pub(super) async fn read_one(hands: &Hands, profile_id: i64, deadline: Deadline) -> Result<StoredObject, ArrFailure> {
    let texts = Collection::Profiles.read(hands, deadline).await?;
    aside(n_bytes(&texts), move || {
        let (text, value) = find(&texts, profile_id)?;
        let name = value.member("name").and_then(Exact::as_text).unwrap_or_default().to_owned();
        Ok(StoredObject { name, json: JsonText::of_checked(text), survives_doubles: value.survives_doubles() })
    })
    .await?
}
