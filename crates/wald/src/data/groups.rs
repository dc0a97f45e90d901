//! Columns that importances treat as one variable.
//!
//! Groups belong to the data set and change no forest.

use crate::{message, setting};
use std::collections::{HashMap, HashSet};

use crate::data::column::Column;
use crate::data::features::Features;
use crate::error::Error;

/// What importances are given for: every column is in exactly one group, most of them in a
/// group of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    names: Vec<String>,
    /// Columns of each group, in the user's order.
    members: Vec<Vec<u32>>,
    /// The group of each column.
    of_column: Vec<u32>,
}

impl Groups {
    /// Every column on its own.
    pub fn singles(features: &Features) -> Self {
        let n_columns = features.n_columns() as u32;
        Self {
            names: features.names(),
            members: (0..n_columns).map(|column| vec![column]).collect(),
            of_column: (0..n_columns).collect(),
        }
    }

    /// Groups by name with the names of their columns; columns that none of them names stay on
    /// their own. A group stands where its first column stood.
    ///
    /// ```
    /// use wald::data::Groups;
    /// use wald::simulate::Friedman1;
    ///
    /// let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(60, 1)?;
    /// let pair = ("pair".to_owned(), vec!["x2".to_owned(), "x5".to_owned()]);
    /// let groups = Groups::new(data.features(), &[pair])?;
    /// assert_eq!(groups.names(), ["x1", "pair", "x3", "x4"]);
    /// assert_eq!(groups.members()[1], [1, 4]); // positions of its columns
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] when a group is empty, names a column that does not exist or that is
    /// named before, or has the name of another group or column.
    pub fn new(features: &Features, groups: &[(String, Vec<String>)]) -> Result<Self, Error> {
        let columns: HashMap<&str, usize> =
            features.columns().iter().map(Column::name).zip(0..).collect();
        let mut group_of: Vec<Option<usize>> = vec![None; features.n_columns()];
        let mut names = HashSet::new();
        for (index, (name, members)) in groups.iter().enumerate() {
            if members.is_empty() {
                return Err(Error::bad_setting(
                    setting::GROUP,
                    format!("the group \"{name}\" has no columns"),
                    message!("give it at least one column", setting::GROUP.hint()),
                ));
            }
            if !names.insert(name) {
                return Err(Error::bad_setting(
                    setting::GROUP,
                    format!("two groups are called \"{name}\""),
                    "give every group a name of its own",
                ));
            }
            for member in members {
                let Some(&column) = columns.get(member.as_str()) else {
                    return Err(Error::bad_setting(
                        setting::GROUP,
                        format!(
                            "the group \"{name}\" names \"{member}\", which is not an \
                             input variable"
                        ),
                        "name columns of the table that the forest uses",
                    ));
                };
                if let Some(other) = group_of[column].replace(index) {
                    let other = &groups[other].0;
                    return Err(Error::bad_setting(
                        setting::GROUP,
                        format!("\"{member}\" is in the group \"{other}\" and again in \"{name}\""),
                        "put every column into one group at most",
                    ));
                }
            }
        }
        for (index, (name, _)) in groups.iter().enumerate() {
            let namesake = columns.get(name.as_str());
            if namesake.is_some_and(|&column| group_of[column] != Some(index)) {
                return Err(Error::bad_setting(
                    setting::GROUP,
                    format!("the group \"{name}\" has the name of a column outside of it"),
                    "give the group another name",
                ));
            }
        }
        let mut place: Vec<Option<u32>> = vec![None; groups.len()];
        let mut all = Self { names: Vec::new(), members: Vec::new(), of_column: Vec::new() };
        for (column, group) in (0_u32..).zip(group_of) {
            let known = group.and_then(|group| place[group]);
            let group = known.unwrap_or_else(|| {
                let next = all.names.len() as u32;
                let name = match group {
                    Some(group) => {
                        place[group] = Some(next);
                        groups[group].0.clone()
                    }
                    None => features.columns()[column as usize].name().to_owned(),
                };
                all.names.push(name);
                all.members.push(Vec::new());
                next
            });
            all.members[group as usize].push(column);
            all.of_column.push(group);
        }
        Ok(all)
    }

    /// The same groups for columns of these names, in their order; a column that is not among those
    /// grouped stays on its own.
    #[must_use]
    pub fn aligned(&self, features: &Features, names: &[&str]) -> Self {
        let place: HashMap<&str, u32> =
            features.columns().iter().map(Column::name).zip(0..).collect();
        let mut aligned = Self { names: Vec::new(), members: Vec::new(), of_column: Vec::new() };
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (column, &name) in (0_u32..).zip(names) {
            let group = place.get(name).map(|&place| self.of_column[place as usize]);
            let next = aligned.names.len() as u32;
            let group = match group {
                Some(group) => *known.entry(group).or_insert(next),
                None => next,
            };
            if group == next {
                let source = place.get(name).map(|&place| self.of_column[place as usize]);
                let label = source.map_or(name, |group| self.names[group as usize].as_str());
                aligned.names.push(label.to_owned());
                aligned.members.push(Vec::new());
            }
            aligned.members[group as usize].push(column);
            aligned.of_column.push(group);
        }
        aligned
    }

    /// The groups that are kept, for the columns that are left without the others.
    pub(crate) fn kept(&self, is_kept: &[bool]) -> Self {
        let mut kept = Self { names: Vec::new(), members: Vec::new(), of_column: Vec::new() };
        let mut place = vec![0; self.n_groups()];
        for (group, _) in is_kept.iter().enumerate().filter(|(_, is_kept)| **is_kept) {
            place[group] = kept.names.len() as u32;
            kept.names.push(self.names[group].clone());
            kept.members.push(Vec::new());
        }
        for &group in self.of_column.iter().filter(|group| is_kept[**group as usize]) {
            let group = place[group as usize];
            kept.members[group as usize].push(kept.of_column.len() as u32);
            kept.of_column.push(group);
        }
        kept
    }

    /// Sums over the columns of each group.
    pub(crate) fn sums(&self, per_column: &[f64]) -> Vec<f64> {
        let sum =
            |members: &Vec<u32>| members.iter().map(|&column| per_column[column as usize]).sum();
        self.members.iter().map(sum).collect()
    }

    /// True when every column is on its own.
    pub fn are_single(&self) -> bool {
        self.names.len() == self.of_column.len()
    }

    /// Names of the groups; of columns on their own, their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Positions of the columns of each group.
    pub fn members(&self) -> &[Vec<u32>] {
        &self.members
    }

    /// The group of each column.
    pub fn of_column(&self) -> &[u32] {
        &self.of_column
    }

    /// Number of groups, columns on their own included.
    pub fn n_groups(&self) -> usize {
        self.names.len()
    }
}
