//! The order of the levels of a column.

use std::ops::Range;

use wald::data::MISSING_LEVEL;

use crate::cell;

/// Sorts distinct levels in the order of a column that is read from a file (numerically when all are
/// numbers), and renumbers their codes; [`MISSING_LEVEL`] stays.
pub fn sorted_levels(mut levels: Vec<String>, mut codes: Vec<u32>) -> (Vec<String>, Vec<u32>) {
    let order = order(levels.len(), None, |code| &levels[code as usize]);
    renumber(&mut codes, &order);
    let sorted = order.iter().map(|&code| std::mem::take(&mut levels[code as usize])).collect();
    (sorted, codes)
}

/// The codes of distinct texts in the order of their levels; `known` is the lexicographic one.
pub(crate) fn order<'a>(
    n_texts: usize,
    known: Option<Vec<u32>>,
    text: impl Fn(u32) -> &'a str,
) -> Vec<u32> {
    let codes = 0..n_texts as u32;
    let number = |code| cell::number(text(code).as_bytes(), b'.').map(|number| number.value);
    let Some(numbers) = codes.clone().map(number).collect::<Option<Vec<f64>>>() else {
        let sort = || keyed_order(codes, text).into_iter().map(|(_, code)| code).collect();
        return known.unwrap_or_else(sort);
    };
    let mut order: Vec<u32> = codes.collect();
    order.sort_unstable_by(|&left, &right| {
        let by_number = numbers[left as usize].total_cmp(&numbers[right as usize]);
        by_number.then_with(|| text(left).cmp(text(right)))
    });
    order
}

/// Lexicographic order, with the eight bytes behind what all texts begin with: they decide for most texts,
/// without a look at them.
pub(crate) fn keyed_order<'a>(codes: Range<u32>, text: impl Fn(u32) -> &'a str) -> Vec<(u64, u32)> {
    if codes.is_empty() {
        return Vec::new();
    }
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
    order.sort_unstable_by_key(|&(key, _)| key);
    for same in order.chunk_by_mut(|left, right| left.0 == right.0).filter(|same| same.len() > 1) {
        same.sort_unstable_by(|&(_, left), &(_, right)| text(left).cmp(text(right)));
    }
    order
}

/// Replaces codes by their positions in `order`; [`MISSING_LEVEL`] stays.
pub(crate) fn renumber(codes: &mut [u32], order: &[u32]) {
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
}
