"""Results: numbers with their names, errors, frames, files and pictures."""
