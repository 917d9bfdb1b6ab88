"""`explain` as a short rule: by the weights alone, or with files looked for and measured on their rows."""

from __future__ import annotations

from mistakebound.cli.settings import settings_from
from mistakebound.cli.terminal import progress_for
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import quote_name
from mistakebound.core.rule_search import ranks
from mistakebound.io import is_cache, open_stream
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.reader import threads_for
from mistakebound.model.find_rule import find_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.model.model import Model

_NAMES = 3  # of a bucket, that are written


def rule_of(options: Namespace, model: Model) -> tuple[list[tuple[str, str]], dict[str, Any] | None]:
    """What a report says of the short rule, and the same as JSON."""
    learner = model.learner
    if not ranks(learner):
        if options.files:
            hint = " (--row explains one; a model of --fast may have a rule)" if learner.readable == "mixture" else ""
            raise BadParameter(
                f"explain takes no FILE for {learner.name}, which has no short rule{hint}: {options.files[0]!r}"
            )
        return [], None
    if options.files:
        found = measured(options, model)
        files = options.files[0] if len(options.files) == 1 else f"{len(options.files)} files"
        return found.fields(files), found.as_json()
    rule = learner.hypothesis.rule(options.rule)
    how = "`explain MODEL FILE` looks for one on the rows of a file"
    if rule is None:
        return [("short rule", f"none by the weights alone; {how}")], None
    called = called_in(model.settings or {}, rule, {})
    said = [("short rule", rule.text(called)), ("", "(by the weights alone; `explain MODEL FILE` measures it)")]
    return said, rule.as_json(called) | {"chosen": "by the weights alone"}


def measured(options: Namespace, model: Model) -> Any:
    settings = settings_from(options, model.settings)
    same = SameFiles(options.files)
    with open_stream(options.files, settings, unlabelled_ok=True) as reader:
        show = progress_for(reader, None)
        told = None if show is None else lambda count: show.update()
        try:
            threads = threads_for(reader, options.threads)
            found = find_rule(model.learner, reader, terms=options.rule, threads=threads, progress=told)
        finally:
            if show is not None:
                show.close()
    known: dict[str, str] = {}
    if settings.get("hash") and "-" not in options.files and not is_cache(options.files, settings):
        known = names_in(options, settings, found)
        same.check("between two readings of it")
    found.called = called_in(settings, found.rule, known)
    return found


def called_in(settings: dict[str, Any], rule: Any, known: dict[str, str]) -> dict[str, str]:
    """What to write for names that are numbers: buckets by what is known of them, and in a text they are words."""
    if settings.get("hash"):
        return {name: known.get(name) or f"bucket {name}" for name in rule.asked}
    return {name: quote_name(name) for name in rule.asked} if settings.get("format") == "text" else {}


def names_in(options: Namespace, settings: dict[str, Any], found: Any) -> dict[str, str]:
    """The names that are hashed into the buckets of a rule: the files are read once more, with their names."""
    from mistakebound.core.rule import show_name
    from mistakebound.io.hashing import buckets_of

    names: dict[int, dict[str, None]] = {int(bucket): {} for bucket in found.rule.asked}
    with open_stream(options.files, settings | {"hash": None}, unlabelled_ok=True) as reader:
        for block in reader:
            for name, bucket in buckets_of(block, settings["hash"], set(names)):
                names[bucket][name] = None
    called, write = {}, quote_name if settings.get("format") == "text" else show_name
    for bucket, inside in names.items():
        shown = [write(name) for name in list(inside)[:_NAMES]] + ["..."] * (len(inside) > _NAMES)
        if shown:
            called[str(bucket)] = shown[0] if len(shown) == 1 else f"[{' + '.join(shown)}]"
    return called
