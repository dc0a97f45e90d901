#' Store a forest in a file, and read one
#'
#' The model file is that of the command line and of Python. It holds the forest without its training
#' data; `saveRDS()` stores both.
#'
#' @param x A forest; of `read_wald()` the inputs on which it was grown, without which it only predicts.
#' @param path The file.
#' @param format `"model"`, or `"json"` for wald-forest JSON, which any program can read.
#' @param force Whether to replace a file that exists.
#' @param y,weights,cluster The target of the inputs, and the weights and clusters of rows, as of
#'   [wald()].
#'
#' @return `write_wald()` returns the path, invisibly; `read_wald()` a forest.
#'
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 20, num.threads = 2)
#' path <- write_wald(fit, tempfile(fileext = ".wald"))
#' again <- read_wald(path, mtcars[-1], mtcars$mpg)
#' identical(importance(again, "mdi"), importance(fit, "mdi"))
#' @export
write_wald <- function(x, path, format = c("model", "json"), force = FALSE) {
  if (!inherits(x, "wald")) refuse_setting(paste("x is", shown(x)), "give a forest of wald()")
  if (missing(path)) refuse_setting("path is missing", "give the file to write", setting = "path")
  format <- chosen("format", format, c("model", "json"))
  path <- writable(path, force)
  bytes <- if (format == "model") x$model
    else checked(.Call(wrap__forest_bytes, native_forest(x), TRUE))
  write_whole(bytes, path)
  invisible(path)
}

#' @rdname write_wald
#' @export
read_wald <- function(path, x = NULL, y = NULL, weights = NULL, cluster = NULL) {
  if (missing(path)) refuse_setting("path is missing", "give the file to read", setting = "path")
  path <- text("path", path)
  if (!file.exists(path) || dir.exists(path)) {
    refuse("file_error", paste("there is no file", quoted(path)), "give the path of one")
  }
  bytes <- readBin(path, "raw", file.size(path))
  if (is.null(x) != is.null(y)) refuse_setting("x and y belong together", "give both or none")
  forest_of_bytes(bytes, x, y, weights, cluster)
}

# A forest of a model file or of JSON, with its training data where they are given.
forest_of_bytes <- function(bytes, x, y, weights = NULL, cluster = NULL, program = "wald",
                            target = NULL) {
  fit <- list(program = program)
  outline <- try_outline(bytes, is.null(x))
  if (is.null(x)) {
    fit$native <- new.env(parent = emptyenv())
  } else {
    if (!is.null(outline) && nzchar(outline$target)) target <- outline$target
    x <- as_columns(x)
    if (!is.null(outline)) x <- x[intersect(outline$features, names(x))]
    if (is.null(target)) target <- free_name(names(x))
    fit <- with_data(fit, list(target = target, y = y, x = x), weights, cluster)
  }
  fit$model <- bytes
  native <- native_forest(fit)
  known <- checked(.Call(wrap__describe_forest, native))
  fit$settings <- settings_of_model(known$config)
  fit <- complete_without_data(fit, known)
  # The engine's columns are in the order of the file, which need not be that of the data.
  if (fit$task == "classification") fit$classes <- unlist(known$classes)
  # Only wald's own file is kept: it has the values of nodes that another one may lack.
  fit$model <- model_file(native)
  if (!is.null(x) && known$has_bags) fit <- with_out_of_bag(fit, out_of_bag(fit))
  finished(fit)
}

# What a file names; NULL where it can only be read with the data.
try_outline <- function(bytes, is_needed) {
  found <- .Call(wrap__read_forest, bytes, NULL, work())
  if (!inherits(found, "wald_failure")) return(checked(.Call(wrap__describe_forest, found)))
  if (is_needed) raise(found)
}

# The settings by which wald grew the forest of a model file; NULL where another program grew it.
settings_of_model <- function(config) {
  if (is.null(config)) return(NULL)
  names(config)[names(config) == "n_trees"] <- "trees"
  config[!vapply(config, is.null, NA)]
}

complete_without_data <- function(fit, known) {
  if (!is.null(fit$x)) return(fit)
  fit$target <- known$target
  fit$levels <- known$levels
  fit$classes <- known$classes
  fit$task <- if (is.null(known$classes)) "regression" else "classification"
  fit
}

out_of_bag <- function(fit) {
  checked(.Call(wrap__out_of_bag, native_forest(fit), native_data(fit), work()))
}

# A path where a file may be written.
writable <- function(path, force) {
  path <- path.expand(text("path", path))
  if (dir.exists(path)) {
    refuse("file_error", paste(quoted(path), "is a folder"), "name a file in it")
  }
  if (file.exists(path) && !flag("force", force)) {
    refuse("file_error", paste(quoted(path), "exists already"), "give force = TRUE to replace it")
  }
  if (!dir.exists(dirname(path))) {
    refuse("file_error", paste("the folder of", quoted(path), "does not exist"), "make it first")
  }
  path
}

# Writes a file as a whole or not at all.
write_whole <- function(bytes, path) {
  temporary <- tempfile("wald", tmpdir = dirname(path))
  on.exit(unlink(temporary))
  written <- tryCatch({
    writeBin(bytes, temporary)
    file.rename(temporary, path)
  }, error = function(error) FALSE, warning = function(warning) FALSE)
  if (!written) {
    refuse("file_error", paste(quoted(path), "cannot be written"),
           "name a file in a folder where you may write")
  }
}
