#include "client/drawing/placement.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace kindred::drawing {
namespace {

// The plane as complex numbers: to turn is to multiply, to mirror to conjugate.
using Point = std::complex<double>;

Point PlaceOf(const RDKit::RWMol& molecule, unsigned atom) {
  const RDGeom::Point3D& place = molecule.getConformer().getAtomPos(atom);
  return {place.x, place.y};
}

}  // namespace

Extent ExtentOf(const RDKit::RWMol& molecule) {
  double left = std::numeric_limits<double>::max();
  double right = std::numeric_limits<double>::lowest();
  double low = left;
  double high = right;
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    const Point place = PlaceOf(molecule, atom);
    left = std::min(left, place.real());
    right = std::max(right, place.real());
    low = std::min(low, place.imag());
    high = std::max(high, place.imag());
  }
  return molecule.getNumAtoms() == 0 ? Extent() : Extent{right - left, high - low};
}

void AlignTo(const RDKit::RWMol& fixed, std::span<const Anchoring> pairs, RDKit::RWMol& moved) {
  if (pairs.size() < 2) {
    return;
  }
  Point centre_fixed = 0;
  Point centre_moved = 0;
  double weights = 0;
  for (const Anchoring& pair : pairs) {
    centre_fixed += pair.weight * PlaceOf(fixed, pair.fixed);
    centre_moved += pair.weight * PlaceOf(moved, pair.moved);
    weights += pair.weight;
  }
  if (weights <= 0) {
    return;
  }
  centre_fixed /= weights;
  centre_moved /= weights;
  // With f and m measured from their centres, |sum of w f conj(m)| is what a turn gains, and its argument the
  // best turn; without the conjugation that of the mirrored molecule.
  Point turned = 0;
  Point mirrored = 0;
  for (const Anchoring& pair : pairs) {
    const Point f = PlaceOf(fixed, pair.fixed) - centre_fixed;
    const Point m = PlaceOf(moved, pair.moved) - centre_moved;
    turned += pair.weight * f * std::conj(m);
    mirrored += pair.weight * f * m;
  }
  const bool mirror = std::abs(mirrored) > std::abs(turned);
  const Point sum = mirror ? mirrored : turned;
  if (std::abs(sum) == 0) {
    return;
  }
  const Point turn = sum / std::abs(sum);
  for (unsigned atom = 0; atom < moved.getNumAtoms(); ++atom) {
    const Point from = PlaceOf(moved, atom) - centre_moved;
    const Point to = turn * (mirror ? std::conj(from) : from);
    moved.getConformer().setAtomPos(atom, RDGeom::Point3D(to.real(), to.imag(), 0));
  }
}

}  // namespace kindred::drawing
