"""Whatever people have as a graph, as a Graph; whatever has a name with it, as a Record.

    a Graph                            itself
    a string                           a SMILES
    an rdkit.Chem.Mol                  its atoms and bonds
    a networkx.Graph                   nodes and edges; their labels are the attribute "label" (another on request)
    {"vertices": [...], "edges": ..}   as in JSON lines
    (vertices, edges)                  two lists

An item to be stored needs an id beside that: a Record, a pair (id, graph), a dict with "id" (and "payload", "tags"),
a molecule with a name, a networkx graph with a name; of a lone SMILES the SMILES is the id. The payload of a molecule
is its SMILES.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Tuple, Union

from kindred import molecule
from kindred.errors import InvalidArgument
from kindred.graph import Graph, Record
from kindred.molecule_scheme import MoleculeScheme

#: What can be searched for.
GraphLike = Union[Graph, str, Mapping[str, Any], Any]
#: What can be stored.
RecordLike = Union[Record, str, Mapping[str, Any], Any]

_RECORD_KEYS = {"vertices", "edges", "id", "payload", "tags", "molecule_scheme"}


@dataclass(frozen=True)
class Conversion:
    """How things become graphs.

    `edge_labels=False` leaves the labels of edges out, those of bonds too; `node_label` and `edge_label` name networkx
    attributes; `molecules` is the scheme of molecules, or gives it when the first one comes.
    """

    edge_labels: bool = True
    node_label: str = "label"
    edge_label: str = "label"
    molecules: Union[MoleculeScheme, Callable[[], MoleculeScheme]] = MoleculeScheme()

    def graph(self, what: GraphLike) -> Graph:
        """The graph of anything listed above; InvalidArgument says what is wrong with it."""
        return self.graph_and_scheme(what)[0]

    def graph_and_scheme(self, what: GraphLike) -> Tuple[Graph, str]:
        """With the scheme by which a molecule became one; empty for what is none."""
        if isinstance(what, str):
            return molecule.graph_of_smiles(what, self.scheme()), self.scheme().text
        if molecule.is_molecule(what):
            return molecule.graph_of_molecule(what, self.scheme()), self.scheme().text
        if isinstance(what, Graph):
            return self._with_labels_wanted(what), ""
        if isinstance(what, Record):
            return self._with_labels_wanted(what.graph), what.molecule_scheme
        if _is_networkx(what):
            return self._graph_of_networkx(what), ""
        if isinstance(what, Mapping):
            _check_keys(what)
            if "vertices" not in what:
                raise InvalidArgument("vertices: is missing")
            graph = Graph(what["vertices"], what.get("edges", ()))
            return self._with_labels_wanted(graph), str(what.get("molecule_scheme", ""))
        if isinstance(what, (tuple, list)) and len(what) == 2 and not isinstance(what[0], str):
            return self._with_labels_wanted(Graph(*what)), ""
        raise InvalidArgument(f"{_short(what)} is not a graph: give a SMILES, an RDKit molecule, a networkx graph, "
                              'a dict with "vertices" and "edges", or two lists')

    def record(self, what: RecordLike) -> Record:
        """The record of anything that has a name."""
        if isinstance(what, Record):
            return self._record(what.id, what, what.payload, what.tags)
        if isinstance(what, str):
            return self._record(what.strip(), what, what.strip().encode())
        if isinstance(what, Mapping):
            _check_keys(what)
            if "id" not in what:
                raise InvalidArgument("id: is missing")
            tags = what.get("tags", {})
            if not isinstance(tags, Mapping):
                raise InvalidArgument(f"tags: {_short(tags)} is not a dict")
            return self._record(what["id"], what, what.get("payload", b""), tags)
        if isinstance(what, (tuple, list)) and len(what) == 2 and isinstance(what[0], str):
            return self._named(str(what[0]), what[1])
        name = _name(what)
        if name is None:
            raise InvalidArgument(f"id: {_short(what)} has no name; give a pair (id, graph)")
        return self._named(name, what)

    def scheme(self) -> MoleculeScheme:
        """By which molecules become graphs."""
        found = self.molecules if isinstance(self.molecules, MoleculeScheme) else self.molecules()
        if self.edge_labels or not found.bonds:
            return found
        return MoleculeScheme(found.labels, False, found.hydrogens, found.largest_fragment)

    def _named(self, name: str, what: Any) -> Record:
        if isinstance(what, Record):
            return self._record(name, what, what.payload, what.tags)
        if isinstance(what, Mapping):
            return self.record({**what, "id": name})
        return self._record(name, what, _payload(what))

    def _record(self, id: Any, what: GraphLike, payload: Any, tags: Mapping[str, str] = {}) -> Record:
        graph, scheme = self.graph_and_scheme(what)
        return Record(id, graph, payload, tags, scheme)

    def _with_labels_wanted(self, graph: Graph) -> Graph:
        return graph if self.edge_labels else Graph(graph.vertices, [edge[:2] for edge in graph.edges])

    def _graph_of_networkx(self, graph: Any) -> Graph:
        if graph.is_directed() or graph.is_multigraph():
            raise InvalidArgument(f"{type(graph).__name__}: only simple undirected graphs can be compared")
        number = {node: v for v, node in enumerate(graph.nodes)}
        labels = [label for _, label in graph.nodes(data=self.node_label, default="")]
        return Graph(labels, [(number[a], number[b], label) if self.edge_labels else (number[a], number[b])
                              for a, b, label in graph.edges(data=self.edge_label, default="")])


def _is_networkx(what: Any) -> bool:
    return hasattr(what, "is_multigraph") and hasattr(what, "is_directed") and hasattr(what, "nodes")


def _name(what: Any) -> "str | None":
    if molecule.is_molecule(what):
        return molecule.name_of(what)
    if _is_networkx(what):
        return str(what.name) or None
    return None


def _payload(what: Any) -> bytes:
    if isinstance(what, str):
        return what.strip().encode()
    return molecule.smiles_of(what).encode() if molecule.is_molecule(what) else b""


def _check_keys(what: Mapping[str, Any]) -> None:
    for key in what:
        if key not in _RECORD_KEYS:
            raise InvalidArgument(f"{key!r} is none of the keys {', '.join(sorted(_RECORD_KEYS))}")


def _short(what: Any) -> str:
    text = repr(what)
    return text if len(text) <= 60 else text[:57] + "..."
