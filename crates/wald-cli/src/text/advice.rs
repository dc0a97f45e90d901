//! Advice as text: the answer first, then what it rests on.

use wald_report::advice::{Advice, Concern, FurtherQuestion, ObjectiveAdvice, Validity};
use wald_table::escape_controls;

use crate::markup::Markup;
use crate::terminal::{Terminal, described, hanging};

/// The advice in paragraphs that fit the terminal.
pub(crate) fn advice_text(advice: &Advice, terminal: Terminal) -> String {
    let mut text = String::new();
    for sentence in &advice.summary {
        text.push_str(&hanging(&escape_controls(sentence), terminal));
    }
    for objective in &advice.objectives {
        text.push('\n');
        text.push_str(&of_objective(objective, terminal));
    }
    text.push_str(&heading("Further questions", terminal));
    for further in &advice.further {
        text.push('\n');
        text.push_str(&of_further(further, terminal));
    }
    text.push_str(&heading("Findings", terminal));
    for finding in &advice.findings {
        let fields = [
            ("found", escape_controls(&finding.sentence)),
            ("so", escape_controls(&finding.consequence)),
        ];
        let name = format!("{} ({})", finding.name, in_words(finding.concern));
        text.push('\n');
        text.push_str(&described(&finding.id, &name, &fields, terminal));
    }
    let more = "all numbers, and the reason for each verdict: --format json";
    terminal.shown(text + "\n" + &hanging(more, terminal))
}

fn of_objective(objective: &ObjectiveAdvice, terminal: Terminal) -> String {
    let measures = |validity: Validity| -> String {
        let of = objective.verdicts.iter().filter(|verdict| verdict.validity == validity);
        of.map(|verdict| verdict.measure.as_str()).collect::<Vec<_>>().join(", ")
    };
    let fields = [
        ("use", objective.recommended.clone().unwrap_or("another forest".to_owned())),
        ("why", escape_controls(&objective.reason)),
        ("command", escape_controls(&objective.command)),
        ("valid", measures(Validity::Valid)),
        ("caution", measures(Validity::Careful)),
        ("not valid", measures(Validity::Invalid)),
    ];
    described(&objective.id, &objective.question, &fields, terminal)
}

fn of_further(further: &FurtherQuestion, terminal: Terminal) -> String {
    let fields = [
        ("answer", escape_controls(&further.answer)),
        ("command", escape_controls(&further.command)),
    ];
    described(&further.id, &further.question, &fields, terminal)
}

fn heading(words: &str, terminal: Terminal) -> String {
    let bold = terminal.bold();
    match terminal.markup {
        Markup::Plain => format!("\n{bold}{words}{bold:#}\n"),
        markup => format!("{}\n", markup.strong(words)),
    }
}

/// How much a finding matters.
fn in_words(concern: Concern) -> &'static str {
    match concern {
        Concern::None => "no concern",
        Concern::Unknown => "not known",
        Concern::Minor => "worth knowing",
        Concern::Serious => "serious",
    }
}
