"""TLS and tokens, and answers that no sane daemon gives: against a server of the test's own."""

import shutil
import subprocess
import threading
from concurrent import futures

import grpc
import pytest

import kindred
from kindred import Graph, Record
from kindred.v1 import kindred_pb2 as pb
from kindred.v1 import kindred_pb2_grpc


class FakeIndex(kindred_pb2_grpc.IndexServicer):
    """Answers Stats, notes the token, and plays `script` for Ingest: one list of actions a call."""

    def __init__(self):
        self.tokens = []
        self.script = []
        self.frames = []

    def Stats(self, request, context):
        self.tokens.append(dict(context.invocation_metadata()).get("authorization"))
        return pb.StatsResponse(graphs=42)

    def Ingest(self, requests, context):
        self.tokens.append(dict(context.invocation_metadata()).get("authorization"))
        for action in self.script.pop(0):
            yield from action(self, requests, context)


@pytest.fixture
def serve():
    servers = []

    def start(index, credentials=None):
        server = grpc.server(futures.ThreadPoolExecutor(4))
        kindred_pb2_grpc.add_IndexServicer_to_server(index, server)
        if credentials is None:
            port = server.add_insecure_port("127.0.0.1:0")
        else:
            port = server.add_secure_port("127.0.0.1:0", credentials)
        server.start()
        servers.append(server)
        return port

    yield start
    for server in servers:
        server.stop(0)


def test_the_token_travels_with_every_call(serve):
    index = FakeIndex()
    index.script = [[opened(0)]]
    with kindred.Client(f"127.0.0.1:{serve(index)}", token="s3cret", timeout=10) as client:
        assert client.stats().graphs == 42
        client.ingest([])
    with kindred.Client(client.address, timeout=10) as client:
        client.stats()
    assert index.tokens == ["Bearer s3cret", "Bearer s3cret", None]


def test_a_token_does_not_travel_readable():
    for address in ("example.org:5463", "192.0.2.1:5463", "[2001:db8::1]:5463"):
        with pytest.raises(kindred.InvalidArgument, match="token: would travel readable"):
            kindred.Client(address, token="s3cret")
        kindred.Client(address, token="s3cret", tls=True).close()
    for address in ("localhost:1", "127.0.0.1:1", "[::1]:1", "unix:/x"):
        kindred.Client(address, token="s3cret").close()


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    if shutil.which("openssl") is None:
        pytest.skip("SKIPPED: openssl is not installed; certificates are made with it")
    folder = tmp_path_factory.mktemp("tls")

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=test authority")
    for name in ("server", "client"):
        (folder / "names").write_text("subjectAltName=DNS:kindred.test\n")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj",
                f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
                f"{name}.pem", "-days", "2", "-extfile", "names")
    return folder


def test_tls_both_ways(serve, certificates):
    read = {path.name: path.read_bytes() for path in certificates.iterdir()}
    port = serve(FakeIndex(), grpc.ssl_server_credentials([(read["server.key"], read["server.pem"])], read["ca.pem"],
                                                          require_client_auth=True))
    address = f"127.0.0.1:{port}"

    def path(name):
        return str(certificates / name)

    own = dict(certificate=path("client.pem"), key=path("client.key"))
    good = kindred.TLS(ca=path("ca.pem"), server_name="kindred.test", **own)
    with kindred.Client(address, tls=good, token="s3cret", timeout=10) as client:
        assert client.stats().graphs == 42
    bad = [kindred.TLS(ca=path("ca.pem"), **own),  # The name does not fit.
           kindred.TLS(ca=path("ca.pem"), server_name="kindred.test"),  # The server wants to know who we are.
           kindred.TLS(server_name="kindred.test", **own),  # Nobody knows this authority.
           path("ca.pem"), True, None]
    for tls in bad:
        with kindred.Client(address, tls=tls, timeout=3) as client:
            with pytest.raises(kindred.KindredError):
                client.stats()
    with pytest.raises(kindred.InvalidArgument, match="certificate and key come together"):
        kindred.Client(address, tls=kindred.TLS(certificate=path("client.pem")))
    with pytest.raises(FileNotFoundError):
        kindred.Client(address, tls="/no/such/file.pem")


# What a scripted daemon does with an ingest.


def opened(durable):
    def action(index, requests, context):
        assert next(requests).WhichOneof("kind") == "open"
        yield pb.IngestResponse(opened=pb.IngestOpened(incarnation="x", durable_client_sequence=durable))
    return action


def take(index, requests, context):
    index.frames.append(next(requests).frame)
    yield from ()


def ack(**fields):
    def action(index, requests, context):
        yield pb.IngestResponse(ack=pb.IngestAck(**fields))
    return action


def lose(index, requests, context):
    context.abort(grpc.StatusCode.UNAVAILABLE, "lost")
    yield


def drain(index, requests, context):
    for _ in requests:
        pass
    yield from ()


def ingest(serve, script, count=2, **options):
    index = FakeIndex()
    index.script = script
    records = [Record(f"r{i}", Graph(["a"])) for i in range(count)]
    with kindred.Client(f"127.0.0.1:{serve(index)}", timeout=5) as client:
        return client.ingest(records, frame_items_max=1, **options), index


def test_a_frame_whose_acknowledgement_got_lost_is_not_sent_again(serve):
    report, index = ingest(serve, [[opened(0), take, lose], [opened(1), take, ack(client_sequence=2, inserted=1)]])
    assert (report.stored, report.unreported, report.durable_frame) == (1, 1, 2)
    assert [frame.client_sequence for frame in index.frames] == [1, 2]


def test_a_frame_that_was_not_applied_is_sent_again_as_it_was(serve):
    report, index = ingest(serve, [[opened(0), take, lose],
                                   [opened(0), take, take, ack(client_sequence=2, inserted=2)]])
    assert (report.stored, report.unreported) == (2, 0)
    assert index.frames[0] == index.frames[1] and index.frames[2].client_sequence == 2


def test_a_frame_that_is_acknowledged_as_repeated_is_unreported(serve):
    report, _ = ingest(serve, [[opened(0), take, lose],
                               [opened(0), take, take, ack(client_sequence=2, inserted=1, repeated_frames=1)]])
    assert (report.stored, report.unreported) == (1, 1)


@pytest.mark.parametrize("second, error", [
    ([opened(0)], kindred.DataLoss),  # Less than was acknowledged.
    ([opened(9)], kindred.Aborted),  # More than was sent.
])
def test_a_position_that_cannot_be_is_final(serve, second, error):
    with pytest.raises(error):
        ingest(serve, [[opened(0), take, ack(client_sequence=1, inserted=1), take, lose], second], count=3)


@pytest.mark.parametrize("answer, message", [
    (ack(client_sequence=7), "acknowledged frame 7, which was not sent"),
    (ack(client_sequence=1, rejected=[pb.IngestAck.Rejected(client_sequence=1, item=5)]), "did not store item 5 of frame 1"),
    (ack(client_sequence=1, rejected=[pb.IngestAck.Rejected(client_sequence=2)]), "did not store item 0 of frame 2"),
])
def test_answers_that_make_no_sense_end_the_stream(serve, answer, message):
    with pytest.raises(kindred.KindredError, match=message) as caught:
        ingest(serve, [[opened(0), take, answer, drain]])
    assert caught.value.code == "INTERNAL"


def test_a_daemon_that_ends_early_is_noticed(serve):
    with pytest.raises(kindred.Aborted, match="frames not acknowledged|ended the stream"):
        ingest(serve, [[opened(0), take]])


def test_a_daemon_that_never_opens_is_given_up(serve):
    hold = threading.Event()

    def wait(index, requests, context):
        hold.wait(20)
        yield from ()

    index = FakeIndex()
    index.script = [[wait]]
    with kindred.Client(f"127.0.0.1:{serve(index)}", timeout=0.5) as client:
        with pytest.raises(kindred.Unavailable, match="did not open the stream within 0.5 s"):
            client.ingest([])
    hold.set()


def test_codes_without_a_class_keep_their_name(serve):
    with kindred.Client(f"127.0.0.1:{serve(FakeIndex())}", timeout=5) as client:
        with pytest.raises(kindred.Unimplemented):
            client.put([Record("x", Graph(["a"]))])
    from kindred.errors import error_of

    assert error_of(13, "x").code == "INTERNAL" and type(error_of(13, "x")) is kindred.KindredError
    assert error_of(0, "x").code == error_of(99, "x").code == "UNKNOWN"
