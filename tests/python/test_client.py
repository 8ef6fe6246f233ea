"""Every call against a real daemon, and its failures."""

import threading
import time

import numpy as np
import pytest

import kindred
from kindred import Graph, Record

RECORDS = [Record("path", Graph(["a", "b", "a"], [(0, 1, "x"), (1, 2)]), b"\xff\0", {"class": "1"}),
           Record("edge", Graph(["a", "b"], [(0, 1, "x")]), b"", {"class": "2"}),
           Record("dot", Graph(["c"]))]


def test_what_is_put_comes_back(client):
    written = client.put(RECORDS)
    assert [outcome.kind for outcome in written.outcomes] == ["inserted"] * 3
    assert written.sequence == client.stats().sequence == 3
    assert client.get("path") == RECORDS[0]
    assert list(client.get_many(["dot", "none", "edge"])) == [RECORDS[2], None, RECORDS[1]]
    assert list(client.export(min_sequence=written.sequence)) == RECORDS
    assert [outcome.kind for outcome in client.put(RECORDS[:1]).outcomes] == ["replaced"]


def test_write_modes(client):
    client.put(RECORDS[:1])
    (outcome,) = client.put(RECORDS[:1], mode="insert").outcomes
    assert outcome.kind == "rejected" and isinstance(outcome.error, kindred.AlreadyExists)
    (outcome,) = client.put(RECORDS[1:2], mode="replace").outcomes
    assert outcome.kind == "rejected" and isinstance(outcome.error, kindred.NotFound)
    with pytest.raises(kindred.InvalidArgument, match='mode: "append" is none of upsert, insert, replace'):
        client.put(RECORDS, mode="append")


def test_delete(client):
    client.put(RECORDS)
    answer = client.delete(id for id in ["path", "none", "dot"])
    assert [outcome.kind for outcome in answer.outcomes] == ["deleted", "rejected", "deleted"]
    assert isinstance(answer.outcomes[1].error, kindred.NotFound)
    assert answer.count("deleted") == 2
    assert client.delete("edge").count("deleted") == 1
    assert client.stats().graphs == 0


def test_many_ids_go_in_batches(client):
    client.ingest(Record(str(i), Graph(["a"])) for i in range(1000))
    assert [record.id for record in client.get_many(map(str, range(1000)))] == [str(i) for i in range(1000)]
    assert client.delete(map(str, range(1000))).count("deleted") == 1000


def test_search_equals_its_oracle_and_takes_every_parameter(client):
    client.put(RECORDS)
    result = client.search(RECORDS[0].graph, k=2)
    assert [(hit.id, hit.similarity) for hit in result] == [("path", 1.0), ("edge", 3 / 17)]
    assert result.ids == client.search(id="path", k=2).ids == ["path", "edge"]
    assert result[0].kernel == 12 and len(result) == 2 and result.sequence == 3 and result.stats.candidates > 0
    for measure in ("tanimoto", "cosine", "kernel"):
        both = [client.search(id="path", measure=measure, mode=mode, depth=1, weights=[1, 2.5]).hits
                for mode in ("pruned", "exhaustive")]
        assert both[0] == both[1]
    assert client.search(id="path", min_similarity=0.5).ids == ["path"]


TAGGED = [Record(f"g{i:02}", Graph(["a"] * (1 + i % 4)), f"p{i}".encode(), {"colour": "red" if i % 3 else "blue"})
          for i in range(20)]


def test_filters_excluded_ids_and_fields(client):
    client.put(TAGGED)
    query = Graph(["a", "a"])
    everything = client.search(query, k=20, with_payload=True, with_tags=True)
    stored = {record.id: record for record in TAGGED}
    for hit in everything:
        record = stored[hit.id]
        assert (hit.vertices, hit.payload, hit.tags) == (len(record.graph.vertices), record.payload, record.tags)
    for mode in ("pruned", "exhaustive"):
        red = client.search(query, k=5, filter="colour = red", exclude_ids=["g01", "nobody"], mode=mode)
        assert red.ids == [hit.id for hit in everything if hit.tags["colour"] == "red" and hit.id != "g01"][:5]
        assert red[0].payload == b"" and red[0].tags == {}
    (blue,) = client.search_many([query], k=2, filter="colour != red", exclude_ids="g09", with_tags=True)
    assert blue.ids == [hit.id for hit in everything if hit.tags["colour"] == "blue" and hit.id != "g09"][:2]
    assert blue[0].tags == {"colour": "blue"}


def test_pages_make_up_the_whole_answer(client):
    client.put(TAGGED)
    query = Graph(["a", "a"])
    whole = client.search(query, k=20).ids
    pages = [page.ids for page in client.pages(query, k=6)]
    assert [len(page) for page in pages] == [6, 6, 6, 2] and sum(pages, []) == whole
    assert [page.ids for page in client.pages(query, k=10)] == [whole[:10], whole[10:]]
    assert [page.ids for page in client.pages(query, filter="colour = green")] == []


@pytest.mark.parametrize("arguments, error, message", [
    (dict(query=Graph(["a"]), filter="colour ="), kindred.InvalidArgument, "filter: byte 8: expected a value"),
    (dict(query=Graph(["a"]), filter="a = b and a = c"), kindred.InvalidArgument, "contradict each other"),
    (dict(query=Graph(["a"]), filter="x" * 5000), kindred.ResourceExhausted, "filter_bytes_max"),
    (dict(query=Graph(["a"]), exclude_ids=[""]), kindred.InvalidArgument, r"exclude_ids\[0\].id: is empty"),
    (dict(query=Graph(["a"]), after=kindred.Hit("x", 4.0, 0.5, 1)), kindred.InvalidArgument, "after.similarity: 0.5"),
    (dict(id="none"), kindred.NotFound, "none"),
    (dict(query=Graph(["a"]), k=0), kindred.InvalidArgument, "k: 0 is not above 0"),
    (dict(query=Graph(["a"]), k=10_001), kindred.ResourceExhausted, "k_max"),
    (dict(query=Graph(["a"]), depth=9), kindred.FailedPrecondition, "depth"),
    (dict(query=Graph(["a"]), depth=-1), kindred.InvalidArgument, "-1|range"),
    (dict(query=Graph(["a"]), weights=["x"]), kindred.InvalidArgument, ""),
    (dict(query=Graph(["a"]), weights=[1.0]), kindred.InvalidArgument, "weights"),
    (dict(query=Graph(["a"]), min_sequence=10), kindred.FailedPrecondition, "10"),
    (dict(query=Graph(["a"]), measure="dice"), kindred.InvalidArgument, 'measure: "dice" is none of'),
    (dict(query=Graph(["a"]), id="x"), kindred.InvalidArgument, "one of them"),
    (dict(), kindred.InvalidArgument, "one of them"),
    (dict(query=Graph(["a" * 257])), kindred.ResourceExhausted, "label_bytes_max"),
])
def test_bad_searches_say_what_is_wrong(client, arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        client.search(**arguments)
    assert caught.value.code == error.code and caught.value.details


def test_put_says_which_item_is_no_graph(client):
    with pytest.raises(kindred.InvalidArgument, match=r"items\[1\]: vertices: the graph is empty"):
        client.put([RECORDS[0], ("x", ([], []))])
    assert client.stats().graphs == 0


def test_kernel_matrices(client):
    client.put(RECORDS)
    matrix = client.kernel(tag="class")
    assert matrix.ids == ["path", "edge", "dot"] and matrix.tags == ["1", "2", ""]
    expected = np.array([[12, 3, 0], [3, 8, 0], [0, 0, 4]])
    assert matrix.values.dtype == np.float64 and np.array_equal(matrix.values, expected)
    assert np.array_equal(np.asarray(matrix), expected) and matrix.index_of["edge"] == 1
    assert np.array_equal(client.kernel(["edge", "path"], depth=0).values, [[2, 2], [2, 3]])
    assert np.allclose(client.kernel(["edge", "path"], kernel="voa", normalize=True).values[0, 1], 2 / 6 ** 0.5)
    with pytest.raises(kindred.InvalidArgument, match='kernel: "rbf" is none of wloa, voa'):
        client.kernel(kernel="rbf")
    with pytest.raises(kindred.NotFound):
        client.kernel(["none"])


def test_kernel_of_an_empty_index_is_empty(client):
    assert client.kernel().values.shape == (0, 0)


def test_explain(client):
    client.put(RECORDS)
    answer = client.explain(kindred.Id("path"), RECORDS[1].graph)
    assert (answer.kernel, answer.overlaps, answer.weights) == (3, (2, 1, 0, 0), (1, 1, 1, 1))
    assert answer.graph_a == RECORDS[0].graph and answer.graph_b == RECORDS[1].graph
    assert [(pair.a, pair.b, pair.levels) for pair in answer.pairs] == [(0, 0, 2), (1, 1, 1)]
    assert answer.tanimoto == client.search(RECORDS[1].graph, k=2)[1].similarity and answer.sequence == 3
    assert client.explain(RECORDS[0].graph, RECORDS[1].graph, depth=0, weights=[2.0]).kernel == 4
    with pytest.raises(kindred.NotFound):
        client.explain(kindred.Id("none"), RECORDS[0].graph)
    with pytest.raises(kindred.InvalidArgument):
        client.explain(([], []), RECORDS[0].graph)


def test_stats_and_verify(client):
    client.put(RECORDS)
    stats = client.stats()
    assert (stats.graphs, stats.depth, len(stats.colours), stats.labels) == (3, 3, 4, 5)
    report = client.verify()
    assert report.done and report.finding_count == 0 and report.findings == [] and report.graphs_checked == 3


def test_an_export_can_be_left_early(client):
    client.ingest(Record(str(i), Graph(["a"]), b"x" * 1000) for i in range(5000))
    export = client.export()
    assert next(export).id == "0"
    export.close()
    assert client.stats().graphs == 5000


def test_a_daemon_that_is_not_there(daemon):
    daemon.stop()
    with kindred.Client(daemon.address, timeout=2) as client:
        for call in (client.stats, lambda: client.put(RECORDS), lambda: client.ingest(RECORDS),
                     lambda: list(client.search_many([Graph(["a"])])), lambda: list(client.export())):
            begun = time.monotonic()
            with pytest.raises(kindred.Unavailable):
                call()
            assert time.monotonic() - begun < 10
        with pytest.raises(kindred.Unavailable):
            client.wait_until_serving(0.2)


def test_reads_are_tried_again_when_the_daemon_comes_back(daemon):
    with kindred.Client(daemon.address) as client:
        client.put(RECORDS)
        daemon.stop()
        back = threading.Timer(0.2, daemon.start)
        back.start()
        client.wait_until_serving(30)
        back.join()
        assert client.stats().graphs == 3
        daemon.kill()
        daemon.start()
        assert client.search(id="path", k=1).ids == ["path"]  # The first attempt meets the dead connection.


def test_a_deadline(client):
    slow = kindred.Client(client.address, timeout=1e-6)
    with pytest.raises((kindred.DeadlineExceeded, kindred.Unavailable)):
        slow.stats()
    slow.close()


def test_unix_sockets(start, tmp_path):
    path = tmp_path / "a socket.sock"
    start(listen=f"unix:{path}")
    with kindred.Client(f"unix:{path}") as client:
        assert client.stats().graphs == 0


@pytest.mark.parametrize("address", ["", "localhost", "localhost:", "localhost:0", "localhost:65536", "::1:5463",
                                     "a b:1", "http://x:1", "unix:", "unix:" + "x" * 108, "[]:1"])
def test_bad_addresses_are_refused_at_once(address):
    with pytest.raises(kindred.InvalidArgument):
        kindred.Client(address)


def test_the_address_comes_from_the_environment(daemon, monkeypatch):
    monkeypatch.setenv("KINDRED_SERVER", daemon.address)
    with kindred.Client() as client:
        assert client.address == daemon.address and client.stats().graphs == 0
    monkeypatch.delenv("KINDRED_SERVER")
    with kindred.Client() as client:
        assert client.address == "127.0.0.1:5463"


@pytest.mark.parametrize("arguments", [dict(timeout=0), dict(stream_timeout=-1), dict(token="a b"), dict(token="")])
def test_bad_settings_are_refused_at_once(arguments):
    with pytest.raises(kindred.InvalidArgument, match=next(iter(arguments))):
        kindred.Client("127.0.0.1:1", **arguments)


def test_a_client_serves_several_threads(client):
    failures = []

    def work(thread):
        try:
            for i in range(30):
                id = f"{thread}-{i}"
                sequence = client.put([Record(id, Graph(["a"] * (i + 1)))]).sequence
                assert client.search(id=id, k=1, min_sequence=sequence)[0].similarity == 1
                assert client.get(id).id == id
            report = client.ingest(Record(f"{thread}+{i}", Graph(["b"])) for i in range(500))
            assert report.stored == 500
            assert [r[0].similarity for r in client.search_many(ids=[f"{thread}-{i}" for i in range(30)])] == [1.0] * 30
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failures == []
    assert client.stats().graphs == 6 * 530
