//! Sums for every row and group, of which only those that something was added to take memory
//! where there are many groups.

/// With at most this many numbers in all, or groups, every number has its place.
const DENSE_NUMBERS: usize = 1 << 22;
const DENSE_GROUPS: usize = 64;

/// For how many rows and groups there are sums, of how many numbers each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) n_rows: usize,
    pub(crate) n_groups: usize,
    pub(crate) width: usize,
}

/// Sums of `width` numbers per row and group; zero where nothing was added.
#[derive(Debug)]
pub(crate) struct RowSums {
    n_groups: usize,
    width: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// All groups of a row, then those of the next row.
    Dense(Vec<f64>),
    Sparse(Vec<Entries>),
}

/// The groups of one row, increasing, and their numbers.
#[derive(Debug, Clone, Default)]
struct Entries {
    groups: Vec<u32>,
    sums: Vec<f64>,
}

/// Whether every number has its place.
pub(crate) fn is_dense(n_rows: usize, n_groups: usize, width: usize) -> bool {
    n_groups <= DENSE_GROUPS || n_rows * n_groups * width <= DENSE_NUMBERS
}

impl RowSums {
    pub(crate) fn new(n_rows: usize, n_groups: usize, width: usize) -> Self {
        let form = if is_dense(n_rows, n_groups, width) {
            Form::Dense(vec![0.0; n_rows * n_groups * width])
        } else {
            Form::Sparse(vec![Entries::default(); n_rows])
        };
        Self { n_groups, width, form }
    }

    /// Other numbers, `width` of them, in all the places of these: zeros that `fill` is given with
    /// the row, the group and the sums.
    pub(crate) fn map(
        &self,
        width: usize,
        mut fill: impl FnMut(u32, usize, &[f64], &mut [f64]),
    ) -> Self {
        let form = match &self.form {
            Form::Dense(sums) => Form::Dense(vec![0.0; sums.len() / self.width * width]),
            Form::Sparse(rows) => {
                let zeros = |entries: &Entries| Entries {
                    groups: entries.groups.clone(),
                    sums: vec![0.0; entries.groups.len() * width],
                };
                Form::Sparse(rows.iter().map(zeros).collect())
            }
        };
        let mut other = Self { n_groups: self.n_groups, width, form };
        for row in 0..self.n_rows() {
            let numbers = other.numbers_mut(row).chunks_exact_mut(width);
            for ((group, sums), numbers) in self.row(row).zip(numbers) {
                fill(row, group, sums, numbers);
            }
        }
        other
    }

    fn n_rows(&self) -> u32 {
        match &self.form {
            Form::Dense(sums) => (sums.len() / (self.n_groups * self.width).max(1)) as u32,
            Form::Sparse(rows) => rows.len() as u32,
        }
    }

    fn numbers_mut(&mut self, row: u32) -> &mut [f64] {
        match &mut self.form {
            Form::Dense(sums) => {
                let n = self.n_groups * self.width;
                &mut sums[row as usize * n..(row as usize + 1) * n]
            }
            Form::Sparse(rows) => &mut rows[row as usize].sums,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, row: u32, group: u32, numbers: &[f64]) {
        let width = self.width;
        let sums = match &mut self.form {
            Form::Dense(sums) => {
                let start = (row as usize * self.n_groups + group as usize) * width;
                &mut sums[start..start + width]
            }
            Form::Sparse(rows) => {
                let entries = &mut rows[row as usize];
                let place = entries.groups.binary_search(&group).unwrap_or_else(|place| {
                    entries.groups.insert(place, group);
                    let zeros = std::iter::repeat_n(0.0, width);
                    entries.sums.splice(place * width..place * width, zeros);
                    place
                });
                &mut entries.sums[place * width..(place + 1) * width]
            }
        };
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
    }

    /// The sums of one row and group, where something was added or there is room for all.
    pub(crate) fn get(&self, row: u32, group: u32) -> Option<&[f64]> {
        let width = self.width;
        match &self.form {
            Form::Dense(sums) => {
                let start = (row as usize * self.n_groups + group as usize) * width;
                Some(&sums[start..start + width])
            }
            Form::Sparse(rows) => {
                let entries = &rows[row as usize];
                let place = entries.groups.binary_search(&group).ok()?;
                Some(&entries.sums[place * width..(place + 1) * width])
            }
        }
    }

    /// The groups of a row with their sums.
    pub(crate) fn row(&self, row: u32) -> impl Iterator<Item = (usize, &[f64])> {
        let (groups, sums) = match &self.form {
            Form::Dense(sums) => {
                let n = self.n_groups * self.width;
                (None, &sums[row as usize * n..(row as usize + 1) * n])
            }
            Form::Sparse(rows) => {
                let entries = &rows[row as usize];
                (Some(&entries.groups), entries.sums.as_slice())
            }
        };
        let group = move |place: usize| groups.map_or(place, |groups| groups[place] as usize);
        sums.chunks_exact(self.width).enumerate().map(move |(place, sums)| (group(place), sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_add_up_alike() {
        let dense = RowSums::new(3, 4, 2);
        assert!(matches!(dense.form, Form::Dense(_)));
        let sparse = RowSums { form: Form::Sparse(vec![Entries::default(); 3]), ..dense };
        let mut forms = [RowSums::new(3, 4, 2), sparse];
        for sums in &mut forms {
            for (row, group, value) in [(1, 3, 1.0), (1, 0, 2.0), (1, 3, 4.0), (2, 1, -1.0)] {
                sums.add(row, group, &[value, 10.0 * value]);
            }
        }
        for sums in &forms {
            assert_eq!(sums.get(1, 3), Some(&[5.0, 50.0][..]));
            let added = |row| -> Vec<(usize, f64)> {
                let all = sums.row(row).map(|(group, numbers)| (group, numbers[0]));
                all.filter(|(_, number)| *number != 0.0).collect()
            };
            assert_eq!(added(0), []);
            assert_eq!(added(1), [(0, 2.0), (3, 5.0)]);
            assert_eq!(added(2), [(1, -1.0)]);
            let other = sums.map(1, |row, group, sums, to| {
                to[0] = f64::from(row) * 100.0 + group as f64 * 10.0 + sums[1];
            });
            assert_eq!(other.get(1, 3), Some(&[180.0][..]));
            assert_eq!(other.get(2, 1), Some(&[200.0][..]));
        }
    }
}
