//! The names under which somebody's doings are kept. They are copied when it is done: a later change of a name changes no history.

use playhouse_house::{Account, AccountId, Credential, CredentialId, account_path, credential_path};
use playhouse_store::{Key, StoreError, read};

use crate::clean;
use crate::desk::Desk;
use crate::{Caller, ChangeSource, Decider, Origin};

/// Somebody who does something, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Who {
    pub(crate) account: Option<AccountId>,
    pub(crate) credential: Option<CredentialId>,
    /// The account's name, else which key it was.
    pub(crate) name: String,
    /// What the key is called: its holder's own word for a program, and nothing that was checked.
    pub(crate) label: Option<String>,
}

impl Who {
    /// Who calls a tool.
    pub(crate) async fn calls(desk: &Desk, caller: &Caller) -> Result<Self, StoreError> {
        if caller.origin == Origin::Internal {
            return Ok(Self { account: None, credential: None, name: "Playhouse".to_owned(), label: None });
        }
        Self::of(desk, caller.principal.credential, caller.principal.account()).await
    }

    /// Who decides or restores.
    pub(crate) async fn decides(desk: &Desk, decider: &Decider) -> Result<Self, StoreError> {
        match decider {
            Decider::Operator => {
                let name = "the operator (command line)".to_owned();
                Ok(Self { account: None, credential: None, name, label: None })
            }
            Decider::Key { credential } => {
                let current = desk.services.key_ring.current(*credential, desk.now());
                let account = current.ok().and_then(|principal| principal.account());
                Self::of(desk, *credential, account).await
            }
        }
    }

    async fn of(desk: &Desk, credential: CredentialId, account: Option<AccountId>) -> Result<Self, StoreError> {
        let store = &*desk.services.store;
        let kept = read::<Credential>(store, &Key::new(desk.house, credential_path(credential))).await?;
        let label = clean::label(&kept.map(|(credential, _)| credential.label).unwrap_or_default());
        let label = if label.is_empty() { credential.to_string() } else { label };
        let person = match account {
            None => None,
            Some(account) => read::<Account>(store, &Key::new(desk.house, account_path(account))).await?,
        };
        let name = match person {
            Some((person, _)) => clean::clean(&person.name),
            None => format!("the key \"{label}\""),
        };
        Ok(Self { account, credential: Some(credential), name, label: Some(label) })
    }

    /// By which assistant a proposal comes: `MCP: <label of the key>`.
    pub(crate) fn source_client(&self) -> Option<String> {
        self.label.as_ref().map(|label| format!("MCP: {label}"))
    }
}

/// By which way a change of a tool's caller comes.
pub(crate) const fn source_of(origin: &Origin) -> ChangeSource {
    match origin {
        Origin::ExternalMcp => ChangeSource::ExternalMcp,
        Origin::Chat(_) => ChangeSource::AiChat,
        Origin::Internal => ChangeSource::System,
    }
}
