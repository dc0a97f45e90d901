#' Exact importances of a joint distribution
#'
#' The importances of infinitely many totally randomized trees (or of trees with larger `mtry`) on
#' infinitely many rows (Louppe et al. 2013), without growing one.
#'
#' @param formula A formula, as of [wald()].
#' @param x A data frame of categories whose rows are the points of the distribution.
#' @param data The data frame of a formula.
#' @param y The target at the points.
#' @param probability Probabilities of the rows, or numbers proportional to them; equal unless given. With a
#'   formula also a column of `data`, with or without quotes, which is no input then.
#' @param mtry Variables tried at each node.
#' @param depth Depth of trees; fully developed unless given.
#' @param impurity `"entropy"`, `"gini"` or `"variance"`.
#' @param local Whether to compute importances at every point, too (Sutera et al. 2021).
#' @param samples Estimates from so many random orders where exact sums take too long.
#' @param seed Seed of the samples.
#' @param num.threads,progress As of [wald()].
#' @param ... Passed on by the formula method.
#'
#' @return A data frame of class `wald_population` with a line for each variable: `importance`,
#'   `relevance`, `marginal`, and `degree_0`, `degree_1`, ... (by degree of interaction); with `local`, a
#'   line for each point and variable. Attribute `"document"` holds all that was found, and `"notes"` how numbers were
#'   taken, which `print()` shows: every different number of an input is a category of its own.
#'
#' @examples
#' xor <- expand.grid(a = c("0", "1"), b = c("0", "1"), c = c("0", "1"))
#' xor$y <- ifelse(xor$a == xor$b, "0", "1")
#' population(y ~ ., xor)
#' @export
population <- function(x, ...) UseMethod("population")

#' @rdname population
#' @export
population.formula <- function(formula, data, ..., probability = NULL) {
  if (missing(formula)) return(again_with(population.formula, match.call()))
  refuse_further_of(population_of, ...)
  probability <- given_as(substitute(probability), probability, data, parent.frame(), "probability")
  parts <- parts_of_formula(formula, data, c(probability = column_name(probability)))
  population_of(parts, column_of(data, probability, "probability"), ...)
}

#' @rdname population
#' @export
population.default <- function(x, y, ..., probability = NULL, mtry = 1, depth = NULL, impurity = NULL,
                               local = FALSE, samples = NULL, seed = 0, num.threads = NULL,
                               progress = NULL) {
  if ("formula" %in% ...names()) return(again_with(population.formula, match.call()))
  refuse_further(...)
  if (missing(x)) {
    refuse_setting("x is missing", "give the points of the distribution, or a formula", setting = "x")
  }
  if (missing(y)) refuse_setting("y is missing", "give the target, or a formula", setting = "y")
  given <- as.list(environment())
  own <- setdiff(names(formals(population.default)), c("x", "y", "..."))
  do.call(population_of, c(list(parts_of_columns(x, y)), given[own]))
}

population_of <- function(parts, probability = NULL, mtry = 1, depth = NULL, impurity = NULL,
                          local = FALSE, samples = NULL, seed = 0, num.threads = NULL,
                          progress = NULL) {
  numbers <- names(parts$x)[vapply(parts$x, is.numeric, NA)]
  notes <- c(if (is.null(impurity)) note_of_few_numbers(parts), note_of_categories(parts$x[numbers]))
  # Numbers are categories here, too.
  parts$x[] <- lapply(parts$x, function(column) if (is.numeric(column)) categories_of(column) else column)
  fit <- with_data(list(), parts, checked_weights(probability, nrow(parts$x), "probability"))
  asked <- list(mtry = whole("mtry", mtry, 1), depth = optional_whole("depth", depth, 1),
                impurity = if (!is.null(impurity)) word("impurity", impurity, c("entropy", "gini", "variance")),
                local = flag("local", local),
                samples = optional_whole("samples", samples, 1), seed = whole("seed", seed))
  found <- checked(.Call(wrap__importances_of_population, native_data(fit), asked,
                       work(num.threads, progress, "computing importances")))
  structure(as_frame(found$frame), class = c("wald_population", "data.frame"),
            document = found$document, notes = notes)
}

# What was taken for granted of a target of few whole numbers, which may be classes, and of inputs.
note_of_few_numbers <- function(parts) {
  y <- if (is.data.frame(parts$y)) parts$y[[1]] else parts$y
  if (!is.numeric(y)) return(NULL)
  different <- unique(unclass(y))
  if (anyNA(different) || any(different != floor(different)) || length(different) > 20) return(NULL)
  paste0("the target ", quoted(parts$target), " was taken as a number; if its values are classes, make it a factor")
}

note_of_categories <- function(numbers) {
  # Two numbers are two categories in any case.
  names <- names(numbers)[vapply(numbers, function(column) length(unique(column[!is.na(column)])) > 2, NA)]
  if (length(names) == 0) return(NULL)
  others <- if (length(names) > 1) paste(" and", counted(length(names) - 1, "other column"))
  paste0("every different number of ", quoted(names[1]), others, " is a category of its own")
}

#' @export
print.wald_population <- function(x, digits = 4, ...) {
  document <- attr(x, "document")
  cat("importances in a population, by ", document$impurity, "; all inputs together: ",
      format(document$total, digits = digits), "\n", sep = "")
  print_table(as.data.frame(unclass(x)), digits)
  print_notes(attr(x, "notes"))
  invisible(x)
}

# Different numbers as different levels, also those that differ beyond the 15 digits that R writes.
categories_of <- function(numbers) {
  different <- unique(numbers[!is.na(numbers)])
  names <- as.character(different)
  if (anyDuplicated(names) > 0) names <- sprintf("%.17g", different)
  factor(names[match(numbers, different)], names)
}
