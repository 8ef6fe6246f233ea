// Tells the service manager how the daemon is: the protocol of sd_notify(3), which is one datagram to the
// socket that NOTIFY_SOCKET names. Written out here, since that is all of libsystemd that is needed.
//
// Threads: any.

#pragma once

#include <string_view>

namespace kindred::daemon {

// `state` is lines of KEY=VALUE, as "READY=1\nSTATUS=serving". Does nothing without a service manager; what
// it does not take is lost, as nothing can be done about it.
void NotifyService(std::string_view state);

// Before and after the configuration is read again.
void NotifyReloading();
void NotifyReady();

}  // namespace kindred::daemon
