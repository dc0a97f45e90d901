# Errors as conditions: what is wrong, how to mend it, and what it is about.

# Stops with a condition of class `wald_KIND`.
refuse <- function(kind, what, help = "", column = NULL, setting = NULL, call = caller()) {
  message <- if (nzchar(help)) paste0(what, "; ", help) else what
  stop(structure(
    class = c(paste0("wald_", kind), "wald_error", "error", "condition"),
    list(message = message, call = call, help = help, column = column, setting = setting)))
}

refuse_data <- function(what, help, column = NULL, setting = NULL) {
  refuse("data_error", what, help, column = column, setting = setting)
}

refuse_setting <- function(what, help, setting = NULL, column = NULL) {
  refuse("setting_error", what, help, column = column, setting = setting)
}

# The call that a user has written: the first one on the stack of a function of this package.
caller <- function() {
  ours <- topenv()
  for (frame in seq_len(sys.nframe())) {
    if (identical(topenv(environment(sys.function(frame))), ours)) return(sys.call(frame))
  }
  NULL
}

# Raises what the engine has returned in place of a result.
raise <- function(failure) {
  if (failure$kind == "interrupt") {
    error <- session$error
    session$error <- NULL
    if (!is.null(error)) {
      error$call <- caller()
      stop(error)
    }
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
    # Nobody listens: back to the prompt, as R does.
    invokeRestart("abort")
  }
  refuse(failure$kind, failure$what, failure$help, failure$column, failure$setting)
}

# A name or a value in a message.
quoted <- function(texts) paste(encodeString(as.character(texts), quote = "\""), collapse = ", ")

# The known name that was probably meant.
nearest <- function(name, known) {
  if (length(known) == 0) return(NULL)
  distance <- utils::adist(name, known, ignore.case = TRUE)[1, ]
  if (min(distance) <= nchar(name) %/% 3) known[which.min(distance)]
}

did_you_mean <- function(name, known, otherwise) {
  near <- nearest(name, known)
  if (is.null(near)) otherwise else paste0("did you mean ", quoted(near), "?")
}
