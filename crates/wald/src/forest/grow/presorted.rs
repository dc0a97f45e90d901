//! The in-bag rows in the order of every column that the tree uses, kept sorted from the root to
//! the leaves.
//!
//! Each division of a node divides the orders of all columns stably, so that no node is ever
//! sorted. Cost per row and level: p divisions and mtry scans, all sequential.
//!
//! A large node works on positions of 32 bits, a smaller one on 16 bits, and one of few rows on an
//! arrangement of its own that stays in the fastest memory. `simd.rs` divides many positions at a
//! time where the processor can.
//!
//! Growing takes 1.3 to 2.6 times as long where nodes are sorted instead; 1.2 to 1.4 times without
//! positions of 16 bits, which is what dividing many at a time gains; and 1.05 to 1.2 times without
//! the arrangement of few rows (`docs/benchmarks.md`).

use crate::data::{MISSING_CODE, Order, RankedFeatures};
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span, goes_right};
use crate::forest::grow::divide::{self, Sides};
use crate::forest::grow::parts::Parts;
use crate::forest::grow::sequence::{Distinct, Tied};
use crate::forest::position::Position;
use crate::forest::split::{self, Best, Cut, Scorer};
use crate::forest::tree::Side;
use crate::pages;

/// Working memory; see the module.
#[derive(Debug, Default)]
pub(crate) struct Presorted<P> {
    /// Rows of the table by position, increasing.
    rows: Vec<u32>,
    /// The rows whose cells shadows show, by position; empty without shadows.
    donors: Vec<u32>,
    /// Position by row of the table.
    places: Vec<P>,
    /// Position by row whose cells its shadows show.
    donor_places: Vec<P>,
    /// The columns that are kept sorted.
    columns: Vec<u32>,
    /// Column after column, missing values last; then the members, by increasing row.
    orders: Vec<P>,
    /// Dense ranks by position, for the columns with ties or missing values.
    ranks: Vec<P>,
    /// Where the ranks of a column begin.
    ranks_of: Vec<Option<usize>>,
    sides: Sides,
    /// Columns that the current division divides.
    divided: Vec<u32>,
    spare: Vec<P>,
}

impl<P: Position> Presorted<P> {
    /// Sorts the given rows by the given columns, which increase.
    #[inline(never)]
    pub(crate) fn fill(&mut self, features: &RankedFeatures, rows: &[u32], columns: &[u32]) {
        let n = rows.len();
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.donors.clear();
        place(rows, &mut self.places, features.n_rows());
        if let Some(shadows) = features.shadows() {
            self.donors.extend(rows.iter().map(|&row| shadows.donor(row)));
            place(&self.donors, &mut self.donor_places, features.n_rows());
        }
        self.make_room(n, features.n_columns());
        self.ranks_of.clear();
        self.ranks_of.resize(features.n_columns(), None);
        let mut n_ranked = 0;
        for &column in columns {
            let ranked = features.column(column);
            let (rows, places) = match features.shadow(column) {
                None => (rows, &self.places),
                Some(_) => (self.donors.as_slice(), &self.donor_places),
            };
            let column = column as usize;
            // One more, since a row that is not in the bag is written and then overwritten.
            let order = &mut self.orders[column * n..=(column + 1) * n];
            match ranked.order() {
                Order::Short(rows) => keep_in_bag(rows, places, order),
                Order::Long(rows) => keep_in_bag(rows, places, order),
            }
            let has_ranks = ranked.has_ties() || ranked.has_missing();
            self.ranks_of[column] = has_ranks.then_some(n_ranked * n);
            if has_ranks {
                n_ranked += 1;
                self.ranks.resize(self.ranks.len().max(n_ranked * n), P::default());
                let ranks = &mut self.ranks[(n_ranked - 1) * n..n_ranked * n];
                rank(ranked.codes(), rows, &order[..n], ranks);
            }
        }
        self.start();
    }

    /// Takes over one node of another arrangement; its positions become 0, 1, ...
    #[inline(never)]
    fn take<Q: Position>(&mut self, from: &Presorted<Q>, span: Span) {
        let n = span.len();
        self.rows.clear();
        let members = from.members(span);
        self.rows.extend(members.iter().map(|position| from.rows[position.index()]));
        self.donors.clear();
        if !from.donors.is_empty() {
            self.donors.extend(members.iter().map(|position| from.donors[position.index()]));
        }
        self.places.resize(self.places.len().max(from.rows.len()), P::default());
        for (place, &position) in members.iter().enumerate() {
            self.places[position.index()] = P::new(place);
        }
        self.columns.clone_from(&from.columns);
        let n_columns = from.ranks_of.len();
        self.make_room(n, n_columns);
        self.ranks_of.clear();
        self.ranks_of.resize(n_columns, None);
        let mut n_ranked = 0;
        for &column in &from.columns {
            let source = &from.order(column, span);
            let column = column as usize;
            let order = &mut self.orders[column * n..(column + 1) * n];
            let Some(start) = from.ranks_of[column] else {
                for (to, position) in order.iter_mut().zip(*source) {
                    *to = self.places[position.index()];
                }
                continue;
            };
            self.ranks_of[column] = Some(n_ranked * n);
            n_ranked += 1;
            self.ranks.resize(self.ranks.len().max(n_ranked * n), P::default());
            let ranks = &mut self.ranks[(n_ranked - 1) * n..n_ranked * n];
            let rank_of = |position: Q| from.ranks[start + position.index()];
            let (mut rank, mut before) = (0, rank_of(source[0]));
            for (to, &position) in order.iter_mut().zip(*source) {
                let place = self.places[position.index()];
                let here = rank_of(position);
                rank += usize::from(here != before);
                before = here;
                *to = place;
                ranks[place.index()] = if here == Q::NOWHERE { P::NOWHERE } else { P::new(rank) };
            }
        }
        self.start();
    }

    fn make_room(&mut self, n: usize, n_columns: usize) {
        self.sides.resize(n);
        self.spare.resize(n, P::default());
        let n_orders = (n_columns + 1) * n;
        pages::reserve(&mut self.orders, n_orders);
        self.orders.resize(self.orders.len().max(n_orders), P::default());
    }

    /// The members are those of the root.
    fn start(&mut self) {
        let (n, n_columns) = (self.rows.len(), self.ranks_of.len());
        let members = self.orders[n_columns * n..(n_columns + 1) * n].iter_mut();
        members.enumerate().for_each(|(place, member)| *member = P::new(place));
    }

    fn divide_columns(&mut self, columns: &[u32], span: Span) {
        let parts = Parts { columns, stride: self.rows.len(), span: span.range() };
        divide::divide_columns(&mut self.orders, &parts, &mut self.spare, &self.sides);
    }

    fn order(&self, column: u32, span: Span) -> &[P] {
        let start = column as usize * self.rows.len();
        &self.orders[start..][span.range()]
    }

    /// How many of the positions, missing values last, have a value.
    fn n_present(&self, column: u32, order: &[P]) -> usize {
        self.ranks(column).map_or(order.len(), |ranks| {
            order.partition_point(|position| ranks[position.index()] != P::NOWHERE)
        })
    }

    /// The rows of the table where a column's cells are, by position.
    fn cell_rows(&self, features: &RankedFeatures, column: u32) -> &[u32] {
        if features.shadow(column).is_some() { &self.donors } else { &self.rows }
    }

    fn ranks(&self, column: u32) -> Option<&[P]> {
        self.ranks_of[column as usize].map(|start| &self.ranks[start..start + self.rows.len()])
    }
}

/// Notes the positions of rows.
fn place<P: Position>(rows: &[u32], places: &mut Vec<P>, n_rows: usize) {
    places.clear();
    places.resize(n_rows, P::NOWHERE);
    for (position, &row) in rows.iter().enumerate() {
        places[row as usize] = P::new(position);
    }
}

/// Copies the places of the rows that have one.
fn keep_in_bag<P: Position>(rows: &[impl Position], places: &[P], order: &mut [P]) {
    let mut filled = 0;
    for &row in rows {
        let place = places[row.index()];
        order[filled] = place;
        filled += usize::from(place != P::NOWHERE);
    }
}

/// Dense ranks of the codes in sorted order; missing values have the last one for themselves.
fn rank<P: Position>(codes: &[u32], rows: &[u32], order: &[P], ranks: &mut [P]) {
    let mut rank = 0;
    let mut before = None;
    for &position in order {
        let code = codes[rows[position.index()] as usize];
        if code == MISSING_CODE {
            ranks[position.index()] = P::NOWHERE;
            continue;
        }
        rank += usize::from(before.is_some_and(|before| before != code));
        before = Some(code);
        ranks[position.index()] = P::new(rank);
    }
}

impl<P: Position> Arrangement for Presorted<P> {
    type Position = P;

    fn members(&self, span: Span) -> &[P] {
        self.order(self.ranks_of.len() as u32, span)
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        let column = best.candidate;
        let ranked = features.column(column);
        let order = self.order(column, span);
        let cell_rows = self.cell_rows(features, column);
        let row = |position: P| cell_rows[position.index()];
        let Some(ranks) = self.ranks(column) else {
            let sequence = Distinct { order, row };
            return split::search(scorer, ranked, &sequence, &[] as &[P], best);
        };
        let n_present =
            if ranked.has_missing() { self.n_present(column, order) } else { order.len() };
        let (order, missing) = order.split_at(n_present);
        let sequence = Tied { order, key: |position: P| ranks[position.index()], row };
        split::search(scorer, ranked, &sequence, missing, best);
    }

    fn is_constant(&self, _features: &RankedFeatures, column: u32, span: Span) -> bool {
        // The order of a column without ranks holds different values only.
        self.ranks(column).map_or(span.len() < 2, |ranks| {
            let order = self.order(column, span);
            let rank = |position: &P| ranks[position.index()];
            order.first().map(rank) == order.last().map(rank)
        })
    }

    fn divide<S: Scorer>(
        &mut self,
        _scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &Best,
    ) -> u32 {
        let n = self.rows.len();
        let order = &self.orders[best.column as usize * n..][span.range()];
        if let Cut::Between { n_low, .. } = best.cut {
            let missing_left = best.missing == Some(Side::Left);
            let n_present =
                if missing_left { self.n_present(best.column, order) } else { order.len() };
            let (present, missing) = order.split_at(n_present);
            let (left, right) = present.split_at(n_low as usize);
            left.iter().for_each(|&position| self.sides.set(position, false));
            right.iter().for_each(|&position| self.sides.set(position, true));
            missing.iter().for_each(|&position| self.sides.set(position, false));
            let n_left = n_low + missing.len() as u32;
            self.divide_columns(&[features.n_columns() as u32], span);
            return span.start + n_left;
        }
        let codes = features.column(best.column).codes();
        let goes_right = goes_right(best, codes);
        let rows = if features.shadow(best.column).is_some() { &self.donors } else { &self.rows };
        let mut n_left = 0;
        for &position in order {
            let is_right = goes_right(codes[rows[position.index()] as usize]);
            self.sides.set(position, is_right);
            n_left += u32::from(!is_right);
        }
        self.divide_columns(&[features.n_columns() as u32], span);
        span.start + n_left
    }

    fn deepen(&mut self, span: Span, best: &Best) {
        let is_divided =
            matches!(best.cut, Cut::Between { .. }) && best.missing != Some(Side::Left);
        let mut divided = std::mem::take(&mut self.divided);
        divided.clear();
        let columns = self.columns.iter().copied();
        divided.extend(columns.filter(|&column| !is_divided || column != best.column));
        self.divide_columns(&divided, span);
        self.divided = divided;
    }
}

impl<P: Position> HandOver for Presorted<P> {
    type Smaller = Presorted<u16>;

    fn hand_over(&self, _: &RankedFeatures, span: Span, to: &mut Presorted<u16>) -> bool {
        to.take(self, span);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    #[test]
    fn ranks_put_missing_values_last() {
        let column = Column::numeric("x", vec![2.0, f64::NAN, 1.0, 2.0]).expect("finite");
        let features = RankedFeatures::new(&[&column], crate::run::Threads::all());
        let mut presorted = Presorted::<u16>::default();
        presorted.fill(&features, &[0, 1, 2, 3], &[0]);
        assert_eq!(presorted.order(0, Span { start: 0, end: 4 }), [2, 0, 3, 1]);
        assert_eq!(presorted.ranks(0), Some([1, u16::MAX, 0, 1].as_slice()));
    }

    #[test]
    fn only_the_given_rows_are_sorted() {
        let column = Column::numeric("x", vec![5.0, 4.0, 3.0, 2.0]).expect("finite");
        let features = RankedFeatures::new(&[&column, &column], crate::run::Threads::all());
        let mut presorted = Presorted::<u32>::default();
        presorted.fill(&features, &[1, 2], &[0, 1]);
        assert_eq!(presorted.order(1, Span { start: 0, end: 2 }), [1, 0]);
    }
}
