//! Sending a profile, once.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::settings::PutProfile;
use crate::settings::collection::{Collection, aside};
use crate::settings::connection::check_connection;
use crate::settings::exact::Exact;

impl Handle<PutProfile> for ArrActor {
    fn handle(&mut self, order: PutProfile, call: CallInfo) -> Answer<Self, Result<(), Unfinished>> {
        self.answer_change(call, |hands, deadline| async move { put(&hands, order, deadline).await })
    }
}

/// Sends the one PUT, in the lane for writes that the order's lease holds.
pub(super) async fn put(hands: &Hands, order: PutProfile, deadline: Deadline) -> Result<(), Unfinished> {
    let PutProfile { lease, connection, profile_id, body } = order;
    check_connection(hands, connection)?;
    let text = body.clone();
    let id = move || Exact::parse(text.as_str()).ok().and_then(|body| body.member("id")?.as_integer());
    // The service takes the id from the body and passes over that of the address, so that a difference would write another profile.
    if aside(body.n_bytes(), id).await? != Some(profile_id) {
        let words = format!("Nothing was sent: the object to be sent is not quality profile {profile_id}.");
        return Err(Unfinished::not_started(Code::ChangeRefused, words));
    }
    let path = format!("{}/{profile_id}", Collection::Profiles.path());
    let sent = hands
        .write_under(lease, deadline, || async {
            let sent = hands.client.put_settings(&path, body.as_str(), deadline).await;
            sent.map_err(|error| Unfinished::of_write(&format!("The change of quality profile {profile_id}"), error))
        })
        .await;
    if let Err(unfinished) = &sent {
        tracing::warn!(instance = %hands.instance.id, profile_id, %unfinished, "a change of a quality profile did not end well");
    }
    sent.map(drop)
}
