"""`make lab-static`: the lab without a server, its engine in the browser; numbers are the library's."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

expect = pytest.importorskip("playwright.sync_api").expect
# As strict as a server can be: the same as the page's own, and no frames.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; base-uri 'none'; "
    "object-src 'none'; frame-ancestors 'none'"
)
TOOL = Path(__file__).parents[3] / "tools" / "lab-static"
SLOW = 240_000  # milliseconds: Python is loaded into the browser, on a machine that may be busy


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm, which fetches Pyodide")
    folder = tmp_path_factory.mktemp("static") / "lab"
    words = [sys.executable, str(TOOL), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if "npm could not fetch" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def page(browser: Any, site: str) -> Iterator[Any]:
    """One page for all tests: Python is loaded once.  Nothing is logged, and nothing asked for elsewhere."""
    context = browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    page, wrong = context.new_page(), []
    page.set_default_timeout(SLOW)
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: None if asked.url.startswith((site, "blob:")) else wrong.append(asked.url))
    page.goto(site + "#arena?seed=3&learner=winnow1&t=41")
    page.wait_for_selector("#trials")
    yield page
    context.close()
    assert wrong == []


def go(page: Any, place: str) -> None:
    page.evaluate(f"location.hash = {place!r}")


def test_a_game_is_played(page: Any) -> None:
    expect(page.locator("#trials")).to_have_text("41", timeout=SLOW)
    teacher = mb.teachers.RandomTarget("monotone-disjunctions n=8 k=2", n=8, trials=42, density=0.3, seed=3)
    learner = mb.Winnow1(n=8)
    ledger = mb.play(learner, teacher)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#trials")).to_have_text("42", timeout=SLOW)
    assert ledger.bound is not None
    assert int(page.inner_text("#mistakes")) == ledger.mistakes
    assert int(page.inner_text("#bound")) == ledger.bound.mistakes
    shown = page.locator(".switch .weight").all_text_contents()
    assert [float(weight.removeprefix("weight ")) for weight in shown] == [learner.weight(str(j)) for j in range(1, 9)]
    assert page.locator(".loading").count() == 0


def test_the_adversary_and_opt(page: Any) -> None:
    go(page, "arena?mode=adversary&learner=halving")
    expect(page.locator("#opt")).to_have_text(str(mb.opt("monotone-disjunctions n=8 k=2").value), timeout=SLOW)


def test_a_version_space(page: Any) -> None:
    go(page, "versions?moves=sunny.strong.warm.1")
    expect(page.locator("#size")).to_have_text("8", timeout=SLOW)


def test_a_line(page: Any) -> None:
    go(page, "lines?points=-0.5,0,0;0.5,0,1")
    expect(page.locator("#separable")).to_have_text("a line exists", timeout=SLOW)


@pytest.mark.parametrize(
    ("place", "where", "missing"),
    [("lines?part=network", "#story", "numpy"), ("trees", "#refused", "numpy"), ("data", "#trouble", "pyarrow")],
)
def test_what_cannot_run_says_so(page: Any, place: str, where: str, missing: str) -> None:
    go(page, place)
    expect(page.locator(where)).to_contain_text(f"needs {missing}, which is not here", timeout=SLOW)
    if place == "trees":  # the other parts are there
        page.get_by_role("button", name="Beliefs").click()
        page.click("#sign-0")
        expect(page.locator("#evidence")).to_have_text("heads", timeout=SLOW)
