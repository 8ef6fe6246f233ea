"""What an ingest is told, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional

from kindred.errors import InvalidArgument, KindredError
from kindred.frames import Rejection
from kindred.novelty import NotNovel, Novelty
from kindred.v1 import kindred_pb2 as pb

#: How many rejections a report keeps, and as many items that are not novel; all are counted, and told to on_rejected
#: and on_not_novel.
REJECTIONS_KEPT_MAX = 1000


@dataclass
class IngestReport:
    """What became of the items of an ingest so far, each counted once."""

    read: int = 0
    stored: int = 0
    replaced: int = 0
    deleted: int = 0
    rejected: int = 0
    #: Not stored, since a stored graph is too similar; only with `novelty`.
    not_novel: int = 0
    #: Durable, but the connection was lost before the daemon told which of them it stored or rejected.
    unreported: int = 0
    #: Nothing is known of these: on their way, or lost with the stream.
    unacknowledged: int = 0
    #: A search with this as min_sequence sees everything acknowledged.
    sequence: int = 0
    durable_frame: int = 0
    seconds: float = 0.0
    #: The first REJECTIONS_KEPT_MAX.
    rejections: List[Rejection] = field(default_factory=list)
    #: The first as many.
    not_novel_items: List[NotNovel] = field(default_factory=list)


@dataclass(frozen=True)
class ConnectionChange:
    """The connection of a stream was lost (attempt 1 and up is made next to get it back), or is back (attempt 0)."""

    attempt: int
    durable_frame: int = 0
    reason: Optional[KindredError] = None


@dataclass(frozen=True)
class IngestOptions:
    mode: Any = pb.WRITE_MODE_UPSERT
    client_id: Optional[str] = None
    acknowledged_frame: int = 0
    frame_items_max: int = 256
    frame_bytes_max: int = 256 << 10
    window_bytes: int = 8 << 20
    #: Under the daemon's message_bytes_max: a larger message would end the whole stream.
    record_bytes_max: int = (16 << 20) - 4096
    flush_after: float = 0.2
    reconnect_for: float = 60.0
    on_rejected: Optional[Callable[[Rejection], None]] = None
    on_connection: Optional[Callable[[ConnectionChange], None]] = None
    novelty: Optional[Novelty] = None
    on_not_novel: Optional[Callable[[NotNovel], None]] = None

    def __post_init__(self) -> None:
        for name in ("frame_items_max", "frame_bytes_max", "window_bytes"):
            if getattr(self, name) < 1:
                raise InvalidArgument(f"{name}: {getattr(self, name)} is not above 0")
        if self.reconnect_for < 0:
            raise InvalidArgument(f"reconnect_for: {self.reconnect_for} is below 0")
        if self.novelty is not None:
            self.novelty.to_proto()  # Raises here rather than in the stream's thread.


def raising(inner: Optional[Callable[[Rejection], None]]) -> Callable[[Rejection], None]:
    """Tells `inner` of the first rejection, and ends the ingest with it."""

    def on_rejected(rejection: Rejection) -> None:
        if inner is not None:
            inner(rejection)
        raise type(rejection.error)(str(rejection), rejection.error.code)

    return on_rejected
