//! Settings and procedures in the words of R: arguments and functions.

use wald::message::{Form, Mention, Procedure, Setting, Value, Wording};

/// The words of R.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments;

/// The argument that gives a setting; `None` where there is none, because the types of columns decide.
pub(crate) fn argument(setting: Setting) -> Option<&'static str> {
    Some(match setting.id() {
        "categorical" | "exclude" | "infinite" | "missing" | "numeric" | "target" | "task" => {
            return None;
        }
        "error" => "loss",
        "group" | "group_by" => "groups",
        // As ranger calls them.
        "max_depth" => "max.depth",
        "min_leaf_size" => "min.bucket",
        "min_node_size" => "min.node.size",
        "sample_fraction" => "sample.fraction",
        "threads" => "num.threads",
        "trees" => "num.trees",
        // Of masking.
        "values" => "mtry",
        id => id,
    })
}

impl Wording for Arguments {
    fn setting(&self, Mention { setting, form }: &Mention) -> Option<String> {
        let name = argument(*setting)?;
        Some(match form {
            Form::Name => name.to_owned(),
            Form::Given => format!("`{name} =`"),
            Form::Value(Value::Yes) => format!("`{name} = TRUE`"),
            Form::Value(Value::Number(number)) => format!("`{name} = {number}`"),
            // Groups are named, not found by a rule.
            Form::Value(Value::Word(_)) if name == "groups" => return None,
            Form::Value(Value::Word(word)) => format!("`{name} = {word:?}`"),
            Form::Value(Value::Column(column)) => format!("`{name} = {column:?}`"),
        })
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        match &procedure.measure {
            Some(measure) => format!("`{}(fit, measure = {measure:?})`", function(procedure)),
            None => format!("`{}()`", function(procedure)),
        }
    }

    fn line(&self, procedure: &Procedure) -> String {
        let function = function(procedure);
        let measure = procedure.measure.as_deref().map(|name| format!(", measure = {name:?}"));
        let measure = measure.unwrap_or_default();
        let method =
            procedure.method.map(|name| format!(", method = {name:?}")).unwrap_or_default();
        match procedure.id {
            "surrogate" => format!("{function}(x, y{measure})"),
            "compare" => format!("{function}(fit, other)"),
            "predict" => format!("{function}(fit, newdata, type = \"quantiles\")"),
            _ => format!("{function}(fit{method}{measure})"),
        }
    }

    /// What measures takes the forest of `wald()`.
    fn measures_tables(&self) -> bool {
        false
    }
}

/// The function that does it.
fn function(procedure: &Procedure) -> &'static str {
    match procedure.id {
        "select" => "select_variables",
        "conditional" => "conditional_test",
        "proximities" => "outliers",
        id => id,
    }
}
