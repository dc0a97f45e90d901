//! Codes of columns, and their canonical order.

use super::*;

fn ranked(values: &[f64]) -> RankedColumn {
    let column = Column::numeric("x", values.to_vec()).expect("finite values");
    RankedFeatures::new(&[&column], Threads::all()).column(0).clone()
}

#[test]
fn codes_keep_the_order_and_ties_of_values() {
    let column = ranked(&[2.5, -1.0, f64::NAN, 2.5, -0.0, 0.0, -1e300]);
    assert_eq!(column.codes(), [3, 1, MISSING_CODE, 3, 2, 2, 0]);
    assert_eq!(column.n_codes(), 4);
    assert!(column.has_missing());
}

#[test]
fn close_values_stay_distinct() {
    let values: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i) * 1e-9).collect();
    assert_eq!(ranked(&values).n_codes(), 40);
}

#[test]
fn digits_sort_like_comparisons() {
    let mut stream = crate::random::Stream::new(0, 0, crate::random::Purpose::Bag);
    // Large tables leave working memory for small ones.
    let mut room = SortingRoom::default();
    for n in [5000_u32, 0, 1, 31, 32, 500, 2047, 2048, 3000] {
        for bits in [64, 40, 12, 1] {
            let mut keys: Vec<(u64, u32)> =
                (0..n).map(|row| (stream.word() >> (64 - bits), 3 * row)).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort_by_bits(&mut keys, &mut room);
            assert!(keys == expected, "{n} keys of {bits} bits");
        }
    }
}

#[test]
fn columns_are_hashed_block_by_block_like_one_text() {
    // Long columns leave working memory for short ones.
    let mut ranking = Ranking::default();
    for n in [1_u32, 8191, 8192, 20_000, 3] {
        let values: Vec<f64> = (0..n).map(f64::from).collect();
        let mut text = vec![b'n'];
        text.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let numbers = Column::numeric("x", values).expect("finite values");
        assert_eq!(ranking.hash(&numbers), *blake3::hash(&text).as_bytes(), "{n} numbers");
        let codes: Vec<u32> = (0..n).map(|row| row % 2).collect();
        let mut text = vec![b'c'];
        text.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
        let levels = vec!["a".to_owned(), "b".to_owned()];
        let levels = Column::categorical("x", levels, codes).expect("two levels");
        assert_eq!(ranking.hash(&levels), *blake3::hash(&text).as_bytes(), "{n} codes");
    }
}

#[test]
fn canonical_order_depends_on_contents_alone() {
    let a = Column::numeric("a", vec![1.0, 2.0]).expect("finite");
    let b = Column::numeric("b", vec![5.0, 2.0]).expect("finite");
    let renamed = Column::numeric("z", vec![1.0, 2.0]).expect("finite");
    let one = RankedFeatures::new(&[&a, &b], Threads::all());
    let two = RankedFeatures::new(&[&b, &renamed], Threads::all());
    assert_eq!(one.canonical(0), two.canonical(1));
    assert_eq!(one.canonical(1), two.canonical(0));
}
