"""Fuzz targets of the formats that this program defines: record, recipe, index, lesson, settings."""
