//! Sums of weights by label, of which few are not zero.

/// The weights of one row. Labels that have one are marked by bits, so that they are found in
/// increasing order without sorting.
#[derive(Debug)]
pub(crate) struct Sums {
    by_label: Vec<f64>,
    marks: Vec<u64>,
    /// What the sums are divided by.
    divisor: f64,
}

impl Sums {
    pub(crate) fn new(n_labels: usize) -> Self {
        let marks = vec![0; n_labels.div_ceil(64)];
        Self { by_label: vec![0.0; n_labels], marks, divisor: 0.0 }
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
        self.marks[label as usize / 64] |= 1 << (label % 64);
    }

    /// Calls `each` with the labels, increasing, and their weights, and begins anew.
    pub(super) fn take(&mut self, mut each: impl FnMut(u32, f64)) {
        for (place, mark) in self.marks.iter_mut().enumerate() {
            let mut bits = std::mem::take(mark);
            while bits != 0 {
                let label = place * 64 + bits.trailing_zeros() as usize;
                each(label as u32, std::mem::take(&mut self.by_label[label]) / self.divisor);
                bits &= bits - 1;
            }
        }
        self.divisor = 0.0;
    }
}
