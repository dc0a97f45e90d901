//! Sums of weights by label, of which few are not zero.

/// Labels that share a mark: their sums lie next to one another where they are fetched.
const MARKED: usize = 8;

/// The weights of one row. Labels that may have one are marked, so that they are found in increasing
/// order without sorting.
#[derive(Debug)]
pub(crate) struct Sums {
    by_label: Vec<f64>,
    /// 1 where one of some labels has a sum. With bits of single labels, which are read before they are
    /// written, adding and taking weights takes 1.4 times as long (5,000 rows, 500 trees).
    marks: Vec<u8>,
    /// What the sums are divided by.
    divisor: f64,
}

impl Sums {
    pub(crate) fn new(n_labels: usize) -> Self {
        let n_marks = n_labels.div_ceil(MARKED);
        Self { by_label: vec![0.0; n_marks * MARKED], marks: vec![0; n_marks], divisor: 0.0 }
    }

    /// Adds a tree in which labels share a weight of `share` each, and that counts `weight`.
    pub(super) fn add_equal(&mut self, labels: &[u32], share: f64, weight: f64) {
        labels.iter().for_each(|&label| self.add(label, share));
        self.divisor += weight;
    }

    /// The same where each label has a case weight, by which its share is multiplied.
    pub(super) fn add_weighted(&mut self, labels: &[u32], of: &[f64], share: f64, weight: f64) {
        labels.iter().for_each(|&label| self.add(label, share * of[label as usize]));
        self.divisor += weight;
    }

    fn add(&mut self, label: u32, share: f64) {
        self.by_label[label as usize] += share;
        self.marks[label as usize / MARKED] = 1;
    }

    /// Calls `each` with the labels, increasing, and their weights, and begins anew.
    pub(super) fn take(&mut self, mut each: impl FnMut(u32, f64)) {
        let blocks = self.by_label.as_chunks_mut::<MARKED>().0;
        for ((place, mark), sums) in (0..).zip(&mut self.marks).zip(blocks) {
            if std::mem::take(mark) == 0 {
                continue;
            }
            for (label, sum) in (place * MARKED as u32..).zip(std::mem::take(sums)) {
                if sum > 0.0 {
                    each(label, sum / self.divisor);
                }
            }
        }
        self.divisor = 0.0;
    }
}
