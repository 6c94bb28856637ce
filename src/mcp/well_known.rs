//! `/.well-known/…`: the metadata of the protected resource, and a real 404 for everything else.
//!
//! Clients probe a dozen addresses here before they use a key. Anything but a fast 404 JSON makes some of them ignore the key they have.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, ServiceConfig};
use serde_json::json;

use super::door::McpServices;
use crate::http;

pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(web::resource("/.well-known/oauth-protected-resource").route(web::get().to(protected_resource)))
        .service(web::resource("/.well-known/{rest:.*}").default_service(web::to(http::not_found)));
}

/// RFC 9728 metadata without `authorization_servers`: a key made by the house is all there is.
async fn protected_resource(services: Data<McpServices>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "resource": &*services.mcp_url, "bearer_methods_supported": ["header"] }))
}
