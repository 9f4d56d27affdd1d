"""A lesson of a user's own: a sentence that stays, one of each step, and a question."""

OWN = """
id = "own"
title = "Own"
source = "Somebody 1999"
minutes = 1
notes = "Tell nobody."
[[part]]
method = "lcs"
a = "abc"
b = "bcd"
[[part.scene]]
id = "stays"
from = 0
to = 3
say = "The same & all along"
[[part.scene]]
id = "each"
from = 4
to = 6
say = "Each <step>"
each = true
[[part.scene]]
id = "asks"
from = 7
to = 9
ask = "value"
say = "After it."
"""
