"""Storing only what is novel: the rule, what was closest, and the call.

Threads: values; NoveltyCalls is part of Client.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from kindred.connection import Connection
from kindred.convert import Conversion, RecordLike
from kindred.errors import InvalidArgument
from kindred.requests import enum_value, write_mode
from kindred.results import Closest, Outcome, WriteResult
from kindred.v1 import kindred_pb2 as pb


@dataclass(frozen=True)
class Novelty:
    """A record is novel when no stored graph is at least this similar to it.

    `measure`, `depth` and `weights` are those of a search; `filter` says which stored graphs count at all, by their
    tags. With `isomorphic` a stored graph of equal histogram counts only when it is the same graph, or when that could
    not be decided.
    """

    min_similarity: float
    measure: str = "tanimoto"
    depth: Optional[int] = None
    weights: Sequence[float] = ()
    filter: str = ""
    isomorphic: bool = False

    def to_proto(self) -> pb.NoveltyRule:
        measure = enum_value(pb.Measure, "MEASURE_", self.measure, "measure")
        try:
            return pb.NoveltyRule(measure=measure, min_similarity=self.min_similarity, depth=self.depth,
                                  weights=self.weights, filter=self.filter, isomorphic=self.isomorphic)
        except (TypeError, ValueError) as error:  # Not a number, or none that the field holds.
            raise InvalidArgument(str(error)) from None


@dataclass(frozen=True)
class NotNovel:
    """An item of an ingest that was not stored: its place in the iterable, its id, and what made it not novel."""

    index: int
    id: str
    closest: Closest

    def __str__(self) -> str:
        return f"item {self.index} ({self.id}): {self.closest}"


class NoveltyCalls:
    """The part of Client that stores what is novel."""

    _connection: Connection
    _conversion: Conversion

    def put_if_novel(self, items: Iterable[RecordLike], novelty: Novelty, *, mode: str = "upsert") -> WriteResult:
        """Stores each of a few items unless a stored graph is too similar; then its outcome is "not_novel" and tells
        which. Decided one by one, also against what items before it stored, and by the daemon: two clients that
        bring the same graph at once cannot both store it. For many items use `ingest` with `novelty`.

        >>> import kindred
        >>> client = kindred.Client()
        >>> result = client.put_if_novel([("propanol", "CCCO"), ("1-propanol", "OCCC")], kindred.Novelty(0.9))
        >>> [outcome.kind for outcome in result.outcomes]
        ['inserted', 'not_novel']
        >>> print(result.outcomes[1].closest)
        propanol, similarity 1, isomorphic
        """
        message = pb.PutIfNovelRequest(rule=novelty.to_proto(), mode=write_mode(mode))
        for index, item in enumerate(items):
            try:
                message.records.append(self._conversion.record(item).to_proto())
            except InvalidArgument as error:
                raise InvalidArgument(f"items[{index}]: {error}") from None
        answer = self._connection.write(self._connection.index.PutIfNovel, message)
        return WriteResult([Outcome.from_proto(record.id, entry.outcome, entry.closest)
                            for record, entry in zip(message.records, answer.entries)], answer.sequence)
