// The graph of a molecule that RDKit has read: its atoms and its bonds, labelled by a scheme.
//
// The molecule is sanitized first, as by RDKit's default: valences are checked, rings made aromatic,
// hydrogens removed (those that are atoms of the input; RDKit keeps some that mean something: of H2, of
// hydrides, isotopes). Stereochemistry is not perceived, as no label depends on it; it is a third of the
// time, and cubic in the length of a chain (37 s for 3,000 carbons).
//
// Labels of atoms:
//     element   C
//     ecfp      C;D2;V3;H1;R        the seven invariants of Rogers & Hahn (J. Chem. Inf. Model. 2010, 50,
//     742):
//               13C;D1;V1;H3;+1     element, before it the isotope if one is stated; D heavy neighbours; V
//               valence
//                                   without hydrogens (aromatic bonds as 1.5, rounded as RDKit does); H
//                                   hydrogens; the charge unless it is 0; R in a ring
// Labels of bonds: "single", "double", "triple", "quadruple", "aromatic", "dative", "hydrogen", "ionic",
// "zero", "unspecified", "other"; or none.
//
// Threads: any number, each with a molecule of its own. REQUIRES: RdkitAccess::Shared() is held.
// Cost: about 100 us for a drug-like molecule, nearly all of it in RDKit.

#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/molecule_scheme.h"
#include "kindred/v1/kindred.pb.h"

namespace RDKit {
class RWMol;
}

namespace kindred::formats {

// RDKit takes time cubic in the size of a fused ring system: at this size at most about a minute. The largest
// of 1.7 million real molecules has 681 atoms. As many as a SMILES of kSmilesBytesMax could have.
inline constexpr size_t kMoleculeAtomsMax = 8192;

// Sanitizes the molecule, and removes hydrogens unless the scheme keeps them. Throws what RDKit throws.
// RESOURCE_EXHAUSTED beyond kMoleculeAtomsMax; INVALID_ARGUMENT for a molecule without atoms.
absl::Status SanitizeMolecule(RDKit::RWMol& molecule, const MoleculeScheme& scheme);

// The graph of a sanitized molecule, its vertices in the order of `atoms` (all of them, each once), or in the
// molecule's own order when that is empty.
v1::Graph GraphOfMolecule(const RDKit::RWMol& molecule, const MoleculeScheme& scheme,
                          const std::vector<unsigned>& atoms = {});

}  // namespace kindred::formats
