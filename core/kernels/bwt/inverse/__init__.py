"""Inverse transform: ``letters -> grams -> starts of chains -> chains walked by threads -> their order -> text``."""
