//! Which library a call is about.
//!
//! An id that is given and wrong is never answered from the default: the answer would be true of another library than the one meant.

use crate::answer::{Code, Envelope, Library, LibraryState, Unfinished};
use crate::instance::{InstanceId, InstanceSummary};
use crate::service::Service;
use playhouse_tools::Answer;

/// The library that a call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// It.
    pub instance: InstanceSummary,
    /// Whether the caller named it: suggestions for the next call then name it too.
    pub was_named: bool,
}

/// Why no library was chosen. Nothing was sent anywhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseRefusal {
    /// The house has no instance of the service, or not the one that the caller is bound to.
    #[error("{service} is not configured in this house. Someone who may manage it adds its address and API key first.")]
    NotConfigured {
        /// Which service.
        service: Service,
    },
    /// The service has no instance of that id.
    #[error(
        "There is no {service} library with the id \"{asked}\". Nothing was read; list_arr_instances shows the ids there are."
    )]
    Unknown {
        /// Which service.
        service: Service,
        /// What was asked for.
        asked: String,
    },
    /// No service has an instance of that id.
    #[error(
        "There is no library with the id \"{asked}\" among Radarr, Sonarr, Lidarr and Chaptarr. Nothing was sent; list_arr_instances shows \
         the ids there are."
    )]
    UnknownToAll {
        /// What was asked for.
        asked: String,
    },
    /// The id is another service's.
    #[error(
        "{service} is not configured for the selected instance \"{asked}\", which is a {found} library. Nothing was sent; choose a {service} \
         library from list_arr_instances, or the media type that belongs to {found}."
    )]
    WrongService {
        /// Which service the media type belongs to.
        service: Service,
        /// What was asked for.
        asked: String,
        /// Whose it is.
        found: Service,
    },
}

impl ChooseRefusal {
    /// Its stable name.
    pub const fn code(&self) -> Code {
        match self {
            ChooseRefusal::NotConfigured { .. } => Code::NotConfigured,
            ChooseRefusal::Unknown { .. } | ChooseRefusal::UnknownToAll { .. } => Code::InstanceUnknown,
            ChooseRefusal::WrongService { .. } => Code::InstanceWrongService,
        }
    }

    /// The library that could not be chosen, as structured answers list it; `None` where it is not even known whose it should be.
    pub fn library(&self) -> Option<Library> {
        let (service, state) = match self {
            ChooseRefusal::NotConfigured { service } => (*service, LibraryState::NotConfigured),
            ChooseRefusal::Unknown { service, .. } | ChooseRefusal::WrongService { service, .. } => {
                (*service, LibraryState::Refused)
            }
            ChooseRefusal::UnknownToAll { .. } => return None,
        };
        Some(Library::absent(service, state, self.to_string()))
    }

    /// How a reading tool ends over it.
    pub fn into_answer<O: From<Envelope>>(self) -> Answer<O> {
        Answer::new(Envelope::refused(self.code(), self.library().into_iter().collect()).into(), self.to_string())
    }
}

/// A writing tool did not begin.
impl From<ChooseRefusal> for Unfinished {
    fn from(refusal: ChooseRefusal) -> Self {
        Unfinished::NotStarted { code: refusal.code(), words: refusal.to_string() }
    }
}

/// The library of `service` that a read is about.
///
/// `instances` are all of the house, `asked` is the caller's `instance_id` (absent or blank means the default), and `pinned` is the
/// instance that the server bound the caller to: it always wins, and there is no default in its place.
///
/// # Errors
/// [`ChooseRefusal`]; then nothing may be sent.
pub fn choose(
    instances: &[InstanceSummary],
    service: Service,
    asked: Option<&str>,
    pinned: Option<&InstanceId>,
) -> Result<Chosen, ChooseRefusal> {
    let of_service = || instances.iter().filter(|instance| instance.service == service);
    if let Some(pinned) = pinned {
        let instance = of_service().find(|instance| instance.id == *pinned);
        let instance = instance.ok_or(ChooseRefusal::NotConfigured { service })?.clone();
        return Ok(Chosen { instance, was_named: true });
    }
    match asked.map(str::trim).filter(|asked| !asked.is_empty()) {
        None => {
            let instance = of_service().find(|instance| instance.is_default);
            let instance = instance.ok_or(ChooseRefusal::NotConfigured { service })?.clone();
            Ok(Chosen { instance, was_named: false })
        }
        Some(asked) => {
            let instance = of_service().find(|instance| instance.id.to_string() == asked);
            let instance = instance.ok_or_else(|| ChooseRefusal::Unknown { service, asked: shortened(asked) })?.clone();
            Ok(Chosen { instance, was_named: true })
        }
    }
}

/// The library of whichever service that `asked` names: for tools that ask for no media type.
///
/// # Errors
/// [`ChooseRefusal::UnknownToAll`]; then nothing may be sent.
pub fn choose_among_all<'i>(
    instances: &'i [InstanceSummary],
    asked: &str,
) -> Result<&'i InstanceSummary, ChooseRefusal> {
    let found = instances.iter().find(|instance| instance.id.to_string() == asked.trim());
    found.ok_or_else(|| ChooseRefusal::UnknownToAll { asked: shortened(asked.trim()) })
}

/// As [`choose`], for a change: an id that is wrong is told apart more exactly, because the caller meant to change something.
///
/// # Errors
/// [`ChooseRefusal`]; then nothing may be sent.
pub fn choose_to_write(
    instances: &[InstanceSummary],
    service: Service,
    asked: Option<&str>,
    pinned: Option<&InstanceId>,
) -> Result<Chosen, ChooseRefusal> {
    choose(instances, service, asked, pinned).map_err(|refusal| match refusal {
        ChooseRefusal::Unknown { service, asked } => {
            match instances.iter().find(|instance| instance.id.to_string() == asked) {
                Some(other) => ChooseRefusal::WrongService { service, asked, found: other.service },
                None => ChooseRefusal::UnknownToAll { asked },
            }
        }
        other => other,
    })
}

/// What was asked for, of a length that may be repeated.
fn shortened(asked: &str) -> String {
    const MAX_CHARS: usize = 60;
    asked.chars().take(MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(id: &str, name: &str, is_default: bool) -> InstanceSummary {
        let id: InstanceId = id.parse().unwrap();
        InstanceSummary { id, service: id.service(), name: name.to_owned(), is_default, sort_order: 0 }
    }

    fn house() -> Vec<InstanceSummary> {
        vec![
            instance("radarr-00000001", "Films", true),
            instance("radarr-00000002", "4K", false),
            instance("sonarr-00000003", "Series", true),
        ]
    }

    #[test]
    fn without_an_id_the_default_is_read() {
        for asked in [None, Some(""), Some("  ")] {
            let chosen = choose(&house(), Service::Radarr, asked, None).unwrap();
            assert_eq!((chosen.instance.name.as_str(), chosen.was_named), ("Films", false));
        }
    }

    #[test]
    fn a_known_id_of_the_right_service_is_that_library() {
        let chosen = choose(&house(), Service::Radarr, Some("radarr-00000002"), None).unwrap();
        assert_eq!((chosen.instance.name.as_str(), chosen.was_named), ("4K", true));
    }

    #[test]
    fn case_3_an_unknown_id_is_refused_with_its_service_and_never_answered_from_the_default() {
        let refusal = choose(&house(), Service::Radarr, Some("radarr-ffffffff"), None).unwrap_err();
        let words = refusal.to_string();
        assert_eq!(refusal.code(), Code::InstanceUnknown);
        for part in ["Radarr", "radarr-ffffffff", "list_arr_instances"] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }

    #[test]
    fn an_id_of_another_service_is_unknown_to_a_read_and_wrong_for_a_change() {
        let asked = Some("sonarr-00000003");
        let read = choose(&house(), Service::Radarr, asked, None).unwrap_err();
        let write = choose_to_write(&house(), Service::Radarr, asked, None).unwrap_err();
        assert_eq!(read.code(), Code::InstanceUnknown);
        assert_eq!(write.code(), Code::InstanceWrongService);
        assert!(write.to_string().starts_with("Radarr is not configured for the selected instance"), "{write}");
    }

    #[test]
    fn a_change_to_an_id_that_no_service_has_names_all_four() {
        let refusal = choose_to_write(&house(), Service::Radarr, Some("nonsense"), None).unwrap_err();
        for service in Service::ALL {
            assert!(refusal.to_string().contains(service.title()));
        }
    }

    #[test]
    fn case_6_a_bound_instance_wins_over_what_the_model_asks_for() {
        let pinned = "radarr-00000002".parse().unwrap();
        let chosen = choose(&house(), Service::Radarr, Some("radarr-00000001"), Some(&pinned)).unwrap();
        assert_eq!(chosen.instance.name, "4K");
    }

    #[test]
    fn case_1_and_2_a_bound_instance_that_is_nowhere_is_not_configured_and_never_the_default() {
        let pinned = "radarr-ffffffff".parse().unwrap();
        for choose in [choose, choose_to_write] {
            let refusal = choose(&house(), Service::Radarr, None, Some(&pinned)).unwrap_err();
            assert_eq!(refusal, ChooseRefusal::NotConfigured { service: Service::Radarr });
        }
    }

    #[test]
    fn a_service_without_instances_is_not_configured() {
        let refusal = choose(&house(), Service::Lidarr, None, None).unwrap_err();
        assert_eq!(refusal.code(), Code::NotConfigured);
        assert!(refusal.to_string().starts_with("Lidarr is not configured"));
        assert_eq!(refusal.library().unwrap().state, LibraryState::NotConfigured);
    }
}
