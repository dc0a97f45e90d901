//! Means over trees of many values, of which no tree is kept.

/// Means over the trees so far, and sums of squared deviations from them (Welford 1962). A tree may have
/// fewer values than others: what it lacks is 0.
#[derive(Debug, Default)]
pub(crate) struct RunningMeans {
    n_trees: f64,
    pub(crate) means: Vec<f64>,
    squares: Vec<f64>,
}

impl RunningMeans {
    /// Adds the next tree, in the order of the trees.
    pub(crate) fn add(&mut self, tree: &[f64]) {
        let n = self.means.len().max(tree.len());
        self.means.resize(n, 0.0);
        self.squares.resize(n, 0.0);
        self.n_trees += 1.0;
        for (at, (mean, square)) in self.means.iter_mut().zip(&mut self.squares).enumerate() {
            let value = tree.get(at).copied().unwrap_or(0.0);
            let deviation = value - *mean;
            *mean += deviation / self.n_trees;
            *square += deviation * (value - *mean);
        }
    }

    /// Standard errors of the means; `None` with fewer than two trees.
    pub(crate) fn standard_errors(&self) -> Option<Vec<f64>> {
        let error = |squares: &f64| (squares / (self.n_trees - 1.0) / self.n_trees).sqrt();
        (self.n_trees > 1.0).then(|| self.squares.iter().map(error).collect())
    }
}
