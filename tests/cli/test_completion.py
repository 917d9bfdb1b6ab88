from __future__ import annotations

import shutil
import subprocess

import pytest

from mistakebound.cli.commands import COMMANDS, GONE


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_command_is_completed(run, shell):
    result = run("--completion", shell)
    assert result.code == 0
    assert all(command in result.out for command in COMMANDS)
    assert "check-lemmas" in result.out
    assert "conjunction-elimination" in result.out
    assert "decision-tree" in result.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_takes_the_script(run):
    ask = 'COMP_WORDS=(mistakebound exp); COMP_CWORD=1; _shtab_mistakebound; echo "${COMPREPLY[@]}"'
    script = run("--completion", "bash").out + "\n" + ask
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["explain", "export"], done.stderr


def test_another_shell_is_a_usage_error(run):
    assert run("--completion", "fish").code == 2


@pytest.mark.parametrize("command", sorted(GONE))
def test_a_command_that_is_gone_names_the_new_way(run, command):
    result = run(command, "a.csv", "--json")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert f"the command {command} is now `mistakebound " in result.err
