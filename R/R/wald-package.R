#' Random forests and the importance of their variables
#'
#' [wald()] grows a forest, [as_wald()] takes one that another package has grown. [importance()]
#' measures its variables, [explain()] explains rows, [advise()] finds which measure answers which
#' question on the data, [uncertainty()] computes intervals and p-values, [select_variables()] finds
#' which variables to keep, and [report()] writes all of that as one page. [measures()] lists the
#' measures with their estimands, caveats and sources.
#'
#' @section Options:
#' * `wald.threads`: the number of threads where `num.threads` is not given; all processors by default.
#' * `wald.progress`: whether long work shows its progress; by default in interactive sessions.
#' * `wald.memory`: the bytes of memory that count as free; what the system reports by default.
#'
#' @section Errors:
#' Every error is a condition of class `wald_error`, with the fields `help` (how to mend it), `column`
#' and `setting` (what it is about, where that is known). Its further classes are `wald_data_error`,
#' `wald_setting_error`, `wald_measure_error`, `wald_forest_file_error`, `wald_too_large_error`,
#' `wald_file_error` and `wald_internal_error`.
#'
#' @docType package
#' @name wald-package
#' @useDynLib wald, .registration = TRUE
#' @useDynLib wald, wald_model_file
NULL
