//! ISO 8601 dates and times as numbers.

/// A cell that holds a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    /// Days since 1970-01-01.
    Day(f64),
    /// Seconds since 1970-01-01 00:00, without time zone.
    Second(f64),
}

/// Reads `2020-01-31` and `2020-01-31T12:30:00.5Z` (or with a blank instead of `T`).
///
/// Offsets such as `+02:00` are not read: they would need all rows to be compared in one zone.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let date = text.get(..10)?;
    let day = day_number(date)?;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(Moment::Day(day));
    }
    let time = rest.strip_prefix(['T', ' '])?;
    let time = time.strip_suffix('Z').unwrap_or(time);
    Some(Moment::Second(day * 86_400.0 + second_of_day(time)?))
}

fn day_number(date: &str) -> Option<f64> {
    let bytes = date.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = digits(&date[..4])?;
    let month = digits(&date[5..7])?;
    let day = digits(&date[8..])?;
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        _ => return None,
    };
    if day < 1 || day > longest {
        return None;
    }
    // Days from civil date, counting years from March so that leap days come last (Hinnant).
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some((era * 146_097 + day_of_era - 719_468) as f64)
}

fn second_of_day(time: &str) -> Option<f64> {
    let mut parts = time.split(':');
    let hour = digits(parts.next().filter(|part| part.len() == 2)?)?;
    let minute = digits(parts.next().filter(|part| part.len() == 2)?)?;
    let second = match parts.next() {
        None => 0.0,
        Some(part) => {
            let whole = digits(part.get(..2)?)?;
            let fraction = &part[2..];
            if !fraction.is_empty() {
                digits(fraction.strip_prefix('.')?)?;
            }
            if whole > 59 {
                return None;
            }
            part.parse().ok()?
        }
    };
    let in_range = hour < 24 && minute < 60 && parts.next().is_none();
    in_range.then(|| (hour * 3600 + minute * 60) as f64 + second)
}

/// Digits and nothing else; `parse` alone would accept a sign.
fn digits(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 18 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_from_1970() {
        assert_eq!(moment("1970-01-01"), Some(Moment::Day(0.0)));
        assert_eq!(moment("2000-03-01"), Some(Moment::Day(11_017.0)));
        assert_eq!(moment("1969-12-31"), Some(Moment::Day(-1.0)));
        assert_eq!(moment("2024-02-29"), Some(Moment::Day(19_782.0)));
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(moment("1970-01-02T00:00:01Z"), Some(Moment::Second(86_401.0)));
        assert_eq!(moment("1970-01-01 12:30"), Some(Moment::Second(45_000.0)));
        assert_eq!(moment("1970-01-01 00:00:00.25"), Some(Moment::Second(0.25)));
    }

    #[test]
    fn impossible_and_other_dates_are_text() {
        for text in [
            "2023-02-29",
            "2020-13-01",
            "2020-00-10",
            "01/02/2020",
            "2020-1-1",
            "2020-01-01T25:00",
            "2020-01-01T12:00+02:00",
            "2020-01-01x",
            "20200101",
            "+020-01-01",
            "2020-01-01 1:2",
            "é020-01-01",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
