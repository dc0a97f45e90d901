//! Where and by how much the prediction of a row changes along the axes of ordered columns.

use crate::data::MISSING_CODE;

/// More cells than this per event are not all looked at.
const SPARSE: usize = 4;

/// Changes of sums over trees, gathered tree after tree.
#[derive(Debug, Default)]
pub(super) struct Events {
    stride: usize,
    /// Group and cell of every event.
    keys: Vec<(u32, u32)>,
    /// `stride` numbers per event.
    deltas: Vec<f64>,
    /// Events by group, in their order: where each group that has any begins and ends.
    spans: Vec<(u32, u32)>,
    sorted: Vec<u32>,
    /// One per cell, where they are dense; zero between uses.
    dense: Vec<f64>,
}

impl Events {
    pub(super) fn new(stride: usize, n_groups: usize) -> Self {
        Self { stride, spans: vec![(0, 0); n_groups], ..Self::default() }
    }

    /// Forgets everything; `touched` are the groups that were arranged, also those without events.
    pub(super) fn clear(&mut self, touched: &[u32]) {
        touched.iter().for_each(|&group| self.spans[group as usize] = (0, 0));
        self.keys.clear();
        self.deltas.clear();
    }

    /// From `cell` on, the sums change from those of `before` to those of `after`; a missing
    /// value is a cell of its own.
    pub(super) fn push(&mut self, group: u32, cell: u32, before: &[f64], after: &[f64]) {
        self.keys.push((group, cell));
        self.deltas.extend(after.iter().zip(before).map(|(after, before)| after - before));
        self.spans[group as usize].1 += 1;
    }

    /// Arranges the events by group.
    pub(super) fn arrange(&mut self, touched: &[u32]) {
        let mut start = 0;
        for &group in touched {
            let span = &mut self.spans[group as usize];
            let n_events = span.1;
            *span = (start, start);
            start += n_events;
        }
        self.sorted.clear();
        self.sorted.resize(start as usize, 0);
        for (event, &(group, _)) in (0_u32..).zip(&self.keys) {
            let place = &mut self.spans[group as usize].1;
            self.sorted[*place as usize] = event;
            *place += 1;
        }
    }

    /// Adds up the events of a group: calls `each` with every cell from which on the sums are
    /// others, in increasing order, and writes the sums of a missing value.
    pub(super) fn resolve(
        &mut self,
        group: usize,
        n_cells: usize,
        sums: &mut [f64],
        missing: &mut [f64],
        mut each: impl FnMut(u32, &[f64]),
    ) {
        let stride = self.stride;
        let (start, end) = self.spans[group];
        let events = &mut self.sorted[start as usize..end as usize];
        let delta = |event: u32| {
            let at = event as usize * stride;
            &self.deltas[at..at + stride]
        };
        let add = |sums: &mut [f64], delta: &[f64]| {
            sums.iter_mut().zip(delta).for_each(|(sum, delta)| *sum += delta);
        };
        let keys = &self.keys;
        let cell = |event: u32| keys[event as usize].1;
        missing.copy_from_slice(sums);
        for &event in events.iter().filter(|&&event| cell(event) == MISSING_CODE) {
            add(missing, delta(event));
        }
        if n_cells <= SPARSE * events.len() {
            let needed = n_cells * stride;
            if self.dense.len() < needed {
                self.dense.resize(needed, 0.0);
            }
            for &event in events.iter().filter(|&&event| cell(event) != MISSING_CODE) {
                let at = cell(event) as usize * stride;
                add(&mut self.dense[at..at + stride], delta(event));
            }
            for (cell, change) in (0_u32..).zip(self.dense[..needed].chunks_exact_mut(stride)) {
                if cell == 0 || change.iter().any(|change| *change != 0.0) {
                    add(sums, change);
                    change.fill(0.0);
                    each(cell, sums);
                }
            }
            return;
        }
        // Events of one cell in the order of the trees.
        events.sort_unstable_by_key(|&event| (cell(event), event));
        let first = events.first().map_or(MISSING_CODE, |&event| cell(event));
        if first > 0 {
            each(0, sums);
        }
        for together in events.chunk_by(|&one, &other| cell(one) == cell(other)) {
            if cell(together[0]) != MISSING_CODE {
                together.iter().for_each(|&event| add(sums, delta(event)));
                each(cell(together[0]), sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_without_events_take_no_room() {
        let touched = [2, 0, 1];
        let mut events = Events::new(1, 3);
        for _ in 0..40 {
            events.clear(&touched);
            events.push(0, 1, &[0.0], &[1.0]);
            events.push(0, 3, &[1.0], &[5.0]);
            events.arrange(&touched);
            assert_eq!((events.spans[0], events.sorted.len()), ((0, 2), 2));
        }
    }
}
