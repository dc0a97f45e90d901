# Columns of R as the engine reads them: doubles, or levels and codes.

# A column by its name. `known` are levels that it may have, where a forest has seen others: they
# decide the codes, and `unseen` what becomes of further ones.
engine_column <- function(column, name) {
  refuse_column(column, name)
  if (is.factor(column)) return(level_column(levels(column), as.integer(column)))
  if (is.character(column)) {
    levels <- unique(column[!is.na(column)])
    return(level_column(levels, match(column, levels)))
  }
  # A column that is missing throughout is logical in R, and no more.
  if (is.logical(column) && !all(is.na(column))) {
    return(level_column(c("FALSE", "TRUE"), as.integer(column) + 1L))
  }
  if (inherits(column, "integer64")) return(integer64_column(column, name))
  # Classes such as haven_labelled have conversions of their own, which need their packages.
  as.double(unclass(column))
}

# Refuses columns that are neither numbers nor categories.
refuse_column <- function(column, name) {
  is_time <- inherits(column, c("Date", "POSIXt", "difftime", "chron", "yearmon", "yearqtr"))
  refusal <- function(what, help) {
    refuse_data(paste0("column ", quoted(name), " ", what), help, column = name)
  }
  if (is_time) {
    refusal(paste0("is of class ", class(column)[1]), paste0(
      "make it numbers, for example as.numeric(", deparse1(as.name(name), backtick = TRUE),
      "), or parts such as month and weekday"))
  }
  if (is.data.frame(column) || (length(dim(column)) > 1 && ncol(column) != 1)) {
    refusal(if (ncol(column) == 1) "is a data frame" else paste("holds", ncol(column), "columns"),
            "make each of them a column of its own, for example by do.call(data.frame, data)")
  }
  if (is.list(column)) {
    refusal("is a list", "give one number or text for each row, for example by unlist() or sapply()")
  }
  if (is.complex(column)) refusal("holds complex numbers", "give Re() and Im() as columns")
  if (!(is.numeric(column) || is.character(column) || is.logical(column) || is.factor(column) ||
        inherits(column, "integer64"))) {
    refusal(paste0("is of class ", class(column)[1]), "give numbers, texts, a factor or logicals")
  }
}

# The level for missing values that addNA() adds, by the name that R prints, so that "NA" may be another one.
missing_level <- "<NA>"

# Levels in the order of a column that is read from a file, without those that no row has: forests do
# not depend on the order of a factor's levels.
level_column <- function(levels, codes) {
  levels <- enc2utf8(levels)
  if (anyNA(levels)) {
    levels[is.na(levels)] <- missing_level
    codes <- match(levels, levels)[codes]
    # Where missing values have a level, all of them do.
    codes[is.na(codes)] <- match(missing_level, levels)
  }
  present <- which(tabulate(codes, length(levels)) > 0)
  # As files are read: as.numeric() reads hexadecimal numbers and blanks as well.
  are_numbers <- all(grepl("^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$", levels[present]))
  order <- if (are_numbers) order(as.numeric(levels[present]), levels[present], method = "radix")
    else order(levels[present], method = "radix")
  kept <- present[order]
  list(levels = levels[kept], codes = match(codes, kept))
}

integer64_column <- function(column, name) {
  if (!requireNamespace("bit64", quietly = TRUE)) {
    refuse_data(paste0("column ", quoted(name), " is of class integer64, which package bit64 reads"),
                "install bit64, or make the column a double before", column = name)
  }
  too_large <- !is.na(column) & abs(column) > bit64::as.integer64(2^53)
  if (any(too_large)) {
    refuse_data(paste0("column ", quoted(name), " has integers above 2^53, which doubles do not hold"),
                "make it a factor if it names things, or subtract a constant", column = name)
  }
  as.double(column)
}

# All columns of a data frame or matrix, by name.
engine_columns <- function(frame) {
  names <- names(frame)
  columns <- lapply(seq_along(names), function(at) engine_column(frame[[at]], names[at]))
  stats::setNames(columns, enc2utf8(names))
}

# A table of any kind as a plain list of columns with names, and with the names of rows. Where it is known which
# columns are `needed`, others are left out if they have no name, or one that was there before.
as_columns <- function(x, what = "x", needed = NULL) {
  if (is.matrix(x)) {
    if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
    x <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (inherits(x, "dgCMatrix")) {
    refuse_data(paste0(what, " is a sparse matrix"), "give as.matrix() of it")
  }
  if (!is.data.frame(x)) {
    refuse_data(paste0(what, " is ", shown(x)), "give a data frame or a matrix")
  }
  names <- names(x)
  kept <- if (is.null(needed)) seq_along(names)
    else which(names %in% needed | !(duplicated(names) | is.na(names) | !nzchar(names)))
  names <- names[kept]
  if (anyDuplicated(names[nzchar(names)])) {
    name <- names[nzchar(names)]
    name <- name[anyDuplicated(name)]
    refuse_data(paste0(what, " has two columns ", quoted(name)), "give every column its own name",
                column = name)
  }
  unnamed <- which(is.na(names) | !nzchar(names))
  if (length(unnamed) > 0) {
    refuse_data(paste0("column ", unnamed[1], " of ", what, " has no name"),
                "give every column a name, for example by names()")
  }
  columns <- stats::setNames(lapply(kept, function(at) x[[at]]), names)
  structure(columns, class = "data.frame",
            row.names = if (has_row_names(x)) attr(x, "row.names") else .set_row_names(nrow(x)))
}

# Whether rows have other names than their numbers; tibbles have none.
has_row_names <- function(table) {
  .row_names_info(table) > 0 && !identical(attr(table, "row.names"), seq_len(nrow(table)))
}

# What a forest knows of its columns: levels, or NULL for numbers.
levels_of <- function(columns) {
  lapply(columns, function(column) if (is.list(column)) column$levels)
}

# Columns of new rows as a forest expects them. Further columns are left out; levels that the forest
# has not seen are refused, or follow missing values to the heavier child where `new.levels` is "majority";
# NULL is for functions without that choice. `least` is the smallest number of rows.
new_columns <- function(fit, newdata, new.levels = NULL, what = "newdata", least = 1) {
  expected <- fit$levels
  derived <- fit$derived[names(fit$derived) %in% names(expected)]
  newdata <- with_derived(as_columns(newdata, what, names_needed(names(expected), derived)), derived, fit$environment)
  if (nrow(newdata) < least) refuse_data(paste(what, "has no rows"), "give at least one row")
  missing <- setdiff(names(expected), names(newdata))
  if (length(missing) > 0) {
    refuse_data(paste0(what, " has no column ", quoted(missing[1])),
                did_you_mean(missing[1], setdiff(names(newdata), names(expected)),
                             "give all columns of the training data"),
                column = missing[1])
  }
  columns <- engine_columns(newdata[names(expected)])
  for (name in names(expected)) {
    gaps <- has_gaps_beside_level(fit$x[[name]], expected[[name]], name)
    columns[[name]] <- as_known(columns[[name]], newdata[[name]], expected[[name]], name, new.levels, gaps)
  }
  columns
}

# Names of columns that are read, and of those of which others are computed.
names_needed <- function(names, derived) c(names, unlist(lapply(derived, all.vars)))

as_known <- function(cells, column, levels, name, new.levels, gaps) {
  if (is.null(levels)) {
    if (is.list(cells)) {
      refuse_data(paste0("column ", quoted(name), " is of class ", class(column)[1],
                         "; in training it held numbers"), "give numbers", column = name)
    }
    return(cells)
  }
  if (!is.list(cells)) {
    # A column that is missing throughout has no levels.
    if (all(is.na(cells))) {
      return(coded_as_known(list(levels = character(), codes = rep(NA_integer_, length(cells))), levels, gaps))
    }
    refuse_data(paste0("column ", quoted(name), " holds numbers; in training it had levels"),
                paste0("give a factor or texts with the levels ", quoted(utils::head(levels, 5))),
                column = name)
  }
  cells <- coded_as_known(cells, levels, gaps)
  unseen <- setdiff(cells$levels, levels)
  if (length(unseen) > 0 && !identical(new.levels, "majority")) {
    # Only predict() has a choice.
    otherwise <- if (is.null(new.levels)) ", or leave its rows out"
      else ", or let new.levels be \"majority\", so that it follows most rows"
    refuse_data(
      paste0("column ", quoted(name), " has the level ", quoted(unseen[1]),
             ", which was not there in training"),
      paste0("give ", if (length(levels) > 0) paste("one of", quoted(utils::head(levels, 10)))
             else "missing values, as in training", otherwise), column = name)
  }
  cells
}

# Cells with missing values coded as in training, whichever way the new rows have them: by the level for missing
# values, or by none, unless that level is a text of its own.
coded_as_known <- function(cells, levels, gaps) {
  if (gaps) return(cells)
  is_missing <- is.na(cells$codes) | cells$levels[cells$codes] == missing_level
  kept <- setdiff(cells$levels, missing_level)
  codes <- match(cells$levels[cells$codes], kept)
  if (missing_level %in% levels && any(is_missing)) {
    kept <- c(kept, missing_level)
    codes[is_missing] <- length(kept)
  }
  list(levels = kept, codes = codes)
}

# Whether a column of training has missing values beside the text that is the name of their level.
has_gaps_beside_level <- function(column, levels, name) {
  if (is.null(column) || !missing_level %in% levels) return(FALSE)
  anyNA(engine_columns(stats::setNames(list(column), name))[[1]]$codes)
}
