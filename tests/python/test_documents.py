"""The pages that say so do what they say."""

import os
import socket

import pytest

from daemon import KINDRED, KINDREDD, SOURCE_DIR
from documents import Shell, run_document

pytest.importorskip("rdkit", reason="SKIPPED: RDKit is not installed (python3-rdkit)")
pytest.importorskip("sklearn", reason="SKIPPED: scikit-learn is not installed (python3-sklearn)")


def document(name):
    return os.path.join(SOURCE_DIR, "docs", name)


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """A folder that looks like the top of a checkout with a build in it."""
    os.symlink(os.path.join(SOURCE_DIR, "examples"), tmp_path / "examples")
    for program, place in ((KINDREDD, "daemon"), (KINDRED, "client/cli")):
        folder = tmp_path / "build" / "release" / place
        folder.mkdir(parents=True)
        os.symlink(program, folder / os.path.basename(program))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_about_python(daemon, scratch, monkeypatch):
    monkeypatch.setenv("KINDRED_SERVER", daemon.address)
    run, compared = run_document(document("python.md"), None)
    assert run >= 9 and compared >= 8


def test_the_tour(scratch, monkeypatch):
    # The page uses the default port; a test must not, and need not: both programs take it from the environment.
    address = f"unix:{scratch}/tour.sock"
    monkeypatch.setenv("KINDRED_LISTEN", address)
    monkeypatch.setenv("KINDRED_SERVER", address)
    shell = Shell(scratch, dict(os.environ))
    try:
        run, compared = run_document(document("tour.md"), shell)
    finally:
        shell.close()
    assert run >= 10 and compared >= 8


@pytest.mark.parametrize("name, run_least, compared_least", [("dedup", 9, 8), ("recommend", 7, 5), ("watch", 8, 4)])
def test_the_pages_with_a_daemon_of_their_own(scratch, monkeypatch, name, run_least, compared_least):
    address = f"unix:{scratch}/{name}.sock"
    monkeypatch.setenv("KINDRED_LISTEN", address)
    monkeypatch.setenv("KINDRED_SERVER", address)
    shell = Shell(scratch, dict(os.environ))
    try:
        run, compared = run_document(document(f"{name}.md"), shell)
    finally:
        shell.close()
    assert run >= run_least and compared >= compared_least


def test_the_page_about_security(scratch, monkeypatch):
    # TLS is for the network, so this page needs a port: a free one, instead of the default.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("KINDRED_LISTEN", address)
    monkeypatch.setenv("KINDRED_SERVER", address)
    shell = Shell(scratch, dict(os.environ))
    try:
        run, compared = run_document(document("security.md"), shell)
    finally:
        shell.close()
    assert run >= 8 and compared >= 5


def test_output_that_differs_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    with pytest.raises(AssertionError, match="page.md:2 prints\n1\n"):
        run_document(str(page), None)


def test_a_command_that_fails_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\ntrue\n```\n\n```sh\nfalse\necho not reached\n```\n")
    shell = Shell(tmp_path, dict(os.environ))
    with pytest.raises(AssertionError, match="a command of this block failed:\nfalse"):
        run_document(str(page), shell)
    shell.close()
