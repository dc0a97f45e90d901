/* R calls this when it loads the library; the rest of it is Rust. */
void R_init_wald_extendr(void *library);

void R_init_wald(void *library) {
    R_init_wald_extendr(library);
}
