"""LaTeX of theorems, hypotheses, trees and games: what it says, and that TeX takes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.inspection import to_latex
from mistakebound.report.latex_formula import latex_formula, latex_text

STRANGE = '50%_off {&} #1 $x$ ^ ~ \\end{document} <b> | "q" ` é 中'


def everything() -> list[Any]:
    """One of each kind, every theorem and lemma, and names that mean something to TeX."""
    learner = mb.Winnow1(n=6, labels=(0, 1))
    game = mb.play(learner, [([1, 0, 0, 1], 1), ([1, 1, 0, 0], 1)], assume={"k": 1}, trace=True)
    strange = mb.play(mb.Winnow1(labels=(0, 1)), [({STRANGE, "x1"}, 1), ({STRANGE}, 1)], trace=True)
    perceptron = mb.Perceptron(labels=(0, 1))
    perceptron.learn_one({"a b": 1.5, STRANGE: -2.0}, 1)
    return [
        *map(mb.learners.find, mb.learners.names()),
        learner.bound(k=1),
        learner.bound(),
        learner.hypothesis,
        perceptron.hypothesis,
        mb.concepts.parse("x1 & ~x4"),
        mb.concepts.parse_class("monotone-disjunctions n=4 k=2"),
        mb.opt("monotone-disjunctions n=3").tree,
        mb.theory.query_depth("decision-lists n=2").tree,
        game.trace,
        strange.trace,
    ]


def test_formulas() -> None:
    assert latex_formula("alpha*k*(log_alpha(theta) + 1) + n/theta") == (
        r"$\alpha\,k\,(\log_{\alpha}(\theta) + 1) + n/\theta$"
    )
    assert latex_formula("mistakes <= floor(log2 |C|)") == r"$\mathit{mistakes} \le \lfloor \log_2 |C|\rfloor$"
    assert latex_formula("x1 | x3 | ~x12") == r"$x_{1} \lor x_{3} \lor \lnot x_{12}$"
    assert latex_formula("sqrt(squared_loss)/r") == r"$\sqrt{\mbox{squared\_loss}}/r$"
    assert latex_formula("the learner's own start-weights") == "the learner's own start-weights"
    assert latex_formula("2*x1 + 3*x2 > 4, a rest") == r"$2\,x_{1} + 3\,x_{2} > 4$, a rest"
    assert latex_formula("sqrt(2") == r"$\sqrt{2}$"  # a bracket that nobody closes


def test_a_minus_between_numbers_is_no_hyphen() -> None:
    assert latex_formula("2(4-d^2)/(1-(1-delta)k)") == r"$2(4-d^2)/(1-(1-\delta)k)$"
    assert latex_formula("a k-DNF, x-ray, non-empty") == "a $k$-DNF, $x$-ray, non-empty"


def test_text_means_nothing_to_tex() -> None:
    assert latex_text("a_b & 5% {x} #1") == r"a\_b \& 5\% \{x\} \#1"
    assert latex_text("α ≤ 中") == r"$\alpha$ $\le$ [U+4E2D]"
    assert "\\end{document}" not in latex_text(STRANGE)


def test_theorems_and_bounds() -> None:
    tex = to_latex(mb.Winnow1.theorems[0])
    assert tex.startswith(r"\textbf{Theorem 7} (Littlestone 1988, Theorem 7). Suppose that the target is a monotone")
    assert r"at most $k$ of $n$ attributes" in tex
    assert r"$\alpha > 1$; $\theta \ge 1/\alpha$" in tex
    assert to_latex(mb.Winnow1.lemmas[1]).endswith(r"Every weight is at most $\alpha\,\theta$.")
    assert to_latex(mb.Winnow1(n=4).bound()).startswith(r"\textbf{No bound.} Theorem $7$")
    assert to_latex(mb.Winnow1).count(r"\textbf{") == len(mb.Winnow1.theorems) + len(mb.Winnow1.lemmas)
    with pytest.raises(mb.BadParameter, match="no LaTeX is known for int: give a theorem"):
        to_latex(3)


def test_a_tree_has_all_its_nodes_and_branches() -> None:
    tex = to_latex(mb.opt("monotone-disjunctions n=3").tree)
    assert tex.count(r"\node[") == 7 + 8
    assert tex.count(r"\draw ") == 14
    assert "{001?}" in tex
    game = mb.plot.draw_game([((0, 1), 0, 1), ((1, 0), 1, 1)], "latex", end="x1 | x2")
    assert "1, predicted 0: mistake 1" in game
    assert game.count("at (0.00,") == 3  # straight down


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX is installed")
def test_tex_takes_everything(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(to_latex(everything(), document=True), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "a.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    if b"tikz.sty' not found" in done.stdout or b"longtable.sty' not found" in done.stdout:
        pytest.skip("this TeX has no tikz or no longtable")
    assert done.returncode == 0, done.stdout[-2000:].decode("latin-1")
