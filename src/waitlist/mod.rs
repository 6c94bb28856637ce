//! `POST /waitlist`: who would like to be let in.
//!
//! The answer never tells whether an address was known already: known and new ones get the same status and body, and take the same
//! way through the actor, one durable write included.

mod actor;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use garde::Validate;
use playhouse_bus::{Bus, Deadline};
use serde::Deserialize;
use serde_json::json;

pub use actor::{
    EmailAddress, JoinWaitlist, ListWaitlist, WaitlistActor, WaitlistEntry, WaitlistError, WaitlistPage,
    WaitlistServices,
};

use crate::http::method_not_allowed;
use crate::http::{FieldError, Refusal, small_json};
use crate::limits::Limits;

/// How long joining may take: one durable write.
const JOIN_DEADLINE: Duration = Duration::from_secs(10);

/// What the waiting list's door works with.
#[derive(Clone)]
pub struct WaitlistDoor {
    /// The way to the actors.
    pub bus: Bus,
    /// How often one address may come.
    pub limits: Arc<Limits>,
}

/// Adds the door.
pub fn routes(door: WaitlistDoor) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config.app_data(Data::new(door)).service(
            web::resource("/waitlist")
                .route(web::post().to(join))
                .default_service(web::to(|| async { method_not_allowed("POST") })),
        );
    }
}

/// What an applicant sends.
#[derive(Deserialize, Validate)]
#[serde(deny_unknown_fields)]
struct Application {
    #[garde(length(bytes, max = 254), email)]
    email: String,
    #[garde(length(chars, max = 80), custom(printable))]
    #[serde(default)]
    name: Option<String>,
    #[garde(length(chars, max = 1_000))]
    #[serde(default)]
    note: Option<String>,
}

async fn join(request: HttpRequest, payload: Payload, door: Data<WaitlistDoor>) -> Result<HttpResponse, Refusal> {
    door.limits.waitlist.check(door.limits.client_of(&request))?;
    let mut application: Application = small_json(&request, payload).await?;
    tidy(&mut application);
    application.validate().map_err(|report| {
        let errors =
            report.iter().map(|(path, error)| FieldError { field: path.to_string(), message: error.to_string() });
        Refusal::Fields(errors.collect())
    })?;
    let Application { email, name, note } = application;
    let order = JoinWaitlist { email: EmailAddress::normalise(&email), name, note };
    door.bus.call(WaitlistActor::KEY, order, Deadline::after(JOIN_DEADLINE)).await??;
    let answer = json!({ "message": "Thank you. You will hear from the operator of this instance." });
    Ok(HttpResponse::Accepted().insert_header((CACHE_CONTROL, "no-store")).json(answer))
}

/// Takes off what people leave round their words; an empty field is no field.
fn tidy(application: &mut Application) {
    application.email = application.email.trim().to_owned();
    for field in [&mut application.name, &mut application.note] {
        *field = field.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    }
}

fn printable(name: &Option<String>, _: &()) -> garde::Result {
    match name {
        Some(name) if name.chars().any(char::is_control) => Err(garde::Error::new("holds control characters")),
        _ => Ok(()),
    }
}
