//! Delimited text.
//!
//! Records are found piece by piece; their cells go straight into their column's typed storage.

mod batch;
mod columns;
mod header;
mod records;
mod scan;
mod sniff;
mod workers;

use std::collections::HashSet;
use std::io::Read;

use wald::words::counted;

use crate::about::About;
use crate::content::{self, Encoding, Packing};
use crate::csv::batch::Batch;
use crate::csv::columns::{Builder, NumberCells, Outcome};
use crate::csv::header::BadHeader;
use crate::csv::records::Records;
use crate::csv::sniff::Dialect;
use crate::csv::workers::{SAMPLE, Workers};
use crate::decode;
use crate::error::{ErrorClass, TableError};
use crate::levels::BadText;
use crate::options::{Infinite, ReadOptions};
use crate::origin::Origin;
use crate::table::{RowPlaces, Table, TableColumn};
use crate::text_cells::TextCells;

pub(crate) use header::check_names;

/// Bytes of a column without rows.
const COLUMN: usize = 512;

/// Rows are addressed by u32, and `u32::MAX` is kept as a mark.
const MOST_ROWS: u64 = u32::MAX as u64 - 1;

/// Why an attempt to read failed.
enum Failure {
    /// The file cannot be used.
    Table(TableError),
    /// The bytes on this line are not UTF-8: the file has to be read in another encoding.
    NotUtf8(u64),
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

/// A text file with everything known before its rows are read.
struct Source<'a> {
    origin: &'a Origin,
    packing: Option<Packing>,
    encoding: Encoding,
    dialect: Dialect,
    infinite: Infinite,
    memory: Option<u64>,
}

/// What a pass over the rows found besides cells.
struct Pass {
    places: RowPlaces,
    n_rows: u32,
    blank_lines: u64,
}

/// Reads delimited text, compressed or not.
pub(crate) fn read(
    origin: &Origin,
    packing: Option<Packing>,
    options: &ReadOptions,
) -> Result<Table, TableError> {
    let head = sample(origin, packing, Encoding::Utf8, 4)?;
    if head.is_empty() {
        return Err(TableError::data("the file is empty", "give a table with a header line")
            .file(origin.name()));
    }
    let encoding = Encoding::of(&head);
    let mut notes = Vec::new();
    if let Some(packing) = packing {
        notes.push(format!("the file is compressed by {}", packing.name()));
    }
    match encoding {
        Encoding::MarkedUtf8 => notes.push("the file starts with a byte order mark".to_owned()),
        Encoding::Utf16Little | Encoding::Utf16Big => {
            notes.push("the file is encoded in UTF-16".to_owned());
        }
        Encoding::Utf8 | Encoding::Windows1252 => {}
    }
    match attempt(origin, packing, encoding, options, &mut notes) {
        Ok(table) => Ok(table),
        Err(Failure::Table(error)) => Err(error),
        Err(Failure::NotUtf8(line)) => {
            notes.push(format!(
                "line {line} is not valid UTF-8: the file is read as Windows-1252 (Latin-1)"
            ));
            match attempt(origin, packing, Encoding::Windows1252, options, &mut notes) {
                Ok(table) => Ok(table),
                Err(Failure::Table(error)) => Err(error),
                Err(Failure::NotUtf8(line)) => {
                    Err(TableError::data("the text cannot be decoded", "save the table in UTF-8")
                        .file(origin.name())
                        .line(line))
                }
            }
        }
    }
}

/// At most `length` first bytes of the decoded text.
fn sample(
    origin: &Origin,
    packing: Option<Packing>,
    encoding: Encoding,
    length: u64,
) -> Result<Vec<u8>, TableError> {
    let mut sample = Vec::new();
    let text = decode::text_of(origin.rewound()?, packing, encoding);
    text.and_then(|text| text.take(length).read_to_end(&mut sample))
        .map_err(|error| origin.cannot_read(&error))?;
    Ok(sample)
}

/// Reads the whole file in the given encoding.
fn attempt(
    origin: &Origin,
    packing: Option<Packing>,
    encoding: Encoding,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Table, Failure> {
    let mut sample = sample(origin, packing, encoding, SAMPLE)?;
    content::refuse_other_text(&sample).map_err(|error| error.file(origin.name()))?;
    if sample.len() as u64 == SAMPLE {
        // The last record is likely cut; the others suffice.
        let end = sample.iter().rposition(|&byte| byte == b'\n' || byte == b'\r');
        sample.truncate(end.map_or(sample.len(), |end| end + 1));
    } else if let Some(at) = records::end_sign(&sample) {
        sample.remove(at);
    }
    let dialect = sniff::dialect(&sample, origin)?;
    refuse_endless_header(&sample, dialect.marks.separator, origin)?;
    let source = Source {
        origin,
        packing,
        encoding,
        dialect,
        infinite: options.infinite,
        memory: options.memory,
    };
    let mut records = source.records()?;
    let names = source.header(&mut records)?;
    source.check_memory(2 * COLUMN * names.len(), 0)?;
    let mut builders = source.first_builders(&sample, &names, options)?;
    let workers = Workers::for_table(&sample, options);
    let pass = source.pass(&mut records, &mut builders, workers)?;
    if pass.n_rows == 0 {
        return Err(Failure::Table(
            TableError::data("the table has a header but no rows", "add rows of data")
                .file(origin.name()),
        ));
    }
    let inferred = source.infer(&names, builders, &pass, workers)?;
    notes.extend(dialect.notes());
    notes.extend(header::headerless_note(&names, dialect.decimal));
    if records.has_end_sign() {
        notes.push(
            "the end-of-file sign of DOS (U+001A) behind the last cell is dropped".to_owned(),
        );
    }
    if pass.blank_lines > 0 {
        let lines = counted(pass.blank_lines as usize, "empty line");
        notes.push(format!("{lines} passed over"));
    }
    let columns = names
        .into_iter()
        .zip(inferred)
        .map(|(name, (values, notices))| TableColumn { name, values, notices })
        .collect();
    Ok(Table {
        source: origin.name().to_owned(),
        columns,
        n_rows: pass.n_rows as usize,
        notes: std::mem::take(notes),
        places: pass.places,
    })
}

/// Refuses a first line of a megabyte and more that hardly names a column, before it is read.
fn refuse_endless_header(sample: &[u8], separator: u8, origin: &Origin) -> Result<(), TableError> {
    let n_fields = sample.split(|&byte| byte == separator).count();
    let has_line = sample.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    if has_line || (sample.len() as u64) < SAMPLE || 2 * n_fields < sample.len() {
        return Ok(());
    }
    let what = "the first line is longer than 1 MB and most of its column names are empty";
    Err(TableError::data(what, "give every column a name").file(origin.name()).line(1))
}

impl Source<'_> {
    /// The records from the header on.
    fn records(&self) -> Result<Records<'_>, TableError> {
        let text = decode::text_of(self.origin.rewound()?, self.packing, self.encoding)
            .map_err(|error| self.origin.cannot_read(&error))?;
        Ok(Records::new(text, self.origin, self.dialect.marks))
    }

    /// The column names, which the first record holds.
    fn header(&self, records: &mut Records<'_>) -> Result<Vec<String>, Failure> {
        if !records.advance()? {
            return Err(Failure::Table(
                TableError::data(
                    "the file holds only blank lines",
                    "give a table with a header line",
                )
                .file(self.origin.name()),
            ));
        }
        let line = records.line();
        header::names(records).map_err(|bad| match bad {
            BadHeader::Text(bad) => self.bad_text(bad, line),
            BadHeader::Names(error) => Failure::Table(error.file(self.origin.name()).line(line)),
        })
    }

    /// Builders for the kinds of cells that the first rows show.
    fn first_builders(
        &self,
        sample: &[u8],
        names: &[String],
        options: &ReadOptions,
    ) -> Result<Vec<Builder>, Failure> {
        let numbers = || Builder::Numbers(Box::<NumberCells>::default());
        let mut guesses: Vec<Builder> = names.iter().map(|_| numbers()).collect();
        let mut records = Records::new(Box::new(sample), self.origin, self.dialect.marks);
        records.advance()?;
        match self.pass(&mut records, &mut guesses, Workers::ALONE) {
            Err(Failure::NotUtf8(line)) => return Err(Failure::NotUtf8(line)),
            // Other errors, which the end of the sample may cause, come again if they are real.
            Err(Failure::Table(_)) | Ok(_) => {}
        }
        let forced: HashSet<&str> = options.categorical.iter().map(String::as_str).collect();
        let numeric: HashSet<&str> = options.numeric.iter().map(String::as_str).collect();
        let first = |(name, guess): (&String, Builder)| {
            if forced.contains(name.as_str()) {
                Builder::Categorical(TextCells::default())
            } else if numeric.contains(name.as_str()) {
                Builder::Numeric(TextCells::default())
            } else if guess.is_mostly_text() {
                Builder::Text(TextCells::default())
            } else {
                numbers()
            }
        };
        Ok(names.iter().zip(guesses).map(first).collect())
    }

    /// Reads the rows after the header into `builders`.
    ///
    /// While one batch of records goes into the columns, the next one is read.
    fn pass(
        &self,
        records: &mut Records<'_>,
        builders: &mut [Builder],
        workers: Workers,
    ) -> Result<Pass, Failure> {
        let n_columns = builders.len();
        let mut places = RowPlaces::Lines(Vec::new());
        let mut n_rows = 0_u64;
        let mut spare = Batch::default();
        let mut next = records.next_batch(n_columns, Batch::default())?;
        while let Some(batch) = next {
            for (row, &line) in (n_rows as u32..).zip(&batch.lines) {
                places.push(row, line);
            }
            n_rows += batch.lines.len() as u64;
            if n_rows > MOST_ROWS {
                return Err(Failure::Table(self.too_many_rows()));
            }
            let n_more = batch.lines.len();
            let sizes = builders.iter().map(|builder| builder.size_with(n_more));
            self.check_memory(sizes.sum(), n_rows)?;
            let memory = std::mem::take(&mut spare);
            let (pushed, read) = workers.push(&batch, builders, self.dialect.decimal, || {
                records.next_batch(n_columns, memory)
            });
            if let Err((line, bad)) = pushed {
                return Err(self.bad_text(bad, line));
            }
            next = read?;
            spare = batch;
        }
        Ok(Pass { places, n_rows: n_rows as u32, blank_lines: records.blank_lines() })
    }

    /// Infers all types; columns whose text is needed after all are read again.
    fn infer(
        &self,
        names: &[String],
        builders: Vec<Builder>,
        pass: &Pass,
        workers: Workers,
    ) -> Result<Vec<crate::infer::Inferred>, Failure> {
        let about = |column| About {
            file: self.origin.name(),
            column,
            places: &pass.places,
            decimal: self.dialect.decimal,
            infinite: self.infinite,
        };
        let mut outcomes = Vec::with_capacity(names.len());
        let mut again = Vec::with_capacity(names.len());
        for (name, builder) in names.iter().zip(builders) {
            let outcome = match builder.finish(&about(name)) {
                Some(Outcome::Done(inferred)) => Some(inferred),
                Some(Outcome::ReadAsText) | None => None,
            };
            again.push(match outcome {
                Some(_) => Builder::Skip,
                None => Builder::Text(TextCells::default()),
            });
            outcomes.push(outcome);
        }
        if outcomes.iter().any(Option::is_none) {
            let mut records = self.records()?;
            records.advance()?;
            let second = self.pass(&mut records, &mut again, workers)?;
            if second.n_rows != pass.n_rows {
                return Err(Failure::Table(self.changed()));
            }
        }
        let mut inferred = Vec::with_capacity(names.len());
        for ((name, outcome), builder) in names.iter().zip(outcomes).zip(again) {
            match (outcome, builder.finish(&about(name))) {
                (Some(done), _) | (None, Some(Outcome::Done(done))) => inferred.push(done),
                (None, _) => return Err(Failure::Table(self.changed())),
            }
        }
        Ok(inferred)
    }

    /// Refuses a table of so many rows so far that needs more bytes than it may take.
    fn check_memory(&self, bytes: usize, n_rows: u64) -> Result<(), TableError> {
        match self.memory {
            Some(memory) if bytes as u64 > memory => {
                let what = format!(
                    "the table needs more memory than is free: {} MB after {}",
                    bytes >> 20,
                    counted(n_rows as usize, "row")
                );
                let help = "use a sample of the rows, or fewer columns";
                Err(TableError::new(ErrorClass::TooLarge, what, help).file(self.origin.name()))
            }
            _ => Ok(()),
        }
    }

    fn too_many_rows(&self) -> TableError {
        TableError::new(
            ErrorClass::TooLarge,
            format!("the table has more than {MOST_ROWS} rows"),
            "use a sample of the rows",
        )
        .file(self.origin.name())
    }

    fn bad_text(&self, bad: BadText, line: u64) -> Failure {
        match bad {
            BadText::NotUtf8 => Failure::NotUtf8(line),
            BadText::Nul => Failure::Table(content::nul().file(self.origin.name()).line(line)),
        }
    }

    fn changed(&self) -> TableError {
        TableError::new(
            ErrorClass::CannotRead,
            "the file changed while it was read",
            "read it again when no other program writes to it",
        )
        .file(self.origin.name())
    }
}
