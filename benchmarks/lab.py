"""The lab: seconds to the first view in a browser, and of a step; the command is started anew in every round.

python benchmarks/lab.py [--rounds 5]

Debian's Chromium opens the arena on loopback, once right after the command has said its address (everything is imported
for the first time) and once more.  A view is there when its first trial is; a step is a key that shows the next trial,
and a message that plays one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from typing import Any

from _processes import verdict

FIRST, STEP = 1000.0, 50.0  # milliseconds
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
KEY = """() => new Promise((done) => {
  const place = document.getElementById("trials").closest("section");
  const [begun, before] = [performance.now(), document.getElementById("trials").textContent];
  new MutationObserver((_, watching) => {
    if (document.getElementById("trials").textContent === before) return;
    watching.disconnect();
    done((performance.now() - begun) / 1000);
  }).observe(place, { childList: true, subtree: true, characterData: true });
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
})"""
MESSAGE = """async () => {
  const { ask } = await import("./engine.js");
  const { session } = await ask("watch", "start", { seed: 5 });
  const begun = performance.now();
  await ask("watch", "step", { session, steps: 1 });
  return (performance.now() - begun) / 1000;
}"""


def opened(browser: Any, address: str) -> tuple[float, float, float, int]:
    """Seconds to the first trial, of a key, of a message; and how many requests there were."""
    context = browser.new_context(reduced_motion="reduce")
    page, requests = context.new_page(), []
    page.on("request", lambda asked: requests.append(asked.url))
    begun = time.perf_counter()
    page.goto(address + "#arena?seed=3&t=1")
    page.wait_for_selector("#trials")
    first, count = time.perf_counter() - begun, len(requests)
    key, message = page.evaluate(KEY), page.evaluate(MESSAGE)
    context.close()
    return first, key, message, count


def one_round(browser: Any) -> dict[str, float]:
    words = [sys.executable, "-m", "mistakebound", "lab", "--no-browser", "--port", "0"]
    begun = time.perf_counter()
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as lab:
        assert lab.stderr is not None
        found = re.search(r"http://\S+/", lab.stderr.readline())
        assert found
        address = time.perf_counter() - begun
        try:
            cold, *_ = opened(browser, found[0])
            time.sleep(2)  # until all views are imported
            warm, key, message, count = opened(browser, found[0])
        finally:
            lab.terminate()
    return {"address": address, "cold": cold, "warm": warm, "key": key, "message": message, "requests": count}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds: int = parser.parse_args().rounds
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium: apt-get install -y chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
        opened_before = browser.new_context()  # the browser's own start is not ours
        opened_before.new_page().goto("about:blank")
        taken = [one_round(browser) for _ in range(rounds)]
        browser.close()
    best = {name: min(one[name] for one in taken) for name in taken[0]}
    print(
        f"mistakebound lab: {best['address']:.3f} s to its address; {best['requests']:.0f} requests to the first trial"
    )
    print(verdict("milliseconds to the first view, right after the start", FIRST, 1000 * best["cold"], at_most=True))
    print(verdict("milliseconds to the first view", FIRST, 1000 * best["warm"], at_most=True))
    print(verdict("milliseconds of a step by key", STEP, 1000 * best["key"], at_most=True))
    print(verdict("milliseconds of a message that plays a trial", STEP, 1000 * best["message"], at_most=True))


if __name__ == "__main__":
    main()
