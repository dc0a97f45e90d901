# Checks of arguments.

shown <- function(value) {
  if (is.character(value) && length(value) == 1) return(quoted(value))
  if (is.atomic(value) && length(value) == 1) return(format(value))
  if (is.null(value)) return("NULL")
  class <- class(value)[1]
  paste0(if (grepl("^[aeiou]", class)) "an " else "a ", class, " of length ", length(value))
}

# A number of things, with their plural.
counted <- function(n, thing) paste0(n, " ", thing, if (n != 1) "s")

whole <- function(name, value, least = 0, most = 2^53) {
  is_whole <- is.numeric(value) && length(value) == 1 && !is.na(value) && value == floor(value)
  if (is_whole && value >= least && value <= most) return(as.double(value))
  refuse_setting(paste0(name, " is ", shown(value)),
                 if (most < 2^53 || (is_whole && value > most)) {
                   paste0("give a whole number from ", least, " to ", format(most, digits = 16))
                 } else paste0("give a whole number of at least ", least), setting = name)
}

# A whole number, unless none is given.
optional_whole <- function(name, value, ...) if (!is.null(value)) whole(name, value, ...)

# A number in a range, to which the bounds `least` and `most` belong, and `above` and `below` do not.
number <- function(name, value, least = -Inf, most = Inf, above = -Inf, below = Inf) {
  is_number <- is.numeric(value) && length(value) == 1 && !is.na(value)
  if (is_number && value >= least && value <= most && (value > above || above == -Inf) &&
      (value < below || below == Inf)) {
    return(as.double(value))
  }
  bounds <- c(if (least > -Inf) paste("at least", least), if (above > -Inf) paste("above", above),
              if (most < Inf) paste("at most", most), if (below < Inf) paste("below", below))
  help <- paste(c("give a number", if (length(bounds) > 0) paste(bounds, collapse = " and ")), collapse = " ")
  refuse_setting(paste0(name, " is ", shown(value)), help, setting = name)
}

optional_number <- function(name, value, ...) if (!is.null(value)) number(name, value, ...)

# The probability with which intervals cover.
probability <- function(name, value) number(name, value, above = 0, below = 1)

# One of several words.
word <- function(name, value, known) {
  if (is.character(value) && length(value) == 1 && value %in% known) return(value)
  refuse_setting(paste0(name, " is ", shown(value)), paste("give one of", quoted(known)), setting = name)
}

# How p-values are corrected, where several variables are tested.
correction <- function(value) word("multiple_testing", value, c("holm", "benjamini_hochberg", "none"))

flag <- function(name, value) {
  if (is.logical(value) && length(value) == 1 && !is.na(value)) return(value)
  refuse_setting(paste0(name, " is ", shown(value)), "give TRUE or FALSE", setting = name)
}

text <- function(name, value) {
  if (is.character(value) && length(value) == 1 && !is.na(value)) return(enc2utf8(value))
  refuse_setting(paste0(name, " is ", shown(value)), "give a text", setting = name)
}

texts <- function(name, value) {
  if (is.character(value) && length(value) > 0 && !anyNA(value)) return(enc2utf8(value))
  refuse_setting(paste0(name, " is ", shown(value)), "give texts", setting = name)
}

# Groups of columns: a list with names, each entry names of columns.
checked_groups <- function(groups) {
  if (is.null(groups)) return(NULL)
  names <- names(groups)
  is_list <- is.list(groups) && length(groups) > 0 && !is.null(names) && all(nzchar(names))
  if (!is_list || !all(vapply(groups, is.character, NA)) || anyNA(unlist(groups))) {
    refuse_setting(paste0("groups is ", shown(groups), ", not names of columns by the names of groups"),
                   "give a list such as list(size = c(\"height\", \"weight\"))", setting = "groups")
  }
  lapply(groups, enc2utf8)
}

# Arguments of randomForest::importance() that are none here, and what to do instead.
elsewhere_in_importance <- c(
  type = paste("give measure: \"mda_breiman_cutler\" for type 1 (of classes with loss = \"zero_one\"), \"mdi\" for",
               "type 2"),
  scale = "leave it out: standard errors stand beside the values, which are not divided by them")

# Measures for functions that have no rows that the forest never saw.
checked_measures <- function(measure) {
  measure <- unique(texts("measure", measure))
  for (one in facts()$importance) {
    if (one$id %in% measure && "test_rows" %in% unlist(one$needs)) {
      refuse("measure_error", paste0("measure `", one$id, "` needs rows that the forest never saw, which ",
                                     "importance() and report() take as test"),
             "use mda_breiman_cutler, which uses out-of-bag rows", setting = "measure")
    }
  }
  measure
}

# Settings of global measures, with the background as the engine reads it.
settings_of_measures <- function(fit, settings, own = character()) {
  settings <- checked_settings(settings, "importance", own)
  if ("test" %in% names(settings)) {
    refuse_setting("rows that the forest never saw are given as test, which only importance() and report() have",
                   "leave it out", setting = "test")
  }
  if (!is.null(settings[["background"]])) {
    settings[["background"]] <- new_columns(fit, settings[["background"]], what = "background")
  }
  settings
}

# Settings of measures in `...`; the engine checks their values.
checked_settings <- function(settings, which, own = character()) {
  if (!is.list(settings)) {
    refuse_setting(paste("settings is", shown(settings)), "give a list such as list(loss = \"absolute\")",
                   setting = "settings")
  }
  if (length(settings) == 0) return(stats::setNames(list(), character()))
  known <- c(vapply(facts()[[paste0(which, "_options")]], function(option) option$id, ""), "seed")
  names <- names(settings)
  if (is.null(names) || !all(nzchar(names))) {
    refuse_setting("an argument has no name", "give settings of measures by name")
  }
  for (name in setdiff(names, known)) {
    help <- if (which == "importance" && name %in% names(elsewhere_in_importance)) elsewhere_in_importance[[name]]
      else did_you_mean(name, c(own, known), paste0(
        "the column options of ", if (which == "explain") "measures(\"explain\")" else "measures()",
        " has those of each measure"))
    refuse_setting(paste0("there is no argument ", quoted(name)), help, setting = name)
  }
  settings[!vapply(settings, is.null, NA)]
}
