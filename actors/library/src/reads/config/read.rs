//! Reads one section of a service's settings.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Config, ConfigEntry, ConfigSection, MAX_ENTRIES, summary};
use crate::answer::ArrFailure;
use crate::client::{ArrError, ArrFault, Patience};
use crate::{ArrActor, Hands};

/// Reads one section of the settings. What is secret in it does not leave the actor.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadConfig {
    /// Which.
    pub section: ConfigSection,
}

impl Message for ReadConfig {
    type Actor = ArrActor;
    type Reply = Result<Config, ArrFailure>;
}

impl Handle<ReadConfig> for ArrActor {
    fn handle(&mut self, message: ReadConfig, call: CallInfo) -> Answer<Self, Result<Config, ArrFailure>> {
        self.answer_read(|hands| async move {
            let (hands, deadline) = (&hands, call.deadline);
            match message.section {
                ConfigSection::Indexers => list(hands, message.section, summary::indexer, deadline).await,
                ConfigSection::DelayProfiles => list(hands, message.section, summary::delay_profile, deadline).await,
                ConfigSection::ReleaseProfiles => {
                    list(hands, message.section, summary::release_profile, deadline).await
                }
                ConfigSection::DownloadClients => {
                    list(hands, message.section, summary::download_client, deadline).await
                }
                ConfigSection::RemotePathMappings => {
                    list(hands, message.section, summary::remote_path_mapping, deadline).await
                }
            }
        })
    }
}

async fn list<T: DeserializeOwned + Send + 'static>(
    hands: &Hands,
    section: ConfigSection,
    summarise: fn(&T) -> ConfigEntry,
    deadline: Deadline,
) -> Result<Config, ArrFailure> {
    match hands.client.read_list::<T>(section.path(), &[], Patience::Quick30s, deadline).await {
        Ok(read) => {
            let n_more = read.items.len().saturating_sub(MAX_ENTRIES);
            let entries = read.items.iter().take(MAX_ENTRIES).map(summarise).collect();
            Ok(Config { entries, n_more, n_skipped: read.n_skipped, exists: true })
        }
        Err(ArrError { fault: ArrFault::NotFound, .. }) => {
            Ok(Config { entries: Vec::new(), n_more: 0, n_skipped: 0, exists: false })
        }
        Err(error) => Err(error.into()),
    }
}
