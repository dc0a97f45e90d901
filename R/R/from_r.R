# Writes forests of other packages as wald-forest JSON: for as_wald(), and alone for the command line and
# Python. This file holds what all of them need, and one file for each package (from_ranger.R,
# from_randomforest.R, from_rfsrc.R, from_party.R, from_partykit.R) what is its own.
#
#   source("R/R/from_r.R")
#   source("R/R/from_ranger.R")
#   fit <- ranger::ranger(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_ranger(fit, data), "forest.json")
#   wald_table(data, "data.csv")
#
# Then `wald importance data.csv --target y --forest forest.json --measure mdi`. In a file, factors
# whose levels are numerals look like numbers: name them by `--categorical`.
# Base R suffices. Numbers are written with 17 digits: with 15, as write.csv and jsonlite give
# them, a value equal to a threshold may change sides.

wald_table <- function(data, path) {
  for (name in names(data)) {
    column <- data[[name]]
    if (is.double(column)) {
      data[[name]] <- ifelse(is.na(column), NA, sprintf("%.17g", column))
    } else if (is.factor(column) && anyNA(levels(column))) {
      # Missing values of such a factor are a category, by the name that the forest has for it.
      data[[name]] <- ifelse(is.na(as.character(column)), "<NA>", as.character(column))
    }
  }
  utils::write.csv(data, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
}

# Why a forest of conditional inference trees cannot be written, and what to do.
wald_refuse_targets <- function(package, n_targets, response, is_censored, is_ordered) {
  if (n_targets != 1) {
    stop(package, "'s forests of several targets are not supported; grow a forest of each of them")
  }
  if (is_censored) {
    stop(package, "'s survival forests are not supported; grow a forest of a number, or of the classes with ",
         "and without the event at a time")
  }
  if (is_ordered) {
    stop(package, "'s forests of an ordered target are not supported; make the target numbers by as.integer(), ",
         "or classes by factor(ordered = FALSE), and grow the forest again")
  }
  if (!(is.numeric(response) || is.factor(response) || is.character(response) || is.logical(response)) ||
      length(dim(response)) > 1) {
    stop(package, "'s forests of a target of class ", class(response)[1], " are not supported; grow one of a ",
         "number or a factor")
  }
}

# The levels that wald sees in a column of a table; NULL for numbers.
wald_levels <- function(column) {
  if (is.factor(column)) levels(column)
  else if (is.logical(column)) c("FALSE", "TRUE")
  else if (is.character(column)) sort(unique(column))
}

wald_tree <- function(feature, cut, left, right_child, of_levels, right, value, in_bag) {
  cut[of_levels] <- NA
  fields <- c(
    feature = wald_whole(feature),
    threshold = wald_numbers(cut),
    left = wald_whole(left),
    right = wald_whole(right_child),
    value = value,
    in_bag = wald_whole(in_bag))
  if (any(of_levels)) {
    split <- levels <- rep("null", length(feature))
    split[feature >= 0] <- '"le"'
    split[of_levels] <- '"levels_right"'
    levels[of_levels] <- vapply(right[of_levels], wald_numbers, "")
    fields <- c(fields, split = wald_list(split), levels = wald_list(levels))
  }
  wald_object(fields)
}

# `mtry` is the number of variables that were tried at a node, where it is known.
wald_document <- function(names, levels, classes, target, aggregation, trees, mtry = NULL) {
  fields <- c(
    format = '"wald-forest"',
    version = "1",
    task = if (is.null(classes)) '"regression"' else '"classification"',
    features = wald_strings(names),
    feature_levels = wald_list(vapply(levels, function(known) {
      if (is.null(known)) "null" else wald_strings(known)
    }, "")),
    classes = if (is.null(classes)) "null" else wald_strings(classes),
    aggregation = paste0('"', aggregation, '"'),
    trees = wald_list(unlist(trees)))
  if (!is.null(target) && length(target) == 1) {
    fields <- c(fields, target = substring(wald_strings(target), 2, nchar(wald_strings(target)) - 1))
  }
  # Some packages take any larger number for all variables.
  if (is.numeric(mtry) && length(mtry) == 1 && isTRUE(mtry >= 1)) {
    fields <- c(fields, mtry = as.character(as.integer(min(mtry, length(names)))))
  }
  wald_object(fields)
}

# Texts of forests are long: they are put together at once, and not copied for each bracket.
wald_list <- function(entries) {
  n <- length(entries)
  if (n == 0) return("[]")
  entries[1] <- paste0("[", entries[1])
  entries[n] <- paste0(entries[n], "]")
  paste(entries, collapse = ",")
}

wald_object <- function(fields) {
  before <- paste0(c("{", rep(",", length(fields) - 1)), '"', names(fields), '":')
  paste(c(rbind(before, fields), "}"), collapse = "")
}

# Forests have millions of numbers: all of a tree are written at once.
wald_numbers <- function(numbers) {
  if (length(numbers) == 0) return("[]")
  wald_list(wald_texts(as.numeric(numbers)))
}

# The same for whole numbers of a small range, each of which becomes a text once.
wald_whole <- function(numbers) {
  if (length(numbers) == 0 || anyNA(numbers) || any(numbers != floor(numbers))) return(wald_numbers(numbers))
  least <- min(numbers)
  if (max(numbers) - least > 1000 + length(numbers)) return(wald_numbers(numbers))
  wald_list(sprintf("%.17g", seq(least, max(numbers)))[numbers - least + 1])
}

# Every number as a text.
wald_texts <- function(numbers) {
  texts <- rep("null", length(numbers))
  known <- which(!is.na(numbers))
  texts[known] <- sprintf("%.17g", numbers[known])
  texts
}

wald_rows <- function(matrix) {
  if (nrow(matrix) == 0) return("[]")
  columns <- lapply(seq_len(ncol(matrix)), function(j) wald_texts(as.numeric(matrix[, j])))
  rows <- paste0("[", do.call(paste, c(columns, sep = ",")), "]")
  rows[rowSums(is.na(matrix)) > 0] <- "null"
  wald_list(rows)
}

wald_one_hot <- function(class, n_classes) {
  rows <- vapply(seq_len(n_classes), function(k) wald_numbers(as.numeric(seq_len(n_classes) == k)), "")
  rows <- rows[class]
  rows[is.na(class)] <- "null"
  wald_list(rows)
}

wald_strings <- function(strings) {
  # A level for missing values, as addNA() adds, by the name that R prints.
  strings <- ifelse(is.na(strings), "<NA>", as.character(strings))
  strings <- gsub('(["\\\\])', "\\\\\\1", enc2utf8(as.character(strings)))
  # JSON has no control characters, such as tabs in names, but their codes.
  for (code in which(vapply(1:31, function(code) any(grepl(intToUtf8(code), strings, fixed = TRUE)), NA))) {
    strings <- gsub(intToUtf8(code), sprintf("\\u%04x", code), strings, fixed = TRUE)
  }
  wald_list(paste0('"', strings, '"'))
}
