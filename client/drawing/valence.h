// What a graph leaves out of a molecule, guessed from valences: hydrogens and charges.
//
// A graph of elements and bonds does not say which nitrogen of an imidazole has the hydrogen, or that a nitro
// group is charged. For a picture the guess is good enough, and most readers want it; nothing else uses it.
//
// Threads: any number.
// Cost: one sanitizing by RDKit (about 100 us), or a few dozen where an aromatic ring needs a guess.

#pragma once

#include <GraphMol/RWMol.h>

#include <memory>

namespace kindred::drawing {

// A copy with hydrogens, charges and alternating double bonds, or null when no guess makes it a molecule that
// RDKit accepts. The numbers of atoms and bonds stay.
std::unique_ptr<RDKit::RWMol> CompleteByValence(const RDKit::RWMol& molecule);

}  // namespace kindred::drawing
