"""The engine where there is neither NumPy nor a compiled kernel, as in a browser: the same answers, or one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from mistakebound.lab import Engine
from mistakebound.lab.catalogue import SUBJECTS

SCRIPT = """
import json, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "pyarrow", "Cython", "cython"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from mistakebound.lab.engine import Engine
engine, answers = Engine(seconds=120), []
for first, *rest in json.load(sys.stdin):
    answer = engine.handle(first)
    session = answer.pop("session", None)
    answers.append([answer, *(engine.handle(one | {"session": session}) for one in rest)])
json.dump(answers, sys.stdout)
"""
POINTS = [[-0.9, -0.3, 0], [-0.2, -0.4, 0], [0.4, 0.7, 1], [0.9, 0.2, 1], [0.3, 0.3, 0]]


def message(view: str, do: str, **fields: Any) -> dict[str, Any]:
    return {"view": view, "do": do} | fields


def games() -> list[list[dict[str, Any]]]:
    """Every game that needs no NumPy: how it is opened, and what follows."""
    found = [[message("arena", "catalogue")], [message("exercises", "list")]]
    for subject in SUBJECTS:
        chosen, step = {"class": subject.text, "seed": 4}, message("watch", "step", steps=24)
        found += [[message("watch", "start", learner=name, **chosen), step] for name in subject.learners]
        found.append([message("watch", "start", teacher="adversary", **chosen), step])
        if subject.small:
            found.append([message("adversary", "start", **chosen)])
            found.append([message("learner", "start", **chosen), *[message("learner", "predict", prediction=1)] * 2])
    found.append([message("race", "start", learners=["winnow1", "arow", "halving"]), message("race", "run")])
    for space, values in (("day", "sunny strong warm"), ("sport", "Sunny Warm Normal Strong Warm Same")):
        teach = message("versions", "teach", x=values.split())
        found.append([message("versions", "start", space=space), teach | {"label": 0}, teach | {"label": 1}])
        found.append([message("versions", "start", space=space), teach | {"label": 1}])
    found.append([message("plane", "start", points=POINTS), message("plane", "line", w=[1, 1], theta=0)])
    found.append([message("plane", "shatter", points=[point[:2] for point in POINTS[:4]])])
    found.append([message("bayes", "believe", evidence="HHT")])
    found.append([message("exercises", "check", id="halving-2", answer="4")])
    return found


@pytest.fixture(scope="module")
def answered(long: bool) -> Any:
    asked = [[message(*one)] for one in REFUSED]
    if long:
        asked[:0] = games()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(asked), capture_output=True, text=True,
        env=os.environ | {"MISTAKEBOUND_KERNELS": "source"}, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


REFUSED = [("net", "start"), ("tree", "start"), ("tree", "prune"), ("bayes", "mixture"), ("data", "start")]


@pytest.mark.long
def test_answers_are_the_same(answered: Any) -> None:
    engine = Engine(seconds=120)
    for (first, *rest), found in zip(games(), answered, strict=False):
        answer = engine.handle(first)
        session = answer.pop("session", None)
        wanted = [answer, *(engine.handle(one | {"session": session}) for one in rest)]
        assert "error" not in answer, first
        assert found == json.loads(json.dumps(wanted)), first


def test_what_cannot_run_says_so(answered: Any) -> None:
    for asked, (answer,) in zip(REFUSED, answered[-len(REFUSED) :], strict=True):
        name = "pyarrow" if asked[0] == "data" else "numpy"
        assert answer["error"].startswith(f"this needs {name}"), asked
        assert answer["error"].endswith("which is not here: the lab with a server (mistakebound lab) has it")
