"""Formulas and sentences in plain signs as LaTeX: what is mathematics between dollars, words outside."""

from __future__ import annotations

import re

from mistakebound.core.names import visible

_GREEK = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "lambda", "mu", "xi", "pi", "sigma", "phi"}
)
_FUNCTIONS = frozenset({"ln", "det", "min", "max"})
_SIGNS = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon", "η": r"\eta", "θ": r"\theta",
    "λ": r"\lambda", "μ": r"\mu", "ξ": r"\xi", "π": r"\pi", "σ": r"\sigma", "φ": r"\phi", "≤": r"\le", "≥": r"\ge",
    "≠": r"\ne", "∧": r"\land", "∨": r"\lor", "¬": r"\lnot ", "→": r"\to", "−": "-", "·": r"\cdot", "×": r"\times",
    "∞": r"\infty",
}  # fmt: skip
_IN_TEXT = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$",
    "|": "$|$", '"': "''", "`": r"\textasciigrave{}",
}  # fmt: skip
_IN_MATHS = {
    "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "w0": "w^0", "w0_i": "w^0_i", "^-1": "^{-1}", "*": r"\,", "~": r"\lnot ",
    "^": "^", "<": "<", ">": ">", "=": "=", "+": "+", "|": "|", "/": "/", "(": "(", ")": ")",
}  # fmt: skip
_LAST_LETTER = 0x17F  # of those that the fonts of a plain LaTeX have
# Beside one of these a word is the name of a number.
_OPERATORS = frozenset({"*", "/", "^", "+", " - ", "=", "<=", ">=", "!=", "<", ">"})
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<compare><=|>=|!=)|(?P<log>log2\b|log_[a-z]+\b)|(?P<begins>(?:sqrt|floor)\()"
    r"|(?P<start>w0_i\b|w0\b|\^-1\b)|(?P<index>[A-Za-z]_[A-Za-z]\b)|(?P<attribute>x\d+\b)"
    r"|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+\b)?)|(?P<word>[^\W\d]\w+'[a-z]+|[^\W\d]\w*)|(?P<sign>.)",
    re.DOTALL,
)


def latex_text(text: str) -> str:
    r"""Text with everything that means something to TeX taken as it is.

    >>> print(latex_text("50%_off & θ"))
    50\%\_off \& $\theta$
    """
    return "".join(map(_text_sign, visible(text)))


def _text_sign(sign: str) -> str:
    if sign in _SIGNS:
        return f"${_SIGNS[sign]}$"
    if sign in "&%$#_{}":
        return f"\\{sign}"
    return _IN_TEXT.get(sign, sign) if ord(sign) <= _LAST_LETTER else f"[U+{ord(sign):04X}]"


def latex_formula(text: str) -> str:
    r"""A formula, or a sentence with formulas in it.

    >>> print(latex_formula("mistakes <= 2*k*log2(2n) + 1"))
    $\mathit{mistakes} \le 2\,k\,\log_2(2n) + 1$
    >>> print(latex_formula("x1 & ~x3, where the margin is sqrt(2)"))
    $x_{1} \land \lnot x_{3}$, where the margin is $\sqrt{2}$
    """
    tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(visible(text))]
    apart = [
        0 < at < len(tokens) - 1 and tokens[at - 1][0] == tokens[at + 1][0] == "space" for at in range(len(tokens))
    ]  # spaces stand around it
    words = [
        " - " if word == "-" and alone else word
        for (kind, word), alone in zip(tokens, apart, strict=True)
        if kind != "space"
    ]
    pieces: list[tuple[bool, str]] = []  # whether it is mathematics, and the TeX
    inside: list[tuple[int, str]] = []  # roots and floors that are open: how deep their brackets are, what ends them
    depth = place = 0
    for at, (kind, word) in enumerate(tokens):
        if kind == "space":
            pieces.append((bool(inside), " "))
            continue
        near = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
        place += 1
        if kind == "begins":
            inside.append((depth, "}" if word == "sqrt(" else r"\rfloor"))
            pieces.append((True, r"\sqrt{" if word == "sqrt(" else r"\lfloor "))
            depth += 1
        elif word == ")" and inside and inside[-1][0] == depth - 1:
            depth -= 1
            pieces.append((True, inside.pop()[1]))
        else:
            depth += (word == "(") - (word == ")")
            maths, tex = _piece(kind, word, near, apart[at])
            pieces.append((True, rf"\mbox{{{tex}}}") if inside and not maths else (maths, tex))
    pieces += [(True, end) for _, end in reversed(inside)]  # brackets that nobody closed
    return _joined(pieces)


def _piece(kind: str, word: str, near: tuple[str, str], spaced: bool) -> tuple[bool, str]:
    """Whether a token is mathematics, and its TeX; `near`: the tokens beside it, `spaced`: spaces stand around it."""
    if kind == "log":
        base = word.removeprefix("log").lstrip("_")
        base = f"\\{base}" if base in _GREEK else base
        return True, rf"\log_{{{base}}}" if len(base) > 1 else rf"\log_{base}"
    if kind == "attribute":
        return True, f"x_{{{word[1:]}}}"
    if kind in ("index", "number"):
        return True, word
    if kind == "word":
        if word in _GREEK or word in _FUNCTIONS:
            return True, f"\\{word}"
        if len(word) == 1 and word.isascii() and word not in "aA":
            return True, word
        named = word.isascii() and (near[0] in _OPERATORS or near[1] in _OPERATORS)
        return (True, rf"\mathit{{{latex_text(word)}}}") if named else (False, latex_text(word))
    if spaced and word in ("&", "|"):
        return True, r"\land" if word == "&" else r"\lor"
    if word == "-":
        return spaced or not near[1][:1].isalpha() or all(map(_operand, near)), "-"
    if word == "'":
        return len(near[0]) == 1, "'"  # a prime; behind a longer word an apostrophe
    if word == "^" and not (len(near[1]) == 1 and near[1].isalnum()):
        return False, latex_text("^")
    if word in _SIGNS:
        return True, _SIGNS[word]
    return (True, _IN_MATHS[word]) if word in _IN_MATHS else (False, latex_text(word))


def _operand(word: str) -> bool:
    """Whether a minus beside this word is one, and no hyphen."""
    return word in _GREEK or word in ("(", ")") or word.isdigit() or (len(word) == 1 and word.isalpha())


def _joined(pieces: list[tuple[bool, str]]) -> str:
    """Runs of mathematics, with the spaces in them, as one formula each."""
    out = run = ""
    for maths, tex in [*pieces, (False, "")]:
        if maths or (run and tex == " "):
            # A command must not run into a letter.
            run += " " * bool(re.search(r"\\[A-Za-z]+$", run) and tex[:1].isalpha()) + tex
        else:
            body = run.rstrip(" ")
            out += (f"${body}$" if body else "") + run[len(body) :] + tex
            run = ""
    return out
