"""A stream of writes into the daemon, which outlives its connection.

    caller --send--> frames --gRPC's thread--> daemon --acks--> the stream's thread --> events --> caller's callbacks
                    |<-- in flight: at most window_bytes -->|

When the connection is lost, or the daemon restarts, the stream connects again and goes on behind the last frame that is
durable: each frame is applied once, all of them in order. Only Unavailable is worth another attempt; any other end is
final, and so is a failure of the very first connection. When a frame was applied but its acknowledgement got lost, what
became of its items is not known; they are counted as `unreported`.

Threads: one caller at a time, but for cancel, from any. Callbacks run in the caller's thread, inside its calls.
Memory: what is not acknowledged, at most window_bytes (one record that is larger travels alone).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Mapping

from kindred.connection import Connection
from kindred.convert import Conversion, RecordLike
from kindred.errors import Aborted, FailedPrecondition, InvalidArgument, KindredError, ResourceExhausted, Unavailable
from kindred.frames import Rejection
from kindred.graph import Record
from kindred.ingest_calls import IngestCalls
from kindred.ingest_types import IngestOptions, IngestReport
from kindred.novelty import NotNovel
from kindred.v1 import kindred_pb2 as pb

#: How long leaving a cancelled stream waits for its end, which takes milliseconds.
_CANCEL_SECONDS_MAX = 5.0


class IngestStream(IngestCalls):
    """Takes records one by one; see Client.ingest_stream. A context manager: leaving it finishes the stream, or
    cancels it when an exception passes through."""

    def __init__(self, connection: Connection, options: IngestOptions, conversion: Conversion) -> None:
        super().__init__(connection, options)
        self._conversion = conversion
        self._thread.start()
        try:
            self._wait_until_opened()
        except BaseException:
            self.cancel()
            raise

    def send(self, item: RecordLike) -> None:
        """Takes an item; blocks while too many bytes are in flight. One that is no graph is a rejection."""
        try:
            encoded = self._conversion.record(item).to_proto().SerializeToString()
            if len(encoded) > self._options.record_bytes_max:
                raise ResourceExhausted(f"bytes of the record: {len(encoded)}, at most "
                                        f"{self._options.record_bytes_max} (record_bytes_max)")
        except (InvalidArgument, ResourceExhausted) as error:
            with self._changed:
                self._take_rejection(Rejection(self._report.read, _id_of(item), error))
                self._report.read += 1
            self._deliver()
            return
        self._add(pb.IngestItem(encoded_put=encoded), len(encoded))

    def delete(self, id: str) -> None:
        """Removes a graph, in its turn."""
        self._add(pb.IngestItem(delete_id=id), len(id))

    def flush(self) -> int:
        """Sends what was taken without waiting for more; once report().durable_frame is the number given, it is
        durable."""
        with self._changed:
            self._changed.notify_all()
            return self._frames.close()

    def finish(self) -> IngestReport:
        """Waits until everything is acknowledged; raises what ended the stream instead."""
        with self._changed:
            self._finishing = True
            self._changed.notify_all()
        while True:
            self._deliver()
            with self._changed:
                if not self._events:
                    if self._ended:
                        break
                    self._changed.wait_for(lambda: self._ended or self._events)
        with self._changed:
            failure = self._failure
            if failure is None and len(self._frames) > 0:
                failure = Aborted(f"the daemon ended the stream with {len(self._frames)} frames not acknowledged")
        if failure is not None:
            raise failure
        return self.report()

    def report(self) -> IngestReport:
        """What is acknowledged so far; also good after a failure."""
        with self._changed:
            return replace(self._report, unacknowledged=self._frames.items, rejections=list(self._report.rejections),
                           not_novel_items=list(self._report.not_novel_items), seconds=time.monotonic() - self._begun)

    def __enter__(self) -> "IngestStream":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.cancel()
            self._thread.join(_CANCEL_SECONDS_MAX)

    def _wait_until_opened(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._opened or self._ended, self._connection.timeout)
            if self._opened:
                return
            if self._ended:
                raise self._failure or KindredError("the daemon ended the stream before it opened it", "INTERNAL")
        raise Unavailable(f"the daemon did not open the stream within {self._connection.timeout} s")

    def _add(self, item: pb.IngestItem, size: int) -> None:
        while True:
            if self._events:
                self._deliver()
            with self._changed:
                if self._ended:
                    raise self._failure or Aborted("the daemon ended the stream")
                if self._finishing or self._cancelled:
                    raise FailedPrecondition("the stream is finished")
                if self._has_room(size):
                    is_new = self._frames.add(item, size, self._report.read)
                    self._report.read += 1
                    if is_new or self._next_is_due():
                        self._changed.notify_all()
                    return
                self._blocked = True  # Nothing more will come to fill the last frame: let it go.
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._has_room(size) or self._ended or self._cancelled or self._events)
                self._blocked = False

    def _has_room(self, size: int) -> bool:
        return self._frames.bytes == 0 or self._frames.bytes + size <= self._options.window_bytes

    def _deliver(self) -> None:
        """Runs the callbacks for what happened, here in the caller's thread."""
        while True:
            with self._changed:
                if not self._events:
                    return
                event = self._events.popleft()
            if isinstance(event, Rejection):
                if self._options.on_rejected is not None:
                    self._options.on_rejected(event)
            elif isinstance(event, NotNovel):
                if self._options.on_not_novel is not None:
                    self._options.on_not_novel(event)
            elif self._options.on_connection is not None:
                self._options.on_connection(event)


def _id_of(item: RecordLike) -> str:
    """The id of an item that is no record, as far as one can tell."""
    if isinstance(item, Record):
        return item.id
    if isinstance(item, Mapping):
        return str(item.get("id", ""))
    if isinstance(item, (tuple, list)) and len(item) == 2:
        return str(item[0]) if isinstance(item[0], str) else ""
    return item.strip() if isinstance(item, str) else ""
