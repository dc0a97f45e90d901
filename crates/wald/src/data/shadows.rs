//! Shadows of columns: the same cells in the rows of one common permutation (Nembrini, König &
//! Wright 2018). No cell is copied; a row looks at the cells of its donor.

/// One row permutation.
#[derive(Debug, Clone)]
pub(crate) struct Shadows {
    /// By row, the row whose cells its shadows show.
    donors: Vec<u32>,
    /// By donor, the row that shows its cells.
    receivers: Vec<u32>,
}

impl Shadows {
    /// `donors` must name every row once.
    pub(crate) fn new(donors: Vec<u32>) -> Self {
        let mut receivers = vec![0; donors.len()];
        for (row, &donor) in (0_u32..).zip(&donors) {
            receivers[donor as usize] = row;
        }
        Self { donors, receivers }
    }

    pub(crate) fn donors(&self) -> &[u32] {
        &self.donors
    }

    #[inline]
    pub(crate) fn donor(&self, row: u32) -> u32 {
        self.donors[row as usize]
    }

    #[inline]
    pub(crate) fn receiver(&self, donor: u32) -> u32 {
        self.receivers[donor as usize]
    }
}
