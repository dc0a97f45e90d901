# A forest that was taken over beside what it came with: targets, out-of-bag predictions, errors and
# importances. Where they differ, the data are other ones, or the forest was grown in a way that is not known
# here, and a warning says so.

# `theirs` has what the other package has stored, as far as it has: the target `y`, beside which that of data is
# `shown`; `predictions` (numbers, classes, or a matrix of votes or shares) and their `error`; `importance` by
# variable, per draw. `reasons` are arguments that are known to make importances others than mdi.
compare_with_stored <- function(fit, theirs, reasons = character()) {
  warn_if <- function(differ, what, meaning) {
    if (isTRUE(differ)) warn_of_other(paste0("the forest's own ", what), meaning)
  }
  wrong <- "other data than those on which it was grown were given, or the forest cannot be read fully"
  other_target <- !is.null(theirs$shown) && !same_target(theirs$shown, theirs$y)
  warn_if(other_target, "target is not that of data", wrong)
  warn_if(!same_predictions(fit, theirs$predictions), "out-of-bag predictions are not those computed here",
          wrong)
  warn_if(!same_error(fit, theirs), "out-of-bag error is not that of data", wrong)
  warn_of_importances(fit, theirs$importance, reasons)
}

# Where the other package has filled in missing values, there is nothing to compare.
same_target <- function(ours, theirs) {
  if (length(ours) != length(theirs)) return(FALSE)
  known <- !is.na(ours)
  ours <- ours[known]
  theirs <- theirs[known]
  if (is.numeric(ours) && is.numeric(theirs)) return(isTRUE(all.equal(as.vector(ours), as.vector(theirs))))
  identical(as.character(ours), as.character(theirs))
}

# Predictions of the rows that both have predicted.
same_predictions <- function(fit, theirs) {
  ours <- fit$predictions
  if (is.null(theirs) || is.null(ours)) return(TRUE)
  if (NROW(theirs) != NROW(ours)) return(FALSE)
  if (fit$task == "regression") {
    known <- !is.na(ours) & !is.na(theirs)
    return(identical(is.na(ours), is.na(as.vector(theirs))) &&
             isTRUE(all.equal(ours[known], as.vector(theirs)[known])))
  }
  if (!is.matrix(theirs)) return(same_classes(ours, as.character(theirs)))
  if (!all(colnames(ours) %in% colnames(theirs))) return(FALSE)
  theirs <- unclass(theirs)[, colnames(ours), drop = FALSE]
  # Counts of votes become shares.
  theirs <- theirs / rowSums(theirs)
  known <- !is.na(ours) & !is.na(theirs)
  isTRUE(all.equal(ours[known], theirs[known]))
}

# Classes of a vote: where several have most votes, the other package has drawn one of them.
same_classes <- function(shares, classes) {
  known <- which(!is.na(classes) & !is.na(shares[, 1]))
  places <- match(classes[known], colnames(shares))
  if (anyNA(places)) return(FALSE)
  shares <- shares[known, , drop = FALSE]
  most <- shares[cbind(seq_along(known), max.col(shares, ties.method = "first"))]
  all(most - shares[cbind(seq_along(known), places)] < 1e-9)
}

# The share of wrong classes, or the mean squared error, of their predictions with the target of here.
same_error <- function(fit, theirs) {
  if (is.null(theirs$error) || is.null(theirs$predictions) || is.matrix(theirs$predictions)) return(TRUE)
  predicted <- theirs$predictions
  if (NROW(predicted) != length(fit$y)) return(FALSE)
  error <- if (fit$task == "regression") mean((predicted - engine_column(fit$y, fit$target))^2, na.rm = TRUE)
    else mean(as.character(predicted) != as.character(fit$y), na.rm = TRUE)
  isTRUE(all.equal(error, theirs$error))
}

warn_of_importances <- function(fit, theirs, reasons) {
  if (is.null(theirs)) {
    for (reason in reasons) {
      warn_of_other(paste0("the forest was grown with ", reason),
                    "the impurity importance of such a forest is not its mdi; ?as_wald")
    }
    return(invisible())
  }
  if (same_importances(fit, theirs)) return(invisible())
  because <- if (length(reasons) > 0) paste0(", which was grown with ", paste(reasons, collapse = " and "))
  warn_of_other(paste0("the impurity importance stored with the forest", because),
                "mdi of it is another; ?as_wald")
}

same_importances <- function(fit, theirs) {
  if (is.null(theirs)) return(TRUE)
  # What is compared must not hinder anybody from taking the forest over.
  ours <- tryCatch(suppressWarnings(importance(fit, "mdi"), classes = "wald_masking_warning"),
                   wald_too_large_error = function(error) NULL)
  if (is.null(ours)) return(TRUE)
  ours <- stats::setNames(ours$value, ours$variable)
  isTRUE(all.equal(ours[names(theirs)], theirs))
}

warn_of_other <- function(what, meaning) {
  warning(structure(class = c("wald_taken_over_warning", "warning", "condition"),
                    list(message = paste0(what, ": ", meaning), call = caller())))
}
