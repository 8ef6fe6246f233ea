"""kindred: exact nearest neighbours of labelled graphs, from Python.

`Client` speaks to a kindredd; `kindred.wloa` computes the same kernel without one, and `kindred.sklearn` makes it a
transformer for scikit-learn. docs/python.md tells all on one page.
"""

from kindred._version import __version__
from kindred.backup import Backup
from kindred.compaction import Compaction
from kindred.client import Client
from kindred.connection import TLS
from kindred.convert import Conversion
from kindred.errors import (Aborted, AlreadyExists, Cancelled, DataLoss, DeadlineExceeded, FailedPrecondition,
                            InvalidArgument, KindredError, NotFound, OutOfRange, PermissionDenied,
                            ResourceExhausted, Unauthenticated, Unavailable, Unimplemented)
from kindred.frames import Rejection
from kindred.graph import Graph, Record
from kindred.ingest import IngestStream
from kindred.ingest_types import ConnectionChange, IngestReport
from kindred.molecule import read_smiles
from kindred.molecule_scheme import MoleculeScheme
from kindred.novelty import NotNovel, Novelty
from kindred.pairs import Cluster, PairsProgress, SimilarPair
from kindred.recommend import Example, Recommendation, RecommendResult
from kindred.requests import Id
from kindred.results import (Closest, Explanation, Finding, Hit, KernelMatrix, Outcome, Pair, SearchResult, SearchStats,
                             Stats, VerifyReport, WriteResult)
from kindred.watch_stream import Watch
from kindred.watch_types import Match, WatchConnectionChange, WatchProgress, WatchQuery

__all__ = [
    "Aborted", "AlreadyExists", "Backup", "Cancelled", "Client", "Closest", "Cluster", "Compaction",
    "ConnectionChange", "Conversion",
    "DataLoss", "DeadlineExceeded", "Example", "Explanation", "FailedPrecondition", "Finding", "Graph", "Hit", "Id",
    "IngestReport", "IngestStream", "InvalidArgument", "KernelMatrix", "KindredError", "Match", "MoleculeScheme",
    "NotFound", "NotNovel", "Novelty", "OutOfRange", "Outcome", "Pair", "PairsProgress", "PermissionDenied",
    "RecommendResult", "Recommendation", "Record", "Rejection", "ResourceExhausted", "SearchResult", "SearchStats",
    "SimilarPair", "Stats", "TLS", "Unauthenticated", "Unavailable", "Unimplemented", "VerifyReport", "Watch",
    "WatchConnectionChange", "WatchProgress", "WatchQuery", "WriteResult", "__version__", "read_smiles",
]
