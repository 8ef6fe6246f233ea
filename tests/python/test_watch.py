"""Watches: what they tell, across kills and restarts, and what they refuse."""

import random
import threading
import time

import pytest

import kindred
from kindred import Graph, Id, Record, WatchQuery

SEED = 11


def path(letters):
    return Graph(list(letters), [(i, i + 1) for i in range(len(letters) - 1)])


def told(watch):
    return [(match.sequence, match.id, match.query) for match in watch]


def test_tells_of_what_is_stored_from_now_on_in_the_order_of_commits_and_queries(client):
    client.put([("before", path("CCO"))])
    with client.watch({"b": path("CCO"), "a": Id("before"), "n": path("NN")}, 1) as watch:
        assert (watch.position, watch.behind) == (1, 0)
        client.put([("x", path("OCC")), ("other", path("SSS")), ("y", path("NN"))])
        assert [(m.sequence, m.id, m.query, m.kernel, m.similarity) for m in (next(watch), next(watch), next(watch))
                ] == [(2, "x", "b", 12, 1), (2, "x", "a", 12, 1), (4, "y", "n", 8, 1)]
        assert watch.position == 4


def test_a_position_is_of_what_was_given_out(client):
    client.put([(str(i), path("CCO")) for i in range(1, 101)])
    watch = client.watch([WatchQuery("one", path("CCO")), WatchQuery("two", path("CCO"), 0.5)], 1, after_sequence=0,
                         follow=False)
    seen = []
    for match in watch:
        seen.append((match.sequence, match.query))
        # Anyone who goes on from here gets the rest, and only of the commit that is half told something twice.
        assert watch.position == (match.sequence if match.query == "two" else match.sequence - 1)
    assert seen == [(i, query) for i in range(1, 101) for query in ("one", "two")]
    assert watch.position == 100 and list(watch) == []
    rest = client.watch({"one": path("CCO")}, 1, after_sequence=97, follow=False)
    assert told(rest) == [(98, "98", "one"), (99, "99", "one"), (100, "100", "one")]


def test_filter_and_fields(client):
    client.put([Record(f"g{i}", path("CCO"), payload=b"\xff%d" % i, tags={"part": str(i % 3)}) for i in range(9)])
    watch = client.watch({"q": path("CCO")}, 1, after_sequence=0, filter="part in (0, 2)", with_payload=True,
                         with_tags=True, follow=False)
    assert [(m.id, m.payload, m.tags) for m in watch] == [
        (f"g{i}", b"\xff%d" % i, {"part": str(i % 3)}) for i in range(9) if i % 3 != 1]
    bare = next(client.watch({"q": path("CCO")}, 1, after_sequence=0))
    assert (bare.payload, bare.tags) == (b"", {})


def test_progress_tells_how_far_behind_it_is(client):
    client.put([(str(i), path("CNO")) for i in range(200)])
    progress = []
    assert list(client.watch({"q": path("CCO")}, 1, after_sequence=50, follow=False, on_progress=progress.append)) == []
    assert progress[0] == kindred.WatchProgress(50, 150)
    assert progress[-1] == kindred.WatchProgress(200, 0)


@pytest.mark.parametrize("harshly", [True, False])
def test_nothing_is_missed_or_repeated_through_restarts(daemon, harshly):
    print("seed", SEED)
    rng = random.Random(SEED)
    queries = {letters: path(letters) for letters in ("CCO", "CNO", "OCCO", "NNN", "SS")}
    graphs = [path("".join(rng.choice("CNO") for _ in range(rng.randint(2, 5)))) for _ in range(600)]
    changes = []
    seen = []

    def follow():
        with kindred.Client(daemon.address) as client:
            watch = client.watch(queries, 0.2, after_sequence=0, on_connection=changes.append)
            for match in watch:
                seen.append((match.sequence, match.query))
                if match.id == "last":
                    return

    follower = threading.Thread(target=follow)
    follower.start()
    with kindred.Client(daemon.address) as client:
        for i, graph in enumerate(graphs):
            if i % 200 == 100:
                daemon.kill() if harshly else daemon.stop()
                daemon.start()
                client.wait_until_serving()
            client.put([(f"g{i:03}", graph)])
        client.put([("last", path("SS"))])
        follower.join(60)
        assert not follower.is_alive()
        # By one search for each query, in an index that has every graph under the number of its commit.
        expected = []
        for place, (name, graph) in enumerate(queries.items()):
            for hit in client.search(graph, k=10_000, min_similarity=0.2):
                sequence = len(graphs) + 1 if hit.id == "last" else int(hit.id[1:]) + 1
                expected.append((sequence, place, name))
    assert seen == [(sequence, name) for sequence, _, name in sorted(expected)]
    assert len(seen) > 150
    assert {change.attempt > 0 for change in changes} == {True, False}
    assert all(isinstance(change.reason, kindred.Unavailable) for change in changes if change.attempt > 0)


def test_what_an_id_meant_at_the_start_counts_after_a_restart(daemon):
    with kindred.Client(daemon.address) as client:
        client.put([("it", path("CCO"))])
        with client.watch({"q": Id("it")}, 1) as watch:
            client.put([("it", path("NNN"))])
            daemon.kill()
            daemon.start()
            client.wait_until_serving()
            client.put([("like it is", path("NNN")), ("like it was", path("CCO"))])
            assert next(watch).id == "like it was"


def test_a_lost_daemon_is_given_up_after_the_time_given(daemon):
    with kindred.Client(daemon.address) as client:
        watch = client.watch({"q": path("CCO")}, 1, reconnect_for=0.5)
        at_once = client.watch({"q": path("CCO")}, 1, reconnect_for=0)
        daemon.kill()
        with pytest.raises(kindred.Unavailable, match="the connection was lost, and not to be had again within 0.5 s"):
            next(watch)
        assert list(watch) == [], "an end is final"
        with pytest.raises(kindred.Unavailable):
            next(at_once)
        with pytest.raises(kindred.Unavailable):
            client.watch({"q": path("CCO")}, 1)


def test_close_ends_an_iteration_that_waits(daemon):
    with kindred.Client(daemon.address) as client:
        watch = client.watch({"q": path("CCO")}, 1)
        threading.Timer(0.3, watch.close).start()
        assert list(watch) == []
        lost = client.watch({"q": path("CCO")}, 1)
        daemon.kill()
        threading.Timer(0.3, lost.close).start()
        begun = time.monotonic()
        assert list(lost) == []
        assert time.monotonic() - begun < 30


def test_a_time_limit_is_for_the_whole(client):
    with pytest.raises(kindred.DeadlineExceeded):
        next(client.watch({"q": path("CCO")}, 1, timeout=0.3))


def test_refusals_name_the_field(client):
    client.put([("stored", path("CC"))])
    graph = path("CCO")
    for error, match, arguments in (
            (kindred.InvalidArgument, "queries: is empty", dict(queries={}, min_similarity=1)),
            (kindred.InvalidArgument, "queries: give names", dict(queries="CCO", min_similarity=1)),
            (kindred.InvalidArgument, r"queries\[0\]: 'CCO' is not a WatchQuery",
             dict(queries=["CCO"], min_similarity=1)),
            (kindred.InvalidArgument, r"queries\[0\].min_similarity: is missing", dict(queries={"q": graph})),
            (kindred.InvalidArgument, r"queries\[0\].min_similarity: 1.5 is not above 0 and at most 1",
             dict(queries={"q": graph}, min_similarity=1.5)),
            (kindred.InvalidArgument, r"queries\[1\].name: 'q' stands twice",
             dict(queries=[WatchQuery("q", graph, 1), WatchQuery("q", graph, 1)])),
            (kindred.InvalidArgument, r"queries\[0\]: .* is not a graph", dict(queries={"q": 3}, min_similarity=1)),
            (kindred.NotFound, r"queries\[1\].graph.id: no graph has the id 'nobody'",
             dict(queries={"q": Id("stored"), "r": Id("nobody")}, min_similarity=1)),
            (kindred.InvalidArgument, "filter: no graph can match",
             dict(queries={"q": graph}, min_similarity=1, filter="a = x and a = y")),
            (kindred.OutOfRange, "after_sequence: 2 is beyond the last commit, 1",
             dict(queries={"q": graph}, min_similarity=1, after_sequence=2)),
            (kindred.InvalidArgument, "measure", dict(queries={"q": graph}, min_similarity=1, measure="jaccard")),
            (kindred.FailedPrecondition, "depth: 9", dict(queries={"q": graph}, min_similarity=1, depth=9)),
            (kindred.InvalidArgument, "timeout: ", dict(queries={"q": graph}, min_similarity=1, timeout=0)),
            (kindred.InvalidArgument, "reconnect_for: ", dict(queries={"q": graph}, min_similarity=1, reconnect_for=-1)),
            (kindred.InvalidArgument, "", dict(queries={"q": graph}, min_similarity=1, after_sequence=-1))):
        with pytest.raises(error, match=match):
            client.watch(**arguments)
    assert client.stats().sequence == 1
