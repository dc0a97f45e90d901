//! Bytes of any supported encoding as UTF-8.

use std::fs::File;
use std::io::{self, BufReader, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use crate::content::{Encoding, Packing};

/// Bytes read at once.
const PIECE: usize = 1 << 16;

/// The text of `file` as UTF-8 without a byte order mark.
///
/// UTF-8 is passed on unchecked: cells are checked where they are kept.
pub(crate) fn text_of(
    file: File,
    packing: Option<Packing>,
    encoding: Encoding,
) -> io::Result<Box<dyn Read + Send>> {
    let pieces = BufReader::with_capacity(PIECE, file);
    let mut bytes: Box<dyn Read + Send> = match packing {
        None => Box::new(pieces.into_inner()),
        // Several members may follow each other, as `cat a.gz b.gz` and bgzip write them.
        Some(Packing::Gzip) => {
            Box::new(Unpacked { bytes: MultiGzDecoder::new(pieces), packing: "gzip" })
        }
        Some(Packing::Zstd) => {
            Box::new(Unpacked { bytes: zstd::Decoder::with_buffer(pieces)?, packing: "zstd" })
        }
    };
    let decoder = match encoding {
        Encoding::Utf8 => return Ok(bytes),
        Encoding::MarkedUtf8 => {
            bytes.read_exact(&mut [0; 3])?;
            return Ok(bytes);
        }
        Encoding::Utf16Little => UTF_16LE.new_decoder_with_bom_removal(),
        Encoding::Utf16Big => UTF_16BE.new_decoder_with_bom_removal(),
        Encoding::Windows1252 => WINDOWS_1252.new_decoder_without_bom_handling(),
    };
    Ok(Box::new(Decoded {
        bytes,
        decoder,
        raw: vec![0; PIECE],
        // Room for any piece: no encoding here grows more than threefold.
        text: vec![0; 3 * PIECE + 16],
        from: 0,
        to: 0,
        ended: false,
    }))
}

/// A reader of compressed bytes whose errors describe what is wrong with the file.
struct Unpacked<R> {
    bytes: R,
    packing: &'static str,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(output).map_err(|error| {
            let invalid = |why| {
                let what = format!("the {} file {why}", self.packing);
                io::Error::new(io::ErrorKind::InvalidData, what)
            };
            let is_short = error.kind() == io::ErrorKind::UnexpectedEof
                || error.to_string().contains("incomplete");
            match error.kind() {
                _ if is_short => invalid("ends too early"),
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                    invalid("is damaged")
                }
                _ => error,
            }
        })
    }
}

/// A reader that decodes piece by piece.
///
/// Decoding straight into the caller's buffer would stall on one too short for a character.
struct Decoded {
    bytes: Box<dyn Read + Send>,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    /// The decoded text not yet handed out.
    from: usize,
    to: usize,
    ended: bool,
}

impl Read for Decoded {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while self.from == self.to && !self.ended {
            let count = self.bytes.read(&mut self.raw)?;
            self.ended = count == 0;
            let (_, _, written, had_errors) =
                self.decoder.decode_to_utf8(&self.raw[..count], &mut self.text, self.ended);
            if had_errors {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the file is damaged UTF-16 text",
                ));
            }
            self.from = 0;
            self.to = written;
        }
        let count = output.len().min(self.to - self.from);
        output[..count].copy_from_slice(&self.text[self.from..self.from + count]);
        self.from += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    fn decoded(bytes: &[u8], encoding: Encoding) -> io::Result<String> {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        file.rewind()?;
        let mut text = String::new();
        text_of(file, None, encoding)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn every_encoding_becomes_utf8() -> io::Result<()> {
        assert_eq!(decoded(b"\xef\xbb\xbfa\xc3\xa9", Encoding::MarkedUtf8)?, "aé");
        assert_eq!(decoded(b"\xff\xfea\0\xe9\0", Encoding::Utf16Little)?, "aé");
        assert_eq!(decoded(b"\xfe\xff\0a\0\xe9", Encoding::Utf16Big)?, "aé");
        assert_eq!(decoded(b"a\xe9\x80", Encoding::Windows1252)?, "aé€");
        Ok(())
    }

    #[test]
    fn long_texts_pass_piece_by_piece() -> io::Result<()> {
        let long = "é🙂x".repeat(100_000);
        let bytes: Vec<u8> =
            std::iter::once(0xfeff).chain(long.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&bytes, Encoding::Utf16Little)?, long);
        Ok(())
    }

    #[test]
    fn damaged_utf16_is_reported() {
        assert!(decoded(b"\xff\xfea\0\0\xd8a\0", Encoding::Utf16Little).is_err());
    }
}
