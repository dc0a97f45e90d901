"""Forests of other programs."""
