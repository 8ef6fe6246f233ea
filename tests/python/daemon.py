"""A real kindredd as a child process of a test."""

import os
import re
import signal
import subprocess

KINDREDD = os.environ["KINDREDD"]
KINDRED = os.environ["KINDRED"]
SOURCE_DIR = os.environ["KINDRED_SOURCE_DIR"]
MOLECULES = os.path.join(SOURCE_DIR, "examples", "molecules.smi")


class Daemon:
    """Starts on a free port unless told where; the same object can be stopped and started again on that address."""

    def __init__(self, data_dir, *flags, listen="127.0.0.1:0"):
        self.data_dir = str(data_dir)
        self.flags = flags
        self.address = listen
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [KINDREDD, "--data-dir", self.data_dir, "--listen", self.address, *self.flags],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.ready_line = self.process.stdout.readline()
        assert self.ready_line.startswith("kindredd ready "), f"kindredd said {self.ready_line!r}"
        self.address = re.search(r" listen=(.*) data=", self.ready_line)[1]

    def kill(self):
        self.stop(signal.SIGKILL)

    def stop(self, with_signal=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
            self.process.wait(60)
        self.process.stdout.close()
        return self.process.returncode


def run_kindred(*arguments, server, **kwargs):
    """The command line, to its end."""
    return subprocess.run([KINDRED, "--server", server, *arguments], capture_output=True, text=True, timeout=120,
                          check=True, **kwargs).stdout
