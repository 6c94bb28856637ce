//! One thread that serves and calls, so that a test can stop the clock.

use std::net::SocketAddr;
use std::time::Duration;

use actix_http::HttpService;
use actix_service::{Service, ServiceFactory, map_config};
use actix_web::App;
use actix_web::dev::AppConfig;
use actix_web::web::ServiceConfig;
use playhouse_bus::{Bus, BusSettings, Placement};

/// A bus on this thread.
pub(crate) fn bus() -> Bus {
    Bus::new(BusSettings::new(Placement::Current))
}

/// Serves `routes` on a loopback port, from this thread.
///
/// actix-web's own server has threads of its own, whose clocks a test cannot stop; what it runs for each connection is the same.
pub(crate) async fn serve(routes: impl FnOnce(&mut ServiceConfig)) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
    let address = listener.local_addr().expect("a bound listener has an address");
    let app = map_config(App::new().configure(routes), |()| AppConfig::default());
    let http = HttpService::build().h1(app).tcp().new_service(()).await.expect("the app can be built");
    actix_web::rt::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            actix_web::rt::spawn(http.call(stream));
        }
    });
    address
}

/// Waits for what should come soon. The bound is only there so that a test fails instead of hanging.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.unwrap_or_else(|_| panic!("{what} did not come"))
}
