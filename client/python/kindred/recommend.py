"""Recommendations: the stored graphs nearest to several liked ones and away from disliked ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from kindred import requests
from kindred.connection import Connection
from kindred.convert import Conversion, GraphLike
from kindred.errors import InvalidArgument
from kindred.requests import Id, enum_value
from kindred.results import SearchStats
from kindred.v1 import kindred_pb2 as pb

_FORMS = {"sum": pb.RecommendRequest.WEIGHTED_SUM, "minimum": pb.RecommendRequest.BEST_MINIMUM}


@dataclass(frozen=True)
class Example:
    """A graph, or the `Id` of a stored one, that counts as much as `weight`: `Example(Id("morphine"), 2)`."""

    graph: Union[Id, GraphLike]
    weight: float = 1.0


ExampleLike = Union[Example, Id, GraphLike]


@dataclass(frozen=True)
class Recommendation:
    """A stored graph, its score, and its similarity to each of the liked, then to each of the disliked. Payload and tags
    are there if they were asked for."""

    id: str
    score: float
    similarities: Tuple[float, ...]
    payload: bytes = b""
    tags: Dict[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def from_proto(cls, message: pb.RecommendResponse.Hit) -> "Recommendation":
        return cls(message.id, message.score, tuple(message.similarities), message.payload,
                   {tag.key: tag.value for tag in message.tags})


class RecommendResult:
    """What is recommended, best first; a sequence. `sequence` tells the snapshot that was searched."""

    def __init__(self, hits: List[Recommendation], sequence: int, stats: SearchStats) -> None:
        self.hits = hits
        self.sequence = sequence
        self.stats = stats

    @property
    def ids(self) -> List[str]:
        return [hit.id for hit in self.hits]

    def __iter__(self) -> Iterator[Recommendation]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Recommendation:
        return self.hits[place]

    def __repr__(self) -> str:
        return f"RecommendResult({self.hits!r}, sequence={self.sequence})"

    @classmethod
    def from_proto(cls, message: pb.RecommendResponse) -> "RecommendResult":
        stats = message.stats
        return cls([Recommendation.from_proto(hit) for hit in message.hits], message.sequence, SearchStats(
            stats.postings_read, stats.candidates, stats.micros, stats.blocks_bounded, stats.blocks_scored))


def _example(what: ExampleLike, path: str, conversion: Conversion) -> Tuple[Any, str]:
    """The message of one example, and the scheme of its molecule or ""."""
    example = what if isinstance(what, Example) else Example(what)
    try:
        message = pb.RecommendRequest.Example(weight=example.weight)
    except TypeError:
        raise InvalidArgument(f"{path}.weight: {example.weight!r} is not a number") from None
    if not message.weight > 0:  # 0 would be the default on the wire.
        raise InvalidArgument(f"{path}.weight: {example.weight} is not above 0")
    if isinstance(example.graph, Id):
        message.graph.id = example.graph.id
        return message, ""
    try:
        graph, scheme = conversion.graph_and_scheme(example.graph)
    except InvalidArgument as error:
        raise InvalidArgument(f"{path}: {error}") from None
    message.graph.graph.CopyFrom(graph.to_proto())
    return message, scheme


class Recommending:
    """What `Client` can recommend."""

    _connection: Connection
    _conversion: Conversion

    def recommend(self, liked: Iterable[ExampleLike], disliked: Iterable[ExampleLike] = (), *, form: str = "sum",
                  k: int = 10, measure: str = "tanimoto", min_score: Optional[float] = None,
                  depth: Optional[int] = None, weights: Sequence[float] = (), mode: str = "pruned",
                  min_sequence: int = 0, filter: str = "", exclude_ids: Union[str, Iterable[str]] = (),
                  with_payload: bool = False, with_tags: bool = False) -> RecommendResult:
        """The k stored graphs nearest to the liked ones and away from the disliked ones, exactly.

        Each example is a graph (a SMILES, a molecule, ...), the `Id` of a stored one, or an `Example` with a weight.
        `form` "sum" scores weight times similarity, added up over the liked, minus the same over the disliked;
        "minimum" the least similarity to any of the liked, without weights and dislikes. Stored examples, and those of
        `exclude_ids`, are not recommended; with a `filter` only graphs whose tags match are. The rest is as in `search`.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ethanol", "CCO"), ("propanol", "CCCO"), ("ethylamine", "CCN"), ("propane", "CCC")])
        >>> answer = client.recommend([kindred.Id("ethanol"), kindred.Example("CCCCO", 2)], ["CCN"], k=2)
        >>> for hit in answer:
        ...     print(hit.id, round(hit.score, 3), [round(similarity, 3) for similarity in hit.similarities])
        propanol 1.213 [0.333, 0.5, 0.12]
        propane 0.462 [0.143, 0.231, 0.143]
        """
        if form not in _FORMS:
            raise InvalidArgument(f'form: "{form}" is none of {", ".join(_FORMS)}')
        if k < 1:
            raise InvalidArgument(f"k: {k} is not above 0")
        try:
            request = pb.RecommendRequest(
                form=_FORMS[form], k=k, measure=enum_value(pb.Measure, "MEASURE_", measure, "measure"),
                min_score=min_score, depth=depth, weights=weights, filter=filter,
                mode=enum_value(pb.SearchMode, "SEARCH_MODE_", mode, "mode"), min_sequence=min_sequence,
                exclude_ids=requests.exclude_ids(exclude_ids), with_payload=with_payload, with_tags=with_tags)
        except (TypeError, ValueError) as error:  # Not a number, or none that the field holds.
            raise InvalidArgument(str(error)) from None
        for name, examples, messages in (("liked", liked, request.liked), ("disliked", disliked, request.disliked)):
            if isinstance(examples, (str, Id, Example)):
                raise InvalidArgument(f"{name}: give a list, also of one")
            for place, example in enumerate(examples):
                message, scheme = _example(example, f"{name}[{place}]", self._conversion)
                messages.append(message)
                request.molecule_scheme = scheme or request.molecule_scheme
        return RecommendResult.from_proto(self._connection.read(self._connection.index.Recommend, request))
