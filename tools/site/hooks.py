"""What mkdocs calls while it builds the site: adds the generated pages, mends links that leave docs/."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import benchmark_pages  # noqa: E402
import cli_pages  # noqa: E402
import course_pages  # noqa: E402
import reference_pages  # noqa: E402
import theorem_pages  # noqa: E402
from gallery_page import with_pictures  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402

# Files outside of docs/ that are pages too, and where they are on the site.
OUTSIDE = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmark_scripts.md",
}
REFERENCE = {
    "Formats": "formats.md",
    "Tables": "tables.md",
    "Python: Model": "model.md",
    "scikit-learn, River, frames": "python_tools.md",
    "Long work": "long_work.md",
    "Export": "export.md",
    "Files and names": "files.md",
    "Threads": "threads.md",
    "The public names": "api.md",
}
PROJECT = {
    "Architecture": "architecture.md",
    "Benchmarks": "benchmarks.md",
    "Coverage": "coverage.md",
    "References": "references.md",
}
THEORY = {
    "Proofs": "theorems.md",
    "Games that meet the bounds": "bounds_met.md",
    "Exact numbers of classes": "exact_theory.md",
    "Adversaries and queries": "adversaries.md",
    "Bandit feedback": "feedback.md",
    "Sample sizes": "samples.md",
}
_MENTION = re.compile(r"(?<![\w/(\[`])docs/(\w+)\.md(?![\w)`])")
_FILE_NAME = re.compile(r"\[(\w+)\.md\]\((\w+\.md)")
_generated: dict[str, str] = {}


def on_config(config: Any) -> Any:
    """Put the generated pages into the navigation."""
    _generated.clear()
    theorems = _take(theorem_pages.pages())
    commands = _take(cli_pages.pages())
    modules = _take(reference_pages.api_pages())
    course = _take(course_pages.pages())
    scripts = _take(benchmark_pages.pages())
    _generated["reference/learners.md"] = reference_pages.learners_page()
    _generated["reference/exit_codes.md"] = reference_pages.exit_codes_page()
    for name, path in OUTSIDE.items():
        _generated[path] = _moved((ROOT / name).read_text("utf-8"), Path(name).parent)
    listed = {
        "Theorems": [{"All theorems": "theorem/index.md"}, *_entries(THEORY), *theorems[1:]],
        "Reference": [
            {"Commands": commands}, {"Exit codes": "reference/exit_codes.md"}, {"Learners": "reference/learners.md"},
            *_entries(REFERENCE), *_others(config.nav), {"API": modules},
        ],
        "Course": [{"The course": "course/README.md"}, *course],
        "Project": [
            {"Contributing": OUTSIDE["CONTRIBUTING.md"]}, *_entries(PROJECT),
            {"Benchmark scripts": [{"All scripts": OUTSIDE["benchmarks/README.md"]}, *scripts]},
            {"Changes": OUTSIDE["CHANGELOG.md"]},
            {"Security": OUTSIDE["SECURITY.md"]},
        ],
    }  # fmt: skip
    for part in config.nav:
        ((title, pages),) = part.items()
        if title in listed and pages == []:
            part[title] = listed[title]
    return config


def _take(pages: Iterable[tuple[str, str, str]]) -> list[dict[str, str]]:
    """Keep the text of pages; their entries in the navigation."""
    entries = []
    for path, title, text in pages:
        _generated[path] = text
        entries.append({title: path})
    return entries


def _others(nav: list[Any]) -> list[dict[str, str]]:
    """Pages of docs that nothing above names: each has its own heading for a title."""
    named = {*re.findall(r"[\w/]+\.md", str(nav)), *REFERENCE.values(), *PROJECT.values(), *THEORY.values()}
    pages = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name not in named)
    return [{path.read_text("utf-8").partition("\n")[0].lstrip("# "): path.name} for path in pages]


def _entries(pages: dict[str, str]) -> list[dict[str, str]]:
    return [{title: path} for title, path in pages.items()]


def on_files(files: Files, config: Any) -> Files:
    for path, text in _generated.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links to notebooks and to files outside of docs lead to their pages; mentions of a page become links."""
    path = page.file.src_uri
    up = "../" * path.count("/")
    if path not in _generated:
        for name, place in OUTSIDE.items():
            markdown = markdown.replace(f"]({up}../{name})", f"]({up}{place})")
    if path == "course/README.md":
        markdown = markdown.replace(".ipynb)", ".md)")
    if path == "gallery.md":
        markdown = with_pictures(markdown)
    if path in ("benchmarks.md", OUTSIDE["benchmarks/README.md"]):
        markdown = benchmark_pages.table_linked(
            markdown, "project/benchmark/" if path == "benchmarks.md" else "benchmark/"
        )
    markdown = re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)  # a session, with prompts
    markdown = _FILE_NAME.sub(lambda at: f"[{at[1].replace('_', ' ')}]({at[2]}", markdown)
    return _outside_fences(markdown, lambda text: benchmark_pages.linked(_mentions(text, up), up))


def _mentions(text: str, up: str) -> str:
    return _MENTION.sub(lambda at: f"[{at[0]}]({up}{at[1]}.md)", text)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """The theme's search is a dialog without a name."""
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )


def _outside_fences(markdown: str, change: Any) -> str:
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part.replace("```python\n>>>", "```pycon\n>>>", 1) if at % 2 else change(part) for at, part in enumerate(parts)
    )


def _moved(text: str, folder: Path) -> str:
    """The text of a file outside of docs with links as from the folder `project` of the site."""

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        name = (ROOT / folder / target).resolve().relative_to(ROOT).as_posix()
        if name in OUTSIDE:
            return f"[{words}]({Path(OUTSIDE[name]).name}{anchor})"
        if name.startswith("docs/"):
            return f"[{words}](../{name.removeprefix('docs/')}{anchor})"
        return f"`{name}`"  # a file that is no page

    return re.sub(r"\[([^\]]*)\]\(((?!https?:)[^)#]+)(#[^)]*)?\)", link, text)
