//! Where bytes come from: a file that can be opened again, or a stream that is stored first.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::content;
use crate::error::{ErrorClass, TableError, escape_controls};

/// Bytes of a stream that are looked at before the others are stored.
const HEAD: u64 = 1 << 20;

/// Bytes that can be read several times.
#[derive(Debug)]
pub(crate) struct Origin {
    file: File,
    name: String,
    stop: Option<Arc<AtomicBool>>,
}

impl Origin {
    /// Opens `path`; `-` is the standard input.
    pub(crate) fn open(path: &Path, stop: Option<&Arc<AtomicBool>>) -> Result<Self, TableError> {
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin { "stdin".to_owned() } else { path.to_string_lossy().into_owned() };
        let stop = stop.cloned();
        if is_stdin {
            let file = stored(io::stdin().lock(), &name, stop.as_deref())?;
            return Ok(Self { file, name, stop });
        }
        let file = File::open(path).map_err(|error| cannot_open(&name, &error))?;
        let kind = file.metadata().map_err(|error| cannot_read(&name, &error))?.file_type();
        if kind.is_dir() {
            return Err(TableError::new(
                ErrorClass::CannotRead,
                "the input is a folder, not a file",
                "name a CSV, Parquet or Arrow file",
            )
            .file(&name));
        }
        // A pipe can be read once only, but a table may have to be read twice.
        let file = if kind.is_file() { file } else { stored(file, &name, stop.as_deref())? };
        Ok(Self { file, name, stop })
    }

    /// The file name, or `stdin`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Length in bytes.
    pub(crate) fn length(&self) -> Result<u64, TableError> {
        self.file.metadata().map(|data| data.len()).map_err(|error| self.cannot_read(&error))
    }

    /// The file, rewound to its start. All handles share one position: use one at a time.
    pub(crate) fn rewound(&self) -> Result<File, TableError> {
        let rewind = || {
            let mut file = self.file.try_clone()?;
            file.seek(SeekFrom::Start(0))?;
            Ok(file)
        };
        rewind().map_err(|error| self.cannot_read(&error))
    }

    /// At most `length` first bytes.
    pub(crate) fn head(&self, length: u64) -> Result<Vec<u8>, TableError> {
        let mut head = Vec::new();
        self.rewound()?
            .take(length)
            .read_to_end(&mut head)
            .map_err(|error| self.cannot_read(&error))?;
        Ok(head)
    }

    /// Fails once the caller asked to stop.
    pub(crate) fn check_stop(&self) -> Result<(), TableError> {
        check_stop(self.stop.as_deref())
    }

    /// The error for a failed read.
    pub(crate) fn cannot_read(&self, error: &io::Error) -> TableError {
        cannot_read(&self.name, error)
    }
}

fn check_stop(stop: Option<&AtomicBool>) -> Result<(), TableError> {
    match stop {
        Some(stop) if stop.load(Ordering::Relaxed) => Err(TableError::interrupted()),
        _ => Ok(()),
    }
}

/// Copies a stream into a nameless temporary file.
fn stored(
    mut stream: impl Read,
    name: &str,
    stop: Option<&AtomicBool>,
) -> Result<File, TableError> {
    check_stop(stop)?;
    let mut head = Vec::new();
    let read = (&mut stream).take(HEAD).read_to_end(&mut head);
    read.map_err(|error| cannot_store(name, &error))?;
    // A stream may have no end; what cannot be a table is refused by its beginning.
    content::judge(&head).map_err(|error| error.file(name))?;
    let mut file = tempfile::tempfile().map_err(|error| cannot_store(name, &error))?;
    file.write_all(&head).map_err(|error| cannot_store(name, &error))?;
    loop {
        check_stop(stop)?;
        let mut piece = (&mut stream).take(1 << 20);
        // The two sides fail for different reasons, and `io::copy` cannot distinguish them; a
        // full disk is the likely one.
        if io::copy(&mut piece, &mut file).map_err(|error| cannot_store(name, &error))? == 0 {
            return Ok(file);
        }
    }
}

fn cannot_store(name: &str, error: &io::Error) -> TableError {
    TableError::new(
        ErrorClass::CannotRead,
        format!(
            "the stream could not be read into a temporary file: {}",
            reason(error).to_lowercase()
        ),
        "save it as a file and name the file",
    )
    .file(name)
}

fn cannot_open(name: &str, error: &io::Error) -> TableError {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::PermissionDenied => "check the permissions of the file",
        _ => "check that the file can be read",
    };
    let what = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("the file cannot be opened: {}", reason(error).to_lowercase()),
    };
    TableError::new(ErrorClass::CannotRead, what, help).file(name)
}

fn cannot_read(name: &str, error: &io::Error) -> TableError {
    if error.kind() == io::ErrorKind::InvalidData {
        // The decoders of this crate describe what is wrong with the bytes.
        return TableError::data(reason(error), "get or write the file again").file(name);
    }
    TableError::new(
        ErrorClass::CannotRead,
        format!("the file cannot be read: {}", reason(error).to_lowercase()),
        "check that the file is complete and can be read",
    )
    .file(name)
}

/// The system's words, without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    escape_controls(words)
}
