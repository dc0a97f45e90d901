//! One array for the cells of all columns: with thousands of columns, small arrays would lie on as many
//! pages of memory.

use std::ops::Deref;
use std::sync::Arc;

use crate::data::ranks::Order;
use crate::pages;

/// The cells of one column.
#[derive(Debug, Clone)]
pub(crate) struct Cells<T> {
    all: Arc<Vec<T>>,
    start: usize,
    n_rows: usize,
}

impl<T> Deref for Cells<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.all[self.start..self.start + self.n_rows]
    }
}

/// Cells that are put together, column after column.
#[derive(Debug)]
pub(super) struct Gathered<T> {
    all: Vec<T>,
    n_rows: usize,
    n_columns: usize,
}

impl<T> Gathered<T> {
    pub(super) fn new(n_rows: usize, n_columns: usize) -> Self {
        Self { all: pages::with_room(n_rows * n_columns), n_rows, n_columns }
    }

    /// Appends the cells of the next column.
    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = T>) {
        self.all.extend(cells);
    }

    pub(super) fn into_columns(self) -> impl Iterator<Item = Cells<T>> {
        let Self { all, n_rows, n_columns } = self;
        let all = Arc::new(all);
        (0..n_columns).map(move |index| Cells {
            all: Arc::clone(&all),
            start: index * n_rows,
            n_rows,
        })
    }
}

/// Orders that are put together, column after column.
#[derive(Debug)]
pub(super) enum GatheredOrders {
    Short(Gathered<u16>),
    Long(Gathered<u32>),
}

impl GatheredOrders {
    pub(super) fn new(n_rows: usize, n_columns: usize) -> Self {
        if u16::try_from(n_rows).is_ok() {
            Self::Short(Gathered::new(n_rows, n_columns))
        } else {
            Self::Long(Gathered::new(n_rows, n_columns))
        }
    }

    /// Appends the order of the next column.
    pub(super) fn push(&mut self, rows: Vec<u32>) {
        match self {
            Self::Short(orders) => orders.push(rows.into_iter().map(|row| row as u16)),
            Self::Long(orders) => orders.push(rows),
        }
    }

    pub(super) fn into_columns(self) -> Vec<Order> {
        match self {
            Self::Short(orders) => orders.into_columns().map(Order::Short).collect(),
            Self::Long(orders) => orders.into_columns().map(Order::Long).collect(),
        }
    }
}
