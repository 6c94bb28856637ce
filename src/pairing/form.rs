//! `/claim`: the page that a phone opens from the TV's QR code. Plain forms; it works without scripts.
//!
//! The page has no cookies, so another site cannot act in a visitor's name. What it could do is spend the visitor's guesses, which is
//! why browsers that say that a form came from elsewhere are refused.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER};
use actix_web::web::{Data, Payload, Query};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use serde::Deserialize;

use super::PairingServices;
use super::claim::{ClaimOrder, ClaimRefusal, Field, claim_tv};
use super::page::{self, Entered, Notice};
use crate::http::{Refusal, small_body};

/// The longest code that is shown back; a code is eight digits and some spaces.
const MAX_SHOWN_CODE_CHARS: usize = 20;

/// The longest name that is shown back.
const MAX_SHOWN_NAME_CHARS: usize = 64;

/// The query of the QR code's link.
#[derive(Deserialize)]
pub(super) struct FromQrCode {
    #[serde(default)]
    code: String,
}

/// Shows the form. It claims nothing: links are opened by previews and scanners too.
pub(super) async fn show(query: Option<Query<FromQrCode>>, services: Data<PairingServices>) -> HttpResponse {
    let code: String = query.map(|query| query.into_inner().code).unwrap_or_default();
    let code: String = code.chars().take(MAX_SHOWN_CODE_CHARS).collect();
    page::form(StatusCode::OK, &Entered { code: &code, ..Entered::default() }, None, services.open_pairing)
}

/// The form's fields.
#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    code: String,
    #[serde(default)]
    device_id: String,
    #[serde(default)]
    key: String,
    /// A ticked box sends its value, one that is not sends nothing.
    #[serde(default)]
    again: Option<String>,
}

/// Claims, and shows the assistant's token or the form again.
pub(super) async fn submit(request: HttpRequest, payload: Payload, services: Data<PairingServices>) -> HttpResponse {
    let client = services.limits.client_of(&request);
    let nothing_entered = Entered::default();
    let show_refusal = |refusal: &Refusal, entered: &Entered<'_>, field: Option<Field>| {
        let notice = Notice { text: &refusal.to_string(), field };
        let mut response = page::form(refusal.status_code(), entered, Some(&notice), services.open_pairing);
        if let Some(wait) = refusal.error_response().headers().get(RETRY_AFTER) {
            response.headers_mut().insert(RETRY_AFTER, wait.clone());
        }
        response
    };
    if let Err(too_many) = services.limits.pair_claim.check(client) {
        return show_refusal(&too_many.into(), &nothing_entered, None);
    }
    let fields = match read_form(&request, payload).await {
        Ok(fields) => fields,
        Err(refusal) => return show_refusal(&refusal, &nothing_entered, None),
    };
    let key = Some(fields.key.trim()).filter(|key| !key.is_empty());
    let order = ClaimOrder { code: &fields.code, name: Some(&fields.device_id), again: fields.again.is_some(), key };
    match claim_tv(&services, client, order).await {
        Ok(claimed) => page::claimed(&claimed, &services.mcp_url),
        Err(refusal) => {
            let field = refusal.field();
            let code: String = fields.code.chars().take(MAX_SHOWN_CODE_CHARS).collect();
            let name: String = fields.device_id.chars().take(MAX_SHOWN_NAME_CHARS).collect();
            show_refusal(
                &in_words(refusal),
                &Entered { code: &code, name: &name, again: fields.again.is_some() },
                field,
            )
        }
    }
}

/// On a page, beside its field, a fault needs no field name in front.
fn in_words(refusal: ClaimRefusal) -> Refusal {
    match refusal {
        ClaimRefusal::Code(_) | ClaimRefusal::Name(_) => {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.to_string())
        }
        other => other.into(),
    }
}

async fn read_form(request: &HttpRequest, payload: Payload) -> Result<Fields, Refusal> {
    let site = request.headers().get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "This form was sent from another site. Open this page and try again.",
        ));
    }
    let declared = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        let words = "This address takes the form of this page; programs use POST /pair/claim.";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    let body = small_body(request, payload).await?;
    let text = std::str::from_utf8(&body).ok();
    let fields = text.and_then(|text| Query::<Fields>::from_query(text).ok());
    let unreadable = || Refusal::new(StatusCode::BAD_REQUEST, "The form could not be read. Fill it in again.");
    fields.map(Query::into_inner).ok_or_else(unreadable)
}
