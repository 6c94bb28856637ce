//! The operator's way in: orders of the command line, carried out by the process that has the data folder.
//!
//! sled lets one process have a folder. So `playhouse house create` and its like ask the running server over a socket in the data folder,
//! and open the folder themselves when no server runs. Either way the same [`perform`] does it. Who can reach the socket could read the
//! folder anyway, so the rights of the folder are the rights of the operator.

mod accounts;
mod client;
mod history;
mod instances;
mod orders;
mod pick;
mod production;
mod proposals;
mod socket;
mod transfer;

pub use accounts::AccountOrder;
pub use client::{ControlError, Controller};
pub use history::HistoryOrder;
pub use instances::{InstanceOrder, InstanceReply};
pub use orders::{KeyOwner, Order, OrderReply, ToolState, TvSummary, perform};
pub(crate) use production::set_up;
pub use production::{
    OpenedEngagement, OpenedProduction, ProductionFile, ProductionOrder, ProductionReply, PurgedFile,
};
pub use proposals::ProposalOrder;
pub use socket::{ControlSocket, SOCKET_NAME};
pub use transfer::{Transfer, TransferReply};
