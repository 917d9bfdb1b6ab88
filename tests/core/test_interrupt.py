"""Signals that end the work, and what they must not break into."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from mistakebound.core.atomic import Interrupt, Termination


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("ctrl_c", [signal.default_int_handler, signal.SIG_IGN], ids=["as usual", "ignored"])
def test_sigterm_waits_as_ctrl_c_does(ctrl_c: signal.Handlers) -> None:
    before = signal.signal(signal.SIGINT, ctrl_c)
    try:
        with Termination() as asked:
            with Interrupt(later=True) as outer, Interrupt(later=True) as inner:
                os.kill(os.getpid(), signal.SIGTERM)
                assert (outer.pending, inner.pending) == (True, False)
                with pytest.raises(KeyboardInterrupt):
                    os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
            assert asked.number == signal.SIGTERM
        assert signal.getsignal(signal.SIGINT) is ctrl_c
    finally:
        signal.signal(signal.SIGINT, before)
