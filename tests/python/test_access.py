"""Tokens against a real daemon, from a file and from the environment."""

import pytest

import kindred
from daemon import run_kindred
from kindred import Graph, Record


@pytest.fixture
def tokens(tmp_path):
    lines = [run_kindred("token", role, role, "-o", str(tmp_path / role), server="127.0.0.1:1")
             for role in ("read-only", "read-write")]
    (tmp_path / "tokens").write_text("".join(lines))
    return tmp_path


def test_a_role_may_do_what_it_may(start, tokens):
    daemon = start("--tokens", str(tokens / "tokens"))
    with kindred.Client(daemon.address, token_file=str(tokens / "read-write")) as writer:
        writer.put([Record("a", Graph(["x"]))])
        writer.ingest([Record("b", Graph(["x"]))])
    token = (tokens / "read-only").read_text().strip()
    with kindred.Client(daemon.address, token=token) as reader:
        assert [hit.id for hit in reader.search(id="a")] == ["a", "b"]
        assert [result[0].id for result in reader.search_many(ids=["a", "b"], k=1)] == ["a", "a"]
        with pytest.raises(kindred.PermissionDenied, match="Put needs the role read-write; the token of read-only"):
            reader.put([Record("c", Graph(["x"]))])
        with pytest.raises(kindred.PermissionDenied, match="Ingest needs the role read-write"):
            reader.ingest([Record("c", Graph(["x"]))])
        with pytest.raises(kindred.PermissionDenied, match="Verify needs the role admin"):
            reader.verify()


def test_who_has_no_token_is_told_so(start, tokens):
    daemon = start("--tokens", str(tokens / "tokens"))
    with kindred.Client(daemon.address) as client:
        client.wait_until_serving(10)  # Health is open.
        with pytest.raises(kindred.Unauthenticated, match="needs a token, and none was sent"):
            client.stats()
    with kindred.Client(daemon.address, token="wrong") as client:
        with pytest.raises(kindred.Unauthenticated, match="the token is not known here") as caught:
            client.stats()
        assert "wrong" not in str(caught.value)


def test_the_environment_counts_unless_told_otherwise(start, tokens, monkeypatch):
    daemon = start("--tokens", str(tokens / "tokens"))
    monkeypatch.setenv("KINDRED_TOKEN_FILE", str(tokens / "read-only"))
    with kindred.Client(daemon.address) as client:
        assert client.stats().graphs == 0
    with kindred.Client(daemon.address, token="other") as client:
        with pytest.raises(kindred.Unauthenticated):
            client.stats()
    monkeypatch.setenv("KINDRED_TLS_CA", str(tokens / "none.pem"))
    with pytest.raises(FileNotFoundError):
        kindred.Client(daemon.address)
    with kindred.Client(daemon.address, tls=False) as client:
        assert client.stats().graphs == 0
