//! Random tables written as text are read back equal.

use proptest::prelude::*;
use wald_table::ReadOptions;

use crate::support::{cells, gzip, read_bytes, read_with};

/// How a table is written.
#[derive(Debug, Clone)]
struct Style {
    separator: u8,
    terminator: csv::Terminator,
    quotes: csv::QuoteStyle,
    gzip: bool,
    byte_order_mark: bool,
}

fn style() -> impl Strategy<Value = Style> {
    let terminator = prop_oneof![
        Just(csv::Terminator::CRLF),
        Just(csv::Terminator::Any(b'\n')),
        Just(csv::Terminator::Any(b'\r')),
    ];
    let quotes = prop_oneof![
        Just(csv::QuoteStyle::Always),
        Just(csv::QuoteStyle::Necessary),
        Just(csv::QuoteStyle::NonNumeric),
    ];
    let separator = prop_oneof![Just(b','), Just(b';'), Just(b'\t'), Just(b'|')];
    (separator, terminator, quotes, any::<bool>(), any::<bool>()).prop_map(
        |(separator, terminator, quotes, gzip, byte_order_mark)| Style {
            separator,
            terminator,
            quotes,
            gzip,
            byte_order_mark,
        },
    )
}

/// Texts with everything that delimited text finds hard, beginning with a letter.
fn text() -> impl Strategy<Value = String> {
    "[a-zé🙂][a-z ,;|\"'\n\r\tß]{0,6}[a-z]"
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<i32>().prop_map(f64::from),
        (-1e6..1e6_f64),
        any::<f64>().prop_filter("finite numbers only", |value| value.is_finite()),
    ]
}

fn written(names: &[String], rows: &[Vec<String>], style: &Style) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(style.separator)
        .terminator(style.terminator)
        .quote_style(style.quotes)
        .from_writer(Vec::new());
    writer.write_record(names).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    let mut bytes = writer.into_inner().unwrap();
    if style.byte_order_mark {
        bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
    }
    if style.gzip { gzip(&bytes) } else { bytes }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        ..ProptestConfig::default()
    })]

    #[test]
    fn tables_survive(
        rows in prop::collection::vec((number(), prop::option::of(text()), prop::option::of(number())), 1..30),
        style in style(),
    ) {
        let names = ["number", "some, \"text\"", "gaps"].map(str::to_owned);
        let optional = |value: &Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
        let cells_of = |(number, text, gap): &(f64, Option<String>, Option<f64>)| {
            vec![format!("{number:?}"), text.clone().unwrap_or_default(), optional(gap)]
        };
        let table: Vec<Vec<String>> = rows.iter().map(cells_of).collect();
        let read = read_bytes(&written(&names, &table, &style)).unwrap();
        prop_assert_eq!(read.n_rows(), rows.len());
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
        let expected: Vec<String> = rows.iter().map(|row| shown(Some(row.0))).collect();
        prop_assert_eq!(cells(&read, "number"), expected);
        let expected: Vec<String> = rows.iter().map(|row| row.1.clone().unwrap_or("-".into())).collect();
        prop_assert_eq!(cells(&read, &names[1]), expected);
        let expected: Vec<String> = rows.iter().map(|row| shown(row.2)).collect();
        prop_assert_eq!(cells(&read, "gaps"), expected);
    }

    #[test]
    fn any_text_survives_when_called_categorical(
        texts in prop::collection::vec("[ -~éß🙂\n\r\t]{0,8}", 1..20),
        style in style(),
    ) {
        let style = Style { quotes: csv::QuoteStyle::Always, ..style };
        let names = ["a".to_owned(), "b".to_owned()];
        let table: Vec<Vec<String>> = texts.iter().map(|text| vec![text.clone(), "x".into()]).collect();
        let options = ReadOptions { categorical: vec!["a".into()], ..Default::default() };
        let read = read_with(&written(&names, &table, &style), &options).unwrap();
        let is_missing = |text: &str| text.is_empty() || text == "NA";
        let shown = |text: &String| if is_missing(text) { "-".to_owned() } else { text.clone() };
        prop_assert_eq!(cells(&read, "a"), texts.iter().map(shown).collect::<Vec<_>>());
    }

    #[test]
    fn random_bytes_end_in_a_table_or_a_message(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Err(error) = read_bytes(&bytes) {
            prop_assert!(!error.what.is_empty());
        }
    }

    #[test]
    fn random_marks_end_in_a_table_or_a_message(text in "[ab1.,;\"'\n\r\t| ]{0,80}") {
        if let Err(error) = read_bytes(text.as_bytes()) {
            prop_assert!(!error.help.is_empty() || error.line.is_some(), "{error:?}");
        }
    }
}
