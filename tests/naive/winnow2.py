"""Winnow2 from Littlestone's table: as Winnow1, but a false positive divides by alpha."""

from __future__ import annotations

from naive.winnow1 import NaiveWinnow1


class NaiveWinnow2(NaiveWinnow1):
    def punish(self, active: set[str], weight: int) -> None:
        for name in active:
            self.w[name] /= self.alpha**weight
