//! What stands between a launch and the title: profile pickers, PINs, logins.

use playhouse_tv::answers::ScreenObservation;

/// A screen that many apps show before the title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// Who is watching?
    ProfilePicker,
    /// A PIN, of a profile or of the parents.
    Pin,
    /// A login.
    SignIn,
}

impl Gate {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Gate::ProfilePicker => "profile_picker",
            Gate::Pin => "pin",
            Gate::SignIn => "sign_in",
        }
    }
}

/// What such screens say in the languages that are most met. Compared in lower case; a PIN is looked for first, since it is often laid over
/// a profile picker.
const WORDS: [(Gate, &[&str]); 3] = [
    (
        Gate::Pin,
        &[
            "enter pin",
            "enter your pin",
            "profile pin",
            "parental pin",
            "pin eingeben",
            "pin-code",
            "code pin",
            "saisissez le code",
            "introduce el pin",
            "ingresa el pin",
            "inserisci il pin",
            "digite o pin",
            "voer je pincode in",
        ],
    ),
    (
        Gate::ProfilePicker,
        &[
            "who's watching",
            "who’s watching",
            "who is watching",
            "choose a profile",
            "choose your profile",
            "select a profile",
            "select profile",
            "switch profile",
            "wer schaut",
            "wer sieht",
            "profil auswählen",
            "profil wählen",
            "qui est-ce",
            "qui regarde",
            "choisissez un profil",
            "quién está viendo",
            "quién eres",
            "elige un perfil",
            "elige tu perfil",
            "chi guarda",
            "scegli un profilo",
            "quem está assistindo",
            "quem é que está a ver",
            "escolha um perfil",
            "wie kijkt er",
            "kies een profiel",
        ],
    ),
    (
        Gate::SignIn,
        &[
            "sign in",
            "log in",
            "login",
            "anmelden",
            "einloggen",
            "se connecter",
            "s'identifier",
            "iniciar sesión",
            "accedi",
            "entrar",
            "inloggen",
        ],
    ),
];

/// How many visible texts a page may have on which a login is the matter: behind it, "Sign in" is one entry of a menu.
const LOGIN_PAGE_NODES: usize = 12;

/// The gate that is in front, if it is recognisable. Many apps draw their screens themselves and tell nothing.
pub(super) fn gate(screen: &ScreenObservation) -> Option<Gate> {
    let visible = screen.visible.iter().flat_map(|node| [&node.text, &node.content_description]);
    let focused = [&screen.focused.text, &screen.focused.content_description];
    let texts: Vec<String> =
        visible.chain(focused).filter(|text| !text.is_empty()).map(|text| text.to_lowercase()).collect();
    let says = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
    WORDS
        .iter()
        .find(|(gate, words)| says(words) && (*gate != Gate::SignIn || screen.visible.len() <= LOGIN_PAGE_NODES))
        .map(|(gate, _)| *gate)
}

#[cfg(test)]
mod tests {
    use playhouse_tv::answers::{FocusedNode, VisibleNode};

    use super::*;

    fn screen(texts: &[&str]) -> ScreenObservation {
        let node = |text: &&str| VisibleNode {
            text: (*text).to_owned(),
            content_description: String::new(),
            clickable: true,
            cx: None,
            cy: None,
        };
        ScreenObservation {
            package: "com.netflix.ninja".to_owned(),
            activity: String::new(),
            focused: FocusedNode::default(),
            visible: texts.iter().map(node).collect(),
            truncated: false,
        }
    }

    #[test]
    fn a_profile_picker_a_pin_and_a_login_are_called_by_their_names() {
        for (texts, expected) in [
            (&["Who's watching?", "Ada", "Kids"][..], Some(Gate::ProfilePicker)),
            (&["Wer schaut gerade?"][..], Some(Gate::ProfilePicker)),
            (&["¿Quién está viendo ahora?"][..], Some(Gate::ProfilePicker)),
            (&["Who's watching?", "Enter PIN for Ada"][..], Some(Gate::Pin)),
            (&["Sign In", "Sign Up"][..], Some(Gate::SignIn)),
            (&["Play", "My List", "Spinning tops"][..], None),
            (&[][..], None),
        ] {
            assert_eq!(gate(&screen(texts)), expected, "{texts:?}");
        }
    }

    #[test]
    fn a_menu_with_an_entry_to_sign_in_is_no_login() {
        let mut texts = vec!["Sign in"];
        texts.extend(["Home"; 20]);
        assert_eq!(gate(&screen(&texts)), None);
    }

    #[test]
    fn what_only_the_focused_element_says_counts() {
        let mut picker = screen(&[]);
        picker.focused.content_description = "Choose a profile".to_owned();
        assert_eq!(gate(&picker), Some(Gate::ProfilePicker));
    }
}
