# Calls of the engine.

# What is the same for the whole session.
session <- new.env(parent = emptyenv())

# What a routine of the engine has returned, unless that is a failure.
checked <- function(found) {
  force(found)
  end_progress()
  if (inherits(found, "wald_failure")) raise(found)
  found
}

# What measures are, and what options of forests and measures there are.
facts <- function() {
  if (is.null(session$facts)) session$facts <- checked(.Call(wrap__facts))
  session$facts
}

# How a call works: on so many threads, in how much memory, and what R does meanwhile.
work <- function(num.threads = NULL, progress = NULL, doing = "") {
  list(num.threads = checked_threads(num.threads), free = checked_memory(),
       tick = ticker(checked_progress(progress), doing))
}

checked_threads <- function(num.threads) {
  if (is.null(num.threads)) num.threads <- getOption("wald.threads")
  if (is.null(num.threads)) return(NULL)
  # ranger's and many others' word for all processors.
  if (is.numeric(num.threads) && identical(as.numeric(num.threads), 0)) return(NULL)
  # More than the engine would start.
  whole("num.threads", num.threads, least = 1, most = 1024)
}

# Bytes of memory that are free; NULL where that is not known, or does not matter.
checked_memory <- function() {
  given <- getOption("wald.memory")
  if (is.null(given)) return(free_memory())
  if (is.numeric(given) && length(given) == 1 && !is.na(given) && given >= 0) {
    return(if (is.finite(given)) floor(given))
  }
  refuse_setting(paste("the option wald.memory is", shown(given)),
                 "give a number of bytes, for example options(wald.memory = 8e9)",
                 setting = "wald.memory")
}

checked_progress <- function(progress) {
  if (is.null(progress)) progress <- getOption("wald.progress", interactive())
  flag("progress", progress)
}

# The function that the engine calls every few milliseconds. It returns TRUE where the work is to end, because
# the user has interrupted or an error was raised, such as that of setTimeLimit(); Sys.sleep() is what looks for
# both. An error is kept for raise(): here, no handler of the user's is known.
ticker <- function(is_shown, doing, patience = 2) {
  is_shown <- is_shown && is_heard(doing)
  begun <- proc.time()[["elapsed"]]
  session$error <- NULL
  function(done, total) {
    tryCatch({
      Sys.sleep(0)
      if (is_shown && total > 0 && proc.time()[["elapsed"]] - begun > patience) {
        show_progress(doing, done / total)
      }
      FALSE
    }, interrupt = function(condition) TRUE, error = function(condition) {
      session$error <- condition
      TRUE
    })
  }
}

# Whether messages are heard, which suppressMessages() prevents. Handlers of messages are given the heading of the
# progress before the work begins: while the engine works, none of them is known.
is_heard <- function(doing) {
  withRestarts({
    signalCondition(simpleMessage(paste0(doing, "\n")))
    TRUE
  }, muffleMessage = function() FALSE)
}

show_progress <- function(doing, share) {
  if (is.null(session$bar)) {
    cat(doing, "\n", sep = "", file = stderr())
    session$bar <- utils::txtProgressBar(style = 3, file = stderr())
  }
  utils::setTxtProgressBar(session$bar, share)
}

# Also after work that failed or was interrupted.
end_progress <- function() {
  if (!is.null(session$bar)) close(session$bar)
  session$bar <- NULL
}

# A long table of the engine as a data frame.
as_frame <- function(columns) {
  structure(columns, class = "data.frame", row.names = .set_row_names(length(columns[[1]])))
}

# Free memory in bytes, where the system reports it.
free_memory <- function() {
  lines <- tryCatch(readLines("/proc/meminfo", warn = FALSE), error = function(e) character(),
                    warning = function(w) character())
  free <- grep("^MemAvailable:", lines, value = TRUE)
  if (length(free) == 1) 1024 * as.numeric(gsub("[^0-9]", "", free))
}
