"""Graphs and records: the package's own types, checked once when they are made.

A graph is simple and undirected; its vertices have labels, its edges may have one. Whoever holds a Graph need not
check it again: sizes alone are left to the daemon, whose limits they are.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Mapping, Sequence, Set, Tuple

from kindred.errors import InvalidArgument
from kindred.v1 import kindred_pb2 as pb

#: Two vertices and the label of their edge; "" is no label.
Edge = Tuple[int, int, str]


@dataclass(frozen=True)
class Graph:
    """A labelled graph.

    Labels are strings (integers are written out), an edge is `(a, b)` or `(a, b, label)`:

    >>> from kindred import Graph
    >>> Graph(["C", "C", "O"], [(0, 1), (1, 2, "single")])
    Graph(vertices=('C', 'C', 'O'), edges=((0, 1, ''), (1, 2, 'single')))
    >>> Graph(["C"], [(0, 1)])
    Traceback (most recent call last):
    kindred.errors.InvalidArgument: edges[0][1]: 1 is not a vertex (the graph has 1)
    """

    vertices: Tuple[str, ...]
    edges: Tuple[Edge, ...] = ()

    def __init__(self, vertices: Iterable[Any], edges: Iterable[Sequence[Any]] = ()) -> None:
        labels = tuple([_label(label, "vertices[%d]", v) for v, label in enumerate(_iterable(vertices, "vertices"))])
        if not labels:
            raise InvalidArgument("vertices: the graph is empty; it needs at least one vertex")
        object.__setattr__(self, "vertices", labels)
        object.__setattr__(self, "edges", _checked_edges(_iterable(edges, "edges"), len(labels)))

    def to_proto(self) -> pb.Graph:
        """The message: labels stand in its table in the order of their first use."""
        table: Dict[str, int] = {}
        vertices = [table.setdefault(label, len(table)) for label in self.vertices]
        ends = [end for a, b, _ in self.edges for end in (a, b)]
        edge_labels: Sequence[int] = ()
        if any(label for _, _, label in self.edges):
            edge_labels = [1 + table.setdefault(label, len(table)) if label else 0 for _, _, label in self.edges]
        return pb.Graph(labels=table, vertices=vertices, edges=ends, edge_labels=edge_labels)

    @classmethod
    def from_proto(cls, message: pb.Graph) -> "Graph":
        labels = message.labels
        ends = message.edges
        names = ["", *labels]
        edge_labels = message.edge_labels or [0] * (len(ends) // 2)
        return cls([labels[v] for v in message.vertices],
                   [(ends[2 * e], ends[2 * e + 1], names[label]) for e, label in enumerate(edge_labels)])


@dataclass(frozen=True)
class Record:
    """A graph with its name and what is kept beside it: a payload (any bytes) and tags."""

    id: str
    graph: Graph
    payload: bytes = b""
    tags: Mapping[str, str] = field(default_factory=dict)
    #: How a molecule became this graph; empty for a graph that is none, or does not say.
    molecule_scheme: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise InvalidArgument(f"id: {self.id!r} is not a string of 1 to 512 bytes")
        if isinstance(self.payload, str):
            object.__setattr__(self, "payload", self.payload.encode())
        elif not isinstance(self.payload, bytes):
            raise InvalidArgument(f"payload: {type(self.payload).__name__} instead of bytes or str")
        for key, value in self.tags.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise InvalidArgument(f"tags[{key!r}]: a tag is a string with a string as its name")

    @property
    def text(self) -> str:
        """The payload as text: for molecules, their SMILES."""
        return self.payload.decode("utf-8", "replace")

    def to_proto(self) -> pb.Record:
        try:
            return pb.Record(id=self.id, graph=self.graph.to_proto(), payload=self.payload,
                             tags=[pb.Tag(key=key, value=value) for key, value in self.tags.items()],
                             molecule_scheme=self.molecule_scheme)
        except (UnicodeError, ValueError) as error:  # Lone surrogates have no UTF-8.
            raise InvalidArgument(f"a string is not UTF-8: {error}") from None

    @classmethod
    def from_proto(cls, message: pb.Record) -> "Record":
        return cls(message.id, Graph.from_proto(message.graph), message.payload,
                   {tag.key: tag.value for tag in message.tags}, message.molecule_scheme)


def _iterable(what: Any, path: str) -> Iterable[Any]:
    if isinstance(what, (str, bytes)) or not hasattr(what, "__iter__"):
        raise InvalidArgument(f"{path}: {type(what).__name__} instead of a list")
    return what  # type: ignore[no-any-return]


def _label(label: Any, path: str, *where: int) -> str:
    if type(label) is str:
        return label
    if isinstance(label, str):  # numpy's, for one
        return str(label)
    try:
        return str(operator.index(label))
    except TypeError:
        raise InvalidArgument(f"{path % where}: a label is a string or an integer, not {label!r}") from None


def _checked_edges(edges: Iterable[Any], vertex_count: int) -> Tuple[Edge, ...]:
    checked = []
    seen: Set[Tuple[int, int]] = set()
    for e, edge in enumerate(edges):
        if isinstance(edge, (str, bytes)) or not hasattr(edge, "__len__") or not 2 <= len(edge) <= 3:
            raise InvalidArgument(f"edges[{e}]: {edge!r} is not (a, b) or (a, b, label)")
        a, b = _end(edge[0], e, 0, vertex_count), _end(edge[1], e, 1, vertex_count)
        if a == b:
            raise InvalidArgument(f"edges[{e}]: joins vertex {a} with itself")
        key = (a, b) if a < b else (b, a)
        if key in seen:
            raise InvalidArgument(f"edges[{e}]: {key[0]} and {key[1]} are joined already")
        seen.add(key)
        checked.append((a, b, _label(edge[2], "edges[%d][2]", e) if len(edge) == 3 else ""))
    return tuple(checked)


def _end(end: Any, edge: int, place: int, vertex_count: int) -> int:
    try:
        vertex = operator.index(end)
    except TypeError:
        raise InvalidArgument(f"edges[{edge}][{place}]: {end!r} is not the number of a vertex") from None
    if not 0 <= vertex < vertex_count:
        raise InvalidArgument(f"edges[{edge}][{place}]: {vertex} is not a vertex (the graph has {vertex_count})")
    return vertex
