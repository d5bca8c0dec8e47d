#define _GNU_SOURCE
#include "jack_client.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// libjack's binary interface, as far as it is called here. Clients and ports are pointers to what only libjack knows.

enum { NO_START_SERVER = 0x01, SERVER_NAME = 0x04 };
#define AUDIO_TYPE "32 bit float mono audio"

#define JACK_FUNCTIONS(F) \
  F(void *, client_open, (const char *, int options, int *status, ...)) \
  F(int, client_close, (void *)) \
  F(char *, get_client_name, (void *)) \
  F(int, activate, (void *)) \
  F(uint32_t, get_sample_rate, (void *)) \
  F(uint32_t, get_buffer_size, (void *)) \
  F(int, set_buffer_size, (void *, uint32_t)) \
  F(int, set_freewheel, (void *, int)) \
  F(void *, port_register, (void *, const char *, const char *type, unsigned long flags, unsigned long size)) \
  F(void *, port_get_buffer, (void *port, uint32_t frames)) \
  F(const char *, port_name, (const void *port)) \
  F(int, port_connected, (const void *port)) \
  F(const char **, get_ports, (void *, const char *name, const char *type, unsigned long flags)) \
  F(void, free, (void *)) \
  F(int, connect, (void *, const char *, const char *)) \
  F(uint32_t, last_frame_time, (const void *)) \
  F(uint32_t, frames_since_cycle_start, (const void *)) \
  F(int, set_process_callback, (void *, int (*)(uint32_t, void *), void *)) \
  F(int, set_thread_init_callback, (void *, void (*)(void *), void *)) \
  F(int, set_xrun_callback, (void *, int (*)(void *), void *)) \
  F(int, set_sample_rate_callback, (void *, int (*)(uint32_t, void *), void *)) \
  F(int, set_buffer_size_callback, (void *, int (*)(uint32_t, void *), void *)) \
  F(int, set_freewheel_callback, (void *, void (*)(int, void *), void *)) \
  F(void, on_info_shutdown, (void *, void (*)(int, const char *, void *), void *)) \
  F(void, set_error_function, (void (*)(const char *))) \
  F(void, set_info_function, (void (*)(const char *)))

static struct {
#define DECLARE(result, name, arguments) result (*name) arguments;
  JACK_FUNCTIONS(DECLARE)
#undef DECLARE
} library;

struct cjack_client {
  void *jack;
  cjack_calls calls;
  int32_t output_count, input_count;
  void **outputs, **inputs;                  // ports
  float **output_buffers, **input_buffers;   // of the cycle at hand
  uint32_t rate;
  uint32_t frame_time;                       // of the last cycle, which wraps; and the same since the first, which does not
  int64_t position;
  bool has_position;
  bool freewheels;                           // atomically
  bool is_deaf;                              // atomically
  int32_t priority;                          // atomically
};

// libjack keeps one server's memory for the whole process: opening and closing take turns. A call that does not return keeps the
// turn for good, in libjack as here; the others give up.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
enum { PATIENCE = 5 };  // seconds

static bool take_turn(void) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += PATIENCE;
  return pthread_mutex_clocklock(&turn, CLOCK_MONOTONIC, &until) == 0;
}

static void keep_quiet(const char *message) {}

const char *cjack_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define FIND(result, function, arguments) \
  if (!(*(void **)&library.function = dlsym(handle, "jack_" #function))) return dlerror();
  JACK_FUNCTIONS(FIND)
#undef FIND
  // It would write to standard error.
  library.set_error_function(keep_quiet);
  library.set_info_function(keep_quiet);
  return NULL;
}

// MARK: What libjack calls

static void thread_began(void *context) {
  cjack_client *client = context;
  rt_denormals_off();
  rt_stack_prefault(128 * 1024);
  struct sched_param scheduling = {0};
  int policy = SCHED_OTHER;
  pthread_getschedparam(pthread_self(), &policy, &scheduling);
  int32_t priority = policy == SCHED_FIFO || policy == SCHED_RR ? scheduling.sched_priority : 0;
  __atomic_store_n(&client->priority, priority, __ATOMIC_RELAXED);
}

// Reading time and buffers is looking into memory that server and client share; JACK promises that for the process callback.
RT_TRUSTED_LOOP(rt_cycle begin(cjack_client *client, uint32_t frames),
  for (int32_t i = 0; i < client->output_count; i++)
    client->output_buffers[i] = library.port_get_buffer(client->outputs[i], frames);
  for (int32_t i = 0; i < client->input_count; i++)
    client->input_buffers[i] = library.port_get_buffer(client->inputs[i], frames);
  uint32_t frame_time = library.last_frame_time(client->jack);
  uint32_t late = library.frames_since_cycle_start(client->jack);
  // Signed: after freewheeling it may go back.
  if (client->has_position) client->position += (int32_t)(frame_time - client->frame_time);
  client->has_position = true;
  client->frame_time = frame_time;
  int64_t lateness = late < 0x7fffffff ? (int64_t)late * 1000000000 / client->rate : 0;
  return (rt_cycle){
    .frames = frames, .position = client->position, .time = rt_monotonic_nanoseconds() - lateness,
    .is_freewheeling = __atomic_load_n(&client->freewheels, __ATOMIC_RELAXED),
    .is_deaf = __atomic_load_n(&client->is_deaf, __ATOMIC_RELAXED),
    .output_count = client->output_count, .input_count = client->input_count,
    .outputs = client->output_buffers, .inputs = client->input_buffers})

static int process(uint32_t frames, void *context) {
  cjack_client *client = context;
  rt_cycle cycle = begin(client, frames);
  if (client->calls.context) client->calls.cycle(client->calls.context, &cycle);
  return 0;
}

static int xrun(void *context) {
  cjack_client *client = context;
  bool counts = client->calls.context && !__atomic_load_n(&client->freewheels, __ATOMIC_RELAXED);
  if (counts) client->calls.xrun(client->calls.context);
  return 0;
}

static void lose(cjack_client *client) {
  if (client->calls.context) client->calls.lost(client->calls.context);
}

static int rate_is(uint32_t rate, void *context) {
  cjack_client *client = context;
  if (rate != client->rate) lose(client);
  return 0;
}

// Each cycle says how long it is; but a client that does not listen here counts, for JACK, as one that cannot follow.
static int period_is(uint32_t frames, void *context) { return 0; }

static void freewheel_is(int starts, void *context) {
  __atomic_store_n(&((cjack_client *)context)->freewheels, starts != 0, __ATOMIC_RELAXED);
}

static void shut_down(int code, const char *reason, void *context) {
  lose(context);
}

// MARK: Control side

// libjack's threads inherit the mask of the thread that makes them, and signals are for the program's own threads.
static void block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
}
static void restore_signals(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

static void release(cjack_client *client) {
  free(client->outputs); free(client->inputs);
  free(client->output_buffers); free(client->input_buffers);
  free(client);
}

static bool add_ports(cjack_client *client, const char *prefix, unsigned long flags, void **ports, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    char name[32];
    // "out_1", without stdio.
    int32_t number = i + 1, length = (int32_t)strlen(prefix), digits = number > 9 ? 2 : 1;
    memcpy(name, prefix, (size_t)length);
    if (digits == 2) name[length] = (char)('0' + number / 10 % 10);
    name[length + digits - 1] = (char)('0' + number % 10);
    name[length + digits] = 0;
    if (!(ports[i] = library.port_register(client->jack, name, AUDIO_TYPE, flags, 0))) return false;
  }
  return true;
}

static void close_client(cjack_client *client) {
  // When its last client closes, libjack blocks in that thread the signals that were blocked when the first opened: all.
  sigset_t before;
  block_signals(&before);
  library.client_close(client->jack);
  restore_signals(&before);
  release(client);
}

static cjack_client *open_client(
    const char *name, const char *server, int32_t outputs, int32_t inputs, cjack_calls calls, int32_t *status) {
  cjack_client *client = calloc(1, sizeof *client);
  *client = (cjack_client){
    .calls = calls, .output_count = outputs, .input_count = inputs, .priority = -1,
    .outputs = calloc((size_t)outputs + 1, sizeof(void *)), .inputs = calloc((size_t)inputs + 1, sizeof(void *)),
    .output_buffers = calloc((size_t)outputs + 1, sizeof(float *)),
    .input_buffers = calloc((size_t)inputs + 1, sizeof(float *))};
  sigset_t before;
  block_signals(&before);
  int bits = 0;
  client->jack = server ? library.client_open(name, NO_START_SERVER | SERVER_NAME, &bits, server)
                        : library.client_open(name, NO_START_SERVER, &bits);
  restore_signals(&before);
  *status = bits;
  if (!client->jack) {
    release(client);
    return NULL;
  }
  client->rate = library.get_sample_rate(client->jack);
  void *jack = client->jack;
  bool is_ready = client->rate > 0 && library.set_process_callback(jack, process, client) == 0
    && library.set_xrun_callback(jack, xrun, client) == 0
    && library.set_thread_init_callback(jack, thread_began, client) == 0
    && library.set_sample_rate_callback(jack, rate_is, client) == 0
    && library.set_buffer_size_callback(jack, period_is, client) == 0
    && library.set_freewheel_callback(jack, freewheel_is, client) == 0;
  if (is_ready) library.on_info_shutdown(jack, shut_down, client);
  if (!is_ready || !add_ports(client, "out_", CJACK_OUTPUT, client->outputs, outputs)
      || !add_ports(client, "in_", CJACK_INPUT, client->inputs, inputs)) {
    close_client(client);
    return NULL;
  }
  return client;
}

cjack_client *cjack_open(
    const char *name, const char *server, int32_t outputs, int32_t inputs, cjack_calls calls, int32_t *status) {
  if (!take_turn()) {
    *status = CJACK_STUCK;
    return NULL;
  }
  cjack_client *client = open_client(name, server, outputs, inputs, calls, status);
  pthread_mutex_unlock(&turn);
  return client;
}

int32_t cjack_activate(cjack_client *client) {
  sigset_t before;
  block_signals(&before);
  int code = library.activate(client->jack);
  restore_signals(&before);
  return code;
}

void cjack_close(cjack_client *client) {
  if (!take_turn()) return;
  close_client(client);
  pthread_mutex_unlock(&turn);
}

const char *cjack_name(const cjack_client *client) { return library.get_client_name(client->jack); }
uint32_t cjack_sample_rate(const cjack_client *client) { return client->rate; }
uint32_t cjack_period(const cjack_client *client) { return library.get_buffer_size(client->jack); }
int32_t cjack_set_period(const cjack_client *client, uint32_t frames) {
  return library.set_buffer_size(client->jack, frames);
}
int32_t cjack_set_freewheel(const cjack_client *client, bool freewheel) {
  return library.set_freewheel(client->jack, freewheel);
}
int32_t cjack_priority(const cjack_client *client) { return __atomic_load_n(&client->priority, __ATOMIC_RELAXED); }

const char **cjack_ports(const cjack_client *client, uint32_t flags) {
  return library.get_ports(client->jack, NULL, AUDIO_TYPE, flags);
}
void cjack_free(const char **names) { if (names) library.free((void *)names); }
const char *cjack_port_name(const cjack_client *client, bool is_input, int32_t index) {
  if (index < 0 || index >= (is_input ? client->input_count : client->output_count)) return NULL;
  return library.port_name(is_input ? client->inputs[index] : client->outputs[index]);
}
uint64_t cjack_linked_inputs(cjack_client *client) {
  uint64_t linked = 0;
  for (int32_t i = 0; i < client->input_count && i < 64; i++)
    if (library.port_connected(client->inputs[i]) > 0) linked |= (uint64_t)1 << i;
  __atomic_store_n(&client->is_deaf, client->input_count > 0 && !linked, __ATOMIC_RELAXED);
  return linked;
}
int32_t cjack_connect(const cjack_client *client, const char *from, const char *to) {
  return library.connect(client->jack, from, to);
}
