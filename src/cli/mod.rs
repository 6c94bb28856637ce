//! The command line: what can be typed, and what is printed.

mod commands;
mod history;
mod instances;
mod print;
mod production;
mod proposals;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use jiff::Timestamp;
use playhouse_house::{CredentialId, EngagementId, Role, Scope};

pub use commands::run;
pub use history::HistoryCommand;
pub use instances::InstanceCommand;
pub use production::{ImportCommand, ProductionCommand};
pub use proposals::ProposalCommand;

/// One hosted service through which AI assistants run a household's TVs, media libraries and production office.
#[derive(Debug, Parser)]
#[command(name = "playhouse", version, arg_required_else_help = true)]
pub struct Cli {
    /// The configuration file (TOML). Every key can also be set in the environment: PLAYHOUSE_SERVER_LISTEN is `listen` of `[server]`.
    #[arg(long, short, global = true, value_name = "FILE", env = "PLAYHOUSE_CONFIG")]
    pub config: Option<PathBuf>,

    /// Print answers as JSON.
    #[arg(long, global = true)]
    pub json: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve until told to stop (SIGTERM or Ctrl-C).
    Serve,
    /// Start a working house with simulated TVs, and say what to type next.
    Demo(DemoOptions),
    /// Check the configuration and print what is in force.
    Check,
    /// Open, list and rename houses.
    #[command(subcommand)]
    House(HouseCommand),
    /// Make, list and revoke keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Make, list and change the accounts of a house's people.
    #[command(subcommand)]
    Account(AccountCommand),
    /// List the tools of a house, and switch them off and on.
    #[command(subcommand)]
    Tool(ToolCommand),
    /// Add, test, list and change media libraries (Radarr, Sonarr, Lidarr, Chaptarr).
    #[command(subcommand)]
    Instance(InstanceCommand),
    /// Show and decide the proposed changes of quality profiles.
    #[command(subcommand)]
    Proposals(ProposalCommand),
    /// Show what was changed in libraries' settings, and put a quality profile back.
    #[command(subcommand)]
    History(HistoryCommand),
    /// List, rename and remove paired TVs.
    #[command(subcommand)]
    Tv(TvCommand),
    /// Set productions up, and remove files of theirs.
    #[command(subcommand)]
    Production(ProductionCommand),
    /// Import files into a production.
    #[command(flatten)]
    ImportFile(ImportCommand),
    /// Print the waitlist.
    Waitlist,
    /// Write everything, or one house, as JSON lines. Works while the server runs.
    Export {
        /// Only this house (id or name).
        #[arg(long)]
        house: Option<String>,
        /// Where to; standard output if absent.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Read what `export` wrote. Works while the server runs.
    Import {
        /// The file.
        file: PathBuf,
        /// Replace houses that are there already, with everything they have.
        #[arg(long)]
        replace: bool,
    },
    /// Print the documentation of all tools (Markdown).
    Docs,
}

/// Options of the demo.
#[derive(Debug, Clone, Args)]
pub struct DemoOptions {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// The folder it lives in. Run again with the same folder, the house is still there.
    #[arg(long, default_value = "playhouse-demo", value_name = "DIR")]
    pub data: PathBuf,
    /// Write addresses and keys to this file as JSON once all is ready, for scripts.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

/// What can be done with houses.
#[derive(Debug, Subcommand)]
pub enum HouseCommand {
    /// Open a house.
    Create {
        /// Its name.
        name: String,
    },
    /// List all houses.
    List,
    /// Rename a house.
    Rename {
        /// Its id or name.
        house: String,
        /// The new name.
        name: String,
    },
}

/// Whose keys a command is about.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct OwnerOptions {
    /// The house, by id or name.
    #[arg(long)]
    pub house: Option<String>,
    /// The operator's own keys.
    #[arg(long)]
    pub operator: bool,
}

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a key. It is printed once and cannot be shown again.
    Create {
        /// Whose.
        #[command(flatten)]
        owner: OwnerOptions,
        /// What you call it.
        #[arg(long)]
        label: String,
        /// What it may do; repeat for more. An operator's key has the scope `operator` and no other.
        #[arg(long = "scope", value_name = "SCOPE", required_unless_present = "operator", conflicts_with = "operator")]
        scopes: Vec<Scope>,
        /// Only this TV; repeat for more. All TVs if absent.
        #[arg(long = "tv", value_name = "NAME", conflicts_with = "operator")]
        tvs: Vec<String>,
        /// The person it belongs to, by id or name. A key of nobody acts as an admin.
        #[arg(long, value_name = "ACCOUNT", conflicts_with = "operator")]
        account: Option<String>,
        /// Bind it to this engagement of the house's production, by number.
        #[arg(long, value_name = "ID", conflicts_with = "operator")]
        engagement: Option<EngagementId>,
        /// When it ends, such as 2027-01-31T00:00:00Z. Never if absent.
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
    },
    /// List keys and TV tokens.
    List {
        /// Whose.
        #[command(flatten)]
        owner: OwnerOptions,
    },
    /// Revoke a key or a TV token. It is refused from the very next call on.
    Revoke {
        /// Whose.
        #[command(flatten)]
        owner: OwnerOptions,
        /// Its id: the ten characters between the underscores.
        id: CredentialId,
    },
}

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Make an account.
    Create {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// What the house calls this person.
        name: String,
        /// What they may do: admin or user.
        #[arg(long, default_value = "user")]
        role: Role,
    },
    /// List a house's accounts.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
    },
    /// Give a person another role, from their very next call on.
    Role {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The account, by id or name.
        account: String,
        /// admin or user.
        role: Role,
    },
    /// Remove an account. Its keys are refused from the very next call on.
    Remove {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The account, by id or name.
        account: String,
    },
}

/// What can be done with tools.
#[derive(Debug, Subcommand)]
pub enum ToolCommand {
    /// List all tools, with those that are switched off in a house.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
    },
    /// Switch a tool off for everybody of a house, from the very next call on.
    Off {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The tool's name.
        tool: String,
    },
    /// Switch a tool on again.
    On {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The tool's name.
        tool: String,
    },
}

/// What can be done with TVs.
#[derive(Debug, Subcommand)]
pub enum TvCommand {
    /// List a house's TVs.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
    },
    /// Rename a TV.
    Rename {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its name.
        name: String,
        /// The new name.
        new_name: String,
    },
    /// Make one more assistant's token for a TV. It is printed once.
    Token {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The TV's name.
        name: String,
        /// What you call the token.
        #[arg(long)]
        label: String,
    },
    /// Revoke all assistants' tokens of a TV. The TV itself stays paired and connected.
    RevokeTokens {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The TV's name.
        name: String,
    },
    /// Remove a TV and revoke its tokens. Somebody has to pair it again on the spot.
    Remove {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its name.
        name: String,
    },
}
