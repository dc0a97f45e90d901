//! Data sets with shadows of their variables as further columns, so that any measure can be computed of both.

use std::borrow::Cow;

use crate::data::column::Column;
use crate::data::dataset::Dataset;
use crate::error::Error;

impl Dataset {
    /// The same rows with a shadow of every variable, after all columns. All shadows show the rows
    /// of one permutation, so that they depend on each other as the variables do.
    pub(crate) fn with_common_shadows(&self, donors: &[u32]) -> Result<Self, Error> {
        let groups = 0..self.groups().n_groups();
        self.with_shadows(groups.map(|group| (group, Cow::Borrowed(donors))))
    }

    /// The same rows with shadows after all columns: each of a group, with the row whose cells it
    /// shows in every row. A group may have several.
    pub(crate) fn with_shadows<'a>(
        &self,
        shadows: impl Iterator<Item = (usize, Cow<'a, [u32]>)>,
    ) -> Result<Self, Error> {
        let columns = self.features().columns();
        let groups = self.groups();
        let prefix = self.free_prefix();
        let mut all = columns.to_vec();
        let members = |prefix: &str, group: usize| -> (String, Vec<String>) {
            let column = |&at: &u32| format!("{prefix}{}", columns[at as usize].name());
            let names = groups.members()[group].iter().map(column).collect();
            (format!("{prefix}{}", groups.names()[group]), names)
        };
        let mut named: Vec<_> = (0..groups.n_groups()).map(|group| members("", group)).collect();
        let mut n_shadows = vec![0; groups.n_groups()];
        for (group, donors) in shadows {
            n_shadows[group] += 1;
            // No name begins with the prefix, so that repeating it makes names of their own.
            let (name, of_columns) = members(&prefix.repeat(n_shadows[group]), group);
            for (&column, name) in groups.members()[group].iter().zip(&of_columns) {
                all.push(columns[column as usize].select(&donors).named(name.clone()));
            }
            named.push((name, of_columns));
        }
        let both = Self::new(all, self.target().clone())?.with_groups(&named)?;
        match self.weights() {
            Some(weights) => both.with_weights(weights.to_vec()),
            None => Ok(both),
        }
    }

    /// The name of the column that a column of [`Self::with_shadows`] is, or shows.
    pub(crate) fn shown_by_shadows(&self) -> impl Fn(&str) -> &str {
        let prefix = self.free_prefix();
        move |mut name| {
            while let Some(shown) = name.strip_prefix(prefix.as_str()) {
                name = shown;
            }
            name
        }
    }

    /// What no name begins with.
    fn free_prefix(&self) -> String {
        let columns = self.features().columns().iter().map(Column::name);
        let names = || columns.clone().chain(self.groups().names().iter().map(String::as_str));
        let mut prefix = "shadow of ".to_owned();
        while names().chain([self.target().name()]).any(|name| name.starts_with(&prefix)) {
            prefix.insert_str(0, "shadow of ");
        }
        prefix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ColumnData, Target};

    /// Cells of donors, names that were taken, groups and weights.
    #[test]
    fn shadows_show_other_rows() {
        let numbers = vec![1.0, f64::NAN, 3.0];
        let levels = vec!["a".to_owned(), "b".to_owned()];
        let columns = vec![
            Column::numeric("x", numbers).expect("numbers"),
            Column::categorical("shadow of x", levels, vec![0, 1, 1]).expect("codes"),
            Column::numeric("z", vec![5.0, 6.0, 7.0]).expect("numbers"),
        ];
        let target = Target::regression("y", vec![1.0, 2.0, 3.0]).expect("numbers");
        let members = vec!["x".to_owned(), "z".to_owned()];
        let data = Dataset::new(columns, target).expect("a data set");
        let data = data.with_groups(&[("pair".to_owned(), members)]).expect("groups");
        let data = data.with_weights(vec![1.0, 2.0, 3.0]).expect("weights");
        let both = data.with_common_shadows(&[2, 0, 1]).expect("shadows");
        assert_eq!(both.n_features(), 6);
        assert_eq!((both.target(), both.weights()), (data.target(), data.weights()));
        let prefix = "shadow of shadow of ";
        let names = ["pair", "shadow of x"].map(str::to_owned);
        let shadows = names.clone().map(|name| format!("{prefix}{name}"));
        assert_eq!(both.groups().names(), [names, shadows].concat());
        let shadow = both.features().column(&format!("{prefix}x")).expect("a column");
        let ColumnData::Numeric(values) = shadow.data() else { panic!("numbers") };
        assert!(values[0] == 3.0 && values[1] == 1.0 && values[2].is_nan());
        let shadow = both.features().column(&format!("{prefix}shadow of x")).expect("a column");
        let ColumnData::Categorical(categories) = shadow.data() else { panic!("levels") };
        assert_eq!(categories.codes(), [1, 0, 1]);
    }

    #[test]
    fn a_variable_may_have_several_shadows() {
        let x = Column::numeric("x", vec![1.0, 2.0, 3.0]).expect("numbers");
        let target = Target::regression("y", vec![1.0, 2.0, 3.0]).expect("numbers");
        let data = Dataset::new(vec![x], target).expect("a data set");
        let donors = [[2, 1, 0], [1, 2, 0]];
        let shadows = donors.iter().map(|donors| (0, Cow::Borrowed(&donors[..])));
        let all = data.with_shadows(shadows).expect("shadows");
        let first = |column: &Column| match column.data() {
            ColumnData::Numeric(values) => values[0],
            ColumnData::Categorical(_) => f64::NAN,
        };
        let cells: Vec<f64> = all.features().columns().iter().map(first).collect();
        assert_eq!(cells, [1.0, 3.0, 2.0]);
        assert_eq!(all.groups().n_groups(), 3);
    }
}
