#' Importances from few runs of an expensive, smooth model
#'
#' A Gaussian process is fitted to the runs and judged, a large sample of inputs is drawn, the process
#' provides the outputs, and a forest of the sample is measured. Importances of a forest of the runs
#' themselves stand beside; the result begins with which of both to believe.
#'
#' @param x A data frame or matrix of the inputs of the runs, without missing values; at most 2000.
#' @param y Their outputs, numbers.
#' @param inputs Inputs of the sample: `"copula"` (drawn from a Gaussian copula that is estimated from the
#'   runs), `"independent"`, or a data frame of inputs.
#' @param measure Names of one or more global measures.
#' @param groups As of [importance()].
#' @param rows Rows of the sample.
#' @param draws Functions drawn from the process, which show its error.
#' @param kernel `"matern_52"`, `"matern_32"` or `"squared_exponential"`.
#' @param starts Starts of the search for lengths and noise.
#' @param confidence The probability with which intervals cover.
#' @param num.trees Trees of the forests.
#' @param seed Seed of the process, the sample, the forests and the measures.
#' @param settings Settings of the measures, a list.
#' @param num.threads,progress As of [wald()].
#' @param ... Further settings of the forests, as of [wald()].
#'
#' @return A data frame of class `wald_surrogate` with a line for each measure and input: `direct` (of
#'   the runs), `two_step` (of the sample), `error_trees`, `error_rows`, `error_process`, `low`, `high`, and
#'   `exact` (the total Sobol index of the process itself, without a forest, as a check).
#'   Attribute `"document"` holds the verdict and the process.
#'
#' @examples
#' x <- simulate_design("friedman_1", 30)[c("x1", "x2")]
#' surrogate(x, 3 * x$x1 + x$x2^2, rows = 200, draws = 2, starts = 2, num.trees = 20,
#'           num.threads = 2)
#' @export
surrogate <- function(x, y, inputs = "copula", measure = "sobol_mda", groups = NULL, rows = 10000,
                      draws = 20, kernel = "matern_52", starts = 20, confidence = 0.9,
                      num.trees = 300, seed = 0, settings = list(), ..., num.threads = NULL,
                      progress = NULL) {
  if (missing(x)) refuse_setting("x is missing", "give the inputs of the runs", setting = "x")
  if (missing(y)) refuse_setting("y is missing", "give the outputs of the runs", setting = "y")
  fit <- with_data(list(), parts_of_columns(x, y))
  seed <- whole("seed", seed)
  forest <- settings_of_forest(c(list(num.trees = num.trees, seed = seed), list(...)))$config
  if (is.character(inputs)) inputs <- word("inputs", inputs, c("copula", "independent"))
  else if (is.data.frame(inputs) || is.matrix(inputs)) inputs <- new_columns(fit, inputs, what = "inputs")
  else refuse_setting(paste("inputs is", shown(inputs)),
                      "give \"copula\", \"independent\", or a data frame of inputs", setting = "inputs")
  asked <- list(
    measures = checked_measures(measure), groups = checked_groups(groups), inputs = inputs,
    settings = c(settings_of_measures(fit, settings), list(seed = seed)),
    rows = whole("rows", rows, 1), draws = whole("draws", draws, 1),
    kernel = word("kernel", kernel, c("matern_52", "matern_32", "squared_exponential")),
    starts = whole("starts", starts, 1), confidence = probability("confidence", confidence))
  found <- checked(.Call(wrap__importances_of_runs, native_data(fit), forest, asked,
                       work(num.threads, progress, "growing forests")))
  structure(as_frame(found$frame), class = c("wald_surrogate", "data.frame"),
            document = found$document, notes = unlist(found$notes))
}

#' @export
print.wald_surrogate <- function(x, digits = 4, ...) {
  verdict <- attr(x, "document")$verdict
  cat(strwrap(paste0("believe ", verdict$believed, ": ", verdict$reason)), sep = "\n")
  print_table(as.data.frame(unclass(x)), digits)
  print_notes(attr(x, "notes"))
  invisible(x)
}
