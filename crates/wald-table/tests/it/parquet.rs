//! Parquet files, whole and damaged.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArrayType, Int32Type, Int64Type,
    Int96, Int96Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use wald_table::{DesignOptions, NoticeKind, ReadOptions, prepare};

use crate::support::{assert_told, cells, read_bytes, read_with, refusal};

const SCHEMA: &str = "message table {
    OPTIONAL BOOLEAN flag;
    REQUIRED INT32 count (INTEGER(32,false));
    REQUIRED INT64 id;
    OPTIONAL DOUBLE size;
    OPTIONAL BYTE_ARRAY name (STRING);
    REQUIRED INT32 day (DATE);
    REQUIRED INT64 moment (TIMESTAMP(MICROS,true));
    REQUIRED INT32 price (DECIMAL(9,2));
    REQUIRED FIXED_LEN_BYTE_ARRAY (4) raw;
    REQUIRED BYTE_ARRAY digits (STRING);
    REQUIRED INT96 old;
}";

/// Three rows of every type.
fn file(compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let bytes =
        |texts: &[&str]| texts.iter().map(|text| ByteArray::from(*text)).collect::<Vec<_>>();
    macro_rules! column {
        ($kind:ty, $values:expr, $levels:expr) => {
            let mut column = group.next_column().unwrap().unwrap();
            let levels: Option<&[i16]> = $levels;
            column.typed::<$kind>().write_batch(&$values, levels, None).unwrap();
            column.close().unwrap();
        };
    }
    column!(BoolType, [true, false], Some(&[1, 0, 1]));
    column!(Int32Type, [1, -1, 3], None);
    column!(Int64Type, [1, 9_007_199_254_740_993, 3], None);
    column!(DoubleType, [1.5, f64::NAN], Some(&[1, 1, 0]));
    column!(ByteArrayType, bytes(&["b", "NA"]), Some(&[1, 0, 1]));
    column!(Int32Type, [0, 1, -1], None);
    column!(Int64Type, [0, 1_500_000, -1_000_000], None);
    column!(Int32Type, [123, -5, 0], None);
    let raw: Vec<_> = [1_u8, 2, 3].map(|i| ByteArray::from(vec![i; 4]).into()).to_vec();
    column!(FixedLenByteArrayType, raw, None);
    column!(ByteArrayType, bytes(&["10", "9", "9"]), None);
    // Nanoseconds of a day, the lower half first, and a day that starts in 4713 BC; a billionth of a
    // second before and after 1970, and a quarter of the second day.
    let moment =
        |of_day: u64, day: u32| Int96::from(vec![of_day as u32, (of_day >> 32) as u32, day]);
    let day = 86_400_000_000_000;
    let old = [moment(day - 1, 2_440_587), moment(1, 2_440_588), moment(day / 4, 2_440_589)];
    column!(Int96Type, old, None);
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn written(schema: &str, rows: &[i32]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    if !rows.is_empty() {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            let levels = vec![1; rows.len()];
            let repeated = vec![0; rows.len()];
            column.typed::<Int32Type>().write_batch(rows, Some(&levels), Some(&repeated)).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn every_flat_type_is_read() {
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(parquet::basic::GzipLevel::default()),
        Compression::ZSTD(parquet::basic::ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::BROTLI(parquet::basic::BrotliLevel::default()),
    ] {
        let table = read_bytes(&file(compression)).unwrap();
        assert_eq!(table.n_rows(), 3);
        assert_eq!(cells(&table, "flag"), ["true", "-", "false"]);
        assert_eq!(cells(&table, "count"), ["1", "4294967295", "3"]);
        assert_eq!(cells(&table, "size"), ["1.5", "-", "-"]);
        assert_eq!(cells(&table, "name"), ["b", "-", "NA"]);
        assert_eq!(cells(&table, "day"), ["0", "1", "-1"]);
        assert_eq!(cells(&table, "moment"), ["0", "1.5", "-1"]);
        assert_eq!(cells(&table, "price"), ["1.23", "-0.05", "0"]);
        assert_eq!(cells(&table, "digits"), ["10", "9", "9"]);
        assert_eq!(cells(&table, "old"), ["-0.000000001", "0.000000001", "108000"]);
        let kind = |name: &str| table.column(name).unwrap().notices[0].kind;
        assert_eq!(kind("day"), NoticeKind::Dates);
        assert_eq!(kind("moment"), NoticeKind::Dates);
        assert_eq!(kind("digits"), NoticeKind::NumbersAsText);
    }
}

#[test]
fn columns_that_cannot_be_used_are_told_when_used() {
    let table = read_bytes(&file(Compression::UNCOMPRESSED)).unwrap();
    assert_told(
        &refusal(&table, "id"),
        &["integers above 2^53", "row 2", "value 9007199254740993", "`categorical = \"id\"`"],
    );
    assert_told(&refusal(&table, "raw"), &["raw bytes", "column raw", "`exclude`"]);
    let options =
        ReadOptions { categorical: vec!["id".into(), "count".into()], ..Default::default() };
    let forced = read_with(&file(Compression::UNCOMPRESSED), &options).unwrap();
    assert_eq!(cells(&forced, "id"), ["1", "9007199254740993", "3"]);
    assert_eq!(cells(&forced, "count"), ["1", "4294967295", "3"]);
    let design = DesignOptions {
        target: Some("price".into()),
        exclude: vec!["id".into(), "raw".into()],
        ..Default::default()
    };
    assert_eq!(prepare(table, &design).unwrap().dataset.n_features(), 8);
}

#[test]
fn nested_columns_are_named() {
    let bytes = written(
        "message t { OPTIONAL group list { OPTIONAL INT32 a; } OPTIONAL INT32 b; REPEATED INT32 c; }",
        &[1, 2],
    );
    let table = read_bytes(&bytes).unwrap();
    assert_told(&refusal(&table, "list"), &["column \"list\" is nested", "`exclude`"]);
    assert_told(&refusal(&table, "c"), &["column \"c\" is nested"]);
    assert_eq!(cells(&table, "b"), ["1", "2"]);
}

#[test]
fn files_without_rows_or_sense_are_told() {
    let empty = written("message t { OPTIONAL INT32 a; }", &[]);
    assert_told(&read_bytes(&empty).unwrap_err(), &["columns but no rows"]);
    for bytes in
        [&b"PAR1"[..], b"PAR1PAR1", b"PAR1\0\0\0\0\xff\xff\xff\x7fPAR1", b"PAR1 and then text"]
    {
        let error = read_bytes(bytes).unwrap_err();
        assert_eq!(error.class.exit_code(), 3);
        assert_told(&error, &["the Parquet file cannot be read", "write the file again"]);
    }
}

#[test]
fn damaged_files_end_in_a_table_or_a_message() {
    let whole = file(Compression::SNAPPY);
    for cut in (4..whole.len()).step_by(7) {
        assert!(read_bytes(&whole[..cut]).is_err(), "cut at {cut}");
    }
    // Every byte set to an extreme value: lengths, counts, types and offsets lie in turn.
    for position in 4..whole.len() {
        for value in [0x00, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[position] = value;
            if let Err(error) = read_bytes(&bytes) {
                assert!(!error.help.is_empty(), "{error:?}");
            }
        }
    }
}

#[test]
fn a_flipped_bit_in_a_page_with_a_checksum_is_found() {
    let whole = include_bytes!("../fixtures/page_checksums.parquet");
    let table = read_bytes(whole).unwrap();
    assert_eq!(cells(&table, "x"), ["1.5", "2.5", "3.5", "4.5"]);
    let value = 3.5_f64.to_le_bytes();
    let at = whole.windows(8).position(|bytes| bytes == value).unwrap();
    for bit in 0..64 {
        let mut damaged = whole.to_vec();
        damaged[at + bit / 8] ^= 1 << (bit % 8);
        let error = read_bytes(&damaged).unwrap_err();
        assert_eq!(error.class, wald_table::ErrorClass::BadData);
        assert_told(&error, &["the Parquet file cannot be read", "CRC", "column x"]);
    }
}
