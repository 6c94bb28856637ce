//! `playhouse instance …`: the media libraries of a house, as typed and as printed.

use anyhow::{Context, bail};
use clap::Subcommand;
use playhouse_library::Service;
use playhouse_library::instance::{InstanceDetails, KeyText};

use super::print::table;
use crate::control::{InstanceOrder, InstanceReply, Order};

/// What can be done with media libraries. They are named by id or, where it is unambiguous, by name.
#[derive(Debug, Subcommand)]
pub enum InstanceCommand {
    /// Add a library once its connection was tested.
    Add {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// What it is: radarr, sonarr, lidarr or chaptarr.
        #[arg(value_parser = service)]
        service: Service,
        /// What the house calls it.
        name: String,
        /// Where it is, such as http://192.168.1.10:7878.
        url: String,
        /// Its API key, from its Settings, General. Better given in the variable, where other users of the machine do not see it.
        #[arg(
            long,
            env = "ARR_API_KEY",
            hide_env_values = true,
            value_name = "KEY",
            required_unless_present = "api_key_from_env"
        )]
        api_key: Option<KeyText>,
        /// Take its API key from this environment variable instead, whatever the other one holds.
        #[arg(long, value_name = "VAR")]
        api_key_from_env: Option<String>,
        /// Its place among those of its service; the lowest is first.
        #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
        sort_order: i32,
        /// Make it the default of its service.
        #[arg(long)]
        default: bool,
    },
    /// List a house's libraries.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
    },
    /// Change a library. What is not named stays; a new address or key is tested first.
    Edit {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its id or name.
        instance: String,
        /// Its new name.
        #[arg(long)]
        name: Option<String>,
        /// Its new address.
        #[arg(long)]
        url: Option<String>,
        /// Its new API key. Not taken from ARR_API_KEY, which may hold another library's; other users of the machine see it while this runs, so
        /// --api-key-from-env is better.
        #[arg(long, value_name = "KEY")]
        api_key: Option<KeyText>,
        /// Take its new API key from this environment variable.
        #[arg(long, value_name = "VAR", conflicts_with = "api_key")]
        api_key_from_env: Option<String>,
        /// Its new place.
        #[arg(long, allow_negative_numbers = true)]
        sort_order: Option<i32>,
    },
    /// Test a library's connection.
    Test {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its id or name.
        instance: String,
    },
    /// Remove a library with its key and its grants. It is unknown from the very next call on.
    Remove {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its id or name.
        instance: String,
    },
    /// Make a library the default of its service.
    Default {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its id or name.
        instance: String,
    },
    /// Grant a library to an account.
    Grant {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The library's id or name.
        instance: String,
        /// The account's id or name.
        account: String,
    },
    /// Take a grant back.
    Revoke {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The library's id or name.
        instance: String,
        /// The account's id or name.
        account: String,
    },
}

fn service(text: &str) -> Result<Service, String> {
    Service::of_key(text).ok_or_else(|| {
        "the services are radarr, sonarr, lidarr and chaptarr; a Readarr is given as chaptarr".to_owned()
    })
}

/// The order behind a command.
///
/// # Errors
/// That the variable which a key is to be taken from holds none.
pub(super) fn order(command: InstanceCommand) -> anyhow::Result<Order> {
    Ok(Order::Instance(match command {
        InstanceCommand::Add { house, service, name, url, api_key, api_key_from_env, sort_order, default } => {
            let api_key = key(api_key, api_key_from_env.as_deref())?.context("the API key is missing")?;
            InstanceOrder::Add { house, service, name, url, api_key, sort_order, is_default: default }
        }
        InstanceCommand::List { house } => InstanceOrder::List { house },
        InstanceCommand::Edit { house, instance, name, url, api_key, api_key_from_env, sort_order } => {
            let api_key = key(api_key, api_key_from_env.as_deref())?;
            InstanceOrder::Edit { house, instance, name, url, api_key, sort_order }
        }
        InstanceCommand::Test { house, instance } => InstanceOrder::Test { house, instance },
        InstanceCommand::Remove { house, instance } => InstanceOrder::Remove { house, instance },
        InstanceCommand::Default { house, instance } => InstanceOrder::SetDefault { house, instance },
        InstanceCommand::Grant { house, instance, account } => {
            InstanceOrder::Grant { house, instance, account, granted: true }
        }
        InstanceCommand::Revoke { house, instance, account } => {
            InstanceOrder::Grant { house, instance, account, granted: false }
        }
    }))
}

/// The key as it was typed, or out of the variable that was named for it. A blank one would mean the key that is kept, which nobody names a
/// variable for.
fn key(typed: Option<KeyText>, variable: Option<&str>) -> anyhow::Result<Option<KeyText>> {
    let Some(variable) = variable else { return Ok(typed) };
    let found = std::env::var(variable).ok().and_then(|text| KeyText::from(text).unless_blank());
    match found {
        Some(key) => Ok(Some(key)),
        None => {
            bail!("the environment variable {variable} holds no API key; set it, and name it without a dollar sign")
        }
    }
}

/// The answer in lines for a terminal.
pub(super) fn text(reply: &InstanceReply) -> String {
    match reply {
        InstanceReply::Kept(kept) => {
            let tested = kept
                .connected
                .as_ref()
                .map(|connected| format!("\nconnection tested: {} {} answers", connected.app_name, connected.version));
            table([row(&kept.details)]) + &tested.unwrap_or_default()
        }
        InstanceReply::One(details) => table([row(details)]),
        InstanceReply::All(all) if all.is_empty() => "no libraries; `playhouse instance add` adds one".to_owned(),
        InstanceReply::All(all) => table(all.iter().map(row)),
        InstanceReply::Connected(connected) => format!("{} {} answers", connected.app_name, connected.version),
        InstanceReply::Removed(details) => format!("{} is removed", details.summary.id),
    }
}

fn row(details: &InstanceDetails) -> Vec<String> {
    let summary = &details.summary;
    let default = if summary.is_default { "default" } else { "" };
    let granted = match details.granted_to.len() {
        0 => String::new(),
        1 => "granted to 1 account".to_owned(),
        n_accounts => format!("granted to {n_accounts} accounts"),
    };
    vec![summary.id.to_string(), summary.name.clone(), details.base_url.clone(), default.to_owned(), granted]
}
