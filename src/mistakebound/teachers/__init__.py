"""Who shows instances and knows labels: streams of examples, random targets, adversaries, oracles, people."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "core.protocol": "Teacher Trial",
        "teachers.adversary": "ConjunctionAdversary DisjunctionAdversary MistakeTreeAdversary adversary_for",
        "teachers.command": "CommandOracle",
        "teachers.human_teacher": "HumanTeacher",
        "teachers.oracles": "CachingOracle CountingOracle EquivalenceOracle MembershipOracle",
        "teachers.random_target": "RandomTarget",
        "teachers.replay": "FileTeacher Replay",
    },
)
