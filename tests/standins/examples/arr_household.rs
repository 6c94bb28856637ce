//! Serves a household's Radarr, Sonarr, Lidarr and Chaptarr on loopback for programs that are not ours, and tells them what they did.
//!
//! The first line it writes has the addresses and keys as JSON. After that each line it reads is an order, and each order is answered by one
//! line of JSON:
//!
//! | order | answer |
//! | --- | --- |
//! | `state radarr` | queue, files, history, blocklist, commands and violations, as the application itself has them |
//! | `settle radarr` | the same, once all commands have ended |
//! | `forget radarr` | the same, with its violations and its requests forgotten: what comes next is somebody else's |
//!
//! It ends when it can read no more.

use std::collections::BTreeMap;

use playhouse_standins::{ArrKind, ArrStandin};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let household: BTreeMap<String, ArrStandin> =
        ArrKind::ALL.into_iter().map(|kind| (kind.name().to_lowercase(), ArrStandin::demo(kind))).collect();
    let doors: BTreeMap<&String, Value> = household
        .iter()
        .map(|(name, arr)| (name, json!({ "url": arr.url().as_str().trim_end_matches('/'), "api_key": arr.api_key() })))
        .collect();
    println!("{}", json!(doors));

    let mut orders = BufReader::new(stdin()).lines();
    while let Some(order) = orders.next_line().await? {
        let (verb, name) = order.trim().split_once(' ').unwrap_or((order.trim(), ""));
        let answer = match (verb, household.get(name)) {
            ("state", Some(arr)) => state(arr),
            ("settle", Some(arr)) => {
                arr.settle();
                state(arr)
            }
            ("forget", Some(arr)) => {
                arr.forget_requests();
                arr.forget_violations();
                state(arr)
            }
            _ => json!({ "error": format!("no order: {order}") }),
        };
        println!("{answer}");
    }
    Ok(())
}

fn state(arr: &ArrStandin) -> Value {
    let queue: Vec<Value> = arr
        .queue()
        .into_iter()
        .map(|row| {
            json!({ "id": row.id, "downloadId": row.download_id, "title": row.title, "status": row.status, "state": row.state,
                "parent": row.parent, "item": row.item })
        })
        .collect();
    let history: Vec<Value> = arr
        .history()
        .into_iter()
        .map(|event| json!({ "event": event.event, "title": event.title, "item": event.item, "date": event.date.to_string() }))
        .collect();
    let blocklist: Vec<Value> =
        arr.blocklist().into_iter().map(|blocked| json!({ "title": blocked.title, "items": blocked.items })).collect();
    let commands: Vec<Value> = arr
        .commands()
        .into_iter()
        .map(|command| json!({ "id": command.id, "name": command.name, "status": command.status, "posted": command.is_posted }))
        .collect();
    let violations: Vec<String> = arr.violations().iter().map(ToString::to_string).collect();
    json!({ "now": arr.now().to_string(), "queue": queue, "n_files": arr.files().len(), "n_parents": arr.n_parents(),
        "titles": arr.titles(), "history": history, "blocklist": blocklist, "commands": commands, "violations": violations })
}
