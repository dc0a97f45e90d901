//! Text columns while they are read: every distinct text is kept once.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use wald::data::MISSING_LEVEL;

use crate::cell;

/// Distinct texts, numbered in the order of their first appearance.
///
/// An open table over one run of bytes: a general map costs several times as much for every cell,
/// and cells are many.
#[derive(Debug)]
pub(crate) struct Levels {
    seed: u64,
    /// The length is a power of two.
    slots: Vec<Slot>,
    texts: Vec<Kept>,
    /// All texts, one after the other.
    run: String,
}

/// A place in the table of texts.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// Where the search for the text begins; most texts differ by it.
    hash: u32,
    /// The code plus one, 0 where the place is free.
    code: u32,
}

/// A distinct text.
#[derive(Debug)]
struct Kept {
    /// Where it ends in the run; texts start where those of the text before end.
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
        Self { seed, slots: vec![Slot::default(); 16], texts: Vec::new(), run: String::new() }
    }
}

impl Levels {
    /// The number of `text`, which appears in `row`.
    #[inline]
    pub(crate) fn code(&mut self, text: &[u8], row: u32) -> Result<u32, BadText> {
        let hash = hash(self.seed, text);
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(code) = self.slots[place].code.checked_sub(1) {
            if self.slots[place].hash == hash && are_equal(self.text(code).as_bytes(), text) {
                return Ok(code);
            }
            place = (place + 1) & mask;
        }
        self.insert(text, row, hash, place)
    }

    #[cold]
    fn insert(&mut self, text: &[u8], row: u32, hash: u32, place: usize) -> Result<u32, BadText> {
        let text = std::str::from_utf8(text).map_err(|_| BadText::NotUtf8)?;
        if text.contains('\0') {
            return Err(BadText::Nul);
        }
        let code = self.texts.len() as u32;
        self.slots[place] = Slot { hash, code: code + 1 };
        self.run.push_str(text);
        self.texts.push(Kept { end: self.run.len(), first_row: row });
        if 2 * self.texts.len() > self.slots.len() {
            self.grow();
        }
        Ok(code)
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.code > 0) {
            let mut place = slot.hash as usize & mask;
            while self.slots[place].code > 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = slot;
        }
    }

    #[inline]
    fn text(&self, code: u32) -> &str {
        let code = code as usize;
        let start = code.checked_sub(1).map_or(0, |before| self.texts[before].end);
        &self.run[start..self.texts[code].end]
    }

    /// The texts in the order of their codes.
    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.texts.len() as u32).map(|code| self.text(code))
    }

    /// True when there are texts, and all are words.
    pub(crate) fn are_words(&self) -> bool {
        !self.texts.is_empty() && self.iter().all(|text| cell::is_word(text.as_bytes()))
    }

    /// Bytes of memory.
    pub(crate) fn size(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity()
            + size_of::<Kept>() * self.texts.capacity()
            + self.run.capacity()
    }

    /// The levels in the order of their codes, each with its number of rows in `codes`.
    pub(crate) fn finish(self, codes: impl Iterator<Item = u32>) -> Vec<Level> {
        let level = |(text, kept): (&str, &Kept)| Level {
            text: text.to_owned(),
            first_row: kept.first_row,
            count: 0,
        };
        let mut levels: Vec<Level> = self.iter().zip(&self.texts).map(level).collect();
        for code in codes.filter(|&code| code != MISSING_LEVEL) {
            levels[code as usize].count += 1;
        }
        levels
    }
}

/// Eight bytes at a time, folding the two halves of a long product into each other.
#[inline]
fn hash(seed: u64, text: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR ^ seed.rotate_left(32) | 1);
        (product >> 64) as u64 ^ product as u64
    };
    let mut hash = seed ^ (text.len() as u64).wrapping_mul(FACTOR);
    let (first, last) = ends(text);
    if text.len() > 16 {
        for word in text.as_chunks::<8>().0 {
            hash = fold(hash, u64::from_le_bytes(*word));
        }
    } else {
        hash = fold(hash, first);
    }
    let hash = fold(hash, last);
    (hash >> 32 ^ hash) as u32
}

#[inline]
fn are_equal(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len()
        && if left.len() > 16 { left == right } else { ends(left) == ends(right) }
}

/// The first and the last eight bytes: the whole of a text of up to 16, whose length is known. They
/// are read at once, which spares loops and calls.
#[inline]
fn ends(text: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        return (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
    }
    (text.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)), 0)
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

    /// Sorted levels, and their codes.
    pub(crate) fn sorted(self) -> (Vec<String>, Vec<u32>) {
        let Self { levels, mut codes } = self;
        let order = order(levels.texts.len(), |code| levels.text(code));
        renumber(&mut codes, &order);
        let levels = order.iter().map(|&code| levels.text(code).to_owned()).collect();
        (levels, codes)
    }
}

/// Sorts distinct levels in the order of a column that is read from a file (numerically when all are
/// numbers), and renumbers their codes; [`MISSING_LEVEL`] stays.
pub fn sorted_levels(mut levels: Vec<String>, mut codes: Vec<u32>) -> (Vec<String>, Vec<u32>) {
    let order = order(levels.len(), |code| &levels[code as usize]);
    renumber(&mut codes, &order);
    let sorted = order.iter().map(|&code| std::mem::take(&mut levels[code as usize])).collect();
    (sorted, codes)
}

/// The codes of distinct texts in the order of their levels.
fn order<'a>(n_texts: usize, text: impl Fn(u32) -> &'a str) -> Vec<u32> {
    let codes = 0..n_texts as u32;
    let number = |code| cell::number(text(code).as_bytes(), b'.').map(|number| number.value);
    let Some(numbers) = codes.clone().map(number).collect::<Option<Vec<f64>>>() else {
        return order_of_texts(codes, text);
    };
    let mut order: Vec<u32> = codes.collect();
    order.sort_unstable_by(|&left, &right| {
        let by_number = numbers[left as usize].total_cmp(&numbers[right as usize]);
        by_number.then_with(|| text(left).cmp(text(right)))
    });
    order
}

/// Lexicographic order. The eight bytes behind what all texts begin with decide for most of them,
/// without a look at the texts.
fn order_of_texts<'a>(codes: Range<u32>, text: impl Fn(u32) -> &'a str) -> Vec<u32> {
    let first = text(0).as_bytes();
    let n_shared = codes.clone().fold(first.len(), |length, code| {
        let pairs = first.iter().zip(text(code).as_bytes()).take(length);
        pairs.take_while(|(left, right)| left == right).count()
    });
    let key = |code| {
        let rest = &text(code).as_bytes()[n_shared..];
        let mut key = [0; 8];
        let length = rest.len().min(key.len());
        key[..length].copy_from_slice(&rest[..length]);
        (u64::from_be_bytes(key), code)
    };
    let mut order: Vec<(u64, u32)> = codes.map(key).collect();
    order.sort_unstable_by(|&(left_key, left), &(right_key, right)| {
        left_key.cmp(&right_key).then_with(|| text(left).cmp(text(right)))
    });
    order.into_iter().map(|(_, code)| code).collect()
}

/// Replaces codes by their positions in `order`; [`MISSING_LEVEL`] stays.
fn renumber(codes: &mut [u32], order: &[u32]) {
    let mut rank = vec![0; order.len()];
    for (new, &old) in (0..).zip(order) {
        rank[old as usize] = new;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING_LEVEL) {
        *code = rank[*code as usize];
    }
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
    fn texts_are_ordered_as_a_plain_sort_orders_them() {
        let ends = ["", "a", "b", "aé", "12345678", "12345678a", "123456780", "1234567", "\u{1}"];
        for start in ["", "level ", "é"] {
            let texts: Vec<String> = ends.iter().map(|end| format!("{start}{end}")).collect();
            let codes = (0..texts.len() as u32).chain([MISSING_LEVEL]).collect();
            let (sorted, codes) = sorted_levels(texts.clone(), codes);
            assert!(sorted.is_sorted(), "{sorted:?}");
            let of = |code: &u32| sorted.get(*code as usize).cloned();
            assert!(codes.iter().zip(&texts).all(|(code, text)| of(code).as_ref() == Some(text)));
            assert_eq!(codes[texts.len()], MISSING_LEVEL);
        }
        assert_eq!(sorted_levels(Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let mut cells = TextCells::default();
        assert_eq!(cells.push(b"caf\xe9"), Err(BadText::NotUtf8));
        assert_eq!(cells.push(b"a\0b"), Err(BadText::Nul));
    }
}
