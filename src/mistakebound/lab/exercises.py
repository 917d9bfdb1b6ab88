"""Exercises: those of the course, asked and marked; how far somebody is, only the browser knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound import course

if TYPE_CHECKING:
    from mistakebound.lab.request import Request


def listed(request: Request) -> dict[str, Any]:
    """All exercises, in order."""
    return {"exercises": [exercise.as_json() for exercise in course.exercises()]}


def check(request: Request) -> dict[str, Any]:
    """Mark an answer."""
    mark = course.check(request.text("id", 60), request.text("answer", 400))
    return {"right": mark.right, "message": str(mark)}
