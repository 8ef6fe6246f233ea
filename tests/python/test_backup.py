"""Client.backup: where it goes, what it tells, what is refused."""

import subprocess

import pytest

import kindred
from daemon import KINDREDD
from kindred import Graph, Record


def test_a_backup_can_be_restored(start, tmp_path):
    root = tmp_path / "backups"
    root.mkdir()
    daemon = start("--backup-dir", str(root))
    with kindred.Client(daemon.address) as client:
        client.put([Record(f"g{i}", Graph(["a", "b"], [(0, 1)])) for i in range(100)])
        told = []
        backup = client.backup("daily", on_progress=told.append)
        assert (backup.done, backup.backup_id, backup.graphs, backup.sequence) == (True, 1, 100, 100)
        assert backup.bytes_copied == backup.bytes == backup.bytes_checked and not any(each.done for each in told)
        client.delete("g0")
        assert client.backup("daily", keep=1).removed == 1
    new = tmp_path / "new"
    subprocess.run([KINDREDD, "--data-dir", new, "--restore-from", root / "daily", "--verify"], check=True,
                   capture_output=True)


def test_without_a_directory_for_backups_none_is_made(client):
    with pytest.raises(kindred.FailedPrecondition, match="--backup-dir"):
        client.backup("daily")
