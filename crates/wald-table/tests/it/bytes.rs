//! What a file is made of: encodings, compression, line ends, quotes, and files that are no table.

use std::io::Write;
use std::path::Path;

use wald_table::{ErrorClass, ReadOptions, read};

use crate::support::{assert_told, cells, gzip, read_bytes, read_with, zstd};

const PLAIN: &[u8] = b"a,b\n1,x\n2,y\n";

fn refused(bytes: &[u8], parts: &[&str]) {
    let error = read_bytes(bytes).unwrap_err();
    assert_eq!(error.class, ErrorClass::BadData);
    assert!(error.file.is_some(), "the file is not named: {error:?}");
    assert!(!error.help.is_empty());
    assert_told(&error, parts);
}

fn is_plain(bytes: &[u8], note: &str) {
    let table = read_bytes(bytes).unwrap();
    assert_eq!(cells(&table, "a"), ["1", "2"]);
    assert_eq!(cells(&table, "b"), ["x", "y"]);
    assert!(
        table.notes().iter().any(|line| line.contains(note)) || note.is_empty(),
        "{:?}",
        table.notes()
    );
    assert!(!note.is_empty() || table.notes().is_empty(), "{:?}", table.notes());
}

#[test]
fn empty_files_are_told() {
    refused(b"", &["the file is empty"]);
    refused(&gzip(b""), &["the file is empty"]);
    refused(b"\n\n \n", &["only blank lines"]);
    refused(b"a,b\n", &["header but no rows"]);
    refused(b"a,b", &["header but no rows"]);
    refused(b"\xef\xbb\xbf", &["blank lines"]);
}

#[test]
fn encodings_are_recognised() {
    is_plain(PLAIN, "");
    is_plain(b"\xef\xbb\xbfa,b\n1,x\n2,y\n", "byte order mark");
    let text = "a,b\n1,x\n2,y\n";
    let little: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> =
        [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    is_plain(&little, "UTF-16");
    is_plain(&big, "UTF-16");
    let table = read_bytes(b"a,b\n1,caf\xe9\n2,\x80\n").unwrap();
    assert_eq!(cells(&table, "b"), ["café", "€"]);
    assert_eq!(
        table.notes(),
        ["line 2 is not valid UTF-8: the file is read as Windows-1252 (Latin-1)"]
    );
    let table = read_bytes(b"a,\xe9t\xe9\n1,x\n").unwrap();
    assert_eq!(cells(&table, "été"), ["x"]);
    refused(b"\xff\xfe,\0a\0\0\xd8,\0\n\0", &["damaged UTF-16"]);
}

#[test]
fn latin1_far_behind_the_first_lines_is_found() {
    let mut bytes = b"a,b\n".to_vec();
    for _ in 0..300_000 {
        bytes.extend_from_slice(b"1,plain\n");
    }
    bytes.extend_from_slice(b"1,caf\xe9\n");
    let table = read_bytes(&bytes).unwrap();
    assert!(table.notes()[0].starts_with("line 300002 is not valid UTF-8"), "{:?}", table.notes());
    assert_eq!(cells(&table, "b")[300_000], "café");
}

#[test]
fn binary_files_are_told() {
    refused(b"a,b\n1,\0\n", &["NUL bytes", "line 2"]);
    refused(b"a\0,\0b\0\n\0", &["NUL bytes", "UTF-16"]);
    refused(b"PK\x03\x04rest of a workbook", &["Excel workbook", "save the sheet as CSV"]);
    refused(b"\x28\xb5\x2f\xfdrest", &["the zstd file"]);
    refused(&gzip(b"PAR1...."), &["Parquet file inside gzip"]);
    refused(&zstd(b"ARROW1\0\0"), &["Arrow file inside gzip or zstd"]);
    refused(b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", &["web page", "line 1"]);
    refused(b"[{\"a\": 1}]", &["JSON"]);
}

#[test]
fn a_nul_far_behind_is_found() {
    let mut bytes = b"a,b\n".to_vec();
    for _ in 0..300_000 {
        bytes.extend_from_slice(b"1,plain\n");
    }
    bytes.extend_from_slice(b"1,\0\n");
    refused(&bytes, &["NUL bytes", "line 300002"]);
}

#[test]
fn gzip_may_have_members_but_not_be_cut() {
    is_plain(&gzip(PLAIN), "gzip");
    let mut two = gzip(b"a,b\n1,x\n");
    two.extend(gzip(b"2,y\n"));
    is_plain(&two, "gzip");
    let long: Vec<u8> = b"a,b\n".iter().copied().chain(b"1,x\n".repeat(10_000)).collect();
    let whole = gzip(&long);
    for cut in [20, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
        let error = read_bytes(&whole[..cut]).unwrap_err();
        assert_eq!(error.class, ErrorClass::BadData);
        assert_told(&error, &["the gzip file ends too early", "get or write the file again"]);
    }
    let mut broken = whole.clone();
    let middle = broken.len() - 6;
    broken[middle] ^= 1;
    assert_told(&read_bytes(&broken).unwrap_err(), &["the gzip file is damaged"]);
    assert_told(
        &read_bytes(&[whole, b"something that is no gzip".to_vec()].concat()).unwrap_err(),
        &["the gzip file is damaged"],
    );
}

#[test]
fn zstd_may_have_frames_but_not_be_cut() {
    is_plain(&zstd(PLAIN), "zstd");
    is_plain(&[zstd(b"a,b\n1,x\n"), zstd(b"2,y\n")].concat(), "zstd");
    refused(&zstd(b""), &["the file is empty"]);
    let long: Vec<u8> =
        (0..10_000_u32).flat_map(|i| format!("{i},{}\n", i * i % 97).into_bytes()).collect();
    let whole = zstd(&long);
    for cut in [20, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
        refused(&whole[..cut], &["the zstd file ends too early", "get or write the file again"]);
    }
    let mut broken = whole.clone();
    broken[whole.len() - 2] ^= 1;
    refused(&broken, &["the zstd file is damaged"]);
    let joined = [whole, b"something that is not zstd".to_vec()].concat();
    refused(&joined, &["the zstd file is damaged"]);
}

#[test]
fn cells_that_pieces_cut_are_read_whole() {
    // Quotes, doubled quotes and line ends stand at all places of a piece of 256 kB.
    let text = |i: usize| format!("{}\"\r\n\"{}", "x".repeat(i % 13), "é".repeat(i % 7));
    let rows = 60_000;
    for (shift, end) in ["\r\n", "\n", "\r"].into_iter().enumerate() {
        let mut bytes = format!("a{},b{end}", "a".repeat(shift)).into_bytes();
        for i in 0..rows {
            let quoted = text(i).replace('"', "\"\"");
            bytes.extend_from_slice(format!("{i},  \"{quoted}\" {end}").as_bytes());
        }
        let table = read_bytes(&bytes).unwrap();
        let read = cells(&table, "b");
        assert_eq!(read.len(), rows);
        assert!((0..rows).all(|i| read[i] == text(i)));
        // Every row holds a line end.
        assert_eq!(table.place(rows - 1).to_string(), format!("line {}", 2 * rows));
    }
}

#[test]
fn all_line_ends_are_read() {
    is_plain(b"a,b\r\n1,x\r\n2,y\r\n", "");
    is_plain(b"a,b\r1,x\r2,y\r", "");
    is_plain(b"a,b\n1,x\n2,y", "");
    is_plain(b"a,b\r\n1,x\r\n2,y", "");
    is_plain(b"a,b\n1,x\n\n2,y\n\n", "empty lines");
    is_plain(b"a,b\n1,x\n2,y\r", "");
    is_plain(b" a , b \n 1 , x\n2 ,\ty \n", "");
}

#[test]
fn quoted_cells_may_hold_anything() {
    let table =
        read_bytes(b"a,\"b,c\"\n1,\"two\nlines, and \"\"quotes\"\"\"\n\"2\",\" padded \"\n")
            .unwrap();
    assert_eq!(cells(&table, "b,c"), ["two\nlines, and \"quotes\"", " padded "]);
    assert_eq!(cells(&table, "a"), ["1", "2"]);
    let table = read_bytes(b"a,b\n1,5'10\"\n2,x\"y\"z\n").unwrap();
    assert_eq!(cells(&table, "b"), ["5'10\"", "x\"y\"z"]);
    let table = read_bytes(b"a,b\n'1','it, is'\n'2','y'\n").unwrap();
    assert_eq!(cells(&table, "b"), ["it, is", "y"]);
    assert_eq!(table.notes(), ["cells are quoted by apostrophes"]);
}

#[test]
fn lines_are_physical_lines() {
    let error = read_bytes(b"a,b\n1,\"x\ny\r\nz\"\n\n2,w,3\n").unwrap_err();
    assert_told(&error, &["3 cells where the header has 2", "line 6"]);
    let error = read_bytes(b"a,b\r1,\"x\ry\"\r2\r").unwrap_err();
    assert_told(&error, &["1 cell where the header has 2", "line 4"]);
}

#[test]
fn unclosed_quotes_name_the_opening_line() {
    refused(b"a,b\n1,x\n2,\"y\n3,z\n4,w\n", &["a quote opens here and is never closed", "line 3"]);
    refused(
        b"a,b\n1,\"x\n2,\"y\"\n",
        &["a quote opens here, and text follows where it closes on line 3", "line 2"],
    );
    refused(b"a,b\n1,\"x\"y\n", &["text follows a closing quote", "line 2"]);
}

#[test]
fn paths_that_are_no_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = read(folder.path(), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.class.exit_code(), 5);
    assert_told(&error, &["a folder"]);
    let error = read(&folder.path().join("none.csv"), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.class.exit_code(), 5);
    assert_told(&error, &["there is no such file"]);
    assert!(error.file.unwrap().ends_with("none.csv"));
}

#[test]
#[cfg(unix)]
fn pipes_are_read_although_they_cannot_be_rewound() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let path = pipe.clone();
    let writer = std::thread::spawn(move || {
        std::fs::OpenOptions::new().write(true).open(path).unwrap().write_all(PLAIN).unwrap();
    });
    let table = read(&pipe, &ReadOptions::default()).unwrap();
    writer.join().unwrap();
    assert_eq!(cells(&table, "b"), ["x", "y"]);
}

#[test]
fn reading_stops_when_asked() {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let options = ReadOptions { stop: Some(stop), ..Default::default() };
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(PLAIN).unwrap();
    let error = read(file.path(), &options).unwrap_err();
    assert_eq!(error.class, ErrorClass::Interrupted);
    assert_eq!(read(Path::new("-"), &options).unwrap_err().class, ErrorClass::Interrupted);
}

#[test]
fn a_table_larger_than_memory_is_refused_while_it_is_read() {
    let text = format!("a,b\n{}", "1,x\n".repeat(400_000));
    let read = |memory| read_with(text.as_bytes(), &ReadOptions { memory, ..Default::default() });
    assert_eq!(read(Some(16 << 20)).unwrap().n_rows(), 400_000);
    let error = read(Some(2 << 20)).unwrap_err();
    assert_eq!(error.class.exit_code(), 6);
    assert_told(&error, &["needs more memory than is free", "use a sample of the rows"]);
}

#[test]
fn a_line_of_separators_without_end_is_refused_by_its_beginning() {
    let error = read_bytes(&gzip(&vec![b','; 8 << 20])).unwrap_err();
    assert_told(&error, &["the first line is longer than 1 MB", "line 1"]);
    // Rows without text are many cells, too.
    let text = format!("a,b,c\n{}", ",,\n".repeat(300_000));
    assert_eq!(read_bytes(text.as_bytes()).unwrap().n_rows(), 300_000);
}

#[cfg(unix)]
#[test]
fn a_stream_without_end_is_refused_by_its_beginning() {
    let error = read(std::path::Path::new("/dev/zero"), &ReadOptions::default()).unwrap_err();
    assert_told(&error, &["NUL bytes"]);
}
