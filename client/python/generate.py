"""Writes what the package does not keep as source: the messages of kindred.proto, and its own version.

    python3 generate.py OUT [--protoc PROTOC --plugin GRPC_PYTHON_PLUGIN]

CMake and setup.py both call it, so that there is one way to make them. It needs protoc and grpc_python_plugin
(Debian: protobuf-compiler, protobuf-compiler-grpc), or else the Python package grpcio-tools; no network.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTO = "kindred/v1/kindred.proto"


def project_version() -> str:
    """The version of the whole project: it has one, and CMakeLists.txt says it."""
    found = re.search(r"project\(kindred VERSION ([0-9.]+)", _checkout_file("CMakeLists.txt").read_text())
    if found is None:
        sys.exit("CMakeLists.txt does not tell the version of kindred")
    return found.group(1)


def generate(out: Path, protoc: str = "", plugin: str = "") -> None:
    """Writes OUT/kindred/v1/kindred_pb2*.py(i) and OUT/kindred/_version.py."""
    _checkout_file("proto/" + PROTO)
    (out / "kindred" / "v1").mkdir(parents=True, exist_ok=True)
    command, grpc_out = _compiler(protoc, plugin)
    subprocess.run([*command, f"--proto_path={ROOT / 'proto'}", f"--python_out={out}", f"--pyi_out={out}",
                    f"--{grpc_out}={out}", PROTO], check=True)
    version = f'"""Generated."""\n\n__version__ = "{project_version()}"\n'
    (out / "kindred" / "_version.py").write_text(version)


def _checkout_file(name: str) -> Path:
    path = ROOT / name
    if not path.exists():
        sys.exit(f"{name} is not there: the package is built from a checkout of kindred (pip install ./client/python)")
    return path


def _compiler(protoc: str, plugin: str) -> "tuple[list[str], str]":
    """The command, and what its flag for the service is called."""
    protoc = protoc or shutil.which("protoc") or ""
    plugin = plugin or shutil.which("grpc_python_plugin") or ""
    if protoc and plugin:
        return [protoc, f"--plugin=protoc-gen-grpc={plugin}"], "grpc_out"
    try:
        import grpc_tools  # noqa: F401
    except ImportError:
        sys.exit("Install protoc and grpc_python_plugin (Debian: protobuf-compiler protobuf-compiler-grpc) "
                 "or the Python package grpcio-tools; the messages are generated with them.")
    return [sys.executable, "-m", "grpc_tools.protoc"], "grpc_python_out"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--protoc", default="")
    parser.add_argument("--plugin", default="")
    arguments = parser.parse_args()
    generate(arguments.out, arguments.protoc, arguments.plugin)
