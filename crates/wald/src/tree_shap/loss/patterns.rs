//! Leaves that mixtures of two rows reach, combined where they require the same of a mixture.

/// What a mixture must take from one of the two rows: the values of a player, given by its place,
/// from the row that is explained (*has*) or from the background row (*lacks*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal(u32);

impl Literal {
    pub(super) fn new(place: u32, has: bool) -> Self {
        Self(place << 1 | u32::from(has))
    }

    pub(super) fn place(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn has(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Sets of literals, each with what is added to the prediction of a mixture that fulfils all of its
/// literals: one number per output.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    literals: Vec<Literal>,
    /// By pattern, where its literals end.
    ends: Vec<usize>,
    adds: Vec<f64>,
    n_outputs: usize,
    order: Vec<u32>,
}

impl Patterns {
    pub(super) fn begin(&mut self, n_outputs: usize) {
        self.literals.clear();
        self.ends.clear();
        self.adds.clear();
        self.n_outputs = n_outputs;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn literals(&self, pattern: usize) -> &[Literal] {
        let start = pattern.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[pattern]]
    }

    pub(super) fn adds(&self, pattern: usize) -> &[f64] {
        &self.adds[pattern * self.n_outputs..][..self.n_outputs]
    }

    /// One more; of two literals on a player there is one. What adds nothing is left out.
    pub(super) fn push(
        &mut self,
        literals: impl Iterator<Item = Literal>,
        adds: impl Iterator<Item = f64>,
    ) {
        let (first_literal, first_add) = (self.literals.len(), self.adds.len());
        self.adds.extend(adds);
        if self.adds[first_add..].iter().all(|add| *add == 0.0) {
            self.adds.truncate(first_add);
            return;
        }
        self.literals.extend(literals);
        self.literals[first_literal..].sort_unstable();
        self.ends.push(self.literals.len());
    }

    /// Puts equal patterns together, into `merged`. Cost O(literals * log patterns).
    pub(super) fn merge(&mut self, merged: &mut Self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.len() as u32);
        // In the order in which they came where they are equal, so that sums are the same.
        order.sort_unstable_by(|&one, &other| {
            let literals = |pattern: u32| self.literals(pattern as usize);
            literals(one).cmp(literals(other)).then(one.cmp(&other))
        });
        merged.begin(self.n_outputs);
        for &pattern in &order {
            let (literals, adds) = (self.literals(pattern as usize), self.adds(pattern as usize));
            let last = merged.len().checked_sub(1);
            if let Some(last) = last.filter(|&last| merged.literals(last) == literals) {
                let sums = &mut merged.adds[last * self.n_outputs..];
                sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
            } else {
                merged.literals.extend_from_slice(literals);
                merged.ends.push(merged.literals.len());
                merged.adds.extend_from_slice(adds);
            }
        }
        self.order = order;
    }
}
