// Prints the records that were not novel: JSON lines as they are told, or for people a table for every
// thousand.
//
//     id         closest   similarity  identity
//     copy-17    ZINC0001      1.0000  isomorphic
//     aspirin-2  aspirin       0.9231  different
//
// Threads: Take from any thread; Print by one caller at a time.
// Memory: what was not printed yet.

#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/frame_queue.h"

namespace kindred::cli {

class NotNovelPrinter {
 public:
  // `files` are those a record's position speaks of. Both must outlive this.
  NotNovelPrinter(const Session& session, const std::vector<std::string>& files)
      : session_(session), files_(files), output_(session.out()) {}

  void Take(const client::NotNovel& record);

  // Whether there is enough to print; or, at the end, anything.
  bool HasSome(bool at_end);
  absl::Status Print();

 private:
  std::string ToJsonLine(const client::NotNovel& record) const;
  std::string ToTable(const std::vector<client::NotNovel>& records) const;

  const Session& session_;
  const std::vector<std::string>& files_;
  Output output_;

  std::mutex mutex_;  // Guards the records.
  std::vector<client::NotNovel> records_;
};

}  // namespace kindred::cli
