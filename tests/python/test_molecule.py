"""Molecules give the graphs that the command line makes of them."""

import itertools

import pytest

import kindred
from daemon import MOLECULES, run_kindred
from shared_data import shared

from kindred.molecule import ATOMS_MAX, SMILES_BYTES_MAX, graph_of_molecule, graph_of_smiles

pytest.importorskip("rdkit", reason="SKIPPED: RDKit is not installed (python3-rdkit)")
from rdkit import Chem, RDLogger  # noqa: E402

ODD = ["[H][H]", "[2H]C", "C~C", "[Fe]", "[Na+].[Cl-]", "*", "[NH4+]", "C[N+](C)(C)C", "O=[N+]([O-])c1ccccc1",
       "[H]C([H])([H])O", "N->[Cu]", "C$C", "c1ccc2c(c1)[nH]cc2", "F/C=C/F", "N[C@@H](C)C(=O)O", "[13CH4]",
       "CC(C)(C)C.CCO", "[O-][Cl+3]([O-])([O-])[O-]", "C1CC1", "[U]", "[H+]"]


SCHEMES = [kindred.MoleculeScheme(*choices)
           for choices in itertools.product(["element", "ecfp"], [True, False], [False, True], [False, True])]


def flags_of(scheme):
    return ["--labels", scheme.labels, "--edge-labels", "yes" if scheme.bonds else "no",
            "--hydrogens", "keep" if scheme.hydrogens else "remove",
            "--fragments", "largest" if scheme.largest_fragment else "all"]


def exported_both_ways(start, path, scheme=kindred.MoleculeScheme()):
    """What two daemons hold of one file: one fed by the command line, the other by the package."""
    theirs, ours = start(), start()
    run_kindred("ingest", *flags_of(scheme), str(path), server=theirs.address)
    with kindred.Client(ours.address, molecules=scheme) as client:
        report = client.ingest(kindred.read_smiles(str(path)))
    return (report, run_kindred("export", server=theirs.address), run_kindred("export", server=ours.address))


@pytest.mark.parametrize("scheme", [kindred.MoleculeScheme(), kindred.MoleculeScheme("ecfp")])
def test_the_bundled_molecules_are_stored_as_the_command_line_stores_them(start, scheme):
    report, theirs, ours = exported_both_ways(start, MOLECULES, scheme)
    assert report.stored == len(theirs.splitlines()) == 598
    assert ours == theirs


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.text)
def test_odd_molecules_are_stored_as_the_command_line_stores_them(start, tmp_path, scheme):
    path = tmp_path / "odd.smi"
    path.write_text("".join(f"{smiles}\todd-{i}\n" for i, smiles in enumerate(ODD)))
    report, theirs, ours = exported_both_ways(start, path, scheme)
    assert report.stored == len(ODD)
    assert ours == theirs


def test_drug_like_molecules_are_stored_as_the_command_line_stores_them(start, tmp_path):
    import gzip

    path = tmp_path / "zinc.smi"
    with gzip.open(shared("molecules/zinc250k.smi.gz"), "rt") as lines:
        path.write_text("".join(line for line, _ in zip(lines, range(2000))))
    report, theirs, ours = exported_both_ways(start, path)
    assert report.stored == 2000
    assert ours == theirs


def test_molecules_follow_the_index(client):
    client.ingest([("plain", (["C"], []))])
    assert client.stats().molecule_scheme == ""
    with kindred.Client(client.address, molecules="ecfp,bonds") as first:
        assert first.ingest([("ethanol", "CCO")]).stored == 1
    assert client.stats().molecule_scheme == client.get("ethanol").molecule_scheme == "ecfp,bonds"
    assert client.search("CCO", k=1)[0].similarity == 1
    assert list(client.search_many(["CCO"], k=1))[0][0].similarity == 1
    assert client.explain("CCO", kindred.Id("ethanol")).tanimoto == 1
    assert client.ingest(client.export()).replaced == 2, "what was exported is of the scheme, too"
    with kindred.Client(client.address, molecules=kindred.MoleculeScheme()) as other:
        report = other.ingest([("propanol", "CCCO"), ("triangle", (["a"], []))])
        assert (report.stored, report.rejected) == (1, 1)
        assert isinstance(report.rejections[0].error, kindred.FailedPrecondition)
        with pytest.raises(kindred.FailedPrecondition, match="ecfp,bonds"):
            other.search("CCO")
    with kindred.Client(client.address, edge_labels=False) as other:
        with pytest.raises(kindred.FailedPrecondition):
            other.search("CCO")
    with pytest.raises(kindred.FailedPrecondition, match="none that this kindred knows"):
        kindred.Client(client.address, molecules="smarts")


def test_a_molecule_s_history_does_not_matter():
    smiles = "OC(=O)c1ccccc1OC(C)=O"
    expected = graph_of_smiles(smiles)
    molecule = Chem.MolFromSmiles(smiles)
    assert graph_of_molecule(molecule) == expected
    assert graph_of_molecule(Chem.AddHs(molecule)) == expected
    assert graph_of_molecule(Chem.MolFromSmiles(smiles, sanitize=False)) == expected
    kekulized = Chem.Mol(molecule)
    Chem.Kekulize(kekulized, clearAromaticFlags=True)
    assert graph_of_molecule(kekulized) == expected
    assert kekulized.GetNumAtoms() == molecule.GetNumAtoms()
    assert "AROMATIC" not in {bond.GetBondType().name for bond in kekulized.GetBonds()}


def test_molecules_as_items():
    molecule = Chem.MolFromSmiles("OCC")
    record = kindred.Conversion().record(("ethanol", molecule))
    assert (record.id, record.text, record.graph.vertices) == ("ethanol", "CCO", ("O", "C", "C"))
    with pytest.raises(kindred.InvalidArgument, match="has no name"):
        kindred.Conversion().record(molecule)
    molecule.SetProp("_Name", "alcohol")
    assert kindred.Conversion().record(molecule).id == "alcohol"
    assert kindred.Conversion().record(" CCO ") == kindred.Conversion().record(("CCO", "CCO"))


@pytest.mark.parametrize("smiles, message", [
    ("", "the SMILES is empty"),
    (" \n", "the SMILES is empty"),
    ("C C", "byte 2 of the SMILES is white space"),
    ("C\0C", "byte 2 of the SMILES is white space"),
    ("C1CC", 'RDKit cannot parse the SMILES "C1CC"'),
    ("C(C)(C)(C)(C)C", "Explicit valence for atom # 0 C, 5, is greater than permitted"),
    ("c1cccc1", "Can't kekulize mol"),
    ("C" * SMILES_BYTES_MAX + "C", f"the SMILES has {SMILES_BYTES_MAX + 1} bytes; at most {SMILES_BYTES_MAX}"),
])
def test_a_bad_smiles_says_why(smiles, message, capfd):
    with pytest.raises(kindred.InvalidArgument, match=message):
        graph_of_smiles(smiles)
    assert capfd.readouterr().err == ""


def test_the_longest_smiles_is_taken():
    assert len(graph_of_smiles("C" * 3000).vertices) == 3000
    assert len(graph_of_smiles(".".join("C" * (SMILES_BYTES_MAX // 2)) + "C").vertices) == SMILES_BYTES_MAX // 2 + 1


def test_the_largest_molecule():
    many = Chem.RWMol()
    for _ in range(ATOMS_MAX):
        many.AddAtom(Chem.Atom(6))
    assert len(graph_of_molecule(many).vertices) == ATOMS_MAX
    many.AddAtom(Chem.Atom(6))
    with pytest.raises(kindred.ResourceExhausted, match=f"the molecule has {ATOMS_MAX + 1} atoms; at most {ATOMS_MAX}"):
        graph_of_molecule(many)


def test_a_molecule_without_atoms_is_refused():
    with pytest.raises(kindred.InvalidArgument, match="the molecule has no atoms"):
        graph_of_molecule(Chem.RWMol())


def test_rdkit_s_own_log_works_afterwards(capfd):
    RDLogger.EnableLog("rdApp.error")
    with pytest.raises(kindred.InvalidArgument):
        graph_of_smiles("C1CC")
    Chem.MolFromSmiles("C1CC")
    assert "SMILES Parse Error" in capfd.readouterr().err


def test_lines_are_read_lazily():
    def lines():
        yield "Smiles\tname\n"
        yield "# comment\n"
        yield "CCO, ethyl alcohol ,46.07\n"
        raise RuntimeError("read too far")

    reader = kindred.read_smiles(lines())
    assert next(reader) == ("ethyl alcohol", "CCO")
    with pytest.raises(RuntimeError):
        next(reader)
