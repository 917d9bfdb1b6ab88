"""The lab behind a server on loopback, and pages of it in Debian's Chromium."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def engine() -> Any:
    from mistakebound.lab import Engine

    engine = Engine(seconds=60)  # a machine that runs tests may be busy
    engine.prepare()
    return engine


@pytest.fixture(scope="session")
def address(engine: Any) -> Iterator[str]:
    uvicorn = pytest.importorskip("uvicorn")
    from mistakebound.lab import app

    server = uvicorn.Server(uvicorn.Config(app(engine), port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 30
    while not server.started and time.monotonic() < end:
        time.sleep(0.02)
    (port,) = {place.getsockname()[1] for part in server.servers for place in part.sockets}
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("there is no chromium: apt-get install -y chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=30_000)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Opens an address of the lab; at the end no error may have been logged and nothing asked for elsewhere."""
    contexts, wrong = [], []

    def opened(place: str = "", *, width: int = 1280, theme: str = "light", motion: str = "reduce") -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=theme, reduced_motion=motion, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith((address, "blob:")) else wrong.append(asked.url))
        page.goto(address + place)
        page.wait_for_selector("html[data-ready]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
