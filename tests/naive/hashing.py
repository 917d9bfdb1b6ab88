"""Attribute names hashed into buckets, from the description: one dictionary a row, one for the owners."""

from __future__ import annotations

import math

_ALL = (1 << 64) - 1
Entries = list[tuple[str, float]]


def finish(x: int) -> int:
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & _ALL
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & _ALL
    return x ^ x >> 33


def fingerprint(name: str) -> int:
    if name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < 1 << 63:
        return finish(int(name) ^ 1 << 63)
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = (h ^ byte) * 0x100000001B3 & _ALL
    return finish(h)


def bucket(name: str, bits: int) -> int:
    return (fingerprint(name) >> (64 - bits)) + 1


def hashed_row(entries: Entries, bits: int) -> list[tuple[int, float]] | None:
    """The row over buckets, in the order of their first appearance; None when no learner may take it."""
    names = [name for name, _ in entries]
    if len(set(names)) < len(names):
        return None
    ones = all(value in (0, 1) for _, value in entries)
    row: dict[int, float] = {}
    for name, value in entries:
        place = bucket(name, bits)
        row[place] = max(row.get(place, 0.0), value) if ones else row.get(place, 0.0) + value
    return None if not all(map(math.isfinite, row.values())) else list(row.items())


def collisions(rows: list[Entries], bits: int) -> dict[str, int]:
    owners: dict[int, str] = {}
    shared = set()
    foreign = 0
    for entries in rows:
        for name, _ in entries:
            if owners.setdefault(bucket(name, bits), name) != name:
                shared.add(bucket(name, bits))
                foreign += 1
    return {"bits": bits, "buckets": len(owners), "shared_buckets": len(shared), "foreign_entries": foreign}
