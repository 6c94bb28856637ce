//! Frame rates and time codes.

use std::str::FromStr;

/// Frames a second, as a fraction: `25`, `24000/1001`.
#[derive(Debug, Clone, Copy)]
pub struct FrameRate {
    frames: u32,
    /// In so many seconds.
    seconds: u32,
}

impl FrameRate {
    /// Frames that a second of time code counts: 24 for 24000/1001.
    #[must_use]
    pub fn counted(self) -> u32 {
        self.frames.div_ceil(self.seconds)
    }

    /// Whether a rate written as a decimal is this one; `23.976` and `23.98` are 24000/1001, `24` is not.
    #[must_use]
    pub fn is(self, rate: f64) -> bool {
        (rate - f64::from(self.frames) / f64::from(self.seconds)).abs() < 0.005
    }

    /// The frame that a time code such as `01:00:05:12` names; none when it is no time code of this rate.
    #[must_use]
    pub fn frame_of(self, timecode: &str) -> Option<u64> {
        let mut parts = timecode.split(':');
        let mut next = |below: u64| {
            let part = parts.next()?;
            let sound = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            sound.then(|| part.parse::<u64>().ok()).flatten().filter(|number| *number < below)
        };
        let counted = u64::from(self.counted());
        let (hours, minutes, seconds, frames) = (next(100)?, next(60)?, next(60)?, next(counted)?);
        parts.next().is_none().then(|| ((hours * 60 + minutes) * 60 + seconds) * counted + frames)
    }
}

impl FromStr for FrameRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (frames, seconds) = text.split_once('/').unwrap_or((text, "1"));
        let rate = frames
            .trim()
            .parse()
            .ok()
            .zip(seconds.trim().parse().ok())
            .map(|(frames, seconds)| Self { frames, seconds });
        let sound = |rate: &Self| rate.seconds > 0 && rate.frames >= rate.seconds && rate.counted() <= 480;
        rate.filter(sound).ok_or_else(|| format!("`{text}` is no frame rate; write it as 25 or 24000/1001."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_or_a_fraction() {
        let film: FrameRate = "24000/1001".parse().unwrap();
        assert_eq!(film.counted(), 24);
        assert!(film.is(23.976) && film.is(23.98) && !film.is(24.0));
        assert!("25".parse::<FrameRate>().unwrap().is(25.0));
        for other in ["", "0", "25/0", "1/2", "fast", "1000"] {
            assert!(other.parse::<FrameRate>().is_err(), "{other}");
        }
    }

    #[test]
    fn a_time_code_counts_frames() {
        let rate: FrameRate = "25".parse().unwrap();
        assert_eq!(rate.frame_of("01:00:03:00"), Some(90_075));
        for other in
            ["01:00:03:25", "01:00:60:00", "1:00:03:00", "01:00:03", "01:00:03:00:00", "01:00:03;00", "é1:00:00:00"]
        {
            assert_eq!(rate.frame_of(other), None, "{other}");
        }
    }
}
