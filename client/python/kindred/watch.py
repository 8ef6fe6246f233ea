"""Standing queries: told of graphs that are close enough as they are stored, across lost connections and restarts."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from kindred.connection import Connection
from kindred.convert import Conversion, GraphLike
from kindred.errors import InvalidArgument, NotFound
from kindred.requests import Id, batches, enum_value
from kindred.v1 import kindred_pb2 as pb
from kindred.watch_stream import Watch
from kindred.watch_types import RECONNECT_SECONDS, WatchConnectionChange, WatchOptions, WatchProgress, WatchQuery


class WatchCalls:
    """The part of a Client that watches."""

    _connection: Connection
    _conversion: Conversion

    def watch(self, queries: Union[Mapping[str, Union[Id, GraphLike]], Iterable[WatchQuery]],
              min_similarity: Optional[float] = None, *, measure: str = "tanimoto", depth: Optional[int] = None,
              weights: Sequence[float] = (), filter: str = "", after_sequence: Optional[int] = None,
              with_payload: bool = False, with_tags: bool = False, follow: bool = True,
              timeout: Optional[float] = None, reconnect_for: float = RECONNECT_SECONDS,
              on_progress: Optional[Callable[[WatchProgress], None]] = None,
              on_connection: Optional[Callable[[WatchConnectionChange], None]] = None) -> Watch:
        """Tells of every graph that is stored after the commit `after_sequence` (0: of all that are stored; by default
        the last one there is) and comes close to one of the queries, in the order of commits.

        `queries` are names with a graph or an `Id` each, or some `WatchQuery`. What is stored under an id is read once,
        now. The iterator waits for what comes next; with follow=False it ends when everything that is stored was told.
        A lost connection is taken up again for `reconnect_for` seconds, without a gap or a repetition. `on_progress` is
        told how far the daemon is with each message, `on_connection` of losses and returns, in the thread that
        iterates. `timeout` is for the whole watch, without a limit by default.

        >>> import kindred
        >>> client = kindred.Client()
        >>> with client.watch({"alcohols": "CCCO"}, min_similarity=0.3) as watch:
        ...     _ = client.put([("ethanol", "CCO"), ("benzene", "c1ccccc1"), ("butanol", "CCCCO")])
        ...     print(next(watch).id, next(watch).id)
        ethanol butanol
        >>> [match.id for match in client.watch({"q": kindred.Id("ethanol")}, 1, after_sequence=0, follow=False)]
        ['ethanol']
        """
        options = WatchOptions(follow, timeout, reconnect_for, on_progress, on_connection)
        try:
            request = pb.WatchRequest(measure=enum_value(pb.Measure, "MEASURE_", measure, "measure"), depth=depth,
                                      weights=weights, filter=filter, after_sequence=after_sequence,
                                      with_payload=with_payload, with_tags=with_tags)
        except (TypeError, ValueError) as error:  # Not a number, or none that the field holds.
            raise InvalidArgument(str(error)) from None
        for place, query in enumerate(_queries(queries)):
            self._add_query(request, place, query, min_similarity)
        self._read_ids(request)
        return Watch(self._connection, request, options)

    def _add_query(self, request: pb.WatchRequest, place: int, query: WatchQuery,
                   min_similarity: Optional[float]) -> None:
        least = min_similarity if query.min_similarity is None else query.min_similarity
        if least is None:
            raise InvalidArgument(f"queries[{place}].min_similarity: is missing, and the watch has none")
        try:
            message = request.queries.add(name=query.name, min_similarity=least)
            if isinstance(query.graph, Id):
                message.graph.id = query.graph.id
                return
            graph, scheme = self._conversion.graph_and_scheme(query.graph)
        except InvalidArgument as error:
            raise InvalidArgument(f"queries[{place}]: {error}") from None
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"queries[{place}]: {error}") from None
        message.graph.graph.CopyFrom(graph.to_proto())
        request.molecule_scheme = scheme or request.molecule_scheme

    def _read_ids(self, request: pb.WatchRequest) -> None:
        """Puts graphs in the place of ids: what is stored under an id may change between two connections."""
        places: List[int] = [place for place, query in enumerate(request.queries)
                             if query.graph.WhichOneof("kind") == "id"]
        ids = [request.queries[place].graph.id for place in places]
        entries = [entry for batch in batches(ids)
                   for entry in self._connection.read(self._connection.index.Get, pb.GetRequest(ids=batch)).entries]
        for place, entry in zip(places, entries):
            if not entry.HasField("record"):
                raise NotFound(f"queries[{place}].graph.id: no graph has the id '{entry.id}'")
            request.queries[place].graph.graph.CopyFrom(entry.record.graph)


def _queries(queries: Union[Mapping[str, Union[Id, GraphLike]], Iterable[WatchQuery]]) -> Iterator[WatchQuery]:
    if isinstance(queries, Mapping):
        for name, graph in queries.items():
            yield WatchQuery(name, graph)
        return
    if isinstance(queries, (str, Id, WatchQuery)):
        raise InvalidArgument("queries: give names with a graph each, as {\"mine\": \"CCO\"}, or a list of WatchQuery")
    for place, query in enumerate(queries):
        if not isinstance(query, WatchQuery):
            raise InvalidArgument(f"queries[{place}]: {query!r} is not a WatchQuery")
        yield query
