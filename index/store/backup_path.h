// Where a client's backup may go: to one directory right below the one that the operator allows.

#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace kindred {

// The path of `name` below `root`: a plain name, or the absolute path of what it would be.
// FAILED_PRECONDITION: no root was given. INVALID_ARGUMENT: it is neither, or leads elsewhere, or is a
// symbolic link.
absl::StatusOr<std::string> BackupPath(const std::string& root, const std::string& name);

}  // namespace kindred
