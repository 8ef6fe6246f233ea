// The flags that say how to recognise the daemon and be recognised by it.
//
// Threads: free functions without state.

#pragma once

#include "client/access_options.h"

namespace CLI {
class App;
}

namespace kindred::cli {

void AddAccessFlags(CLI::App& app, client::AccessOptions& options);

}  // namespace kindred::cli
