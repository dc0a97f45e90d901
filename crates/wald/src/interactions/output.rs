//! The sets found, as a long table and as JSON.

use std::fmt;

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::frame::Frame;
use crate::interactions::counts::Counts;
use crate::interactions::leaves::Labels;
use crate::interactions::search::Found;
use crate::interactions::settings::InteractionConfig;
use crate::message;
use crate::message::{Message, Procedure};

/// On which side of its threshold a path leaves the first split on a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Sign {
    /// Levels, missing values and groups of columns have no side.
    #[serde(rename = "")]
    None,
    /// At most the threshold.
    #[serde(rename = "-")]
    AtMost,
    /// Above the threshold.
    #[serde(rename = "+")]
    Above,
}

/// A variable and its sign; displayed as `x+`, `x-` or `x`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignedVariable {
    /// The variable, or group of columns.
    #[serde(rename = "variable")]
    pub name: String,
    /// Its sign.
    pub sign: Sign,
}

/// A set of variables that stand together on paths to leaves of a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interaction {
    /// The class of the leaves; of a numeric target, the side of the cut on which their means are.
    pub class: String,
    /// In the order of the table.
    pub variables: Vec<SignedVariable>,
    /// Of the rows in leaves of the class, the share in leaves whose path contains the set.
    pub prevalence: f64,
    /// Of the rows in the other leaves, the share in leaves whose path contains the set; `None` where
    /// all leaves are of the class.
    pub prevalence_elsewhere: Option<f64>,
    /// Of the rows in leaves whose path contains the set, the share of the class, by out-of-bag rows
    /// where there are any, weighed by class where bags favour classes; `None` where no such row is in
    /// such a leaf.
    pub precision: Option<f64>,
    /// Of the rows in the leaves whose path does not contain the set, the share of the class.
    pub precision_without: Option<f64>,
    /// The share of bootstrap samples in which the set is found, too; `None` without any.
    pub stability: Option<f64>,
}

/// Sets of variables that stand together on paths.
#[derive(Debug, Clone, PartialEq)]
pub struct Interactions {
    /// By the difference between the prevalence and that elsewhere, the largest first.
    pub sets: Vec<Interaction>,
    /// The value that divides a numeric target.
    pub cut: Option<f64>,
    /// Whether precisions are those of out-of-bag rows, instead of all.
    pub is_out_of_bag: bool,
    /// How they were searched for.
    pub config: InteractionConfig,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    classes: Option<&'a [String]>,
    settings: SettingsObject,
    cut: Option<f64>,
    out_of_bag: bool,
    interactions: &'a [Interaction],
}

#[derive(Serialize)]
struct SettingsObject {
    intersection_trees: usize,
    depth: usize,
    children: usize,
    min_size: usize,
    min_prevalence: f64,
    resamples: usize,
}

impl Sign {
    const ALL: [Self; 3] = [Self::None, Self::AtMost, Self::Above];

    /// A variable with this sign as one number.
    pub(super) fn code(self, variable: u32) -> u32 {
        3 * variable + self as u32
    }

    /// The variable and the sign that a number stands for.
    pub(super) fn of_code(code: u32) -> (usize, Self) {
        ((code / 3) as usize, Self::ALL[(code % 3) as usize])
    }

    /// `+`, `-` or nothing.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::None => "",
            Self::AtMost => "-",
            Self::Above => "+",
        }
    }
}

impl fmt::Display for SignedVariable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.name, self.sign.symbol())
    }
}

impl Interaction {
    /// The set as text, such as `x1+ & x2-`.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.variables.iter().map(ToString::to_string).collect();
        texts.join(" & ")
    }

    /// By how much the prevalence exceeds that elsewhere, where there are other leaves.
    pub fn difference(&self) -> f64 {
        self.prevalence - self.prevalence_elsewhere.unwrap_or(0.0)
    }
}

impl Interactions {
    pub(super) fn new(
        data: &Dataset,
        labels: &Labels,
        found: &Found,
        (counts, stability): (Vec<Counts>, Option<Vec<f64>>),
        is_out_of_bag: bool,
        config: &InteractionConfig,
    ) -> Self {
        let names = data.groups().names();
        let variable = |&code: &u32| {
            let (variable, sign) = Sign::of_code(code);
            SignedVariable { name: names[variable].clone(), sign }
        };
        let interaction =
            |(at, ((label, set), counts)): (usize, (&(u32, Vec<u32>), Counts))| Interaction {
                class: labels.names[*label as usize].clone(),
                variables: set.iter().map(variable).collect(),
                prevalence: counts.prevalence,
                prevalence_elsewhere: counts.elsewhere,
                precision: counts.precision,
                precision_without: counts.without,
                stability: stability.as_ref().map(|stability| stability[at]),
            };
        let mut sets: Vec<Interaction> =
            found.iter().zip(counts).enumerate().map(interaction).collect();
        // Of sets that are equal in it, the one with more variables comes first.
        sets.sort_by(|one, other| {
            let sizes = || other.variables.len().cmp(&one.variables.len());
            other.difference().total_cmp(&one.difference()).then_with(sizes)
        });
        Self { sets, cut: labels.cut, is_out_of_bag, config: *config }
    }

    /// What to beware of, where a set of several variables is found: paths and their intersections do not
    /// distinguish effects that interact from effects that add up.
    pub fn note(&self) -> Option<Message> {
        let has_several = self.sets.iter().any(|set| set.variables.len() > 1);
        has_several.then(|| {
            message!(
                "sets of variables that each have an effect of their own come first, also where effects \
                 add up; whether effects interact is shown by ",
                Procedure::of("explain", "friedman_h"),
                " and by ",
                Procedure::new("advise"),
                ", which tests additivity"
            )
        })
    }

    /// A long table: a line per set, with the columns `class`, `interaction`, `size`, `prevalence`,
    /// `prevalence_elsewhere`, `precision`, `precision_without` and `stability`.
    pub fn frame(&self) -> Frame {
        type Number = fn(&Interaction) -> Option<f64>;
        let numbers: [(&str, Number); 6] = [
            ("size", |set| Some(set.variables.len() as f64)),
            ("prevalence", |set| Some(set.prevalence)),
            ("prevalence_elsewhere", |set| set.prevalence_elsewhere),
            ("precision", |set| set.precision),
            ("precision_without", |set| set.precision_without),
            ("stability", |set| set.stability),
        ];
        let frame = Frame::default()
            .with_levels("class", self.sets.iter().map(|set| Some(set.class.as_str())))
            .with_text("interaction", self.sets.iter().map(Interaction::text));
        numbers.into_iter().fold(frame, |frame, (name, number)| {
            frame.with_numbers(name, self.sets.iter().map(number))
        })
    }

    /// The JSON document of the command line, with the data.
    pub fn document<'a>(&'a self, data: &'a Dataset) -> impl Serialize + 'a {
        let config = &self.config;
        Document {
            subject: data.into(),
            classes: data.target().classes(),
            settings: SettingsObject {
                intersection_trees: config.trees,
                depth: config.depth,
                children: config.children,
                min_size: config.min_size,
                min_prevalence: config.min_prevalence,
                resamples: config.resamples,
            },
            cut: self.cut,
            out_of_bag: self.is_out_of_bag,
            interactions: &self.sets,
        }
    }
}
