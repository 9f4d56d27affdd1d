"""The inverse: ``letters -> grams -> starts of chains -> chains walked by threads -> their order -> text``."""
