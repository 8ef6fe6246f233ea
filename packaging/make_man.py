#!/usr/bin/env python3
"""Writes a manual page: PAGE.in, with @OPTIONS@ and @COMMANDS@ in place of what the program's --help says.

    make_man.py PROGRAM VERSION PAGE.in OUT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import help_text


def roff(text: str) -> str:
    """Text as roff shows it: as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def option(of: help_text.Option) -> str:
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in of.names)
    takes = f" \\fI{roff(of.value)}\\fR" if of.value else ""
    notes = [of.range] if of.range else []
    if of.default and "default" not in of.text:
        notes.append(f"default {of.default}")
    text = of.text + (f" ({'; '.join(notes)})" if notes else "")
    return f".TP\n{names}{takes}\n{roff(text)}\n"


def options(of: help_text.Help) -> str:
    out = []
    group = "Options"
    for each in of.options:
        if each.group != group and each.group != "Options":
            group = each.group
            out.append(f".SS {roff(group)}\n")
        out.append(option(each))
    return "".join(out)


def commands(program: str, of: help_text.Help) -> str:
    out = []
    for name, text in of.commands:
        command = help_text.of(program, name)
        out.append(f".SS {roff(name)}\n{roff(text[:1].upper() + text[1:])}.\n")
        for each in command.options:
            if "--help" not in each.names:
                out.append(option(each))
        if command.footer:
            out.append(f".PP\n{roff(command.footer)}\n")
    return "".join(out)


def main() -> None:
    program, version, source, out = sys.argv[1:]
    read = help_text.of(program)
    page = Path(source).read_text(encoding="utf-8")
    page = page.replace("@VERSION@", version)
    page = page.replace("@OPTIONS@\n", options(read)).replace("@COMMANDS@\n", commands(program, read))
    Path(out).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
