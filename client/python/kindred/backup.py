"""Looking after an index: consistent copies of it while it serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from kindred.connection import Connection
from kindred.errors import KindredError
from kindred.v1 import kindred_pb2 as pb


@dataclass(frozen=True)
class Backup:
    """A backup: how far it got and, at its end (`done`), where it is on the daemon's machine.

    It is of the commit `sequence`. `bytes` are those of all its files; of these `bytes_copied` were not in an earlier
    backup. `removed` older backups went.
    """

    backup_id: int
    sequence: int
    graphs: int
    files: int
    bytes: int
    bytes_copied: int
    bytes_checked: int
    path: str = ""
    removed: int = 0
    done: bool = False

    @classmethod
    def from_proto(cls, message: pb.BackupResponse) -> "Backup":
        return cls(message.backup_id, message.sequence, message.graphs, message.files, message.bytes,
                   message.bytes_copied, message.bytes_checked, message.path, message.removed, message.done)


class BackupCalls:
    """The part of a Client that makes backups."""

    _connection: Connection

    def backup(self, directory: str, *, keep: int = 0,
               on_progress: Optional[Callable[[Backup], None]] = None) -> Backup:
        """Copies the index as it is now to a directory of the daemon's machine, a name below its --backup-dir, while
        searches and writes go on. Only what earlier backups there lack is copied. Of more than `keep` backups in the
        directory (0: any number) the oldest are removed. FailedPrecondition when the daemon makes no backups."""
        request = pb.BackupRequest(directory=directory, keep=keep)
        for message in self._connection.stream(self._connection.admin.Backup, request):
            backup = Backup.from_proto(message)
            if backup.done:
                return backup
            if on_progress is not None:
                on_progress(backup)
        raise KindredError("the daemon ended the backup before it was done", "INTERNAL")
