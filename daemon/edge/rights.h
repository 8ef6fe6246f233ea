// Which role each call needs: the one table of it.
//
// A call that has no row is refused to everyone, so a new one has to be entered here; a test walks over all
// calls of the contract. Health and reflection are gRPC's own services, tell nothing of the data, and are
// open.
//
// Threads: free function without state.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "daemon/edge/role.h"

namespace kindred::daemon {

struct Right {
  std::string_view method;  // As gRPC names it.
  Role needed;
};

inline constexpr std::array kRights{
    Right{"/kindred.v1.Index/Get", Role::kReadOnly},
    Right{"/kindred.v1.Index/Search", Role::kReadOnly},
    Right{"/kindred.v1.Index/SearchStream", Role::kReadOnly},
    Right{"/kindred.v1.Index/Export", Role::kReadOnly},
    Right{"/kindred.v1.Index/Kernel", Role::kReadOnly},
    Right{"/kindred.v1.Index/Explain", Role::kReadOnly},
    Right{"/kindred.v1.Index/Recommend", Role::kReadOnly},
    Right{"/kindred.v1.Index/Pairs", Role::kReadOnly},
    Right{"/kindred.v1.Index/PairsBetween", Role::kReadOnly},
    Right{"/kindred.v1.Index/Clusters", Role::kReadOnly},
    Right{"/kindred.v1.Index/Watch", Role::kReadOnly},
    Right{"/kindred.v1.Index/Stats", Role::kReadOnly},
    Right{"/kindred.v1.Index/Put", Role::kReadWrite},
    Right{"/kindred.v1.Index/PutIfNovel", Role::kReadWrite},
    Right{"/kindred.v1.Index/Delete", Role::kReadWrite},
    Right{"/kindred.v1.Index/Ingest", Role::kReadWrite},
    Right{"/kindred.v1.Admin/Verify", Role::kAdmin},
    Right{"/kindred.v1.Admin/Backup", Role::kAdmin},
    Right{"/kindred.v1.Admin/Compact", Role::kAdmin},
};

constexpr std::optional<Role> RoleNeeded(std::string_view method) {
  for (const Right& right : kRights) {
    if (right.method == method) {
      return right.needed;
    }
  }
  return std::nullopt;
}

}  // namespace kindred::daemon
