#include "client/formats/block_buffer.h"

namespace kindred::formats {

bool BlockBuffer::Fill() {
  if (at_end_) return false;
  const absl::StatusOr<std::string_view> block = source_->NextBlock();
  if (!block.ok()) error_ = block.status();
  at_end_ = !block.ok() || block->empty();
  if (at_end_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_.append(*block);
  return true;
}

}  // namespace kindred::formats
