"""Runs the code of a document, block by block, as a reader would.

    ```sh       runs in one bash for the whole document, which ends with the first command that fails
    ```python   runs in one namespace for the whole document
    ```text     right behind one of them: what it prints; "..." stands for anything, and white space counts once

Blocks that are only indented are not run.
"""

import contextlib
import doctest
import io
import os
import re
import signal
import subprocess

_SETTINGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_MARK = "--- end of block"


class Shell:
    """A bash that lives as long as the document."""

    def __init__(self, cwd, environment):
        self._bash = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, cwd=cwd, env=environment, start_new_session=True)
        self._bash.stdin.write("set -euo pipefail\n")

    def run(self, code):
        self._bash.stdin.write(f"{code}\necho '{_MARK}'\n")
        self._bash.stdin.flush()
        printed = []
        for line in self._bash.stdout:
            if line == _MARK + "\n":
                return "".join(printed)
            printed.append(line)
        raise AssertionError(f"a command of this block failed:\n{code}\n{''.join(printed)}")

    def close(self):
        """Ends it, and whatever a document that failed has left running in it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.wait()
        with contextlib.suppress(BrokenPipeError):
            self._bash.stdin.close()
        self._bash.stdout.close()


def blocks(text):
    """(language, code, line) of each fenced block."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match[1], match[2], text.count("\n", 0, match.start()) + 2


def run_document(path, shell):
    """Runs it to its end; gives the numbers of blocks run and of outputs compared."""
    with open(path, encoding="utf-8") as file:
        found = list(blocks(file.read()))
    namespace = {"__name__": "__document__"}
    run = compared = 0
    for place, (language, code, line) in enumerate(found):
        if language == "text":
            continue
        if language == "sh":
            printed = shell.run(code)
        else:
            assert language == "python", f"{path}:{line}: a block of {language}"
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile("\n" * (line - 1) + code, path, "exec"), namespace)
            printed = output.getvalue()
        run += 1
        if place + 1 < len(found) and found[place + 1][0] == "text":
            expected = found[place + 1][1]
            compared += 1
            assert doctest.OutputChecker().check_output(expected, printed, _SETTINGS), (
                f"{path}:{line} prints\n{printed}\ninstead of\n{expected}")
    return run, compared
