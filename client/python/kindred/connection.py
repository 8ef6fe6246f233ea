"""A connection to one daemon: addresses as people write them, TLS, the token, and how calls fail and are tried again.

Threads: everything from any thread.
"""

from __future__ import annotations

import os
import random
import re
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional, Tuple, TypeVar, Union
from urllib.parse import quote

import grpc

from kindred.errors import InvalidArgument, KindredError, Unavailable, error_of_rpc
from kindred.v1 import kindred_pb2_grpc

DEFAULT_ADDRESS = "127.0.0.1:5463"
#: A row of a kernel matrix or a record may be larger than gRPC's 4 MiB.
RECEIVE_BYTES_MAX = 64 << 20
#: Attempts of a call that only reads, the first included.
ATTEMPTS_MAX = 4
#: As much as fits into the name of a socket on Linux.
_SOCKET_PATH_BYTES_MAX = 107

T = TypeVar("T")


@dataclass(frozen=True)
class TLS:
    """How to recognise the daemon, and how to be recognised; each a path to a PEM file.

    `ca`: whom to believe, instead of the system's authorities. `certificate` and `key`: the client's own, for a daemon
    that asks for one. `server_name`: the name in the daemon's certificate, when it is not the address.
    """

    ca: Optional[str] = None
    certificate: Optional[str] = None
    key: Optional[str] = None
    server_name: Optional[str] = None

    @staticmethod
    def from_environment() -> Optional["TLS"]:
        """As the command line takes it: KINDRED_TLS_CA, _CERT, _KEY, _SERVER_NAME, or KINDRED_TLS alone."""
        names = ("KINDRED_TLS_CA", "KINDRED_TLS_CERT", "KINDRED_TLS_KEY", "KINDRED_TLS_SERVER_NAME")
        values = [os.environ.get(name) or None for name in names]
        if os.environ.get("KINDRED_TLS", "").lower() in ("1", "true", "on", "yes") or any(values):
            return TLS(*values)
        return None

    def credentials(self) -> grpc.ChannelCredentials:
        if (self.certificate is None) != (self.key is None):
            raise InvalidArgument("tls: certificate and key come together")
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.certificate))


def _read(path: Optional[str]) -> Optional[bytes]:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()


def read_token(path: str) -> str:
    """The first line of a file."""
    with open(path, encoding="ascii", errors="replace") as file:
        return file.readline().rstrip("\r\n")


def to_grpc_target(address: str) -> str:
    """Refuses what can never be reached, so that a typing error is not reported as a daemon that is down."""
    if address.startswith("unix:"):
        path = address[len("unix:"):]
        if not 0 < len(os.fsencode(path)) <= _SOCKET_PATH_BYTES_MAX or "\0" in path:
            raise InvalidArgument(f'"{address}": the path of a socket has 1 to {_SOCKET_PATH_BYTES_MAX} bytes')
        return "unix:" + quote(os.fsencode(path), safe="/-._~")
    match = re.fullmatch(r"(\[[^\[\]/ ]+\]|[^:\[\]/ ]+):([0-9]{1,5})", address)
    if match is None or not 0 < int(match[2]) < 65536:
        raise InvalidArgument(f'"{address}" is not an address: write HOST:PORT, [IPV6]:PORT or unix:PATH')
    return address


def _is_local(address: str) -> bool:
    return re.match(r"unix:|localhost:|127\.[0-9.]+:|\[::1\]:", address) is not None


class Connection:
    """The channel and its stubs. It connects with the first call."""

    def __init__(self, address: Optional[str], timeout: float, stream_timeout: float, token: Optional[str],
                 tls: Union[bool, str, TLS, None], token_file: Optional[str] = None) -> None:
        self.address = address if address is not None else os.environ.get("KINDRED_SERVER", DEFAULT_ADDRESS)
        target = to_grpc_target(self.address)
        for name, seconds in (("timeout", timeout), ("stream_timeout", stream_timeout)):
            if not seconds > 0:
                raise InvalidArgument(f"{name}: {seconds!r} is not a number of seconds above 0")
        self.timeout = timeout
        self.stream_timeout = stream_timeout
        self.metadata: Tuple[Tuple[str, str], ...] = ()
        if isinstance(tls, str):
            tls = TLS(ca=tls)
        elif tls is True:
            tls = TLS()
        elif tls is None:
            tls = TLS.from_environment()
        if self.address.startswith("unix:"):
            tls = None  # A daemon speaks TLS over the network alone.
        if token is None:
            token_file = token_file if token_file is not None else os.environ.get("KINDRED_TOKEN_FILE")
            token = read_token(token_file) if token_file else None
        if token is not None:
            if not re.fullmatch(r"[!-~]+", token):
                raise InvalidArgument("token: has to be printable ASCII without blanks")
            if not tls and not _is_local(self.address):
                raise InvalidArgument("token: would travel readable to another machine; use tls")
            self.metadata = (("authorization", "Bearer " + token),)
        self.channel = _open_channel(target, tls or None)
        stubs: Any = kindred_pb2_grpc  # Generated without types.
        self.index = stubs.IndexStub(self.channel)
        self.admin = stubs.AdminStub(self.channel)

    def write(self, method: Callable[..., T], request: Any) -> T:
        """One call, not tried again: a write whose answer got lost may have happened."""
        try:
            return method(request, timeout=self.timeout, metadata=self.metadata)
        except grpc.RpcError as error:
            raise error_of_rpc(error) from None

    def read(self, method: Callable[..., T], request: Any) -> T:
        """One call that changes nothing: tried again while the daemon is unavailable, within its deadline."""
        deadline = time.monotonic() + self.timeout
        backoff = Backoff(0.05, 1.0)
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return method(request, timeout=max(deadline - time.monotonic(), 0.001), metadata=self.metadata)
            except grpc.RpcError as error:
                failure = error_of_rpc(error)
                wait = backoff.next()
                if (not isinstance(failure, Unavailable) or attempt == ATTEMPTS_MAX
                        or time.monotonic() + wait >= deadline):
                    raise failure from None
                time.sleep(wait)
        raise AssertionError("unreachable")

    def stream(self, method: Callable[..., Any], request: Any) -> Iterator[Any]:
        """The messages of a server stream; leaving the loop early ends the call."""
        call = method(request, timeout=self.stream_timeout, metadata=self.metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise error_of_rpc(error) from None
        finally:
            call.cancel()

    def says_serving(self) -> bool:
        """Asks grpc.health.v1, whose answer is one field (`status = 1`, SERVING = 1): not worth generated code."""
        check = self.channel.unary_unary("/grpc.health.v1.Health/Check")
        return bool(self.write(check, b"") == b"\x08\x01")

    def wait_until_serving(self, timeout: float) -> None:
        """Returns once the daemon says that it serves (it says no while it recovers its index or stops)."""
        deadline = time.monotonic() + timeout
        backoff = Backoff(0.02, 0.5)
        last: KindredError = Unavailable("the daemon does not serve yet")
        while True:
            try:
                if self.says_serving():
                    return
            except Unavailable as error:
                last = error
            wait = backoff.next()
            if time.monotonic() + wait >= deadline:
                raise last
            time.sleep(wait)

    def close(self) -> None:
        self.channel.close()


def _open_channel(target: str, tls: Optional[TLS]) -> grpc.Channel:
    # As the C++ client does (client/connection.cc says why): a connection of its own for each Client, no proxy,
    # reconnects within a second, and a look every five minutes whether the peer is still there.
    options = [
        ("grpc.max_receive_message_length", RECEIVE_BYTES_MAX),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.enable_http_proxy", 0),
        # gRPC's own retries: we know what may be tried again. In gRPC 1.51 they also leave a stream waiting for ever
        # that failed before its first answer (the status is there, the read never ends).
        ("grpc.enable_retries", 0),
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.max_reconnect_backoff_ms", 1_000),
        ("grpc.min_reconnect_backoff_ms", 5_000),
        ("grpc.keepalive_time_ms", 310_000),
        ("grpc.keepalive_timeout_ms", 20_000),
    ]
    if tls is None:
        return grpc.insecure_channel(target, options)
    if tls.server_name is not None:
        options.append(("grpc.ssl_target_name_override", tls.server_name))  # type: ignore[arg-type]
    return grpc.secure_channel(target, tls.credentials(), options)


class Backoff:
    """Twice as long each time up to a cap, and never quite the same for two clients."""

    def __init__(self, first: float, longest: float) -> None:
        self._next = first
        self._longest = longest

    def next(self) -> float:
        most = min(self._next, self._longest)
        self._next = min(self._next * 2, self._longest)
        return random.uniform(most / 2, most)


#: A daemon that restarts is back within a second; one that recovers a large index takes longer.
_OUTAGE_FIRST_SECONDS = 0.05
_OUTAGE_LONGEST_SECONDS = 2.0


class Outage:
    """From the loss of a stream's connection until it is there again."""

    def __init__(self, reconnect_for: float) -> None:
        self.give_up = time.monotonic() + reconnect_for
        self.attempts = 0
        self._backoff = Backoff(_OUTAGE_FIRST_SECONDS, _OUTAGE_LONGEST_SECONDS)

    def next(self) -> Optional[float]:
        """Seconds until the next attempt; None: the time is up. Waits get shorter at its end, so that it is used."""
        left = self.give_up - time.monotonic()
        if left < _OUTAGE_FIRST_SECONDS:
            return None
        self.attempts += 1
        return min(self._backoff.next(), left / 2)
