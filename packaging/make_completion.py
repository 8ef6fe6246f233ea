#!/usr/bin/env python3
"""Writes the completions of a program for bash or zsh, from what its --help says.

    make_completion.py bash|zsh PROGRAM OUT
"""

from __future__ import annotations

import sys
from pathlib import Path

import help_text

_PATHS = {"FILE", "DIR"}
_PATH_OPTIONS = {"--config", "--data-dir", "-o", "--output"}


def takes_path(option: help_text.Option) -> bool:
    return option.value in _PATHS or bool(_PATH_OPTIONS & set(option.names))


def words(options: list[help_text.Option]) -> str:
    return " ".join(name for option in options for name in option.names)


def bash_values(options: list[help_text.Option], indent: str) -> str:
    """Lines of a case over the word before, for options that take a value."""
    out = []
    for option in options:
        names = "|".join(option.names)
        if option.choices:
            out.append(f'{indent}{names}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word")); return ;;\n')
        elif takes_path(option):
            out.append(f'{indent}{names}) COMPREPLY=($(compgen -f -- "$word")); return ;;\n')
        elif option.value:
            out.append(f"{indent}{names}) return ;;\n")
    return "".join(out)


def bash(name: str, top: help_text.Help, commands: dict[str, help_text.Help]) -> str:
    out = [f"# bash completion of {name}\n", f"_{name}_complete() {{\n"]
    out.append('  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" at\n')
    out.append("  COMPREPLY=()\n")
    out.append(f'  local options="{words(top.options)}"\n')
    out.append('  case "$before" in\n' + bash_values(top.options, "    ") + "  esac\n")
    if commands:
        out.append("  for ((at = 1; at < COMP_CWORD; ++at)); do\n")
        out.append('    case "${COMP_WORDS[at]}" in\n')
        out.append(f'      {"|".join(commands)}) command=${{COMP_WORDS[at]}}; break ;;\n    esac\n  done\n')
        out.append('  case "$command" in\n')
        for command, read in commands.items():
            out.append(f'    {command})\n      options+=" {words(read.options)}"\n')
            out.append('      case "$before" in\n' + bash_values(read.options, "        ") + "      esac ;;\n")
        out.append(f'    "") [[ $word == -* ]] || options="{" ".join(commands)}" ;;\n  esac\n')
    out.append('  if [[ -n $command && $word != -* ]]; then\n    COMPREPLY=($(compgen -f -- "$word"))\n    return\n  fi\n')
    out.append('  COMPREPLY=($(compgen -W "$options" -- "$word"))\n}\n')
    out.append(f"complete -o filenames -F _{name}_complete {name}\n")
    return "".join(out)


def zsh_option(option: help_text.Option) -> str:
    text = option.text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    takes = ""
    if option.choices:
        takes = f":value:({' '.join(option.choices)})"
    elif takes_path(option):
        takes = ":file:_files"
    elif option.value:
        takes = ":value: "
    return " ".join(f"'*{name}[{text}]{takes}'" for name in option.names)


def zsh(name: str, top: help_text.Help, commands: dict[str, help_text.Help]) -> str:
    out = [f"#compdef {name}\n", f"_{name}() {{\n", "  local -a options\n"]
    out.append("  options=(" + " \\\n    ".join(zsh_option(option) for option in top.options) + ")\n")
    if not commands:
        out.append("  _arguments -s $options\n")
    else:
        out.append("  local command=${words[(r)" + "|".join(commands) + "]}\n")
        out.append('  case "$command" in\n')
        for command, read in commands.items():
            lines = " \\\n      ".join(zsh_option(option) for option in read.options)
            out.append(f"    {command}) _arguments -s $options {lines} '*:file:_files' ;;\n")
        told = " ".join(f"'{command}:{text.replace(chr(39), '')}'" for command, text in top.commands)
        out.append(f"    *) local -a commands; commands=({told})\n")
        out.append("       _arguments -s $options; _describe command commands ;;\n  esac\n")
    out.append(f'}}\n_{name} "$@"\n')
    return "".join(out)


def main() -> None:
    shell, program, out = sys.argv[1:]
    top = help_text.of(program)
    commands = {name: help_text.of(program, name) for name, _ in top.commands}
    write = {"bash": bash, "zsh": zsh}[shell]
    Path(out).write_text(write(Path(program).name, top, commands), encoding="utf-8")


if __name__ == "__main__":
    main()
