#include "daemon/compact_job.h"

#include <utility>

#include "daemon/log.h"
#include "index/base/status.h"
#include "index/engine/compact.h"

namespace kindred::daemon {
namespace {

v1::CompactStage ToMessage(CompactStage stage) {
  switch (stage) {
    case CompactStage::kLists:
      return v1::COMPACT_STAGE_LISTS;
    case CompactStage::kColours:
      return v1::COMPACT_STAGE_COLOURS;
    case CompactStage::kTables:
      break;
  }
  return v1::COMPACT_STAGE_TABLES;
}

v1::CompactResponse ToMessage(const CompactProgress& progress) {
  v1::CompactResponse message;
  message.set_stage(ToMessage(progress.stage));
  message.set_segments_before(progress.segments_before);
  message.set_segments_after(progress.segments_after);
  message.set_graphs_dropped(progress.graphs_dropped);
  message.set_memory_bytes_before(progress.memory_bytes_before);
  message.set_memory_bytes_after(progress.memory_bytes_after);
  message.set_disk_bytes_before(progress.disk_bytes_before);
  message.set_disk_bytes_after(progress.disk_bytes_after);
  message.set_colours(progress.colours);
  message.set_colours_unused(progress.colours_unused);
  return message;
}

}  // namespace

absl::Status CompactJob::Run(Engine& engine, const Request&, const std::function<void(Response)>& tell,
                             const Interrupt& interrupt) {
  const auto progress = Compact(
      engine, [&](const CompactProgress& so_far) { tell(ToMessage(so_far)); }, interrupt);
  if (!progress.ok()) {
    spdlog::warn("no compaction: {}", std::string(progress.status().message()));
    return progress.status();
  }
  spdlog::info(
      "compacted: {} segments, were {}; {} graphs left the lists; {} bytes in memory, were {}; {} on disk, "
      "were {}; {} of {} colours are unused",
      progress->segments_after, progress->segments_before, progress->graphs_dropped,
      progress->memory_bytes_after, progress->memory_bytes_before, progress->disk_bytes_after,
      progress->disk_bytes_before, progress->colours_unused, progress->colours);
  Response last = ToMessage(*progress);
  last.set_done(true);
  tell(std::move(last));
  return absl::OkStatus();
}

}  // namespace kindred::daemon
