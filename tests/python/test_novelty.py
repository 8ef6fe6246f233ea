"""Storing only what is novel."""

import gzip
import itertools
import random

import pytest

import kindred
from daemon import MOLECULES
from kindred import Graph, Novelty, Record
from shared_data import shared


def path(labels):
    return Graph(list(labels), [(i, i + 1) for i in range(len(labels) - 1)])


def ring(*sizes):
    edges, first = [], 0
    for size in sizes:
        edges += [(first + i, first + (i + 1) % size) for i in range(size)]
        first += size
    return Graph(["x"] * first, edges)


def test_put_if_novel_tells_what_is_closest(client):
    result = client.put_if_novel([Record("a", path("CCO")), Record("b", path("OCC")), Record("c", path("NNN"))],
                                 Novelty(0.9))
    assert [outcome.kind for outcome in result.outcomes] == ["inserted", "not_novel", "inserted"]
    assert result.outcomes[1].closest == kindred.Closest("a", 12.0, 1.0, "isomorphic")
    assert result.outcomes[0].closest is None
    assert result.sequence == 2
    assert client.stats().graphs == 2


def test_an_equal_histogram_is_not_the_same_graph(client):
    client.put([Record("hexagon", ring(6))])
    assert client.put_if_novel([("x", ring(3, 3))], Novelty(1)).outcomes[0].closest.identity == "equal_histogram"
    assert client.put_if_novel([("x", ring(3, 3))], Novelty(1, isomorphic=True)).outcomes[0].kind == "inserted"


def test_the_rule_is_sent(client):
    client.put([Record("a", path("CCO"), tags={"source": "old"})])
    near = path("CCN")
    assert client.put_if_novel([("x", near)], Novelty(0.9, depth=0, weights=[2])).outcomes[0].kind == "inserted"
    assert client.put_if_novel([("y", near)], Novelty(2, measure="kernel", depth=0, filter="source = old")
                               ).outcomes[0].closest.id == "a"
    assert client.put_if_novel([("y", near)], Novelty(0.3, filter="source = new")).outcomes[0].kind == "inserted"


@pytest.mark.parametrize("rule, message", [
    (Novelty(0), "min_similarity: 0 is not above 0"),
    (Novelty(1.5), "min_similarity: 1.5 is not"),
    (Novelty(0.5, filter="source ="), "filter: "),
    (Novelty(0.5, weights=[1]), "weights: "),
])
def test_a_rule_that_is_none_is_refused(client, rule, message):
    with pytest.raises(kindred.InvalidArgument, match=f"^rule.{message}"):
        client.put_if_novel([("x", path("C"))], rule)
    with pytest.raises(kindred.InvalidArgument, match=f"^open.novelty.{message}"):
        client.ingest([("x", path("C"))], novelty=rule)
    assert client.stats().sequence == 0


def test_a_rule_that_cannot_be_sent_is_refused_here(client):
    with pytest.raises(kindred.InvalidArgument, match='measure: "jaccard" is none of'):
        client.put_if_novel([("x", path("C"))], Novelty(0.5, measure="jaccard"))
    with pytest.raises(kindred.InvalidArgument):
        client.ingest([("x", path("C"))], novelty=Novelty("much"))


def test_an_ingest_reports_what_is_not_novel(client):
    told = []
    items = [("a", path("CCO")), ("b", path("OCC")), ("broken", ([], [])), ("c", path("CCC")), ("d", path("CCC"))]
    report = client.ingest(items, novelty=Novelty(1), on_not_novel=told.append, frame_items_max=2)
    assert (report.read, report.stored, report.not_novel, report.rejected, report.unreported) == (5, 2, 2, 1, 0)
    assert [(each.index, each.id, each.closest.id) for each in report.not_novel_items] == [(1, "b", "a"), (4, "d", "c")]
    assert told == report.not_novel_items
    assert str(told[0]) == "item 1 (b): a, similarity 1, isomorphic"
    assert client.ingest(items[:1]).replaced == 1, "without a rule everything is stored"


def rewritten(smiles, rng):
    """The same molecule, its atoms in another order."""
    from rdkit import Chem
    molecule = Chem.MolFromSmiles(smiles)
    order = list(range(molecule.GetNumAtoms()))
    rng.shuffle(order)
    return Chem.MolToSmiles(Chem.RenumberAtoms(molecule, order), canonical=False)


def skeleton(smiles):
    """What names the graph of a molecule: RDKit's canonical SMILES, of elements and bonds alone."""
    from rdkit import Chem
    molecule = Chem.RemoveHs(Chem.MolFromSmiles(smiles), implicitOnly=False)
    for atom in molecule.GetAtoms():
        atom.SetFormalCharge(0)
        atom.SetNumExplicitHs(0)
        atom.SetNoImplicit(True)
        atom.SetIsotope(0)
        atom.SetNumRadicalElectrons(0)
    return Chem.MolToSmiles(molecule, isomericSmiles=False)


def with_copies(molecules, seed):
    """(smiles, name) of each molecule, and in between, one record in ten, copies of earlier ones, written anew."""
    rng = random.Random(seed)
    seen = []
    for smiles, name in molecules:
        seen.append((smiles, name))
        yield smiles, name
        if rng.random() < 1 / 9:
            smiles, name = rng.choice(seen)
            yield rewritten(smiles, rng), f"{name} copy {len(seen)}"


def expect_each_graph_once(client, stream):
    """By the names of their graphs, which share no code with kindred."""
    first = {}
    repeats = {}
    for smiles, name in stream:
        original = first.setdefault(skeleton(smiles), name)
        if original != name:
            repeats[name] = original
    told = {}
    report = client.ingest(((name, smiles) for smiles, name in stream), novelty=Novelty(1, isomorphic=True),
                           on_not_novel=lambda each: told.__setitem__(each.id, each.closest))
    assert report.rejected == 0
    assert {name: closest.id for name, closest in told.items()} == repeats
    assert {closest.identity for closest in told.values()} == {"isomorphic"}
    assert report.stored == len(first) == client.stats().graphs
    return repeats


def test_every_copy_is_found_and_nothing_else_dropped(client):
    pytest.importorskip("rdkit", reason="SKIPPED: RDKit is not installed (python3-rdkit)")
    with open(MOLECULES, encoding="utf-8") as file:
        stream = list(with_copies((line.split() for line in file), seed=1))
    repeats = expect_each_graph_once(client, stream)
    copies = {name for _, name in stream if " copy " in name}
    assert len(copies) > 40 and copies <= repeats.keys()


def test_every_copy_of_thousands_is_found_and_nothing_else_dropped(client):
    pytest.importorskip("rdkit", reason="SKIPPED: RDKit is not installed (python3-rdkit)")
    with gzip.open(shared("molecules/zinc250k.smi.gz"), "rt") as file:
        molecules = [(line.split()[0], f"zinc{i}") for i, line in enumerate(itertools.islice(file, 4000))]
    stream = list(with_copies(molecules, seed=2))
    repeats = expect_each_graph_once(client, stream)
    copies = {name for _, name in stream if " copy " in name}
    assert len(copies) > 350 and copies <= repeats.keys()
