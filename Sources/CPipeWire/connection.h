#ifndef CARILLON_PIPEWIRE_CONNECTION_H
#define CARILLON_PIPEWIRE_CONNECTION_H
#include "pipewire_abi.h"
#include <time.h>

/// Result, name without `pw_`, arguments.
#define PIPEWIRE_FUNCTIONS(F) \
  F(void, init, (int *, char ***)) \
  F(void, log_set_level, (int)) \
  F(void *, thread_loop_new, (const char *, const void *)) \
  F(void, thread_loop_destroy, (void *)) \
  F(void *, thread_loop_get_loop, (void *)) \
  F(int, thread_loop_start, (void *)) \
  F(void, thread_loop_stop, (void *)) \
  F(void, thread_loop_lock, (void *)) \
  F(void, thread_loop_unlock, (void *)) \
  F(void, thread_loop_signal, (void *, bool)) \
  F(int, thread_loop_get_time, (void *, struct timespec *, int64_t)) \
  F(int, thread_loop_timed_wait_full, (void *, const struct timespec *)) \
  F(void *, properties_new, (const char *, ...)) \
  F(int, properties_set, (void *, const char *, const char *)) \
  F(void *, context_new, (void *loop, void *, size_t)) \
  F(void, context_destroy, (void *)) \
  F(void *, context_connect, (void *, void *, size_t)) \
  F(int, core_disconnect, (void *)) \
  F(void, proxy_destroy, (void *)) \
  F(void *, stream_new, (void *core, const char *, void *)) \
  F(void, stream_destroy, (void *)) \
  F(void, stream_add_listener, (void *, spa_hook *, const pw_stream_events *, void *)) \
  F(int, stream_connect, (void *, int, uint32_t, int, const void **, uint32_t)) \
  F(pw_buffer *, stream_dequeue_buffer, (void *)) \
  F(int, stream_queue_buffer, (void *, pw_buffer *))

/// The functions of the library, once it has been loaded.
extern struct cpw_library {
#define DECLARE(result, name, arguments) result (*name) arguments;
  PIPEWIRE_FUNCTIONS(DECLARE)
#undef DECLARE
} cpw_library;
#define library cpw_library

/// A connection with the daemon, and the thread that looks after it.
typedef struct {
  void *thread, *context, *core;
  spa_hook hook;
} connection;

/// Connects; the thread does not run yet. Returns 0, or an error number; `part` is to be called in any case.
int cpw_meet(connection *c, const char *remote, const pw_core_events *events, void *data);
/// Starts the thread. Returns 0, or an error number.
int cpw_start(connection *c);
/// Ends thread and connection.
void cpw_part(connection *c);
/// Waits until the condition holds, with the thread's lock. Returns false where it took longer.
bool cpw_wait_for(connection *c, const bool *condition, int32_t milliseconds);
#endif
