"""All values of golden/theory.json, which two programs have found independently of this one."""

from __future__ import annotations

import pytest

from mistakebound.theory.halving_mistakes import halving_worst_case
from mistakebound.theory.littlestone import opt
from mistakebound.theory.queries import query_depth
from mistakebound.theory.teaching import teaching_dimension
from mistakebound.theory.vc import vc_dimension
from theory.classes import GOLDEN, golden_class

MEASURES = {
    "vcdim": vc_dimension,
    "ldim": opt,
    "m_halving": halving_worst_case,
    "query_depth": query_depth,
    "teaching_dim": teaching_dimension,
}


@pytest.mark.parametrize("start", GOLDEN)
def test_golden(golden, start, long):
    records = [record for record in golden["records"] if record["cls"].startswith(start)]
    assert records
    for number, record in enumerate(records):
        concept_class = golden_class(record)
        finite = concept_class.finite()
        assert (finite.size, len(finite.instances)) == (record["concepts"], record["instances"])
        assert concept_class.count() == record["concepts"]
        for turn, (name, measure) in enumerate(MEASURES.items()):
            if record[name] is not None and (long or (number + turn) % 2 == 0 or len(records) == 1):
                found = measure(concept_class)
                assert found.value == record[name], (record, name)
                assert found.verify(), (record, name)


def test_every_record_is_tested(golden):
    assert len(golden["records"]) == 169
    assert all(any(record["cls"].startswith(start) for start in GOLDEN) for record in golden["records"])
