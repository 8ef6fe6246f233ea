#include "client/formats/parallel_reader.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace kindred::formats {

namespace {

// What a thread takes of a batch at once: molecules differ in cost, so that shares fixed beforehand would
// leave one thread behind.
constexpr size_t kShareRecords = 8;

}  // namespace

ParallelReader::ParallelReader(std::unique_ptr<RawRecords> records, Parse parse, unsigned threads)
    : records_(std::move(records)),
      parse_(std::move(parse)),
      threads_(std::max(1U, threads != 0 ? threads : std::thread::hardware_concurrency())) {}

std::optional<ReadResult> ParallelReader::Next() {
  while (!at_end_) {
    while (taken_ < batch_.size()) {
      std::optional<ReadResult> result = std::move(batch_[taken_++]);
      if (result.has_value()) return result;
    }
    TakeBatch();
  }
  return std::nullopt;
}

void ParallelReader::TakeBatch() {
  batch_ = upcoming_.valid() ? upcoming_.get() : PrepareBatch();
  taken_ = 0;
  at_end_ = batch_.empty();
  // When nothing is there yet, do not wait for it in the background: the caller may want to stop, and
  // could not before the next record arrives.
  if (at_end_ || !records_->Ready()) return;
  upcoming_ = std::async(std::launch::async, [this] { return PrepareBatch(); });
}

ParallelReader::Batch ParallelReader::PrepareBatch() {
  const std::vector<RawRecord> raw = ReadRaw();
  Batch batch(raw.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t begin = 0; (begin = next.fetch_add(kShareRecords)) < raw.size();) {
      const size_t end = std::min(begin + kShareRecords, raw.size());
      for (size_t i = begin; i < end; ++i) batch[i] = ParseOne(raw[i]);
    }
  };
  std::vector<std::jthread> helpers;
  const size_t shares = (raw.size() + kShareRecords - 1) / kShareRecords;
  for (size_t worker = 1; worker < std::min<size_t>(threads_, shares); ++worker) helpers.emplace_back(work);
  work();
  helpers.clear();  // Joins them.
  return batch;
}

std::vector<RawRecord> ParallelReader::ReadRaw() {
  std::vector<RawRecord> raw;
  const size_t records_max = kBatchRecordsPerThread * threads_;
  size_t bytes = 0;
  while (raw.size() < records_max && bytes < kBatchBytesMax && (raw.empty() || records_->Ready())) {
    std::optional<RawRecord> record = records_->Next();
    if (!record.has_value()) break;
    if (record->text.ok()) bytes += record->text->size();
    raw.push_back(*std::move(record));
  }
  return raw;
}

std::optional<ReadResult> ParallelReader::ParseOne(const RawRecord& record) const {
  if (record.text.ok()) return parse_(record.position, *record.text);
  return ReadResult{record.position, "", record.text.status()};
}

}  // namespace kindred::formats
