"""The lab of a service that has tokens: the page asks for one, again when it is wrong, and keeps it for the tab."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from extras.service.running import Running
from mistakebound.service import new_token

expect = pytest.importorskip("playwright.sync_api").expect


def test_a_token_is_asked_for(browser: Any, tmp_path: Path) -> None:
    directory = tmp_path / "models"
    token = new_token(directory, "reader", ["read"])
    with Running(directory) as running:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{running.url}/lab/")
        title = page.get_by_role("dialog").get_by_role("heading")
        expect(title).to_have_text("This service needs a token")
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        field = page.get_by_role("textbox", name="Token")
        expect(field).to_have_value("")  # another dialog
        field.fill(f" {token} ")
        page.keyboard.press("Enter")
        page.wait_for_selector("html[data-ready]")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.reload()
        page.wait_for_selector("html[data-ready]")
        expect(page.get_by_role("dialog")).to_have_count(0)
        context.close()
