"""The graph of a molecule: its atoms and its bonds, labelled by a scheme (molecule_scheme.py).

The same graphs as `kindred ingest` makes (client/formats/molecule_graph.h): RDKit sanitizes (valences are checked,
rings made aromatic) and removes explicit hydrogens; stereochemistry is not perceived, as no label depends on it. A
molecule that comes as an RDKit object is treated likewise, on a copy, so that the same molecule gives the same graph whatever
was done to it before.

RDKit is imported by the first molecule: whoever has other graphs does not need it. It costs about 150 us a molecule.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from kindred.errors import InvalidArgument, ResourceExhausted
from kindred.graph import Graph
from kindred.molecule_scheme import MoleculeScheme

#: RDKit takes time cubic in the size of a fused ring system; no real molecule comes near.
SMILES_BYTES_MAX = 8192
ATOMS_MAX = 8192
#: RDKit lists every atom concerned.
_REASON_BYTES_MAX = 200

_BONDS: Dict[str, str] = {
    **{name: name.lower() for name in
       ("SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE", "AROMATIC", "HYDROGEN", "IONIC", "ZERO", "UNSPECIFIED")},
    **{name: "dative" for name in ("DATIVE", "DATIVEONE", "DATIVEL", "DATIVER")},
}


def graph_of_smiles(smiles: str, scheme: MoleculeScheme = MoleculeScheme()) -> Graph:
    """The graph of one SMILES; white space around it is fine.

    >>> from kindred.molecule import graph_of_smiles
    >>> graph_of_smiles("CC=O").edges
    ((0, 1, 'single'), (1, 2, 'double'))
    >>> graph_of_smiles("C1CC")
    Traceback (most recent call last):
    kindred.errors.InvalidArgument: RDKit cannot parse the SMILES "C1CC"
    """
    chem = _chem()
    text = _checked_text(smiles)
    params = chem.SmilesParserParams()
    params.sanitize = params.removeHs = params.allowCXSMILES = params.parseName = False
    with _silence():
        molecule = chem.MolFromSmiles(text, params)
    if molecule is None:
        raise InvalidArgument(f'RDKit cannot parse the SMILES "{text}"')
    return graph_of_molecule(molecule, scheme)


def graph_of_molecule(molecule: Any, scheme: MoleculeScheme = MoleculeScheme()) -> Graph:
    """The graph of an `rdkit.Chem.Mol`, which is not changed."""
    if molecule.GetNumAtoms() > ATOMS_MAX:
        raise ResourceExhausted(f"the molecule has {molecule.GetNumAtoms()} atoms; at most {ATOMS_MAX}")
    try:
        with _silence():
            plain = _sanitized(molecule, scheme)
    except (ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        cut = reason if len(reason) <= _REASON_BYTES_MAX else reason[:_REASON_BYTES_MAX] + "..."
        raise InvalidArgument(cut) from None
    if plain.GetNumAtoms() == 0:
        raise InvalidArgument("the molecule has no atoms")
    atoms = _largest_fragment(plain) if scheme.largest_fragment else list(plain.GetAtoms())
    vertex_of = {atom.GetIdx(): vertex for vertex, atom in enumerate(atoms)}
    label: Callable[[Any], str] = _ecfp_label if scheme.labels == "ecfp" else lambda atom: str(atom.GetSymbol())
    return Graph([label(atom) for atom in atoms],
                 [(vertex_of[bond.GetBeginAtomIdx()], vertex_of[bond.GetEndAtomIdx()],
                   _BONDS.get(bond.GetBondType().name, "other") if scheme.bonds else "")
                  for bond in plain.GetBonds() if bond.GetBeginAtomIdx() in vertex_of])


def _sanitized(molecule: Any, scheme: MoleculeScheme) -> Any:
    chem = _chem()
    if not scheme.hydrogens:
        return chem.RemoveHs(molecule, implicitOnly=False, updateExplicitCount=True, sanitize=True)
    copy = chem.Mol(molecule)
    chem.SanitizeMol(copy)
    return copy


def _ecfp_label(atom: Any) -> str:
    """The invariants of Rogers and Hahn, as text: C;D2;V3;H1;R for an atom of benzene."""
    heavy = sum(neighbour.GetAtomicNum() != 1 for neighbour in atom.GetNeighbors())
    hydrogens = atom.GetTotalNumHs(includeNeighbors=True)
    isotope = atom.GetIsotope() or ""
    charge = f";{atom.GetFormalCharge():+d}" if atom.GetFormalCharge() else ""
    ring = ";R" if atom.IsInRing() else ""
    valence = max(atom.GetTotalValence() - hydrogens, 0)
    return f"{isotope}{atom.GetSymbol()};D{heavy};V{valence};H{hydrogens}{charge}{ring}"


def _largest_fragment(molecule: Any) -> List[Any]:
    """The atoms of the component with most heavy atoms, then most bonds, then the heaviest; then the first."""
    def size(atoms: List[Any]) -> Tuple[int, int, int]:
        return (sum(atom.GetAtomicNum() != 1 for atom in atoms), sum(atom.GetDegree() for atom in atoms),
                sum(atom.GetAtomicNum() for atom in atoms))

    return max(([molecule.GetAtomWithIdx(index) for index in sorted(fragment)]
                for fragment in _chem().GetMolFrags(molecule)), key=size)


def name_of(molecule: Any) -> Optional[str]:
    """What RDKit has as the molecule's name: the title of an SDF entry, the second column of a SMILES file."""
    name = molecule.GetProp("_Name") if molecule.HasProp("_Name") else ""
    return name or None


def smiles_of(molecule: Any) -> str:
    """RDKit's canonical SMILES."""
    return str(_chem().MolToSmiles(molecule))


def is_molecule(what: Any) -> bool:
    """Whether it is an RDKit molecule; does not import RDKit for it."""
    return hasattr(what, "GetAtoms") and hasattr(what, "GetBonds")


def read_smiles(source: Union[str, Iterable[str]]) -> Iterator[Tuple[str, str]]:
    """Pairs (id, SMILES) of a file, by its path, or of any lines; one at a time.

    A line is a SMILES and an id, parted by tabs, spaces or commas; without an id the SMILES is the id. The id ends at a
    tab, or at a comma when one stands right behind the SMILES. Blank lines, lines that start with '#' and a header line
    that starts with "smiles" are skipped. (Tables with other columns: `kindred ingest` reads them.)

    >>> from kindred import read_smiles
    >>> list(read_smiles(["smiles,name", "CCO,ethanol", "", "c1ccccc1"]))
    [('ethanol', 'CCO'), ('c1ccccc1', 'c1ccccc1')]
    """
    if isinstance(source, str):
        with open(source, encoding="utf-8") as lines:
            yield from read_smiles(lines)
        return
    for number, line in enumerate(source):
        text = line.strip(" \t\r\n")
        if not text or text.startswith("#"):
            continue
        smiles, name = _split(text)
        if number == 0 and smiles.lower() == "smiles":
            continue
        yield name or smiles, smiles


def _split(line: str) -> Tuple[str, str]:
    at = next((i for i, character in enumerate(line) if character in " \t,"), len(line))
    name = line[at:].lstrip(" \t,").split("\t")[0]
    if line[at:at + 1] == ",":
        name = name.split(",")[0]
    return line[:at], name.strip()


def _checked_text(smiles: str) -> str:
    text = smiles.strip(" \t\r\n")
    if not text:
        raise InvalidArgument("the SMILES is empty")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > SMILES_BYTES_MAX:
        raise InvalidArgument(f"the SMILES has {size} bytes; at most {SMILES_BYTES_MAX}")
    for i, character in enumerate(text):  # RDKit would read up to the first of these and take that for the whole.
        if character <= " ":
            raise InvalidArgument(f"byte {i + 1} of the SMILES is white space or a control character")
    return text


def _chem() -> ModuleType:
    try:
        from rdkit import Chem
    except ImportError:
        raise ImportError("molecules need RDKit: apt install python3-rdkit, or pip install rdkit") from None
    return Chem  # type: ignore[no-any-return]


def _silence() -> Any:
    """RDKit's log would tell on standard error what the exception says."""
    from rdkit import rdBase

    return rdBase.BlockLogs()
