"""The threads of an ingest stream: its calls to the daemon, one after another.

Threads: the stream's own, which makes the calls and takes the answers; gRPC's, which asks for the next frame to send.
What the caller is to be told is queued as events, so that its callbacks run in its own thread (ingest.py).
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from dataclasses import replace
from typing import Any, Deque, Iterator, Optional, Union

import grpc

from kindred.connection import Connection, Outage
from kindred.errors import Cancelled, KindredError, Unavailable, error_of_rpc
from kindred.frames import FrameQueue, Rejection, Settled
from kindred.ingest_types import REJECTIONS_KEPT_MAX, ConnectionChange, IngestOptions, IngestReport
from kindred.novelty import NotNovel
from kindred.v1 import kindred_pb2 as pb


class _Call:
    """One connection of the stream."""

    def __init__(self, open_by: float) -> None:
        self.open_by = open_by
        self.rpc: Any = None
        self.opened = False
        self.too_late = False
        self.over = False


class IngestCalls:
    """The state of a stream, and its threads."""

    def __init__(self, connection: Connection, options: IngestOptions) -> None:
        if options.client_id is None:
            # Without a name the stream could not be taken up again.
            name = f"python-{uuid.uuid4().hex}" if options.reconnect_for > 0 else ""
            options = replace(options, client_id=name)
        self._connection = connection
        self._options = options
        self._deadline = time.monotonic() + connection.stream_timeout
        self._begun = time.monotonic()
        self._outage: Optional[Outage] = None  # Until a frame got through again; the stream's thread alone.

        self._changed = threading.Condition()  # Guards all below.
        self._frames = FrameQueue(options.frame_items_max, options.frame_bytes_max)
        self._report = IngestReport()
        self._events: Deque[Union[Rejection, NotNovel, ConnectionChange]] = deque()
        self._call: Optional[_Call] = None
        self._opened = False
        self._blocked = False
        self._finishing = False
        self._cancelled = False
        self._ended = False
        self._failure: Optional[KindredError] = None
        self._thread = threading.Thread(target=self._run, name="kindred-ingest", daemon=True)

    def cancel(self) -> None:
        """Ends the stream at once: what is not acknowledged may or may not be stored. From any thread."""
        with self._changed:
            self._cancelled = True
            call = self._call
            self._changed.notify_all()
        if call is not None:
            call.rpc.cancel()

    # The stream's thread: call after call, as long as another is worth it.

    def _run(self) -> None:
        failure: Optional[KindredError] = KindredError("the stream's thread died", "INTERNAL")
        try:
            failure = self._run_call()
            while failure is not None and self._is_worth_another(failure):
                self._wait_to_reconnect(failure)
                failure = self._run_call()
        except KindredError as error:
            failure = error
        finally:
            with self._changed:
                # A daemon that goes away once everything is durable takes nothing with it.
                self._failure = None if isinstance(failure, Unavailable) and self._is_complete() else failure
                self._ended = True
                self._changed.notify_all()

    def _run_call(self) -> Optional[KindredError]:
        now = time.monotonic()
        call = _Call(min(self._outage.give_up, now + self._connection.timeout) if self._outage else self._deadline)
        rpc = self._connection.index.Ingest(self._requests(call), timeout=max(self._deadline - now, 0.001),
                                            metadata=self._connection.metadata)
        with self._changed:
            call.rpc = rpc
            self._call = call
            cancelled = self._cancelled
        if cancelled:
            rpc.cancel()
        failure: Optional[KindredError] = None
        try:
            for response in rpc:
                self._handle(call, response)
        except grpc.RpcError as error:
            failure = error_of_rpc(error)
        except KindredError as error:  # The daemon's answer made no sense.
            failure = error
            rpc.cancel()
        finally:
            with self._changed:
                call.over = True
                self._changed.notify_all()
        with self._changed:
            if self._cancelled and failure is not None:
                return Cancelled("the stream was cancelled")
            if call.too_late:
                return Unavailable("the daemon did not open the stream within the time limit")
        return failure

    def _is_complete(self) -> bool:
        return self._finishing and len(self._frames) == 0

    def _is_worth_another(self, failure: KindredError) -> bool:
        with self._changed:
            return (isinstance(failure, Unavailable) and self._opened and not self._is_complete()
                    and bool(self._options.client_id) and self._options.reconnect_for > 0)

    def _wait_to_reconnect(self, lost: KindredError) -> None:
        if self._outage is None:
            self._outage = Outage(self._options.reconnect_for)
        outage = self._outage
        wait = outage.next()
        if wait is None:
            raise Unavailable(f"the connection was lost, and not to be had again within {self._options.reconnect_for} "
                              f"s, in {outage.attempts} attempts: {lost}")
        with self._changed:
            self._tell(ConnectionChange(outage.attempts, reason=lost))
            if self._changed.wait_for(lambda: self._cancelled, wait):
                raise Cancelled("the stream was cancelled")

    def _handle(self, call: _Call, response: pb.IngestResponse) -> None:
        kind = response.WhichOneof("kind")
        with self._changed:
            if kind == "ack":
                self._take_ack(response.ack)
            elif kind == "opened":
                self._take_opened(call, response.opened.durable_client_sequence)
            else:
                raise KindredError("the daemon sent an answer this client does not know", "INTERNAL")
            self._changed.notify_all()

    def _take_opened(self, call: _Call, durable: int) -> None:
        if call.opened:
            raise KindredError("the daemon opened the stream twice", "INTERNAL")
        call.opened = True
        settled = Settled()
        if self._opened:
            settled = self._frames.resume(durable)
            self._report.unreported += settled.items
        else:
            self._opened = True
            self._frames.start_after(durable)
        self._report.durable_frame = durable
        if self._outage is not None:
            self._tell(ConnectionChange(0, durable))
            if settled.frames > 0 or len(self._frames) == 0:
                self._outage = None

    def _take_ack(self, ack: pb.IngestAck) -> None:
        settled = self._frames.settle(ack)
        report = self._report
        report.stored += ack.inserted
        report.replaced += ack.replaced
        report.deleted += ack.deleted
        told = ack.inserted + ack.replaced + ack.deleted + len(settled.rejections) + len(settled.not_novel)
        if ack.repeated_frames > 0:  # Applied before: this answer does not tell of their items.
            report.unreported += max(settled.items - told, 0)
        report.sequence = max(report.sequence, ack.sequence)
        report.durable_frame = self._frames.durable
        if settled.frames > 0:
            self._outage = None
        for rejection in settled.rejections:
            self._take_rejection(rejection)
        for item in settled.not_novel:
            report.not_novel += 1
            if len(report.not_novel_items) < REJECTIONS_KEPT_MAX:
                report.not_novel_items.append(item)
            if self._options.on_not_novel is not None:
                self._events.append(item)

    def _take_rejection(self, rejection: Rejection) -> None:
        self._report.rejected += 1
        if len(self._report.rejections) < REJECTIONS_KEPT_MAX:
            self._report.rejections.append(rejection)
        if self._options.on_rejected is not None:
            self._events.append(rejection)

    def _tell(self, change: ConnectionChange) -> None:
        if self._options.on_connection is not None:
            self._events.append(change)
            self._changed.notify_all()

    # gRPC's thread: what a call sends.

    def _requests(self, call: _Call) -> Iterator[pb.IngestRequest]:
        yield self._open_request()
        if not self._wait_for_opened(call):
            return
        while True:
            frame = self._next_frame(call)
            if frame is None:
                return
            yield frame

    def _open_request(self) -> pb.IngestRequest:
        with self._changed:
            acknowledged = self._frames.durable if self._opened else self._options.acknowledged_frame
        novelty = self._options.novelty
        return pb.IngestRequest(open=pb.IngestOpen(client_id=self._options.client_id, mode=self._options.mode,
                                                   acknowledged_client_sequence=acknowledged,
                                                   novelty=None if novelty is None else novelty.to_proto()))

    def _wait_for_opened(self, call: _Call) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: call.opened or call.over, call.open_by - time.monotonic())
            if call.opened or call.over:
                return not call.over
            call.too_late = True
        call.rpc.cancel()
        return False

    def _next_frame(self, call: _Call) -> Optional[pb.IngestRequest]:
        """Waits for the next frame that is full, or old enough; None when there will be none."""
        with self._changed:
            while not call.over:
                frame = self._frames.next()
                if frame is None:
                    if self._finishing:
                        return None
                    self._changed.wait_for(lambda: call.over or self._finishing or self._frames.next() is not None)
                    continue
                wait = frame.begun + self._options.flush_after - time.monotonic()
                if wait <= 0 or self._next_is_due():
                    return self._frames.take()
                self._changed.wait_for(lambda: call.over or self._next_is_due(), wait)
            return None

    def _next_is_due(self) -> bool:
        frame = self._frames.next()
        return frame is not None and (self._finishing or self._blocked or frame.closed)
