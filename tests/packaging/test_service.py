"""kindredd under a service manager: ready, reloading, stopping, told over NOTIFY_SOCKET."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

from places import KINDRED, KINDREDD


class Service:
    """A daemon whose service manager we are."""

    def __init__(self, directory: Path, config: str, abstract: bool = False) -> None:
        self.directory = directory
        self.config = directory / "kindredd.toml"
        self.config.write_text(f'data-dir = "{directory}/data"\nlisten = ["127.0.0.1:0"]\n' + config)
        name = f"\0kindred-{directory.name}" if abstract else str(directory / "notify")
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(name)
        self.manager.settimeout(60)
        self.log = directory / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [KINDREDD, "--config", str(self.config), "--log-format", "json"],
                env={"NOTIFY_SOCKET": name.replace("\0", "@")},
                stdout=subprocess.PIPE, stderr=log, text=True)

    def told(self) -> dict[str, str]:
        """The next message, but for those that only describe."""
        while True:
            lines = self.manager.recv(4096).decode().splitlines()
            message = dict(line.split("=", 1) for line in lines)
            if set(message) != {"STATUS"}:
                return message

    def address(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().split("listen=")[1].split()[0]

    def messages(self) -> list[str]:
        return [json.loads(line)["message"] for line in self.log.read_text().splitlines()]

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.manager.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, "")
    yield running
    running.end()


def test_says_ready_when_it_serves_and_stopping_when_it_is_told_to(service: Service) -> None:
    ready = service.told()
    assert ready["READY"] == "1"
    stats = subprocess.run([KINDRED, "--server", service.address(), "--json", "stats"], capture_output=True, text=True)
    assert stats.returncode == 0, stats.stderr
    service.process.send_signal(signal.SIGTERM)
    assert service.told()["STOPPING"] == "1"
    assert service.process.wait(60) == 0


def test_says_so_to_a_socket_without_a_file(tmp_path: Path) -> None:
    service = Service(tmp_path, "", abstract=True)
    assert service.told()["READY"] == "1"
    service.end()


def test_reload_takes_the_log_level_and_tells_when_it_is_done(service: Service) -> None:
    assert service.told()["READY"] == "1"
    address = service.address()
    for level in ("debug", "error"):
        service.config.write_text(service.config.read_text().split("log-level")[0] + f'log-level = "{level}"\n')
        service.process.send_signal(signal.SIGHUP)
        reloading = service.told()
        assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) > 0
        assert service.told()["READY"] == "1"
        subprocess.run([KINDRED, "--server", address, "get", f"while-{level}"], capture_output=True)
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(60) == 0
    text = service.log.read_text()
    assert "configuration read again: log-level = debug" in text
    calls = [json.loads(line) for line in text.splitlines() if '"message":"call"' in line]
    assert [call["method"] for call in calls].count("kindred.v1.Index/Get") == 1, "at level error there is none"


def test_reload_of_a_bad_configuration_changes_nothing(service: Service) -> None:
    assert service.told()["READY"] == "1"
    address = service.address()
    service.config.write_text("no-such-key = 1\n")
    service.process.send_signal(signal.SIGHUP)
    assert service.told()["RELOADING"] == "1"
    assert service.told()["READY"] == "1"
    assert subprocess.run([KINDRED, "--server", address, "stats"], capture_output=True).returncode == 0
    assert any(message.startswith("the configuration is refused, and everything stays") for message in service.messages())


def test_runs_without_a_service_manager_and_with_one_that_is_gone(tmp_path: Path) -> None:
    for variable in ("", "nonsense", str(tmp_path / "nobody"), "/" + "x" * 200):
        daemon = subprocess.Popen(
            [KINDREDD, "--data-dir", str(tmp_path / "data"), "--listen", "127.0.0.1:0", "--log-level", "error"],
            env={"NOTIFY_SOCKET": variable}, stdout=subprocess.PIPE, text=True)
        assert daemon.stdout is not None and daemon.stdout.readline().startswith("kindredd ready ")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(60) == 0
