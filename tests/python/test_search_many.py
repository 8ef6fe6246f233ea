"""Many searches over one stream."""

import itertools
import threading

import pytest

import kindred
from kindred import Graph, Record


@pytest.fixture
def filled(client):
    client.ingest(Record(f"r{i}", Graph(["a"] * (i + 1))) for i in range(50))
    return client


def test_answers_come_in_order_and_equal_single_searches(filled):
    queries = [Graph(["a"] * n) for n in range(1, 60)]
    results = list(filled.search_many(queries, k=5))
    assert [result.index for result in results] == list(range(59))
    assert [result.hits for result in results] == [filled.search(query, k=5).hits for query in queries]
    by_id = list(filled.search_many(ids=[f"r{i}" for i in range(50)], k=1))
    assert [result[0].id for result in by_id] == [f"r{i}" for i in range(50)]


def test_one_that_fails_does_not_stop_the_others(filled):
    queries = [Graph(["a"]), ([], []), Graph(["a" * 257]), 7, Graph(["a"])]
    results = list(filled.search_many(queries, k=1))
    assert [type(result.error).__name__ for result in results] == [
        "NoneType", "InvalidArgument", "ResourceExhausted", "InvalidArgument", "NoneType"]
    assert results[4].ids == ["r0"]
    with pytest.raises(kindred.ResourceExhausted):
        list(results[2])
    with pytest.raises(kindred.InvalidArgument):
        len(results[1])
    missing = list(filled.search_many(ids=["r0", "none"]))
    assert isinstance(missing[1].error, kindred.NotFound)


@pytest.mark.parametrize("ahead", [1, 7])
def test_queries_are_read_no_further_ahead_than_asked(filled, ahead):
    taken = 0

    def endless():
        nonlocal taken
        for _ in itertools.count():
            taken += 1
            yield Graph(["a"])

    answers = filled.search_many(endless(), k=1, ahead=ahead)
    for answered in range(1, 20):
        next(answers)
        assert answered <= taken <= answered - 1 + ahead
    answers.close()
    assert taken < 20 + ahead


def test_with_one_ahead_a_query_may_depend_on_the_answer_before(filled):
    asked = []

    def queries():
        size = 1
        while size < 40:
            asked.append(size)
            yield Graph(["a"] * size)
            size = 2 * int(last[0].id[1:]) + 2

    last = None
    for last in filled.search_many(queries(), k=1, ahead=1):
        pass
    assert asked == [1, 2, 4, 8, 16, 32]


def test_no_queries(filled):
    assert list(filled.search_many([])) == []


def test_bad_arguments_are_refused_before_anything_is_read(filled):
    def never():
        raise AssertionError("read")
        yield

    for arguments in (dict(measure="x"), dict(k=0), dict(ahead=0), dict(ids=["x"])):
        with pytest.raises(kindred.InvalidArgument):
            filled.search_many(never(), **arguments)


def test_what_the_queries_raise_is_raised(filled):
    def queries():
        yield Graph(["a"])
        raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        list(filled.search_many(queries()))
    before = threading.active_count()
    assert len(list(filled.search_many([Graph(["a"])] * 5))) == 5
    assert threading.active_count() <= before + 1


def test_a_daemon_that_dies_ends_the_stream(filled, daemon):
    def queries():
        for i in itertools.count():
            if i == 500:
                daemon.kill()
            yield Graph(["a"])

    with pytest.raises(kindred.Unavailable):
        for _ in filled.search_many(queries()):
            pass
