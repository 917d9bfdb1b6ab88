"""The documentation site: it builds without a warning, and its pages keep their promises in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[3]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LOOKED_AT = (  # one of each kind
    "index.html", "start/stream.html", "howto/drift.html", "concepts.html", "learners.html", "theorems.html",
    "gallery.html", "theorem/index.html", "theorem/littlestone-1988-theorem-7.html",
    "theorem/the-arow-theorem-with-a-determinant.html",
    "reference/cli/learn.html", "reference/cli/hunt.html", "reference/learners.html", "reference/exit_codes.html",
    "reference/api/mistakebound.html", "reference/api/sklearn.html", "course/winnow.html", "project/contributing.html",
    "coverage.html", "benchmarks.html",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(made)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return made


class Links(HTMLParser):
    """The addresses on a page (kept apart: what the browser loads by itself), and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: set[str] = set()
        self.linked: set[str] = set()
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := told.get(key))}
        if tag == "a":
            self.linked |= {told["href"]} if told.get("href") else set()
        elif told.get("rel") not in ("canonical", "next", "prev"):
            self.loaded |= {value for key in ("src", "href") if (value := told.get(key))}


def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(site: Path) -> None:
    pages = {path: Links(path.read_text("utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 100
    for path, page in pages.items():
        assert not [url for url in page.loaded if re.match(r"(https?:)?//", url)], path
        for url in page.loaded | page.linked:
            parts = urlsplit(url)
            if parts.scheme:  # another site, or data:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), (path, url)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, (path, url)
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text("utf-8")), style


def test_every_page_can_be_searched_for(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    places = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"theorem/littlestone-1988-theorem-7.html", "reference/cli/learn.html", "course/winnow.html"} <= places
    assert (site / "search" / "search_index.js").exists(), "without it a page that is opened as a file cannot search"


def test_each_option_theorem_and_learner_has_its_place(site: Path) -> None:
    import mistakebound as mb
    from mistakebound.cli.commands import COMMANDS

    for command in COMMANDS:
        helped = subprocess.run(
            [sys.executable, "-m", "mistakebound", command, "--help-all"], capture_output=True, text=True, check=True
        )
        page = (site / "reference" / "cli" / f"{command}.html").read_text("utf-8")
        for option in set(re.findall(r"^ +(--[a-z-]+)", helped.stdout, flags=re.MULTILINE)):
            assert f">{option}" in page, (command, option)
    learners = (site / "reference" / "learners.html").read_text("utf-8")
    names = mb.learners.names()
    assert all(f'id="{name}"' in learners for name in names)
    quoted = {theorem.name for name in names for theorem in mb.learners.find(name).theorems}
    assert len(list((site / "theorem").glob("*.html"))) >= len(quoted) + 1


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        found = tool.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@pytest.fixture(scope="module")
def pages(site: Path, request: pytest.FixtureRequest) -> list[str]:
    """One page of each kind and a sample of the others; with --long all of them."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.name != "404.html")
    if request.config.getoption("--long"):
        return names
    return [*LOOKED_AT, *Random(29).sample([name for name in names if name not in LOOKED_AT], 12)]


@pytest.mark.parametrize(("width", "colours"), [(390, "light"), (1280, "dark")])
def test_no_page_is_wider_than_the_screen(site: Path, pages: list[str], browser: Any, width: int, colours: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=colours)
    page, outside = context.new_page(), []
    page.on("request", lambda request: outside.append(request.url) if re.match("https?:", request.url) else None)
    for name in pages:
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert not outside
    context.close()


def test_the_copy_button_takes_what_can_be_pasted(site: Path, browser: Any) -> None:
    """Commands without prompts and without what they print."""
    page = browser.new_page()
    page.goto((site / "start" / "hunt.html").as_uri())
    page.evaluate("addEventListener('copy', event => { window.copied = event.target.value })")
    buttons = page.locator("button[data-md-type=copy]")
    copied = []
    for number in range(buttons.count()):
        page.evaluate("window.copied = null")
        buttons.nth(number).click()
        page.wait_for_function("window.copied")
        copied.append(page.evaluate("window.copied").splitlines())
    assert len(copied) == 3
    assert [line.split()[0] for line in copied[0]] == ["printf", "seq", "mistakebound"]
    assert copied[1] == ["mistakebound hunt flags options.txt --dry-run -- ./build.sh {}"]
    assert copied[2][0] == "import mistakebound as mb"
    assert not [line for line in copied[2] if line.startswith((">>>", "...", "("))]
    page.close()


def test_the_search_works_on_a_page_that_is_opened_as_a_file(site: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.fill("input[name=query]", "winnow")
    page.wait_for_selector(".md-search-result__link", state="attached")
    assert page.locator(".md-search-result__link").count() > 3
    page.close()


@pytest.mark.parametrize(("width", "colours"), [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_axe_finds_nothing_serious(
    site: Path, pages: list[str], browser: Any, request: pytest.FixtureRequest, width: int, colours: str
) -> None:
    """On some pages all is looked at; what is around the text is the same on the others."""
    axe = (ROOT / "tests" / "extras" / "lab" / "vendor" / "axe.min.js").read_text("utf-8")
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=colours)
    page = context.new_page()
    for name in pages if request.config.getoption("--long") else pages[::2]:
        page.goto((site / name).as_uri())
        page.evaluate(axe)
        where = "document" if name in LOOKED_AT[:3] else "'.md-content'"
        found = page.evaluate(f"axe.run({where}, {{resultTypes: ['violations']}})")["violations"]
        serious = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]
        assert not serious, name
    context.close()
