#' Measure how much every variable matters
#'
#' @param x A forest of [wald()], [as_wald()] or [read_wald()].
#' @param measure Names of one or more global measures; [measures()] lists them.
#' @param groups A list of names of columns by the names of groups, which are measured together, such
#'   as `list(size = c("height", "weight"))`.
#' @param test Rows that the forest never saw, for measures that use them: a data frame with the
#'   target (and the column of weights, where there was one), `list(x, y)` or `list(x, y, weights)`.
#' @param seed Seed of random permutations and samples; 0 unless given.
#' @param num.threads,progress As of [wald()].
#' @param ... Further settings of measures, such as `loss`, `permutations`, `normalise`, `per_class`,
#'   `by_degree`, `background` (a data frame) or `time_budget` (seconds).
#'
#' @details
#' For classes, permutation importance (`"mda_breiman_cutler"`) is the increase in the Brier score summed over classes
#' unless `loss` is given. That of ranger and randomForest is the increase in the share of wrong classes, about half as
#' large: `loss = "zero_one"` computes it.
#'
#' @return A data frame of class `wald_importance` with a line for each measure and variable, in the
#'   order of the table: `measure`, `variable`, `value`, `se` (Monte-Carlo standard error), `low` and
#'   `high` (1.96 standard errors below and above: these do not include how other data would have
#'   differed, which [uncertainty()] computes) and `p`, where the measure has p-values. Its attribute
#'   `"found"` holds, by measure, what else was computed: `unit`, `notes`, `settings`, `per_tree` (a
#'   matrix of trees and variables), `repeats`, `per_class`, `by_degree`, `second_order`.
#'
#' @seealso [plot.wald_importance()], [advise()], [uncertainty()]
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 100, num.threads = 2)
#' importance(fit, "sobol_mda", num.threads = 2)
#' importance(fit, c("mdi", "mda_breiman_cutler"),
#'            groups = list(engine = c("cyl", "disp", "hp")), num.threads = 2)
#' @export
importance <- function(x, ...) UseMethod("importance")

# Where ranger or randomForest is attached later, their generics hide this one.
#' @rdname importance
#' @export
#' @rawNamespace S3method(ranger::importance, wald)
#' @rawNamespace S3method(randomForest::importance, wald)
importance.wald <- function(x, measure = "mda_breiman_cutler", groups = NULL, test = NULL, ...,
                            seed = NULL, num.threads = NULL, progress = NULL) {
  measure <- unique(texts("measure", measure))
  settings <- measure_settings(x, list(...), test, seed)
  if (!is.null(test)) refuse_unread_test(measure)
  asked <- list(measures = measure, settings = settings, groups = checked_groups(groups))
  found <- checked(.Call(wrap__measure_forest, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, paste("measuring", paste(measure, collapse = ", ")))))
  as_importance(found)
}

# Where wald is attached after ranger or randomForest, its generic hides theirs.
#' @export
importance.default <- function(x, ...) {
  for (package in c("ranger", "randomForest")) {
    if (inherits(x, package) && requireNamespace(package, quietly = TRUE)) {
      if (...length() > 0 && (is.character(..1) || any(c("measure", "groups", "test") %in% ...names()))) {
        refuse_data(paste0("x is a forest of ", package, ", whose own importance() knows no measures of wald"),
                    "measure as_wald(x, data)")
      }
      return(getExportedValue(package, "importance")(x, ...))
    }
  }
  refuse_other_than_forest(x)
}

refuse_other_than_forest <- function(x) {
  refuse_data(paste("x is", shown(x)), "give a forest of wald(), or one of another package by as_wald()")
}

# Refuses rows that the forest never saw where no measure reads them. Names that no measure has are left to the
# engine, which suggests others.
refuse_unread_test <- function(measures) {
  all <- facts()$importance
  names <- lapply(all, function(one) c(one$id, one$aliases))
  reads <- vapply(all, function(one) "test" %in% options_of(one), NA)
  if (!all(measures %in% unlist(names)) || any(measures %in% unlist(names[reads]))) return(invisible())
  readers <- vapply(all[reads], function(one) one$id, "")
  what <- if (length(measures) == 1) paste0("measure `", measures, "` does not offer `test`")
    else paste0("none of the measures ", paste(measures, collapse = ", "), " offers `test`")
  refuse_setting(what, paste0("leave it out, or give one of the measures that read such rows: ",
                              paste(readers, collapse = ", ")), setting = "test")
}

# Settings of global measures, with tables as the engine reads them.
measure_settings <- function(fit, settings, test, seed) {
  settings <- settings_of_measures(fit, settings, names(formals(importance.wald)))
  settings$test <- test_data(fit, test)
  if (!is.null(seed)) settings$seed <- whole("seed", seed)
  settings
}

as_importance <- function(found) {
  found <- lapply(found, function(one) {
    c(one$words, list(per_tree = named_columns(one$per_tree, one$words$names),
                      random = named_columns(one$repeats, one$words$names)))
  })
  frame <- do.call(rbind, lapply(found, importance_frame))
  names(found) <- vapply(found, function(one) one$measure, "")
  for (one in found) warn_of_masking(one)
  structure(frame, class = c("wald_importance", "data.frame"), found = found)
}

importance_frame <- function(one) {
  n <- length(one$names)
  numbers <- function(values) if (is.null(values)) rep(NA_real_, n) else as.double(unlist_na(values, n))
  value <- numbers(one$values)
  se <- numbers(one$standard_errors)
  data.frame(measure = one$measure, variable = unlist(one$names), value = value, se = se,
             low = value - 1.96 * se, high = value + 1.96 * se, p = numbers(one$p_values))
}

# Numbers of which all are missing arrive as a list of NULL.
unlist_na <- function(values, n) if (is.list(values)) rep(NA_real_, n) else values

named_columns <- function(matrix, names) {
  if (!is.null(matrix)) colnames(matrix) <- names
  matrix
}

warn_of_masking <- function(one) {
  prefix <- "masking: "
  notes <- unlist(one$notes)
  for (note in notes[startsWith(as.character(notes), prefix)]) {
    message <- paste0(one$measure, ": ", substring(note, nchar(prefix) + 1))
    warning(structure(class = c("wald_masking_warning", "warning", "condition"),
                      list(message = message, call = caller())))
  }
}

#' @export
print.wald_importance <- function(x, digits = 4, n = 30, ...) {
  found <- attr(x, "found")
  if (nrow(x) == 0) cat("no importances\n")
  for (measure in unique(x$measure)) {
    one <- found[[measure]]
    unit <- if (is.null(one$unit)) "" else paste0(" (", one$unit, ")")
    cat(measure, unit, "\n", sep = "")
    part <- as.data.frame(x)[x$measure == measure, setdiff(names(x), "measure"), drop = FALSE]
    # Of the classes of a target, where they were asked for.
    of_class <- lapply(one$per_class, function(values) values[match(part$variable, unlist(one$names))])
    # A class may be called "low", as a column is.
    taken <- names(of_class) %in% c(names(part), p_values, names(short_names))
    names(of_class)[taken] <- paste("class", names(of_class)[taken])
    # A column without a name is NA to R.
    names(of_class)[!nzchar(names(of_class))] <- "class \"\""
    part[names(of_class)] <- of_class
    part <- part[ranking(part$value, isTRUE(one$small_is_important)), , drop = FALSE]
    print_table(utils::head(part, n), digits)
    if (nrow(part) > n) cat("... and", nrow(part) - n, "more\n")
    print_notes(one$notes)
  }
  invisible(x)
}

#' @export
as.data.frame.wald_importance <- function(x, ...) {
  attr(x, "found") <- NULL
  class(x) <- "data.frame"
  x
}

# Places of values by decreasing importance.
ranking <- function(values, small_is_important = FALSE) {
  order(if (small_is_important) values else -values, na.last = TRUE)
}

#' The measures of importance
#'
#' @param kind `"importance"` for global measures, `"explain"` for local ones.
#'
#' @return A data frame with a line for each measure: `measure` (what to give to [importance()] or
#'   [explain()]), `name`, `estimand` (what is estimated), `caveat`, `source` (paper and equation) and `options`
#'   (arguments that the measure has).
#'
#' @examples
#' measures()[1:3, c("measure", "name")]
#' measures("explain")$measure
#' @export
measures <- function(kind = c("importance", "explain")) {
  kind <- chosen("kind", kind, c("importance", "explain"))
  of <- function(field) vapply(facts()[[kind]], function(one) as.character(one[[field]]), "")
  data.frame(measure = of("id"), name = of("name"), estimand = of("estimand"),
             caveat = of("caveat"), source = of("source"),
             options = vapply(facts()[[kind]], function(one) paste(options_of(one), collapse = ", "), ""))
}

# The options of a measure by its facts.
options_of <- function(one) {
  has_losses <- length(c(one$regression_losses, one$classification_losses)) > 0
  unique(c(if (has_losses) "loss", if (length(one$normalisations) > 0) "normalise", unlist(one$options),
           if ("test_rows" %in% one$needs) "test"))
}
