//! Where cells and lines end.

/// Line feeds and carriage returns, alone or together, end a line.
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The first separator or line end, looked for in eight bytes at a time.
#[inline]
pub(crate) fn end_of_cell(text: &[u8], separator: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // Sets the high bit of the lowest byte that equals `byte`; higher bits may be wrong.
    let equal = |word: u64, byte: u8| {
        let difference = word ^ (ONES * u64::from(byte));
        difference.wrapping_sub(ONES) & !difference & HIGHS
    };
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = equal(word, separator) | equal(word, b'\n') | equal(word, b'\r');
        if found != 0 {
            return Some(8 * index + found.trailing_zeros() as usize / 8);
        }
    }
    let is_end = |&byte: &u8| byte == separator || is_line_end(byte);
    rest.iter().position(is_end).map(|position| 8 * words.len() + position)
}

/// Line ends inside a quoted cell; CR LF counts once.
pub(crate) fn count_lines(text: &[u8]) -> u64 {
    let mut count = 0;
    let mut after_return = false;
    for &byte in text {
        count += u64::from(byte == b'\r' || (byte == b'\n' && !after_return));
        after_return = byte == b'\r';
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_cell_is_found_at_every_position() {
        // Neighbours of the bytes looked for, which careless arithmetic takes for them.
        for filler in *b"ax\x0b\x0c-+/\x8d\xac\xff\0" {
            for length in 0..40 {
                for end in *b",\n\r" {
                    let mut text = vec![filler; length];
                    assert_eq!(end_of_cell(&text, b','), None);
                    text.push(end);
                    text.extend_from_slice(b"b,\n\r");
                    assert_eq!(end_of_cell(&text, b','), Some(length), "{filler} {length} {end}");
                }
            }
        }
    }

    #[test]
    fn lines_inside_quotes_are_counted_once() {
        assert_eq!(count_lines(b"a\r\nb\nc\rd"), 3);
        assert_eq!(count_lines(b"\r\r\n\n"), 3);
        assert_eq!(count_lines(b""), 0);
    }
}
