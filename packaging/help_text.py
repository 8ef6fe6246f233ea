"""What a program says with --help, read back: the one source of its manual page and of its completions.

Understands what CLI11 prints: an option in two columns, or its description on the next line where it is long.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field

_COLUMN = 28  # Between the start of an option and that of its description.


@dataclass
class Option:
    names: list[str]
    value: str = ""  # What it takes, as "N" or "FILE"; empty for a flag.
    choices: list[str] = field(default_factory=list)
    default: str = ""
    range: str = ""
    text: str = ""
    group: str = "Options"


@dataclass
class Help:
    description: str = ""
    options: list[Option] = field(default_factory=list)
    commands: list[tuple[str, str]] = field(default_factory=list)  # Names with what they do.
    footer: str = ""


def _option(left: str, text: str, group: str) -> Option:
    names, _, rest = left.partition(" ")
    option = Option(names.split(","), text=text, group=group)
    rest = re.sub(r" (REQUIRED|\.\.\.|\(Env:\S+\)|Excludes:.*|Needs:.*)", "", " " + rest).strip()
    if found := re.match(r"(?:U?INT|FLOAT):(?:U?INT|FLOAT) in \[(.*?) - (.*?)\](?:=(.*))?$", rest):
        option.value, option.range, option.default = "N", f"{found[1]} to {found[2]}", found[3] or ""
    elif found := re.match(r"TEXT:\{(.*?)\}(?:=(.*))?$", rest):
        option.choices, option.default = found[1].split(","), found[2] or ""
        option.value = "|".join(option.choices)
    elif re.fullmatch(r"[A-Z]+=[A-Z]+", rest):
        option.value = rest
    elif rest:
        option.value, _, option.default = rest.partition("=")
        option.value = re.sub(r":.*", "", option.value)
        option.default = option.default.strip("[]")
        if "|" in option.value:
            option.choices = option.value.split("|")
    return option


def parse(text: str) -> Help:
    lines = text.splitlines()
    read = Help(description=lines[0])
    group = "Options"
    at = 0
    footer_from = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if found := re.match(r"(\w[\w ]*):$", line):
            group = found[1]
        elif found := re.match(r"( +)(-\S.*)$", line):
            indent = len(found[1])
            edge = indent + _COLUMN
            if at < len(lines) and lines[at].startswith(" " * edge) and lines[at].strip():
                left, text_ = line, lines[at].strip()
                at += 1
            else:
                left, text_ = line[:edge], line[edge:].strip()
            read.options.append(_option(left.strip(), text_, group))
            footer_from = at
        elif group == "Subcommands" and (found := re.match(r"  (\w[\w-]*) +(.*)$", line)):
            read.commands.append((found[1], found[2]))
            footer_from = at
    read.footer = "\n".join(line for line in lines[footer_from:] if line.strip())
    return read


def of(program: str, *command: str) -> Help:
    """Runs `program command --help`."""
    run = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return parse(run.stdout)
