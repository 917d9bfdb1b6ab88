"""Concepts as text: `parse(str(f)) == f`.

    x1 | ~x4 | ham          a disjunction; also ∨ || or, and ¬ ! not
    x1 & ~'free money'      a conjunction; also ∧ && and
    all of (x3)             the same kinds with their name said: `any of (...)`, `all of (...)`
    true, false             the empty conjunction, the empty disjunction
    2 of x1, x5, x9         at least two of three attributes
    x1 + 3/2*x2 + -x7 >= 3  a linear threshold function; the rule is >= or >; also ≥
    (x1 & x2) | ~x3         a disjunction of terms (DNF)
    if x1 then 1 else if ~x3 then 0 else 1    a decision list; `else 1` is one without rules
    x1 ^ x3                 a parity; of one attribute `x1 ^ false`, of none `false ^ false`; also ⊕
    3 <= x1 <= 5            a value between two numbers; also ≤
    x1 in {}                a value that is never there; also ∅
    table x1, x3: 0110      any function, by its values; the last attribute changes fastest

One literal alone is a disjunction. A number is an integer, a fraction 3/2 or a decimal 0.25 or 2e-3, taken exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, NoReturn

from mistakebound.concepts.concept import Concept
from mistakebound.concepts.decision_lists import DecisionList
from mistakebound.concepts.dnf import disjunction_of_terms
from mistakebound.concepts.instance import exact_parameter
from mistakebound.concepts.literal_sets import Conjunction, Disjunction
from mistakebound.concepts.literals import Literal
from mistakebound.concepts.parities import Parity
from mistakebound.concepts.points import Between
from mistakebound.concepts.thresholds import LinearThreshold, RofKThreshold
from mistakebound.concepts.tokens import Token, syntax_error, tokens
from mistakebound.concepts.truth_tables import read_table

_DEPTH = 100  # of parentheses: no sensible formula comes near it


def parse(text: str) -> Concept:
    """Reads a concept from its text; `parse(str(f)) == f`.

    Parameters
    ----------
    text : str
        A disjunction `x1 | ~x4`, a conjunction `x1 & ~x3`, DNF `(x1 & x2) | ~x3`, a threshold `2 of x1, x5, x9` or
        `x1 + 3/2*x2 >= 3`, a decision list `if x1 then 1 else 0`, a parity `x1 ^ x3`, an interval `3 <= x1 <= 5`, a
        table `table x1, x3: 0110`.  The module's docstring has all forms.

    Returns
    -------
    Concept
        An error (BadParameter) names the position, counted from 1.

    Examples
    --------
    >>> parse("x1 or not x4")
    <Disjunction x1 | ~x4>
    >>> parse("x1 | & x2")
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: position 6: expected an attribute, found '&': 'x1 | & x2'
    """
    if str(text).lstrip().startswith("table") and ":" in str(text):
        return read_table(text)
    parser = _Parser(text)
    concept = parser.formula()
    if parser.next.kind != "end":
        parser.fail(parser.expected_at_end)
    return concept


class _Group(NamedTuple):
    """Operands joined by one operator ("" for a single operand), which stands first at `at`; with the operator "|"
    also terms in parentheses, each a list of operands.
    """

    operator: str
    operands: list[Literal | bool]
    at: Token
    terms: tuple[list[Literal | bool], ...] = ()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.position = 0
        self.depth = 0
        self.expected_at_end = "the end"

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def fail(self, expected: str, at: Token | None = None) -> NoReturn:
        raise syntax_error(self.text, at or self.next, expected)

    def take(self, *kinds: str) -> Token | None:
        token = self.next
        if token.kind not in kinds:
            return None
        self.position += 1
        return token

    def need(self, kind: str, expected: str) -> Token:
        return self.take(kind) or self.fail(expected)

    def formula(self) -> Concept:
        if any(token.kind in (">=", ">") for token in self.tokens):
            return self.comparison()
        if any(token.kind == "<=" for token in self.tokens):
            return self.between()
        if self.next.kind == "name" and self.tokens[1].kind == "name" and self.tokens[1].value.lower() == "in":
            return self.nowhere()
        if self.next.kind in ("if", "else"):
            return self.decision_list()
        if self.next.kind in ("any", "all"):
            return self.named_group()
        if self.next.kind == "number":
            return self.counting()
        group = self.chain()
        if group.operator == "^":
            return self.parity(group)
        return _concept(group)

    # Boolean formulas

    def chain(self) -> _Group:
        operator, operands, at, terms = self.operand()
        term = operator == "&"  # which stands in parentheses
        while token := self.take("|", "&", "^"):
            if term and token.kind == "|":
                operator, operands, terms = "|", [], (operands,)
            term = False
            if operator not in ("", token.kind):
                self.fail(f"{operator!r} or the end: {_mixed(operator, token.kind)}", token)
            operator, at = token.kind, at if operator else token
            more = self.operand()
            if operator == "|" and more.operator == "&":
                terms = (*terms, more.operands)
                continue
            if more.operator not in ("", operator):
                self.fail(f"{operator!r}: {_mixed(operator, more.operator)}", more.at)
            operands, terms = operands + more.operands, terms + more.terms
        if not operator:
            self.expected_at_end = "'|', '&' or the end"
        return _Group(operator, operands, at, terms)

    def operand(self) -> _Group:
        token = self.next
        if self.take("~"):
            inner = self.nested(self.operand)
            if inner.operator:
                self.fail("one attribute after the negation", inner.at)
            only = inner.operands[0]
            return _Group("", [not only if isinstance(only, bool) else ~only], token)
        if self.take("("):
            group = self.nested(self.chain)
            self.need(")", "'|', '&' or ')'")
            return group
        if self.take("true", "false"):
            return _Group("", [token.kind == "true"], token)
        return _Group("", [Literal(self.name())], token)

    def nested(self, rule: Callable[[], _Group]) -> _Group:
        self.depth += 1
        if self.depth > _DEPTH:
            self.fail(f"at most {_DEPTH} parentheses and negations inside one another")
        group = rule()
        self.depth -= 1
        return group

    def parity(self, group: _Group) -> Concept:
        names = [operand.name for operand in group.operands if isinstance(operand, Literal) and operand.positive]
        if len(names) + group.operands.count(False) < len(group.operands):
            self.fail("attributes without a negation, or false, on both sides", group.at)
        return Parity(names)

    def decision_list(self) -> Concept:
        rules: list[tuple[Literal | str, int]] = []
        first = True
        while first or self.next.kind == "if":
            if self.take("if"):
                at = self.next
                condition = self.chain()
                literal = condition.operands[0] if condition.operands else False
                if condition.operator or isinstance(literal, bool):
                    self.fail("one attribute or its negation", at)
                self.need("then", "'then'")
                rules.append((literal, self.label()))
            self.need("else", "'else'")
            first = False
        return DecisionList(rules, self.label())

    def label(self) -> int:
        at = self.next
        value = self.number()
        if value not in (0, 1):
            self.fail("0 or 1", at)
        return int(value)

    def name(self) -> str:
        return self.need("name", "an attribute").value

    def named_group(self) -> Concept:
        word = self.take("any", "all")
        self.need("of", "'of'")
        self.need("(", "'('")
        operands: list[Literal | bool] = []
        while not self.take(")"):
            if operands:
                self.need(",", "',' or ')'")
            group = self.operand()
            if group.operator:
                self.fail("',' or ')'", group.at)
            operands += group.operands
        operator = "|" if word is not None and word.kind == "any" else "&"
        return _concept(_Group(operator, operands, self.next))

    # Thresholds

    def counting(self) -> Concept:
        at = self.next
        r = self.number()
        self.need("of", "'of', '>=' or '>'")
        bracket = self.take("(")
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        if bracket:
            self.need(")", "',' or ')'")
        if self.next.kind != "end":
            self.fail("the end" if bracket else "',' or the end")
        k = len(set(names))
        if r.denominator != 1 or not 1 <= r <= k:
            self.fail(f"an integer between 1 and k = {k}", at)
        return RofKThreshold(int(r), names)

    def between(self) -> Concept:
        low = self.sign() * self.number()
        self.need("<=", "'<='")
        name = self.name()
        self.need("<=", "'<='")
        return Between(low, self.sign() * self.number(), name)

    def nowhere(self) -> Concept:
        name = self.name()
        self.position += 1
        if not self.take("∅"):
            self.need("{", "'{'")
            self.need("}", "'}'")
        return Between(1, 0, name)

    def comparison(self) -> Concept:
        weights: dict[str, Fraction] = {}
        sign = self.sign()
        while True:
            self.term(sign, weights)
            if not (operator := self.take("+", "-")):
                break
            sign = self.sign() * (1 if operator.kind == "+" else -1)
        rule = self.take(">=", ">") or self.fail("'+', '-', '>=' or '>'")
        sign = self.sign()
        return LinearThreshold(weights, sign * self.number(), rule.kind)

    def sign(self) -> int:
        token = self.take("+", "-")
        return -1 if token is not None and token.kind == "-" else 1

    def term(self, sign: int, weights: dict[str, Fraction]) -> None:
        weight = Fraction(sign)
        expected = "an attribute or a number"
        if self.next.kind == "number":
            weight *= self.number()
            if weight == 0 and self.next.kind != "*":
                return  # the sum of no weights is written 0
            self.need("*", "'*'")
            expected = "an attribute"
        name = self.need("name", expected).value
        weights[name] = weights.get(name, Fraction(0)) + weight

    def number(self) -> Fraction:
        value = self.decimal()
        if self.take("/"):
            at = self.next
            divisor = self.decimal()
            if divisor == 0:
                self.fail("a number that is not 0", at)
            value /= divisor
        return value

    def decimal(self) -> Fraction:
        token = self.need("number", "a number")
        value = exact_parameter(token.value)
        if value is None:
            self.fail("a number that can be written out", token)
        return Fraction(value)


def _mixed(one: str, other: str) -> str:
    return "different operators must not be mixed" if "^" in (one, other) else "| and & must not be mixed"


def _concept(group: _Group) -> Concept:
    constants = [operand for operand in group.operands if isinstance(operand, bool)]
    literals = [operand for operand in group.operands if isinstance(operand, Literal)]
    if group.terms:
        return disjunction_of_terms([*([operand] for operand in group.operands), *group.terms])
    if group.operator == "&" or (not group.operator and constants == [True]):
        return Conjunction(literals, contradiction=False in constants)
    return Disjunction(literals, tautology=True in constants)
