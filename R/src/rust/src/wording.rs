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
        let function = match procedure.id {
            "select" => "select_variables",
            id => id,
        };
        match &procedure.measure {
            Some(measure) => format!("`{function}(fit, {measure:?})`"),
            None => format!("`{function}()`"),
        }
    }

    fn line(&self, procedure: &Procedure) -> String {
        let measure = procedure.measure.as_deref().map(|measure| format!("{measure:?}"));
        let with_comma = measure.as_ref().map(|measure| format!(", {measure}")).unwrap_or_default();
        match procedure.id {
            "select" => format!("select_variables(fit{with_comma})"),
            "surrogate" => format!("surrogate(x, y{with_comma})"),
            id => format!("{id}(fit{with_comma})"),
        }
    }
}
