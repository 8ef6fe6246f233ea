"""An ingest outlives its connection and its daemon, and stores nothing twice."""

import threading
import time

import pytest

import kindred
from kindred import Graph, Record


def record(i):
    return Record(f"r{i:05}", Graph(["a"] * (1 + i % 7)))


def restart_at(daemon, places, count, harshly):
    """An iterable in the middle of which the daemon restarts."""
    for i in range(count):
        if i in places:
            thread = threading.Thread(target=lambda: (daemon.kill() if harshly else daemon.stop(), daemon.start()))
            thread.start()
            thread.join()
        yield record(i)


@pytest.mark.parametrize("harshly", [True, False])
def test_a_restart_in_the_middle_loses_nothing_and_stores_nothing_twice(daemon, harshly):
    changes = []
    with kindred.Client(daemon.address) as client:
        # With mode insert a record that was applied twice would be a rejection.
        report = client.ingest(restart_at(daemon, {1500, 3500}, 5000, harshly), mode="insert", frame_items_max=50,
                               on_connection=changes.append)
        assert report.read == 5000 and report.rejected == 0 and report.replaced == 0 and report.unacknowledged == 0
        assert report.stored + report.unreported == 5000
        assert [r.id for r in client.export()] == [record(i).id for i in range(5000)]
        # One commit a record: the sequence tells that none was applied twice.
        assert client.stats().sequence == 5000
        assert client.verify().finding_count == 0
    assert {change.attempt > 0 for change in changes} == {True, False}
    lost = [change for change in changes if change.attempt > 0]
    assert all(isinstance(change.reason, kindred.Unavailable) for change in lost)


def test_a_lost_daemon_is_given_up_after_the_time_given(daemon):
    def items():
        yield from map(record, range(100))
        daemon.kill()
        yield from map(record, range(100, 1_000_000))

    begun = time.monotonic()
    with kindred.Client(daemon.address) as client:
        with pytest.raises(kindred.Unavailable, match="the connection was lost, and not to be had again") as caught:
            client.ingest(items(), reconnect_for=1.0, window_bytes=10_000)
    assert 0.95 <= time.monotonic() - begun < 20
    report = caught.value.report
    assert report.read == report.stored + report.unreported + report.unacknowledged
    assert report.unacknowledged > 0


def test_without_a_name_a_stream_ends_with_its_connection(daemon):
    def items():
        yield from map(record, range(100))
        daemon.kill()
        yield from map(record, range(100, 1_000_000))

    with kindred.Client(daemon.address) as client:
        with pytest.raises(kindred.Unavailable):
            client.ingest(items(), reconnect_for=0, window_bytes=10_000)


def test_an_outage_can_be_interrupted(daemon):
    with kindred.Client(daemon.address) as client:
        stream = client.ingest_stream(window_bytes=1000, reconnect_for=600)
        stream.send(record(0))
        daemon.kill()
        begun = time.monotonic()
        threading.Timer(0.5, stream.cancel).start()
        with pytest.raises(kindred.KindredError):
            for i in range(1, 1_000_000):
                stream.send(record(i))
        assert time.monotonic() - begun < 10


def test_a_second_process_goes_on_behind_the_first(daemon):
    with kindred.Client(daemon.address) as client:
        first = client.ingest(map(record, range(10)), client_id="loader", frame_items_max=1)
        assert first.durable_frame == 10
    with kindred.Client(daemon.address) as client:
        with client.ingest_stream(client_id="loader", acknowledged_frame=10) as stream:
            assert stream.report().durable_frame == 10
            stream.send(record(10))
        assert stream.report().durable_frame == 11 and stream.report().stored == 1
        with pytest.raises(kindred.DataLoss):
            client.ingest_stream(client_id="loader", acknowledged_frame=99)


def test_two_streams_of_one_name_are_noticed(daemon):
    with kindred.Client(daemon.address) as client:
        one, other = (client.ingest_stream(client_id="same") for _ in range(2))
        one.send(record(1))
        one.finish()
        with pytest.raises((kindred.Aborted, kindred.FailedPrecondition)):
            other.send(record(2))
            other.finish()
