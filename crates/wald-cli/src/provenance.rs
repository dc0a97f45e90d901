//! Which command made a report, and when.

use std::path::Path;
use std::time::SystemTime;

/// The words of this command.
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())
}

/// The day in Greenwich, as `2026-11-21`; `SOURCE_DATE_EPOCH` repeats a page byte for byte.
pub(crate) fn today() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let now = || {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |time| time.as_secs())
    };
    let (year, month, day) = civil_date(fixed.unwrap_or_else(now) / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The Gregorian date of a day counted from 1970-01-01: years start in March, so that the leap
/// day comes last.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// The last part of a path: a page that is passed on does not reveal folders.
pub(crate) fn file_name(source: &str) -> String {
    let name = Path::new(source).file_name();
    name.map_or(source.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(20_778), (2026, 11, 21));
    }
}
