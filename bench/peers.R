# The programs from R that wald is compared with.
#
# `Rscript peers.R NAME TRAIN [TEST]` speaks the language that programs.py describes and reads
# the files that tables.py writes. ranger and randomForest count draws, as wald does. With
# `measure=1`, it answers with importances (measures.R) instead of sizes and errors.

arguments <- commandArgs(trailingOnly = TRUE)
name <- arguments[1]

# The last line that a program writes before it gives up is the reason.
give_up <- function(...) {
  message(...)
  quit(status = 1)
}

if (!requireNamespace(name, quietly = TRUE)) give_up("which is not installed")

read_table <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  header <- readBin(file, "integer", 3, 8)
  n_rows <- header[1]
  x <- matrix(0, n_rows, header[2], dimnames = list(NULL, paste0("x", seq_len(header[2]))))
  for (j in seq_len(header[2])) x[, j] <- readBin(file, "double", n_rows)
  y <- readBin(file, "double", n_rows)
  n_levels <- readBin(file, "integer", header[2], 8)
  if (any(n_levels > 0)) x <- with_categories(x, n_levels)
  list(x = x, y = if (header[3] > 0) factor(y, seq_len(header[3]) - 1) else y)
}

# ranger takes no missing values: numbers get the median, and categories a level of their own.
with_categories <- function(x, n_levels) {
  as.data.frame(Map(function(column, n) {
    lost <- is.na(column)
    if (n > 0) return(factor(ifelse(lost, n, column), 0:n))
    replace(column, lost, median(column, na.rm = TRUE))
  }, as.data.frame(x), n_levels))
}

grow_ranger <- function(table, settings, ...) {
  if (settings$`min-leaf-size` > 1) give_up("which has no least size of leaves")
  ranger::ranger(
    x = table$x, y = table$y, num.trees = settings$trees, mtry = settings$mtry,
    min.node.size = settings$`min-node-size`, num.threads = settings$threads,
    seed = settings$seed + 1, oob.error = !is.null(settings$measure), verbose = FALSE,
    respect.unordered.factors = if (is.matrix(table$x)) "ignore" else "order", ...
  )
}

grow_randomForest <- function(table, settings, ...) {
  if (settings$`min-leaf-size` > 1) give_up("which has no least size of leaves")
  if (settings$threads > 1) give_up("which has one thread only")
  set.seed(settings$seed)
  randomForest::randomForest(
    table$x, table$y, ntree = settings$trees, mtry = settings$mtry,
    nodesize = settings$`min-node-size`, ...
  )
}

leaves <- function(forest) {
  if (name == "ranger") {
    mean(sapply(forest$forest$child.nodeIDs, function(children) sum(children[[1]] == 0)))
  } else {
    (mean(forest$forest$ndbigtree) + 1) / 2
  }
}

predicted <- function(forest, x) {
  if (name == "ranger") predict(forest, x, num.threads = 1)$predictions else predict(forest, x)
}

# The most memory this process has held so far, in bytes.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) return("null")
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  format(1024 * as.numeric(gsub("[^0-9]", "", line)), scientific = FALSE)
}

answer <- function(settings) {
  before <- peak_memory()
  start <- proc.time()
  forest <- get(paste0("grow_", name))(train, settings)
  seconds <- proc.time() - start
  after <- peak_memory()
  error <- "null"
  if (length(arguments) > 2) {
    test <- read_table(arguments[3])
    wrong <- predicted(forest, test$x)
    loss <- if (is.factor(test$y)) wrong != test$y else (wrong - test$y)^2
    error <- format(mean(loss), digits = 15)
  }
  cat(sprintf(
    '{"seconds": [%.3f, %.3f], "memory": [%s, %s], "leaves": %.3f, "test_error": %s}\n',
    seconds[["elapsed"]], seconds[["user.self"]] + seconds[["sys.self"]],
    before, after, leaves(forest), error
  ))
}

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "measures.R"))
train <- read_table(arguments[2])
commands <- file("stdin", "r")
while (length(line <- readLines(commands, 1)) > 0) {
  words <- strsplit(strsplit(line, " ")[[1]], "=")
  settings <- setNames(lapply(words, function(word) as.numeric(word[2])), sapply(words, `[`, 1))
  if (is.null(settings$measure)) answer(settings) else answer_measure(settings)
}
