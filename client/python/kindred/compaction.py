"""Looking after an index: the space of deleted and replaced graphs given back while it serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from kindred.connection import Connection
from kindred.errors import KindredError
from kindred.v1 import kindred_pb2 as pb

_STAGES = {pb.COMPACT_STAGE_LISTS: "lists", pb.COMPACT_STAGE_COLOURS: "colours", pb.COMPACT_STAGE_TABLES: "tables"}


@dataclass(frozen=True)
class Compaction:
    """A compaction: how far it got (`stage`: "lists", "colours" or "tables") and, at its end (`done`), what came of it.

    `graphs_dropped` deleted or replaced graphs left the lists in memory. Of all `colours`, `colours_unused` are worn by
    no stored graph any more; `kindredd --data-dir DIR --compact` reclaims them while the daemon is stopped.
    """

    stage: str
    segments_before: int
    segments_after: int
    graphs_dropped: int
    memory_bytes_before: int
    memory_bytes_after: int
    disk_bytes_before: int
    disk_bytes_after: int
    colours: int
    colours_unused: int
    done: bool = False

    @classmethod
    def from_proto(cls, message: pb.CompactResponse) -> "Compaction":
        return cls(_STAGES.get(message.stage, ""), message.segments_before, message.segments_after,
                   message.graphs_dropped, message.memory_bytes_before, message.memory_bytes_after,
                   message.disk_bytes_before, message.disk_bytes_after, message.colours, message.colours_unused,
                   message.done)


class CompactCalls:
    """The part of a Client that compacts."""

    _connection: Connection

    def compact(self, *, on_progress: Optional[Callable[[Compaction], None]] = None) -> Compaction:
        """Gives back what deleted and replaced graphs still take in memory and on disk, while searches and writes go
        on; answers stay what they are. FailedPrecondition while another one is under way. An exception out of
        `on_progress` gives it up."""
        messages = self._connection.stream(self._connection.admin.Compact, pb.CompactRequest())
        for message in messages:
            compaction = Compaction.from_proto(message)
            if compaction.done:
                return compaction
            if on_progress is not None:
                on_progress(compaction)
        raise KindredError("the daemon ended the compaction before it was done", "INTERNAL")
