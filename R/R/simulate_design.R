#' Draw rows of a simulation design of the papers
#'
#' Rows are drawn one after the other, so that a smaller sample is the beginning of a larger one with the
#' same seed; the numbers are those of `wald simulate` and of Python.
#'
#' @param design Name of a design; `designs()` lists them.
#' @param rows How many rows.
#' @param seed What the numbers follow from, a whole number.
#'
#' @return `simulate_design()` returns a data frame of inputs `x1`, `x2`, ... and the target `y`; its
#'   attribute `"truth"` holds the names of the inputs that the target depends on. `designs()` returns a
#'   data frame with `design`, `name`, `inputs`, `target`, `relevant` and `source`.
#'
#' @examples
#' head(simulate_design("friedman_1", 3), 3)
#' designs()[1:2, c("design", "name")]
#' @export
simulate_design <- function(design, rows = 1000, seed = 0) {
  if (missing(design)) {
    refuse_setting("design is missing", "give the name of one; designs() lists them", setting = "design")
  }
  asked <- list(design = text("design", design), rows = whole("rows", rows, least = 1),
                seed = whole("seed", seed))
  drawn <- checked(.Call(wrap__draw_design, asked, work(doing = "drawing rows")))
  readable <- function(cells) {
    if (!is.list(cells)) return(cells)
    structure(cells$codes, levels = cells$levels, class = "factor")
  }
  frame <- as_frame(stats::setNames(lapply(drawn$columns, readable), drawn$names))
  structure(frame, truth = drawn$names[drawn$relevant])
}

#' @rdname simulate_design
#' @export
designs <- function() {
  found <- rows_of(checked(.Call(wrap__list_designs)),
                   c("id", "name", "inputs", "target", "relevant", "source"))
  names(found)[1] <- "design"
  found
}
