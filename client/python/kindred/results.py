"""What the daemon answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from kindred.errors import KindredError, error_of
from kindred.graph import Graph
from kindred.v1 import kindred_pb2 as pb


@dataclass(frozen=True)
class Hit:
    """A neighbour: its id, the kernel K of query and hit, the similarity by the measure that was asked for, and how many
    vertices it has. Payload and tags are there if they were asked for."""

    id: str
    kernel: float
    similarity: float
    vertices: int = 0
    payload: bytes = b""
    tags: Dict[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def from_proto(cls, message: pb.Hit) -> "Hit":
        return cls(message.id, message.kernel, message.similarity, message.vertices, message.payload,
                   {tag.key: tag.value for tag in message.tags})

    def place(self) -> pb.Hit:
        """What tells its place in the order of the answers."""
        return pb.Hit(id=self.id, kernel=self.kernel, similarity=self.similarity, vertices=self.vertices)


@dataclass(frozen=True)
class SearchStats:
    """The work of one search; `micros` is the time in the index, without the network."""

    postings_read: int = 0
    candidates: int = 0
    micros: int = 0
    blocks_bounded: int = 0
    blocks_scored: int = 0


class SearchResult:
    """The nearest graphs, best first; a sequence of hits.

    Of `search_many` one may have an `error` instead: whoever uses its hits then gets that raised. `sequence` tells the
    snapshot that was searched, `index` the place of the query among many.
    """

    def __init__(self, hits: List[Hit], sequence: int, stats: SearchStats, index: int = 0,
                 error: Optional[KindredError] = None) -> None:
        self._hits = hits
        self.sequence = sequence
        self.stats = stats
        self.index = index
        self.error = error

    @property
    def hits(self) -> List[Hit]:
        if self.error is not None:
            raise self.error
        return self._hits

    @property
    def ids(self) -> List[str]:
        return [hit.id for hit in self.hits]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]

    def __repr__(self) -> str:
        if self.error is not None:
            return f"SearchResult(error={self.error!r})"
        return f"SearchResult({self._hits!r}, sequence={self.sequence})"

    @classmethod
    def from_proto(cls, message: pb.SearchResponse, index: int = 0) -> "SearchResult":
        stats = message.stats
        return cls([Hit.from_proto(hit) for hit in message.hits], message.sequence,
                   SearchStats(stats.postings_read, stats.candidates, stats.micros, stats.blocks_bounded,
                               stats.blocks_scored), index)

    @classmethod
    def failed(cls, error: KindredError, index: int) -> "SearchResult":
        return cls([], 0, SearchStats(), index, error)


@dataclass(frozen=True)
class Closest:
    """The stored graph that made a record not novel. `identity` is "isomorphic" (the same graph), "equal_histogram"
    (not the same, but no difference within the depth), "undecided" (to tell would have taken too long) or
    "different"."""

    id: str
    kernel: float
    similarity: float
    identity: str

    def __str__(self) -> str:
        return f"{self.id}, similarity {self.similarity:.4g}, {self.identity.replace('_', ' ')}"

    @classmethod
    def from_proto(cls, message: pb.ClosestGraph) -> "Closest":
        identity = pb.ClosestGraph.Identity.Name(message.identity).lower()
        return cls(message.id, message.kernel, message.similarity, identity)


@dataclass(frozen=True)
class Outcome:
    """What became of one item of a write: "inserted", "replaced", "deleted", "rejected", and then why, or "not_novel",
    and then what it is too similar to."""

    id: str
    kind: str
    error: Optional[KindredError] = None
    closest: Optional[Closest] = None

    @classmethod
    def from_proto(cls, id: str, message: pb.Outcome, closest: Optional[pb.ClosestGraph] = None) -> "Outcome":
        kind = pb.Outcome.Kind.Name(message.kind).lower()
        if kind in ("inserted", "replaced", "deleted"):
            return cls(id, kind)
        if kind == "not_novel" and closest is not None:
            return cls(id, kind, closest=Closest.from_proto(closest))
        return cls(id, "rejected", error_of(message.code, message.message))


@dataclass(frozen=True)
class WriteResult:
    """One outcome an item, in their order; a search with `sequence` as its min_sequence sees the write."""

    outcomes: List[Outcome]
    sequence: int

    def count(self, kind: str) -> int:
        return sum(outcome.kind == kind for outcome in self.outcomes)


@dataclass(frozen=True)
class Stats:
    """Sizes and counters of the index; `colours` has one number a level."""

    graphs: int
    depth: int
    sequence: int
    labels: int
    colours: Tuple[int, ...]
    postings: int
    segments: int
    merges: int
    merging: int
    memory_bytes: int
    resident_bytes: int
    disk_bytes: int
    version: str
    incarnation: str
    vector_target: str
    #: How molecules become graphs in this index; empty until it stores the first.
    molecule_scheme: str

    @classmethod
    def from_proto(cls, message: pb.StatsResponse) -> "Stats":
        return cls(message.graphs, message.depth, message.sequence, message.labels,
                   tuple(level.colours for level in message.levels), message.postings, message.segments,
                   message.merges, message.merging, message.memory_bytes, message.resident_bytes,
                   message.disk_bytes, message.version, message.incarnation, message.vector_target,
                   message.molecule_scheme)


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with the store: where (a column family, or "lists"), at which key, and what."""

    family: str
    key: bytes
    what: str


@dataclass(frozen=True)
class VerifyReport:
    """An audit: how far it got and, at its end (`done`), what it found. `finding_count` counts all."""

    sequence: int
    graphs: int
    graphs_checked: int
    graphs_listed: int
    finding_count: int
    findings: List[Finding] = field(default_factory=list)
    done: bool = False

    @classmethod
    def from_proto(cls, message: pb.VerifyResponse) -> "VerifyReport":
        return cls(message.sequence, message.graphs, message.graphs_checked, message.graphs_listed,
                   message.finding_count,
                   [Finding(each.family, each.key, each.what.decode("utf-8", "replace")) for each in message.findings],
                   message.done)


@dataclass(frozen=True)
class Pair:
    """A vertex of a, its partner in b, and at how many levels they agree; 0: not even their labels do."""

    a: int
    b: int
    levels: int


@dataclass(frozen=True)
class Explanation:
    """Why two graphs are as alike as they are: an optimal assignment of their vertices.

    `overlaps` tells how many pairs agree at each level, `weights` what each counts; `kernel` is their sum. The graphs
    are as they were compared: the numbers of vertices refer to them.
    """

    pairs: List[Pair]
    overlaps: Tuple[int, ...]
    weights: Tuple[float, ...]
    kernel: float
    cosine: float
    tanimoto: float
    graph_a: Graph
    graph_b: Graph
    sequence: int

    @classmethod
    def from_proto(cls, message: pb.ExplainResponse) -> "Explanation":
        return cls([Pair(pair.a, pair.b, pair.levels) for pair in message.pairs], tuple(message.overlaps),
                   tuple(message.weights), message.kernel, message.cosine, message.tanimoto,
                   Graph.from_proto(message.graph_a), Graph.from_proto(message.graph_b), message.sequence)


@dataclass(frozen=True)
class KernelMatrix:
    """A kernel matrix: `values[i, j]` is the kernel of the graphs `ids[i]` and `ids[j]`; `tags[i]` the value of the
    tag asked for ("" when the graph has none)."""

    ids: List[str]
    tags: List[str]
    values: NDArray[np.float64]

    def __array__(self, dtype: Optional[np.dtype] = None) -> NDArray[np.float64]:  # type: ignore[type-arg]
        return np.asarray(self.values, dtype)

    @property
    def index_of(self) -> Dict[str, int]:
        return {id: place for place, id in enumerate(self.ids)}
