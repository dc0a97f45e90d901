/* What R calls when it loads the library, and model files as raw vectors; the rest is Rust. */
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Rdynload.h>

void R_init_wald_extendr(DllInfo *library);

/* Of the Rust code: the bytes of the model file of a forest, or a list, the failure. */
SEXP wrap__forest_bytes(SEXP forest, SEXP json);

/* Raw vectors (ALTREP) whose bytes are made when somebody looks at them: making them takes a seventh of
   the time of growing, and most forests are never stored. The first field of such a vector is the
   forest, the second its bytes, or NULL. R stores the vector like any other raw vector. */
static R_altrep_class_t model_file;

static SEXP bytes_of(SEXP model) {
    SEXP bytes = R_altrep_data2(model);
    if (bytes != R_NilValue) {
        return bytes;
    }
    SEXP json = PROTECT(Rf_ScalarLogical(FALSE));
    bytes = PROTECT(wrap__forest_bytes(R_altrep_data1(model), json));
    if (TYPEOF(bytes) != RAWSXP) {
        /* The second entry of a failure is what happened. */
        Rf_error("%s", CHAR(STRING_ELT(VECTOR_ELT(bytes, 1), 0)));
    }
    R_set_altrep_data2(model, bytes);
    UNPROTECT(2);
    return bytes;
}

static R_xlen_t length_of(SEXP model) {
    return XLENGTH(bytes_of(model));
}

static void *data_of(SEXP model, Rboolean writable) {
    return RAW(bytes_of(model));
}

static const void *data_of_or_null(SEXP model) {
    SEXP bytes = R_altrep_data2(model);
    return bytes == R_NilValue ? NULL : RAW(bytes);
}

SEXP wald_model_file(SEXP forest) {
    return R_new_altrep(model_file, forest, R_NilValue);
}

void R_init_wald(DllInfo *library) {
    R_init_wald_extendr(library);
    /* The Rust code registers its own routines, and R allows that once: `wald_model_file` is found by
       its name. */
    R_useDynamicSymbols(library, TRUE);
    model_file = R_make_altraw_class("model_file", "wald", library);
    R_set_altrep_Length_method(model_file, length_of);
    R_set_altvec_Dataptr_method(model_file, data_of);
    R_set_altvec_Dataptr_or_null_method(model_file, data_of_or_null);
}
