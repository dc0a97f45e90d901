//! Sums of weights by label, of which few are not zero.

/// Labels that share a mark: their sums lie next to one another where they are fetched.
const MARKED: usize = 8;

/// Sums of weights that differ by less are equal: they differ by rounding.
pub(super) const TIE: f64 = 1e-12;

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

    /// Adds a tree in which every label counts 1, however often it follows itself.
    pub(super) fn add_once(&mut self, labels: &[u32]) {
        labels.chunk_by(|one, other| one == other).for_each(|same| self.add(same[0], 1.0));
        self.divisor += 1.0;
    }

    fn add(&mut self, label: u32, share: f64) {
        self.by_label[label as usize] += share;
        self.marks[label as usize / MARKED] = 1;
    }

    /// Calls `each` with the labels, increasing, and their weights, and begins anew.
    pub(super) fn take(&mut self, mut each: impl FnMut(u32, f64)) {
        let divisor = std::mem::take(&mut self.divisor);
        self.take_marked(|first, sums| {
            for (label, sum) in (first..).zip(sums) {
                if sum > 0.0 {
                    each(label, sum / divisor);
                }
            }
        });
    }

    /// Calls `each` with the place of every level, which increase, and the first label up to which the
    /// weights reach it, and begins anew. The label is `None` where no label has a weight.
    pub(super) fn take_quantiles(
        &mut self,
        levels: &[f64],
        mut each: impl FnMut(usize, Option<u32>),
    ) {
        let divisor = std::mem::take(&mut self.divisor);
        let (mut below, mut next) = (0.0, 0);
        let mut last = (0, [0.0; MARKED]);
        self.take_marked(|first, sums| {
            last = (first, sums);
            // Most labels are passed together.
            let beyond = below + sums.iter().sum::<f64>();
            let reaches = |sum: f64, level: f64| sum / divisor >= level - TIE;
            if next < levels.len() && reaches(beyond, levels[next]) {
                for (label, sum) in (first..).zip(sums).filter(|(_, sum)| *sum > 0.0) {
                    below += sum;
                    while next < levels.len() && reaches(below, levels[next]) {
                        each(next, Some(label));
                        next += 1;
                    }
                }
            }
            below = beyond;
        });
        // Rounding may leave the sum of all weights below 1.
        let (first, sums) = last;
        let last = sums.iter().rposition(|&sum| sum > 0.0).map(|place| first + place as u32);
        (next..levels.len()).for_each(|at| each(at, last));
    }

    /// Calls `each` with the first of some labels and their sums, where one of them may have a sum.
    fn take_marked(&mut self, mut each: impl FnMut(u32, [f64; MARKED])) {
        let blocks = self.by_label.as_chunks_mut::<MARKED>().0;
        for ((place, mark), sums) in (0..).zip(&mut self.marks).zip(blocks) {
            if std::mem::take(mark) != 0 {
                each(place * MARKED as u32, std::mem::take(sums));
            }
        }
    }
}
