#define _GNU_SOURCE
#include "connection.h"
#include "pipewire_stream.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

struct cpw_library cpw_library;

const char *cpw_load(const char *name) {
  // Plug-ins of PipeWire's look for its functions in the process.
  void *handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!handle) return dlerror();
#define FIND(result, function, arguments) \
  if (!(*(void **)&library.function = dlsym(handle, "pw_" #function))) return dlerror();
  PIPEWIRE_FUNCTIONS(FIND)
#undef FIND
  library.init(NULL, NULL);
  // It would write to standard error.
  library.log_set_level(0);
  return NULL;
}

void cpw_part(connection *c) {
  if (c->thread) library.thread_loop_stop(c->thread);
  if (c->core) library.core_disconnect(c->core);
  if (c->context) library.context_destroy(c->context);
  if (c->thread) library.thread_loop_destroy(c->thread);
}

// The connection's thread does not run yet. Returns 0, or an error number.
int cpw_meet(connection *c, const char *remote, const pw_core_events *events, void *data) {
  c->thread = library.thread_loop_new("carillon-pw", NULL);
  if (!c->thread) return ENOMEM;
  c->context = library.context_new(library.thread_loop_get_loop(c->thread), NULL, 0);
  if (!c->context) return errno ? errno : ENOMEM;
  void *properties = remote ? library.properties_new("remote.name", remote, NULL) : NULL;
  c->core = library.context_connect(c->context, properties, 0);
  if (!c->core) return errno ? errno : ECONNREFUSED;
  spa_interface *interface = c->core;
  const pw_core_methods *methods = interface->callbacks.functions;
  methods->add_listener(interface->callbacks.data, &c->hook, events, data);
  return 0;
}

// libpipewire's threads inherit the mask of the thread that makes them, and signals are for the program's own threads.
int cpw_start(connection *c) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = library.thread_loop_start(c->thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code < 0 ? -code : 0;
}

// With the loop's lock. Returns false where it took longer.
bool cpw_wait_for(connection *c, const bool *condition, int32_t milliseconds) {
  struct timespec end;
  library.thread_loop_get_time(c->thread, &end, (int64_t)milliseconds * 1000000);
  while (!__atomic_load_n(condition, __ATOMIC_RELAXED))
    if (library.thread_loop_timed_wait_full(c->thread, &end) < 0) break;
  return __atomic_load_n(condition, __ATOMIC_RELAXED);
}
