"""The Debian packages: built, and looked into."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from pathlib import Path

import pytest

from places import BINARY, PACKAGING


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("packages")
    run(os.environ["KINDRED_CPACK"], "--config", str(BINARY / "CPackConfig.cmake"), "-B", str(directory))
    return {path.name.split("_")[0]: path for path in directory.glob("*.deb")}


def files(package: Path) -> dict[str, str]:
    """Paths with their modes."""
    listed = {}
    for line in run("dpkg-deb", "-c", str(package)).splitlines():
        mode, _, _, _, _, path = line.split(maxsplit=5)
        listed[path.removeprefix(".")] = mode
    return listed


def test_there_are_three(packages: dict[str, Path]) -> None:
    assert set(packages) == {"kindredd", "kindred", "python3-kindred"}


def test_each_tells_its_licence_and_its_version(packages: dict[str, Path], tmp_path: Path) -> None:
    for name, package in packages.items():
        run("dpkg-deb", "-x", str(package), str(tmp_path))
        directory = tmp_path / "usr/share/doc" / name
        assert "/usr/share/common-licenses/Apache-2.0" in (directory / "copyright").read_text()
        first = gzip.decompress((directory / "changelog.Debian.gz").read_bytes()).decode().splitlines()[0]
        version = run("dpkg-deb", "-f", str(package), "Version").strip()
        assert first == f"kindred ({version}) unstable; urgency=medium"


def test_the_daemon_comes_as_a_service(packages: dict[str, Path], tmp_path: Path) -> None:
    listed = files(packages["kindredd"])
    for path in ("/usr/bin/kindredd", "/etc/kindred/kindredd.toml", "/lib/systemd/system/kindredd.service",
                 "/usr/share/man/man8/kindredd.8.gz", "/usr/share/bash-completion/completions/kindredd",
                 "/usr/share/zsh/vendor-completions/_kindredd", "/usr/share/kindred/grafana/kindred.json",
                 "/usr/share/doc/kindredd/security.md"):
        assert path in listed, path
    assert listed["/usr/bin/kindredd"] == "-rwxr-xr-x"
    assert listed["/etc/kindred/kindredd.toml"] == "-rw-r--r--"
    assert not any("kindred.1" in path or path.endswith("/kindred") and "/bin/" in path for path in listed)
    run("dpkg-deb", "-e", str(packages["kindredd"]), str(tmp_path))
    assert (tmp_path / "conffiles").read_text() == "/etc/kindred/kindredd.toml\n"
    for script in ("postinst", "prerm", "postrm"):
        assert os.access(tmp_path / script, os.X_OK)
        run("sh", "-n", str(tmp_path / script))


def test_what_they_need_is_named(packages: dict[str, Path]) -> None:
    for name, needs in (("kindredd", ["librocksdb", "libgrpc", "libjemalloc"]), ("kindred", ["librdkit", "libgrpc"]),
                        ("python3-kindred", ["python3-grpcio", "python3-numpy"])):
        depends = run("dpkg-deb", "-f", str(packages[name]), "Depends")
        for need in needs:
            assert need in depends, f"{name}: {depends}"
    assert "librdkit" not in run("dpkg-deb", "-f", str(packages["kindredd"]), "Depends")
    assert run("dpkg-deb", "-f", str(packages["python3-kindred"]), "Architecture").strip() == "all"


def test_the_client_and_the_python_package(packages: dict[str, Path]) -> None:
    listed = files(packages["kindred"])
    assert listed["/usr/bin/kindred"] == "-rwxr-xr-x"
    assert "/usr/share/man/man1/kindred.1.gz" in listed
    listed = files(packages["python3-kindred"])
    for path in ("__init__.py", "py.typed", "v1/kindred_pb2.py"):
        assert f"/usr/lib/python3/dist-packages/kindred/{path}" in listed
    assert not any(path.endswith(".pyc") for path in listed)


def test_what_is_unpacked_runs(packages: dict[str, Path], tmp_path: Path) -> None:
    for package in packages.values():
        run("dpkg-deb", "-x", str(package), str(tmp_path))
    checked = run(str(tmp_path / "usr/bin/kindredd"), "--config", str(tmp_path / "etc/kindred/kindredd.toml"), "--check-config")
    assert checked == "kindredd: the configuration is fine\n"
    assert re.fullmatch(r"kindred \d+\.\d+\.\d+\n", run(str(tmp_path / "usr/bin/kindred"), "--version"))
    assert (tmp_path / "lib/systemd/system/kindredd.service").read_text() == (PACKAGING / "kindredd.service").read_text()


def test_nothing_lies_outside_its_places(packages: dict[str, Path]) -> None:
    for package in packages.values():
        for path in files(package):
            assert path == "/" or path.startswith(("/usr/", "/etc/", "/lib/")), path
