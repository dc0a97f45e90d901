//! Which texts make a column of numbers, of percentages, of dates or of categories.

use wald::data::MISSING_LEVEL;

use super::*;
use crate::notice::NoticeKind;
use crate::table::RowPlaces;

fn inferred(cells: &[&str]) -> Inferred {
    let mut column = TextCells::default();
    for text in cells {
        if cell::is_missing_text(text.as_bytes()) {
            column.push_missing();
        } else {
            column.push(text.as_bytes()).expect("valid text");
        }
    }
    let places = RowPlaces::Rows;
    let about = About {
        file: "f",
        column: "x",
        places: &places,
        decimal: b'.',
        infinite: Infinite::Refuse,
    };
    infer(column, &about)
}

fn kind(cells: &[&str]) -> &'static str {
    match inferred(cells).0 {
        Ok(Values::Numeric { integers: true, .. }) => "integers",
        Ok(Values::Numeric { .. }) => "numbers",
        Ok(Values::Text { .. }) => "text",
        Err(_) => "refused",
    }
}

#[test]
fn the_type_comes_from_all_cells() {
    assert_eq!(kind(&["1", "2", ""]), "integers");
    assert_eq!(kind(&["1", "2.5", "?"]), "numbers");
    assert_eq!(kind(&["", "NA"]), "numbers");
    assert_eq!(kind(&["a", "1", "b"]), "text");
    assert_eq!(kind(&["TRUE", "FALSE"]), "text");
    assert_eq!(kind(&["?", "?"]), "text");
    assert_eq!(kind(&["2020-01-01", "2020-01-02"]), "numbers");
    assert_eq!(kind(&["2020-01-01", "2020-01-02T00:00"]), "text");
    assert_eq!(kind(&["12:30", "12:45"]), "text");
    assert_eq!(kind(&["A12", "B7"]), "text");
    assert_eq!(kind(&["0x1F", "0x20"]), "text");
    assert_eq!(kind(&["<1", "<1", "2"]), "text");
}

#[test]
fn nearly_numeric_columns_are_refused() {
    assert_eq!(kind(&["1", "2", "3x"]), "refused");
    assert_eq!(kind(&["0", "1", "2", "3+"]), "refused");
    assert_eq!(kind(&["10%", "20"]), "refused");
    assert_eq!(kind(&["1,234", "999"]), "refused");
    assert_eq!(kind(&["1", "inf"]), "refused");
    assert_eq!(kind(&["1", "9007199254740993"]), "refused");
    assert_eq!(kind(&["1.5", "9007199254740993"]), "numbers");
}

#[test]
fn many_distinct_numbers_outweigh_one_frequent_word() {
    let numbers: Vec<String> = (0..30).map(|i| i.to_string()).collect();
    let mut cells: Vec<&str> = numbers.iter().map(String::as_str).collect();
    cells.extend(std::iter::repeat_n("unknown", 100));
    assert_eq!(kind(&cells), "integers");
}

#[test]
fn levels_are_sorted() {
    let (values, _) = inferred(&["b", "a", "", "b"]);
    let expected =
        Values::Text { levels: vec!["a".into(), "b".into()], codes: vec![1, 0, MISSING_LEVEL, 1] };
    assert_eq!(values, Ok(expected));
    let numbers = sorted_levels(vec!["10".into(), "9".into()], vec![0, 1]);
    assert_eq!(numbers, (vec!["9".into(), "10".into()], vec![1, 0]));
}

#[test]
fn remarks_name_suspicious_levels() {
    let kinds = |cells: &[&str]| inferred(cells).1.iter().map(|n| n.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&["a", "?"]), [NoticeKind::MissingLikeLevel]);
    assert_eq!(kinds(&["yes", "Yes"]), [NoticeKind::SimilarLevels]);
    assert_eq!(kinds(&["None", "Gravel"]), []);
    assert_eq!(kinds(&["1", "n/a"]), [NoticeKind::MissingSpelling]);
    assert_eq!(kinds(&["02139", "10001"]), [NoticeKind::PaddedNumbers]);
    assert_eq!(kinds(&["2020-01-01"]), [NoticeKind::Dates]);
}
