//! The page `/claim`, as a phone's browser sees it.

use jiff::Timestamp;
use playhouse_house::{CredentialUse, UsedVia};
use reqwest::{RequestBuilder, StatusCode};
use serde_json::json;

use crate::instance::{Instance, Operator, sent};

fn form(instance: &Instance, body: String) -> RequestBuilder {
    instance.post("/claim").header("content-type", "application/x-www-form-urlencoded").body(body)
}

/// Status and page; what holds for every page is checked on the way.
async fn page_of(request: RequestBuilder) -> (StatusCode, String) {
    let response = sent(request).await;
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(response.headers()[name], value);
    }
    let policy = response.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(!response.headers().contains_key("set-cookie"));
    (response.status(), response.text().await.unwrap())
}

#[actix_web::test]
async fn the_qr_codes_link_fills_the_code_in_and_claims_nothing() {
    let instance = Instance::with(Operator { open_pairing: true, ..Operator::default() }).await;
    let (code, token) = instance.init().await;
    let (status, page) = page_of(instance.get(&format!("/claim?code={code}"))).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains(&format!(r#"value="{code}""#)), "{page}");
    assert_eq!(instance.poll(&token).await, 401);
    assert_eq!(page_of(instance.get("/claim")).await.0, StatusCode::OK);
}

#[actix_web::test]
async fn a_phone_claims_with_a_plain_form_and_sees_the_token_once() {
    let instance = Instance::with(Operator { open_pairing: true, ..Operator::default() }).await;
    let (code, token) = instance.init().await;
    let body = format!("code={}+{}&device_id=den&key=", &code[..4], &code[4..]);
    let (status, page) = page_of(form(&instance, body.clone())).await;
    assert_eq!(status, StatusCode::OK);
    let shown = page.split("pht_").nth(1).map(|rest| format!("pht_{}", &rest[..60])).unwrap();
    let check = instance.key_ring.check(&shown, CredentialUse::Assistant, UsedVia::Mcp, Timestamp::UNIX_EPOCH);
    assert!(check.is_ok(), "{page}");
    assert!(page.contains("claude mcp add") && page.contains("http://127.0.0.1/mcp"), "{page}");
    assert!(!page.contains(&token), "the bridge's token is the TV's own");

    let (status, page) = page_of(form(&instance, body)).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(!page.contains("pht_"), "{page}");
}

#[actix_web::test]
async fn where_a_key_is_needed_the_form_asks_for_it_and_never_shows_it_back() {
    let instance = Instance::start().await;
    let (code, _) = instance.init().await;
    assert!(page_of(instance.get("/claim")).await.1.contains("house:admin"));
    let (status, page) = page_of(form(&instance, format!("code={code}"))).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(page.contains(&format!(r#"value="{code}""#)), "what was typed is still there: {page}");
    let (status, page) = page_of(form(&instance, format!("code=12&key={}", instance.admin))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!page.contains(&instance.admin));
    let body = format!("code={code}&key={}", instance.admin);
    assert_eq!(page_of(form(&instance, body)).await.0, StatusCode::OK);
}

#[actix_web::test]
async fn what_is_typed_never_becomes_markup() {
    let instance = Instance::start().await;
    let markup = "%3Cscript%3E%22%27%3E";
    for request in [
        instance.get(&format!("/claim?code={markup}")),
        form(&instance, format!("code={markup}&device_id={markup}&key={}", instance.admin)),
    ] {
        let (_, page) = page_of(request).await;
        assert!(!page.contains("<script>\"'") && page.contains("&lt;script&gt;"), "{page}");
    }
}

#[actix_web::test]
async fn a_form_from_another_site_spends_nobodys_guesses() {
    let instance = Instance::with(Operator { open_pairing: true, ..Operator::default() }).await;
    let (code, token) = instance.init().await;
    let request = form(&instance, format!("code={code}")).header("sec-fetch-site", "cross-site");
    assert_eq!(page_of(request).await.0, StatusCode::FORBIDDEN);
    assert_eq!(instance.poll(&token).await, 401);
    let request = form(&instance, format!("code={code}")).header("sec-fetch-site", "same-origin");
    assert_eq!(page_of(request).await.0, StatusCode::OK);
}

#[actix_web::test]
async fn what_is_no_form_of_this_page_is_refused() {
    let instance = Instance::start().await;
    for (request, status) in [
        (instance.post("/claim").json(&json!({ "code": "1" })), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (form(&instance, "x".repeat(5_000)), StatusCode::PAYLOAD_TOO_LARGE),
        (form(&instance, "code=%ff".to_owned()), StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(page_of(request).await.0, status);
    }
}

#[actix_web::test]
async fn style_and_script_are_the_pages_own() {
    let instance = Instance::start().await;
    for (path, media_type) in
        [("/claim/style.css", "text/css; charset=utf-8"), ("/claim/copy.js", "text/javascript; charset=utf-8")]
    {
        let response = sent(instance.get(path)).await;
        assert_eq!(
            (response.status(), &response.headers()["content-type"]),
            (StatusCode::OK, &media_type.parse().unwrap())
        );
    }
}
