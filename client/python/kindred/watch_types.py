"""What a watch is told, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, Optional, Union

from kindred.convert import GraphLike
from kindred.errors import InvalidArgument, KindredError
from kindred.requests import Id
from kindred.v1 import kindred_pb2 as pb

#: More than a day without a daemon is for a person to look at.
RECONNECT_SECONDS = 86_400.0


@dataclass(frozen=True)
class WatchQuery:
    """A graph to watch for, or the `Id` of a stored one: told of what is at least `min_similarity` close to it. Without a
    similarity of its own it has that of the watch."""

    name: str
    graph: Union[Id, GraphLike]
    min_similarity: Optional[float] = None


@dataclass(frozen=True)
class Match:
    """A graph that was stored by the commit `sequence` and is close to the query of this name. Payload and tags are
    there if they were asked for."""

    sequence: int
    id: str
    query: str
    kernel: float
    similarity: float
    payload: bytes = b""
    tags: Dict[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def from_proto(cls, message: pb.WatchResponse.Match) -> "Match":
        return cls(message.sequence, message.id, message.query, message.kernel, message.similarity, message.payload,
                   {tag.key: tag.value for tag in message.tags})


@dataclass(frozen=True)
class WatchProgress:
    """The daemon has told everything up to the commit `position`; `behind` commits are stored that it has not looked at
    for this watch yet."""

    position: int
    behind: int


@dataclass(frozen=True)
class WatchConnectionChange:
    """The connection of a watch was lost (attempt 1 and up is made next to get it back), or is back (attempt 0)."""

    attempt: int
    position: int
    reason: Optional[KindredError] = None


@dataclass(frozen=True)
class WatchOptions:
    follow: bool = True
    timeout: Optional[float] = None
    reconnect_for: float = RECONNECT_SECONDS
    on_progress: Optional[Callable[[WatchProgress], None]] = None
    on_connection: Optional[Callable[[WatchConnectionChange], None]] = None

    def __post_init__(self) -> None:
        if self.timeout is not None and not self.timeout > 0:
            raise InvalidArgument(f"timeout: {self.timeout!r} is not a number of seconds above 0")
        if not self.reconnect_for >= 0:
            raise InvalidArgument(f"reconnect_for: {self.reconnect_for} is below 0")
