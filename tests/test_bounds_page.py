"""docs/bounds_met.md: each theorem that a learner quotes has an idea and a game there, and nothing else has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_each_theorem_has_its_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "site"))
    import theorem_pages

    try:
        assert sorted(theorem_pages.notes()) == sorted(theorem_pages.all_theorems())
        assert all("```python" in note for note in theorem_pages.notes().values())
    finally:
        for name in ("theorem_pages", "typeset"):
            sys.modules.pop(name, None)
