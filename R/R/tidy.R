# Methods of generics of other packages, each of which is registered where the package is there.

#' Methods for ggplot2, generics (broom), vip and DALEX
#'
#' Of ggplot2, `autoplot()`; of generics, `tidy()`, `glance()` and `augment()`; of vip, `vi_model()`;
#' of DALEX, `yhat()` and `model_info()`, so that `DALEX::explain(fit, data, y)` works; and of parsnip
#' the engine `"wald"` of `rand_forest()`. They exist where these packages are installed.
#'
#' @param x,object,model,X.model A forest, or what [importance()] returned; of `tidy()` also what [uncertainty()],
#'   [compare()] or [conditional_test()] returned.
#' @param n The largest number of variables that are shown.
#' @param data,newdata A data frame: the rows of training, of which `augment()` shows out-of-bag predictions, or
#'   others. Without both, `augment()` takes the training data themselves: target, inputs, weights and clusters.
#' @param measure,type Name of a measure.
#' @param is_multiclass,... Further arguments of the generics.
#' @return What the generics describe. `tidy()` returns `term`, `estimate`, `std.error`, `conf.low`, `conf.high` and
#'   `p.value`, with `measure` where there are several and `adj.p.value` where p-values are corrected; intervals
#'   are those of `x`, and what it lacks is NA. `augment()` adds `.fitted`, for numbers `.resid` where the target is
#'   known, and `.rownames` where rows have names.
#' @name methods_of_others
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 50, num.threads = 2)
#' if (requireNamespace("generics", quietly = TRUE)) {
#'   generics::tidy(importance(fit, "sobol_mda", num.threads = 2))
#'   generics::glance(fit)
#' }
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   ggplot2::autoplot(importance(fit, "sobol_mda", num.threads = 2))
#' }
NULL

#' @rdname methods_of_others
#' @exportS3Method ggplot2::autoplot
autoplot.wald_importance <- function(object, n = 20, ...) {
  part <- do.call(rbind, lapply(unique(object$measure), function(measure) {
    one <- as.data.frame(object)[object$measure == measure, ]
    small <- isTRUE(attr(object, "found")[[measure]]$small_is_important)
    utils::head(one[ranking(one$value, small), ], n)
  }))
  part$place <- factor(seq_len(nrow(part)), levels = rev(seq_len(nrow(part))))
  part$measure <- factor(part$measure, levels = unique(part$measure))
  labels <- stats::setNames(part$variable, part$place)
  # Columns of `part`, which ggplot2 looks up.
  value <- place <- low <- high <- NULL
  aes <- ggplot2::aes(x = value, y = place, xmin = low, xmax = high)
  ggplot2::ggplot(part, aes) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60", linetype = 3) +
    ggplot2::geom_linerange(linewidth = 0.8, na.rm = TRUE) +
    ggplot2::geom_point(size = 2, na.rm = TRUE) +
    ggplot2::facet_wrap("measure", scales = "free") +
    ggplot2::scale_y_discrete(labels = labels) +
    ggplot2::labs(x = "importance, with 1.96 Monte-Carlo standard errors", y = NULL)
}

#' @rdname methods_of_others
#' @exportS3Method ggplot2::autoplot
autoplot.wald <- function(object, measure = "mda_breiman_cutler", ...) {
  autoplot.wald_importance(importance(object, measure), ...)
}

#' @rdname methods_of_others
#' @exportS3Method generics::tidy
tidy.wald_importance <- function(x, ...) tidied(x, "value", "se", "p")

#' @rdname methods_of_others
#' @exportS3Method generics::tidy
tidy.wald_uncertainty <- function(x, ...) tidied(x, "value")

#' @rdname methods_of_others
#' @exportS3Method generics::tidy
tidy.wald_comparison <- function(x, ...) tidied(x, "difference")

#' @rdname methods_of_others
#' @exportS3Method generics::tidy
tidy.wald_conditional <- function(x, ...) tidied(x, "value")

# A table by broom's names of columns; of those that are named here, parts of a table may lack some.
tidied <- function(x, estimate, error = "standard_error", p_value = "p_value") {
  of <- function(name) if (name %in% names(x)) x[[name]] else rep(NA_real_, nrow(x))
  table <- data.frame(term = x$variable, estimate = x[[estimate]], std.error = of(error), conf.low = of("low"),
                      conf.high = of("high"), p.value = of(p_value))
  if ("measure" %in% names(x)) table <- cbind(measure = x$measure, table)
  if ("adjusted_p_value" %in% names(x)) table$adj.p.value <- x$adjusted_p_value
  as_tibble(table)
}

#' @rdname methods_of_others
#' @exportS3Method generics::tidy
tidy.wald <- function(x, measure = "mda_breiman_cutler", ...) {
  tidy.wald_importance(importance(x, measure, ...))
}

#' @rdname methods_of_others
#' @exportS3Method generics::glance
glance.wald <- function(x, ...) {
  or_na <- function(value, none = NA_real_) if (is.null(value)) none else value
  as_tibble(data.frame(
    # Not known of a forest that was read without its training data.
    nobs = or_na(x$num.samples, NA_integer_), n.variables = length(x$levels), num.trees = x$num.trees,
    prediction.error = or_na(x$prediction.error), r.squared = or_na(x$r.squared)))
}

#' @rdname methods_of_others
#' @exportS3Method generics::augment
augment.wald <- function(x, data = NULL, newdata = NULL, ...) {
  # Rows of training are predicted by the trees that did not see them.
  of_training <- is.null(newdata)
  table <- if (!of_training) newdata else if (!is.null(data)) data else stats::model.frame(x)
  if (of_training && !is.null(data)) check_training_rows(x, data)
  # Those of the forest before, as of another augment(), are replaced.
  taken <- intersect(c(".fitted", ".resid"), c(names(x$levels), x$target))
  if (length(taken) > 0) {
    refuse_data(paste0("the column ", quoted(taken[1]), " of the forest is called as one that augment() adds"),
                "give it another name before the forest is grown, or bind predict() yourself", column = taken[1])
  }
  fitted <- stats::predict(x, newdata, ...)
  if (!is.data.frame(table)) table <- as_columns(table, if (of_training) "data" else "newdata")
  y <- if (of_training) x$y else target_of_rows(x, table, "newdata")
  if (has_row_names(table) && !".rownames" %in% names(table)) table <- cbind(.rownames = rownames(table), table)
  table$.fitted <- fitted
  if (x$task == "regression" && is.numeric(fitted) && is.null(dim(fitted)) && !is.null(y)) {
    table$.resid <- refuse_other_task(engine_column(y, x$target), x, "newdata") - fitted
  }
  as_tibble(table)
}

# Out-of-bag predictions belong to the rows of training by their places: other rows, or these in another
# order, would get those of others.
check_training_rows <- function(fit, data) {
  remedy <- "give the training data in their order as data, and other rows as newdata"
  if (is.null(fit$x)) {
    refuse("measure_error", "the forest was read without its training data", "give other rows as newdata")
  }
  if (NROW(data) != length(fit$y)) {
    refuse_data(paste("data has", counted(NROW(data), "row"), "and the training data",
                      counted(length(fit$y), "row")), remedy)
  }
  given <- new_columns(fit, data, what = "data")
  known <- engine_columns(fit$x)
  if (fit$target %in% names(data)) {
    given[[fit$target]] <- engine_column(data[[fit$target]], fit$target)
    known[[fit$target]] <- engine_column(fit$y, fit$target)
  }
  for (name in names(known)) {
    row <- first_difference(given[[name]], known[[name]])
    if (!is.null(row)) {
      refuse_data(paste0("row ", row, " of data is not that of training: it has another value of ",
                         quoted(name)), remedy, column = name)
    }
  }
}

# The first row in which two columns of the engine differ; NULL where they are equal.
first_difference <- function(one, other) {
  values <- function(column) if (is.list(column)) column$levels[column$codes] else column
  one <- values(one)
  other <- values(other)
  differs <- is.na(one) != is.na(other) | (!is.na(one) & !is.na(other) & one != other)
  if (any(differs)) which(differs)[1]
}

as_tibble <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}

#' @rdname methods_of_others
#' @exportS3Method vip::vi_model
vi_model.wald <- function(object, type = "mda_breiman_cutler", ...) {
  found <- importance(object, type, ...)
  # vip shows the largest scores first.
  if (isTRUE(attr(found, "found")[[1]]$small_is_important)) {
    refuse_setting(paste0("by ", quoted(type), " small values are important, and vip shows large ones first"),
                   "draw it by plot(importance(fit, type))", setting = "type")
  }
  scores <- as_tibble(data.frame(Variable = found$variable, Importance = found$value))
  structure(scores, type = type, class = c("vi", class(scores)))
}

#' @rdname methods_of_others
#' @exportS3Method DALEX::yhat
yhat.wald <- function(X.model, newdata, ...) {
  if (X.model$task == "regression") return(stats::predict(X.model, newdata))
  proportions <- stats::predict(X.model, newdata, type = "prob")
  # Of two classes, the proportion of the second.
  if (ncol(proportions) == 2) proportions[, 2] else proportions
}

#' @rdname methods_of_others
#' @exportS3Method DALEX::model_info
model_info.wald <- function(model, is_multiclass = FALSE, ...) {
  type <- if (model$task == "regression") "regression" else if (is_multiclass) "multiclass"
    else "classification"
  version <- as.character(utils::packageVersion("wald"))
  structure(list(package = "wald", ver = version, type = type), class = "model_info")
}
