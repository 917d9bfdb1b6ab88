from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def golden():
    """Values of 169 classes that two programs have found independently."""
    return json.loads((Path(__file__).parent.parent / "golden" / "theory.json").read_text())
