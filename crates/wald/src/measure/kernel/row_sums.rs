//! Sums for every row and group, of which only those that something was added to take memory
//! where there are many groups.

/// With at most this many numbers in all, or groups, every number has its place.
const DENSE_NUMBERS: usize = 1 << 22;
const DENSE_GROUPS: usize = 64;

/// With more groups a row has sums of few of them.
const MOST_DENSE_GROUPS: usize = 512;

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
    let is_small = n_rows * n_groups * width <= DENSE_NUMBERS;
    n_groups <= DENSE_GROUPS || n_groups <= MOST_DENSE_GROUPS && is_small
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

    /// Adds numbers to the sums of rows and groups, one after the other.
    pub(crate) fn add_all(&mut self, rows: &[u32], groups: &[u32], numbers: &[f64]) {
        let entries = rows.iter().zip(groups);
        match &mut self.form {
            Form::Dense(sums) if self.width == 1 => {
                for ((&row, &group), number) in entries.zip(numbers) {
                    sums[row as usize * self.n_groups + group as usize] += number;
                }
            }
            _ => {
                for ((&row, &group), numbers) in entries.zip(numbers.chunks_exact(self.width)) {
                    self.add(row, group, numbers);
                }
            }
        }
    }

    pub(super) fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// How many numbers there are places for.
    pub(super) fn n_numbers(&self) -> usize {
        match &self.form {
            Form::Dense(sums) => sums.len(),
            Form::Sparse(rows) => rows.iter().map(|entries| entries.sums.len()).sum(),
        }
    }

    /// The groups of a row that there are sums of; `None` where these are all.
    #[inline]
    pub(super) fn groups_of(&self, row: u32) -> Option<&[u32]> {
        match &self.form {
            Form::Dense(_) => None,
            Form::Sparse(rows) => Some(&rows[row as usize].groups),
        }
    }

    #[inline]
    pub(super) fn n_groups_of(&self, row: u32) -> usize {
        self.groups_of(row).map_or(self.n_groups, <[u32]>::len)
    }

    /// The place of a group among those of a row that there are sums of.
    #[inline]
    pub(super) fn place_of(&self, row: u32, group: u32) -> Option<usize> {
        match self.groups_of(row) {
            None => Some(group as usize),
            Some(groups) => groups.binary_search(&group).ok(),
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
            sums.add_all(&[1, 1], &[3, 0], &[1.0, 10.0, 2.0, 20.0]);
            sums.add(1, 3, &[4.0, 40.0]);
            sums.add_all(&[2], &[1], &[-1.0, -10.0]);
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
            let place = sums.place_of(1, 3).unwrap_or(usize::MAX);
            assert_eq!(sums.row(1).nth(place), Some((3, &[5.0, 50.0][..])));
        }
    }
}
