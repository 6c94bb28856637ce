//! Each ailment is healed by its cure, and by nothing else.

use serde_json::json;

use super::*;

/// What somebody may try, as the calls that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    Process,
    Import { force: bool },
    Remove,
    BlocklistSearch,
    BlocklistOnly,
    ChangeCategory,
}

const REMEDIES: [Remedy; 7] = [
    Remedy::Process,
    Remedy::Import { force: false },
    Remedy::Import { force: true },
    Remedy::Remove,
    Remedy::BlocklistSearch,
    Remedy::BlocklistOnly,
    Remedy::ChangeCategory,
];

impl Remedy {
    async fn apply(self, arr: &ArrStandin, sick: &Afflicted) {
        match self {
            Self::Process => {
                post(arr, "command", &json!({ "name": "ProcessMonitoredDownloads" })).await;
            }
            Self::Import { force } => import(arr, sick, force).await,
            Self::Remove => remove(arr, sick, "true", "false", "false", "false").await,
            Self::BlocklistSearch => remove(arr, sick, "true", "true", "false", "false").await,
            Self::BlocklistOnly => remove(arr, sick, "true", "true", "true", "false").await,
            Self::ChangeCategory => remove(arr, sick, "false", "false", "false", "true").await,
        }
        arr.settle();
    }

    fn is(self, cure: Cure) -> bool {
        match cure {
            Cure::Process | Cure::ProcessOnceRight => self == Self::Process,
            Cure::Import => matches!(self, Self::Import { .. }),
            Cure::ForceImport => self == Self::Import { force: true },
            Cure::Remove => self == Self::Remove,
            Cure::BlocklistSearch => self == Self::BlocklistSearch,
            Cure::ChangeCategory => self == Self::ChangeCategory,
            Cure::Operator | Cure::None => false,
        }
    }
}

async fn remove(arr: &ArrStandin, sick: &Afflicted, client: &str, blocklist: &str, skips: &str, category: &str) {
    let flags =
        format!("removeFromClient={client}&blocklist={blocklist}&skipRedownload={skips}&changeCategory={category}");
    delete(arr, &format!("queue/{}?{flags}", sick.queue_id)).await;
}

/// As one imports by hand: with every file that may be, and all that one was told of it.
async fn import(arr: &ArrStandin, sick: &Afflicted, force: bool) {
    let Some(id) = &sick.download_id else { return };
    let candidates = get(arr, &format!("manualimport?downloadId={id}&filterExistingFiles=false")).await;
    let files = candidates.as_array().unwrap().iter().filter_map(|file| {
        let is_rejected = file["rejections"].as_array().unwrap().iter().any(|reason| reason["type"] == "permanent");
        (force || !is_rejected).then(|| as_file(arr.kind(), file))?
    });
    let files: Vec<Value> = files.collect();
    if !files.is_empty() {
        let body = json!({ "name": "ManualImport", "importMode": "auto", "files": files });
        assert_eq!(post(arr, "command", &body).await.0, StatusCode::CREATED);
    }
}

fn as_file(kind: ArrKind, of: &Value) -> Option<Value> {
    let ids = |list: &str| -> Vec<u64> {
        of[list].as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_u64()).collect()
    };
    let mut file = json!({ "path": of["path"], "quality": of["quality"], "downloadId": of["downloadId"] });
    match kind {
        ArrKind::Radarr => {
            file["movieId"] = json!(of["movie"]["id"].as_u64()?);
            file["languages"] = of["languages"].clone();
        }
        ArrKind::Sonarr => {
            file["seriesId"] = json!(of["series"]["id"].as_u64()?);
            file["episodeIds"] = json!(ids("episodes"));
            file["languages"] = of["languages"].clone();
            (!ids("episodes").is_empty()).then_some(())?;
        }
        ArrKind::Lidarr => {
            file["artistId"] = json!(of["artist"]["id"].as_u64()?);
            file["albumId"] = json!(of["album"]["id"].as_u64()?);
            file["albumReleaseId"] = of["albumReleaseId"].clone();
            file["trackIds"] = json!(ids("tracks"));
        }
        ArrKind::Chaptarr => {
            file["authorId"] = json!(of["author"]["id"].as_u64()?);
            file["bookId"] = json!(of["book"]["id"].as_u64()?);
        }
    }
    Some(file)
}

#[tokio::test]
async fn each_ailment_is_healed_by_its_cure_and_by_nothing_else() {
    for kind in ArrKind::ALL {
        for remedy in REMEDIES {
            let (arr, sick) = ArrStandin::with_every_ailment(kind);
            arr.set_places_right();
            // For what only waits for time.
            arr.advance(61 * A_MINUTE);
            for afflicted in sick.iter().filter(|sick| !matches!(sick.ailment.cure, Cure::None | Cure::Operator)) {
                remedy.apply(&arr, afflicted).await;
                let (name, cure) = (afflicted.ailment.name, afflicted.ailment.cure);
                // Once the places are right, nothing keeps one from importing by hand what would come by itself.
                let comes_anyway = matches!(cure, Cure::Process | Cure::ProcessOnceRight)
                    && matches!(remedy, Remedy::Process | Remedy::Import { .. });
                // What was never grabbed is not marked as failed, so that it is merely removed.
                let is_removed = afflicted.ailment.code == "foreign_download"
                    && matches!(remedy, Remedy::BlocklistSearch | Remedy::BlocklistOnly);
                let is_cure = remedy.is(cure) || comes_anyway || is_removed;
                assert_eq!(arr.is_healed(afflicted), is_cure, "{name} on {} by {remedy:?}", kind.name());
            }
            assert_eq!(arr.violations(), [], "{} by {remedy:?}", kind.name());
        }
    }
}

#[tokio::test]
async fn what_has_no_place_waits_until_there_is_one() {
    for kind in ArrKind::ALL {
        let (arr, item) = start(kind);
        let sick = arr.afflict("no-space", &[item]).unwrap();
        Remedy::Process.apply(&arr, &sick).await;
        Remedy::Import { force: true }.apply(&arr, &sick).await;
        assert!(!arr.is_healed(&sick), "the operator has done nothing");
        arr.set_places_right();
        assert!(!arr.is_healed(&sick), "it does not come by itself");
        Remedy::Process.apply(&arr, &sick).await;
        assert!(arr.is_healed(&sick), "{}", kind.name());
    }
}

#[tokio::test]
async fn nothing_helps_while_the_client_is_away() {
    let (arr, movie) = start(ArrKind::Radarr);
    let sick = arr.afflict("client-away", &[movie]).unwrap();
    assert_eq!(get(&arr, "health").await[0]["source"], "DownloadClientCheck");
    Remedy::Process.apply(&arr, &sick).await;
    assert_eq!(arr.queue()[0].status, "warning");
    arr.bring_client_back();
    Remedy::Process.apply(&arr, &sick).await;
    assert_eq!(arr.queue()[0].status, "downloading");
}

#[tokio::test]
async fn what_was_not_grabbed_cannot_be_blocklisted_and_nobody_is_told() {
    let (arr, movie) = start(ArrKind::Radarr);
    let sick = arr.afflict("foreign", &[movie]).unwrap();
    assert_eq!(get(&arr, "queue?page=1&pageSize=10").await["totalRecords"], 0, "left out unless asked for");
    Remedy::BlocklistSearch.apply(&arr, &sick).await;
    assert_eq!((arr.queue().len(), arr.blocklist().len(), arr.commands().len()), (0, 0, 0));
}

#[tokio::test]
async fn what_is_unknown_cannot_be_ignored() {
    let (arr, movie) = start(ArrKind::Radarr);
    let sick = arr.afflict("foreign", &[movie]).unwrap();
    remove(&arr, &sick, "false", "false", "false", "false").await;
    assert_eq!(arr.queue().len(), 1);
}

#[tokio::test]
async fn a_pack_is_one_download_of_several_rows_and_leaves_at_once() {
    let (arr, sick) = ArrStandin::with_every_ailment(ArrKind::Sonarr);
    let pack = sick.iter().find(|sick| sick.ailment.name == "moving-pack").unwrap();
    let rows = || arr.queue().into_iter().filter(|row| row.download_id == pack.download_id).count();
    assert_eq!(rows(), 3);
    let page = get(&arr, "queue?page=1&pageSize=1000&includeUnknownSeriesItems=true").await;
    let sizes = page["records"].as_array().unwrap().iter().filter(|row| row["downloadId"] == json!(pack.download_id));
    assert!(
        sizes.map(|row| &row["size"]).all(|size| size == &json!(3.0 * 2_147_483_648.0)),
        "each with the size of the whole"
    );
    Remedy::Remove.apply(&arr, pack).await;
    assert_eq!(rows(), 0);
}

#[tokio::test]
async fn half_a_pack_keeps_the_rest_waiting() {
    let (arr, sick) = ArrStandin::with_every_ailment(ArrKind::Sonarr);
    let pack = sick.iter().find(|sick| sick.ailment.name == "not-all-imported").unwrap();
    arr.reject_file(pack.download_id.as_ref().unwrap(), 1, "Not for this one", true);
    Remedy::Import { force: false }.apply(&arr, pack).await;
    assert!(!arr.is_healed(pack));
    assert_eq!(arr.files().iter().filter(|file| file.release.as_ref() == Some(&pack.title)).count(), 2);
    Remedy::Import { force: true }.apply(&arr, pack).await;
    assert!(arr.is_healed(pack));
}
