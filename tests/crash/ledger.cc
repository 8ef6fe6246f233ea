#include "tests/crash/ledger.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "bench/generated_molecules.h"
#include "daemon/convert.h"

namespace kindred::test {
namespace {

// Of ten writes in a row so many insert, and the last deletes.
constexpr uint64_t kRow = 10;
constexpr uint64_t kInserts = 7;

}  // namespace

std::shared_ptr<const Molecules> MakeMolecules(uint64_t seed, size_t count) {
  const auto source = bench::GeneratedMolecules(seed);
  auto molecules = std::make_shared<Molecules>();
  while (molecules->size() < count) {
    molecules->push_back(daemon::ToProto(source->Next()->graph));
  }
  return molecules;
}

Ledger::Ledger(std::string client_id, uint64_t seed, size_t frame_writes,
               std::shared_ptr<const Molecules> molecules)
    : client_id_(std::move(client_id)),
      seed_(seed),
      frame_writes_(frame_writes),
      molecules_(std::move(molecules)) {}

std::vector<LedgerWrite> Ledger::WritesOf(uint64_t frame) const {
  std::vector<LedgerWrite> writes;
  for (uint64_t write = (frame - 1) * frame_writes_; write < frame * frame_writes_; ++write) {
    const Change change = ChangeOf(write);
    LedgerWrite& added = writes.emplace_back(LedgerWrite{IdOf(change.subject), std::nullopt});
    if (!change.deletes) {
      added.record = RecordOf(change.subject, write);
    }
  }
  return writes;
}

v1::IngestRequest Ledger::Frame(uint64_t frame) const {
  v1::IngestRequest request;
  request.mutable_frame()->set_client_sequence(frame);
  for (LedgerWrite& write : WritesOf(frame)) {
    v1::IngestItem& item = *request.mutable_frame()->add_items();
    if (write.record.has_value()) {
      *item.mutable_put() = *std::move(write.record);
    } else {
      item.set_delete_id(std::move(write.id));
    }
  }
  return request;
}

std::optional<v1::Record> Ledger::Stored(const std::string& id) const {
  const size_t dash = client_id_.size();
  if (!id.starts_with(client_id_ + "-")) {
    return std::nullopt;
  }
  uint64_t subject = 0;
  std::from_chars(id.data() + dash + 1, id.data() + id.size(), subject);
  const auto writer = writers_.find(subject);
  return writer != writers_.end() ? std::optional(RecordOf(subject, writer->second)) : std::nullopt;
}

Effects Ledger::AdvanceTo(uint64_t frame) {
  Effects effects;
  for (uint64_t write = position_ * frame_writes_; write < frame * frame_writes_; ++write) {
    Apply(write, effects);
  }
  position_ = frame;
  return effects;
}

void Ledger::Apply(uint64_t write, Effects& effects) {
  const Change change = ChangeOf(write);
  if (change.deletes) {
    ++(writers_.erase(change.subject) > 0 ? effects.deleted : effects.rejected);
    return;
  }
  const bool is_new = writers_.insert_or_assign(change.subject, write).second;
  ++(is_new ? effects.inserted : effects.replaced);
}

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a number for each write without drawing those before.
uint64_t Ledger::Draw(uint64_t write) const {
  uint64_t z = seed_ + (write + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Ledger::Change Ledger::ChangeOf(uint64_t write) const {
  if (write % kRow < kInserts) {
    return {write, false};
  }
  // Half of the time one of the last thousand: they are in memory still, or in the same commit.
  const uint64_t draw = Draw(write);
  const uint64_t reach = draw % 2 == 0 ? write : std::min<uint64_t>(write, 1000);
  uint64_t subject = write - 1 - (draw / 2) % reach;
  if (subject % kRow >= kInserts) {
    subject -= kRow - kInserts;
  }
  return {subject, write % kRow == kRow - 1};
}

std::string Ledger::IdOf(uint64_t subject) const { return client_id_ + "-" + std::to_string(subject); }

v1::Record Ledger::RecordOf(uint64_t subject, uint64_t writer) const {
  v1::Record record;
  record.set_id(IdOf(subject));
  *record.mutable_graph() = (*molecules_)[Draw(writer) % molecules_->size()];
  record.set_payload("write " + std::to_string(writer) + " of " + client_id_);
  v1::Tag& tag = *record.add_tags();
  tag.set_key("client");
  tag.set_value(client_id_);
  return record;
}

}  // namespace kindred::test
