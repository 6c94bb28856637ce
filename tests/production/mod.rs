//! A production's office behind its real doors, for the tests of the production wing: the Kestrel show, and a key of every shape.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]
#![expect(dead_code, reason = "each test file is a crate of its own and uses a part of this")]

use std::path::Path;

use playhouse::config::Config;
use playhouse::control::{KeyOwner, Order, OrderReply};
use playhouse_bus::{Deadline, HouseId};
use playhouse_house::{EngagementId, Scope, Scopes};
use playhouse_production::ProductionActor;
use playhouse_production::kestrel::{KestrelFile, kestrel};
use playhouse_production::messages::{PutEngagement, SetUp, SetUpStep};
use playhouse_production::model::{EngagementStatus, Words};
use reqwest::RequestBuilder;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Answer, PATIENCE, Town};

/// Everything that a production-wide key may hold.
pub(crate) const EVERYTHING: [Scope; 4] = [Scope::Read, Scope::Write, Scope::ReadMoney, Scope::SubmitTurnover];
/// What a vendor's key holds.
const VENDORS: [Scope; 2] = [Scope::Read, Scope::SubmitTurnover];

/// The Kestrel show in a house of its own, open for business.
pub(crate) struct Office {
    pub(crate) town: Town,
    pub(crate) house: HouseId,
    /// Production-wide, all scopes.
    pub(crate) w: String,
    /// Production-wide, `read`.
    pub(crate) r: String,
    /// A vendor's: `read` and `submit:turnover`, bound to the creature engagement.
    pub(crate) v: String,
    /// As `v`, and `read:money`.
    pub(crate) m: String,
    pub(crate) engagement: EngagementId,
}

impl Office {
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), change).await
    }

    pub(crate) async fn open_in(folder: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let town = Town::start_in(folder, |config| {
            // What the machine that runs the tests has free is nobody's business here.
            config.production.min_free_mib = 0;
            change(config);
        })
        .await;
        let house: HouseId = town.house("Kestrel").await.parse().unwrap();
        let w = key(&town, house, &EVERYTHING, None).await;
        let mut office = Self {
            r: key(&town, house, &[Scope::Read], None).await,
            v: String::new(),
            m: String::new(),
            engagement: EngagementId(0),
            town,
            house,
            w,
        };
        office.engagement = office.fill_with_kestrel().await;
        office.v = office.key(&VENDORS, Some(office.engagement)).await;
        office.m = office.key(&[Scope::Read, Scope::SubmitTurnover, Scope::ReadMoney], Some(office.engagement)).await;
        office
    }

    /// Puts the Kestrel show into the house, which `w` belongs to; answers the creature engagement.
    pub(crate) async fn fill_with_kestrel(&self) -> EngagementId {
        let kestrel = kestrel().unwrap();
        for step in kestrel.before {
            self.set_up(step).await;
        }
        let episode = self.episode_id().await;
        for file in kestrel.files {
            self.import_part(&file, episode).await;
        }
        let mut creature = None;
        for step in kestrel.after {
            let is_creature = matches!(&step, SetUpStep::PutEngagement(engagement) if engagement.code == "NLT-101");
            let id = self.set_up(step).await;
            creature = creature.or(is_creature.then_some(EngagementId(id)));
        }
        creature.unwrap()
    }

    async fn import_part(&self, file: &KestrelFile, episode: u64) {
        let mut query = vec![];
        query.extend(file.episode.map(|_| format!("episode_id={episode}")));
        query.extend(file.colour.map(|colour| format!("colour={colour}")));
        query.extend(file.dated.map(|dated| format!("dated={dated}")));
        query.extend(file.delivery.map(|delivery| format!("delivery={delivery}")));
        let answer = self.import(file.kind.as_str(), file.bytes, &format!("?{}", query.join("&"))).await;
        assert!(matches!(answer.status, 200 | 201), "{}: {answer:?}", file.filename);
    }

    /// The id of episode 101.
    pub(crate) async fn episode_id(&self) -> u64 {
        let production = self.get(&self.w, "/production").await.json();
        production["episodes"][0]["id"].as_u64().unwrap()
    }

    pub(crate) async fn import(&self, kind: &str, bytes: &[u8], query: &str) -> Answer {
        let post = self.town.http.post(self.url(&format!("/imports/{kind}{query}"))).bearer_auth(&self.w);
        self.town.send(post.header("Content-Type", "application/octet-stream").body(bytes.to_vec())).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.town.url(&format!("/v1{path}"))
    }

    pub(crate) async fn get(&self, key: &str, path: &str) -> Answer {
        self.town.send(self.town.http.get(self.url(path)).bearer_auth(key)).await
    }

    pub(crate) async fn post(&self, key: &str, path: &str, body: &Value) -> Answer {
        self.town.send(self.town.http.post(self.url(path)).bearer_auth(key).json(body)).await
    }

    /// Makes a key of this house.
    pub(crate) async fn key(&self, scopes: &[Scope], engagement: Option<EngagementId>) -> String {
        key(&self.town, self.house, scopes, engagement).await
    }

    pub(crate) async fn revoke(&self, key: &str) {
        let id = key.split('_').nth(1).unwrap().parse().unwrap();
        let owner = KeyOwner::House(self.house.to_string());
        assert!(matches!(self.town.order(Order::RevokeKey { owner, id }).await, Ok(OrderReply::Key(_))));
    }

    pub(crate) async fn set_up(&self, step: SetUpStep) -> u32 {
        set_up(&self.town, self.house, step).await
    }

    /// Makes the engagement of the sound editors, or gives it another status; answers its number.
    pub(crate) async fn put_sound_engagement(&self, status: EngagementStatus) -> EngagementId {
        let step = SetUpStep::PutEngagement(PutEngagement {
            code: "TID-102".to_owned(),
            title: "Sound edit, episode 102".to_owned(),
            vendor: "TID".to_owned(),
            status,
            department: None,
            starts_on: None,
            ends_on: None,
            script_access: None,
            reach: None,
        });
        EngagementId(self.set_up(step).await)
    }

    /// Sets whether the creature engagement's keys work.
    pub(crate) async fn set_engagement_status(&self, status: EngagementStatus) {
        self.set_up(SetUpStep::SetEngagementStatus { code: "NLT-101".to_owned(), status }).await;
    }

    /// The id of the turnover with this code.
    pub(crate) async fn turnover(&self, code: &str) -> u64 {
        self.find(&self.w, "/turnovers", "code", code).await["id"].as_u64().unwrap()
    }

    /// The `node_id` of the scene with this number, of the asset with this code or of the character of this name.
    pub(crate) async fn scene(&self, number: &str) -> u64 {
        self.find(&self.w, "/scenes", "number", number).await["node_id"].as_u64().unwrap()
    }

    pub(crate) async fn asset(&self, code: &str) -> u64 {
        self.find(&self.w, "/assets", "code", code).await["node_id"].as_u64().unwrap()
    }

    /// The entry of a list whose `member` is `wanted`.
    pub(crate) async fn find(&self, key: &str, path: &str, member: &str, wanted: &str) -> Value {
        let list = self.get(key, path).await.json();
        let found = list.as_array().and_then(|list| list.iter().find(|entry| entry[member] == wanted));
        found.unwrap_or_else(|| panic!("no {wanted} in {list}")).clone()
    }

    /// A submission over REST, sent or not.
    pub(crate) fn submission(&self, key: &str, turnover: u64, form: Form) -> RequestBuilder {
        let path = format!("/turnovers/{turnover}/submissions");
        self.town.http.post(self.url(&path)).bearer_auth(key).multipart(form)
    }

    pub(crate) async fn submit(&self, key: &str, turnover: u64, files: &[(&str, &[u8])]) -> Answer {
        self.town.send(self.submission(key, turnover, form(files))).await
    }

    /// All files below the media folder, as paths relative to it.
    pub(crate) fn media_files(&self) -> Vec<String> {
        let root = self.town.folder.path().join("data/media");
        let mut found = Vec::new();
        collect(&root, &root, &mut found);
        found.sort();
        found
    }

    /// Waits until nothing is half-written any more; answers what lies in its place.
    pub(crate) async fn settled_media_files(&self) -> Vec<String> {
        let settled = async {
            loop {
                let files = self.media_files();
                if files.iter().all(|file| !file.starts_with("incoming")) {
                    return files;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, settled).await.expect("half-written files go away")
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        // A half-written file may go while we look.
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

/// A form of files.
pub(crate) fn form(files: &[(&str, &[u8])]) -> Form {
    with_files(Form::new(), files)
}

/// `form` and these files behind what it has.
pub(crate) fn with_files(form: Form, files: &[(&str, &[u8])]) -> Form {
    files
        .iter()
        .fold(form, |form, (name, bytes)| form.part("files", Part::bytes(bytes.to_vec()).file_name((*name).to_owned())))
}

/// The arguments of `submit_turnover`.
pub(crate) fn call_arguments(turnover: u64, files: &[(&str, &[u8])]) -> Value {
    use base64::Engine;
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let files: Vec<Value> =
        files.iter().map(|(name, bytes)| json!({ "filename": name, "content_base64": encode(bytes) })).collect();
    json!({ "delivery_id": turnover, "files": files })
}

async fn set_up(town: &Town, house: HouseId, step: SetUpStep) -> u32 {
    let order = SetUp { by: "test".to_owned(), step };
    let called = town.running.instance.bus.call(ProductionActor::key(house), order, Deadline::after(PATIENCE)).await;
    called.unwrap().unwrap()
}

async fn key(town: &Town, house: HouseId, scopes: &[Scope], engagement: Option<EngagementId>) -> String {
    let order = Order::CreateKey {
        owner: KeyOwner::House(house.to_string()),
        label: "Northlight pipeline".to_owned(),
        scopes: Scopes::of(scopes),
        tvs: vec![],
        account: None,
        engagement,
        expires_at: None,
    };
    match town.order(order).await.unwrap() {
        OrderReply::NewKey(created) => created.plain.reveal().to_owned(),
        _ => panic!("not a key"),
    }
}
