"""pip installs the package from a checkout without a network; its types hold."""

import os
import shutil
import subprocess
import sys

import pytest

import kindred
from daemon import SOURCE_DIR


@pytest.fixture
def checkout(tmp_path):
    """What the package is built from, copied: pip leaves its traces in the folder it builds."""
    copy = tmp_path / "checkout"
    shutil.copytree(os.path.join(SOURCE_DIR, "client", "python"), copy / "client" / "python",
                    ignore=shutil.ignore_patterns("build", "*.egg-info", "*_pb2*", "_version.py", "__pycache__"))
    shutil.copytree(os.path.join(SOURCE_DIR, "proto"), copy / "proto")
    shutil.copy(os.path.join(SOURCE_DIR, "CMakeLists.txt"), copy)
    return copy


def run(*arguments, **kwargs):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=240, **kwargs)


def test_pip_installs_it_from_a_checkout_without_a_network(checkout, tmp_path, daemon):
    environment = tmp_path / "venv"
    made = run(sys.executable, "-m", "venv", "--system-site-packages", str(environment))
    assert made.returncode == 0, made.stdout + made.stderr
    python = str(environment / "bin" / "python3")
    done = run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--disable-pip-version-check",
               str(checkout / "client" / "python"))
    assert done.returncode == 0, done.stdout + done.stderr
    program = ("import kindred, os, sys; client = kindred.Client(sys.argv[1]); "
               "client.put([('x', (['a'], []))]); print(kindred.__version__, client.search(id='x').ids, "
               "os.path.exists(os.path.join(os.path.dirname(kindred.__file__), 'py.typed')), kindred.__file__)")
    used = run(python, "-c", program, daemon.address, cwd=tmp_path)
    assert used.returncode == 0, used.stderr
    assert used.stdout.startswith(f"{kindred.__version__} ['x'] True {environment}")
    listed = run(python, "-m", "pip", "show", "kindred")
    assert f"Version: {kindred.__version__}\n" in listed.stdout


def test_outside_of_a_checkout_it_says_what_is_missing(checkout):
    shutil.rmtree(checkout / "proto")
    done = run(sys.executable, "generate.py", "out", cwd=checkout / "client" / "python")
    assert done.returncode != 0
    assert "proto/kindred/v1/kindred.proto is not there: the package is built from a checkout" in done.stderr


def test_the_package_does_not_need_rdkit_networkx_or_scikit_learn():
    program = ("import sys; sys.modules.update(dict.fromkeys(['rdkit', 'networkx', 'sklearn'])); import kindred, "
               "kindred.wloa; print(kindred.wloa.kernel_matrix([(['a'], [])], depth=0)); "
               "kindred.Conversion().graph('C')")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[[1.]]\n"
    assert "ImportError: molecules need RDKit: apt install python3-rdkit" in done.stderr


def test_types(tmp_path):
    mypy = shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"])
    if mypy is None:
        pytest.skip("SKIPPED: mypy is not installed")
    package = os.path.dirname(kindred.__file__)
    done = subprocess.run([mypy, "--config-file", os.path.join(SOURCE_DIR, "client", "python", "pyproject.toml"),
                           "--cache-dir", str(tmp_path), "-p", "kindred"],
                          cwd=os.path.dirname(package), capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
