//! The yardstick: actix-web that parses a JSON body and answers it.

use std::net::SocketAddr;

use actix_web::{App, HttpServer, web};
use anyhow::Result;

/// Serves until the process is killed.
pub(crate) fn serve(listen: SocketAddr, workers: usize) -> Result<()> {
    actix_web::rt::System::new().block_on(async move {
        let app = || App::new().route("/mcp", web::post().to(echo));
        HttpServer::new(app).workers(workers).bind(listen)?.run().await?;
        Ok(())
    })
}

async fn echo(body: web::Json<serde_json::Value>) -> web::Json<serde_json::Value> {
    body
}
