"""The learner `auto` in plain Python: features by name, members as small classes over dictionaries, the mixture."""

from __future__ import annotations

from math import copysign, cos, exp, log, pi, sqrt
from typing import Any

from naive.calibration import Table
from naive.coin_betting import Coin

Feature = tuple[Any, ...]
Row = list[tuple[Feature, float]]
BIAS: Feature = ("bias",)


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def wave(k: int) -> tuple[float, float]:
    """Draw k of splitmix64: evenly between 0 and 1, and nearly normal."""
    z = (k + 1) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    z ^= z >> 31
    parts = [(z >> bits) % 65536 / 65535 for bits in (0, 16, 32, 48)]
    return (z >> 11) / 2**53, (sum(parts) - 2) / sqrt(4 / 12)


class Number:
    """What has been seen of one attribute."""

    def __init__(self) -> None:
        self.count, self.mean, self.squares, self.size = 0, 0.0, 0.0, 0.0
        self.numeric = False
        self.sample: list[float] | None = None
        self.stride, self.seen, self.next = 1, 0, 8
        self.cuts: dict[int, list[float]] = {}

    def note(self, v: float, trials: int) -> None:
        self.numeric = self.numeric or v not in (0.0, 1.0)
        self.count += 1
        far = v - self.mean
        self.mean += far / self.count
        self.squares += far * (v - self.mean)
        self.size += (v * v - self.size) / self.count
        if not self.numeric or self.count < 4 or 2 * self.count < trials:
            return
        if self.sample is None:
            self.sample = []
        if self.seen % self.stride == 0:
            self.sample.append(v)
            if len(self.sample) == 256:
                self.sample, self.stride = self.sample[::2], 2 * self.stride
        self.seen += 1
        if self.seen >= self.next:
            ranked = sorted(self.sample)
            for bins in (8, 16):
                cuts = [ranked[k * len(ranked) // bins] for k in range(1, bins)]
                self.cuts[bins] = sorted(set(cuts))
            self.next = 2 * self.seen if self.seen - 1 < 512 else self.seen + (self.seen - 1) // 4


class Features:
    """From rows to features."""

    def __init__(self) -> None:
        self.numbers: dict[str, Number] = {}
        self.trials = 0
        self.nominal: set[Feature] = set()
        self.ranks: dict[Feature, int] = {}
        self.numbered: list[Feature] = []

    def of(self, x: dict[str, float]) -> tuple[Row, dict[Feature, set[str]], Row]:
        """Single features with what each is for, and pairs; `triples`, `products`, `waves`, `unit` are kept too."""
        singles: Row = []
        uses: dict[Feature, set[str]] = {}

        def emit(feature: Feature, value: float, *use: str) -> None:
            singles.append((feature, value))
            uses[feature] = {*use}

        order = list(self.numbers)
        nominal = 0
        known = sorted(x, key=lambda name: order.index(name) if name in self.numbers else len(order))
        for name in known:
            v, number = x[name], self.numbers.get(name, Number())
            if not number.numeric and v in (0.0, 1.0):
                if v:
                    emit((name,), 1.0, "plain", "nominal", "full", "counts")
                    nominal += 1
                continue
            if 2 * number.count < self.trials:
                if v:
                    scaled = v / sqrt(number.size) if number.size > 0 else copysign(1.0, v)
                    emit((name,), max(-1000.0, min(1000.0, scaled)), "plain", "full", *(["counts"] if v > 0 else []))
                continue
            if number.count > 1 and number.squares > 0:
                z = (v - number.mean) / sqrt(number.squares / number.count)
                if z:
                    emit((name,), max(-5.0, min(5.0, z)), "plain", "full", "number")
            if number.cuts:
                for bins, use in ((8, ("nominal", "full")), (16, ())):
                    emit((name, bins, sum(v >= cut for cut in number.cuts[bins])), 1.0, *use)
                nominal += 1
        self.triples: Row = []
        pairs: Row = []
        few = len(self.nominal) <= 128
        if nominal <= 48 and len(self.nominal) < 1000:
            on = [feature for feature, _ in singles if "nominal" in uses[feature]]
            pairs = [((on[i], on[j]), 1.0) for i in range(len(on)) for j in range(i)]
            self.nominal.update(on)
            for feature in on:
                self._rank(feature)
            if nominal <= 12 and few:
                ranked = sorted(on, key=self._rank)
                self.triples = [
                    ((ranked[i], ranked[j], ranked[k]), 1.0)
                    for i in range(2, len(on)) for j in range(1, i) for k in range(j)
                ]  # fmt: skip
        numbers = [part for part in singles if "number" in uses[part[0]]]
        self.products: Row = []
        if len(numbers) <= 22:
            for i, (name, z) in enumerate(numbers):
                for j, (other, y) in enumerate(numbers[: i + 1]):
                    self.products.append(((name, other), max(-5.0, min(5.0, z * y - (i == j)))))
        self.waves: Row = []
        if numbers and self.numbered and self.trials >= 16:
            for j in range(128):
                angle = 2 * pi * wave(j)[0]
                for name, z in numbers:
                    if name in self.numbered:
                        speed = wave(128 * (1 + self.numbered.index(name)) + j)[1]
                        angle += speed * z / sqrt(len(self.numbered))
                self.waves.append((("wave", j), sqrt(2) * cos(angle)))
        self.numbered += [name for name, _ in numbers if name not in self.numbered]
        emit(BIAS, 1.0, "plain", "full")
        length = 0.0
        for name in known:
            length += x[name] * x[name]
        self.unit: Row = [((name,), x[name] / sqrt(length)) for name in known if x[name]] + [(BIAS, 1.0)]
        return singles, uses, pairs

    def _rank(self, feature: Feature) -> int:
        """Features of a row are numbered in their order when they are first seen."""
        return self.ranks.setdefault(feature, len(self.ranks))

    def note(self, x: dict[str, float]) -> None:
        """After the row was learned."""
        self.trials += 1
        for name, v in x.items():
            self.numbers.setdefault(name, Number()).note(v, self.trials)


def key(feature: Feature) -> Feature:
    """A pair or a triple is the same in every order."""
    return tuple(sorted(feature, key=repr)) if feature and isinstance(feature[0], tuple) else feature


class Linear:
    """A member with one weight a feature."""

    def __init__(self) -> None:
        self.w: dict[Feature, float] = {}

    def score(self, row: Row) -> float:
        s = 0.0
        for feature, value in row:
            s += self.w.get(key(feature), 0.0) * value
        return s


class Arow(Linear):
    def __init__(self, r: float, forgets: float | None = None) -> None:
        super().__init__()
        self.r, self.forgets = r, forgets
        self.v: dict[Feature, float] = {}
        self.last: dict[Feature, int] = {}

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        if self.forgets is not None:
            for feature, _ in row:
                v, passed = self.v.get(feature, 1.0), trial - self.last.get(feature, 0)
                self.v[feature] = 1 - (1 - v) / (1 + passed / self.forgets)
                self.last[feature] = trial
        if y * s >= 1:
            return
        variance = sum(self.v.get(key(feature), 1.0) * x * x for feature, x in row)
        for feature, x in row:
            name, sx = key(feature), self.v.get(key(feature), 1.0) * x
            self.w[name] = self.w.get(name, 0.0) + y * (1 - y * s) / (variance + self.r / c) * sx
            self.v[name] = self.v.get(name, 1.0) - sx * sx / (variance + self.r / c)


class FullArow(Linear):
    def __init__(self, r: float) -> None:
        super().__init__()
        self.r = r
        self.c: dict[tuple[Feature, Feature], float] = {}
        self.known: list[Feature] = []

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        for feature, _ in row:
            if feature not in self.w:
                self.w[feature] = 0.0
                self.c[feature, feature] = 1.0
                self.known.append(feature)
        if y * s >= 1:
            return
        gain = {f: sum(x * self.c.get((f, g), 0.0) for g, x in row) for f in self.known}
        variance = sum(x * gain[f] for f, x in row)
        for f in self.known:
            self.w[f] += y * (1 - y * s) / (variance + self.r / c) * gain[f]
            for g in self.known:
                self.c[f, g] = self.c.get((f, g), 0.0) - gain[f] * gain[g] / (variance + self.r / c)


class PassiveAggressive(Linear):
    def __init__(self, most: float) -> None:
        super().__init__()
        self.most = most

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        if y * s < 1:
            tau = min(c * self.most, (1 - y * s) / sum(x * x for _, x in row))
            for feature, x in row:
                self.w[key(feature)] = self.w.get(key(feature), 0.0) + y * tau * x


class Coins:
    """Coin betting, a coin for each feature."""

    def __init__(self) -> None:
        self.coins: dict[Feature, Coin] = {}

    def score(self, row: Row) -> float:
        return sum(self.coins[key(feature)].weight * x for feature, x in row if key(feature) in self.coins)

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        g = c * ((y > 0) - sigmoid(s))
        for feature, x in row:
            self.coins.setdefault(key(feature), Coin(1.0)).hear(g * x, c * abs(x))


class Bayes:
    """Naive Bayes over features that have been counted."""

    def __init__(self) -> None:
        self.rows, self.counts = [0.0, 0.0], {}

    def score(self, row: Row) -> float:
        s = log((self.rows[1] + 0.5) / (self.rows[0] + 0.5))
        for feature, _ in row:
            if key(feature) in self.counts:
                no, yes = self.counts[key(feature)]
                s += log((yes + 0.5) / (self.rows[1] + 1)) - log((no + 0.5) / (self.rows[0] + 1))
        return s

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        self.rows[y > 0] += c
        for feature, _ in row:
            self.counts.setdefault(key(feature), [0, 0])[y > 0] += c


class Counts:
    """Naive Bayes over sums of values; `features` counts all features, bins that no row has had among them."""

    def __init__(self, features: Any) -> None:
        self.rows, self.sums, self.whole, self.features = [0.0, 0.0], {}, [0.0, 0.0], features

    def score(self, row: Row) -> float:
        s, many = log((self.rows[1] + 0.5) / (self.rows[0] + 0.5)), self.features()
        for feature, x in row:
            if feature in self.sums:
                no, yes = self.sums[feature]
                s += x * (log((yes + 1) / (self.whole[1] + many)) - log((no + 1) / (self.whole[0] + many)))
        return s

    def learn(self, row: Row, y: int, s: float, trial: int, c: float = 1.0) -> None:
        self.rows[y > 0] += c
        for feature, x in row:
            self.sums.setdefault(feature, [0.0, 0.0])[y > 0] += c * x
            self.whole[y > 0] += c * x


class Auto:
    """The whole: `learn` returns the logit before the label, `scores` are those of the members."""

    def __init__(self) -> None:
        self.features = Features()
        self.trials = 0
        self.members: list[tuple[Any, str]] = [
            (Arow(1.0), "plain"), (Coins(), "plain"), (PassiveAggressive(1.0), "plain"), (Arow(0.1), "unit"),
            (Arow(0.1, 30), ""), (Arow(0.1, 300), ""), (Bayes(), "nominal"), (Counts(self._singles), "counts"),
            (Arow(0.1), "triples"), (Coins(), "pairs"), (Coins(), "triples"),
            (FullArow(0.1), "products"), (FullArow(1.0), "plain"), (FullArow(10.0), "full"),
        ]  # fmt: skip
        self.tables = [Table(3.0, 1.5) for _ in self.members]
        self.fitted: list[tuple[float, list[float]]] = [(0, [log(p / (1 - p)) for p in t.curve()]) for t in self.tables]
        self.shares = [1 / 15] * 15
        self.v = 0.0
        self.scores: list[float] = []

    def _singles(self) -> int:
        numbers = self.features.numbers.values()
        return 1 + len(numbers) + 24 * sum(number.sample is not None for number in numbers)

    def row(self, use: str, singles: Row, uses: dict[Feature, set[str]], pairs: Row) -> Row:
        if use == "pairs":
            return [*singles[:-1], *pairs, singles[-1]]
        if use == "triples":
            return [*singles[:-1], *pairs, *self.features.triples, singles[-1]]
        if use == "unit":
            return self.features.unit
        if use == "products":
            return [*self.row("plain", singles, uses, pairs), *self.features.products, *self.features.waves]
        return [part for part in singles if not use or use in uses[part[0]]]

    def logit(self, member: int, s: float) -> float:
        curve, at = self.fitted[member][1], self.tables[member].place(s)
        cell = int(at)
        found = curve[-1] if cell >= 32 else curve[cell] + (at - cell) * (curve[cell + 1] - curve[cell])
        return max(-6.2, min(6.2, found))

    def learn(self, x: dict[str, float], label: int, c: float = 1.0) -> float:
        singles, uses, pairs = self.features.of(x)
        rows = [self.row(use, singles, uses, pairs) for _, use in self.members]
        self.scores = [member.score(row) for (member, _), row in zip(self.members, rows, strict=True)]
        logits = [1.5 * self.logit(place, s) for place, s in enumerate(self.scores)] + [0.0]
        mixed = sum(share * own for share, own in zip(self.shares, logits, strict=True))
        rest, rate = c * (sigmoid(mixed) - label), 3 * sqrt(log(15) / (1 + self.v))
        raised = [share * exp(-rate * rest * own) for share, own in zip(self.shares, logits, strict=True)]
        self.shares = [share / sum(raised) * (1 - 0.0003) + 0.0003 / 15 for share in raised]
        self.v += ((max(logits) - min(logits)) * rest) ** 2 / 4
        for place, ((member, _), row, s) in enumerate(zip(self.members, rows, self.scores, strict=True)):
            table = self.tables[place]
            table.count(s, label, c)
            if table.rows >= self.fitted[place][0]:
                curve = [log(p / (1 - p)) for p in table.curve()]
                self.fitted[place] = table.rows + 1 + table.rows // 64, curve
            if self.features.waves and member is self.members[11][0]:
                member.r = 1.0
            member.learn(row, 1 if label else -1, s, self.trials, c)
        self.trials += 1
        self.features.note(x)
        return mixed
