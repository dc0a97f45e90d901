#' Measure forests that other packages have grown
#'
#' Nothing is grown again: trees, thresholds and bags are taken over as they are, so that every measure
#' applies to the forest that you already have.
#'
#' @param x A forest of [ranger::ranger()] with `keep.inbag = TRUE`, of
#'   [randomForest::randomForest()] with `keep.inbag = TRUE`, of randomForestSRC's `rfsrc()` with
#'   `membership = TRUE`, of [party::cforest()] or of `partykit::cforest()`.
#' @param data The data frame on which it was grown, with the target; party, partykit and
#'   randomForestSRC store it.
#' @param y The target, where `data` has inputs only.
#' @param ... Not used.
#'
#' @details
#' ranger's impurity importance and randomForest's `IncNodePurity` and `MeanDecreaseGini` are
#' `importance(fit, "mdi")` times the number of draws of a tree, unless the forest was grown by weights of
#' classes (`class.weights`, `classwt`), by the split rules `"maxstat"`, `"beta"`, `"poisson"` or
#' `"hellinger"`, or with `regularization.factor`: these change what their importances count, and here
#' decreases of variance or of Gini impurity are measured. With `corr.bias = TRUE` of randomForest
#' predictions and their errors are those without the correction, and with `cutoff` classes are those with
#' most votes.
#'
#' Formulas are computed as these packages did: targets such as `log(y)`, terms such as `log(x)` and ranger's
#' products `a:b`, of the training data and of new rows. Rows that `na.action = na.omit` or `subset` of
#' randomForest left out are left out, and missing values that its `na.roughfix` filled in are filled in. Where
#' the call of a forest does not show its formula, as where a function has passed its arguments on, give the
#' target as `y`.
#'
#' Warnings of class `wald_taken_over_warning` say where the forest came with other targets, out-of-bag
#' predictions, errors or impurity importances than are computed here (then `data` are other rows, or the forest
#' was grown in one of the ways above), or name the argument where it stored no importance. Class weights that
#' nothing shows, and case weights of the target, cannot be noticed. Of randomForestSRC other out-of-bag
#' predictions are an error: its importances are permutations, which nothing else could be compared with.
#'
#' In nodes where none of the variables that it has drawn varies, randomForest sometimes puts one row of training
#' aside, by rounding, where no other row ever goes; of levels with equal means of the target it may store other
#' sides than those where rows of training went; and the middle of two neighbouring numbers, the threshold, may be
#' rounded to the larger one. Here rows go where the stored splits send them, and leaves below
#' such splits have the means of the rows that reach them. A warning of that class states how many splits there are and
#' by how much out-of-bag predictions differ; those of new rows and importances differ, too. Other `data` can look the
#' same, but are refused where the stored leaves do not give the stored out-of-bag predictions.
#'
#' Forests that `combine()` and `grow()` of randomForest have made are taken over, too. They store no errors, and no
#' out-of-bag predictions of all their trees, so that these cannot be compared, and other `data` are noticed by the
#' values of leaves, the target and the impurity importance only.
#'
#' partykit draws the sides of levels that no row of a node had, anew for every prediction; here they go right,
#' and a warning says so. Forests of several or ordered targets of party and partykit, survival forests,
#' unsupervised ones and those grown on missing values are refused. Without bags, measures of out-of-bag rows
#' are refused.
#'
#' @return A forest of class `wald`, for [importance()], [explain()], [report()] and the others; those
#'   that would grow further forests refuse it.
#'
#' @examples
#' if (requireNamespace("ranger", quietly = TRUE)) {
#'   grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 50, keep.inbag = TRUE, num.threads = 2)
#'   fit <- as_wald(grown, mtcars)
#'   importance(fit, "sobol_mda", num.threads = 2)
#' }
#' @export
as_wald <- function(x, ...) UseMethod("as_wald")

#' @rdname as_wald
#' @export
as_wald.ranger <- function(x, data, y = NULL, ...) {
  refuse_further(...)
  if (missing(data)) refuse_without_data()
  written(wald_refuse_ranger(x))
  parts <- data_of_ranger(x, as_columns(data, "data"), y, parent.frame())
  take <- function() taken_over(parts, written(wald_from_ranger(x, parts$data)), "ranger")
  fit <- if (is.null(y)) with_target_named(take(), parts$target) else take()
  compare_with_stored(fit, stored_by_ranger(x), reasons_of_ranger(x))
  fit
}

# What a forest of ranger came with.
stored_by_ranger <- function(x) {
  draws <- unique(vapply(x$inbag.counts, sum, 0))
  # Otherwise trees have different weights in it.
  has_importance <- identical(x$importance.mode, "impurity") && length(draws) == 1
  # With holdout = TRUE it predicts rows of weight zero only, of those that are out of bag.
  is_all <- !"holdout" %in% given_in(x$call) || isFALSE(x$call$holdout)
  list(predictions = if (is_all && length(x$predictions) > 0) x$predictions, error = x$prediction.error,
       importance = if (has_importance) x$variable.importance / draws)
}

# Arguments with which decreases are neither those of variance nor of Gini impurity.
reasons_of_ranger <- function(x) {
  others <- c("maxstat", "beta", "poisson", "hellinger")
  c(if (isTRUE(x$splitrule %in% others)) paste0("splitrule = ", quoted(x$splitrule)),
    intersect(c("class.weights", "regularization.factor"), given_in(x$call)))
}

# Names of the arguments of a call that are not NULL.
given_in <- function(call) names(Filter(Negate(is.null), as.list(call)))

#' @rdname as_wald
#' @export
as_wald.randomForest <- function(x, data, y = NULL, ...) {
  refuse_further(...)
  if (missing(data)) refuse_without_data()
  # Kinds that are refused need no data.
  if (is.null(x$y) || is.null(x$forest) || is.null(x$inbag)) written(wald_from_randomforest(x))
  # Columns of a matrix without names are called as everywhere here.
  if (is.matrix(data) && is.null(colnames(data))) {
    names(x$forest$ncat) <- paste0("V", seq_along(x$forest$ncat))
  }
  parts <- data_of_random_forest(x, data, y, parent.frame())
  take <- function(rounded = NULL) {
    taken_over(parts, written(wald_from_randomforest(x, parts$data, rounded)), "randomForest")
  }
  rounded <- NULL
  fit <- tryCatch(take(), wald_forest_file_error = function(error) {
    rounded <<- rounded_splits(x, parts$data)
    if (is.null(rounded)) stop(error)
    # Other data are refused as they were.
    tryCatch(take(rounded), wald_forest_file_error = function(again) stop(error))
  })
  warn_of_random_forest(x)
  theirs <- stored_by_random_forest(x, parts)
  # Rows elsewhere may leave all values of leaves as they are, and decreases of impurity not.
  differs <- if (!is.null(rounded)) c("predictions", "importance")
    else if (!same_importances(fit, theirs$importance)) "importance"
  if (identical(differs, "importance")) rounded <- rounded_splits(x, parts$data)
  if (!is.null(rounded)) {
    n <- sum(vapply(rounded, function(tree) tree$splits, 0))
    warn_of_other(paste(counted(n, "split"), "that randomForest has stored did not send rows of training where",
                        "their leaves say"),
                  paste0("it does so by rounding of a threshold, or where a split gains nothing; the same is seen ",
                         "where data are not the table of the forest. Rows go where the splits send them here",
                         by_how_much(fit, x), "; ?as_wald"))
    theirs[differs] <- NULL
  }
  compare_with_stored(fit, theirs, reasons_of_random_forest(x))
  fit
}

# The largest difference of out-of-bag predictions to those that randomForest has stored, in words.
by_how_much <- function(fit, x) {
  if (!is.null(x$coefs) || wald_randomforest_is_combined(x)) return("")
  difference <- max(abs(as.numeric(fit$predictions) - as.numeric(x$predicted)), 0, na.rm = TRUE)
  paste0(", and out-of-bag predictions differ by up to ", signif(difference, 2))
}

# What wald_randomforest_rounded() finds; NULL where rows have gone where the splits send them.
rounded_splits <- function(x, data) {
  if (x$type != "regression" || nrow(x$inbag) != nrow(data)) return(NULL)
  found <- wald_randomforest_rounded(x, data)
  has_other <- any(vapply(found, function(tree) tree$splits > 0, NA))
  # Corrected predictions, and those of combined forests, are not those of the trees.
  is_other <- !is.null(x$coefs) || wald_randomforest_is_combined(x)
  if (has_other && (is_other || wald_randomforest_agrees(x, data))) found
}

warn_of_random_forest <- function(x) {
  if ("cutoff" %in% given_in(x$call)) {
    warn_of_other("the forest was grown with cutoff", "classes are those with most votes here; ?as_wald")
  }
  # Coefficients of the correction.
  if (!is.null(x$coefs)) {
    warn_of_other("the forest was grown with corr.bias = TRUE",
                  "predictions and out-of-bag errors are those without the correction; ?as_wald")
  }
}

stored_by_random_forest <- function(x, parts) {
  importance <- x$importance[, ncol(x$importance)]
  draws <- unique(colSums(x$inbag))
  # Predictions that are corrected, and those of combined forests, are not those of the trees.
  predictions <- if (wald_randomforest_is_combined(x)) NULL
    else if (x$type == "classification") x$votes
    else if (is.null(x$coefs)) x$predicted
  list(y = x$y, shown = parts$shown, predictions = predictions,
       importance = if (length(draws) == 1) stats::setNames(importance / draws, parts$names))
}

reasons_of_random_forest <- function(x) intersect("classwt", given_in(x$call))

#' @rdname as_wald
#' @export
as_wald.rfsrc <- function(x, ...) {
  refuse_further(...)
  document <- written(wald_from_rfsrc(x))
  parts <- list(names = x$xvar.names, data = as_columns(as.data.frame(x$xvar)), y = x$yvar,
                target = x$yvar.names)
  fit <- taken_over(parts, document, "randomForestSRC")
  theirs <- x$predicted.oob
  if (!is.null(theirs)) {
    if (fit$task == "classification") theirs <- theirs[, colnames(fit$predictions), drop = FALSE]
    ours <- as.vector(fit$predictions)
    known <- !is.na(ours) & !is.na(theirs)
    if (length(ours) != length(theirs) || !isTRUE(all.equal(ours[known], as.vector(theirs)[known]))) {
      refuse_data("the forest of randomForestSRC predicts other values than it came with",
                  "please report it with the version of the package that grew it")
    }
  }
  fit
}

#' @rdname as_wald
#' @export
as_wald.RandomForest <- function(x, ...) {
  refuse_further(...)
  document <- written(wald_from_party(x))
  inputs <- x@data@get("input")
  target <- x@responses@variables
  terms <- stats::terms(inputs)
  target_call <- str2lang(names(target))
  parts <- list(names = names(inputs), data = as_columns(inputs), y = target[[1]], target = names(target),
                derived = c(derived_of_terms(attr(terms, "variables"), attr(terms, "predvars")),
                            derived_target(target_call)),
                environment = environment(terms))
  taken_over(parts, document, "party")
}

#' @rdname as_wald
#' @export
as_wald.cforest <- function(x, ...) {
  refuse_further(...)
  document <- written(wald_from_partykit(x))
  target <- wald_partykit_target(x)
  parts <- list(names = wald_partykit_inputs(x), data = as_columns(as.data.frame(x$data)),
                y = x$data[[target]], target = target,
                derived = derived_of_terms(attr(x$terms, "variables"), attr(x$terms, "predvars")),
                environment = environment(x$terms))
  fit <- taken_over(parts, document, "partykit")
  n <- sum(vapply(x$nodes, drawn_splits, 0, present = lapply(parts$data, function(column) {
    if (is.factor(column)) tabulate(column, nlevels(column)) > 0
  })))
  if (n > 0) {
    what <- paste("partykit draws the sides of levels that no row of a node had, at", counted(n, "split"))
    warn_of_other(what, "here they go right, and its own predictions differ from call to call; ?as_wald")
  }
  fit
}

# The number of splits below a node of partykit at which a level has no side that is `present` in some row.
drawn_splits <- function(node, present) {
  if (is.null(node$split)) return(0)
  index <- node$split$index
  here <- is.null(node$split$breaks) && any(is.na(index) & present[[node$split$varid]])
  here + sum(vapply(node$kids, drawn_splits, 0, present = present))
}

#' @rdname as_wald
#' @export
as_wald.default <- function(x, ...) {
  if (inherits(x, "wald")) refuse_data("x is a forest of wald already", "use it as it is")
  refuse_data(paste("x is", shown(x)),
              paste("give a forest of ranger, randomForest, randomForestSRC, party or partykit;",
                    "read_wald() reads wald-forest JSON"))
}

refuse_without_data <- function() {
  refuse_setting("data is missing", "give the data frame on which the forest was grown", setting = "data")
}

# What a conversion has written; its refusals, "what is wrong; what to do", as conditions.
written <- function(document) {
  tryCatch(document, error = function(error) {
    parts <- strsplit(conditionMessage(error), "; ", fixed = TRUE)[[1]]
    refuse_data(paste0("the forest cannot be taken over: ", parts[1]), paste(parts[-1], collapse = "; "))
  })
}

check_columns <- function(names, data) {
  missing <- setdiff(names, names(data))
  if (length(missing) > 0) {
    refuse_data(paste0("data has no column ", quoted(missing[1]), ", which the forest knows"),
                "give the data frame on which it was grown", column = missing[1])
  }
}

# The forest of JSON on the columns that it knows; `parts` are its names, data, y, target, and what is computed
# of other columns.
taken_over <- function(parts, document, program) {
  document <- charToRaw(enc2utf8(document))
  fit <- forest_of_bytes(document, parts$data[parts$names], parts$y, program = program,
                         target = parts$target)
  if (length(parts$derived) > 0) {
    fit$derived <- derived_of_rows(parts)
    fit$environment <- parts$environment
  }
  fit
}
