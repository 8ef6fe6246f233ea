"""Streams of writes: laziness, backpressure, rejections, progress, cancellation."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import kindred
from kindred import Graph, Record


def records(count, prefix="r", payload=b""):
    return (Record(f"{prefix}{i}", Graph(["a", "b"], [(0, 1)]), payload) for i in range(count))


def test_everything_is_stored_and_counted(client):
    report = client.ingest(records(1000))
    assert (report.read, report.stored, report.replaced, report.rejected) == (1000, 1000, 0, 0)
    assert report.unreported == report.unacknowledged == 0 and report.seconds > 0
    assert report.sequence == client.stats().sequence == 1000
    assert client.search(id="r7", k=1, min_sequence=report.sequence)[0].similarity == 1
    again = client.ingest(records(1000))
    assert (again.stored, again.replaced) == (0, 1000)


def test_nothing_at_all(client):
    report = client.ingest([])
    assert report.read == report.stored == report.durable_frame == 0


def test_rejections_are_reported_with_their_place(client):
    items = [("fine", (["a"], [])), ("no graph", ([], [])), Record("x" * 513, Graph(["a"])), 17,
             ("too long", (["a" * 257], [])), ("also fine", (["a"], []))]
    told = []
    report = client.ingest(iter(items), on_rejected=told.append)
    assert (report.read, report.stored, report.rejected) == (6, 2, 4)
    by_index = {rejection.index: rejection for rejection in report.rejections}
    assert sorted(by_index) == sorted(rejection.index for rejection in told) == [1, 2, 3, 4]
    assert by_index[1].id == "no graph" and isinstance(by_index[1].error, kindred.InvalidArgument)
    assert "id" in by_index[2].error.details
    assert isinstance(by_index[4].error, kindred.ResourceExhausted) and "label_bytes_max" in str(by_index[4])
    assert {record.id for record in client.export()} == {"fine", "also fine"}


def test_a_report_keeps_the_first_rejections_and_counts_all(client):
    told = []
    report = client.ingest((("x", ([], [])) for _ in range(1001)), on_rejected=told.append)
    assert report.rejected == len(told) == 1001 and len(report.rejections) == 1000


@pytest.mark.parametrize("bad", [("local", ([], [])), ("remote", (["a" * 257], []))])
def test_on_error_raise_raises_the_first(client, bad):
    def items():
        yield from records(10)
        yield bad
        yield from records(1_000_000, prefix="never ")

    with pytest.raises(kindred.KindredError, match=rf"item 10 \({bad[0]}\): ") as caught:
        client.ingest(items(), on_error="raise")
    assert caught.value.report.rejected == 1
    with pytest.raises(kindred.InvalidArgument, match="on_error"):
        client.ingest([], on_error="ignore")


def test_modes(client):
    client.ingest(records(2))
    report = client.ingest(records(3), mode="insert")
    assert (report.stored, report.rejected) == (1, 2)
    assert all(isinstance(rejection.error, kindred.AlreadyExists) for rejection in report.rejections)


def test_the_iterable_is_read_only_as_far_as_the_window_allows(client):
    window = 64 << 10
    payload = b"x" * 1000
    taken = 0
    most_ahead = 0
    with client.ingest_stream(window_bytes=window, frame_bytes_max=8 << 10) as stream:
        for record in records(5000, payload=payload):
            stream.send(record)
            taken += 1
            most_ahead = max(most_ahead, stream.report().unacknowledged)
    assert stream.report().stored == taken == 5000
    assert 8 < most_ahead <= window // 1000


def test_a_producer_waits_for_a_daemon_that_stands_still(daemon):
    window = 64 << 10
    taken = 0

    def items():
        nonlocal taken
        for record in records(2000, payload=b"x" * 1000):
            taken += 1
            yield record

    with kindred.Client(daemon.address) as client:
        os.kill(daemon.process.pid, signal.SIGSTOP)
        # The stream opens, then the daemon stands still: what is taken is bounded by the window.
        threading.Timer(0.3, os.kill, (daemon.process.pid, signal.SIGCONT)).start()
        stream = client.ingest_stream(window_bytes=window)
        os.kill(daemon.process.pid, signal.SIGSTOP)

        def feed():
            with stream:
                for item in items():
                    stream.send(item)

        feeder = threading.Thread(target=feed)
        feeder.start()
        time.sleep(0.7)
        stuck_at = taken
        time.sleep(0.3)
        assert taken == stuck_at <= window // 1000 + 2
        os.kill(daemon.process.pid, signal.SIGCONT)
        feeder.join(60)
        assert stream.report().stored == 2000


def test_a_record_larger_than_the_window_travels_alone(client):
    report = client.ingest(records(3, payload=b"x" * 60_000), window_bytes=1000)
    assert report.stored == 3


def test_a_record_larger_than_a_message_is_rejected_here(client):
    report = client.ingest([Record("big", Graph(["a"]), b"x" * (16 << 20)), Record("small", Graph(["a"]))])
    assert (report.stored, report.rejected) == (1, 1) and "record_bytes_max" in str(report.rejections[0])


@pytest.mark.parametrize("option", ["frame_items_max", "frame_bytes_max", "window_bytes"])
def test_limits_of_a_stream_are_at_least_one(client, option):
    assert client.ingest(records(3), **{option: 1}).stored == 3
    with pytest.raises(kindred.InvalidArgument, match=f"{option}: 0 is not above 0"):
        client.ingest_stream(**{option: 0})


def test_progress_comes_in_between_and_at_the_end(client):
    seen = []

    def slowly():
        for record in records(10):
            time.sleep(0.06)
            yield record

    client.ingest(slowly(), on_progress=seen.append)
    assert len(seen) >= 3
    assert [report.read for report in seen] == sorted(report.read for report in seen)
    assert seen[-1].stored == 10


def test_deletes_keep_their_turn(client):
    with client.ingest_stream() as stream:
        for record in records(3):
            stream.send(record)
        stream.delete("r1")
        stream.delete("none")
    report = stream.report()
    assert (report.read, report.stored, report.deleted, report.rejected) == (5, 3, 1, 1)
    with pytest.raises(kindred.KindredError):
        stream.send(Record("late", Graph(["a"])))


def test_flush_makes_durable_without_an_end(client):
    stream = client.ingest_stream(flush_after=60)
    stream.send(Record("x", Graph(["a"])))
    number = stream.flush()
    deadline = time.monotonic() + 20
    while stream.report().durable_frame < number and time.monotonic() < deadline:
        time.sleep(0.01)
    assert client.get("x").id == "x"
    stream.finish()


def test_what_the_iterable_raises_ends_the_ingest(client):
    def items():
        yield from records(5)
        raise OSError("the file is broken")

    with pytest.raises(OSError, match="the file is broken"):
        client.ingest(items())
    assert client.ingest(records(5)).read == 5


def test_what_a_callback_raises_ends_the_ingest(client):
    class Stop(Exception):
        pass

    def stop(_):
        raise Stop

    def endless():
        while True:
            time.sleep(0.01)
            yield Record("x", Graph(["a"]))

    with pytest.raises(Stop):
        client.ingest(endless(), on_progress=stop)


def test_a_stream_can_be_cancelled_from_another_thread(client):
    stream = client.ingest_stream(window_bytes=1)
    threading.Timer(0.3, stream.cancel).start()
    with pytest.raises(kindred.KindredError) as caught:
        while True:
            stream.send(Record("x", Graph(["a"])))
    assert caught.value.code in ("CANCELLED", "FAILED_PRECONDITION")


def test_ctrl_c_ends_an_endless_ingest_at_once(daemon):
    program = textwrap.dedent("""
        import itertools, sys
        import kindred
        client = kindred.Client(sys.argv[1])
        started = False
        def endless():
            for i in itertools.count():
                if i == 1000:
                    print("under way", flush=True)
                yield kindred.Record(str(i), kindred.Graph(["a"]))
        try:
            client.ingest(endless())
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(130)
    """)
    child = subprocess.Popen([sys.executable, "-c", program, daemon.address], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "under way\n"
    begun = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    assert child.wait(20) == 130
    assert time.monotonic() - begun < 10
    child.stdout.close()
    with kindred.Client(daemon.address) as client:
        assert client.verify().finding_count == 0
