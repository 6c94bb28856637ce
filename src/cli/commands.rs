//! What each command does.

use std::path::PathBuf;

use anyhow::Context;
use tokio::io::AsyncWriteExt;

use super::{AccountCommand, Cli, Command, HouseCommand, KeyCommand, OwnerOptions, ToolCommand, TvCommand};
use super::{history, instances, print, production, proposals};
use crate::config::{Config, process_environment};
use crate::control::{AccountOrder, Controller, KeyOwner, Order, Transfer, TransferReply};
use crate::{boot, demo, docs, telemetry};

/// Does what was typed.
///
/// # Errors
/// What went wrong, for the operator, with what to do next.
pub async fn run(cli: Cli) -> anyhow::Result<()> {
    let json = cli.json;
    let config = || Config::load(cli.config.as_deref(), process_environment());
    match cli.command {
        // The demo has a configuration of its own, so that nothing from elsewhere can disturb it.
        Command::Demo(options) => demo::run(options).await,
        Command::Docs => print_docs(),
        Command::Serve => {
            let config = config()?;
            let exposition = telemetry::install(&config)?;
            boot::serve(config, exposition).await
        }
        Command::Check => {
            println!("{}", config()?.in_force()?);
            Ok(())
        }
        Command::House(command) => order(config()?, json, house_order(command)).await,
        Command::Key(command) => order(config()?, json, key_order(command)).await,
        Command::Account(command) => order(config()?, json, account_order(command)).await,
        Command::Tool(command) => order(config()?, json, tool_order(command)).await,
        Command::Instance(command) => order(config()?, json, instances::order(command)?).await,
        Command::Proposals(command) => order(config()?, json, proposals::order(command)).await,
        Command::History(command) => order(config()?, json, history::order(command)).await,
        Command::Tv(command) => order(config()?, json, tv_order(command)).await,
        Command::Production(command) => production::run(config()?, json, command).await,
        Command::ImportFile(command) => production::import(config()?, json, command).await,
        Command::Waitlist => order(config()?, json, Order::ListWaitlist {}).await,
        Command::Export { house, output } => export(config()?, house, output).await,
        Command::Import { file, replace } => import(config()?, file, replace).await,
    }
}

fn print_docs() -> anyhow::Result<()> {
    print!("{}", docs::markdown(&docs::all_tools()?));
    Ok(())
}

fn house_order(command: HouseCommand) -> Order {
    match command {
        HouseCommand::Create { name } => Order::CreateHouse { name },
        HouseCommand::List => Order::ListHouses {},
        HouseCommand::Rename { house, name } => Order::RenameHouse { house, name },
    }
}

fn key_order(command: KeyCommand) -> Order {
    match command {
        KeyCommand::Create { owner, label, scopes, tvs, account, engagement, expires } => {
            let scopes = if owner.operator {
                [playhouse_house::Scope::Operator].into_iter().collect()
            } else {
                scopes.into_iter().collect()
            };
            let owner = key_owner(owner);
            Order::CreateKey { owner, label, scopes, tvs, account, engagement, expires_at: expires }
        }
        KeyCommand::List { owner } => Order::ListKeys { owner: key_owner(owner) },
        KeyCommand::Revoke { owner, id } => Order::RevokeKey { owner: key_owner(owner), id },
    }
}

fn key_owner(options: OwnerOptions) -> KeyOwner {
    options.house.map_or(KeyOwner::Operator, KeyOwner::House)
}

fn account_order(command: AccountCommand) -> Order {
    Order::Account(match command {
        AccountCommand::Create { house, name, role } => AccountOrder::Create { house, name, role },
        AccountCommand::List { house } => AccountOrder::List { house },
        AccountCommand::Role { house, account, role } => AccountOrder::SetRole { house, account, role },
        AccountCommand::Remove { house, account } => AccountOrder::Remove { house, account },
    })
}

fn tool_order(command: ToolCommand) -> Order {
    match command {
        ToolCommand::List { house } => Order::ListTools { house },
        ToolCommand::Off { house, tool } => Order::SwitchTool { house, tool, enabled: false },
        ToolCommand::On { house, tool } => Order::SwitchTool { house, tool, enabled: true },
    }
}

fn tv_order(command: TvCommand) -> Order {
    match command {
        TvCommand::List { house } => Order::ListTvs { house },
        TvCommand::Rename { house, name, new_name } => Order::RenameTv { house, name, new_name },
        TvCommand::Token { house, name, label } => Order::CreateTvToken { house, name, label },
        TvCommand::RevokeTokens { house, name } => Order::RevokeTvTokens { house, name },
        TvCommand::Remove { house, name } => Order::RemoveTv { house, name },
    }
}

async fn order(config: Config, json: bool, order: Order) -> anyhow::Result<()> {
    let controller = Controller::of(config).await?;
    let reply = controller.order(order).await;
    // Closed also where the order was refused: what was committed has to be on the disk before the process ends.
    let closed = controller.close().await;
    let reply = reply?;
    closed?;
    if json {
        println!("{}", serde_json::to_string(&reply)?);
    } else {
        println!("{}", print::text(&reply));
    }
    Ok(())
}

async fn export(config: Config, house: Option<String>, output: Option<PathBuf>) -> anyhow::Result<()> {
    let controller = Controller::of(config).await?;
    let order = Transfer::Export { house };
    let done = match &output {
        None => controller.transfer(order, &mut tokio::io::empty(), &mut tokio::io::stdout()).await,
        Some(path) => {
            // Written beside its place and renamed at the end, so that a file with this name is always a whole export.
            let partial = path.with_extension("partial");
            let mut file = tokio::fs::File::create(&partial)
                .await
                .with_context(|| format!("cannot write {}", partial.display()))?;
            let done = controller.transfer(order, &mut tokio::io::empty(), &mut file).await;
            file.flush().await?;
            file.sync_all().await?;
            match &done {
                Ok(_) => tokio::fs::rename(&partial, path).await?,
                Err(_) => tokio::fs::remove_file(&partial).await?,
            }
            done
        }
    };
    let closed = controller.close().await;
    report("exported", &done?);
    closed?;
    Ok(())
}

async fn import(config: Config, path: PathBuf, replace: bool) -> anyhow::Result<()> {
    let mut file = tokio::fs::File::open(&path).await.with_context(|| format!("cannot read {}", path.display()))?;
    let controller = Controller::of(config).await?;
    let done = controller.transfer(Transfer::Import { replace }, &mut file, &mut tokio::io::sink()).await;
    let closed = controller.close().await;
    report("imported", &done?);
    closed?;
    Ok(())
}

fn report(what: &str, done: &TransferReply) {
    eprintln!("{what} {} house(s), {} record(s) and {} log entries", done.n_houses, done.n_records, done.n_log_entries);
}
