// What one client writes into a daemon, frame by frame, and what of it must therefore be stored.
//
// All writes of a client are numbered from 0: seven in ten insert a new graph, two write an earlier one anew,
// one deletes an earlier one. A write is a function of the seed, the client and its number alone, so that a
// frame that is sent again is the same, and none has to be remembered. A stored record tells in its payload
// which write it is from; a write applied twice, late or not at all leaves another one there.
//
// Threads: Frame and WritesOf from any thread; the rest by one at a time.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kindred/v1/kindred.pb.h"

namespace kindred::test {

using Molecules = std::vector<v1::Graph>;
// The same for the same seed.
std::shared_ptr<const Molecules> MakeMolecules(uint64_t seed, size_t count);

struct LedgerWrite {
  std::string id;
  // Nothing: the id is deleted.
  std::optional<v1::Record> record;
};

// What became of the writes of some frames.
struct Effects {
  uint64_t inserted = 0;
  uint64_t replaced = 0;
  uint64_t deleted = 0;
  uint64_t rejected = 0;  // Deletes of what was deleted before.

  friend bool operator==(const Effects&, const Effects&) = default;
};

class Ledger {
 public:
  Ledger(std::string client_id, uint64_t seed, size_t frame_writes,
         std::shared_ptr<const Molecules> molecules);

  const std::string& client_id() const { return client_id_; }

  // Frames count from 1.
  std::vector<LedgerWrite> WritesOf(uint64_t frame) const;
  v1::IngestRequest Frame(uint64_t frame) const;

  // The frame up to which everything is applied, and what is stored then.
  uint64_t position() const { return position_; }
  uint64_t stored_count() const { return writers_.size(); }
  // Nothing when the id is none of this client's, or deleted.
  std::optional<v1::Record> Stored(const std::string& id) const;

  // Applies the frames up to this one. REQUIRES: position() <= frame.
  Effects AdvanceTo(uint64_t frame);

 private:
  struct Change {
    uint64_t subject = 0;  // The write that inserted what this one is about.
    bool deletes = false;
  };

  uint64_t Draw(uint64_t write) const;
  Change ChangeOf(uint64_t write) const;
  std::string IdOf(uint64_t subject) const;
  v1::Record RecordOf(uint64_t subject, uint64_t writer) const;
  void Apply(uint64_t write, Effects& effects);

  const std::string client_id_;
  const uint64_t seed_;
  const size_t frame_writes_;
  const std::shared_ptr<const Molecules> molecules_;
  uint64_t position_ = 0;
  std::map<uint64_t, uint64_t> writers_;  // Of each subject that is stored, the last write of it.
};

}  // namespace kindred::test
