//! Arrow files, whole and damaged.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, Date64Array, Decimal128Array, DictionaryArray, DurationSecondArray,
    FixedSizeBinaryArray, Float64Array, Int8Array, Int32Array, Int64Array, LargeStringArray,
    ListArray, NullArray, RecordBatch, StringArray, StringViewArray, StructArray,
    Time32SecondArray, TimestampMillisecondArray, UInt64Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field};
use wald_table::{NoticeKind, ReadOptions, Values};

use crate::support::{assert_told, cells, read_bytes, read_with, refusal};

fn file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let schema = batches[0].schema();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

/// Three rows of every type.
fn every_type() -> RecordBatch {
    // One level is missing among the levels, one row among the codes.
    let levels: ArrayRef = Arc::new(StringArray::from(vec![Some("b"), None, Some("NA")]));
    let codes = Int8Array::from(vec![Some(2), Some(1), None]);
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![7, 5]));
    let of_numbers = Int32Array::from(vec![1, 0, 1]);
    let prices = Decimal128Array::from(vec![Some(123), Some(-5), None]);
    let raw = FixedSizeBinaryArray::try_from_iter([b"ab", b"cd", b"ef"].into_iter()).unwrap();
    batch(vec![
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("count", Arc::new(UInt64Array::from(vec![1, 4_294_967_295, 3]))),
        ("id", Arc::new(Int64Array::from(vec![1, 9_007_199_254_740_993, 3]))),
        ("size", Arc::new(Float64Array::from(vec![Some(1.5), Some(f64::NAN), None]))),
        ("name", Arc::new(StringArray::from(vec![Some("b"), None, Some("NA")]))),
        ("large", Arc::new(LargeStringArray::from(vec!["b", "a", "b"]))),
        ("view", Arc::new(StringViewArray::from(vec!["b", "a text that is not short", "b"]))),
        ("level", Arc::new(DictionaryArray::<Int8Type>::try_new(codes, levels).unwrap())),
        ("number", Arc::new(DictionaryArray::<Int32Type>::try_new(of_numbers, numbers).unwrap())),
        ("day", Arc::new(Date64Array::from(vec![0, 86_400_000, -1]))),
        ("moment", Arc::new(TimestampMillisecondArray::from(vec![0, 1500, -1000]))),
        ("time", Arc::new(Time32SecondArray::from(vec![0, 60, 3600]))),
        ("duration", Arc::new(DurationSecondArray::from(vec![5, 6, 7]))),
        ("price", Arc::new(prices.with_precision_and_scale(9, 2).unwrap())),
        ("digits", Arc::new(StringArray::from(vec!["10", "9", "9"]))),
        ("nothing", Arc::new(NullArray::new(3))),
        ("raw", Arc::new(raw)),
    ])
}

#[test]
fn every_flat_type_is_read() {
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let table = read_bytes(&file(&[every_type()], compression)).unwrap();
        assert_eq!(table.n_rows(), 3);
        assert_eq!(table.notes(), ["the file is an Arrow file"]);
        let expected = [
            ("flag", ["true", "-", "false"]),
            ("count", ["1", "4294967295", "3"]),
            ("size", ["1.5", "-", "-"]),
            ("name", ["b", "-", "NA"]),
            ("large", ["b", "a", "b"]),
            ("view", ["b", "a text that is not short", "b"]),
            ("level", ["NA", "-", "-"]),
            ("number", ["5", "7", "5"]),
            ("day", ["0", "1", "-1"]),
            ("moment", ["0", "1.5", "-1"]),
            ("time", ["0", "60", "3600"]),
            ("duration", ["5", "6", "7"]),
            ("price", ["1.23", "-0.05", "-"]),
            ("digits", ["10", "9", "9"]),
            ("nothing", ["-", "-", "-"]),
        ];
        for (name, values) in expected {
            assert_eq!(cells(&table, name), values, "{name}");
        }
        let kind = |name: &str| table.column(name).unwrap().notices[0].kind;
        assert_eq!(kind("day"), NoticeKind::Dates);
        assert_eq!(kind("time"), NoticeKind::Dates);
        assert_eq!(kind("digits"), NoticeKind::NumbersAsText);
    }
}

#[test]
fn levels_of_batches_are_one_column() {
    let levels = |texts: &[&str]| -> ArrayRef {
        Arc::new(texts.iter().copied().collect::<DictionaryArray<Int32Type>>())
    };
    let plain = |texts: &[&str]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
    let batches = [batch(vec![("a", plain(&["y", "x"]))]), batch(vec![("a", plain(&["z", "x"]))])];
    assert_eq!(cells(&read_bytes(&file(&batches, None)).unwrap(), "a"), ["y", "x", "z", "x"]);
    let same = batch(vec![("a", levels(&["y", "x", "y"]))]);
    let table = read_bytes(&file(&[same.clone(), same.slice(0, 0), same], None)).unwrap();
    assert_eq!(cells(&table, "a"), ["y", "x", "y", "y", "x", "y"]);
}

#[test]
fn columns_that_cannot_be_used_are_told_when_used() {
    let bytes = file(&[every_type()], None);
    let table = read_bytes(&bytes).unwrap();
    let parts =
        ["integers above 2^53", "row 2", "value 9007199254740993", "`categorical = \"id\"`"];
    assert_told(&refusal(&table, "id"), &parts);
    assert_told(&refusal(&table, "raw"), &["raw bytes", "column raw", "`exclude`"]);
    let options = ReadOptions { categorical: vec!["id".into()], ..Default::default() };
    let forced = read_with(&bytes, &options).unwrap();
    assert_eq!(cells(&forced, "id"), ["1", "9007199254740993", "3"]);
}

#[test]
fn nested_columns_are_named() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)]), None]);
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let field = Arc::new(Field::new("x", DataType::Int32, true));
    let table = batch(vec![
        ("list", Arc::new(list)),
        ("structure", Arc::new(StructArray::from(vec![(field, inner.clone())]))),
        ("b", inner),
    ]);
    let table = read_bytes(&file(&[table], None)).unwrap();
    assert_told(&refusal(&table, "list"), &["column \"list\" is nested", "`exclude`"]);
    assert_told(&refusal(&table, "structure"), &["column \"structure\" is nested"]);
    assert_eq!(cells(&table, "b"), ["1", "2"]);
}

#[test]
fn files_without_rows_or_sense_are_told() {
    assert_told(
        &read_bytes(&file(&[every_type().slice(0, 0)], None)).unwrap_err(),
        &["columns but no rows"],
    );
    for bytes in [&b"ARROW1"[..], b"ARROW1\0\0ARROW1", b"ARROW1\0\0\xff\xff\xff\x7fARROW1"] {
        let error = read_bytes(bytes).unwrap_err();
        assert_eq!(error.class.exit_code(), 3);
        assert_told(&error, &["the Arrow file cannot be read", "write the file again"]);
    }
    let mut stream = StreamWriter::try_new(Vec::new(), &every_type().schema()).unwrap();
    stream.write(&every_type()).unwrap();
    let stream = stream.into_inner().unwrap();
    assert_told(&read_bytes(&stream).unwrap_err(), &["stream of Arrow", "an Arrow file"]);
    assert_told(&read_bytes(b"FEA1....").unwrap_err(), &["Feather file of version 1"]);
}

#[test]
fn damaged_files_end_in_a_table_or_a_message() {
    for compression in [None, Some(CompressionType::LZ4_FRAME)] {
        let whole = file(&[every_type()], compression);
        for cut in (6..whole.len()).step_by(97) {
            assert!(read_bytes(&whole[..cut]).is_err(), "cut at {cut}");
        }
        // Bytes set to extreme values: lengths, counts, types and offsets lie in turn.
        for position in (8..whole.len()).step_by(3) {
            let mut bytes = whole.clone();
            bytes[position] = [0x00, 0x7f, 0xff][position / 3 % 3];
            if let Err(error) = read_bytes(&bytes) {
                assert!(!error.help.is_empty(), "{error:?}");
            }
        }
    }
}

#[test]
fn tables_are_the_same_in_all_formats() {
    let csv = read_bytes(include_bytes!("../fixtures/formats.csv")).unwrap();
    let zstd = read_bytes(include_bytes!("../fixtures/formats.csv.zst")).unwrap();
    let parquet = read_bytes(include_bytes!("../fixtures/formats.parquet")).unwrap();
    let feather = read_bytes(include_bytes!("../fixtures/formats.feather")).unwrap();
    assert_eq!(csv.n_rows(), 200);
    for (other, format) in [(&zstd, "zstd"), (&parquet, "Parquet"), (&feather, "Arrow")] {
        assert!(other.notes()[0].contains(format), "{:?}", other.notes());
        assert!(csv.names().eq(other.names()));
        for (left, right) in csv.columns().iter().zip(other.columns()) {
            assert_eq!(bits(&left.values), bits(&right.values), "{}", left.name);
        }
    }
}

fn bits<E: std::fmt::Debug>(values: &Result<Values, E>) -> (Vec<u64>, Vec<String>) {
    match values.as_ref().unwrap() {
        Values::Numeric { values, integers } => {
            (values.iter().map(|value| value.to_bits()).collect(), vec![integers.to_string()])
        }
        Values::Text { levels, codes } => {
            (codes.iter().map(|&code| code.into()).collect(), levels.clone())
        }
    }
}
