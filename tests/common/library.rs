//! A house with media libraries, each an application on loopback.

use playhouse::control::{InstanceOrder, InstanceReply, Order, OrderReply};
use playhouse_house::Scope;
use playhouse_library::Service;
use playhouse_library::instance::KeyText;
use playhouse_standins::{ARR_KEY, ArrKind, ArrStandin, Library};
use serde_json::Value;

use super::{Answer, Town};

/// A house with media libraries.
pub(crate) struct LibraryHouse {
    pub(crate) town: Town,
    /// Its id.
    pub(crate) house: String,
    /// A key with `media:admin`, of nobody in particular.
    pub(crate) key: String,
    /// A key with `house:admin`.
    pub(crate) admin: String,
}

impl LibraryHouse {
    /// A house without any library.
    pub(crate) async fn empty() -> Self {
        Self::in_town(Town::start().await).await
    }

    pub(crate) async fn in_town(town: Town) -> Self {
        let house = town.house("Kestrel Street").await;
        let key = town.key(&house, &[Scope::MediaAdmin]).await;
        let admin = town.key(&house, &[Scope::HouseAdmin]).await;
        Self { town, house, key, admin }
    }

    /// A house with one library of `kind`, called by the application's own name; answers the application and the library's id.
    pub(crate) async fn with(kind: ArrKind, library: Library) -> (Self, ArrStandin, String) {
        let house = Self::empty().await;
        let standin = ArrStandin::start(kind, library);
        let id = house.add(&standin, kind.name()).await;
        (house, standin, id)
    }

    /// Adds an application as a library; answers its id.
    pub(crate) async fn add(&self, standin: &ArrStandin, name: &str) -> String {
        let added = self.try_add(service(standin.kind()), name, standin.url().as_str(), &standin.api_key()).await;
        // What asks for its status at the start is not what a test counts.
        standin.forget_requests();
        added.unwrap()
    }

    pub(crate) async fn try_add(&self, service: Service, name: &str, url: &str, key: &str) -> Result<String, String> {
        let order = InstanceOrder::Add {
            house: self.house.clone(),
            service,
            name: name.to_owned(),
            url: url.to_owned(),
            api_key: KeyText::from(key.to_owned()),
            sort_order: 0,
            is_default: false,
        };
        match self.town.order(Order::Instance(order)).await? {
            OrderReply::Instance(InstanceReply::Kept(kept)) => Ok(kept.details.summary.id.to_string()),
            _ => panic!("not an instance"),
        }
    }

    /// Calls a tool with the house's `media:admin` key; answers the whole result: `isError`, `content`, `structuredContent`.
    pub(crate) async fn result(&self, tool: &str, arguments: Value) -> Value {
        self.town.call(&self.key, tool, arguments).await.result()
    }

    /// Calls a tool that answers; answers its structured content.
    pub(crate) async fn ask(&self, tool: &str, arguments: Value) -> Value {
        self.town.ask(&self.key, tool, arguments).await
    }

    /// Calls a tool that answers; answers its prose.
    pub(crate) async fn prose(&self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        prose_of(&result)
    }

    /// Calls a tool that fails with words and nothing else; answers them.
    pub(crate) async fn failure(&self, tool: &str, arguments: Value) -> String {
        self.town.failure(&self.key, tool, arguments).await
    }

    /// A request to `/v1…` with the key that manages the house.
    pub(crate) async fn rest(&self, method: reqwest::Method, path: &str, body: Option<Value>) -> Answer {
        self.town.rest(&self.admin, method.as_str(), path, body).await
    }
}

/// The words of a tool's result.
pub(crate) fn prose_of(result: &Value) -> String {
    let mut texts = result["content"].as_array().unwrap().iter().rev().filter(|content| content["type"] == "text");
    // The last one: before it stands the structured answer as text, for clients that read nothing else.
    texts.next().unwrap()["text"].as_str().unwrap().to_owned()
}

/// The service that an application is.
pub(crate) fn service(kind: ArrKind) -> Service {
    match kind {
        ArrKind::Radarr => Service::Radarr,
        ArrKind::Sonarr => Service::Sonarr,
        ArrKind::Lidarr => Service::Lidarr,
        ArrKind::Chaptarr => Service::Chaptarr,
    }
}

/// The key that every application takes here.
pub(crate) const KEY: &str = ARR_KEY;
