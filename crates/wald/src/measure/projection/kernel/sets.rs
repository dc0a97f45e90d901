//! Sets of the groups of a table, which stand in the place of groups.

use crate::data::{Dataset, Groups};
use crate::forest::Forest;

/// Sets of groups, named by their groups.
pub(in crate::measure) struct Sets {
    pub(in crate::measure) names: Vec<String>,
    /// The table with every set as a group; `None` where sets have groups in common, as these are no groups
    /// of a table.
    pub(in crate::measure) united: Option<Dataset>,
}

impl Sets {
    /// Sets of places among the groups of the table.
    pub(in crate::measure) fn of(forest: &Forest, data: &Dataset, sets: &[Vec<usize>]) -> Self {
        let columns: Vec<&str> =
            forest.features().iter().map(|feature| feature.name.as_str()).collect();
        let groups = data.groups().aligned(data.features(), &columns);
        let named = |set: &Vec<usize>| -> (String, Vec<String>) {
            let names: Vec<&str> =
                set.iter().map(|&group| groups.names()[group].as_str()).collect();
            let members = set.iter().flat_map(|&group| &groups.members()[group]);
            (names.join(", "), members.map(|&column| columns[column as usize].to_owned()).collect())
        };
        let named: Vec<(String, Vec<String>)> = sets.iter().map(named).collect();
        let united = data.clone().with_groups(&named).ok();
        Self { names: named.into_iter().map(|(name, _)| name).collect(), united }
    }

    /// The place of every set among the groups of the united table.
    pub(in crate::measure) fn places(&self, groups: &Groups) -> Option<Vec<usize>> {
        self.united.as_ref()?;
        let place = |name: &String| groups.names().iter().position(|other| other == name);
        self.names.iter().map(place).collect()
    }
}
