#' Write a report as one HTML page
#'
#' The page holds the answer in sentences, rankings by several measures, where and why they disagree,
#' advice, explained rows and checks; it needs no network and no other file.
#'
#' @param x A forest.
#' @param path The file to write.
#' @param measures Names of global measures; those that lead unless given.
#' @param groups,test,seed,... As of [importance()].
#' @param quick Whether no forest is grown again for it.
#' @param decimal.mark The sign before the decimals of numbers on the page, `"."` or `","`; as R prints
#'   them unless given.
#' @param source What the page calls the data.
#' @param force Whether to replace a file that exists.
#' @param num.threads,progress As of [wald()].
#'
#' @return Invisibly, a `wald_importance` of what was measured, with the attributes `"path"`,
#'   `"answer"` (what matters) and `"left_out"` (why measures were left out).
#'
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 50, num.threads = 2)
#' path <- report(fit, tempfile(fileext = ".html"), quick = TRUE, num.threads = 2)
#' @export
report <- function(x, ...) UseMethod("report")

#' @export
report.default <- function(x, ...) refuse_other_than_forest(x)

#' @rdname report
#' @export
report.wald <- function(x, path = "report.html", measures = NULL, groups = NULL, test = NULL,
                        quick = FALSE, source = "data frame", decimal.mark = getOption("OutDec"),
                        force = FALSE, ..., seed = NULL, num.threads = NULL, progress = NULL) {
  path <- writable(path, force)
  asked <- list(
    measures = if (!is.null(measures)) texts("measures", measures),
    settings = measure_settings(x, list(...), test, seed), groups = checked_groups(groups),
    test = if (is.null(test)) NULL else TRUE, quick = flag("quick", quick),
    commas = word("decimal.mark", decimal.mark, c(".", ",")) == ",",
    source = text("source", source), command = paste(deparse(caller()), collapse = " "))
  found <- checked(.Call(wrap__report_forest, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, "measuring")))
  write_whole(charToRaw(enc2utf8(found$html)), path)
  for (note in unlist(found$left_out)) warning(note, call. = FALSE)
  importance <- as_importance(found$importances)
  attr(importance, "path") <- path
  attr(importance, "answer") <- found$answer
  attr(importance, "left_out") <- unlist(found$left_out)
  invisible(importance)
}
