//! The distinct texts of a column while it is read.

use std::hash::{BuildHasher, RandomState};

use wald::data::MISSING_LEVEL;

use crate::cell;
use crate::level_order::keyed_order;

/// Distinct texts, numbered in the order of their first appearance.
///
/// An open table over one run of bytes: a general map costs several times as much for every cell,
/// and cells are many.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
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
        let code = self.append(text, row)?;
        self.slots[place] = Slot { hash, code: code + 1 };
        if 2 * self.texts.len() > self.slots.len() {
            self.grow();
        }
        Ok(code)
    }

    /// The number of a text that is kept without a look at those before.
    pub(crate) fn append(&mut self, text: &[u8], row: u32) -> Result<u32, BadText> {
        let text = std::str::from_utf8(text).map_err(|_| BadText::NotUtf8)?;
        if text.contains('\0') {
            return Err(BadText::Nul);
        }
        Ok(self.keep(text, row))
    }

    fn keep(&mut self, text: &str, first_row: u32) -> u32 {
        let code = self.texts.len() as u32;
        self.run.push_str(text);
        self.texts.push(Kept { end: self.run.len(), first_row });
        code
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
    pub(crate) fn text(&self, code: u32) -> &str {
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

    /// The number of texts.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Frees what [`Levels::code`] needs; texts can still be appended.
    pub(crate) fn stop_searching(&mut self) {
        self.slots = Vec::new();
    }

    /// Keeps the first of equal texts, and gives the cells with the others its code. Returns the
    /// lexicographic order where all differ.
    pub(crate) fn merge(&mut self, codes: &mut [u32]) -> Option<Vec<u32>> {
        let n_texts = self.texts.len();
        let order = keyed_order(0..n_texts as u32, |code| self.text(code));
        let are_same = |left: &(u64, u32), right: &(u64, u32)| {
            left.0 == right.0 && self.text(left.1) == self.text(right.1)
        };
        if !order.windows(2).any(|pair| are_same(&pair[0], &pair[1])) {
            return Some(order.into_iter().map(|(_, code)| code).collect());
        }
        let mut first = vec![0; n_texts];
        for same in order.chunk_by(are_same) {
            let least = same.iter().map(|&(_, code)| code).min().unwrap_or(0);
            same.iter().for_each(|&(_, code)| first[code as usize] = least);
        }
        let mut kept = Self { slots: Vec::new(), ..Self::default() };
        let mut number = vec![0; n_texts];
        for (code, text) in (0..).zip(self.iter()).filter(|&(code, _)| first[code as usize] == code)
        {
            number[code as usize] = kept.keep(text, self.texts[code as usize].first_row);
        }
        for code in codes.iter_mut().filter(|code| **code != MISSING_LEVEL) {
            *code = number[first[*code as usize] as usize];
        }
        *self = kept;
        None
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
