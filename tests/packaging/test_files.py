"""The files beside the programs: the configuration, the unit, the Dockerfile."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

import help_text
from places import KINDREDD, PACKAGING, SOURCE


def test_the_configuration_that_is_shipped_is_accepted() -> None:
    run = subprocess.run([KINDREDD, "--config", str(PACKAGING / "kindredd.toml"), "--check-config"],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_the_configuration_has_the_defaults_where_it_says_so() -> None:
    config = dict(re.findall(r"^([a-z-]+) = (.*)$", (PACKAGING / "kindredd.toml").read_text(), re.MULTILINE))
    defaults = {name: option.default for option in help_text.of(KINDREDD).options for name in option.names}
    for key in ("log-level", "log-format", "drain-seconds"):
        assert config[key].strip('"') == defaults["--" + key]
    assert "127.0.0.1" in config["listen"] and "127.0.0.1" in config["http-listen"], "loopback unless told"


def test_the_unit_gives_what_the_daemon_relies_on() -> None:
    unit = dict(re.findall(r"^(\w+)=(.*)$", (PACKAGING / "kindredd.service").read_text(), re.MULTILINE))
    assert unit["Type"] == "notify"
    assert unit["DynamicUser"] == "yes" and unit["StateDirectory"] == "kindred"
    assert 'data-dir = "/var/lib/kindred"' in (PACKAGING / "kindredd.toml").read_text()
    assert "/etc/kindred/kindredd.toml" in unit["ExecStart"]
    drain = int(re.findall(r"^drain-seconds = (\d+)", (PACKAGING / "kindredd.toml").read_text(), re.MULTILINE)[0])
    assert int(unit["TimeoutStopSec"]) > drain
    assert unit["RestartPreventExitStatus"].split() == ["64", "65", "73"]
    assert "ExecStartPre" not in unit, "RestartPreventExitStatus does not look at its exit code"
    assert {"MemoryMax", "LimitNOFILE", "SystemCallFilter"} <= set(unit)


def test_a_reload_is_checked_before_it_is_done() -> None:
    reload = re.findall(r"^ExecReload=(.*)$", (PACKAGING / "kindredd.service").read_text(), re.MULTILINE)
    assert reload[0].endswith("--check-config") and reload[1].endswith("-HUP $MAINPID")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze")
def test_the_unit_is_hardened() -> None:
    run = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20",
                          str(PACKAGING / "kindredd.service")], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-400:] + run.stderr


def test_the_dockerfile_is_made_of_instructions_and_names_what_is_there() -> None:
    text = (PACKAGING / "Dockerfile").read_text().replace("\\\n", " ")
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"}
    instructions = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert instructions[0].startswith("FROM ")
    stages = re.findall(r"^FROM \S+ AS (\w+)", text, re.MULTILINE)
    for line in instructions:
        word, _, rest = line.partition(" ")
        assert word in known, line
        if word == "COPY" and rest.startswith("--from="):
            assert rest.split()[0].removeprefix("--from=") in stages
        elif word == "COPY":
            assert (SOURCE / rest.split()[0]).exists(), line
        elif word in ("ENTRYPOINT", "CMD"):  # As lists: a shell would take the signal that stops it.
            assert re.fullmatch(r'\["[^"]*"(, "[^"]*")*\]', rest), line


def test_the_image_begins_with_an_empty_data_directory() -> None:
    text = (PACKAGING / "Dockerfile").read_text()
    assert "--no-create-home" in text, "what useradd puts into a home makes kindredd refuse it"
    assert "install -d -o kindred -g kindred -m 700 /var/lib/kindred" in text


def test_the_image_is_not_built_from_a_build_of_another_place() -> None:
    assert {"build", "kindred-data"} <= set((SOURCE / ".dockerignore").read_text().split())


def test_the_command_that_runs_the_image_is_accepted() -> None:
    text = (PACKAGING / "Dockerfile").read_text()
    command = next(line for line in text.splitlines() if "docker run" in line)
    run = subprocess.run([KINDREDD, "--config", str(PACKAGING / "kindredd.toml"), "--check-config"],
                         env=dict(re.findall(r"-e (\w+)=(\S+)", command)), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
