"""The frames of an ingest stream, each from its first item until it is durable.

    durable | sent, not acknowledged | closed, not sent | filling
            |<------------------ what is held ------------------>|

Gathers items into frames, numbers them, gives them out to be sent (again after a lost connection), and finds for each
item that was not stored where the caller had it from. Numbers go up by one; a frame that was given out once never
changes.

Threads: one caller at a time.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Deque, List, Optional, Union

from kindred.errors import Aborted, DataLoss, KindredError, error_of
from kindred.novelty import NotNovel
from kindred.results import Closest
from kindred.v1 import kindred_pb2 as pb


@dataclass(frozen=True)
class Rejection:
    """An item that was not stored: its place in the iterable, its id as far as it is known, and why."""

    index: int
    id: str
    error: KindredError

    def __str__(self) -> str:
        return f"item {self.index} ({self.id}): {self.error}"


@dataclass
class Settled:
    """Frames that are durable now, their items, and those of them that were not stored."""

    frames: int = 0
    items: int = 0
    rejections: List[Rejection] = field(default_factory=list)
    not_novel: List[NotNovel] = field(default_factory=list)


@dataclass
class _Frame:
    message: pb.IngestRequest
    indices: List[int] = field(default_factory=list)
    size: int = 0
    begun: float = 0.0
    closed: bool = False


class FrameQueue:
    def __init__(self, items_max: int, bytes_max: int) -> None:
        self._items_max = items_max
        self._bytes_max = bytes_max
        self._frames: Deque[_Frame] = deque()
        self._first = 1  # The number of the front, or of the next frame.
        self._given = 0  # How many of the held are given out since the last resume.
        self._sent = 0  # The number of the last frame ever given out.
        self.bytes = 0  # Of all items held.

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def items(self) -> int:
        return sum(len(frame.indices) for frame in self._frames)

    @property
    def durable(self) -> int:
        """The number of the last durable frame."""
        return self._first - 1

    def start_after(self, durable: int) -> None:
        """Tells of the last frame that is durable already; frames held so far are numbered behind it."""
        self._first = durable + 1

    def add(self, item: pb.IngestItem, size: int, index: int) -> bool:
        """Adds an item to the last frame; or to a new one, which is True."""
        is_new = not self._frames or self._frames[-1].closed
        if is_new:
            self._frames.append(_Frame(pb.IngestRequest(), begun=time.monotonic()))
        frame = self._frames[-1]
        frame.message.frame.items.append(item)
        frame.indices.append(index)
        frame.size += size
        self.bytes += size
        frame.closed = len(frame.indices) >= self._items_max or frame.size >= self._bytes_max
        return is_new

    def close(self) -> int:
        """The last frame gets no further item; gives its number."""
        if self._frames:
            self._frames[-1].closed = True
        return self._first + len(self._frames) - 1

    def next(self) -> Optional[_Frame]:
        """The next frame to be sent, if there is one."""
        return self._frames[self._given] if self._given < len(self._frames) else None

    def take(self) -> pb.IngestRequest:
        """Gives out the frame of next(), which is closed with that."""
        frame = self._frames[self._given]
        frame.closed = True
        number = self._first + self._given
        frame.message.frame.client_sequence = number
        self._given += 1
        self._sent = max(self._sent, number)
        return frame.message

    def settle(self, ack: pb.IngestAck) -> Settled:
        """Lets go of every frame up to the one acknowledged."""
        if ack.client_sequence >= self._first + self._given:
            raise KindredError(f"the daemon acknowledged frame {ack.client_sequence}, which was not sent", "INTERNAL")
        rejections = [Rejection(self._index_of(item, ack.client_sequence), item.id,
                                error_of(item.outcome.code, item.outcome.message)) for item in ack.rejected]
        not_novel = [NotNovel(self._index_of(item, ack.client_sequence), item.id, Closest.from_proto(item.closest))
                     for item in ack.not_novel]
        settled = self._let_go(ack.client_sequence)
        settled.rejections = rejections
        settled.not_novel = not_novel
        return settled

    def resume(self, durable: int) -> Settled:
        """After a lost connection: lets go of every frame up to `durable`, and gives out the others again."""
        if durable < self.durable:
            raise DataLoss(f"frame {self.durable} was acknowledged, but the daemon has frames up to {durable} only")
        sent = max(self._sent, self.durable)
        if durable > sent:
            raise Aborted(f"the daemon has frames up to {durable}, but only {sent} were sent: does another stream use "
                          "this client id?")
        settled = self._let_go(durable)
        self._given = 0
        return settled

    def _index_of(self, item: Union[pb.IngestAck.Rejected, pb.IngestAck.NotNovel], last: int) -> int:
        place = item.client_sequence - self._first
        if place < 0 or item.client_sequence > last or item.item >= len(self._frames[place].indices):
            raise KindredError(f"the daemon did not store item {item.item} of frame {item.client_sequence}, which its "
                               "answer does not cover", "INTERNAL")
        return self._frames[place].indices[item.item]

    def _let_go(self, durable: int) -> Settled:
        settled = Settled()
        while self._frames and self._first <= durable:
            frame = self._frames.popleft()
            self._first += 1
            self._given = max(self._given - 1, 0)
            self.bytes -= frame.size
            settled.frames += 1
            settled.items += len(frame.indices)
        return settled
