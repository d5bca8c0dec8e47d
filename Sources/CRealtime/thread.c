#define _GNU_SOURCE
#include "realtime.h"
#include "pcm.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

static int fifo(int priority) {
  struct sched_param p = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p) == 0 ? 0 : errno;
}

// RealtimeKit, the service that desktop sessions have, over the system D-Bus: loaded when asked for, so that nothing
// depends on libdbus. It insists on RLIMIT_RTTIME: a real-time thread that computes for 200 ms without waiting is killed.
// So the limit is set last, and put back when the answer is no.
static int rtkit(uint32_t priority) {
  void *lib = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!lib) return ENOENT;
#define DBUS(type, name, symbol) type = (__typeof__(name))dlsym(lib, symbol)
  DBUS(void *(*get)(int, void *), get, "dbus_bus_get_private");
  DBUS(void *(*call)(const char *, const char *, const char *, const char *), call, "dbus_message_new_method_call");
  DBUS(unsigned (*append)(void *, int, ...), append, "dbus_message_append_args");
  DBUS(void *(*ask)(void *, void *, int, void *), ask, "dbus_connection_send_with_reply_and_block");
  DBUS(void (*stay)(void *, unsigned), stay, "dbus_connection_set_exit_on_disconnect");
  DBUS(void (*drop)(void *), drop, "dbus_message_unref");
  DBUS(void (*shut)(void *), shut, "dbus_connection_close");
  DBUS(void (*unref)(void *), unref, "dbus_connection_unref");
#undef DBUS
  void *bus = get && call && append && ask && stay && drop && shut && unref ? get(1 /* system */, NULL) : NULL;
  if (!bus) { dlclose(lib); return ECONNREFUSED; }
  stay(bus, 0);
  int result = ENOMEM;
  uint64_t thread = (uint64_t)syscall(SYS_gettid);
  void *message = call("org.freedesktop.RealtimeKit1", "/org/freedesktop/RealtimeKit1",
                       "org.freedesktop.RealtimeKit1", "MakeThreadRealtime");
  if (message && append(message, 't', &thread, 'u', &priority, 0)) {
    struct rlimit before, limit;
    getrlimit(RLIMIT_RTTIME, &before);
    limit = before;
    if (limit.rlim_cur > 200000) limit.rlim_cur = 200000;
    if (limit.rlim_max > 200000) limit.rlim_max = 200000;
    setrlimit(RLIMIT_RTTIME, &limit);
    void *reply = ask(bus, message, 1000, NULL);
    result = reply ? 0 : EACCES;
    if (reply) drop(reply);
    else setrlimit(RLIMIT_RTTIME, &before);
  }
  if (message) drop(message);
  shut(bus);
  unref(bus);
  return result;
}

rt_thread_grant rt_thread_promote(int32_t priority) {
  struct rlimit limit;
  int error = fifo(priority);                                  // root, CAP_SYS_NICE, or limits.d
  if (error == 0) return (rt_thread_grant){RT_THREAD_FIFO, priority, 0};
  if (getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur > 0 && limit.rlim_cur < (rlim_t)priority)
    if (fifo((int)limit.rlim_cur) == 0) return (rt_thread_grant){RT_THREAD_FIFO, (int32_t)limit.rlim_cur, 0};
  uint32_t modest = priority > 20 ? 20 : (uint32_t)priority;   // the most that RealtimeKit gives by default
  if (rtkit(modest) == 0) return (rt_thread_grant){RT_THREAD_RTKIT, (int32_t)modest, error};
  if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), -11) == 0) return (rt_thread_grant){RT_THREAD_NICE, -11, error};
  return (rt_thread_grant){RT_THREAD_NORMAL, 0, error};
}

// Sanitizers map terabytes that must not become memory.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RT_KEEPS_MEMORY_UNLOCKED
#endif
#endif

int32_t rt_memory_lock(void) {
#ifdef RT_KEEPS_MEMORY_UNLOCKED
  return ENOTSUP;
#else
  // The kernel joins small pages to large ones behind a program's back (khugepaged); who touches them meanwhile waits, for
  // a millisecond and more.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  struct rlimit limit;   // under a small limit later allocations would fail
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return errno;
  if (limit.rlim_cur != RLIM_INFINITY) {
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;   // granted where the hard limit is so already, and to root
    if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0) return errno;
  }
  // What is there now is brought in; what comes later stays once it has been touched.
  if (mlockall(MCL_CURRENT) != 0) return errno;
  return mlockall(MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
#endif
}

void rt_stack_prefault(size_t bytes) {
  if (bytes > 512 * 1024) bytes = 512 * 1024;
  volatile char *page = __builtin_alloca(bytes);
  for (size_t i = 0; i < bytes; i += 4096) page[i] = 0;
}

void rt_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

int32_t rt_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void rt_event_close(int32_t event) { close(event); }

int32_t rt_processors(void) {
  cpu_set_t mask;
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
}

// Eight bytes into a counter of the kernel's.
RT_TRUSTED_LOOP(bool add_one(int32_t event),
  uint64_t one = 1; return write(event, &one, sizeof one) >= 0 || errno != EINTR)
RT_LOOP void rt_event_signal(int32_t event) {
  while (!add_one(event)) {}
}

// The two system calls of the render side. A private futex: the words belong to threads of one process.
RT_TRUSTED(void futex_wait(int32_t *word, int32_t value),
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0))
RT_TRUSTED(void futex_wake(int32_t *word), syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0))
RT_SAFE void rt_word_sleep(int32_t *word, int32_t value) { futex_wait(word, value); }
RT_SAFE void rt_word_wake(int32_t *word) { futex_wake(word); }

void rt_event_clear(int32_t event) {
  uint64_t count;
  while (read(event, &count, sizeof count) < 0 && errno == EINTR) {}
}

// ppoll carries no annotation: it enters the kernel and waits there.
RT_TRUSTED_LOOP(int wait_for(struct pollfd *entries, uint64_t count, int64_t left),
  struct timespec time = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
  int ready = ppoll(entries, count, &time, NULL);
  return ready < 0 ? -errno : ready)

RT_LOOP int32_t rt_poll(struct pollfd *entries, uint64_t count, int64_t deadline) {
  for (;;) {
    int64_t left = deadline - rt_monotonic_nanoseconds();
    if (left < 0) left = 0;
    int ready = wait_for(entries, count, left);
    if (ready > 0) return ready;
    if (ready == 0 && left == 0) return 0;
    if (ready < 0 && ready != -EINTR) return ready;
  }
}

RT_LOOP bool rt_event_wait(int32_t event, int64_t deadline) {
  struct pollfd entry = {.fd = event, .events = POLLIN};
  return rt_poll(&entry, 1, deadline) > 0;
}

static int64_t system_now(void *event) RT_WAITS { return rt_monotonic_nanoseconds(); }
static int32_t system_sleep(void *event, int64_t deadline, bool may_pause) RT_WAITS {
  return rt_event_wait(*(int32_t *)event, deadline) ? RT_WAIT_STOPPED : 0;
}
rt_clock rt_clock_system(int32_t *event) { return (rt_clock){event, system_now, system_sleep}; }
