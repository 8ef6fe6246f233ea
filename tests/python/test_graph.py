"""Graphs and records from whatever people have."""

import pickle

import numpy as np
import pytest

import kindred
from kindred import Conversion, Graph, InvalidArgument, Record


def graph_of(what, **kwargs):
    return Conversion(**kwargs).graph(what)


def test_plain_lists_and_dicts_give_the_same_graph():
    expected = Graph(("a", "b"), ((0, 1, "x"),))
    assert graph_of((["a", "b"], [(0, 1, "x")])) == expected
    assert graph_of([["a", "b"], [[0, 1, "x"]]]) == expected
    assert graph_of({"vertices": ["a", "b"], "edges": [[0, 1, "x"]]}) == expected
    assert graph_of(Graph(np.array(["a", "b"]), [np.array([0, 1], dtype=object).tolist() + ["x"]])) == expected


def test_integers_are_labels_and_numpy_integers_are_vertices():
    graph = Graph([6, np.int32(8)], np.array([[0, 1]]))
    assert graph == Graph(("6", "8"), ((0, 1, ""),))


@pytest.mark.parametrize("vertices, edges, message", [
    ([], [], "vertices: the graph is empty"),
    ("CO", [], "vertices: str instead of a list"),
    (5, [], "vertices: int instead of a list"),
    ([1.5], [], r"vertices\[0\]: a label is a string or an integer, not 1.5"),
    (["a", None], [], r"vertices\[1\]: a label is a string or an integer, not None"),
    (["a", "b"], [(0,)], r"edges\[0\]: \(0,\) is not"),
    (["a", "b"], [(0, 1), 7], r"edges\[1\]: 7 is not"),
    (["a", "b"], ["01"], r"edges\[0\]: '01' is not"),
    (["a", "b"], [(0, 2)], r"edges\[0\]\[1\]: 2 is not a vertex \(the graph has 2\)"),
    (["a", "b"], [(-1, 1)], r"edges\[0\]\[0\]: -1 is not a vertex"),
    (["a", "b"], [(0, "1")], r"edges\[0\]\[1\]: '1' is not the number of a vertex"),
    (["a", "b"], [(1, 1)], r"edges\[0\]: joins vertex 1 with itself"),
    (["a", "b"], [(0, 1), (1, 0)], r"edges\[1\]: 0 and 1 are joined already"),
    (["a", "b"], [(0, 1, 0.5)], r"edges\[0\]\[2\]: a label is a string or an integer, not 0.5"),
])
def test_what_is_no_graph_is_refused_with_its_place(vertices, edges, message):
    with pytest.raises(InvalidArgument, match=message):
        Graph(vertices, edges)


def test_messages_and_back():
    graph = Graph(["N", "C", "C"], [(1, 0, "single"), (1, 2), (0, 2, "C")])
    message = graph.to_proto()
    assert list(message.labels) == ["N", "C", "single"]
    assert list(message.edge_labels) == [3, 0, 2]
    assert Graph.from_proto(message) == graph
    assert list(Graph(["C", "C"], [(0, 1)]).to_proto().edge_labels) == []
    record = Record("x", graph, "text", {"a": "b"})
    assert record.payload == b"text" and record.text == "text"
    assert Record.from_proto(record.to_proto()) == record


@pytest.mark.parametrize("item, message", [
    ({"vertices": ["C"]}, "id: is missing"),
    ({"id": "x", "edges": []}, "vertices: is missing"),
    ({"id": "x", "vertices": ["C"], "colour": 1}, "'colour' is none of the keys"),
    ({"id": "x", "vertices": ["C"], "tags": ["a"]}, "tags: .* is not a dict"),
    ({"id": "x", "vertices": ["C"], "tags": {"a": 1}}, r"tags\['a'\]"),
    ({"id": "x", "vertices": ["C"], "payload": 7}, "payload: int instead of bytes or str"),
    ({"id": 7, "vertices": ["C"]}, "id: 7 is not a string"),
    (("", "C"), "id: '' is not a string"),
    ((["C"], []), "has no name; give a pair"),
    (42, "42 has no name"),
    (("x", 42), "42 is not a graph"),
    (("x", ["C", "C", "C"]), "is not a graph"),
])
def test_what_is_no_record_is_refused(item, message):
    with pytest.raises(InvalidArgument, match=message):
        Conversion().record(item)


def test_a_string_that_is_not_utf8_is_refused():
    with pytest.raises(InvalidArgument, match="not UTF-8"):
        Record("\ud800", Graph(["C"])).to_proto()


def test_pairs_keep_what_stands_beside_the_graph():
    record = Record("x", Graph(["C"]), b"p", {"t": "u"})
    assert Conversion().record(("y", record)) == Record("y", record.graph, b"p", {"t": "u"})
    assert Conversion().record(("y", {"vertices": ["C"], "payload": "p"})) == Record("y", record.graph, b"p")
    assert Conversion().record(record) == record


def test_edge_labels_can_be_left_out():
    assert graph_of((["a", "b"], [(0, 1, "x")]), edge_labels=False) == Graph(["a", "b"], [(0, 1)])


def test_networkx_graphs():
    networkx = pytest.importorskip("networkx", reason="SKIPPED: networkx is not installed (python3-networkx)")
    graph = networkx.Graph(name="acid")
    graph.add_node("u", label="C", kind="x")
    graph.add_node("v", label=8)
    graph.add_node("w")
    graph.add_edge("v", "u", label="double", order=2)
    graph.add_edge("u", "w")
    assert graph_of(graph) == Graph(["C", "8", ""], [(0, 1, "double"), (0, 2)])
    assert graph_of(graph, node_label="kind", edge_label="order") == Graph(["x", "", ""], [(0, 1, "2"), (0, 2)])
    assert graph_of(graph, edge_labels=False) == Graph(["C", "8", ""], [(0, 1), (0, 2)])
    assert Conversion().record(graph).id == "acid"
    with pytest.raises(InvalidArgument, match="has no name"):
        Conversion().record(networkx.path_graph(3))
    for kind in (networkx.DiGraph, networkx.MultiGraph):
        with pytest.raises(InvalidArgument, match=f"{kind.__name__}: only simple undirected graphs"):
            graph_of(kind([(0, 1)]))
    loop = networkx.Graph([(0, 0)])
    with pytest.raises(InvalidArgument, match="joins vertex 0 with itself"):
        graph_of(loop)


def test_errors_can_be_pickled_and_are_python_s_own_too():
    error = kindred.NotFound("gone")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kindred.NotFound and again.details == "gone" and again.code == "NOT_FOUND"
    assert isinstance(kindred.Unavailable("x"), ConnectionError)
    assert isinstance(kindred.DeadlineExceeded("x"), TimeoutError)
    assert isinstance(kindred.InvalidArgument("x"), ValueError)
    assert isinstance(error, LookupError)
    assert str(kindred.Unavailable("x")) == str(kindred.DeadlineExceeded("x")) == "x"
