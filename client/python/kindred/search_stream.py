"""Many searches over one call: questions go out while answers come in.

At most `ahead` questions have no answer yet. Questions are taken from their iterable, and made into graphs, in the
caller's thread, between answers; answers come in the order of the questions.
"""

from __future__ import annotations

import queue
from collections import deque
from typing import Any, Deque, Iterator, Optional, Union

import grpc

from kindred.connection import Connection
from kindred.errors import InvalidArgument, KindredError, error_of, error_of_rpc
from kindred.results import SearchResult
from kindred.v1 import kindred_pb2 as pb

#: A question, or what is wrong with it.
Question = Union[pb.SearchRequest, InvalidArgument]


def search_many(connection: Connection, questions: Iterator[Question], ahead: int) -> Iterator[SearchResult]:
    if ahead < 1:
        raise InvalidArgument(f"ahead: {ahead} is not above 0")
    return _run(connection, questions, ahead)


def _run(connection: Connection, questions: Iterator[Question], ahead: int) -> Iterator[SearchResult]:
    outgoing: "queue.SimpleQueue[Optional[pb.SearchRequest]]" = queue.SimpleQueue()
    waiting: Deque[Optional[InvalidArgument]] = deque()  # One a question without an answer; what was not even asked.
    call: Any = connection.index.SearchStream(iter(outgoing.get, None), timeout=connection.stream_timeout,
                                              metadata=connection.metadata)
    index = 0
    more = True
    try:
        while more or waiting:
            while more and len(waiting) < ahead:
                question = next(questions, None)
                if question is None:
                    more = False
                    outgoing.put(None)
                elif isinstance(question, pb.SearchRequest):
                    outgoing.put(question)
                    waiting.append(None)
                else:
                    waiting.append(question)
            if waiting:
                refused = waiting.popleft()
                yield SearchResult.failed(refused, index) if refused is not None else _next_answer(call, index)
                index += 1
    finally:
        outgoing.put(None)  # Lets gRPC's thread go.
        call.cancel()


def _next_answer(call: Any, index: int) -> SearchResult:
    try:
        answer = next(call, None)
    except grpc.RpcError as error:
        raise error_of_rpc(error) from None
    if answer is None:
        raise KindredError("the daemon ended the stream before it answered all", "INTERNAL")
    if answer.WhichOneof("result") == "error":
        return SearchResult.failed(error_of(answer.error.code, answer.error.message), index)
    return SearchResult.from_proto(answer.response, index)
