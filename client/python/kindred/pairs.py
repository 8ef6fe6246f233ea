"""All pairs of similar graphs, and the groups they form: what a Client can ask of many graphs at once."""

from __future__ import annotations

import queue
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Iterable, Iterator, List, Optional, Sequence

import grpc

from kindred.connection import Connection
from kindred.convert import Conversion, RecordLike
from kindred.errors import InvalidArgument, error_of, error_of_rpc
from kindred.frames import Rejection
from kindred.requests import enum_value
from kindred.v1 import kindred_pb2 as pb

#: Of one message of graphs.
_BATCH_ITEMS = 64


@dataclass(frozen=True)
class SimilarPair:
    """Two graphs by their ids, their kernel K, and their similarity by the measure that was asked for."""

    a: str
    b: str
    kernel: float
    similarity: float


@dataclass(frozen=True)
class Cluster:
    """A group of graphs that similar pairs connect; `representative` is its medoid, one of `ids`."""

    representative: str
    ids: List[str]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class PairsProgress:
    """How far a search for pairs is: graphs that are done, of all (0 where their number is not known)."""

    graphs_done: int
    graphs: int


OnProgress = Optional[Callable[[PairsProgress], None]]


def pairs_request(min_similarity: float, measure: str, depth: Optional[int], weights: Sequence[float], filter: str,
                  min_sequence: int, threads: int) -> pb.PairsRequest:
    try:
        return pb.PairsRequest(measure=enum_value(pb.Measure, "MEASURE_", measure, "measure"),
                               min_similarity=min_similarity, depth=depth, weights=weights, filter=filter,
                               min_sequence=min_sequence, threads=threads)
    except (TypeError, ValueError) as error:  # Not a number, or none that the field holds.
        raise InvalidArgument(str(error)) from None


class PairCalls:
    """The part of a Client that asks for pairs and clusters."""

    _connection: Connection
    _conversion: Conversion

    def pairs(self, min_similarity: float, *, measure: str = "tanimoto", depth: Optional[int] = None,
              weights: Sequence[float] = (), filter: str = "", min_sequence: int = 0, threads: int = 0,
              on_progress: OnProgress = None) -> Iterator[SimilarPair]:
        """All pairs of stored graphs at least so similar, each once, in no particular order, as they are found.

        They come from one snapshot; the daemon waits while they are not taken, and whoever leaves the loop early ends
        the search. `filter` leaves only graphs whose tags match, `threads` is how many of the daemon's may work on it
        (0: all).

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("butanol", "CCCCO"), ("pentanol", "CCCCCO"), ("hexanol", "CCCCCCO"), ("water", "O")])
        >>> sorted((pair.a, pair.b) for pair in client.pairs(0.65))
        [('butanol', 'pentanol'), ('hexanol', 'pentanol')]
        """
        request = pairs_request(min_similarity, measure, depth, weights, filter, min_sequence, threads)
        return self._pairs(request, on_progress)

    def _pairs(self, request: pb.PairsRequest, on_progress: OnProgress) -> Iterator[SimilarPair]:
        for message in self._connection.stream(self._connection.index.Pairs, request):
            if on_progress is not None:
                on_progress(PairsProgress(message.graphs_done, message.graphs))
            yield from _pairs_of(message)

    def pairs_between(self, items: Iterable[RecordLike], min_similarity: float, *, measure: str = "tanimoto",
                      depth: Optional[int] = None, weights: Sequence[float] = (), filter: str = "",
                      min_sequence: int = 0, threads: int = 0, ahead: int = 1024,
                      on_rejected: Optional[Callable[[Rejection], None]] = None) -> Iterator[SimilarPair]:
        """All pairs of a graph of yours (`a`) and a stored one (`b`) at least so similar, from one snapshot.

        Pairs come in the order of the items, those of one item the most similar first. Items are what `ingest` takes;
        they are not stored. They are read up to `ahead` before their pairs. One that is no graph is told to
        `on_rejected`, or raised if there is none.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("butanol", "CCCCO"), ("pentanol", "CCCCCO"), ("hexanol", "CCCCCCO"), ("water", "O")])
        >>> [(pair.a, pair.b) for pair in client.pairs_between([("mine", "CCCCCO")], 0.9)]
        [('mine', 'pentanol')]
        """
        request = pairs_request(min_similarity, measure, depth, weights, filter, min_sequence, threads)
        if ahead < 1:
            raise InvalidArgument(f"ahead: {ahead} is not above 0")
        return _between(self._connection, self._conversion, request, iter(items), ahead, on_rejected)

    def clusters(self, min_similarity: float, *, size_min: int = 2, measure: str = "tanimoto",
                 depth: Optional[int] = None, weights: Sequence[float] = (), filter: str = "", min_sequence: int = 0,
                 threads: int = 0, on_progress: OnProgress = None) -> Iterator[Cluster]:
        """The connected groups of those pairs, the largest first, each with its medoid.

        `size_min` leaves out smaller groups; with 1, graphs that stand alone are groups as well.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("butanol", "CCCCO"), ("pentanol", "CCCCCO"), ("hexanol", "CCCCCCO"), ("water", "O")])
        >>> for cluster in client.clusters(0.65):
        ...     print(cluster.representative, cluster.ids)
        pentanol ['butanol', 'hexanol', 'pentanol']
        """
        if size_min < 1:
            raise InvalidArgument(f"size_min: {size_min} is not above 0")
        request = pb.ClustersRequest(size_min=size_min, pairs=pairs_request(min_similarity, measure, depth, weights,
                                                                           filter, min_sequence, threads))
        return self._clusters(request, on_progress)

    def _clusters(self, request: pb.ClustersRequest, on_progress: OnProgress) -> Iterator[Cluster]:
        ids: List[str] = []
        for message in self._connection.stream(self._connection.index.Clusters, request):
            if on_progress is not None:
                on_progress(PairsProgress(message.graphs_done, message.graphs))
            for part in message.clusters:
                if not part.continued:
                    ids = []
                ids.extend(part.ids)
                if len(ids) == part.size:
                    yield Cluster(part.representative, ids)


def _pairs_of(message: pb.PairsResponse) -> Iterator[SimilarPair]:
    for pair in message.pairs:
        yield SimilarPair(pair.a, pair.b, pair.kernel, pair.similarity)


def _between(connection: Connection, conversion: Conversion, request: pb.PairsRequest, items: Iterator[RecordLike],
             ahead: int, on_rejected: Optional[Callable[[Rejection], None]]) -> Iterator[SimilarPair]:
    outgoing: "queue.SimpleQueue[Optional[pb.PairsBetweenRequest]]" = queue.SimpleQueue()
    call: Any = connection.index.PairsBetween(iter(outgoing.get, None), timeout=connection.stream_timeout,
                                              metadata=connection.metadata)
    waiting: Deque[int] = deque()  # The places of items that were sent and are not done.
    done = 0
    index = 0
    more = True

    def reject(rejection: Rejection) -> None:
        if on_rejected is None:
            raise type(rejection.error)(str(rejection), rejection.error.code)
        on_rejected(rejection)

    try:
        outgoing.put(pb.PairsBetweenRequest(open=request))
        while True:
            while more and len(waiting) < ahead:
                batch = pb.PairsBetweenRequest()
                while more and len(batch.records) < min(_BATCH_ITEMS, ahead):
                    item = next(items, None)
                    if item is None:
                        more = False
                        break
                    try:
                        record = conversion.record(item).to_proto()
                        record.ClearField("payload")
                        record.ClearField("tags")
                        batch.records.append(record)
                        waiting.append(index)
                    except InvalidArgument as error:
                        reject(Rejection(index, "", error))
                    index += 1
                if batch.records:
                    outgoing.put(batch)
                if not more:
                    outgoing.put(None)
            message = _next(call)
            if message is None:
                return
            for rejected in message.rejected:
                reject(Rejection(waiting[rejected.index - done], rejected.id,
                                 error_of(rejected.code, rejected.message)))
            yield from _pairs_of(message)
            while done < message.graphs_done:
                waiting.popleft()
                done += 1
    finally:
        outgoing.put(None)  # Lets gRPC's thread go.
        call.cancel()


def _next(call: Any) -> Optional[pb.PairsResponse]:
    try:
        message: Optional[pb.PairsResponse] = next(call, None)
    except grpc.RpcError as error:
        raise error_of_rpc(error) from None
    return message
