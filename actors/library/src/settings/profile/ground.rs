//! What a change of a profile stands on: the stored profile, all custom formats, and the languages where they matter.

use playhouse_bus::Deadline;

use super::Profile;
use super::catalogue::{Formats, Languages, quoted};
use crate::Hands;
use crate::answer::{ArrFailure, Code};
use crate::service::Service;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::exact::Exact;
use crate::settings::{Digest, JsonText, hash};

/// How many profiles a refusal lists.
const MAX_LISTED: usize = 30;

/// One stored profile and the formats it refers to.
pub(super) struct Ground {
    /// As the service wrote it.
    pub(super) text: String,
    pub(super) value: Exact,
    pub(super) digest: Digest,
    pub(super) formats: Formats,
    pub(super) languages: Option<Languages>,
}

impl Ground {
    /// Reads the profile and the formats.
    pub(super) async fn read(hands: &Hands, profile_id: i64, deadline: Deadline) -> Result<Self, ArrFailure> {
        let profiles = Collection::Profiles.read(hands, deadline).await?;
        let formats = Collection::Formats.read(hands, deadline).await?;
        let work = move || Self::of(&profiles, &formats, profile_id);
        // Both lists are some tens of kilobytes at most households, so that asking for their length first would gain nothing.
        aside(usize::MAX, work).await?
    }

    /// The same from what was read.
    pub(super) fn of(profiles: &[String], formats: &[String], profile_id: i64) -> Result<Self, ArrFailure> {
        let (text, value) = find(profiles, profile_id)?;
        let digest = hash::of_profile(&value)
            .map_err(|odd| super::refused(format!("This quality profile cannot be changed from here: {odd}.")))?;
        Ok(Self { text, value, digest, formats: Formats::read(formats)?, languages: None })
    }

    /// Reads the catalogue of languages too.
    pub(super) async fn read_languages(&mut self, hands: &Hands, deadline: Deadline) -> Result<(), ArrFailure> {
        let texts = Collection::Languages.read(hands, deadline).await?;
        self.languages = Some(aside(n_bytes(&texts), move || Languages::read(&texts)).await??);
        Ok(())
    }

    /// The profile, where it is in order.
    pub(super) fn profile(&self, service: Service) -> Result<Profile, ArrFailure> {
        self.check(&self.value, service)
    }

    /// A state of the profile, where it is in order.
    pub(super) fn check(&self, value: &Exact, service: Service) -> Result<Profile, ArrFailure> {
        Profile::read(value, service, &self.formats)
            .map_err(|why| super::refused(format!("This quality profile cannot be changed from here: {why}.")))
    }

    /// The profile's name, as far as it has one.
    pub(super) fn name(&self) -> String {
        self.value.member("name").and_then(Exact::as_text).unwrap_or_default().to_owned()
    }

    /// The stored object.
    pub(super) fn stored(&self) -> JsonText {
        JsonText::of_checked(self.text.clone())
    }

    /// All that the profile depends on beside itself, with the languages if they were read.
    pub(super) fn dependencies(&self) -> Digest {
        hash::of_dependencies(self.formats.digest, self.languages.as_ref().map(|languages| languages.digest))
    }

    /// The same without them.
    pub(super) fn dependencies_without_languages(&self) -> Digest {
        hash::of_dependencies(self.formats.digest, None)
    }
}

/// The one profile of this id. Others that cannot be read are in nobody's way.
pub(super) fn find(profiles: &[String], profile_id: i64) -> Result<(String, Exact), ArrFailure> {
    let readable = profiles.iter().filter_map(|text| Some((text, Exact::parse(text).ok()?)));
    let mut others = Vec::new();
    let mut found = Vec::new();
    for (text, value) in readable {
        match value.member("id").and_then(Exact::as_integer) {
            Some(id) if id == profile_id => found.push((text.clone(), value)),
            Some(id) => {
                let name = value.member("name").and_then(Exact::as_text).unwrap_or_default();
                others.push(format!("{id} ({})", quoted(name)));
            }
            None => {}
        }
    }
    if found.len() > 1 {
        let words = format!("Two quality profiles have the id {profile_id}.");
        return Err(ArrFailure::unproven(Code::UpstreamBody, words));
    }
    found.pop().ok_or_else(|| missing(profile_id, &others))
}

fn missing(profile_id: i64, others: &[String]) -> ArrFailure {
    let there_are = match others.len() {
        0 => "There are none.".to_owned(),
        n if n > MAX_LISTED => format!("There are {} and {} more.", others[..MAX_LISTED].join(", "), n - MAX_LISTED),
        _ => format!("There are {}.", others.join(", ")),
    };
    ArrFailure::refused(Code::ObjectMissing, format!("There is no quality profile {profile_id}. {there_are}"))
}
