"""The kernel as a transformer of scikit-learn, which has to be installed (Debian: python3-sklearn).

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> from kindred.sklearn import WLOAKernel
    >>> alcohols, alkanes = ["CO", "CCO", "CCCO", "CC(O)C"], ["C", "CC", "CCC", "CC(C)C"]
    >>> model = make_pipeline(WLOAKernel(depth=2), SVC(kernel="precomputed"))
    >>> model = model.fit(alcohols + alkanes, [1] * 4 + [0] * 4)
    >>> model.predict(["CCCCO", "CCCC"])
    array([1, 0])
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kindred.convert import Conversion, GraphLike
from kindred.molecule_scheme import MoleculeScheme
from kindred.wloa import KernelSet, Matrix


class WLOAKernel(TransformerMixin, BaseEstimator):
    """Turns graphs into rows of kernel values with the graphs it was fitted to: for SVC(kernel="precomputed") and
    whatever else takes a kernel matrix. Computed here, exactly; no daemon is asked.

    A graph is a SMILES, an RDKit or networkx graph, a dict or two lists (kindred.convert). The parameters are those of
    `kindred.wloa.kernel_matrix`; `measure="cosine"` is the normalised kernel.
    """

    def __init__(self, depth: int = 3, measure: str = "kernel", weights: Optional[Sequence[float]] = None,
                 edge_labels: bool = True, molecules: str = "element,bonds") -> None:
        self.depth = depth
        self.measure = measure
        self.weights = weights
        self.edge_labels = edge_labels
        self.molecules = molecules

    def fit(self, X: Iterable[GraphLike], y: Any = None) -> "WLOAKernel":
        """Keeps the graphs of X, as histograms, to compare others with."""
        conversion = Conversion(self.edge_labels, molecules=MoleculeScheme.parse(self.molecules))
        self.kernel_set_ = KernelSet(X, depth=self.depth, weights=self.weights, measure=self.measure,
                                     conversion=conversion)
        return self

    def fit_transform(self, X: Iterable[GraphLike], y: Any = None, **fit_params: Any) -> Matrix:
        """The kernel matrix of X with itself."""
        return self.fit(X, y).kernel_set_.matrix()

    def transform(self, X: Iterable[GraphLike]) -> Matrix:
        """A row for each graph of X: its kernel with each graph of the fit."""
        check_is_fitted(self, "kernel_set_")
        return self.kernel_set_.compare(X)

    def _more_tags(self) -> "dict[str, object]":
        return {"X_types": ["list"], "requires_fit": True, "no_validation": True}
