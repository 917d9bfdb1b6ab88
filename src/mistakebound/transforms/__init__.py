"""Features from features: conjunctions, negations, reductions, standardized numbers."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "transforms.expanded": "expand",
        "transforms.standardized": "standardize",
    },
)
