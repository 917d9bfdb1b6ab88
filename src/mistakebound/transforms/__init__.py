"""Features from features: conjunctions, negations, reductions, standardized numbers, bins, hashed names."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "io.bins": "cut_points",
        "io.one_row": "hash_names",
        "transforms.binned": "bins",
        "transforms.expanded": "expand",
        "transforms.standardized": "standardize",
    },
)
