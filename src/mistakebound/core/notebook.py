"""How results show themselves in notebooks: the page is made in `report/notebook.py`, a layer above."""

from __future__ import annotations


class NotebookView:
    """Gives a class `_repr_html_`, which Jupyter and VS Code call."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from importlib import import_module

        made: str = import_module("mistakebound.report.notebook").html_of(self)
        return made
