"""What can go wrong, as exceptions: one class a status code, all of them a KindredError.

`code` is the name of the status (docs/api.md says when which is given), `details` what the daemon said, word for
word: for a bad graph or parameter it starts with the path of the field. Where Python has a class for the same thing,
the exception is that as well: `except ConnectionError` catches an Unavailable.

    >>> import kindred
    >>> client = kindred.Client()
    >>> client.get("no such molecule")
    Traceback (most recent call last):
    kindred.errors.NotFound: no graph has the id "no such molecule"
    >>> try:
    ...     client.search("CCO", k=0x7fffffff)
    ... except kindred.KindredError as error:
    ...     print(error.code)
    RESOURCE_EXHAUSTED
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Optional, Type, Union

import grpc

if TYPE_CHECKING:
    from kindred.ingest_types import IngestReport


class KindredError(Exception):
    """Something failed. Raised as it is for a code that has no class of its own."""

    code = "UNKNOWN"

    def __init__(self, details: str, code: Optional[str] = None) -> None:
        super().__init__(details)
        self.details = details
        if code is not None:
            self.code = code
        #: What an ingest had reached when it failed.
        self.report: Optional[IngestReport] = None

    def __str__(self) -> str:
        return self.details

    def __reduce__(self) -> "tuple[object, ...]":
        return type(self), (self.details, self.code)


class InvalidArgument(KindredError, ValueError):
    """A bad graph or parameter; found by the daemon, or here before anything was sent."""

    code = "INVALID_ARGUMENT"


class NotFound(KindredError, LookupError):
    """No graph has this id."""

    code = "NOT_FOUND"


class AlreadyExists(KindredError):
    """The id is taken, and the write was to insert only."""

    code = "ALREADY_EXISTS"


class FailedPrecondition(KindredError):
    """A depth beyond the index, a sequence that is not committed yet, a gap in a stream's numbers."""

    code = "FAILED_PRECONDITION"


class OutOfRange(KindredError, ValueError):
    """A watch that is to go on behind a commit which the index does not have."""

    code = "OUT_OF_RANGE"


class ResourceExhausted(KindredError):
    """A limit of the daemon, which the message names."""

    code = "RESOURCE_EXHAUSTED"


class Unavailable(KindredError, ConnectionError):
    """The daemon cannot be reached, or does not serve."""

    code = "UNAVAILABLE"


class DeadlineExceeded(KindredError, TimeoutError):
    """It took longer than the client's timeout."""

    code = "DEADLINE_EXCEEDED"


class Cancelled(KindredError):
    """The call was given up by its caller."""

    code = "CANCELLED"


class Aborted(KindredError):
    """Another stream writes under the same client id."""

    code = "ABORTED"


class DataLoss(KindredError):
    """The store is damaged, or lacks what was acknowledged."""

    code = "DATA_LOSS"


class Unauthenticated(KindredError, PermissionError):
    """No token, or one that the daemon does not know."""

    code = "UNAUTHENTICATED"


class PermissionDenied(KindredError, PermissionError):
    """The token is known, and does not suffice for this."""

    code = "PERMISSION_DENIED"


class Unimplemented(KindredError):
    """The daemon is of a version that does not have this call."""

    code = "UNIMPLEMENTED"


_CLASSES: Dict[str, Type[KindredError]] = {
    each.code: each
    for each in (InvalidArgument, NotFound, AlreadyExists, FailedPrecondition, OutOfRange, ResourceExhausted,
                 Unavailable, DeadlineExceeded, Cancelled, Aborted, DataLoss, Unauthenticated, PermissionDenied,
                 Unimplemented)
}
_NAMES: Dict[int, str] = {status.value[0]: status.name for status in grpc.StatusCode}


def error_of(code: Union[int, str], details: str) -> KindredError:
    """The exception for a google.rpc.Code (a number, or its name). Never one for OK: who asks has seen a failure."""
    name = code if isinstance(code, str) else _NAMES.get(code, "UNKNOWN")
    if name == "OK":
        name = "UNKNOWN"
    return _CLASSES.get(name, KindredError)(details, name)


def error_of_rpc(error: grpc.RpcError) -> KindredError:
    """The exception for a call that failed."""
    return error_of(error.code().name, error.details() or error.code().name)
