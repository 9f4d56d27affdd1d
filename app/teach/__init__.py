"""Lessons in the window: tables and machine words, step by step."""
