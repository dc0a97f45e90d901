#' Which variables to keep, are relevant, or matter with few false discoveries
#'
#' @param x A forest, whose settings and data are used; or a data frame or matrix of inputs.
#' @param formula,data,y,weights,cluster As of [wald()].
#' @param method `"elimination"`: the few variables that predict best, by backward elimination with
#'   cross-validation (Benard et al. 2022, Algorithm 2). `"boruta"`: all relevant variables (Kursa &
#'   Rudnicki 2010). `"ipss"`: integrated path stability selection, with few false discoveries (Melikechi
#'   & Miller 2024).
#' @param measure Name of a global measure of training or out-of-bag rows; that of the method unless
#'   given (`"sobol_mda"` for elimination).
#' @param groups As of [importance()]: the columns of a group leave together.
#' @param folds,repeats Folds of the cross-validation, and how often rows are divided anew.
#' @param step Variables that leave at a time: a number, or a share of those left; `NULL` is 1 while at most
#'   100 are left, before that a tenth of those left.
#' @param smallest The smallest number of variables that is tried.
#' @param loss Loss of held-out rows: `"squared"`, `"absolute"` or `"zero_one"`.
#' @param level,multiple_testing,percentile,max_runs,rough_fix Of Boruta: level of its tests, their
#'   correction (`"bonferroni"`, `"two_step"` or `"none"`), the percentile of the shadows that a hit
#'   exceeds, the number of forests at most, and whether tentative variables are decided by medians.
#' @param pairs,power,subsample_trees,preselect Of IPSS: how often rows are halved, the power of the
#'   transformation of paths (2 or 3), trees of a forest on half of the rows, and the number of variables of
#'   which it is grown: those that depend most on the target in that half (`NULL` for all).
#' @param target_fdr Of IPSS: the rate of false discoveries at which variables are selected.
#' @param settings Settings of the measure, a list.
#' @param num.threads,progress As of [wald()].
#' @param ... Of formulas and tables, the arguments above and the settings of forests of [wald()].
#'
#' @return A list of class `wald_selection`: `selected` (names), `frame` (a data frame: the curve of
#'   errors by number of variables, or a line for each variable), `document` (all that was found) and
#'   `method`. Elimination also has `one_standard_error`, the smallest set whose error is at most one
#'   standard error above.
#'
#' @examples
#' data <- simulate_design("friedman_1", 80)[c("x1", "x2", "x4", "x9", "y")]
#' select_variables(y ~ ., data, folds = 3, num.trees = 30, num.threads = 2)
#' @export
select_variables <- function(x, ...) UseMethod("select_variables")

#' @rdname select_variables
#' @export
select_variables.wald <- function(x, method = c("elimination", "boruta", "ipss"), measure = NULL,
                                  groups = NULL, folds = 10, repeats = 1, step = NULL,
                                  smallest = 1, loss = "squared", level = NULL, multiple_testing = "bonferroni",
                                  percentile = 100, max_runs = 100, rough_fix = FALSE, pairs = 50,
                                  power = 3, subsample_trees = NULL, preselect = 200,
                                  target_fdr = 0.1, settings = list(), ..., num.threads = NULL,
                                  progress = NULL) {
  refuse_further(...)
  config <- settings_of(x)
  method <- chosen("method", method, names(arguments_of_methods))
  refuse_of_other_methods(method, as.list(environment()), names(match.call()))
  if (is.null(measure) && method == "elimination") measure <- "sobol_mda"
  shared <- list(measure = if (!is.null(measure)) checked_measures(text("measure", measure)),
                 settings = settings_of_measures(x, settings), groups = checked_groups(groups))
  own <- switch(method,
    elimination = list(
      folds = whole("folds", folds, least = 2), repeats = whole("repeats", repeats, least = 1),
      step = if (!is.null(step)) checked_step(step),
      smallest = whole("smallest", smallest, least = 1),
      loss = word("loss", loss, c("squared", "absolute", "zero_one"))),
    boruta = list(level = if (!is.null(level)) probability("level", level),
                  multiple_testing = word("multiple_testing", multiple_testing,
                                          c("bonferroni", "two_step", "none")),
                  percentile = number("percentile", percentile, above = 0, most = 100),
                  max_runs = whole("max_runs", max_runs, least = 1), rough_fix = flag("rough_fix", rough_fix)),
    ipss = list(pairs = whole("pairs", pairs, least = 1), power = whole("power", power, least = 2, most = 3),
                subsample_trees = optional_whole("subsample_trees", subsample_trees, least = 1),
                preselect = optional_whole("preselect", preselect, least = 5)))
  target_fdr <- number("target_fdr", target_fdr, least = 0, most = 1)
  data <- native_data(x)
  asked <- c(shared, own)
  work <- work(num.threads, progress, "selecting variables")
  found <- checked(switch(method,
    elimination = .Call(wrap__eliminate, data, config, asked, work),
    boruta = .Call(wrap__confirm, data, config, asked, work),
    ipss = .Call(wrap__stabilise, data, config, asked, work)))
  as_selection(found, method, target_fdr)
}

#' @rdname select_variables
#' @export
select_variables.formula <- function(formula, data, ..., weights = NULL, cluster = NULL) {
  if (missing(formula)) return(again_with(select_variables.formula, match.call()))
  refuse_subset(match.call(expand.dots = FALSE), "select_variables")
  of_formula(select_variables.wald, formula, data,
             given_as(substitute(weights), weights, data, parent.frame(), "weights"),
             given_as(substitute(cluster), cluster, data, parent.frame(), "cluster"), list(...))
}

#' @rdname select_variables
#' @export
select_variables.default <- function(x, y, ..., weights = NULL, cluster = NULL) {
  if ("formula" %in% ...names()) return(again_with(select_variables.formula, match.call()))
  of_columns(select_variables.wald, x, y, weights, cluster, list(...))
}

# The arguments that one method alone has.
arguments_of_methods <- list(
  elimination = c("folds", "repeats", "step", "smallest", "loss"),
  boruta = c("level", "multiple_testing", "percentile", "max_runs", "rough_fix"),
  ipss = c("pairs", "power", "subsample_trees", "preselect", "target_fdr"))

# Refuses arguments that are given and that the method does not have; NULL is as good as none.
refuse_of_other_methods <- function(method, values, given) {
  for (other in setdiff(names(arguments_of_methods), method)) {
    for (name in intersect(arguments_of_methods[[other]], given)) {
      if (is.null(values[[name]])) next
      refuse_setting(paste0(name, " is an argument of method = ", quoted(other), ", and the method is ",
                            quoted(method)),
                     paste0("leave it out, or give method = ", quoted(other)), setting = name)
    }
  }
}

# Variables that leave at a time: a whole number of them, or a share.
checked_step <- function(step) {
  if (is.numeric(step) && length(step) == 1 && !is.na(step) && step > 0 && (step < 1 || step == floor(step))) {
    return(as.double(step))
  }
  refuse_setting(paste0("step is ", shown(step)),
                 "give a whole number of at least 1, or a share above 0 and below 1", setting = "step")
}

as_selection <- function(found, method, target_fdr) {
  frame <- as_frame(found$frame)
  document <- found$document
  selected <- switch(method,
    elimination = unlist(document$best$variables),
    boruta = frame$variable[frame$decision == "confirmed"],
    ipss = frame$variable[frame$q_value <= target_fdr])
  structure(class = "wald_selection", list(
    method = method, selected = selected, frame = frame, document = document,
    one_standard_error = unlist(document$one_standard_error$variables)))
}

#' @export
print.wald_selection <- function(x, digits = 4, ...) {
  words <- c(elimination = "backward elimination", boruta = "Boruta",
             ipss = "integrated path stability")
  cat(words[[x$method]], ": ", length(x$selected), " variables selected\n", sep = "")
  cat(strwrap(paste(x$selected, collapse = ", "), indent = 2, exdent = 2), sep = "\n")
  if (!is.null(x$one_standard_error)) {
    cat("smallest set within one standard error:\n")
    cat(strwrap(paste(x$one_standard_error, collapse = ", "), indent = 2, exdent = 2), sep = "\n")
  }
  frame <- x$frame
  if (x$method == "elimination") {
    frame$leaving[is.na(frame$leaving)] <- ""
    frame$set <- ifelse(frame$best == 1, "best", ifelse(frame$one_standard_error == 1, "smallest", ""))
    frame <- frame[setdiff(names(frame), c("best", "one_standard_error"))]
  }
  print_table(frame, digits)
  if (isTRUE(x$document$small_is_important)) cat("importance: ", x$document$unit, "\n", sep = "")
  print_notes(x$document$note)
  invisible(x)
}
