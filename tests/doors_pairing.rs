//! `POST /pair/init`, `POST /pair/claim` and the page `/claim`, from outside, with a TV that polls beside.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod doors;
#[path = "doors/instance.rs"]
mod instance;
#[path = "doors/page.rs"]
mod page;

use std::time::Duration;

use doors::soon;
use instance::{Instance, Operator, json_of, sent};
use jiff::Timestamp;
use playhouse::config;
use playhouse_bus::Deadline;
use playhouse_house::{Caller, CredentialUse, Scope, UsedVia};
use playhouse_standins::{Act, Pacing, SimulatedTv, TvEvent};
use playhouse_tv::{KeyPressed, RemoteKey, SendKey, TvActor};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// Switches a TV on that dials this instance, a hundred times as fast as the app.
fn tv_of(instance: &Instance) -> SimulatedTv {
    SimulatedTv::builder(instance.base.parse().unwrap()).pacing(Pacing::quick()).start()
}

fn detail(answer: &Value) -> &str {
    answer["detail"].as_str().unwrap_or_else(|| panic!("no detail in {answer}"))
}

mod init {
    use super::*;

    #[actix_web::test]
    async fn a_tv_gets_a_code_of_eight_digits_as_text_and_a_token() {
        let instance = Instance::start().await;
        let response = sent(instance.post("/pair/init").json(&json!({}))).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["cache-control"], "no-store");
        let answer: Value = response.json().await.unwrap();
        let code = answer["code"].as_str().unwrap();
        assert!(code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        assert!(answer["token"].as_str().unwrap().starts_with("pht_"));
        answer["expires_at"].as_str().unwrap().parse::<Timestamp>().unwrap();
    }

    #[actix_web::test]
    async fn whatever_a_small_body_says_is_ignored_and_a_large_one_refused() {
        let instance = Instance::start().await;
        for body in ["", "{}", r#"{"version":"9.9"}"#, "not json"] {
            assert_eq!(sent(instance.post("/pair/init").body(body)).await.status(), StatusCode::OK, "{body}");
        }
        let (status, answer) = json_of(instance.post("/pair/init").body("x".repeat(5_000))).await;
        assert_eq!((status, detail(&answer)), (StatusCode::PAYLOAD_TOO_LARGE, "Request body is larger than 4 KB."));
    }

    #[actix_web::test]
    async fn too_many_from_one_address_get_a_short_readable_429() {
        let limits = config::Limits { pair_init_per_minute: 1, pair_init_burst: 1, ..config::Limits::default() };
        let instance = Instance::with(Operator { limits, ..Operator::default() }).await;
        instance.init().await;
        let response = sent(instance.post("/pair/init").json(&json!({}))).await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(response.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
        let body = response.text().await.unwrap();
        assert!(body.len() < 120 && body.contains("Too many requests"), "a TV shows this as it is: {body}");
    }

    #[actix_web::test]
    async fn other_methods_and_the_updates_address_answer_json() {
        let instance = Instance::start().await;
        let (status, answer) = json_of(instance.get("/pair/init")).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
        detail(&answer);
        let (status, answer) = json_of(instance.get("/bridge/update")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        detail(&answer);
    }
}

mod claim {
    use super::*;

    #[actix_web::test]
    async fn a_claim_with_a_key_puts_the_tv_into_the_keys_house() {
        let instance = Instance::start().await;
        let (code, bridge_token) = instance.init().await;
        let request = instance.post("/pair/claim").bearer_auth(&instance.admin);
        let response = sent(request.json(&json!({ "code": code, "device_id": "den" }))).await;

        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["cache-control"], "no-store");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["device_id"], "den");
        assert_eq!(answer["house"], json!({ "id": instance.house, "name": "Lighthouse" }));
        assert_eq!(answer["mcp_url"], "http://127.0.0.1/mcp");
        let token = answer["token"].as_str().unwrap();
        assert_ne!(token, bridge_token, "a leaked assistant's token must not cost a walk to the TV");
        let check = |token: &str, door| instance.key_ring.check(token, door, UsedVia::Mcp, Timestamp::UNIX_EPOCH);
        let principal = check(token, CredentialUse::Assistant).unwrap();
        assert_eq!(principal.house, instance.house);
        assert!(matches!(principal.caller, Caller::Tv(_)));
        assert!(check(token, CredentialUse::Bridge).is_err());
        assert!(check(&bridge_token, CredentialUse::Assistant).is_err());
        assert!(check(&bridge_token, CredentialUse::Bridge).is_ok());
    }

    #[actix_web::test]
    async fn without_a_key_the_tv_gets_a_house_of_its_own_where_that_is_allowed() {
        let instance = Instance::with(Operator { open_pairing: true, ..Operator::default() }).await;
        let mut houses = Vec::new();
        for _ in 0..2 {
            let (code, _) = instance.init().await;
            let (status, answer) = json_of(instance.post("/pair/claim").json(&json!({ "code": code }))).await;
            assert_eq!((status, &answer["device_id"]), (StatusCode::OK, &json!("living-room")), "{answer}");
            houses.push(answer["house"]["id"].clone());
        }
        assert_ne!(houses[0], houses[1]);
        assert!(!houses.contains(&json!(instance.house)));
    }

    #[actix_web::test]
    async fn without_a_key_nothing_is_claimed_where_that_is_not_allowed() {
        let instance = Instance::start().await;
        let (code, _) = instance.init().await;
        let response = sent(instance.post("/pair/claim").json(&json!({ "code": code }))).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert!(response.headers().contains_key("www-authenticate"));
        let answer: Value = response.json().await.unwrap();
        assert!(
            detail(&answer).starts_with("Missing access key.") && detail(&answer).contains("house:admin"),
            "{answer}"
        );
        assert_eq!(instance.claim(&json!({ "code": code })).await.0, StatusCode::OK, "the code is as good as before");
    }

    #[actix_web::test]
    async fn a_key_that_may_not_is_refused_before_anything_else_is_looked_at() {
        let instance = Instance::with(Operator { open_pairing: true, ..Operator::default() }).await;
        let (code, _) = instance.init().await;
        let tv_key = instance.key(&[Scope::Tv, Scope::MediaAdmin]).await;
        for (authorization, status, words) in [
            (format!("Bearer {tv_key}"), StatusCode::FORBIDDEN, "This key does not have the 'house:admin' scope."),
            ("Bearer ph_nonsense".to_owned(), StatusCode::UNAUTHORIZED, "Invalid access key."),
            ("Basic eDp5".to_owned(), StatusCode::UNAUTHORIZED, "Missing access key."),
        ] {
            for body in [json!({ "code": code }), json!({ "code": "nonsense", "device_id": "No Name!" })] {
                let request = instance.post("/pair/claim").header("authorization", &authorization).json(&body);
                let (answered, answer) = json_of(request).await;
                assert_eq!((answered, detail(&answer)), (status, words), "{authorization} {body}");
            }
        }
        assert_eq!(instance.claim(&json!({ "code": code })).await.0, StatusCode::OK);
    }

    #[actix_web::test]
    async fn a_code_may_be_typed_with_spaces() {
        let instance = Instance::start().await;
        let (code, _) = instance.init().await;
        let typed = format!(" {} {}", &code[..4], &code[4..]);
        assert_eq!(instance.claim(&json!({ "code": typed })).await.0, StatusCode::OK);
    }

    #[actix_web::test]
    async fn each_thing_that_can_be_wrong_with_a_claim_is_said() {
        let instance = Instance::start().await;
        let (code, _) = instance.init().await;
        let (taken, _) = instance.init().await;
        assert_eq!(instance.claim(&json!({ "code": taken, "device_id": "den" })).await.0, StatusCode::OK);
        let unknown = if code.starts_with('0') { "11111111" } else { "00000000" };
        for (body, status, words) in [
            (json!({ "code": unknown }), StatusCode::NOT_FOUND, "No TV shows that code"),
            (json!({ "code": taken }), StatusCode::CONFLICT, "claimed already"),
            (json!({ "code": "12345" }), StatusCode::UNPROCESSABLE_ENTITY, "eight digits"),
            (json!({ "code": code, "device_id": "den" }), StatusCode::CONFLICT, "called `den` already"),
            (
                json!({ "code": code, "device_id": "Living Room" }),
                StatusCode::UNPROCESSABLE_ENTITY,
                "`living-room` would do",
            ),
            (json!({ "code": code, "device_id": "居間" }), StatusCode::UNPROCESSABLE_ENTITY, "a-z, 0-9"),
            (json!({ "code": code, "device_id": 7 }), StatusCode::UNPROCESSABLE_ENTITY, "string"),
            (json!({ "device_id": "attic" }), StatusCode::UNPROCESSABLE_ENTITY, "`code`"),
            (json!({ "code": code, "house": "x" }), StatusCode::UNPROCESSABLE_ENTITY, "`house`"),
            (json!({ "code": code, "again": true }), StatusCode::UNPROCESSABLE_ENTITY, "name of the TV"),
            (json!({ "code": code, "again": true, "device_id": "attic" }), StatusCode::NOT_FOUND, "no TV of that name"),
        ] {
            let (answered, answer) = instance.claim(&body).await;
            assert_eq!(answered, status, "{body}: {answer}");
            assert!(detail(&answer).contains(words), "{body}: {answer}");
        }
        // None of it used up the code. An empty name is no name.
        let (status, answer) = instance.claim(&json!({ "code": code, "device_id": "" })).await;
        assert_eq!((status, &answer["device_id"]), (StatusCode::OK, &json!("living-room")));
    }

    #[actix_web::test]
    async fn a_body_that_is_no_small_json_is_refused() {
        let instance = Instance::start().await;
        let post = || instance.post("/pair/claim").bearer_auth(&instance.admin);
        for (request, status) in [
            (post().body("{}"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
            (post().header("content-type", "application/json").body("{"), StatusCode::BAD_REQUEST),
            (post().json(&json!({ "code": "1".repeat(5_000) })), StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let (answered, answer) = json_of(request).await;
            assert_eq!(answered, status, "{answer}");
            detail(&answer);
        }
    }

    #[actix_web::test]
    async fn of_two_claims_at_once_one_wins() {
        let instance = Instance::start().await;
        let (code, _) = instance.init().await;
        let (one, other) = (json!({ "code": code, "device_id": "one" }), json!({ "code": code, "device_id": "other" }));
        let (one, other) = futures_util::join!(instance.claim(&one), instance.claim(&other));
        let mut statuses = [one.0.as_u16(), other.0.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{one:?} {other:?}");
    }

    #[actix_web::test]
    async fn guessing_ends_long_before_it_could_succeed() {
        let limits = config::Limits { failed_claims_per_hour_per_address: 3, ..Operator::default().limits };
        let instance = Instance::with(Operator { limits, ..Operator::default() }).await;
        let (code, _) = instance.init().await;
        let wrong = if code.starts_with('0') { "11111111" } else { "00000000" };
        for _ in 0..3 {
            assert_eq!(instance.claim(&json!({ "code": wrong })).await.0, StatusCode::NOT_FOUND);
        }
        let request = instance.post("/pair/claim").bearer_auth(&instance.admin).json(&json!({ "code": code }));
        let response = sent(request).await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS, "also for a code that would be right");
        assert!(response.headers().contains_key("retry-after"));
    }

    #[actix_web::test]
    async fn what_is_no_guess_costs_no_guesses() {
        let limits = config::Limits { failed_claims_per_hour_per_address: 1, ..Operator::default().limits };
        let instance = Instance::with(Operator { limits, ..Operator::default() }).await;
        for _ in 0..3 {
            let (code, _) = instance.init().await;
            assert_eq!(instance.claim(&json!({ "code": "12" })).await.0, StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(instance.claim(&json!({ "code": code })).await.0, StatusCode::OK);
            assert_eq!(instance.claim(&json!({ "code": code })).await.0, StatusCode::CONFLICT);
        }
    }

    #[actix_web::test]
    async fn the_claims_of_one_address_are_limited_right_or_wrong() {
        let limits = config::Limits { pair_claim_per_minute: 1, pair_claim_burst: 2, ..Operator::default().limits };
        let instance = Instance::with(Operator { limits, ..Operator::default() }).await;
        for _ in 0..2 {
            assert_eq!(instance.claim(&json!({ "code": "12" })).await.0, StatusCode::UNPROCESSABLE_ENTITY);
        }
        assert_eq!(instance.claim(&json!({ "code": "12" })).await.0, StatusCode::TOO_MANY_REQUESTS);
        let form = instance.post("/claim").header("content-type", "application/x-www-form-urlencoded").body("code=12");
        assert_eq!(
            sent(form).await.status(),
            StatusCode::TOO_MANY_REQUESTS,
            "the form is another spelling of the same"
        );
    }
}

mod tv {
    use super::*;

    #[actix_web::test]
    async fn an_unmodified_app_is_claimed_while_it_polls_and_can_be_steered() {
        let instance = Instance::start().await;
        let tv = tv_of(&instance);
        let code = soon("a code", tv.code()).await;
        // Claimed between two polls.
        let refused =
            |events: &[TvEvent]| events.iter().any(|event| matches!(event, TvEvent::DialRefused { status: 401, .. }));
        soon("a poll", tv.wait_until(refused)).await;
        let (status, answer) = instance.claim(&json!({ "code": code, "device_id": "den" })).await;
        assert_eq!(status, StatusCode::OK);
        soon("the socket", tv.online()).await;

        let token = answer["token"].as_str().unwrap();
        let principal =
            instance.key_ring.check(token, CredentialUse::Assistant, UsedVia::Mcp, Timestamp::UNIX_EPOCH).unwrap();
        let Caller::Tv(id) = principal.caller else { panic!("a TV's token stands for the TV") };
        let order = SendKey { key: RemoteKey::Down, repeat: 2 };
        let deadline = Deadline::after(Duration::from_secs(10));
        let pressed = instance.bus.call(TvActor::key(instance.house, id), order, deadline).await.unwrap();
        assert_eq!(pressed, Ok(KeyPressed { key: RemoteKey::Down, pressed: 2 }));
        assert_eq!(tv.violations(), []);
    }

    #[actix_web::test]
    async fn a_token_is_refused_until_it_is_claimed() {
        let instance = Instance::start().await;
        let (code, token) = instance.init().await;
        assert_eq!(instance.poll(&token).await, 401);
        assert_eq!(instance.claim(&json!({ "code": code })).await.0, StatusCode::OK);
        assert_eq!(instance.poll(&token).await, 101);
    }

    #[actix_web::test]
    async fn a_code_lives_while_its_tv_polls_and_not_for_ever_when_it_does_not() {
        let instance = Instance::start().await;
        let ((polled, token), (unpolled, _)) = (instance.init().await, instance.init().await);
        for _ in 0..10 {
            instance.pass(599);
            assert_eq!(instance.poll(&token).await, 401);
        }
        assert_eq!(instance.claim(&json!({ "code": unpolled })).await.0, StatusCode::NOT_FOUND);
        assert_eq!(instance.claim(&json!({ "code": polled })).await.0, StatusCode::OK);
    }

    #[actix_web::test]
    async fn a_tv_whose_app_was_reset_is_paired_again_under_its_name() {
        let instance = Instance::start().await;
        let tv = tv_of(&instance);
        let first_code = soon("a code", tv.code()).await;
        let (_, first) = instance.claim(&json!({ "code": first_code, "device_id": "den" })).await;
        soon("the socket", tv.online()).await;
        let old_bridge_token = tv.pairing().unwrap().token;

        soon("the reset", tv.act(Act::Reset)).await.unwrap();
        let code = soon("another code", async {
            loop {
                let code = tv.code().await;
                if code != first_code {
                    return code;
                }
                tokio::task::yield_now().await;
            }
        })
        .await;
        let without_key = json!({ "code": code, "device_id": "den", "again": true });
        assert_eq!(json_of(instance.post("/pair/claim").json(&without_key)).await.0, StatusCode::UNAUTHORIZED);
        let (status, again) = instance.claim(&without_key).await;
        assert_eq!(status, StatusCode::OK, "{again}");
        soon("the socket", tv.online()).await;

        let holder_of = |answer: &Value| {
            let token = answer["token"].as_str().unwrap();
            let principal =
                instance.key_ring.check(token, CredentialUse::Assistant, UsedVia::Mcp, Timestamp::UNIX_EPOCH);
            principal.unwrap().caller.clone()
        };
        assert_eq!(
            holder_of(&first),
            holder_of(&again),
            "it is the same TV, and the old assistant's token still opens it"
        );
        assert_eq!(instance.poll(&old_bridge_token).await, 401);
        assert_eq!(tv.violations(), []);
    }
}
