"""The client of a kindredd."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Union

import numpy as np

from kindred import requests
from kindred.backup import BackupCalls
from kindred.compaction import CompactCalls
from kindred.connection import TLS, Connection
from kindred.convert import Conversion, GraphLike, RecordLike
from kindred.errors import InvalidArgument, KindredError, NotFound
from kindred.frames import Rejection
from kindred.graph import Record
from kindred.ingest import IngestStream
from kindred.ingest_types import ConnectionChange, IngestOptions, IngestReport, raising
from kindred.molecule_scheme import MoleculeScheme
from kindred.novelty import NotNovel, Novelty, NoveltyCalls
from kindred.pairs import PairCalls
from kindred.recommend import Recommending
from kindred.requests import Id, batches
from kindred.results import Explanation, Hit, KernelMatrix, Outcome, SearchResult, Stats, VerifyReport, WriteResult
from kindred.search_stream import Question, search_many
from kindred.v1 import kindred_pb2 as pb
from kindred.watch import WatchCalls

_PROGRESS_SECONDS = 0.2


class Client(Recommending, NoveltyCalls, PairCalls, WatchCalls, BackupCalls, CompactCalls):
    """A connection to a daemon: every call blocks until it is answered, and fails with a KindredError.

    `address` is HOST:PORT, [IPV6]:PORT or unix:PATH; by default the environment's KINDRED_SERVER, else 127.0.0.1:5463.
    `timeout` is for one call in seconds, `stream_timeout` for a whole ingest, export, kernel matrix, audit or run of
    searches. `token`, or the first line of `token_file`, is sent with each call as a bearer token. `tls` is True (the
    system's authorities), the path of a CA file, a `TLS`, or False. Both are by default as the environment has them for
    the command line: KINDRED_TOKEN_FILE, KINDRED_TLS_CA and so on. `molecules` says how molecules become graphs: a MoleculeScheme, or its text as "ecfp,bonds"; by
    default as the index has it. `edge_labels=False` leaves the labels of edges out of all graphs this client makes;
    `node_label` and `edge_label` are the attributes of networkx graphs that hold the labels.

    Reads are tried again while the daemon is unavailable, writes are not (an ingest resumes). Threads: everything from
    any thread. As a context manager it closes itself.

    >>> import kindred
    >>> with kindred.Client() as client:
    ...     report = client.ingest([("ethanol", "CCO"), ("propanol", "CCCO"), ("benzene", "c1ccccc1")])
    ...     print(report.stored, client.search("CCO", k=2).ids)
    3 ['ethanol', 'propanol']
    """

    def __init__(self, address: Optional[str] = None, *, timeout: float = 60.0, stream_timeout: float = 86_400.0,
                 token: Optional[str] = None, tls: Union[bool, str, TLS, None] = None, token_file: Optional[str] = None,
                 molecules: Union[MoleculeScheme, str, None] = None, edge_labels: bool = True,
                 node_label: str = "label", edge_label: str = "label") -> None:
        self._connection = Connection(address, timeout, stream_timeout, token, tls, token_file)
        self._scheme: Optional[MoleculeScheme] = None
        scheme = MoleculeScheme.parse(molecules) if isinstance(molecules, str) else molecules
        self._conversion = Conversion(edge_labels, node_label, edge_label, scheme or self._scheme_of_index)

    @property
    def address(self) -> str:
        return self._connection.address

    def close(self) -> None:
        """Closes the connection; calls under way end with Cancelled."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()

    def wait_until_serving(self, timeout: float = 60.0) -> None:
        """Returns once the daemon says that it serves; Unavailable when it does not in time."""
        self._connection.wait_until_serving(timeout)

    def _scheme_of_index(self) -> MoleculeScheme:
        """Asked for when the first molecule comes. One that the index does not have yet may still be decided by others;
        the daemon then refuses ours, and the next client follows."""
        if self._scheme is None:
            text = self.stats().molecule_scheme
            self._scheme = MoleculeScheme.parse(text) if text else MoleculeScheme()
        return self._scheme

    # Writing.

    def ingest(self, items: Iterable[RecordLike], *, mode: str = "upsert",
               on_progress: Optional[Callable[[IngestReport], None]] = None, on_error: str = "report",
               **options: Any) -> IngestReport:
        """Stores every item of an iterable, which is read as the daemon keeps up, never all at once.

        An item is whatever `kindred.convert` lists: (id, graph) pairs, SMILES, molecules with a name, dicts, ...
        One that is no graph, or that the daemon refuses, does not stop the others: the report tells of it. With
        on_error="raise" the first one is raised, and what came before it is stored. `on_progress` gets the report so
        far a few times a second. `options` are those of `ingest_stream`. Callbacks run in this thread; what one
        raises ends the ingest.

        >>> import kindred
        >>> client = kindred.Client()
        >>> report = client.ingest([("methane", "C"), ("broken", "C1CC")], mode="upsert")
        >>> report.read, report.stored, report.rejected
        (2, 1, 1)
        >>> print(report.rejections[0])
        item 1 (broken): RDKit cannot parse the SMILES "C1CC"
        """
        if on_error not in ("report", "raise"):
            raise InvalidArgument(f'on_error: "{on_error}" is neither report nor raise')
        if on_error == "raise":
            options["on_rejected"] = raising(options.get("on_rejected"))
        stream = self.ingest_stream(mode=mode, **options)
        told = time.monotonic()
        try:
            with stream:
                for item in items:
                    stream.send(item)
                    if on_progress is not None and time.monotonic() - told >= _PROGRESS_SECONDS:
                        told = time.monotonic()
                        on_progress(stream.report())
        except KindredError as error:
            error.report = stream.report()
            raise
        report = stream.report()
        if on_progress is not None:
            on_progress(report)
        return report

    def ingest_stream(self, *, mode: str = "upsert", client_id: Optional[str] = None, acknowledged_frame: int = 0,
                      frame_items_max: int = 256, frame_bytes_max: int = 256 << 10, window_bytes: int = 8 << 20,
                      flush_after: float = 0.2, reconnect_for: float = 60.0,
                      on_rejected: Optional[Callable[[Rejection], None]] = None,
                      on_connection: Optional[Callable[[ConnectionChange], None]] = None,
                      novelty: Optional[Novelty] = None,
                      on_not_novel: Optional[Callable[[NotNovel], None]] = None) -> IngestStream:
        """A stream of writes to be fed item by item; `ingest` is a loop around it.

        `mode` is "upsert", "insert" or "replace". At most `window_bytes` are on their way without an acknowledgement:
        `send` blocks until there is room. When the connection is lost, the stream tries for `reconnect_for` seconds
        (0: not at all) to get it back, and goes on behind what is durable. `client_id` names the stream across
        processes (default: a new random name). `on_rejected` is told of each rejected item, `on_connection` of the
        connection's losses and returns. With `novelty` an item is stored only if it is novel by that rule, as things
        stand when its turn comes; `on_not_novel` is told of the others.

        >>> import kindred
        >>> client = kindred.Client()
        >>> with client.ingest_stream() as stream:
        ...     stream.send(("water", "O"))
        ...     stream.delete("water")
        >>> stream.report().deleted
        1
        """
        options = IngestOptions(requests.write_mode(mode), client_id, acknowledged_frame, frame_items_max,
                                frame_bytes_max, window_bytes, flush_after=flush_after, reconnect_for=reconnect_for,
                                on_rejected=on_rejected, on_connection=on_connection, novelty=novelty,
                                on_not_novel=on_not_novel)
        return IngestStream(self._connection, options, self._conversion)

    def put(self, items: Iterable[RecordLike], *, mode: str = "upsert") -> WriteResult:
        """Stores a few items in one call: each has an outcome of its own. InvalidArgument when one is no graph."""
        message = pb.PutRequest(mode=requests.write_mode(mode))
        for index, item in enumerate(items):
            try:
                message.records.append(self._conversion.record(item).to_proto())
            except InvalidArgument as error:
                raise InvalidArgument(f"items[{index}]: {error}") from None
        answer = self._connection.write(self._connection.index.Put, message)
        return WriteResult([Outcome.from_proto(record.id, outcome)
                            for record, outcome in zip(message.records, answer.outcomes)], answer.sequence)

    def delete(self, ids: Union[str, Iterable[str]]) -> WriteResult:
        """Removes graphs; one that is not there has the outcome "rejected", with a NotFound as its error.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ammonia", "N")])
        >>> [outcome.kind for outcome in client.delete(["ammonia", "nothing"]).outcomes]
        ['deleted', 'rejected']
        """
        outcomes: List[Outcome] = []
        sequence = 0
        for batch in batches([ids] if isinstance(ids, str) else ids):
            answer = self._connection.write(self._connection.index.Delete, pb.DeleteRequest(ids=batch))
            outcomes += [Outcome.from_proto(id, outcome) for id, outcome in zip(batch, answer.outcomes)]
            sequence = answer.sequence
        return WriteResult(outcomes, sequence)

    # Reading.

    def get(self, id: str) -> Record:
        """The stored record of an id; NotFound when there is none."""
        entry = self._connection.read(self._connection.index.Get, pb.GetRequest(ids=[id])).entries[0]
        if not entry.HasField("record"):
            raise NotFound(f'no graph has the id "{id}"')
        return Record.from_proto(entry.record)

    def get_many(self, ids: Iterable[str]) -> Iterator[Optional[Record]]:
        """The records of many ids in their order, None for each that is not there; read in batches as they are used."""
        for batch in batches(ids):
            for entry in self._connection.read(self._connection.index.Get, pb.GetRequest(ids=batch)).entries:
                yield Record.from_proto(entry.record) if entry.HasField("record") else None

    def export(self, *, min_sequence: int = 0) -> Iterator[Record]:
        """All stored records in the order they were committed, from one snapshot, as they are used."""
        for page in self._connection.stream(self._connection.index.Export, pb.ExportRequest(min_sequence=min_sequence)):
            for record in page.records:
                yield Record.from_proto(record)

    def search(self, query: Optional[GraphLike] = None, *, id: Optional[str] = None, k: int = 10,
               measure: str = "tanimoto", min_similarity: Optional[float] = None, depth: Optional[int] = None,
               weights: Sequence[float] = (), mode: str = "pruned", min_sequence: int = 0,
               threads: int = 0, filter: str = "", exclude_ids: Union[str, Iterable[str]] = (),
               after: Optional[Hit] = None, with_payload: bool = False, with_tags: bool = False) -> SearchResult:
        """The k nearest stored graphs of a graph (a SMILES, a molecule, ...), or of the stored graph `id`.

        `measure` is "tanimoto", "cosine" or "kernel"; `depth` how far neighbourhoods are compared, `weights` how much
        each level counts. Both modes, "pruned" and "exhaustive", give the same answer. Only graphs whose tags match
        `filter` (docs/filters.md) are hits, and none of `exclude_ids`; with `after`, the last hit of a page, only those
        that come after it. `with_payload` and `with_tags` fill those fields of the hits.

        >>> import kindred
        >>> client = kindred.Client()
        >>> sequence = client.put([("ethanol", "CCO"), ("propanol", "CCCO")]).sequence
        >>> for hit in client.search(id="ethanol", k=2, min_sequence=sequence):
        ...     print(hit.id, hit.kernel, round(hit.similarity, 3))
        ethanol 12.0 1.0
        propanol 7.0 0.333
        """
        arguments = requests.SearchArguments(k, measure, min_similarity, depth, weights, mode, min_sequence, threads,
                                             filter, exclude_ids, after, with_payload, with_tags)
        request = requests.search_request(arguments.template(), query, id, self._conversion)
        return SearchResult.from_proto(self._connection.read(self._connection.index.Search, request))

    def pages(self, query: Optional[GraphLike] = None, **arguments: Any) -> Iterator[SearchResult]:
        """All hits, `k` at a time, nearest first: `search` with these arguments, again and again after the last hit.

        Nothing comes twice; what is stored or removed meanwhile comes or goes in its place.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ethanol", "CCO"), ("propanol", "CCCO"), ("methanol", "CO")])
        >>> [page.ids for page in client.pages("CCO", k=2, exclude_ids="methanol", filter="not exists retired")][0]
        ['ethanol', 'propanol']
        """
        while True:
            page = self.search(query, **arguments)
            if len(page) > 0:
                yield page
            if len(page) < arguments.get("k", 10):
                return
            arguments["after"] = page[-1]

    def search_many(self, queries: Optional[Iterable[GraphLike]] = None, *, ids: Optional[Iterable[str]] = None,
                    k: int = 10, measure: str = "tanimoto", min_similarity: Optional[float] = None,
                    depth: Optional[int] = None, weights: Sequence[float] = (), mode: str = "pruned",
                    min_sequence: int = 0, threads: int = 0, ahead: int = 64, filter: str = "",
                    exclude_ids: Union[str, Iterable[str]] = (), with_payload: bool = False,
                    with_tags: bool = False) -> Iterator[SearchResult]:
        """Answers in the order of the queries, over one stream, as they come; the iterable is read up to `ahead`
        queries before their answers. A query that is no graph, or that the daemon refuses, has an `error` instead of
        hits.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ethanol", "CCO"), ("benzene", "c1ccccc1")])
        >>> [result.error or result[0].id for result in client.search_many(["CCO", "?", "c1ccccc1"], k=1)]
        ['ethanol', InvalidArgument('RDKit cannot parse the SMILES "?"'), 'benzene']
        """
        arguments = requests.SearchArguments(k, measure, min_similarity, depth, weights, mode, min_sequence, threads,
                                             filter, exclude_ids, None, with_payload, with_tags)
        template = arguments.template()
        if (queries is None) == (ids is None):
            raise InvalidArgument("search_many takes queries or ids, one of them")

        def questions() -> Iterator[Question]:
            for id in ids or ():
                yield requests.search_request(template, None, id, self._conversion)
            for query in queries or ():
                try:
                    yield requests.search_request(template, query, None, self._conversion)
                except InvalidArgument as error:
                    yield error

        return search_many(self._connection, questions(), ahead)

    def explain(self, a: Union[Id, GraphLike], b: Union[Id, GraphLike], *, depth: Optional[int] = None,
                weights: Sequence[float] = (), min_sequence: int = 0) -> Explanation:
        """Why two graphs are as alike as they are: which vertex of a goes to which of b, and how far they agree.

        Each is a graph, or the `Id` of a stored one.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ethanol", "CCO")])
        >>> answer = client.explain(kindred.Id("ethanol"), "CCCO")
        >>> answer.kernel, answer.overlaps
        (7.0, (3, 3, 1, 0))
        >>> [(pair.a, pair.b, pair.levels) for pair in answer.pairs]
        [(0, 0, 2), (1, 2, 2), (2, 3, 3)]
        """
        request = pb.ExplainRequest(a=requests.graph_or_id(a, self._conversion),
                                    b=requests.graph_or_id(b, self._conversion), depth=depth, weights=weights,
                                    min_sequence=min_sequence, with_graphs=True)
        return Explanation.from_proto(self._connection.read(self._connection.index.Explain, request))

    def kernel(self, ids: Optional[Iterable[str]] = None, *, kernel: str = "wloa", depth: Optional[int] = None,
               normalize: bool = False, tag: str = "") -> KernelMatrix:
        """The kernel matrix of stored graphs: those of `ids` in their order, or all in the order they were committed.

        `normalize` divides by sqrt(K(G,G) K(H,H)). With a `tag` the matrix has its values, for example the classes.

        >>> import kindred
        >>> client = kindred.Client()
        >>> _ = client.put([("ethanol", "CCO"), ("propanol", "CCCO")])
        >>> client.kernel(["ethanol", "propanol"]).values
        array([[12.,  7.],
               [ 7., 16.]])
        """
        request = pb.KernelRequest(kernel=requests.enum_value(pb.KernelKind, "KERNEL_KIND_", kernel, "kernel"),
                                   depth=depth, normalize=normalize, ids=ids, row_tag=tag)
        names: List[str] = []
        tags: List[str] = []
        values = np.empty((0, 0))
        for row in self._connection.stream(self._connection.index.Kernel, request):
            if not names:
                values = np.empty((len(row.values), len(row.values)))
            values[len(names)] = row.values
            names.append(row.id)
            tags.append(row.tag)
        return KernelMatrix(names, tags, values)

    def stats(self) -> Stats:
        """Sizes and counters of the index."""
        return Stats.from_proto(self._connection.read(self._connection.index.Stats, pb.StatsRequest()))

    def verify(self, on_progress: Optional[Callable[[VerifyReport], None]] = None) -> VerifyReport:
        """Audits everything the daemon stores and keeps in memory; no findings means that all is well."""
        for message in self._connection.stream(self._connection.admin.Verify, pb.VerifyRequest()):
            report = VerifyReport.from_proto(message)
            if report.done:
                return report
            if on_progress is not None:
                on_progress(report)
        raise KindredError("the daemon ended the audit before it was done", "INTERNAL")
