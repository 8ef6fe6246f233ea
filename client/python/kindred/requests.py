"""Arguments as people write them, as messages of kindred.v1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Union

from kindred.convert import Conversion, GraphLike
from kindred.errors import InvalidArgument
from kindred.results import Hit
from kindred.v1 import kindred_pb2 as pb

#: Ids of one Get or Delete; the daemon takes batch_items_max.
_BATCH_ITEMS = 256


def batches(ids: Iterable[str]) -> Iterator[List[str]]:
    batch: List[str] = []
    for id in ids:
        batch.append(id)
        if len(batch) == _BATCH_ITEMS:
            yield batch
            batch = []
    if batch:
        yield batch


def enum_value(enum: Any, prefix: str, name: str, what: str) -> Any:
    """The number of a name like "tanimoto"; whatever kindred.proto lists is known."""
    names = [each[len(prefix):].lower() for each in enum.keys() if not each.endswith("UNSPECIFIED")]
    if name not in names:
        raise InvalidArgument(f'{what}: "{name}" is none of {", ".join(names)}')
    return enum.Value(prefix + name.upper())


def write_mode(name: str) -> Any:
    return enum_value(pb.WriteMode, "WRITE_MODE_", name, "mode")


@dataclass(frozen=True)
class Id:
    """The id of a stored graph, where a string would be a SMILES: `client.explain(Id("morphine"), "CCO")`."""

    id: str


def exclude_ids(ids: Union[str, Iterable[str]]) -> List[str]:
    """One id, or some."""
    return [ids] if isinstance(ids, str) else list(ids)


@dataclass(frozen=True)
class SearchArguments:
    """What searches have in common, checked once for many."""

    k: int = 10
    measure: str = "tanimoto"
    min_similarity: Optional[float] = None
    depth: Optional[int] = None
    weights: Sequence[float] = ()
    mode: str = "pruned"
    min_sequence: int = 0
    threads: int = 0
    filter: str = ""
    exclude_ids: Union[str, Iterable[str]] = ()
    after: Optional[Hit] = None
    with_payload: bool = False
    with_tags: bool = False

    def template(self) -> pb.SearchRequest:
        measure = enum_value(pb.Measure, "MEASURE_", self.measure, "measure")
        mode = enum_value(pb.SearchMode, "SEARCH_MODE_", self.mode, "mode")
        if self.k < 1:
            raise InvalidArgument(f"k: {self.k} is not above 0")
        try:
            return pb.SearchRequest(k=self.k, measure=measure, min_similarity=self.min_similarity, depth=self.depth,
                                    weights=self.weights, mode=mode, min_sequence=self.min_sequence,
                                    threads=self.threads, filter=self.filter, exclude_ids=exclude_ids(self.exclude_ids),
                                    after=None if self.after is None else self.after.place(),
                                    with_payload=self.with_payload, with_tags=self.with_tags)
        except (TypeError, ValueError) as error:  # Not a number, or none that the field holds.
            raise InvalidArgument(str(error)) from None


def search_request(template: pb.SearchRequest, query: Optional[GraphLike], id: Optional[str],
                   conversion: Conversion) -> pb.SearchRequest:
    """A search for a graph, or for the stored graph of an id."""
    if (query is None) == (id is None):
        raise InvalidArgument("a search takes a graph or an id, one of them")
    request = pb.SearchRequest()
    request.CopyFrom(template)
    if isinstance(query, Id):
        id = query.id
    if id is not None:
        request.id = id
    else:
        graph, request.molecule_scheme = conversion.graph_and_scheme(query)
        request.graph.CopyFrom(graph.to_proto())
    return request


def graph_or_id(what: Union[Id, GraphLike], conversion: Conversion) -> pb.GraphOrId:
    return pb.GraphOrId(id=what.id) if isinstance(what, Id) else pb.GraphOrId(graph=conversion.graph(what).to_proto())
