//! The type of a file, detected by its first bytes rather than by its name.

use crate::error::TableError;

/// How a file has to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    /// Text, perhaps.
    Plain,
    /// Text, compressed.
    Packed(Packing),
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow, which is Feather of version 2.
    Arrow,
}

/// How a text file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Byte encodings of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 with a byte order mark.
    MarkedUtf8,
    /// UTF-16, lower byte first.
    Utf16Little,
    /// UTF-16, upper byte first.
    Utf16Big,
    /// Western European, for bytes that are not UTF-8.
    Windows1252,
}

/// First bytes of formats that are not read, their names, and what to do about them.
const FOREIGN: [(&[u8], &str, &str); 12] = [
    (
        b"PK\x03\x04",
        "a zip archive or an Excel workbook",
        "save the sheet as CSV, or unpack the archive",
    ),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"),
    (b"BZh", "a bzip2 file", "unpack it first, or compress with gzip or zstd"),
    (b"\xfd7zXZ\0", "an xz file", "unpack it first, or compress with gzip or zstd"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it first"),
    (b"FEA1", "a Feather file of version 1", "write it in version 2, or as CSV"),
    (b"\xff\xff\xff\xff", "a stream of Arrow", "write it as an Arrow file, or as CSV"),
    (b"\x89HDF", "an HDF5 file", "write the table as Parquet or CSV"),
    (b"SQLite format 3", "an SQLite database", "write the table as CSV"),
    (b"\x93NUMPY", "a NumPy array", "write it as CSV with a header"),
    (b"%PDF", "a PDF document", "save the table as CSV"),
    (b"$FL2", "an SPSS file", "write the table as CSV"),
];

impl Container {
    /// Detects the container by the first bytes of the file.
    pub(crate) fn of(head: &[u8]) -> Result<Self, TableError> {
        if head.is_empty() {
            return Err(TableError::data("the file is empty", "give a table with a header line"));
        }
        if head.starts_with(&[0x1f, 0x8b]) {
            return Ok(Self::Packed(Packing::Gzip));
        }
        if head.starts_with(b"\x28\xb5\x2f\xfd") {
            return Ok(Self::Packed(Packing::Zstd));
        }
        if head.starts_with(b"ARROW1") {
            return Ok(Self::Arrow);
        }
        if head.starts_with(b"PAR1") {
            return Ok(Self::Parquet);
        }
        if head.starts_with(b"PARE") {
            return Err(TableError::data(
                "the file is an encrypted Parquet file",
                "write it without encryption",
            ));
        }
        refuse_foreign(head)?;
        Ok(Self::Plain)
    }
}

/// Refuses files of other programs, by name.
pub(crate) fn refuse_foreign(head: &[u8]) -> Result<(), TableError> {
    for (magic, name, help) in FOREIGN {
        if head.starts_with(magic) {
            return Err(TableError::data(
                format!("the file is {name}, not a CSV, Parquet or Arrow table"),
                help,
            ));
        }
    }
    Ok(())
}

impl Encoding {
    /// Detects the encoding by a byte order mark; without one it is UTF-8 until proven
    /// otherwise.
    pub(crate) fn of(head: &[u8]) -> Self {
        match head {
            [0xef, 0xbb, 0xbf, ..] => Self::MarkedUtf8,
            [0xff, 0xfe, ..] => Self::Utf16Little,
            [0xfe, 0xff, ..] => Self::Utf16Big,
            _ => Self::Utf8,
        }
    }
}

/// Refuses bytes with which no table begins.
pub(crate) fn judge(head: &[u8]) -> Result<(), TableError> {
    match (Container::of(head)?, Encoding::of(head)) {
        (Container::Plain, Encoding::Utf8 | Encoding::MarkedUtf8) => refuse_other_text(head),
        _ => Ok(()),
    }
}

/// Refuses decoded text that cannot be a table: binary data, web pages, JSON.
pub(crate) fn refuse_other_text(sample: &[u8]) -> Result<(), TableError> {
    refuse_foreign(sample)?;
    for (magic, name) in [(&b"PAR1"[..], "a Parquet file"), (b"ARROW1", "an Arrow file")] {
        if sample.starts_with(magic) {
            let what = format!("the file is {name} inside gzip or zstd");
            return Err(TableError::data(what, "unpack it first"));
        }
    }
    if let Some(position) = sample.iter().position(|&byte| byte == 0) {
        let line = sample[..position].split(|&byte| byte == b'\n').count() as u64;
        return Err(nul().line(line));
    }
    let text = sample.trim_ascii_start();
    let start = text[..text.len().min(64)].to_ascii_lowercase();
    let web = [&b"<!doctype"[..], b"<html", b"<?xml", b"<head", b"<script"];
    if web.iter().any(|tag| start.starts_with(tag)) {
        return Err(TableError::data(
            "the file is a web page or XML document, not a table",
            "download the table itself; a login or error page may have been saved instead",
        )
        .line(1));
    }
    let compact: Vec<u8> =
        start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if [&b"{\""[..], b"[{", b"[["].iter().any(|opening| compact.starts_with(opening)) {
        return Err(TableError::data(
            "the file is JSON, not a table",
            "write it as CSV or Parquet",
        )
        .line(1));
    }
    Ok(())
}

/// The refusal of a file with NUL bytes.
pub(crate) fn nul() -> TableError {
    TableError::data(
        "the file holds NUL bytes: it is binary, damaged, or UTF-16 without a byte order mark",
        "save the table as CSV in UTF-8",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::message::Neutral;

    fn what(result: Result<(), TableError>) -> String {
        result.map_or_else(|error| error.what.worded(&Neutral), |()| String::new())
    }

    #[test]
    fn contents_are_known_by_their_first_bytes() {
        assert_eq!(Container::of(b"\x1f\x8b\x08"), Ok(Container::Packed(Packing::Gzip)));
        assert_eq!(Container::of(b"\x28\xb5\x2f\xfd"), Ok(Container::Packed(Packing::Zstd)));
        assert_eq!(Container::of(b"ARROW1\0\0"), Ok(Container::Arrow));
        assert_eq!(Container::of(b"PAR1...."), Ok(Container::Parquet));
        assert_eq!(Container::of(b"a,b\n"), Ok(Container::Plain));
        assert!(Container::of(b"").is_err());
        assert!(what(Container::of(b"PK\x03\x04....").map(|_| ())).contains("Excel"));
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(what(refuse_other_text(b"  <!DOCTYPE html><html>")).contains("web page"));
        assert!(what(refuse_other_text(b"[ {\n \"a\": 1}]")).contains("JSON"));
        assert!(what(refuse_other_text(b"a,b\n1,\0\n")).contains("NUL"));
        assert_eq!(refuse_other_text(b"a,b\n1,2\n"), Ok(()));
    }

    #[test]
    fn byte_order_marks_tell_the_encoding() {
        assert_eq!(Encoding::of(b"\xef\xbb\xbfa"), Encoding::MarkedUtf8);
        assert_eq!(Encoding::of(b"\xff\xfea\0"), Encoding::Utf16Little);
        assert_eq!(Encoding::of(b"\xfe\xff\0a"), Encoding::Utf16Big);
        assert_eq!(Encoding::of(b"abc"), Encoding::Utf8);
    }
}
