// What a caller may do. Each role may do what the one before it may.
//
// Threads: free functions without state.

#pragma once

#include <optional>
#include <string_view>

namespace kindred::daemon {

enum class Role { kReadOnly, kReadWrite, kAdmin };

constexpr std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kReadOnly:
      return "read-only";
    case Role::kReadWrite:
      return "read-write";
    case Role::kAdmin:
      return "admin";
  }
  return "";
}

constexpr std::optional<Role> RoleOfName(std::string_view name) {
  for (const Role role : {Role::kReadOnly, Role::kReadWrite, Role::kAdmin}) {
    if (RoleName(role) == name) {
      return role;
    }
  }
  return std::nullopt;
}

}  // namespace kindred::daemon
