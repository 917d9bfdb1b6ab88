"""What JSON lines know of a path, and what its name makes of a member; `_json_fields.pxd` has the same numbers."""

# Of a path: where its name within its object is written, with the quote behind it, and how long that is; the object's
# path; the path whose name is the same when both are unescaped (itself mostly); what its name makes of it; the
# place of its attribute, or -1; the last row that had it; the path that came next last time, and the first in its
# object; where its whole name lies in `path_names`, and its own; whether a name before that has a dot; its hash, and
# the hash of its name unescaped.
AT, SIZE, OUTER, SAME, ROLE, PLACE, SEEN, NEXT, FIRST, START, END, DOTTED, HASH, PLAIN_HASH, OWN = range(15)

# Numbers that are kept of each path, pair and name.
PATH_WIDTH = 16
PAIR_WIDTH = 4
NAME_WIDTH = 4
GENERATIONS = (1 << 30) - 64  # that there may be; a block needs one, and one more each time that the hash grows

# Kinds in the hash; the last is the first path of its name, by the name unescaped.
PATH, PAIR, NAME, ESCAPED = range(4)

# What a member's name makes of it, as bits.
LABEL = 1
WEIGHT = 2
NOMINAL = 4  # numbers are texts
NUMERIC = 8  # texts are numbers
OTHER = 16  # for Python, whatever it is
IGNORED = 32  # nothing is made of it, nor of what is in it
DATE = 64  # texts are dates, the year first: month, day of the week and hour
BIN_SHIFT = 8  # numbers become bins: the number of their cuts, from 1, times 2**BIN_SHIFT
