#' Uncertainty of importances: intervals of values and ranks, p-values
#'
#' @param x A forest of [wald()]; further forests are grown with its settings, on its rows.
#' @param measure Names of one or more global measures, which share all forests.
#' @param confidence The probability with which intervals cover.
#' @param variance Where sampling errors come from: `"subsampling"` (forests on parts of the rows), or
#'   `"jackknife"` (the bags of the forest itself, for `mdi`, `split_count` and `minimal_depth`).
#' @param subsamples Forests on parts of the rows; 100 unless given.
#' @param subsample_fraction Share of the rows of such a part; 0.5 unless given.
#' @param subsample_trees Trees of such a forest; a fifth of those of the forest, and at least 50, unless
#'   given.
#' @param null_distribution Adds p-values: `"permuted"` (forests of permuted responses), `"shadow"`
#'   (shadows of the variables grow along) or `"mirrored"`.
#' @param null_forests Forests of p-values.
#' @param multiple_testing How p-values are corrected, where `null_distribution` or `null_forests` is given: `"holm"`,
#'   `"benjamini_hochberg"` or `"none"`.
#' @param groups As of [importance()].
#' @param seed,... Settings of the measures, as of [importance()].
#' @param num.threads,progress As of [wald()].
#'
#' @return A data frame of class `wald_uncertainty` with a line for each measure and variable: `value`,
#'   `monte_carlo_error`, `sampling_error`, `standard_error` (of both), `low` and `high`,
#'   `simultaneous_low` and `simultaneous_high`, `lowest_rank` and `highest_rank`, and with p-values
#'   `p_value` and `adjusted_p_value`.
#'
#' @examples
#' fit <- wald(y ~ ., simulate_design("friedman_1", 100), num.trees = 50, num.threads = 2)
#' uncertainty(fit, "mdi", subsamples = 10, null_distribution = "shadow", null_forests = 5,
#'             num.threads = 2)
#' @export
uncertainty <- function(x, ...) UseMethod("uncertainty")

#' @export
uncertainty.default <- function(x, ...) refuse_other_than_forest(x)

#' @rdname uncertainty
#' @export
uncertainty.wald <- function(x, measure = "sobol_mda", confidence = 0.9, variance = "subsampling",
                             subsamples = NULL, subsample_fraction = NULL, subsample_trees = NULL,
                             null_distribution = NULL, null_forests = NULL,
                             multiple_testing = "holm", groups = NULL, ..., seed = NULL,
                             num.threads = NULL, progress = NULL) {
  adjustment <- correction(multiple_testing)
  if (!missing(multiple_testing) && is.null(null_distribution) && is.null(null_forests)) {
    refuse_setting("multiple_testing corrects p-values, but no p-values are requested",
                   "leave it out, or give null_distribution, for example \"shadow\"", setting = "multiple_testing")
  }
  settings <- settings_of_measures(x, list(...), names(formals(uncertainty.wald)))
  if (!is.null(seed)) settings$seed <- whole("seed", seed)
  asked <- list(
    measures = checked_measures(measure), settings = settings, groups = checked_groups(groups),
    confidence = probability("confidence", confidence),
    variance = word("variance", variance, c("subsampling", "jackknife")),
    subsamples = optional_whole("subsamples", subsamples, least = 2),
    subsample_fraction = optional_number("subsample_fraction", subsample_fraction, above = 0, below = 1),
    subsample_trees = optional_whole("subsample_trees", subsample_trees, least = 1),
    null_distribution = if (!is.null(null_distribution)) {
      word("null_distribution", null_distribution, c("permuted", "shadow", "mirrored"))
    },
    null_forests = optional_whole("null_forests", null_forests, least = 1),
    multiple_testing = adjustment)
  found <- checked(.Call(wrap__errors_of_importances, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, "growing forests")))
  structure(as_frame(found$frame), class = c("wald_uncertainty", "data.frame"),
            found = found$document)
}

#' @export
print.wald_uncertainty <- function(x, digits = 4, ...) {
  shown <- c("variable", "value", "standard_error", "low", "high", "lowest_rank", "highest_rank",
             "p_value", "adjusted_p_value")
  plain <- as.data.frame(unclass(x))
  for (measure in unique(plain$measure)) {
    cat(measure, ", intervals of ", 100 * attr(x, "found")$confidence, " %\n", sep = "")
    part <- plain[plain$measure == measure, intersect(shown, names(plain)), drop = FALSE]
    print_table(part[order(part$lowest_rank, -part$value), ], digits)
  }
  for (one in attr(x, "found")$measures) {
    print_notes(one$notes)
  }
  invisible(x)
}
