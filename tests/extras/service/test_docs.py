"""The examples of docs/service.md, and the names that it gives, on the real server."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from extras.service.running import Running
from mistakebound.service.settings import SETTINGS


def test_the_examples_run(tmp_path: Path, checkout: Path) -> None:
    page = (checkout / "docs" / "service.md").read_text()
    with Running(tmp_path / "models") as running:
        url = running.url.removeprefix("http://")
        shell = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL)).replace("localhost:8765", url)
        assert shell.count("curl") == 9
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", shell], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "no theorem covers the delay" in done.stdout
        (python,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        exec(python.replace("127.0.0.1:8765", url), {})
        (model,) = running.client().models()
        assert (model["name"], model["ledger"]["trials"], model["ledger"]["late"]) == ("spam", 4, 2)


def test_every_setting_is_on_the_page(checkout: Path) -> None:
    page = (checkout / "docs" / "service.md").read_text()
    assert [setting.name for setting in SETTINGS if f"`{setting.name}`" not in page] == []
