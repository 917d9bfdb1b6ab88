"""The most mistakes of a learner, by playing all sequences up to a length."""

from __future__ import annotations

from itertools import product


def worst_case(make, functions, instances, length):
    """make() gives a new learner; every sequence is played from the start."""
    most = -1
    for function in functions:
        for sequence in product(instances, repeat=length):
            learner = make()
            mistakes = 0
            for x in sequence:
                mistakes += learner.predict_one(x) != function(x)
                learner.learn_one(x, function(x))
            most = max(most, mistakes)
    return most
