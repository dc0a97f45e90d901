//! Which columns count as one variable: those the user names, and those the data suggest if asked.

use std::sync::Arc;

use wald::data::Column;
use wald::grouping::{GroupRule, Suggestion, suggest_groups};
use wald::{Dataset, Run};
use wald_table::escape;

use crate::failure::Failure;
use crate::inputs::Data;
use crate::lists;
use crate::progress::with_progress;

/// Groups beyond these are counted only.
const MOST_GROUPS: usize = 5;

/// Columns of a group beyond these are counted only.
const MOST_COLUMNS: usize = 4;

/// The user's groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grouping<'a> {
    pub(crate) named: &'a [(String, Vec<String>)],
    pub(crate) rule: Option<GroupRule>,
}

impl Grouping<'_> {
    /// Groups the columns, and notes what was grouped or could be.
    pub(crate) fn apply(self, mut data: Data, work: &Run, quiet: bool) -> Result<Data, Failure> {
        let dataset = &data.prepared.dataset;
        let rule = self.rule.unwrap_or(GroupRule::Names);
        let find = || suggest_groups(dataset, rule, work);
        let mut found = with_progress("looking for groups", &work.progress, quiet, find)?;
        // The user's groups take precedence over those that the data suggest.
        let mut groups = named(self.named, dataset)?;
        found.retain(|suggestion| !touches(&groups, suggestion));
        let mut notes: Vec<String> = Vec::new();
        for suggestion in &found {
            let columns = listed(&suggestion.columns);
            let name = escape(&suggestion.name);
            notes.push(match self.rule {
                Some(_) => format!("columns {columns} were measured together as \"{name}\""),
                None => format!(
                    "columns {columns} look like one variable in one-hot form; `--group-by names` \
                     measures them together as \"{name}\""
                ),
            });
            if self.rule.is_some() {
                groups.push((suggestion.name.clone(), suggestion.columns.clone()));
            }
        }
        let n_more = notes.len().saturating_sub(MOST_GROUPS);
        notes.truncate(MOST_GROUPS);
        if n_more > 0 {
            notes.push(format!("so it is with {n_more} more groups of columns"));
        }
        if self.rule.is_some() && found.is_empty() {
            notes.push("`--group-by` found no columns to measure together".to_owned());
        }
        let grouped = Arc::unwrap_or_clone(data.prepared.dataset).with_groups(&groups)?;
        data.prepared.dataset = Arc::new(grouped);
        data.notes.extend(notes);
        Ok(data)
    }
}

/// Groups as the user has named them, and their columns as the table has them.
pub(crate) fn named(
    groups: &[(String, Vec<String>)],
    dataset: &Dataset,
) -> Result<Vec<(String, Vec<String>)>, Failure> {
    let known = || dataset.features().columns().iter().map(Column::name);
    let columns = |(name, pieces): &(String, Vec<String>)| {
        Ok((name.clone(), lists::columns(pieces, known())?))
    };
    groups.iter().map(columns).collect()
}

fn touches(groups: &[(String, Vec<String>)], suggestion: &Suggestion) -> bool {
    groups.iter().any(|(name, columns)| {
        *name == suggestion.name || suggestion.columns.iter().any(|column| columns.contains(column))
    })
}

fn listed(names: &[String]) -> String {
    let quoted = |name: &String| format!("\"{}\"", escape(name));
    let (last, before) = match names {
        [before @ .., last] if names.len() <= MOST_COLUMNS => (quoted(last), before),
        _ => {
            let before = &names[..names.len().min(MOST_COLUMNS - 1)];
            (format!("{} more", names.len() - before.len()), before)
        }
    };
    let before: Vec<String> = before.iter().map(quoted).collect();
    format!("{} and {last}", before.join(", "))
}
