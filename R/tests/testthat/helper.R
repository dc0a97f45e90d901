options(wald.threads = 2, wald.progress = FALSE)

# Rows with numbers, a factor, a logical and missing values.
cells <- local({
  data <- simulate_design("friedman_1", 60, seed = 3)[c("x1", "x2", "x4", "y")]
  data$kind <- factor(c("b", "a", "c")[1 + seq_len(60) %% 3], levels = c("c", "a", "b"))
  data$large <- data$x2 > 0.5
  data$x1[c(5, 17)] <- NA
  data
})

# The program of the command line, whose numbers must be those of the package: that of the variable
# WALD.
program <- function() {
  path <- Sys.getenv("WALD")
  skip_if(!nzchar(path), "the variable WALD does not name the command line")
  path
}

# A table as a file that reads back to the same bits.
as_csv <- function(data) {
  path <- tempfile(fileext = ".csv")
  for (name in names(data)) {
    if (is.double(data[[name]])) {
      data[[name]] <- ifelse(is.na(data[[name]]), NA, sprintf("%.17g", data[[name]]))
    }
  }
  utils::write.csv(data, path, row.names = FALSE, na = "", quote = FALSE)
  path
}

# The lines of a CSV file that the command line writes.
run <- function(...) {
  output <- tempfile(fileext = ".csv")
  arguments <- c(..., "--format", "csv", "--output", output, "--quiet")
  status <- system2(program(), shQuote(arguments), stdout = FALSE, stderr = FALSE)
  stopifnot(status == 0)
  utils::read.csv(output, colClasses = NA, stringsAsFactors = FALSE)
}

# A table of the package that has the columns of the command line, to the last bit.
expect_same_numbers <- function(ours, theirs) {
  expect_identical(names(ours), names(theirs))
  for (column in names(theirs)) {
    same <- if (is.character(ours[[column]])) as.character else as.double
    expect_identical(same(ours[[column]]), same(theirs[[column]]))
  }
}

# An error of the class, whose message names all that is given.
expect_refusal <- function(object, ..., class = "wald_error") {
  error <- expect_error(object, class = class)
  for (words in c(...)) expect_match(conditionMessage(error), words, fixed = TRUE)
  expect_true(nzchar(error$help))
  invisible(error)
}
