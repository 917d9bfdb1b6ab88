from __future__ import annotations

from array import array

import pytest

from mistakebound.kernels import calibration as kernel
from mistakebound.report.reliability import Reliability

SHARES = array("d", [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.01, 0.99, 1.0, 0.0])
CODES = array("i", [0, 1, 1, 0, 1])


@pytest.mark.parametrize("most", [1, 2, 1 << 16])
def test_counts_do_not_depend_on_how_the_rows_are_cut(most, monkeypatch) -> None:
    whole, parts, rest = Reliability(2), Reliability(2), Reliability(2)
    whole.add(SHARES, CODES)
    monkeypatch.setattr(kernel, "MOST_ROWS", most)
    parts.add(SHARES[:6], CODES[:3])
    rest.add_pair(SHARES[7::2], array("b", CODES[3:]))
    parts.merge(rest)
    assert parts.as_json() == whole.as_json()
    assert parts.rows == 5


def test_what_does_not_fit_together() -> None:
    for shares, codes in ((SHARES[:9], CODES), (SHARES[:3], CODES), (SHARES, array("i", [7] * 5))):
        with pytest.raises(AssertionError, match="probabilities and labels"):
            Reliability(2).add(shares, codes)
