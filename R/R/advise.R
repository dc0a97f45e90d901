#' Which measure answers which question on these data
#'
#' Tests whether variables depend on each other and whether effects add up, and what else makes
#' importances mislead; what follows for measures is Table 2 of Benard, Da Veiga & Scornet (2022).
#'
#' @param x A forest.
#' @param groups As of [importance()].
#' @param level Level of the tests.
#' @param seed Seed of what is drawn for comparison.
#' @param num.threads,progress As of [wald()].
#' @param ... Not used.
#'
#' @return A list of class `wald_advice` that prints: `summary` (sentences), `recommended` (measures by
#'   objective), and the data frames `findings` (what was looked for), `further` (questions that other
#'   procedures answer, with their commands) and `verdicts` (whether each measure serves which
#'   objective, and why).
#'
#' @examples
#' fit <- wald(y ~ ., simulate_design("friedman_1", 200), num.trees = 50, num.threads = 2)
#' advise(fit, num.threads = 2)
#' @export
advise <- function(x, ...) UseMethod("advise")

#' @export
advise.default <- function(x, ...) refuse_other_than_forest(x)

#' @rdname advise
#' @export
advise.wald <- function(x, groups = NULL, level = 0.05, seed = 0, ..., num.threads = NULL,
                        progress = NULL) {
  refuse_further(...)
  asked <- list(groups = checked_groups(groups), level = probability("level", level),
                seed = whole("seed", seed))
  found <- checked(.Call(wrap__advise_on, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, "testing")))
  objectives <- found$objectives
  recommended <- lapply(objectives, function(one) one$recommended)
  names(recommended) <- vapply(objectives, function(one) one$id, "")
  of_finding <- c("id", "name", "concern", "sentence", "consequence", "source")
  structure(class = "wald_advice", list(
    summary = unlist(found$summary), recommended = recommended,
    findings = rows_of(found$findings, of_finding),
    further = rows_of(found$further, c("id", "question", "answer", "command")),
    verdicts = do.call(rbind, lapply(objectives, verdicts_of)), objectives = objectives))
}

verdicts_of <- function(objective) {
  fields <- c("measure", "name", "validity", "reason", "source")
  cbind(objective = rep(objective$id, length(objective$verdicts)),
        rows_of(objective$verdicts, fields))
}

# A data frame of texts of a list of lists.
rows_of <- function(list, fields) {
  columns <- lapply(fields, function(field) {
    vapply(list, function(one) if (is.null(one[[field]])) NA_character_ else as.character(one[[field]]),
           "")
  })
  as.data.frame(stats::setNames(columns, fields))
}

#' @export
print.wald_advice <- function(x, ...) {
  wrap <- function(text, ...) cat(strwrap(text, ...), sep = "\n")
  for (sentence in x$summary) wrap(sentence)
  cat("\n")
  for (one in x$objectives) {
    measure <- if (is.null(one$recommended)) "no measure" else one$recommended
    wrap(paste0(one$question, ": ", measure))
    wrap(one$reason, indent = 2, exdent = 2)
  }
  found <- x$findings[x$findings$concern %in% c("minor", "serious"), ]
  if (nrow(found) > 0) cat("\nfound:\n")
  for (sentence in found$sentence) wrap(paste("-", sentence), exdent = 2)
  invisible(x)
}
