"""The errors that this package raises on purpose; every one is a MistakeboundError."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "core.errors": "BadData BadModel BadParameter Diverged HuntError LearnerBusy MistakeboundError "
        "NoConsistentHypothesis",
    },
)
