"""Client.compact: what it tells, and that answers stay what they are."""

import pytest

from kindred import Graph, Record


def path_of(number):
    labels = [f"l{number % 7}", f"l{number % 11}", f"l{number}"]
    return Graph(labels, [(0, 1), (1, 2)])


def test_what_was_deleted_is_given_back(client):
    client.put([Record(f"g{i}", path_of(i)) for i in range(500)])
    client.delete([f"g{i}" for i in range(200)])
    before = client.search(path_of(300), k=20)
    told = []
    done = client.compact(on_progress=told.append)
    assert done.done and done.segments_after == 1
    assert 0 < done.colours_unused < done.colours
    assert [each.stage for each in told][0] == "lists" and not any(each.done for each in told)
    assert client.search(path_of(300), k=20).hits == before.hits
    assert client.compact().graphs_dropped == 0


def test_an_exception_gives_it_up(client):
    client.put([Record(f"g{i}", path_of(i)) for i in range(50)])

    class Enough(Exception):
        pass

    def stop(_):
        raise Enough

    with pytest.raises(Enough):
        client.compact(on_progress=stop)
    assert len(client.search(path_of(3), k=50).hits) == 50
