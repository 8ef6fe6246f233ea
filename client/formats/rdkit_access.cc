#include "client/formats/rdkit_access.h"

#include <RDGeneral/RDLog.h>

#include <utility>

namespace kindred::formats {

std::shared_lock<std::shared_mutex> RdkitAccess::Shared() {
  const std::lock_guard queue(queue_);
  return std::shared_lock(log_);
}

std::unique_lock<std::shared_mutex> RdkitAccess::Alone() {
  // Those who want to share queue up behind us, or we might never find the log unused.
  const std::lock_guard queue(queue_);
  return std::unique_lock(log_);
}

RdkitErrors::RdkitErrors()
    : before_(std::exchange(rdErrorLog, std::make_shared<boost::logging::rdLogger>(&text_))) {}

RdkitErrors::~RdkitErrors() { rdErrorLog = before_; }

std::string RdkitReason(std::string text) {
  constexpr size_t kReasonBytesMax = 200;
  if (text.size() > kReasonBytesMax) text = text.substr(0, kReasonBytesMax) + "...";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

}  // namespace kindred::formats
