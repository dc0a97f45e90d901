# Parts of tables that print themselves.

# Columns without which a table of a class cannot be printed or drawn.
needed_columns <- list(
  wald_importance = c("measure", "variable", "value"),
  wald_uncertainty = c("measure", "variable", "value", "lowest_rank"),
  wald_comparison = c("measure", "variable", "difference", "low", "high", "p_value"),
  wald_interactions = c("interaction", "stability"),
  wald_population = c("variable", "importance"),
  wald_surrogate = c("measure", "direct", "two_step"),
  wald_proximities = c("row", "training_row", "weight"),
  wald_conditional = c("variable", "value", "low", "high"),
  wald_masking = c("mtry", "variable", "value"),
  wald_prototypes = c("class", "row", "neighbours", "variable"),
  wald_curves = c("variable", "at", "value"))

# Columns that tell lines apart, where a table has them: without one, lines of several rows or classes would
# be taken for those of one.
telling_apart <- list(wald_curves = c("row", "class"))

# A part with the columns that are needed keeps its class and what else was found; another one is a plain
# data frame. A single column may be a vector, as of any data frame.
part_of_table <- function(part, whole) {
  if (!is.data.frame(part)) return(part)
  class <- class(whole)[1]
  needed <- c(needed_columns[[class]], intersect(telling_apart[[class]], names(whole)))
  if (!all(needed %in% names(part))) {
    class(part) <- "data.frame"
    return(part)
  }
  for (name in setdiff(names(attributes(whole)), c("names", "row.names", "class"))) {
    attr(part, name) <- attr(whole, name)
  }
  part
}

#' @export
`[.wald_importance` <- function(x, ...) part_of_table(NextMethod(), x)

# Importances of several calls, whose measures keep what was found. Two forests by the same measure would print as
# one, and are a plain data frame.
#' @export
rbind.wald_importance <- function(...) {
  parts <- list(...)
  # What else rbind() takes, such as make.row.names.
  is_table <- vapply(parts, is.data.frame, NA)
  plain <- do.call(rbind, c(lapply(parts[is_table], as.data.frame), parts[!is_table]))
  parts <- parts[is_table]
  found <- do.call(c, lapply(parts, attr, "found"))
  if (anyDuplicated(names(found)) || !all(vapply(parts, inherits, NA, "wald_importance"))) return(plain)
  structure(plain, class = c("wald_importance", "data.frame"), found = found)
}

#' @export
`[.wald_uncertainty` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_comparison` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_interactions` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_population` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_surrogate` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_proximities` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_conditional` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_masking` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_prototypes` <- function(x, ...) part_of_table(NextMethod(), x)

#' @export
`[.wald_curves` <- function(x, ...) part_of_table(NextMethod(), x)
