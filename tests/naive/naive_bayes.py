"""Naive Bayes by the book (Mitchell, sections 6.9 and 6.10), in fractions: examples counted anew each time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Examples = list[tuple[dict[str, Any], Any]]


def m_estimate(n_c: Fraction, n: Fraction, m: Fraction, p: Fraction) -> Fraction:
    return (n_c + m * p) / (n + m) if n + m else p


def posterior(products: dict[Any, Fraction]) -> dict[Any, Fraction] | None:
    """None when no class is possible."""
    total = sum(products.values())
    return None if not total else {label: product / total for label, product in products.items()}


def classes(examples: Examples) -> list[Any]:
    return sorted({label for _, label in examples}, key=lambda label: (isinstance(label, str), label))


def share(examples: Examples, label: Any) -> Fraction:
    return Fraction(sum(1 for _, own in examples if own == label), len(examples))


def nominal(examples: Examples, x: dict[str, Any], m: Fraction) -> dict[Any, Fraction] | None:
    """A value that is None, or never came, is left out."""
    products = {}
    for label in classes(examples):
        product = share(examples, label)
        for name, value in x.items():
            values = {example[name] for example, _ in examples if example.get(name) is not None}
            if value in values:
                own = [example[name] for example, other in examples if other == label and example.get(name) is not None]
                product *= m_estimate(Fraction(own.count(value)), Fraction(len(own)), m, Fraction(1, len(values)))
        products[label] = product
    return posterior(products)


def flags(examples: Examples, x: dict[str, Any], m: Fraction) -> dict[Any, Fraction] | None:
    """A flag that an example does not name is 0 in it; one that is None is missing."""
    names = {name for example, _ in examples for name in example}
    products = {}
    for label in classes(examples):
        product = share(examples, label)
        for name in names:
            value = x.get(name, 0)
            if value is not None:
                own = [example.get(name, 0) for example, other in examples if other == label]
                own = [bit for bit in own if bit is not None]
                product *= m_estimate(Fraction(own.count(value)), Fraction(len(own)), m, Fraction(1, 2))
        products[label] = product
    return posterior(products)


def words(examples: Examples, x: dict[str, int], m: Fraction) -> dict[Any, Fraction] | None:
    """Every occurrence of a word in the vocabulary is a factor."""
    vocabulary = {word for example, _ in examples for word in example}
    products = {}
    for label in classes(examples):
        product = share(examples, label)
        own = [example for example, other in examples if other == label]
        n = Fraction(sum(sum(example.values()) for example in own))
        for word, times in x.items():
            if word in vocabulary:
                n_c = Fraction(sum(example.get(word, 0) for example in own))
                product *= m_estimate(n_c, n, m, Fraction(1, len(vocabulary))) ** times
        products[label] = product
    return posterior(products)
