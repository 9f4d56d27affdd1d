"""The index: ``transform -> samples -> codes -> levels of bits -> marks -> rows of short words``, and what asks it."""
