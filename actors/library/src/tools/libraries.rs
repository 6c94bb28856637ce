//! The libraries of the calling house: choosing among them and asking their actors.

use playhouse_bus::Message;
use playhouse_tools::{Failure, ToolCall};

use crate::ArrActor;
use crate::answer::{ArrFailure, Unfinished};
use crate::instance::{
    ChooseRefusal, Chosen, InstanceSummary, InstancesActor, ListInstances, choose, choose_among_all, choose_to_write,
};
use crate::service::Service;

/// The libraries of the calling house, as they are at this call.
pub struct Libraries {
    instances: Vec<InstanceSummary>,
}

impl Libraries {
    /// Asks which there are.
    ///
    /// # Errors
    /// That they could not be listed.
    pub async fn of(call: &ToolCall) -> Result<Self, Failure> {
        let listed = call.bus.call(InstancesActor::key(call.principal.house), ListInstances {}, call.deadline).await?;
        Ok(Self { instances: listed })
    }

    /// All of them, by service, place, name and id.
    pub fn all(&self) -> &[InstanceSummary] {
        &self.instances
    }

    /// The library of `service` that a read is about.
    ///
    /// # Errors
    /// Why none was chosen; nothing may be sent then.
    pub fn to_read(&self, service: Service, asked: Option<&str>) -> Result<Chosen, ChooseRefusal> {
        choose(&self.instances, service, asked, None)
    }

    /// The library of whichever service that `asked` names.
    ///
    /// # Errors
    /// As [`Libraries::to_read`].
    pub fn of_any_service(&self, asked: &str) -> Result<&InstanceSummary, ChooseRefusal> {
        choose_among_all(&self.instances, asked)
    }

    /// The library of `service` that a change is about.
    ///
    /// # Errors
    /// As [`Libraries::to_read`].
    pub fn to_write(&self, service: Service, asked: Option<&str>) -> Result<Chosen, ChooseRefusal> {
        choose_to_write(&self.instances, service, asked, None)
    }
}

/// Has the instance's actor answer a read.
///
/// # Errors
/// What the actor says, or that it could not be asked.
pub async fn ask<M, T>(call: &ToolCall, instance: &InstanceSummary, message: M) -> Result<T, ArrFailure>
where
    M: Message<Actor = ArrActor, Reply = Result<T, ArrFailure>>,
{
    call.bus.call(ArrActor::key(call.principal.house, instance.id), message, call.deadline).await?
}

/// Has the instance's actor make a change.
///
/// # Errors
/// What is known of the change, as the actor or the bus says it.
pub async fn ask_to_write<M, T>(call: &ToolCall, instance: &InstanceSummary, message: M) -> Result<T, Unfinished>
where
    M: Message<Actor = ArrActor, Reply = Result<T, Unfinished>>,
{
    call.bus.call(ArrActor::key(call.principal.house, instance.id), message, call.deadline).await?
}
