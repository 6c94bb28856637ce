//! The HTML of `/claim`. All text goes through maud, which escapes it.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use maud::{DOCTYPE, Markup, html};
use playhouse_tv::{ClaimedTv, DEVICE_NAME_PATTERN};

use super::claim::Field;
use super::client_lines::{ClientLine, client_lines};

/// Nothing is loaded but the page's own style and script, and its form goes nowhere else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// How long a browser may keep style and script.
const ASSETS_FRESH_FOR: &str = "public, max-age=3600";

/// What the visitor has typed so far. The key is never shown back.
#[derive(Default)]
pub(super) struct Entered<'a> {
    /// The code.
    pub(super) code: &'a str,
    /// The name.
    pub(super) name: &'a str,
    /// Whether the TV was connected before.
    pub(super) again: bool,
}

/// What went wrong with the form.
pub(super) struct Notice<'a> {
    /// In words.
    pub(super) text: &'a str,
    /// The field it is about.
    pub(super) field: Option<Field>,
}

/// The form.
pub(super) fn form(
    status: StatusCode,
    entered: &Entered<'_>,
    notice: Option<&Notice<'_>>,
    open_pairing: bool,
) -> HttpResponse {
    let is_wrong = |field| notice.is_some_and(|notice| notice.field == Some(field)).then_some("true");
    let described_by = |field| is_wrong(field).map(|_| "notice");
    // The code is there already when the page was opened by the QR code; the cursor goes where there is something to do.
    let (code_first, name_first) = (entered.code.is_empty(), !entered.code.is_empty());
    respond(
        status,
        &html! {
            h1 { "Connect your TV" }
            @if let Some(notice) = notice {
                p id="notice" role="alert" { (notice.text) }
            }
            form method="post" action="/claim" autocomplete="off" {
                label for="code" { "Code on the TV" }
                input id="code" name="code" value=(entered.code) inputmode="numeric" autocomplete="one-time-code" required
                    placeholder="1234 5678" maxlength="20" autofocus[code_first]
                    aria-invalid=[is_wrong(Field::Code)] aria-describedby=[described_by(Field::Code)];
                label for="device_id" { "Name of the TV" }
                input id="device_id" name="device_id" value=(entered.name) pattern=(form_pattern()) maxlength="64"
                    placeholder="living-room" autocapitalize="none" spellcheck="false" autofocus[name_first]
                    title="1 to 32 of a-z, 0-9 and -, starting with a letter or a digit"
                    aria-invalid=[is_wrong(Field::Name)] aria-describedby=[described_by(Field::Name)];
                p class="hint" { "Small letters, digits and dashes. Left empty, the TV gets the next free name." }
                label for="key" { @if open_pairing { "Key of your house (optional)" } @else { "Key of your house" } }
                input id="key" name="key" type="password" autocomplete="off" required[!open_pairing] placeholder="ph_…"
                    aria-invalid=[is_wrong(Field::Key)] aria-describedby=[described_by(Field::Key)];
                p class="hint" {
                    @if open_pairing {
                        "With a key that may administer your house, the TV goes into it. Without one, it gets a house of its own."
                    } @else {
                        "A key that may administer your house (scope house:admin). Whoever runs this relay made it for you."
                    }
                }
                label class="tick" {
                    input type="checkbox" name="again" value="yes" checked[entered.again];
                    span { "This TV was connected before under this name, and its app was reset. It stays the same TV (needs the key)." }
                }
                button type="submit" { "Connect" }
            }
        },
    )
}

/// The browser's own check takes the whole value anyway.
fn form_pattern() -> &'static str {
    DEVICE_NAME_PATTERN.trim_start_matches('^').trim_end_matches('$')
}

/// The TV is connected: the assistant's token, this once.
pub(super) fn claimed(claimed: &ClaimedTv, mcp_url: &str) -> HttpResponse {
    let token = claimed.token.reveal();
    respond(
        StatusCode::OK,
        &html! {
            h1 { "Your TV is connected" }
            p { "It is called " strong { (claimed.name) } " in " strong { (claimed.house_name) } ". The TV goes on by itself in a moment." }
            p class="once" { "This token lets an assistant steer this TV. It is shown only now: copy it before you leave this page." }
            h2 { "Token" }
            (copyable(token))
            h2 { "Address for assistants" }
            (copyable(mcp_url))
            h2 { "Ready-made lines" }
            @for ClientLine { client, place, text } in client_lines(mcp_url, token) {
                details {
                    summary { (client) }
                    p class="hint" { (place) ":" }
                    (copyable(&text))
                }
            }
            script src="/claim/copy.js" defer {}
        },
    )
}

/// A text to copy. Without scripts, it is selected by hand.
fn copyable(text: &str) -> Markup {
    html! { pre data-copy { (text) } }
}

fn respond(status: StatusCode, body: &Markup) -> HttpResponse {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { "Connect your TV · Playhouse" }
                link rel="stylesheet" href="/claim/style.css";
            }
            body { main { (body) } }
        }
    };
    HttpResponse::build(status)
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((X_FRAME_OPTIONS, "DENY"))
        .body(page.into_string())
}

pub(super) async fn style() -> HttpResponse {
    asset("text/css; charset=utf-8", include_str!("claim.css"))
}

pub(super) async fn script() -> HttpResponse {
    asset("text/javascript; charset=utf-8", include_str!("claim.js"))
}

fn asset(media_type: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((CACHE_CONTROL, ASSETS_FRESH_FOR))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(text)
}
