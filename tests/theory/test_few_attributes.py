"""opt of disjunctions of few attributes by counts: equal to the search over all instances, with trees that verify."""

from __future__ import annotations

import json

import pytest

import mistakebound as mb
from mistakebound.cli import main
from mistakebound.theory.few_attributes import NOTHING, FewAttributes
from mistakebound.theory.opt_search import OptSearch


@pytest.mark.parametrize("kind", [mb.concepts.MonotoneDisjunctions, mb.concepts.MonotoneConjunctions])
@pytest.mark.parametrize("exactly", [False, True])
@pytest.mark.parametrize("k", [0, 1, 2, 3, 5, None])
def test_equals_the_search_over_all_instances(k: int | None, exactly: bool, kind: type) -> None:
    for n in range(max(k or 1, 1), 8):
        if exactly and k is None:
            continue
        C = kind(n, k, exactly=exactly)
        found = mb.opt(C)
        assert found.value == OptSearch(C.finite()).value()
        assert found.tree is not None
        assert found.tree.depth == found.value
        assert found.tree.verify(C)


@pytest.mark.parametrize("exactly", [False, True])
def test_few_instances_are_looked_at_in_the_order_of_many(monkeypatch: pytest.MonkeyPatch, exactly: bool) -> None:
    search = FewAttributes(8, 2, exactly=exactly)
    state = search.after(search.after(search.root, (3,), 1), (1, 2), 1)
    for need in (1, 2):
        monkeypatch.setattr("mistakebound.theory.few_attributes._FEW", 0)
        many = list(search._even_choices(state, need))
        monkeypatch.setattr("mistakebound.theory.few_attributes._FEW", 1 << 10)
        assert list(search._even_choices(state, need)) == many
        assert len(many) > 3


def test_a_label_that_leaves_nothing() -> None:
    search = FewAttributes(3, 1, exactly=False)
    one = search.after(search.root, (2,), 1)  # x1 or x2 is in the target
    assert search.size(one) == 2
    gone = search.after(one, tuple(count if kind else 0 for kind, count in one), 0)  # neither of them is
    assert gone == NOTHING
    assert search.size(gone) == 0
    assert search.after(search.root, (0,), 1) == NOTHING  # nothing is on, and the label is 1


def test_many_attributes() -> None:
    """Far beyond 2^n instances; the bound of halving is met or not, and the tree proves what is found."""
    found = mb.opt("monotone-disjunctions n=48 k=2")
    assert (found.value, mb.concepts.MonotoneDisjunctions(48, 2).count().bit_length() - 1) == (10, 10)
    found = mb.opt("monotone-conjunctions n=32 k=2")
    assert found.value == 8
    assert found.verify()
    assert mb.opt("monotone-disjunctions n=500").value == 500
    with pytest.raises(mb.BadParameter, match="at most 20 levels to be built: 500"):
        mb.opt("monotone-disjunctions n=500").tree  # noqa: B018


def test_out_of_time() -> None:
    found = mb.opt("monotone-disjunctions n=90 k=4", timeout=0)
    assert (found.lower, found.upper) == (16, 21)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "monotone-disjunctions", "n=40", "k=2", "--only", "opt", "--json", "--witness", "opt"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["instances"] == 2**40
    assert found["concepts"] == 821
    assert found["opt"]["exact"]
    assert found["opt"]["verified"]
    assert main(["measure", "monotone-disjunctions", "n=40", "k=2", "--only", "vc"]) == 2
