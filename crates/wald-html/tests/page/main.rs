//! The page as text: escaping, the security policy, undefined values, equal pages for equal
//! reports. What a browser makes of it is tested in `tests/browser`.

use wald::DecimalMark;
use wald_report::Report;

mod marks;
#[path = "../../examples/samples/mod.rs"]
mod samples;

fn sample(name: &str) -> Report {
    let found = samples::all().into_iter().find(|(sample, _)| *sample == name);
    found.expect("a sample of that name").1
}

fn render(report: &Report) -> String {
    wald_html::render(report, DecimalMark::Point).expect("every report renders")
}

/// The page without its style sheet and scripts: what is written for each report anew.
fn own_text(page: &str) -> String {
    let style = page.find("</style>").expect("a style sheet");
    let scripts = page.find("<script>").expect("a script");
    format!("{}{}", &page[..page.find("<style>").unwrap_or(style)], &page[style..scripts])
}

/// The contents of the page's executable scripts.
fn scripts(page: &str) -> Vec<&str> {
    let parts = page.split("<script>").skip(1);
    parts.map(|part| part.split("</script>").next().unwrap_or_default()).collect()
}

#[test]
fn equal_reports_give_equal_pages() {
    for (name, report) in samples::all() {
        assert_eq!(render(&report), render(&report.clone()), "{name}");
    }
}

#[test]
fn hostile_names_are_text() {
    let few_runs = samples::few_runs(&samples::HOSTILE);
    let few_runs =
        wald_html::render_surrogate(&few_runs, DecimalMark::Point).expect("every report renders");
    for page in [render(&sample("hostile")), few_runs] {
        hostile_names_are_text_in(&own_text(&page));
    }
}

fn hostile_names_are_text_in(page: &str) {
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<img"));
    assert!(!page.contains("<b>"));
    // Brackets open the page's own elements only; quotes never end an attribute early.
    let known = [
        "!doctype", "a", "article", "bdi", "body", "button", "caption", "circle", "code", "dd",
        "details", "div", "dl", "dt", "em", "figure", "footer", "g", "h1", "h2", "h3", "h4",
        "head", "header", "html", "li", "line", "main", "meta", "nav", "noscript", "ol", "p",
        "path", "pre", "rect", "script", "section", "small", "span", "strong", "style", "summary",
        "svg", "table", "tbody", "td", "text", "th", "thead", "time", "title", "tr", "ul",
    ];
    for tag in page.split('<').skip(1) {
        let name = tag.trim_start_matches('/').split([' ', '>', '\n']).next().unwrap_or_default();
        assert!(known.contains(&name), "<{tag}");
        let inside = tag.split('>').next().unwrap_or_default();
        assert_eq!(inside.matches('"').count() % 2, 0, "<{inside}>");
    }
}

#[test]
fn the_template_is_not_run_twice() {
    let page = own_text(&render(&sample("hostile")));
    assert!(page.contains("{{ 7 * 7 }}{% raw %}"));
    assert!(!page.contains("49{% raw"));
}

#[test]
fn policy_allows_one_script_only() {
    use sha2::{Digest, Sha256};

    let page = render(&sample("regression"));
    let scripts = scripts(&page);
    assert_eq!(scripts.len(), 1);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = policy.split('"').next().expect("its end");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe-eval"));
    assert!(!policy.split(';').any(|part| part.contains("script-src") && part.contains("unsafe")));
    let hashes: Vec<Vec<u8>> = policy
        .split("'sha256-")
        .skip(1)
        .map(|rest| decode_base64(rest.split('\'').next().unwrap_or_default()))
        .collect();
    let expected: Vec<Vec<u8>> =
        scripts.iter().map(|script| Sha256::digest(script.as_bytes()).to_vec()).collect();
    assert_eq!(hashes, expected);
    // The policy counts for what follows it.
    assert!(page.find("Content-Security-Policy") < page.find("<style>"));
}

#[test]
fn nothing_is_loaded() {
    let page = render(&sample("bare"));
    for load in [
        " src=",
        "<link",
        "@import",
        "url(",
        "srcset",
        "import(",
        "fetch(",
        "XMLHttpRequest",
        "eval(",
    ] {
        assert!(!own_text(&page).contains(load), "{load}");
    }
    for load in
        ["import(", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "eval(", "new Function"]
    {
        assert!(!scripts(&page).iter().any(|script| script.contains(load)), "{load}");
    }
    let addresses = page
        .split("http")
        .skip(1)
        .filter(|rest| rest.starts_with("://") || rest.starts_with("s://"));
    for rest in addresses {
        let known = ["://www.w3.org/", "s://doi.org/"];
        assert!(known.iter().any(|known| rest.starts_with(known)), "http{rest:.60}");
    }
}

#[test]
fn undefined_values_are_dashes() {
    let page = own_text(&render(&sample("undefined")));
    let dash = "<span class=\"undefined\" title=\"undefined\">–</span>";
    assert!(page.matches(dash).count() > 10);
    assert!(page.contains(&format!("<dd>{dash}</dd>")), "explained variance among the facts");
    for wrong in ["NaN", ">None<", ">null<", ">none<", ">inf<"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

#[test]
fn p_values_are_shown_where_a_measure_has_them() {
    let mut report = sample("regression");
    report.variables.clear();
    let count = |report: &Report, text: &str| own_text(&render(report)).matches(text).count();
    let texts = ["class=\"n\">p-value</th>", "<dt>p-value</dt>"];
    for text in texts {
        assert_eq!(count(&report, text), 1, "{text}");
    }
    let with = count(&report, "<td");
    report.measures[2].ranking[0].p_value = Some(0.012_34);
    assert!(count(&report, ">0.0123</td>") >= 1);
    let measure = &mut report.measures[2];
    measure.null = None;
    measure.ranking.iter_mut().for_each(|variable| variable.p_value = None);
    for text in texts {
        assert_eq!(count(&report, text), 0, "{text}");
    }
    assert_eq!(with - count(&report, "<td"), report.measures[2].ranking.len());
}

#[test]
fn errors_of_trees_and_of_rows_are_apart() {
    let mut report = sample("regression");
    let page = own_text(&render(&report));
    assert_eq!(page.matches("<rect class=\"trees\"").count(), 2 * 13);
    assert_eq!(page.matches("<rect class=\"both\"").count(), 2 * 13);
    assert!(page.contains("<td>1\u{2013}2</td>"));
    for variable in report.measures.iter_mut().flat_map(|measure| &mut measure.ranking) {
        variable.sampling = None;
    }
    let page = own_text(&render(&report));
    assert_eq!(page.matches("<rect class=\"trees\"").count(), 2 * 13);
    assert!(!page.contains("<rect class=\"both\"") && !page.contains("<small>rows</small>"));
}

#[test]
fn the_first_variable_is_told_with_the_error_of_rows_where_it_is_known() {
    let mut report = sample("regression");
    let reading = |report: &Report| {
        let page = own_text(&render(report));
        let from = page.find("<p class=\"prose reading\">").expect("a reading");
        page[from..].split("</p>").next().unwrap_or_default().to_owned()
    };
    assert!(reading(&report).contains("; for other trees and rows <span"));
    for variable in report.measures.iter_mut().flat_map(|measure| &mut measure.ranking) {
        variable.sampling = None;
    }
    assert!(reading(&report).contains("; for other trees <span"));
}

/// A value above zero that the error of the trees explains is no reason to name a variable.
#[test]
fn variables_within_error_of_zero_do_not_lead() {
    let mut report = sample("regression");
    let reading = |report: &Report| {
        let page = own_text(&render(report));
        let from = page.find("<p class=\"prose reading\">").expect("a reading");
        page[from..].split("</p>").next().unwrap_or_default().to_owned()
    };
    let names: Vec<String> = report.measures[0].ranking.iter().map(|v| v.name.clone()).collect();
    assert!(names[..5].iter().all(|name| reading(&report).contains(name)));
    for variable in &mut report.measures[0].ranking[2..] {
        variable.low = Some(-0.001);
    }
    let text = reading(&report);
    assert!(text.contains(&names[0]) && text.contains(&names[1]) && !text.contains(&names[2]));
    for variable in &mut report.measures[0].ranking {
        variable.low = Some(-0.001);
    }
    assert!(reading(&report).contains("no variable has a value above zero by more than its error"));
}

/// What matters comes before what measures are valid, and members stand below their group.
#[test]
fn the_answer_comes_first_with_groups_and_their_members() {
    let mut report = sample("binary");
    let mut answer = sample("multiclass").answer.expect("an answer");
    let last = answer.entries.last_mut().expect("a variable");
    (last.share, last.low, last.high) = (Some(-0.06), Some(-0.08), Some(-0.04));
    assert!(last.is_below_zero());
    report.answer = Some(answer.clone());
    let page = own_text(&render(&report));
    let place = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}"));
    let advice = &report.advice.as_ref().expect("advice").summary[0];
    let mut before = place("<section id=\"answer\">");
    for sentence in answer.sentences.iter().chain([advice]) {
        let here = place(sentence);
        assert!(before < here, "{sentence}");
        before = here;
    }
    let table = &page[place("id=\"shares\"")..];
    let table = &table[..table.find("</table>").expect("its end")];
    let classes: Vec<&str> = table
        .split("<tr class=\"")
        .skip(1)
        .map(|row| row.split('"').next().unwrap_or_default())
        .collect();
    assert_eq!(classes, ["group", "member", "member", "member", "single", "single", "single"]);
    assert!(table.contains("0.5123") && table.contains("20,000 of 53,940 rows, 150 of 500 trees"));
    assert_eq!(table.matches("<circle cx").count(), 7);
    // What each of the variables explains by itself; the group has no such index.
    assert_eq!(table.matches("<circle class=\"hollow\"").count(), 6);
    assert_eq!(table.matches("<rect class=\"itself\"").count(), 6);
    assert!(table.contains("By itself") && table.contains("<td></td>"));
    // Whether they add anything, in words.
    assert_eq!(table.matches(">no: below zero<").count(), 1);
    assert!(table.contains(">yes<") && table.contains(">not distinguishable<"), "{table}");
    assert!(!page.contains("the most important variable for"));
}

#[test]
fn parts_that_are_missing_leave_no_trace() {
    let full = own_text(&render(&sample("regression")));
    let bare = own_text(&render(&sample("multiclass")));
    for id in ["disagreement", "dependence", "variables", "selection"] {
        assert!(full.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(full.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    for id in ["dependence", "variables", "selection"] {
        assert!(!bare.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(!bare.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    for word in ["class=\"objective\"", "class=\"findings\"", "id=\"terms\"", "None", "null"] {
        assert!(!bare.contains(word), "{word}");
    }
}

#[test]
fn advice_is_told_with_its_evidence() {
    let report = sample("regression");
    let advice = report.advice.as_ref().expect("advice");
    let page = own_text(&render(&report));
    for sentence in &advice.summary {
        assert!(page.contains(sentence), "{sentence}");
    }
    for finding in &advice.findings {
        assert!(page.contains(&finding.sentence) && page.contains(&finding.consequence));
    }
    let marks = ["verdict valid", "verdict careful", "verdict invalid"];
    assert!(marks.iter().all(|mark| page.matches(mark).count() == 2));
    assert_eq!(page.matches("thin evidence").count(), 1);
    // What was looked at and is no concern is not called "not found".
    assert!(page.contains("Checked without concern: ") && !page.contains("not found"));
    // A measure that is recommended and computed is linked, one that is not is named.
    assert!(page.contains("<p class=\"pick\"><a href=\"#measure-1\">Sobol-MDA</a></p>"));
    assert!(page.contains("<p class=\"pick\">sage <span"));
    assert!(page.contains("@article{benard2022,"));
}

#[test]
fn single_rows_are_pictures_with_tables() {
    let mut report = sample("binary");
    // Otherwise pictures of variables stand on their pages.
    report.variables.clear();
    let found = report.explanations.as_ref().expect("explained rows");
    let page = own_text(&render(&report));
    let rows = page.split("<section id=\"rows\">").nth(1).expect("a section");
    let rows = rows.split("</section>").next().expect("its end");
    // A beeswarm of one class, four pictures of variables, and a sum for each class.
    assert_eq!(rows.matches("<figure class=\"picture scroll\"").count(), 1 + 4 + 2);
    assert_eq!(rows.matches("<svg role=\"img\" aria-label=\"").count(), 1 + 4 + 2);
    assert_eq!(rows.matches("<table").count(), 1 + 4 + 2);
    // A mark for every row of every variable, and those of the legend.
    let swarm = rows.split("<svg").nth(1).expect("a beeswarm");
    let swarm = swarm.split("</svg>").next().expect("its end");
    let dots = swarm.matches("h0").count();
    let crosses = swarm.split("class=\"crosses\"").skip(1);
    let crosses: usize = crosses.map(|path| path.matches("m0 -").count()).sum();
    let legend = swarm.rsplit(">low<").next().expect("a legend");
    let n_levels = swarm.matches("font-size=\"10\"").count() - swarm.matches(">…<").count();
    assert_eq!(dots - n_levels - legend.matches("h0").count() + crosses - 1, 12 * 250);
    assert!(!rows.contains("NaN") && !rows.contains("inf"));
    for fall in &found.waterfalls {
        assert!(rows.contains(&format!("Row {}: {}", fall.row, fall.reason)));
    }
    // Without explanations there is no section and nothing that leads to it.
    let mut report = report.clone();
    report.explanations = None;
    let page = own_text(&render(&report));
    assert!(!page.contains("id=\"rows\"") && !page.contains("href=\"#rows\""));
}

#[test]
fn one_variable_that_is_enough_is_told_in_the_singular() {
    let mut report = sample("regression");
    let curve = report.selection.as_mut().expect("a curve");
    curve.kept.truncate(1);
    (curve.enough, curve.best) = (1, 3);
    let page = own_text(&render(&report));
    assert!(page.contains("</strong> variable is enough: its error ("));
    assert!(
        page.contains("which is reached with 3.") && page.contains("selected variable is <bdi")
    );
    let curve = report.selection.as_mut().expect("a curve");
    (curve.enough, curve.best) = (2, 2);
    let page = own_text(&render(&report));
    assert!(page.contains("</strong> variables are enough: their error ("));
    assert!(page.contains("is the smallest, and fewer variables have an error more"));
    let curve = report.selection.as_mut().expect("a curve");
    (curve.enough, curve.best) = (1, 1);
    assert!(own_text(&render(&report)).contains("is the smallest. "));
}

#[test]
fn control_characters_survive_parsing() {
    let page = own_text(&render(&sample("hostile")));
    assert!(page.contains("carriage&#13;return"));
    let mut report = sample("single");
    report.measures[0].ranking[0].name = "a\0b".into();
    assert!(!render(&report).contains('\0'));
}

#[test]
fn sizes() {
    let size = |name: &str| render(&sample(name)).len();
    assert!(size("bare") < 60_000);
    // 30 variables, and 200 with 30 pages of curves and a map of 100.
    assert!(size("binary") < 1_000_000);
    assert!(size("broad") < 2_000_000);
    // 1000 variables by five measures.
    assert!(size("wide") < 5_000_000);
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bytes, mut bits, mut n_bits) = (Vec::new(), 0_u32, 0);
    for c in text.bytes().filter(|c| *c != b'=') {
        bits = bits << 6 | u32::from(digit(c));
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff) as u8);
        }
    }
    bytes
}

#[test]
fn few_runs_begin_with_the_way_to_believe() {
    let page = wald_html::render_surrogate(&samples::few_runs(&["x1", "x2"]), DecimalMark::Point)
        .expect("renders");
    let text = own_text(&page);
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is missing"));
    assert!(place("Believe the two steps") < place("Sobol-MDA"));
    assert!(place("Sobol-MDA") < place("Explained by the process"));
    for words in ["intervals of 90 %", "Without forest", "leave the range of the runs", "0.8000"] {
        place(words);
    }
    assert!(!text.contains("NaN"));
}
