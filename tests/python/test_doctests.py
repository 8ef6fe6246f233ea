"""The examples of the docstrings, against a real daemon."""

import doctest
import importlib
import pkgutil

import pytest

import kindred

MODULES = sorted(module.name for module in pkgutil.iter_modules(kindred.__path__))
WITH_EXAMPLES = {
    "client",
    "errors",
    "graph",
    "molecule",
    "molecule_scheme",
    "novelty",
    "pairs",
    "recommend",
    "sklearn",
    "watch",
    "wloa",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, daemon, monkeypatch):
    if name == "sklearn":
        pytest.importorskip("sklearn", reason="SKIPPED: scikit-learn is not installed (python3-sklearn)")
    monkeypatch.setenv("KINDRED_SERVER", daemon.address)
    module = importlib.import_module(f"kindred.{name}")
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, f"kindred.{name}")
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.failures == 0
    assert (runner.tries > 0) == (name in WITH_EXAMPLES)
