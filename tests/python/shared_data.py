"""The real data beside the checkout, which is not part of the product: tests that need it are skipped without it."""

import gzip
import os
import tarfile

import numpy as np
import pytest

from daemon import SOURCE_DIR

SHARED_DATA = os.environ.get("KINDRED_SHARED_DATA", os.path.join(SOURCE_DIR, "..", "shared", "data"))


def shared(path):
    full = os.path.join(SHARED_DATA, path)
    if not os.path.exists(full):
        pytest.skip(f"SKIPPED: {path} is not there; this test needs the shared data ({SHARED_DATA})")
    return full


def read_tu(name):
    """Graphs (vertices, edges) of a TU set, edge labels left out, and their classes."""
    lines = {}
    with tarfile.open(shared(f"tu/{name}.tar.gz")) as archive:
        for member in archive:
            if member.name.endswith(".txt"):
                part = os.path.basename(member.name)[len(name) + 1:-len(".txt")]
                lines[part] = archive.extractfile(member).read().decode().split("\n")
    graph_of = [int(line) - 1 for line in lines["graph_indicator"] if line.strip()]
    labels = [line.strip() for line in lines.get("node_labels", []) if line.strip()] or [""] * len(graph_of)
    classes = [int(line) for line in lines["graph_labels"] if line.strip()]
    vertices = [[] for _ in classes]
    place = []
    for graph, label in zip(graph_of, labels):
        place.append(len(vertices[graph]))
        vertices[graph].append(label)
    edges = [set() for _ in classes]
    for line in lines["A"]:
        if line.strip():
            a, b = (int(end) - 1 for end in line.split(","))
            if a != b:
                edges[graph_of[a]].add((min(place[a], place[b]), max(place[a], place[b])))
    return [(v, sorted(e)) for v, e in zip(vertices, edges)], classes


def read_gram(name):
    """A reference matrix: `class 0:index 1:K 2:K ...` a line."""
    rows = []
    with gzip.open(shared(f"reference/{name}.gram.gz"), "rt") as lines:
        for line in lines:
            rows.append([float(entry.split(":")[1]) for entry in line.split()[2:]])
    return np.array(rows)
