//! The official Rust SDK's client against the whole server.

mod common;

use common::Town;
use playhouse_house::Scope;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::json;

#[actix_web::test]
async fn rmcp_lists_calls_and_hears_of_refusals() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
    let (tv, _) = town.tv(&key, "living-room").await;

    let connect = async |key: &str| {
        let config = StreamableHttpClientTransportConfig::with_uri(town.running.mcp_url()).auth_header(key);
        ().serve(StreamableHttpClientTransport::from_config(config)).await
    };
    let client = connect(&key).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "tv_send_key"));

    let press = || {
        CallToolRequestParams::new("tv_send_key").with_arguments(json!({ "key": "HOME" }).as_object().unwrap().clone())
    };
    let result = client.call_tool(press()).await.unwrap();
    assert_eq!(
        (result.is_error, result.structured_content),
        (Some(false), Some(json!({ "key": "HOME", "pressed": 1 })))
    );
    assert_eq!(tv.world().keys, ["HOME"]);

    // A tool that the key may not call: the reason reaches the caller.
    let media = connect(&town.key(&house, &[Scope::Media]).await).await.unwrap();
    let refused = media.call_tool(press()).await.unwrap_err().to_string();
    assert!(refused.contains("does not have the 'tv' scope"), "{refused}");

    // The TV goes off: a result that the model can read.
    drop(tv);
    let words = async {
        loop {
            let result = client.call_tool(press()).await.unwrap();
            if result.is_error == Some(true) {
                return format!("{:?}", result.content);
            }
        }
    };
    assert!(tokio::time::timeout(common::PATIENCE, words).await.unwrap().contains("is off"));

    assert!(connect("ph_nonsense").await.is_err());
    client.cancel().await.unwrap();
    media.cancel().await.unwrap();
    town.stop().await;
}
