//! The sentences, on made-up shares.

use super::*;
use wald::data::Task;

fn about<'a>() -> Subject<'a> {
    Subject {
        target: "price",
        task: Task::Regression,
        n_rows: 53_940,
        n_trees: 500,
        n_regrown: 0,
        sample: None,
        explained: Some(0.98),
        has_splits: true,
        n_clusters: None,
        first: &[],
        dependent: None,
        without_groups: None,
    }
}

fn entry(name: &str, share: f64, error: f64) -> AnswerEntry {
    AnswerEntry::new(name.to_owned(), Some(share), Some(error), None, (5, 500))
}

fn diamonds() -> Vec<AnswerEntry> {
    let members = [("carat", 0.0005), ("x", -0.001), ("y", -0.001), ("z", -0.001)];
    let size = AnswerEntry {
        members: members.map(|(name, share)| entry(name, share, 0.0003)).to_vec(),
        ..entry("carat, x, y, z", 0.5, 0.005)
    };
    vec![
        size,
        entry("clarity", 0.065, 0.001),
        entry("depth", 0.0001, 0.0002),
        entry("cut", -0.001, 0.002),
    ]
}

/// The share, and what is explained without the others.
fn with_first_order(name: &str, share: f64, first: f64) -> AnswerEntry {
    let first_order = Some(FirstOrder::new(first, Some(0.001)));
    AnswerEntry { first_order, ..entry(name, share, 0.003) }
}

#[test]
fn errors_of_few_rows_are_uncertain_themselves() {
    let of = |n_rows| AnswerEntry::new("a".to_owned(), Some(0.3), Some(0.1), None, (4, n_rows));
    // Quantiles .975 and .9875 of Student's distribution with 7 degrees of freedom: 2.365 and 2.841.
    let (few, many) = (of(8), of(500));
    assert!((few.low.expect("errors") - (0.3 - 0.236_5)).abs() < 1e-4, "{few:?}");
    assert!((many.low.expect("errors") - (0.3 - 0.196)).abs() < 1e-12, "{many:?}");
    assert_eq!((few.finding, many.finding), (Adds::Something, Adds::Something));
    let less =
        |n_rows| AnswerEntry::new("a".to_owned(), Some(0.26), Some(0.1), None, (4, n_rows)).finding;
    assert_eq!((less(8), less(500)), (Adds::Unclear, Adds::Something));
}

#[test]
fn masked_shares_are_reported_to_be_too_large() {
    let of = |name: &str, share, excess| {
        AnswerEntry::new(String::from(name), Some(share), Some(0.01), excess, (3, 500))
    };
    let entries = [of("a", 0.3, Some(0.05)), of("b", 0.03, Some(0.025)), of("c", 0.04, None)];
    let (a, b) = (&entries[0], &entries[1]);
    let (low, high) = (a.low.expect("errors"), a.high.expect("errors"));
    assert!((low - (0.25 - 0.0196)).abs() < 1e-12 && (high - 0.3196).abs() < 1e-12, "{a:?}");
    // What is left of b is half of its error.
    assert_eq!((a.finding, b.finding), (Adds::Something, Adds::Nothing));
    let sentences = in_sentences(&entries, about());
    assert!(
        sentences[1].contains(
            "(masking), these shares are too large: a by about 0.050 and b by about 0.025. The lower"
        ),
        "{sentences:?}"
    );
    let one = in_sentences(&entries[..1], about());
    assert!(one[1].contains("this share is too large: a by about 0.050."), "{one:?}");
    let none = in_sentences(&entries[2..], about());
    assert!(none.iter().all(|sentence| !sentence.contains("masking")), "{none:?}");
}

#[test]
fn shares_of_trees_that_were_grown_again_stand_beside_those_that_are_too_large() {
    let of =
        |name: &str, share, masked_share| AnswerEntry { masked_share, ..entry(name, share, 0.01) };
    let entries = [of("a", 0.3, Some(0.45)), of("b", 0.2, None), of("c", 0.001, Some(0.0321))];
    let about = Subject { n_regrown: 1200, ..about() };
    let sentences = in_sentences(&entries, about);
    assert_eq!(
        sentences[1],
        "Shares by Sobol-MDA are too large where the forest hides variables that could take the \
         place of others (masking). Those of a (Sobol-MDA: 0.450) and c (0.032) are therefore from \
         1,200 trees that were grown again without them."
    );
    let what_it_is = sentences.last().expect("some");
    assert!(what_it_is.contains("(Sobol-MDA, or trees that were grown again)"), "{what_it_is}");
    let one = in_sentences(&entries[..2], about);
    assert!(
        one[1].ends_with(
            " That of a (Sobol-MDA: 0.450) is therefore from 1,200 trees that were grown again \
             without it."
        ),
        "{one:?}"
    );
    // Nobody is misled by a share of .004, but where it is from is stated all the same, also of a member.
    let small = of("b", 0.2, Some(0.004));
    let group = AnswerEntry { members: vec![small.clone()], ..entries[1].clone() };
    for (entry, n_times) in [(&entries[1], 0), (&small, 1), (&group, 1)] {
        let found = in_sentences(std::slice::from_ref(entry), about);
        let stated = found.iter().filter(|sentence| sentence.contains("grown again")).count();
        assert_eq!(stated, n_times, "{found:?}");
    }
}

#[test]
fn a_forest_that_predicts_nothing_shows_no_relevance() {
    let mut entries = [entry("a", 0.2, 0.01)];
    judged(&mut entries, false, None);
    assert_eq!(entries[0].finding, Adds::Something);
    judged(&mut entries, true, None);
    assert_eq!(entries[0].finding, Adds::Unclear);
    let about = Subject { explained: Some(-0.1), first: &["b"], ..about() };
    let of = |entries: &[AnswerEntry]| in_sentences(entries, about).remove(0);
    assert_eq!(
        of(&entries),
        "The forest predicts rows it has not seen no better than their mean does, so that its shares do not \
         show what accounts for the variance of price: it may overfit, which larger leaves reduce. It \
         predicts even worse without a; by permutation importance, which counts what others could replace, b \
         comes first."
    );
    assert_eq!(
        of(&[entry("a", 0.01, 0.02)]),
        "No variable is seen to account for any of the variance of price: the forest predicts rows it has not \
         seen no better than their mean does; it may overfit, which larger leaves reduce; by permutation \
         importance, which counts what others could replace, b comes first."
    );
}

#[test]
fn variables_that_act_together_only_are_named() {
    let alone = with_first_order("a", 0.4, 0.38);
    let together = |entries: Vec<AnswerEntry>| {
        let sentences = in_sentences(&entries, about());
        sentences.into_iter().find(|sentence| sentence.contains("together"))
    };
    assert_eq!(together(vec![alone.clone(), entry("b", 0.2, 0.003)]), None);
    // What is lost is as small as chance, or not much.
    let small = with_first_order("b", 0.02, 0.0);
    assert_eq!(together(vec![alone.clone(), small]), None);
    let one = vec![alone.clone(), with_first_order("b", 0.24, -0.001)];
    assert_eq!(
        together(one).as_deref(),
        Some("b acts mostly together with other variables: by itself it explains 0.000.")
    );
    let two = vec![with_first_order("b", 0.24, 0.05), with_first_order("c", 0.1, 0.02), alone];
    assert_eq!(
        together(two).as_deref(),
        Some(
            "b and c act mostly together with other variables: by itself each explains at most \
             0.050."
        )
    );
}

#[test]
fn groups_and_variables_that_matter_come_first_and_members_are_not_denied() {
    let sentences = in_sentences(&diamonds(), about());
    assert_eq!(
        sentences[0],
        "Of the variance of price, the group (carat, x, y, z) accounts for 0.500 [0.490, 0.510] \
         and clarity for 0.065 [0.063, 0.067]; what depth and cut add beyond the others is not \
         distinguishable from zero."
    );
    assert!(
        sentences[1].starts_with("Each of carat, x, y and z alone adds little"),
        "{sentences:?}"
    );
    assert!(
        sentences[2].contains("trees (500) and that of a sample of rows (53,940)"),
        "{sentences:?}"
    );
    assert!(sentences[3].contains("with all variables it explains 0.98"), "{sentences:?}");
    assert!(sentences[3].contains("need not add up"), "{sentences:?}");
}

#[test]
fn what_cannot_be_told_is_not_claimed() {
    let none = [entry("a", 0.001, 0.01), entry("b", -0.2, 0.01)];
    let explained = |explained| Subject { explained, ..about() };
    let replaced = in_sentences(&none, explained(Some(0.6)));
    assert!(replaced[0].starts_with("The forest explains 0.60 of the variance of price, but what"));
    let first = Subject { first: &["bmi", "s5"], ..explained(Some(0.6)) };
    let first = in_sentences(&none, first);
    assert!(first[0].ends_with("bmi and s5 come first."), "{first:?}");
    let worse = in_sentences(&none, explained(Some(-0.1)));
    assert!(worse[0].contains("no better than their mean"), "{worse:?}");
    // 2.2 errors above zero are chance among five.
    let unclear = in_sentences(&[entry("a", 0.5, 0.01), entry("b", 0.022, 0.01)], about());
    assert!(unclear[0].ends_with("; whether b adds anything is not clear."), "{unclear:?}");
    // One that may be large is not reported like one that is small.
    let large = in_sentences(&[entry("a", 0.5, 0.01), entry("b", 0.08, 0.05)], about());
    assert!(large[0].ends_with("; whether b adds anything is not clear."), "{large:?}");
    let few =
        in_sentences(&diamonds(), Subject { n_rows: 40, sample: Some("some rows"), ..about() });
    assert!(
        few[2].starts_with("The shares come from some rows. ") && few[2].contains("approximate")
    );
    let stumps = in_sentences(&none, Subject { has_splits: false, ..about() });
    assert!(stumps.len() == 1 && stumps[0].contains("no tree has a split"), "{stumps:?}");
    let single = AnswerEntry::new("a".to_owned(), Some(0.5), None, None, (1, 500));
    let classes = in_sentences(&[single], Subject { task: Task::Classification, ..about() });
    assert!(classes.last().expect("some").contains("Brier"), "{classes:?}");
    let ranks =
        by_rank("Split count", &["a", "b c"], "y", true, None, "it does not know its bags.");
    assert_eq!(ranks[0], "By split count, a comes first for y, before \"b c\".");
    assert!(ranks[1].ends_with("is not estimated: it does not know its bags."), "{ranks:?}");
}

#[test]
fn shares_below_zero_are_not_called_indistinguishable_from_it() {
    let first = |entries: &[AnswerEntry], explained| {
        in_sentences(entries, Subject { explained: Some(explained), ..about() }).remove(0)
    };
    // The intervals of the last two end at -.004 and -.019, that of b above zero.
    let (a, b) = (entry("a", 0.5, 0.006), entry("b", -0.01, 0.01));
    let (c, d) = (entry("c", -0.02, 0.008), entry("d", -0.04, 0.0107));
    assert!(d.is_below_zero() && c.is_below_zero() && !b.is_below_zero() && !a.is_below_zero());
    let unknown = AnswerEntry::new("e".to_owned(), Some(-0.1), None, None, (5, 500));
    assert!(!unknown.is_below_zero(), "no interval");
    assert_eq!(
        first(&[a.clone(), b.clone(), c.clone()], 0.98),
        "Of the variance of price, a accounts for 0.50 [0.49, 0.51]; what b adds beyond the others is not \
         distinguishable from zero; the share of c is below zero: the forest predicts better without it, so that \
         its splits on it follow noise more than the target."
    );
    assert_eq!(
        first(&[a, c.clone(), d], 0.98),
        "Of the variance of price, a accounts for 0.50 [0.49, 0.51]; the shares of c and d are below zero: the \
         forest predicts better without each of them, so that its splits on these follow noise more than the \
         target."
    );
    assert_eq!(
        first(&[b, c], 0.3),
        "The forest explains 0.30 of the variance of price, but what any variable adds beyond the others is \
         not seen to be above zero: the table or the leaves are too small to decide, or they replace each \
         other; the share of c is below zero: the forest predicts better without it, so that its splits on it follow noise more \
         than the target."
    );
}

#[test]
fn shares_above_what_the_forest_explains_are_explained() {
    let last = |share: f64| {
        let entries = [entry("a", share, 0.006), entry("b", 0.1, 0.006)];
        let about = Subject { explained: Some(0.6), ..about() };
        in_sentences(&entries, about).pop().expect("some")
    };
    let all = "; with all variables it explains 0.60";
    assert!(last(0.6).contains(&format!("{all}. Shares need")), "{}", last(0.6));
    let above = ", less than the largest share, as without these variables it predicts worse than the mean does";
    assert!(last(0.61).contains(&format!("{all}{above} (larger")), "{}", last(0.61));
}

#[test]
fn of_rows_in_clusters_the_clusters_count() {
    let sure = |n_clusters| {
        let about = Subject { n_rows: 1200, n_clusters: Some(n_clusters), ..about() };
        in_sentences(&diamonds(), about).swap_remove(2)
    };
    let of_many = sure(120);
    assert!(of_many.contains("that of a sample of clusters (120 of 1,200 rows)"), "{of_many}");
    assert!(!of_many.contains("approximate"), "{of_many}");
    let of_few = sure(12);
    assert!(of_few.ends_with("; with so few clusters they are approximate."), "{of_few}");
}

#[test]
fn many_names_are_counted() {
    let mut entries: Vec<AnswerEntry> =
        (0..9).map(|at| entry(&format!("x{at}"), 0.2 - f64::from(at) / 50.0, 0.001)).collect();
    entries.extend((0..8).map(|at| entry(&format!("n{at}"), 0.0, 0.001)));
    let sentences = in_sentences(&entries, about());
    assert!(sentences[0].contains("and 3 more for 0.080 or less each;"), "{sentences:?}");
    assert!(sentences[0].contains("n5 and 2 more add beyond"), "{sentences:?}");
}
