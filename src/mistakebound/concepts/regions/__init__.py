"""Classes of regions of space: infinitely many concepts, exact on any finite set of points."""
