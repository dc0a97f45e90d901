//! Codes of columns, and their canonical order.

use super::*;

fn ranked(values: &[f64]) -> RankedColumn {
    RankedColumn::new(&Column::numeric("x", values.to_vec()).expect("finite values"))
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
    for n in [0_u32, 1, 2047, 2048, 5000] {
        for bits in [64, 12, 1] {
            let mut keys: Vec<(u64, u32)> =
                (0..n).map(|row| (stream.word() >> (64 - bits), row)).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort_by_bits(&mut keys);
            assert!(keys == expected, "{n} keys of {bits} bits");
        }
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
