"""docs/references.md resolves every short citation, and the specification's letters and row codes stay on two pages."""

from __future__ import annotations

import re
from calendar import month_name
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
FILES = [*(ROOT / "src" / "mistakebound").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
TEXTS = {path: path.read_text(encoding="utf-8") for path in FILES if path.name not in ("references.md", "coverage.md")}
# The last author and the year: "Littlestone and Warmuth 1994", "Chan (2019, section 1)".
CITATION = re.compile(r"\b([A-Z][a-z]+)(?: et al\.)? \(?((?:19[3-9]|20[0-2])\d)\b")
CODE = re.compile(r"\b[Rr]ows? [A-Z]\d|\b[LBCMV] §|\b[LBVM]'s\b|\bSPEC\b")


def cited(text: str) -> set[tuple[str, str]]:
    return {(name, year) for name, year in CITATION.findall(text) if name not in month_name}


KNOWN = cited("\n".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| ")))


def test_every_citation_is_resolved() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {' '.join(one)}" for path, text in TEXTS.items() for one in cited(text) - KNOWN
    }
    assert not found


def test_no_codes_of_the_specification() -> None:
    """Kernels are left out: their text is part of the checksum by which a compiled one is chosen."""
    found = [f"{path.relative_to(ROOT)}: {code}" for path, text in TEXTS.items() for code in CODE.findall(text)]
    assert not [line for line in found if "kernels" not in line]


def test_the_pattern_finds_citations() -> None:
    assert cited("Littlestone and Warmuth 1994; Crammer et al. 2006; Chan (2019, section 1)") == {
        ("Warmuth", "1994"),
        ("Crammer", "2006"),
        ("Chan", "2019"),
    }
