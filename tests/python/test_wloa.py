"""The kernel without a daemon: equal to the daemon's, to the authors' reference, and to the theorem's assignment."""

import itertools
import random

import numpy as np
import pytest

import kindred
from kindred import Graph, Record
from kindred.wloa import KernelSet, kernel_matrix
from shared_data import read_gram, read_tu


def random_graph(rng, vertices_max=9):
    n = rng.randint(1, vertices_max)
    pairs = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 0.35]
    return Graph([rng.choice("abc") for _ in range(n)], [(a, b, rng.choice(["", "x"])) for a, b in pairs])


@pytest.fixture(params=range(3))
def graphs(request):
    rng = random.Random(request.param)
    return [random_graph(rng) for _ in range(60)]


def test_it_equals_the_daemon(client, graphs):
    client.ingest(Record(f"{i:02}", graph) for i, graph in enumerate(graphs))
    for depth in (0, 1, 3):
        assert np.array_equal(kernel_matrix(graphs, depth=depth), client.kernel(depth=depth).values)
        assert np.array_equal(kernel_matrix(graphs, depth=depth, measure="cosine"),
                              client.kernel(depth=depth, normalize=True).values)
    weights = [1, 0, 2.5, 0.5]
    ours = kernel_matrix(graphs[:5], graphs, weights=weights, measure="tanimoto")
    for row, graph in zip(ours, graphs):
        hits = client.search(graph, k=len(graphs), weights=weights)
        theirs = {hit.id: hit.similarity for hit in hits}
        assert np.allclose(row, [theirs[f"{i:02}"] for i in range(len(graphs))], rtol=1e-15, atol=0)


def test_others_see_the_same_values_as_members(graphs):
    full = kernel_matrix(graphs, depth=2)
    members = KernelSet(graphs[:20], depth=2)
    before = members.matrix()
    assert np.array_equal(members.compare(graphs[20:]), full[20:, :20])
    assert np.array_equal(members.matrix(), before), "comparing has changed the set"
    assert np.array_equal(before, full[:20, :20])


def test_it_is_the_best_assignment_of_vertices():
    """The kernel is the maximum over all matchings of the vertices; tried out for small graphs."""
    rng = random.Random(7)
    depth = 2

    def colours(graph):
        rows = [list(graph.vertices)]
        for _ in range(depth):
            around = [[] for _ in graph.vertices]
            for a, b, label in graph.edges:
                around[a].append((label, repr(rows[-1][b])))
                around[b].append((label, repr(rows[-1][a])))
            rows.append([repr((rows[-1][v], sorted(around[v]))) for v in range(len(graph.vertices))])
        return [tuple(row[v] for row in rows) for v in range(len(graph.vertices))]

    for _ in range(60):
        g, h = sorted((random_graph(rng, 5), random_graph(rng, 5)), key=lambda graph: len(graph.vertices))
        cg, ch = colours(g), colours(h)
        best = max(sum(sum(x == y for x, y in zip(cg[v], ch[w])) for v, w in enumerate(chosen))
                   for chosen in itertools.permutations(range(len(ch)), len(cg)))
        assert kernel_matrix([g], [h], depth=depth)[0, 0] == best


@pytest.mark.parametrize("name, depth", [*itertools.product(["MUTAG", "PTC_MR"], [0, 1, 2, 3, 5]),
                                         *itertools.product(["ENZYMES"], [1, 3, 5])])
def test_it_equals_the_authors_matrices(name, depth):
    expected = read_gram(f"{name}__WLOA_{depth}")
    graphs, _ = read_tu(name)
    assert np.array_equal(kernel_matrix(graphs, depth=depth), expected)


def test_edge_labels_can_be_left_out():
    pair = [(["a", "b"], [(0, 1, "x")]), (["a", "b"], [(0, 1, "y")])]
    assert kernel_matrix(pair, depth=1)[0, 1] == 2
    assert kernel_matrix(pair, depth=1, edge_labels=False)[0, 1] == 4


@pytest.mark.parametrize("arguments, message", [
    (dict(depth=-1), "depth: -1 is not in 0 to 15"),
    (dict(depth=16), "depth: 16 is not in 0 to 15"),
    (dict(measure="dice"), 'measure: "dice" is none of kernel, cosine, tanimoto'),
    (dict(weights=[1]), "weights: 1 instead of 4, one a level"),
    (dict(weights=[0, 0, 0, 0]), "not all 0"),
    (dict(weights=[1, 1, 1, -1]), "0 or more"),
    (dict(weights=[1, 1, 1, float("nan")]), "0 or more"),
])
def test_bad_parameters(arguments, message):
    with pytest.raises(kindred.InvalidArgument, match=message):
        kernel_matrix([(["a"], [])], **arguments)


def test_depth_fifteen_and_no_graphs():
    assert kernel_matrix([(["a"], [])], depth=15)[0, 0] == 16
    assert kernel_matrix([]).shape == (0, 0)
    assert kernel_matrix([], [(["a"], [])]).shape == (0, 1)


def test_a_bad_graph_says_which():
    with pytest.raises(kindred.InvalidArgument, match=r"graphs\[1\]: vertices: the graph is empty"):
        kernel_matrix([(["a"], []), ([], [])])
