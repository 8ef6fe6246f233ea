"""Pairs and clusters against a real daemon, and against comparing every two graphs."""

import itertools
import random
import signal
import subprocess
import time

import pytest

import kindred
from daemon import KINDRED
from kindred import Graph, Record

SEED = 7


def graphs(count):
    """Trees of few labels, with copies among them."""
    draw = random.Random(SEED)
    made = []
    for i in range(count):
        if i % 9 == 8:
            made.append(Record(f"g{i}", made[draw.randrange(len(made))].graph))
            continue
        size = draw.randrange(2, 12)
        made.append(Record(f"g{i}", Graph([draw.choice("CCCNO") for _ in range(size)],
                                          [(v, draw.randrange(v)) for v in range(1, size)])))
    return made


def similarities(client, records, **how):
    """Of every two, from as many searches."""
    found = {}
    for record in records:
        for hit in client.search(id=record.id, k=len(records), **how):
            found[tuple(sorted((record.id, hit.id)))] = hit
    return {pair: hit for pair, hit in found.items() if pair[0] != pair[1]}


@pytest.mark.parametrize("how", [{}, {"measure": "cosine"}, {"measure": "kernel", "depth": 2},
                                 {"depth": 1, "weights": [1, 2.5]}])
def test_pairs_are_those_that_searches_find(client, how):
    records = graphs(80)
    client.put(records)
    expected = similarities(client, records, **how)
    for least in (1.0, 0.7, 0.4):
        least = least if how.get("measure") != "kernel" else least * 20
        pairs = list(client.pairs(least, **how))
        assert {(pair.a, pair.b): (pair.kernel, pair.similarity) for pair in pairs} == {
            pair: (hit.kernel, hit.similarity) for pair, hit in expected.items() if hit.similarity >= least}
        assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs) and all(pair.a < pair.b for pair in pairs)


def test_pairs_between_keep_the_order_of_the_items(client):
    records = graphs(60)
    client.put(records[:40])
    pairs = list(client.pairs_between(records, 0.5, ahead=7))
    expected = []
    for record in records:
        expected += [(record.id, hit.id, hit.similarity) for hit in client.search(record.graph, k=60, min_similarity=0.5)]
    assert [(pair.a, pair.b, pair.similarity) for pair in pairs] == expected
    assert list(client.pairs_between([], 0.5)) == []


def test_pairs_between_tell_what_is_no_graph(client):
    client.put([("ethanol", "CCO")])
    items = [("one", "CCO"), ("two", "C1CC"), ("three", [1]), ("four", "CCO")]
    rejections = []
    pairs = list(client.pairs_between(items, 0.9, on_rejected=rejections.append))
    assert [(pair.a, pair.b) for pair in pairs] == [("one", "ethanol"), ("four", "ethanol")]
    assert [rejection.index for rejection in rejections] == [1, 2]
    assert "RDKit" in str(rejections[0]) and isinstance(rejections[1].error, kindred.InvalidArgument)
    with pytest.raises(kindred.InvalidArgument, match="item 1 "):
        list(client.pairs_between(items, 0.9))


def test_clusters_are_the_groups_of_the_pairs(client):
    records = graphs(90)
    client.put(records)
    for least in (0.9, 0.6, 0.3):
        groups = {record.id: {record.id} for record in records}
        for pair in client.pairs(least):
            joined = groups[pair.a] | groups[pair.b]
            for id in joined:
                groups[id] = joined
        expected = sorted({tuple(sorted(group)) for group in groups.values()}, key=lambda ids: (-len(ids), ids))
        found = list(client.clusters(least, size_min=1))
        assert [tuple(cluster.ids) for cluster in found] == expected
        assert [len(cluster) for cluster in client.clusters(least)] == [len(ids) for ids in expected if len(ids) > 1]
        near = similarities(client, records)
        for cluster in found:
            sums = {id: sum(near[tuple(sorted((id, other)))].similarity for other in cluster.ids if other != id)
                    for id in cluster.ids}
            assert sums[cluster.representative] == pytest.approx(max(sums.values()), abs=1e-9)


def test_progress_goes_up_to_all(client):
    client.put(graphs(50))
    seen = []
    list(client.pairs(0.5, on_progress=seen.append))
    assert [each.graphs for each in seen] == [50] * len(seen)
    assert [each.graphs_done for each in seen] == sorted(each.graphs_done for each in seen)
    assert seen[-1].graphs_done == 50
    seen.clear()
    list(client.clusters(0.5, on_progress=seen.append, threads=1))
    assert seen[-1].graphs_done == 50


def test_filters_leave_only_what_matches(client):
    client.put([Record(f"{tag}{i}", Graph(["C", "O"], [(0, 1)]), b"", {"kind": tag}) for tag in "ab" for i in range(3)])
    assert {(pair.a, pair.b) for pair in client.pairs(1, filter="kind = a")} == set(
        itertools.combinations(["a0", "a1", "a2"], 2))
    (cluster,) = client.clusters(1, filter="kind = b")
    assert cluster.ids == ["b0", "b1", "b2"] and cluster.representative == "b0"
    assert [pair.b for pair in client.pairs_between([("x", Graph(["C", "O"], [(0, 1)]))], 1, filter="kind = b")] == [
        "b0", "b1", "b2"]


def test_leaving_early_ends_the_call(client):
    client.put(graphs(90))
    assert next(client.pairs(0.2)).a
    assert next(client.clusters(0.2)).ids
    assert client.stats().graphs == 90


def test_what_cannot_be_meant(client):
    for least in (0, -1, 1.5, float("nan")):
        with pytest.raises(kindred.InvalidArgument, match="min_similarity: "):
            list(client.pairs(least))
        with pytest.raises(kindred.InvalidArgument, match="pairs.min_similarity: "):
            list(client.clusters(least))
        with pytest.raises(kindred.InvalidArgument, match="open.min_similarity: "):
            list(client.pairs_between([], least))
    with pytest.raises(kindred.FailedPrecondition, match="depth: "):
        list(client.pairs(0.5, depth=9))
    with pytest.raises(kindred.FailedPrecondition, match="min_sequence: "):
        list(client.pairs(0.5, min_sequence=10**6))
    with pytest.raises(kindred.InvalidArgument, match="filter: "):
        list(client.pairs(0.5, filter="kind ="))
    with pytest.raises(kindred.InvalidArgument, match='measure: "euclid"'):
        client.pairs(0.5, measure="euclid")
    with pytest.raises(kindred.InvalidArgument, match="size_min"):
        client.clusters(0.5, size_min=0)
    with pytest.raises(kindred.InvalidArgument, match="ahead"):
        client.pairs_between([], 0.5, ahead=0)


def run_until(daemon, seen, *arguments):
    """The command, interrupted as by Ctrl-C when `seen` says so; its exit code, and what it said on its way."""
    with subprocess.Popen([KINDRED, "--server", daemon.address, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        seen(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        return process.returncode, said.decode()


# 4.5 million pairs: far more than a pipe holds.
@pytest.fixture
def equal(client):
    client.ingest(Record(f"{i:0300}", Graph(["C", "O"], [(0, 1)])) for i in range(3000))
    return client


def test_ctrl_c_ends_the_command_and_the_search(equal, daemon):
    code, said = run_until(daemon, lambda process: process.stdout.readline(), "pairs", "--min-similarity", "1")
    assert (code, said) == (130, "kindred: interrupted: these are not all pairs\n")
    assert equal.search(id=f"{0:0300}", k=1).ids == [f"{0:0300}"]


def test_ctrl_c_leaves_no_file(equal, daemon, tmp_path):
    part = tmp_path / "pairs.txt.part"

    def seen(process):
        while not part.exists() or part.stat().st_size == 0:
            assert process.poll() is None
            time.sleep(0.01)

    code, said = run_until(daemon, seen, "pairs", "--min-similarity", "1", "-o", str(tmp_path / "pairs.txt"))
    assert (code, said) == (130, "kindred: interrupted: these are not all pairs\n")
    assert list(tmp_path.glob("pairs.txt*")) == []
