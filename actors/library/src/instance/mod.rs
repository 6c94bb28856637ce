//! The arr instances of a house: which there are, what they are called, who may use them, and how to reach them.
//!
//! [`InstancesActor`] is the only writer of these records. It tests a connection before it keeps it, seals the API key, commits, has
//! the instance's [`ArrActor`](crate::ArrActor) read its record anew, and only then answers: an edit holds for the very next call, and a
//! removed instance is unknown to it.

mod actor;
mod changes;
mod choose;
mod connection;
mod id;
mod messages;
mod record;
#[cfg(test)]
mod tests;

pub use actor::{InstancesActor, InstancesServices};
pub use choose::{ChooseRefusal, Chosen, choose, choose_among_all, choose_to_write};
pub use connection::{Connected, ConnectionFault};
pub use id::{InstanceId, NotAnInstanceId};
pub use messages::{
    AddInstance, EditInstance, GrantInstance, InstanceDetails, InstancesError, KeptInstance, KeyText,
    ListInstanceDetails, ListInstances, MAX_GRANTS, MAX_INSTANCES_A_HOUSE, RemoveInstance, SetDefaultInstance,
    TestConnection, UrlFault,
};
pub(crate) use record::title;
pub use record::{InstanceRecord, InstanceSummary, instance_path};
