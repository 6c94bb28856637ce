//! What is odd about the names of files that came in. It is warned about and accepted: a wrong name at two in the morning should not lose a
//! delivery.

use crate::model::DeliverySpec;

/// What names are held against.
pub(super) struct Naming<'a> {
    pub(super) spec: Option<&'a DeliverySpec>,
    /// Codes of the shots of the turnover.
    pub(super) shots: &'a [&'a str],
    /// Code of the vendor, if the turnover has an engagement.
    pub(super) vendor: Option<&'a str>,
    /// The version that the submission becomes.
    pub(super) version: u32,
}

impl Naming<'_> {
    /// What is odd about these names: first file by file, then shots that no file names.
    pub(super) fn warnings(&self, names: &[&str]) -> Vec<String> {
        let mut warnings = Vec::new();
        let (naming, container) = match self.spec {
            Some(spec) => (spec.naming.as_deref(), spec.container.as_deref()),
            None => (None, None),
        };
        for name in names {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((*name, ""));
            if let Some(naming) = naming
                && !self.follows(naming, stem)
            {
                warnings.push(format!("{name} is not named {naming}"));
            }
            if let Some(container) = container
                && !ending.eq_ignore_ascii_case(container)
            {
                warnings.push(format!("{name} is not a .{container} file"));
            }
        }
        let unnamed = self.shots.iter().filter(|shot| !names.iter().any(|name| contains(name, shot)));
        warnings.extend(unnamed.map(|shot| format!("no file names shot {shot}")));
        warnings
    }

    /// Whether a file's name without its ending is what the pattern makes of one of the shots.
    fn follows(&self, naming: &str, stem: &str) -> bool {
        if naming.contains("{code}") {
            return self.shots.iter().any(|shot| self.filled(naming, shot).eq_ignore_ascii_case(stem));
        }
        self.filled(naming, "").eq_ignore_ascii_case(stem)
    }

    /// The pattern with its places filled in; places nobody knows stay as they are.
    fn filled(&self, naming: &str, shot: &str) -> String {
        let mut filled = String::new();
        let mut rest = naming;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((place, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            let (name, width) = place.split_once(':').unwrap_or((place, ""));
            match name {
                "code" | "shot" => filled.push_str(shot),
                "vendor" => filled.push_str(self.vendor.unwrap_or_default()),
                "version" => {
                    let width = width.parse::<usize>().map_or(1, |width| width.min(9));
                    filled.push_str(&format!("{:0width$}", self.version));
                }
                _ => filled.push_str(&format!("{{{place}}}")),
            }
            rest = after;
        }
        filled + rest
    }
}

fn contains(name: &str, shot: &str) -> bool {
    name.to_ascii_lowercase().contains(&shot.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(names: &[&str]) -> Vec<String> {
        let naming = "{code}_comp_{vendor}_v{version:3}";
        let spec = DeliverySpec {
            naming: Some(naming.to_owned()),
            container: Some("mov".to_owned()),
            ..DeliverySpec::default()
        };
        let shots = ["KST_101_003_0010", "KST_101_003_0020"];
        Naming { spec: Some(&spec), shots: &shots, vendor: Some("NLT"), version: 1 }.warnings(names)
    }

    #[test]
    fn names_that_follow_the_pattern_raise_no_warning() {
        let names = ["KST_101_003_0010_comp_NLT_v001.mov", "kst_101_003_0020_comp_nlt_v001.MOV"];
        assert_eq!(warnings(&names), Vec::<String>::new());
    }

    #[test]
    fn odd_names_and_unnamed_shots_are_told() {
        let expected = [
            "KST_101_003_0010_v1.mp4 is not named {code}_comp_{vendor}_v{version:3}",
            "KST_101_003_0010_v1.mp4 is not a .mov file",
            "no file names shot KST_101_003_0020",
        ];
        assert_eq!(warnings(&["KST_101_003_0010_v1.mp4"]), expected);
    }
}
