"""The kernel as scikit-learn uses it."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="SKIPPED: scikit-learn is not installed (python3-sklearn)")
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

from kindred import Graph  # noqa: E402
from kindred.sklearn import WLOAKernel  # noqa: E402
from kindred.wloa import kernel_matrix  # noqa: E402
from shared_data import read_tu  # noqa: E402


def rings_and_paths():
    sizes = range(3, 13)
    rings = [Graph(["a"] * n, [(i, (i + 1) % n) for i in range(n)]) for n in sizes]
    paths = [Graph(["a"] * n, [(i, i + 1) for i in range(n - 1)]) for n in sizes]
    return rings + paths, [1] * len(rings) + [0] * len(paths)


def test_fit_and_transform_are_the_kernel():
    graphs, _ = rings_and_paths()
    kernel = WLOAKernel(depth=2, measure="cosine")
    assert np.array_equal(kernel.fit_transform(graphs), kernel_matrix(graphs, depth=2, measure="cosine"))
    assert np.array_equal(kernel.transform(graphs[:3]), kernel.fit_transform(graphs)[:3])
    assert np.array_equal(kernel.fit(graphs[:4]).transform(graphs), kernel_matrix(graphs, graphs[:4], depth=2,
                                                                                  measure="cosine"))


def test_parameters_follow_the_rules_of_estimators():
    kernel = WLOAKernel(depth=1, weights=[1, 2])
    assert kernel.get_params() == {"depth": 1, "measure": "kernel", "weights": [1, 2], "edge_labels": True,
                                   "molecules": "element,bonds"}
    twin = clone(kernel).set_params(depth=2, weights=None)
    assert (twin.depth, twin.weights, kernel.depth) == (2, None, 1)
    with pytest.raises(ValueError):
        kernel.set_params(deep=1)
    with pytest.raises(NotFittedError):
        kernel.transform([Graph(["a"])])


def test_a_fitted_model_can_be_pickled():
    graphs, classes = rings_and_paths()
    model = make_pipeline(WLOAKernel(), SVC(kernel="precomputed")).fit(graphs, classes)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(graphs), model.predict(graphs))


def test_a_pipeline_learns_and_can_be_searched_over():
    graphs, classes = rings_and_paths()
    pipeline = Pipeline([("kernel", WLOAKernel()), ("svc", SVC(kernel="precomputed"))])
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    search = GridSearchCV(pipeline, {"kernel__depth": [0, 2], "kernel__measure": ["kernel", "tanimoto"],
                                     "svc__C": [1, 100]}, cv=folds)
    search.fit(graphs, classes)
    assert search.best_params_["kernel__depth"] == 2
    assert search.best_score_ >= 0.8


def test_mutag_is_classified_about_as_well_as_published():
    graphs, classes = read_tu("MUTAG")
    model = make_pipeline(WLOAKernel(depth=3), SVC(kernel="precomputed", C=1))
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    accuracy = cross_val_score(model, graphs, classes, cv=folds).mean()
    print(f"MUTAG, 10 folds: {accuracy:.3f}")
    assert 0.80 < accuracy < 0.95  # 0.845 in the paper, averaged over many splits.
