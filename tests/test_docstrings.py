"""Every public name has a docstring in numpydoc form, whose parameters are those of the signature."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import mistakebound as mb
from mistakebound import learners

MODULES = (
    "arena",
    "bayes",
    "concepts",
    "course",
    "errors",
    "inspection",
    "learners",
    "plot",
    "teachers",
    "theory",
    "transforms",
)
PLACES = {"mb": mb} | {f"mb.{name}": getattr(mb, name) for name in MODULES}
PUBLIC: dict[str, dict[str, Any]] = {
    place: {
        f"{place}.{name}": thing
        for name in package.__all__
        if inspect.isclass(thing := getattr(package, name)) or inspect.isfunction(thing)
    }
    for place, package in PLACES.items()
}


def own_doc(thing: Any) -> str:
    """Its own docstring: that of a base class does not count."""
    return inspect.cleandoc((thing.__dict__ if inspect.isclass(thing) else {"__doc__": thing.__doc__})["__doc__"] or "")


def section(doc: str, name: str) -> list[str]:
    found = re.search(rf"^{name}\n-+\n(.*?)(?=\n\n\S[^\n]*\n--|\Z)", doc, re.MULTILINE | re.DOTALL)
    return found[1].splitlines() if found else []


def parameters(thing: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return {}


@pytest.mark.parametrize("place", PUBLIC)
def test_form(place: str) -> None:
    for name, thing in PUBLIC[place].items():
        doc = own_doc(thing)
        first, *rest = doc.split("\n\n")
        assert "\n" not in first, f"{name}: the first line says what it is"
        assert first.endswith((".", "?")), name
        assert any(">>>" in line for line in section(doc, "Examples")), f"{name}: an example that runs"
        if inspect.isfunction(thing):
            assert section(doc, "Returns"), name
        assert rest, name


@pytest.mark.parametrize("place", PUBLIC)
def test_parameters_are_those_of_the_signature(place: str) -> None:
    for name, thing in PUBLIC[place].items():
        doc, known = own_doc(thing), parameters(thing)
        lines = [line for line in section(doc, "Parameters") if line and not line.startswith(" ")]
        if name == "mb.learn":  # its other parameters are the options of the command
            lines = [line for line in lines if " : " in line]
        listed = {one.strip().lstrip("*") for line in lines for one in line.partition(" : ")[0].split(",")}
        assert listed <= set(known), name
        if name != "mb.learn":
            assert listed >= {one for one, kind in known.items() if kind.kind is not kind.VAR_KEYWORD}, name


@pytest.mark.parametrize("place", PUBLIC)
def test_defaults_are_those_of_the_signature(place: str) -> None:
    for name, thing in PUBLIC[place].items():
        known = parameters(thing)
        for line in section(own_doc(thing), "Parameters"):
            found = re.fullmatch(r"(\w+(?:, \w+)*) : .*, default (.+)", line)
            for one in found[1].split(", ") if found else ():
                assert found is not None
                given = known[one].default
                if isinstance(given, bool | str) or given is None:
                    assert found[2].strip('"') == str(given), f"{name}: {one}"
                elif isinstance(given, int | float):
                    told = float(found[2].replace(",", "").replace("2^28", str(2**28)))
                    assert told == given, f"{name}: {one}"


@pytest.mark.parametrize("name", learners.names())
def test_learners_show_their_algorithm(name: str) -> None:
    doc = own_doc(learners.find(name))
    assert "Algorithm" in doc
    assert section(doc, "References")
    assert "Theorem" in doc or "mistake bound" in doc
