"""Work that the workers of an executor share, with the bits of one process."""
