//! Settings and procedures in the words of Python: arguments and functions.

use wald::message::{Form, Mention, Procedure, Setting, Value, Wording};

/// The words of Python.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments;

/// The argument that gives a setting; `None` where there is none, because data frames or classes
/// decide.
pub(crate) fn argument(setting: Setting) -> Option<&'static str> {
    Some(match setting.id() {
        "categorical" | "exclude" | "infinite" | "missing" | "numeric" | "splitting"
        | "stratify" | "target" | "task" => return None,
        // As scikit-learn calls them.
        "cluster" => "clusters",
        "error" => "loss",
        "group" | "group_by" => "groups",
        "decreasing" | "increasing" => "monotonic_cst",
        "min_leaf_size" => "min_samples_leaf",
        "min_node_size" => "min_samples_split",
        "mtry" => "max_features",
        "sample_fraction" => "max_samples",
        "sampling" => "bootstrap",
        "smallest" => "min_features_to_select",
        "threads" => "n_jobs",
        "trees" => "n_estimators",
        // What numbers of variables masking compares.
        "values" => "mtry",
        id => id,
    })
}

impl Wording for Arguments {
    fn setting(&self, Mention { setting, form }: &Mention) -> Option<String> {
        let name = argument(*setting)?;
        Some(match form {
            Form::Name => name.to_owned(),
            Form::Given if name == "test" => "`test=(X, y)`".to_owned(),
            Form::Given => format!("`{name}=`"),
            Form::Value(Value::Yes) => format!("`{name}=True`"),
            // scikit-learn counts what a node needs to split, wald what it may hold without.
            Form::Value(Value::Number(number)) if name == "min_samples_split" => {
                format!("`{name}={}`", number + 1)
            }
            Form::Value(Value::Number(number)) => format!("`{name}={number}`"),
            Form::Value(Value::Word(word)) if name == "bootstrap" && *word != "subsample" => {
                let is_bootstrap = *word == "bootstrap";
                format!("`bootstrap={}`", if is_bootstrap { "True" } else { "False" })
            }
            // Groups are named, not found by a rule.
            Form::Value(Value::Word(_)) if name == "groups" => return None,
            Form::Value(Value::Word(word)) => format!("`{name}={word:?}`"),
            Form::Value(Value::Column(column)) => format!("`{name}=[{column:?}]`"),
        })
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        let measure = procedure.measure.as_ref().map(|measure| format!("{measure:?}"));
        let measure = measure.unwrap_or_default();
        match procedure.id {
            "select" => format!("`wald.{}`", selector(procedure.method)),
            "conditional" => "`wald.conditional_test`".to_owned(),
            "explain" if !measure.is_empty() => format!("`explain(measure={measure})`"),
            id @ ("explain" | "importance") => format!("`{id}({measure})`"),
            "predict" => "`predict_quantiles`".to_owned(),
            "proximities" => "`outliers`".to_owned(),
            id => format!("`wald.{id}`"),
        }
    }

    fn line(&self, procedure: &Procedure) -> String {
        let measure = procedure.measure.as_deref().unwrap_or_default();
        match procedure.id {
            "select" if measure.is_empty() => {
                format!("wald.{}(forest).fit(X, y)", selector(procedure.method))
            }
            "select" => format!("wald.RFE(forest, measure={measure:?}).fit(X, y)"),
            "conditional" => "wald.conditional_test(forest, X, y)".to_owned(),
            "predict" => "forest.predict_quantiles(X, quantiles=[0.05, 0.95])".to_owned(),
            "proximities" => "forest.outliers()".to_owned(),
            "compare" => "wald.compare(forest, other)".to_owned(),
            "surrogate" if measure.is_empty() => "wald.surrogate(X, y)".to_owned(),
            "surrogate" => format!("wald.surrogate(X, y, measure={measure:?})"),
            "explain" => format!("forest.explain(measure={measure:?})"),
            "importance" => format!("forest.importance({measure:?})"),
            id if measure.is_empty() => format!("wald.{id}(forest)"),
            id => format!("wald.{id}(forest, {measure:?})"),
        }
    }
}

/// The class of a method of selection.
fn selector(method: Option<&str>) -> &'static str {
    match method {
        Some("boruta") => "Boruta",
        Some("ipss") => "IPSS",
        _ => "RFE",
    }
}
