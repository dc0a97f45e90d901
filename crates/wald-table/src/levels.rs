//! Text columns while they are read: every distinct text is kept once.

use std::hash::{BuildHasher, RandomState};

use wald::data::MISSING_LEVEL;

use crate::cell;

/// Distinct texts, numbered in the order of their first appearance.
///
/// An open table over one run of bytes: a general map costs several times as much for every cell,
/// and cells are many.
#[derive(Debug)]
pub(crate) struct Levels {
    seed: u64,
    /// Codes plus one, 0 where free; the length is a power of two.
    slots: Vec<u32>,
    texts: Vec<Kept>,
    bytes: Vec<u8>,
}

/// A distinct text.
#[derive(Debug)]
struct Kept {
    hash: u64,
    /// Where its bytes end; they start where those of the text before end.
    end: usize,
    first_row: u32,
}

/// A text that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadText {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text holds a NUL, so the file is no text.
    Nul,
}

/// A column whose cells are all kept as text.
#[derive(Debug, Default)]
pub(crate) struct TextCells {
    pub(crate) levels: Levels,
    pub(crate) codes: Vec<u32>,
}

/// One distinct text of a finished column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) text: String,
    /// The first row (from 0) with this text.
    pub(crate) first_row: u32,
    /// The number of rows with this text.
    pub(crate) count: usize,
}

impl Default for Levels {
    fn default() -> Self {
        // A seed that a file cannot know keeps it from making all its texts collide.
        let seed = RandomState::new().hash_one(0);
        Self { seed, slots: vec![0; 16], texts: Vec::new(), bytes: Vec::new() }
    }
}

impl Levels {
    /// The number of `text`, which appears in `row`.
    #[inline]
    pub(crate) fn code(&mut self, text: &[u8], row: u32) -> Result<u32, BadText> {
        let hash = hash(self.seed, text);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(code) = self.slots[slot].checked_sub(1) {
            if self.texts[code as usize].hash == hash && self.text(code as usize) == text {
                return Ok(code);
            }
            slot = (slot + 1) & mask;
        }
        self.insert(text, row, hash, slot)
    }

    #[cold]
    fn insert(&mut self, text: &[u8], row: u32, hash: u64, slot: usize) -> Result<u32, BadText> {
        if std::str::from_utf8(text).is_err() {
            return Err(BadText::NotUtf8);
        }
        if text.contains(&0) {
            return Err(BadText::Nul);
        }
        let code = self.texts.len() as u32;
        self.slots[slot] = code + 1;
        self.bytes.extend_from_slice(text);
        self.texts.push(Kept { hash, end: self.bytes.len(), first_row: row });
        if 2 * self.texts.len() > self.slots.len() {
            self.grow();
        }
        Ok(code)
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (code, kept) in (1..).zip(&self.texts) {
            let mut slot = kept.hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = code;
        }
    }

    fn text(&self, code: usize) -> &[u8] {
        let start = code.checked_sub(1).map_or(0, |before| self.texts[before].end);
        &self.bytes[start..self.texts[code].end]
    }

    /// Bytes of memory.
    pub(crate) fn size(&self) -> usize {
        4 * self.slots.capacity()
            + size_of::<Kept>() * self.texts.capacity()
            + self.bytes.capacity()
    }

    /// The levels in the order of their codes, each with its number of rows in `codes`.
    pub(crate) fn finish(self, codes: impl Iterator<Item = u32>) -> Vec<Level> {
        let level = |(code, kept): (usize, &Kept)| Level {
            // Every text was checked when it came in; nothing is replaced here.
            text: String::from_utf8_lossy(self.text(code)).into_owned(),
            first_row: kept.first_row,
            count: 0,
        };
        let mut levels: Vec<Level> = self.texts.iter().enumerate().map(level).collect();
        for code in codes.filter(|&code| code != MISSING_LEVEL) {
            levels[code as usize].count += 1;
        }
        levels
    }
}

/// Eight bytes at a time, folding the two halves of a long product into each other.
#[inline]
fn hash(seed: u64, text: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR ^ seed.rotate_left(32) | 1);
        (product >> 64) as u64 ^ product as u64
    };
    let mut hash = seed ^ (text.len() as u64).wrapping_mul(FACTOR);
    let (words, rest) = text.as_chunks::<8>();
    for word in words {
        hash = fold(hash, u64::from_le_bytes(*word));
    }
    // The last bytes may be looked at twice, which spares a loop over them.
    let last = match (text.last_chunk::<8>(), rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(word), ..) => u64::from_le_bytes(*word),
        (None, Some(low), Some(high)) => {
            u64::from(u32::from_le_bytes(*low)) << 32 | u64::from(u32::from_le_bytes(*high))
        }
        _ => rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    fold(fold(hash, last), FACTOR)
}

impl TextCells {
    /// Adds the next row.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<(), BadText> {
        let row = self.codes.len() as u32;
        let code = self.levels.code(text, row)?;
        self.codes.push(code);
        Ok(())
    }

    /// Adds a row without a value.
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(MISSING_LEVEL);
    }
}

/// Sorts distinct levels in the order of a column that is read from a file (numerically when all are
/// numbers), and renumbers their codes; [`MISSING_LEVEL`] stays.
pub fn sorted_levels(mut levels: Vec<String>, mut codes: Vec<u32>) -> (Vec<String>, Vec<u32>) {
    let numbers: Vec<Option<f64>> = levels
        .iter()
        .map(|level| cell::number(level.as_bytes(), b'.').map(|number| number.value))
        .collect();
    let all_numbers = numbers.iter().all(Option::is_some);
    let mut order: Vec<u32> = (0..levels.len() as u32).collect();
    order.sort_unstable_by(|&left, &right| {
        let (left, right) = (left as usize, right as usize);
        let by_text = levels[left].cmp(&levels[right]);
        match (numbers[left], numbers[right]) {
            (Some(a), Some(b)) if all_numbers => a.total_cmp(&b).then(by_text),
            _ => by_text,
        }
    });
    let mut rank = vec![0; levels.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old as usize] = new as u32;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING_LEVEL) {
        *code = rank[*code as usize];
    }
    let sorted = order.iter().map(|&old| std::mem::take(&mut levels[old as usize])).collect();
    (sorted, codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_code() {
        let mut cells = TextCells::default();
        for text in ["b", "a", "b"] {
            cells.push(text.as_bytes()).expect("valid text");
        }
        cells.push_missing();
        assert_eq!(cells.codes, [0, 1, 0, MISSING_LEVEL]);
        let levels = cells.levels.finish(cells.codes.iter().copied());
        assert_eq!(levels[0], Level { text: "b".into(), first_row: 0, count: 2 });
        assert_eq!(levels[1], Level { text: "a".into(), first_row: 1, count: 1 });
    }

    #[test]
    fn many_texts_stay_apart() {
        let mut levels = Levels::default();
        let text = |i: u32| "x".repeat(i as usize % 20) + &i.to_string();
        for i in 0..10_000 {
            assert_eq!(levels.code(text(i).as_bytes(), i), Ok(i));
        }
        for i in (0..10_000).rev() {
            assert_eq!(levels.code(text(i).as_bytes(), 0), Ok(i));
        }
        let kept = levels.finish(0..10_000);
        assert!(
            kept.iter().zip(0..).all(|(level, i)| level.text == text(i) && level.first_row == i)
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let mut cells = TextCells::default();
        assert_eq!(cells.push(b"caf\xe9"), Err(BadText::NotUtf8));
        assert_eq!(cells.push(b"a\0b"), Err(BadText::Nul));
    }
}
