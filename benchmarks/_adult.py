"""A table like the census rows of "adult", from a seed: six numbers, eight columns of words, a label of two values."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

SEED = 1
COPIES = 20
ROWS = 32_561
WORDS = {  # column: its values, the usual ones first
    "workclass": ["Private", "Self-emp-not-inc", "Local-gov", "?", "State-gov", "Self-emp-inc", "Federal-gov"],
    "education": ["HS-grad", "Some-college", "Bachelors", "Masters", "Assoc-voc", "11th", "10th", "7th-8th"],
    "marital-status": ["Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed"],
    "occupation": ["Prof-specialty", "Craft-repair", "Exec-managerial", "Adm-clerical", "Sales", "Other-service", "?"],
    "relationship": ["Husband", "Not-in-family", "Own-child", "Unmarried", "Wife", "Other-relative"],
    "race": ["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"],
    "sex": ["Male", "Female"],
    "native-country": ["United-States", "Mexico", "?", "Philippines", "Germany", "Canada", "Puerto-Rico", "India"],
}  # fmt: skip
ORDER = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
]  # fmt: skip


def rows() -> Iterator[dict[str, str | int]]:
    draw = random.Random(SEED)
    for _ in range(ROWS):
        row: dict[str, str | int] = {name: words[min(draw.randrange(len(words)), draw.randrange(len(words)))]
                                     for name, words in WORDS.items()}  # fmt: skip
        row["age"] = min(90, 17 + int(draw.gammavariate(2.2, 10)))
        row["fnlwgt"] = int(draw.lognormvariate(12, 0.5))
        row["education-num"] = draw.randint(1, 16)
        row["capital-gain"] = draw.choice((3103, 5178, 7688, 15024)) if draw.random() < 0.08 else 0
        row["capital-loss"] = draw.choice((1602, 1887, 1977)) if draw.random() < 0.05 else 0
        row["hours-per-week"] = 40 if draw.random() < 0.5 else draw.randint(1, 80)
        score = (row["marital-status"] == "Married-civ-spouse") * 2.0 + int(row["education-num"]) / 4 - 5.5
        score += (int(row["capital-gain"]) > 5000) * 3 + int(row["age"]) / 60 + draw.gauss(0, 1)
        row["income"] = ">50K" if score > 0 else "<=50K"
        yield {name: row[name] for name in ORDER}


def as_csv(path: Path, copies: int = COPIES) -> Path:
    return _write(
        path, ",".join(ORDER) + "\n", "".join(",".join(map(str, row.values())) + "\n" for row in rows()), copies
    )


def as_json(path: Path, copies: int = COPIES) -> Path:
    return _write(path, "", "".join(json.dumps(row) + "\n" for row in rows()), copies)


def _write(path: Path, head: str, text: str, copies: int) -> Path:
    if not path.exists():
        with path.open("w") as file:
            file.write(head)
            for _ in range(copies):
                file.write(text)
    return path
