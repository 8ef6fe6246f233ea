#include "client/formats/line_record_reader.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace kindred::formats {

namespace {

// What a thread takes of a batch at once: molecules differ in cost, so that shares fixed beforehand would
// leave one thread behind.
constexpr size_t kShareLines = 16;

}  // namespace

LineRecordReader::LineRecordReader(std::unique_ptr<InputStream> input, ParseLine parse, unsigned threads)
    : input_(std::move(input)),
      parse_(std::move(parse)),
      threads_(std::max(1U, threads != 0 ? threads : std::thread::hardware_concurrency())) {}

std::optional<ReadResult> LineRecordReader::Next() {
  while (!at_end_) {
    while (taken_ < batch_.size()) {
      std::optional<ReadResult> result = std::move(batch_[taken_++]);
      if (result.has_value()) return result;
    }
    TakeBatch();
  }
  return std::nullopt;
}

void LineRecordReader::TakeBatch() {
  batch_ = upcoming_.valid() ? upcoming_.get() : PrepareBatch();
  taken_ = 0;
  at_end_ = batch_.empty();
  // When nothing is there yet, do not wait for it in the background: the caller may want to stop, and
  // could not before the next line arrives.
  if (at_end_ || !input_->Ready()) return;
  upcoming_ = std::async(std::launch::async, [this] { return PrepareBatch(); });
}

LineRecordReader::Batch LineRecordReader::PrepareBatch() {
  const std::vector<Line> lines = ReadLines();
  Batch batch(lines.size());
  std::atomic<size_t> next_line = 0;
  const auto work = [&] {
    for (size_t begin = 0; (begin = next_line.fetch_add(kShareLines)) < lines.size();) {
      const size_t end = std::min(begin + kShareLines, lines.size());
      for (size_t i = begin; i < end; ++i) batch[i] = Parse(lines[i]);
    }
  };
  std::vector<std::jthread> helpers;
  const size_t shares = (lines.size() + kShareLines - 1) / kShareLines;
  for (size_t worker = 1; worker < std::min<size_t>(threads_, shares); ++worker) helpers.emplace_back(work);
  work();
  helpers.clear();  // Joins them.
  return batch;
}

std::vector<Line> LineRecordReader::ReadLines() {
  std::vector<Line> lines;
  const size_t lines_max = kBatchLinesPerThread * threads_;
  size_t bytes = 0;
  while (lines.size() < lines_max && bytes < kBatchBytesMax && (lines.empty() || input_->Ready())) {
    std::optional<Line> line = input_->NextLine();
    if (!line.has_value()) break;
    if (line->text.ok()) bytes += line->text->size();
    lines.push_back(*std::move(line));
  }
  return lines;
}

std::optional<ReadResult> LineRecordReader::Parse(const Line& line) const {
  if (line.text.ok()) return parse_(line.number, *line.text);
  return ReadResult{line.number, "", line.text.status()};
}

}  // namespace kindred::formats
