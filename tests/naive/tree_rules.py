"""Rule post-pruning straight from the book (Mitchell 1997, section 3.7.1): one rule at a time, one row at a time."""

from __future__ import annotations

from math import comb, factorial, fsum, log2

from naive.tree_prunings import added_errors


def conditions_of(tree, table):
    """[(conditions, class)] of every leaf with rows: (column, "in", codes) or (column, "<=" or ">", number)."""
    found = []

    def go(node, path):
        if not tree.arity[node]:
            if tree.counts[node].sum() > 0:
                found.append((path, int(tree.label[node])))
            return
        column = int(tree.column[node])
        for branch, child in enumerate(tree.children(node)):
            if table.columns[column].nominal:
                new = (column, "in", frozenset([branch]))
            else:
                new = (column, ("<=", ">")[branch], float(tree.threshold[node]))
            go(child, [known for known in path if known[:2] != new[:2]] + [new])

    go(0, [])
    return found


def meets(row, conditions):
    for column, kind, limit in conditions:
        value = row[column]
        if value is None:
            return False
        if not (value in limit if kind == "in" else value <= limit if kind == "<=" else value > limit):
            return False
    return True


def worth(rows, labels, conditions, label, confidence):
    """(rows covered, errors, worth)."""
    covered = [own for row, own in zip(rows, labels, strict=True) if meets(row, conditions)]
    errors = sum(own != label for own in covered)
    if not covered:
        return 0, 0, 0.0
    added = 0.0 if confidence is None else added_errors(len(covered), errors, confidence)
    return len(covered), errors, 1 - (errors + added) / len(covered)


def pruned(rows, labels, conditions, label, confidence, only_better=False):
    now = worth(rows, labels, conditions, label, confidence)
    while conditions and now[0]:
        options = [conditions[:k] + conditions[k + 1 :] for k in range(len(conditions))]
        values = [worth(rows, labels, option, label, confidence) for option in options]
        best = max(range(len(options)), key=lambda k: (round(values[k][2], 12), -k))
        if round(values[best][2], 12) < round(now[2], 12) + 1e-12 * only_better:
            break
        conditions, now = options[best], values[best]
    return conditions, now


def classify(rules, default, row):
    return next((label for conditions, label, *_ in rules if meets(row, conditions)), default)


def post_pruned(tree, table, rows, labels, classes, confidence, validation=None):
    """([(conditions, class, worth)], default)."""
    found = []
    for conditions, label in conditions_of(tree, table):
        left, (covered, _, value) = pruned(*(validation or (rows, labels)), conditions, label, confidence)
        if left and not any(set(left) == set(known) and label == own for known, own, *_ in found):
            found.append((left, label, round(value, 12), covered))
    found.sort(key=lambda rule: (-rule[2], -rule[3]))
    answers = []
    for default in range(classes):
        kept = list(found)

        def errors(rules, default=default):
            return sum(classify(rules, default, row) != own for row, own in zip(rows, labels, strict=True))

        for rule in reversed(found):
            without = [other for other in kept if other is not rule]
            saved = exception_bits(len(rows), errors(without), classes) - exception_bits(
                len(rows), errors(kept), classes
            )
            if errors(without) <= errors(kept) or saved <= rule_bits(rule, table, classes) / 4:
                kept = without
        total = exception_bits(len(rows), errors(kept), classes)
        total += fsum(rule_bits(rule, table, classes) / 4 for rule in kept)
        answers.append((round(total, 9), len(kept), default, kept))
    _, _, default, kept = min(answers, key=lambda answer: answer[:3])
    return kept, default


def every_path(tree, table, rows, labels, classes, confidence, validation=None):
    """Ma 2019, Theorem 3.4: one rule a path, without the conditions whose removal improves it, sorted."""
    found = []
    for conditions, label in conditions_of(tree, table):
        left, (covered, _, value) = pruned(*(validation or (rows, labels)), conditions, label, confidence, True)
        found.append((left, label, round(value, 12), covered))
    found.sort(key=lambda rule: (-rule[2], -rule[3]))
    left = [own for row, own in zip(rows, labels, strict=True) if classify(found, None, row) is None]
    return found, max(range(classes), key=lambda own: ((left or labels).count(own), -own))


def exception_bits(rows, errors, classes):
    return log2(rows + 1) + log2(comb(rows, errors)) + errors * log2(max(1, classes - 1))


def rule_bits(rule, table, classes):
    """The code that `learners/tree/rules.py` states, for tests of one value and of numbers."""
    bits = log2(classes) + log2(len(table.columns)) - log2(factorial(len(rule[0])))
    for column, kind, _ in rule[0]:
        bits += log2(len(table.columns))
        if kind == "in":
            bits += log2(len(table.columns[column].values))
        else:
            known = {value for value in table.columns[column].data.tolist() if value == value}
            bits += 1 + log2(max(1, len(known) - 1))
    return max(0.0, bits)
