"""The project's LaTeX as HTML: formulas become MathML, which browsers show without a script or a font of ours."""

from __future__ import annotations

import html
import re

from mistakebound.report.latex_formula import latex_formula

_WORD = re.compile(r"\\mathit\{([^{}]*)\}")
_SIGNS = {r"\&": "&", r"\%": "%", r"\_": "_", r"\{": "{", r"\}": "}", r"\#": "#", r"\$": "$"}


def formula_html(text: str) -> str:
    """A formula in plain signs, or a sentence with formulas in it, as HTML.

    >>> print(formula_html("if k > 1")[:24])
    if <math xmlns="http://w
    """
    parts = re.split(r"(?<!\\)\$", latex_formula(text))
    return "".join(mathml(part) if at % 2 else html.escape(_plain(part)) for at, part in enumerate(parts))


def mathml(tex: str) -> str:
    """MathML of a formula; a word of several letters is one identifier."""
    from latex2mathml.converter import convert  # only here: what does not typeset does not need it

    words: list[str] = []

    def keep(found: re.Match[str]) -> str:
        words.append(_plain(found[1]))
        return rf"\text{{{'q' * len(words)}}}"

    made = convert(_WORD.sub(keep, tex))
    for number in range(len(words), 0, -1):
        word = html.escape(words[number - 1])
        made = made.replace(f"<mtext>{'q' * number}</mtext>", f'<mi mathvariant="italic">{word}</mi>')
    return made


def _plain(tex: str) -> str:
    for sign, plain in _SIGNS.items():
        tex = tex.replace(sign, plain)
    return re.sub(r"\\text(asciicircum|asciitilde|backslash)\{\}", lambda found: _NAMED[found[1]], tex)


_NAMED = {"asciicircum": "^", "asciitilde": "~", "backslash": "\\"}
