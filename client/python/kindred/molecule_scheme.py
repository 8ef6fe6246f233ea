"""How a molecule becomes a graph: everything that decides which vertices and labels come out (docs/molecules.md).

An index takes molecules of one scheme only, that of its first; records and searches state theirs as text.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from kindred.errors import FailedPrecondition, InvalidArgument


@dataclass(frozen=True)
class MoleculeScheme:
    """The four choices; the text names what differs from the least, always in this order.

    >>> from kindred import MoleculeScheme
    >>> MoleculeScheme().text, MoleculeScheme("ecfp", largest_fragment=True).text
    ('element,bonds', 'ecfp,bonds,largest-fragment')
    >>> MoleculeScheme.parse("ecfp")
    MoleculeScheme(labels='ecfp', bonds=False, hydrogens=False, largest_fragment=False)
    """

    #: What labels an atom: its "element", or the invariants that "ecfp" fingerprints start from.
    labels: str = "element"
    #: Whether bonds are labelled with their type.
    bonds: bool = True
    #: Whether hydrogens that are atoms of the input stay vertices.
    hydrogens: bool = False
    #: Whether only the largest of several components counts.
    largest_fragment: bool = False

    def __post_init__(self) -> None:
        if self.labels not in ("element", "ecfp"):
            raise InvalidArgument(f'labels: "{self.labels}" is neither element nor ecfp')

    @property
    def text(self) -> str:
        return (self.labels + ",bonds" * self.bonds + ",hydrogens" * self.hydrogens
                + ",largest-fragment" * self.largest_fragment)

    @classmethod
    def parse(cls, text: str) -> "MoleculeScheme":
        """What `text` gave; FailedPrecondition for another, perhaps of a newer kindred."""
        for labels, *choices in itertools.product(("element", "ecfp"), *[(False, True)] * 3):
            scheme = cls(labels, *choices)
            if scheme.text == text:
                return scheme
        raise FailedPrecondition(f"the molecule scheme '{text}' is none that this kindred knows; a newer one may")
