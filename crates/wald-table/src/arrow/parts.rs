//! The parts of an Arrow file, checked for what they claim before memory is set aside for them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, RecordBatch, root_as_message};

use crate::columnar::TypedFile;
use crate::error::TableError;

/// What every message of the current format begins with.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Bytes at the end: the length of the footer, and `ARROW1`.
const TRAILER: usize = 10;

/// The parts of a file.
pub(crate) struct Parts<'a> {
    file: TypedFile<'a>,
    bytes: File,
    length: u64,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(file: TypedFile<'a>) -> Result<Self, TableError> {
        Ok(Self { file, bytes: file.origin.rewound()?, length: file.origin.length()? })
    }

    /// The footer, which names the other parts.
    pub(crate) fn footer(&mut self) -> Result<Vec<u8>, TableError> {
        let file = self.file;
        let short = || file.damaged("it ends too early");
        let start = self.length.checked_sub(TRAILER as u64).ok_or_else(short)?;
        let trailer = self.read(start, TRAILER)?;
        let trailer = trailer.first_chunk::<TRAILER>().ok_or_else(short)?;
        let length = read_footer_length(*trailer).map_err(|_| short())?;
        let start = start.checked_sub(length as u64).ok_or_else(short)?;
        Ok(self.read(start, length)?.to_vec())
    }

    /// A dictionary or a batch of records, with its number of rows.
    pub(crate) fn part(&mut self, block: &Block) -> Result<(Buffer, u64), TableError> {
        let outside = || self.file.damaged("a part lies outside the file");
        let start = u64::try_from(block.offset()).map_err(|_| outside())?;
        let head = usize::try_from(block.metaDataLength()).map_err(|_| outside())?;
        let body = usize::try_from(block.bodyLength()).map_err(|_| outside())?;
        let length = head.checked_add(body).ok_or_else(outside)?;
        let end = start.checked_add(length as u64).ok_or_else(outside)?;
        if end > self.length || head < 2 * CONTINUATION.len() {
            return Err(outside());
        }
        let bytes = self.read(start, length)?;
        let n_rows = self.claims(&bytes[..head], &bytes[head..])?;
        Ok((bytes, n_rows))
    }

    fn read(&mut self, start: u64, length: usize) -> Result<Buffer, TableError> {
        let mut bytes = MutableBuffer::from_len_zeroed(length);
        let read = self.bytes.seek(SeekFrom::Start(start));
        read.and_then(|_| self.bytes.read_exact(&mut bytes))
            .map_err(|error| self.file.origin.cannot_read(&error))?;
        Ok(bytes.into())
    }

    /// The number of rows of a message, whose buffers must not claim more bytes than a file of this
    /// size can hold, unpacked.
    fn claims(&self, head: &[u8], body: &[u8]) -> Result<u64, TableError> {
        let damaged = || self.file.damaged("a part of it is damaged");
        let message = head.strip_prefix(&CONTINUATION).unwrap_or(head).get(4..).unwrap_or_default();
        let message = root_as_message(message).map_err(|_| damaged())?;
        let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
        let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(0) };
        let claimed = unpacked(batch, body).ok_or_else(damaged)?;
        if claimed > self.file.most_bytes()? {
            return Err(self.file.damaged("it claims more bytes than it can hold"));
        }
        u64::try_from(batch.length()).map_err(|_| damaged())
    }
}

/// The bytes of a compressed batch when it is unpacked, which each buffer begins with; `None` where a
/// buffer lies outside.
fn unpacked(batch: RecordBatch<'_>, body: &[u8]) -> Option<u64> {
    let mut sum = 0_u64;
    for buffer in batch.buffers().iter().flatten() {
        let start = usize::try_from(buffer.offset()).ok()?;
        let length = usize::try_from(buffer.length()).ok()?;
        let bytes = body.get(start..start.checked_add(length)?)?;
        if batch.compression().is_some() && !bytes.is_empty() {
            // Negative where the buffer is stored as it is.
            let claimed = i64::from_le_bytes(*bytes.first_chunk()?);
            sum = sum.saturating_add(claimed.max(0) as u64);
        }
    }
    Some(sum)
}
