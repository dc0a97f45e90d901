# Growing and measuring in R, beside ranger in the same run, and what R adds to the engine.
#
#   Rscript bench/r.R [ROWS] [RUNS]      (with wald built for speed: R CMD INSTALL R)
#
# Processor time of user and system, of interleaved runs; the smallest of each. With WALD naming the
# command line, also its own time for the same forest on the same table.

suppressMessages({
  library(wald)
  library(ranger)
})

given <- as.integer(commandArgs(TRUE))
n <- if (length(given) > 0) given[1] else 5000L
runs <- if (length(given) > 1) given[2] else 5L
data <- simulate_design("friedman_1", n, seed = 1)
trees <- 500

spent <- function(expression) {
  gc()
  before <- proc.time()
  force(expression)
  sum((proc.time() - before)[c(1, 2, 4, 5)], na.rm = TRUE)
}

grown <- wald(y ~ ., data, num.trees = trees, num.threads = 2)
tasks <- list(
  "wald: grow" = function() wald(y ~ ., data, num.trees = trees, num.threads = 2),
  "ranger: grow" = function() ranger(y ~ ., data, num.trees = trees, num.threads = 2),
  "wald: grow, mdi, permutation" = function() {
    importance(wald(y ~ ., data, num.trees = trees, num.threads = 2), c("mdi", "mda_breiman_cutler"),
               num.threads = 2)
  },
  "ranger: grow, permutation" = function() {
    ranger(y ~ ., data, num.trees = trees, num.threads = 2, importance = "permutation")
  },
  "wald: predict" = function() predict(grown, data, num.threads = 2))

program <- Sys.getenv("WALD")
if (nzchar(program)) {
  table <- tempfile(fileext = ".csv")
  utils::write.csv(data, table, row.names = FALSE)
  tasks[["command line: read, grow, write"]] <- function() {
    system2(program, c("fit", table, "--target", "y", "--trees", trees, "--threads", "2", "--quiet",
                       "--force", "--output", tempfile()))
  }
}

times <- sapply(seq_len(runs), function(run) vapply(tasks, function(task) spent(task()), 0))
seconds <- apply(times, 1, min)
cat(n, "rows, 10 variables,", trees, "trees,", runs, "runs\n")
print(round(data.frame(seconds), 2))
cat("growing, wald / ranger:", round(seconds[[1]] / seconds[[2]], 2), "\n")
cat("growing and measuring, wald / ranger:", round(seconds[[3]] / seconds[[4]], 2), "\n")
