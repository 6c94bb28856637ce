//! Who is let in at the addresses for admins, and what is answered to ids that a house does not have.

use playhouse_house::{Role, Scope};
use serde_json::{Value, json};

use crate::common::{Answer, Town};

/// Every address with an id in it, asked for the id.
fn addresses(id: &str) -> [(&'static str, String); 5] {
    [
        ("GET", format!("/v1/proposals/{id}")),
        ("POST", format!("/v1/proposals/{id}/approve")),
        ("POST", format!("/v1/proposals/{id}/reject")),
        ("GET", format!("/v1/configuration-history/{id}")),
        ("POST", format!("/v1/configuration-history/{id}/restore")),
    ]
}

const LISTS: [&str; 4] = ["/v1/proposals", "/v1/configuration-history", "/v1/events", "/v1/tools"];

#[actix_web::test]
async fn ids_that_a_house_does_not_have_are_404_and_what_is_no_number_is_400() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    for (id, status) in
        [("1", 404), ("0", 404), ("18446744073709551616", 404), ("seven", 400), ("-1", 400), ("+1", 400), ("1.0", 400)]
    {
        for (method, path) in addresses(id) {
            let answer = town.rest(&admin, method, &path, None).await;
            assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
            assert!(answer.json()["detail"].as_str().unwrap().ends_with('.'), "{answer:?}");
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{method} {path}");
        }
    }
    town.stop().await;
}

#[actix_web::test]
async fn a_house_without_proposals_and_changes_has_empty_lists() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    for (path, list) in [
        ("/v1/proposals", json!({ "proposals": [] })),
        ("/v1/proposals?status=all", json!({ "proposals": [] })),
        ("/v1/proposals?status=whatever", json!({ "proposals": [] })),
        ("/v1/configuration-history?limit=5000&before_id=0", json!({ "changes": [] })),
        ("/v1/configuration-history?limit=-1", json!({ "changes": [] })),
    ] {
        let answer = town.rest(&admin, "GET", path, None).await;
        assert_eq!((answer.status, answer.json()), (200, list), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
    let refused = town.rest(&admin, "GET", "/v1/configuration-history?limit=many", None).await;
    assert_eq!(
        (refused.status, refused.json()["detail"].as_str()),
        (400, Some("limit is a whole number, such as 50."))
    );
    for (command, said) in [
        ("proposals", "no proposals; an assistant with a `media:admin` key makes one with preview_profile_change\n"),
        ("history", "no settings were changed from here\n"),
    ] {
        assert_eq!(town.said(&[command, "list", "--house", "Kestrel Street"]).await, said);
    }
    assert_eq!(town.said(&["proposals", "list", "--house", &house, "--all", "--json"]).await, "{\"proposals\":[]}\n");
    town.stop().await;
}

#[actix_web::test]
async fn a_person_who_is_no_admin_is_let_in_nowhere_whatever_their_key_may() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let user = town.key_of_person(&house, "Ben", Role::User, &Scope::ALL[..8]).await;
    let library = town.key(&house, &[Scope::MediaAdmin]).await;
    let all = addresses("1").into_iter().chain(LISTS.map(|path| ("GET", path.to_owned())));
    let all: Vec<_> = all.chain([("PUT", "/v1/tools/tv_type".to_owned())]).collect();
    for (method, path) in &all {
        let body = (*method == "PUT").then(|| json!({ "enabled": false }));
        let of_user = town.rest(&user, method, path, body.clone()).await;
        assert_eq!(
            (of_user.status, detail(&of_user)),
            (403, json!("Only an admin of the house may do this.")),
            "{path}"
        );
        let unscoped = town.rest(&library, method, path, body).await;
        let words = json!("This key does not have the 'house:admin' scope.");
        assert_eq!((unscoped.status, detail(&unscoped)), (403, words), "{path}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn an_address_takes_its_own_methods_only_and_says_which() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    for (method, path, allowed) in [
        ("DELETE", "/v1/proposals", "GET"),
        ("DELETE", "/v1/proposals/1", "GET"),
        ("GET", "/v1/proposals/1/approve", "POST"),
        ("GET", "/v1/proposals/1/reject", "POST"),
        ("POST", "/v1/configuration-history", "GET"),
        ("DELETE", "/v1/configuration-history/1", "GET"),
        ("GET", "/v1/configuration-history/1/restore", "POST"),
        ("POST", "/v1/events", "GET"),
        ("POST", "/v1/tools", "GET"),
        ("GET", "/v1/tools/tv_type", "PUT"),
    ] {
        let answer = town.rest(&admin, method, path, None).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{method} {path}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn a_rejection_larger_than_any_note_is_not_read() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let reject = |note: usize| {
        let body = json!({ "note": "n".repeat(note) });
        town.http.post(town.url("/v1/proposals/1/reject")).bearer_auth(&admin).json(&body)
    };
    let large = town.send(reject(40 * 1024)).await;
    assert_eq!((large.status, detail(&large)), (413, json!("Request body is larger than 32 KB.")));
    assert_eq!(town.send(reject(4 * 1024)).await.status, 404, "a note of the largest size is read");
    town.stop().await;
}

#[actix_web::test]
async fn the_command_line_says_what_is_wrong_with_an_id() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    for (arguments, words) in [
        (&["proposals", "show", "--house", &house, "7"][..], "This house has no such proposal"),
        (&["proposals", "approve", "--house", &house, "7"], "This house has no such proposal"),
        (&["proposals", "reject", "--house", &house, "7", "--note", "no"], "This house has no such proposal"),
        (&["history", "show", "--house", &house, "7"], "This house has no such change"),
        (&["history", "restore", "--house", &house, "7"], "This house has no such change"),
        (&["proposals", "list", "--house", "Nowhere"], "there is no house `Nowhere`"),
        (&["proposals", "show", "--house", &house, "seven"], "invalid value 'seven'"),
        (&["history", "list", "--house", &house, "--limit", "201"], "201 is not in 1..=200"),
    ] {
        let said = town.refused(arguments).await;
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn the_health_page_shows_a_houses_queue_like_every_other_actor() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    assert_eq!(town.rest(&admin, "GET", "/v1/proposals", None).await.status, 200);
    let health = town.rest(&town.operator_key().await, "GET", "/v1/health/actors", None).await.json();
    let actors = health["actors"].as_array().unwrap();
    let queue = actors.iter().find(|actor| actor["kind"] == "proposals");
    assert_eq!(queue.map(|actor| &actor["house"]), Some(&json!(house)), "{health}");
    let idle = json!({ "house": house, "n_pending": 0, "n_executing": 0, "n_armed": 0 });
    assert_eq!(health["proposals"], json!([idle]));
    town.stop().await;
}

fn detail(answer: &Answer) -> Value {
    answer.json()["detail"].clone()
}
