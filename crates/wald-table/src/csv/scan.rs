//! Where cells end: separators and line ends, found 64 bytes at a time.

/// Bytes whose marks are found at once.
const BLOCK: usize = 64;

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// All bits but the highest of every byte.
const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Finds separators and line ends in bytes that stay where they are.
#[derive(Debug)]
pub(crate) struct Scan {
    separators: u64,
    /// Where the block starts whose marks are known.
    block: usize,
    /// A bit for every byte of the block, the lowest for the first.
    marks: u64,
}

impl Scan {
    pub(crate) fn new(separator: u8) -> Self {
        Self { separators: ONES * u64::from(separator), block: usize::MAX, marks: 0 }
    }

    /// Forgets what is known: the bytes have moved.
    pub(crate) fn reset(&mut self) {
        self.block = usize::MAX;
    }

    /// The first mark at `from` or behind it.
    #[inline]
    pub(crate) fn next(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let block = from - from % BLOCK;
        if block != self.block {
            self.find(bytes, block);
        }
        let mut marks = self.marks & u64::MAX << (from % BLOCK);
        while marks == 0 {
            if self.block + BLOCK >= bytes.len() {
                return None;
            }
            self.find(bytes, self.block + BLOCK);
            marks = self.marks;
        }
        Some(self.block + marks.trailing_zeros() as usize)
    }

    #[inline]
    fn find(&mut self, bytes: &[u8], block: usize) {
        let rest = bytes.get(block..).unwrap_or_default();
        self.block = block;
        self.marks = if let Some(bytes) = rest.first_chunk() {
            self.marks_of(bytes)
        } else {
            let mut padded = [0; BLOCK];
            padded[..rest.len()].copy_from_slice(rest);
            self.marks_of(&padded)
        };
    }

    #[inline]
    fn marks_of(&self, bytes: &[u8; BLOCK]) -> u64 {
        let (words, _) = bytes.as_chunks::<8>();
        let mut marks = 0;
        for (index, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            // The highest bit of each byte that differs from the one looked for.
            let other = |patterns: u64| {
                let difference = word ^ patterns;
                ((difference & LOW) + LOW) | difference
            };
            let [line_feeds, returns] = [b'\n', b'\r'].map(|byte| ONES * u64::from(byte));
            let none = other(self.separators) & other(line_feeds) & other(returns);
            // The product gathers the lowest bits of all bytes in the highest byte.
            let found = (!(none | LOW) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            marks |= found << (8 * index);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_of_a_plain_search() {
        // Neighbours of the marks, and bytes that differ from them by their highest bit only.
        let alphabet = [b',', b'+', b'-', b'\n', 0x8a, b'\r', 0x0b, 0x8d, 0xac, 0, 0xff, b'x'];
        let bytes: Vec<u8> =
            (0..1000_usize).map(|i| alphabet[i * i * i % 251 % alphabet.len()]).collect();
        let is_mark = |byte: &u8| matches!(byte, b',' | b'\n' | b'\r');
        for length in [0, 1, 63, 64, 65, 200, 1000] {
            let mut scan = Scan::new(b',');
            for from in 0..length {
                let expected = bytes[from..length].iter().position(is_mark).map(|at| from + at);
                assert_eq!(scan.next(&bytes[..length], from), expected, "{from} of {length}");
            }
            assert_eq!(scan.next(&bytes[..length], length), None);
        }
    }
}
