"""What the tests share. The environment comes from CMake (tests/python/CMakeLists.txt)."""

import itertools

import pytest

import kindred
from daemon import Daemon


@pytest.fixture
def start(tmp_path):
    """Starts daemons that end with the test."""
    daemons = []
    numbers = itertools.count()

    def start_one(*flags, **kwargs):
        daemons.append(Daemon(tmp_path / f"data{next(numbers)}", *flags, **kwargs))
        return daemons[-1]

    yield start_one
    for daemon in daemons:
        daemon.kill()


@pytest.fixture
def daemon(start):
    return start()


@pytest.fixture
def client(daemon):
    with kindred.Client(daemon.address) as client:
        yield client
