"""opt of all linear threshold functions of six attributes: an interval, with the certificate of its lower end.

The class has 15,028,134 functions (OEIS A000609), so halving makes at most floor(log2) of that mistakes.  The lower
end is opt for five attributes, found by search with a mistake tree, and five levels more (theory/threshold_trees.py).
Of the 2^20 leaves none is listed: for each of the 2^15 leaves of the tree it is checked that the weights from which its
32 functions of six attributes are made are the same function, and that their sums differ.
"""

from __future__ import annotations

import sys
from itertools import product
from time import perf_counter

from mistakebound.theory import opt
from mistakebound.theory.threshold_trees import spread, sums_in_order

FUNCTIONS = 15_028_134


def main() -> None:
    start = perf_counter()
    found = opt("linear-thresholds n=5")
    if found.value is None or found.tree is None or not found.tree.verify():
        sys.exit("the mistake tree of five attributes does not verify")
    tree, rows = found.tree, list(product((0, 1), repeat=5))
    checked = {}
    for leaf in range(1 << tree.depth):
        concept = tree.concept(leaf + len(tree.nodes))
        if concept not in checked:
            weights, theta = spread(concept, 5)
            sums = sums_in_order(weights, rows)
            same = all((total >= theta) == bool(concept(row)) for total, row in sums)
            checked[concept] = same and len({total for total, _ in sums}) == len(rows)
    if not all(checked.values()):
        sys.exit("a leaf has weights that are another function, or equal sums")
    print(f"n = 5: opt = {found.value}, tree verified; {len(checked):,} different leaves extended")
    print(f"n = 6: opt between {found.value + 5} and {FUNCTIONS.bit_length() - 1}, {perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
