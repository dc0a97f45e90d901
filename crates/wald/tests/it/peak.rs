//! Estimates of memory beside what a process holds at its peak, the table included.
#![cfg(target_os = "linux")]

use std::process::Command;

use wald::data::{Column, Target};
use wald::forest::{Keep, Splitting};
use wald::measure::MeasureSettings;
use wald::memory::Size;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

/// Names the case that a child process works on.
const CASE: &str = "WALD_TEST_PEAK";

fn table((n_rows, n_columns): (usize, usize), n_classes: usize) -> Dataset {
    let cell = |row: usize, column: usize| ((row * 7919 + column * 104_729) % 10_007) as f64;
    let column = |at: usize| {
        let cells = (0..n_rows).map(|row| cell(row, at)).collect();
        Column::numeric(format!("x{at}"), cells).expect("numbers")
    };
    let target = if n_classes == 0 {
        let y = (0..n_rows).map(|row| cell(row, 0) + cell(row, 3)).collect();
        Target::regression("y", y)
    } else {
        let names = (0..n_classes).map(|class| class.to_string()).collect();
        let codes = (0..n_rows).map(|row| (row * row % 104_729 % n_classes) as u32).collect();
        Target::classification("y", names, codes)
    };
    let columns = (0..n_columns).map(column).collect();
    Dataset::new(columns, target.expect("a target")).expect("a table")
}

/// The table, and how trees are grown on it.
fn case(name: &str) -> (Dataset, ForestConfig, Keep) {
    let (shape, n_classes, splitting) = match name {
        "wide" => ((100, 30_000), 0, Splitting::Best),
        "wide extra trees" => ((100, 30_000), 0, Splitting::RandomThreshold),
        "long extra trees" => ((30_000, 60), 0, Splitting::RandomThreshold),
        _ => ((3000, 5), 500, Splitting::Best),
    };
    let (n_trees, keep) = if n_classes == 0 { (4, Keep::Nothing) } else { (100, Keep::Trees) };
    (
        table(shape, n_classes),
        ForestConfig { n_trees, ..ForestConfig::for_splitting(splitting) },
        keep,
    )
}

/// The most memory that this process has held, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

/// Grows and measures, and prints the estimate and the peak.
#[expect(clippy::print_stdout, reason = "the parent process reads it")]
fn work(name: &str) {
    let idle = peak();
    let ((data, config, keep), threads) = (case(name), Threads::new(2).expect("two"));
    let measure = |id| Measure::new(id, MeasureSettings::default()).expect("a measure");
    let measures = [measure(MeasureId::Mdi), measure(MeasureId::MdaBreimanCutler)];
    let size =
        Size::of_growing(&data, &config, &measures, keep, threads).expect("settings that fit");
    let handles = &Run::on(threads);
    let grown = Forest::grow_and_measure(&data, &config, &measures, keep, handles).expect("grown");
    println!("peak {} {}", size.with_table(), peak() - idle);
    drop(grown);
}

#[test]
fn estimates_are_within_a_factor_of_two_of_the_peak() {
    if let Ok(name) = std::env::var(CASE) {
        return work(&name);
    }
    for name in ["wide", "wide extra trees", "long extra trees", "many classes"] {
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "peak::estimates_are_within_a_factor_of_two_of_the_peak",
                "--nocapture",
            ])
            .env(CASE, name)
            .output()
            .expect("it starts");
        let printed = String::from_utf8(child.stdout).expect("text");
        let line = printed.lines().find_map(|line| line.split_once("peak ")).expect("a line").1;
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        let [estimate, used] = numbers[..] else { panic!("{line}") };
        assert!(estimate < 2 * used && used < 2 * estimate, "{name}: {estimate}, {used} used");
    }
}
