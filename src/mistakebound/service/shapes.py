"""What a body may be, declared once as JSON Schema: requests are checked by it, and the OpenAPI document shows it."""

from __future__ import annotations

import re

from mistakebound.core.errors import shown
from mistakebound.service.problems import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Shape = dict[str, Any]

_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
TEXT: Shape = {"type": "string"}
FLAG: Shape = {"type": "boolean"}
COUNT: Shape = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}
VALUE: Shape = {"type": ["string", "number", "boolean"]}
LABEL: Shape = VALUE | {"description": "a label of the model"}
WEIGHT: Shape = {"type": "number", "exclusiveMinimum": 0, "maximum": 1e9, "default": 1}
ROW: Shape = {
    "type": ["object", "string", "array"],
    "description": "a raw row: an object of features, a text or a line, or cells in the order of the columns",
}


def listed(of: Shape, least: int = 0, most: int | None = None) -> Shape:
    return {"type": "array", "items": of, "minItems": least, **({} if most is None else {"maxItems": most})}


def record(properties: dict[str, Shape], *required: str, **more: Any) -> Shape:
    """An object with these members and no others."""
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    return shape | ({"required": list(required)} if required else {}) | more


def check(value: Any, shape: Shape, where: str = "the body") -> None:
    """Problem 422 for a value that the shape does not allow: one sentence with the place.

    >>> check({"label": []}, record({"label": LABEL}))
    Traceback (most recent call last):
    mistakebound.service.problems.Problem: label must be a string, a number or a boolean: []
    """
    kinds = shape.get("type")
    if kinds is not None:
        names = [kinds] if isinstance(kinds, str) else kinds
        if not any(_is(value, name) for name in names):
            raise Problem(422, f"{where} must be {_either(names)}: {shown(value)}")
    if "enum" in shape and value not in shape["enum"]:
        raise Problem(422, f"{where} must be one of {', '.join(map(str, shape['enum']))}: {shown(value)}")
    if isinstance(value, dict):
        _check_members(value, shape, where)
    elif isinstance(value, list):
        if not shape.get("minItems", 0) <= len(value) <= shape.get("maxItems", len(value)):
            most = shape.get("maxItems")
            rule = f"at least {shape['minItems']}" + ("" if most is None else f" and at most {most}")
            raise Problem(422, f"{where} must have {rule} items: it has {len(value)}")
        if "items" in shape:
            for place, item in enumerate(value):
                check(item, shape["items"], f"{where}[{place}]")
    elif isinstance(value, str):
        if len(value) > shape.get("maxLength", len(value)) or not re.search(shape.get("pattern", ""), value):
            raise Problem(422, f"{where} is too long or does not match {shape.get('pattern', 'its length')}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        _check_range(value, shape, where)


def _check_members(value: dict[str, Any], shape: Shape, where: str) -> None:
    properties = shape.get("properties")
    if properties is None:
        return
    for name in shape.get("required", ()):
        if name not in value:
            raise Problem(422, f"{where} must have a member {name!r}")
    for name, member in value.items():
        if name in properties:
            check(member, properties[name], name)
        elif not shape.get("additionalProperties", True):
            raise Problem(422, f"{where} has no member {shown(name)}, only {', '.join(properties)}")


def _check_range(value: float, shape: Shape, where: str) -> None:
    if value <= shape.get("exclusiveMinimum", value - 1) or value < shape.get("minimum", value):
        least = shape.get("minimum", shape.get("exclusiveMinimum"))
        raise Problem(422, f"{where} must be {'>=' if 'minimum' in shape else '>'} {least}: {shown(value)}")
    if value > shape.get("maximum", value):
        raise Problem(422, f"{where} must be at most {shape['maximum']:g}: {shown(value)}")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _KINDS[kind])


def _either(names: list[str]) -> str:
    words = [f"an {name}" if name[0] in "aio" else f"a {name}" for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
