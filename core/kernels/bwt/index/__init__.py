"""Index: ``transform -> samples -> codes -> bit levels -> marks -> rows of short words``, and its queries."""
