"""Manual pages and completions: made, valid, and complete."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from places import KINDRED, KINDREDD, PACKAGING

PROGRAMS = {"kindredd": (KINDREDD, "8"), "kindred": (KINDRED, "1")}


def said(program: str, *command: str) -> str:
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def flags(text: str) -> set[str]:
    """All long flags that begin a line of a help text, found without help_text."""
    return {flag for line in re.findall(r"^ +(-\S+)", text, re.MULTILINE) for flag in line.split(",") if flag.startswith("--")}


def commands() -> list[str]:
    return re.findall(r"^  (\w+) +\S", said(KINDRED).split("Subcommands:")[1], re.MULTILINE)


def all_flags(name: str) -> set[str]:
    program = PROGRAMS[name][0]
    found = flags(said(program))
    if name == "kindred":
        for command in commands():
            found |= flags(said(program, command))
    return found


def make(script: str, *arguments: str) -> None:
    subprocess.run(["/usr/bin/env", "python3", str(PACKAGING / script), *arguments], check=True)


@pytest.fixture(params=PROGRAMS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_there_are_flags_to_look_for() -> None:
    assert len(all_flags("kindredd")) > 30 and len(all_flags("kindred")) > 40 and len(commands()) >= 15


def test_the_manual_names_every_flag_and_command(name: str, tmp_path: Path) -> None:
    program, section = PROGRAMS[name]
    make("make_man.py", program, "1.2.3", str(PACKAGING / f"man/{name}.{section}.in"), str(tmp_path / "page"))
    page = (tmp_path / "page").read_text().replace("\\-", "-")
    assert "@" not in re.sub(r"\S+@\S+", "", page), "something was not filled in"
    for flag in all_flags(name):
        assert f"\\fB{flag}\\fR" in page, flag
    if name == "kindred":
        for command in commands():
            assert f".SS {command}\n" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_the_manual_is_set_without_a_warning(name: str, tmp_path: Path) -> None:
    program, section = PROGRAMS[name]
    make("make_man.py", program, "1.2.3", str(PACKAGING / f"man/{name}.{section}.in"), str(tmp_path / "page"))
    run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(tmp_path / "page")], capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""


def test_completions_name_every_flag(name: str, tmp_path: Path) -> None:
    for shell in ("bash", "zsh"):
        make("make_completion.py", shell, PROGRAMS[name][0], str(tmp_path / shell))
        text = (tmp_path / shell).read_text()
        for flag in all_flags(name):
            assert re.search(re.escape(flag) + r"(?![\w-])", text), f"{shell}: {flag}"


def complete(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    name = words[0]
    quoted = " ".join(f"'{word}'" for word in words)
    run = subprocess.run(
        ["bash", "-c", f'source "{script}"; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; '
         f'_{name}_complete; printf "%s\\n" "${{COMPREPLY[@]}}"'],
        capture_output=True, text=True, check=True)
    assert run.stderr == ""
    return run.stdout.split()


def test_bash_completes_commands_flags_and_values(tmp_path: Path) -> None:
    script = tmp_path / "kindred"
    make("make_completion.py", "bash", KINDRED, str(script))
    assert complete(script, "kindred", "sea") == ["search"]
    assert set(commands()) <= set(complete(script, "kindred", ""))
    assert complete(script, "kindred", "--ser") == ["--server"]
    assert complete(script, "kindred", "search", "--meas") == ["--measure"]
    assert complete(script, "kindred", "search", "--measure", "co") == ["cosine"]
    assert complete(script, "kindred", "--json", "search", "--mode", "") == ["pruned", "exhaustive"]
    assert complete(script, "kindred", "get", "--measure") == [], "that is not a flag of get"
    assert complete(script, "kindred", "ingest", str(tmp_path / "kin")) == [str(script)], "files"
    daemon = tmp_path / "kindredd"
    make("make_completion.py", "bash", KINDREDD, str(daemon))
    assert complete(daemon, "kindredd", "--log-f") == ["--log-format"]
    assert complete(daemon, "kindredd", "--log-format", "") == ["text", "json"]
    assert complete(daemon, "kindredd", "--config", str(daemon)) == [str(daemon)]
