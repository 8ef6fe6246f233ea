#include "index/base/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kindred {

void SetPriority(Priority priority) {
  if (priority == Priority::kFirst) {
    return;
  }
  // Each step takes about a fifth of a thread's share: 5 of them leave a third, 19 hardly anything. What is
  // beyond the last there is counts as that.
  const int nicer = priority == Priority::kSecond ? 5 : 19;
  // On Linux, and against POSIX, of one thread. It counts from the process's own.
  const int own = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), own + nicer);
  if (priority == Priority::kLast) {
    const sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);  // Less than even that; of this thread.
  }
}

}  // namespace kindred
