"""A watch: its calls to the daemon, one after another, as one iterator.

Threads: iterated by one thread at a time; `close` from any.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any, Deque, Iterator, Optional, Tuple

import grpc

from kindred.connection import Connection, Outage
from kindred.errors import KindredError, Unavailable, error_of_rpc
from kindred.v1 import kindred_pb2 as pb
from kindred.watch_types import Match, WatchConnectionChange, WatchOptions, WatchProgress


class Watch(Iterator[Match]):
    """The matches of some standing queries, in the order of commits, each once; an iterator.

    `position` is the commit up to which all matches were given out: a watch with it as `after_sequence`, in another
    process say, gives the rest. `behind` is how many commits the daemon had not looked at when it last told. As a
    context manager it closes itself.
    """

    def __init__(self, connection: Connection, request: pb.WatchRequest, options: WatchOptions) -> None:
        self.position = 0
        self.behind = 0
        self._connection = connection
        self._request = request
        self._options = options
        self._places = {query.name: place for place, query in enumerate(request.queries)}
        self._deadline = None if options.timeout is None else time.monotonic() + options.timeout
        self._pending: Deque[Match] = deque()  # Told by the daemon, and not given out yet.
        self._told = 0  # Everything up to this commit was in a message.
        self._last: Tuple[int, int] = (0, -1)  # The last match of all messages: its commit, and the place of its query.
        self._outage: Optional[Outage] = None  # Until the daemon answers again.
        self._closed = threading.Event()
        self._lock = threading.Lock()  # Guards _call, which close() reads.
        self._call: Any = None
        self._done = False
        self._start_call()
        try:
            self._accept(self._read_first())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the watch, and an iteration that waits. From any thread."""
        self._closed.set()
        with self._lock:
            call = self._call
        if call is not None:
            call.cancel()

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):
            self.close()

    def __iter__(self) -> "Watch":
        return self

    def __next__(self) -> Match:
        while not self._pending:
            if self._done or self._closed.is_set():
                raise StopIteration
            try:
                self._read_more()
            except KindredError:
                self._done = True
                if self._closed.is_set():
                    raise StopIteration from None
                raise
        match = self._pending.popleft()
        # Matches ascend by commit; what is left of a commit may be in the next message, and `_told` is below it then.
        self.position = self._pending[0].sequence - 1 if self._pending else self._told
        return match

    def _read_more(self) -> None:
        """One message more, of this call or, after an outage, of the next; or the end."""
        if not self._options.follow and self.behind == 0:
            self._done = True
            return
        try:
            message = self._read() if self._outage is None else self._reconnect()
        except Unavailable as error:
            self._plan_another(error)
        else:
            self._accept(message)

    def _start_call(self) -> None:
        left = None if self._deadline is None else max(self._deadline - time.monotonic(), 0.001)
        call = self._connection.index.Watch(self._request, timeout=left, metadata=self._connection.metadata)
        with self._lock:
            self._call = call
        if self._closed.is_set():
            call.cancel()

    def _read(self) -> pb.WatchResponse:
        try:
            message: Optional[pb.WatchResponse] = next(self._call, None)
        except grpc.RpcError as error:
            raise error_of_rpc(error) from None
        if message is None:
            raise KindredError("the daemon ended the watch", "INTERNAL")
        return message

    def _read_first(self) -> pb.WatchResponse:
        """The daemon answers at once; one that hangs is as good as gone."""
        late = threading.Event()
        call = self._call

        def give_up() -> None:
            late.set()
            call.cancel()

        timer = threading.Timer(self._connection.timeout, give_up)
        timer.daemon = True
        timer.start()
        try:
            return self._read()
        except KindredError:
            if late.is_set():
                raise Unavailable("the daemon did not begin to watch within the time limit") from None
            raise
        finally:
            timer.cancel()

    def _accept(self, message: pb.WatchResponse) -> None:
        for match in message.matches:
            # The matches of one commit may come in several messages; after a loss in between, the first come again.
            place = (match.sequence, self._places.get(match.query, 0))
            if place > self._last:
                self._last = place
                self._pending.append(Match.from_proto(match))
        self._told = message.sequence
        self.behind = message.behind
        if not self._pending:
            self.position = self._told
        if self._outage is not None:
            self._outage = None
            self._tell_of_connection(WatchConnectionChange(0, self._told))
        if self._options.on_progress is not None:
            self._options.on_progress(WatchProgress(self._told, self.behind))

    def _plan_another(self, error: Unavailable) -> None:
        if self._options.reconnect_for == 0 or self._closed.is_set():
            raise error
        if self._outage is None:
            self._outage = Outage(self._options.reconnect_for)
        wait = self._outage.next()
        if wait is None:
            raise Unavailable(f"the connection was lost, and not to be had again within {self._options.reconnect_for} s,"
                              f" in {self._outage.attempts} attempts: {error}")
        self._tell_of_connection(WatchConnectionChange(self._outage.attempts, self._told, error))
        self._closed.wait(wait)

    def _reconnect(self) -> pb.WatchResponse:
        self._request.after_sequence = self._told
        self._start_call()
        return self._read_first()

    def _tell_of_connection(self, change: WatchConnectionChange) -> None:
        if self._options.on_connection is not None:
            self._options.on_connection(change)
