"""The Weisfeiler-Lehman optimal assignment kernel of a few graphs, exactly, without a daemon.

    K(G, H) = sum over levels i <= depth of w_i * sum over level-i colours of min(count in G, count in H)

Level 0 is a vertex's label; level i+1 the one-to-one image of its own level-i colour and the sorted multiset of (edge
label, level-i colour) of its neighbours (docs/exactness.md). A colour is found by its whole signature, so that no
collision is possible; counts are integers, so that the sums are exact.

Cost: refinement is linear in the edges; a matrix takes the square of the graphs that wear a colour, for each colour.
Meant for sets of up to a few thousand graphs, as one classifies them; for more, ask the daemon.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from kindred.convert import Conversion, GraphLike
from kindred.errors import InvalidArgument
from kindred.graph import Graph
from kindred.molecule_scheme import MoleculeScheme

#: As of the daemon's --depth.
DEPTH_MAX = 15
MEASURES = ("kernel", "cosine", "tanimoto")

#: Of each level, how many vertices wear a colour.
Histogram = List[Dict[int, int]]
Matrix = NDArray[np.float64]


class ColourHierarchy:
    """Assigns one colour to each distinct neighbourhood seen; the colours of a level are numbered from 0."""

    def __init__(self, depth: int) -> None:
        if not 0 <= depth <= DEPTH_MAX:
            raise InvalidArgument(f"depth: {depth} is not in 0 to {DEPTH_MAX}")
        self.depth = depth
        self._colours: List[Dict[Any, int]] = [{} for _ in range(depth + 1)]

    def histogram(self, graph: Graph, grow: bool) -> Histogram:
        """The colours of a graph. Without `grow` an unseen one is left out: it matches nothing that was seen."""
        neighbours: List[List[Tuple[str, int]]] = [[] for _ in graph.vertices]
        for a, b, label in graph.edges:
            neighbours[a].append((label, b))
            neighbours[b].append((label, a))
        signatures: List[Any] = list(graph.vertices)
        colours: List[int] = []
        histogram: Histogram = []
        for level, known in enumerate(self._colours):
            if level > 0:
                signatures = [_signature(colours, v, neighbours[v]) for v in range(len(colours))]
            if grow:
                colours = [known.setdefault(signature, len(known)) for signature in signatures]
            else:
                colours = [-1 if signature is None else known.get(signature, -1) for signature in signatures]
            histogram.append(dict(Counter(colour for colour in colours if colour >= 0)))
        return histogram


def _signature(colours: Sequence[int], vertex: int, neighbours: List[Tuple[str, int]]) -> Any:
    """None when a colour in it was never seen: then neither was the signature."""
    around = sorted([(label, colours[other]) for label, other in neighbours], key=lambda pair: (pair[1], pair[0]))
    if colours[vertex] < 0 or (around and around[0][1] < 0):
        return None
    return colours[vertex], tuple(around)


class KernelSet:
    """The graphs that others are compared with: their histograms, inverted, so that a colour gives its wearers."""

    def __init__(self, graphs: Iterable[GraphLike], *, depth: int = 3, weights: Optional[Sequence[float]] = None,
                 measure: str = "kernel", conversion: Conversion = Conversion()) -> None:
        if measure not in MEASURES:
            raise InvalidArgument(f'measure: "{measure}" is none of {", ".join(MEASURES)}')
        self._hierarchy = ColourHierarchy(depth)
        self._weights = _checked_weights(weights, depth)
        self._measure = measure
        self._conversion = conversion
        self._sizes, histograms = self._histograms(graphs, grow=True)
        self._wearers = _invert(histograms, depth)

    def __len__(self) -> int:
        return len(self._sizes)

    def matrix(self) -> Matrix:
        """The square matrix of the graphs themselves."""
        return self._compare(self._sizes, self._wearers)

    def compare(self, graphs: Iterable[GraphLike]) -> Matrix:
        """The matrix of other graphs (rows) with those of the set (columns). The set does not change."""
        sizes, histograms = self._histograms(graphs, grow=False)
        return self._compare(sizes, _invert(histograms, self._hierarchy.depth))

    def _histograms(self, graphs: Iterable[GraphLike], grow: bool) -> Tuple[NDArray[np.int64], List[Histogram]]:
        sizes: List[int] = []
        histograms: List[Histogram] = []
        for place, what in enumerate(graphs):
            try:
                graph = self._conversion.graph(what)
            except InvalidArgument as error:
                raise InvalidArgument(f"graphs[{place}]: {error}") from None
            sizes.append(len(graph.vertices))
            histograms.append(self._hierarchy.histogram(graph, grow))
        return np.array(sizes, dtype=np.int64), histograms

    def _compare(self, row_sizes: NDArray[np.int64], rows: "List[Dict[int, _Wearers]]") -> Matrix:
        kernel = np.zeros((len(row_sizes), len(self._sizes)))
        for weight, row_level, column_level in zip(self._weights, rows, self._wearers):
            if weight == 0:
                continue
            overlap = np.zeros(kernel.shape, dtype=np.int64)
            for colour, (graphs, counts) in row_level.items():
                if colour in column_level:
                    others, other_counts = column_level[colour]
                    overlap[np.ix_(graphs, others)] += np.minimum.outer(counts, other_counts)
            kernel += weight * overlap
        return self._measured(kernel, row_sizes)

    def _measured(self, kernel: Matrix, row_sizes: NDArray[np.int64]) -> Matrix:
        total = float(sum(self._weights))
        if self._measure == "cosine":
            kernel /= total * np.sqrt(np.multiply.outer(row_sizes, self._sizes))
        elif self._measure == "tanimoto":
            kernel /= total * np.add.outer(row_sizes, self._sizes) - kernel
        return kernel


def kernel_matrix(graphs: Iterable[GraphLike], others: Optional[Iterable[GraphLike]] = None, *, depth: int = 3,
                  weights: Optional[Sequence[float]] = None, measure: str = "kernel",
                  edge_labels: bool = True, molecules: str = "element,bonds") -> Matrix:
    """The kernel matrix of graphs with each other or, row by row, with `others`.

    `measure` is "kernel", "cosine" or "tanimoto", as in a search; `weights` has one number a level (default: all 1).
    `molecules` is the scheme by which molecules become graphs (docs/molecules.md), "ecfp,bonds" for one.

    >>> from kindred.wloa import kernel_matrix
    >>> kernel_matrix(["CCO", "CCCO", "c1ccccc1"], depth=3)
    array([[12.,  7.,  2.],
           [ 7., 16.,  3.],
           [ 2.,  3., 24.]])
    >>> kernel_matrix(["CCO"], ["CCO", "CCO.O"], measure="tanimoto")
    array([[1.  , 0.75]])
    """
    conversion = Conversion(edge_labels, molecules=MoleculeScheme.parse(molecules))
    if others is None:
        return KernelSet(graphs, depth=depth, weights=weights, measure=measure, conversion=conversion).matrix()
    return KernelSet(others, depth=depth, weights=weights, measure=measure, conversion=conversion).compare(graphs)


#: The graphs that wear a colour, ascending, and how often.
_Wearers = Tuple[NDArray[np.int64], NDArray[np.int64]]


def _invert(histograms: List[Histogram], depth: int) -> List[Dict[int, _Wearers]]:
    levels: List[Dict[int, Tuple[List[int], List[int]]]] = [{} for _ in range(depth + 1)]
    for graph, histogram in enumerate(histograms):
        for level, counts in zip(levels, histogram):
            for colour, count in counts.items():
                graphs, their_counts = level.setdefault(colour, ([], []))
                graphs.append(graph)
                their_counts.append(count)
    return [{colour: (np.array(graphs), np.array(counts)) for colour, (graphs, counts) in level.items()}
            for level in levels]


def _checked_weights(weights: Optional[Sequence[float]], depth: int) -> Sequence[float]:
    if weights is None:
        return [1.0] * (depth + 1)
    if len(weights) != depth + 1:
        raise InvalidArgument(f"weights: {len(weights)} instead of {depth + 1}, one a level")
    if not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise InvalidArgument("weights: have to be 0 or more, and not all 0")
    return weights
