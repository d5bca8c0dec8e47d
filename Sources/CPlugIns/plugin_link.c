#define _GNU_SOURCE
#include "plugin_link.h"
#include "plugin_host.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PLUGIN_LINK_EVENTS = 8192, PLUGIN_LINK_TEXT = 1024, POSITION_NUMBERS = 8 };

// What happens before a frame, counted from the link's beginning.
typedef struct {
  int64_t frame;
  plugin_link_kind kind;
  uint32_t port;
  union {
    struct {
      float value;
      uint8_t bytes[4];
    };
    // Of a position; `port` says which.
    double number;
  };
} plugin_link_event;

struct plugin_link {
  // Settled before the process starts.
  double rate;
  int32_t most, inputs, outputs, ring;
  pid_t host;
  char uri[PLUGIN_LINK_TEXT], state_uri[PLUGIN_LINK_TEXT];
  // The process says.
  _Atomic uint32_t state;
  _Atomic int64_t latency, allocations, made;
  _Atomic uint32_t answer;
  // We say.
  _Atomic int64_t given, crashes;
  // Of the processes so far: where the last began, and what none of them has made.
  _Atomic int64_t begun, skipped, skipped_end;
  _Atomic uint32_t call;
  _Atomic uint32_t written, read;
  plugin_link_event events[PLUGIN_LINK_EVENTS];
  // One value for each control port: ours for inputs, the process's for outputs.
  _Atomic float values[PLUGIN_LINK_PORTS];
  // Rings of `ring` frames: inputs, then outputs.
  float audio[];
};

// Rings of inputs stand first, those of outputs behind them.
RT_SAFE static float *ring_of(const plugin_link *link, int32_t channel) {
  return (float *)link->audio + (ptrdiff_t)channel * link->ring;
}

plugin_link *plugin_link_new(int32_t inputs, int32_t outputs, int32_t ring, int32_t *file) {
  size_t size = sizeof(plugin_link) + (size_t)(inputs + outputs) * (size_t)ring * sizeof(float);
  *file = memfd_create("carillon-plug-in", MFD_CLOEXEC);
  if (*file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (ftruncate(*file, (off_t)size) == 0) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  if (memory == MAP_FAILED) {
    close(*file);
    return NULL;
  }
  // Every page is there before the render thread comes.
  memset(memory, 0, size);
  plugin_link *link = memory;
  link->inputs = inputs;
  link->outputs = outputs;
  link->ring = ring;
  link->host = getpid();
  atomic_store(&link->begun, -1);
  return link;
}

// A plug-in may hang in the middle of its work, or while it is made: the process ends all the same with the one it plays for.
static void *watch_host(void *host) {
  const struct timespec pause = {0, 500000000L};
  while (getppid() == (pid_t)(intptr_t)host) nanosleep(&pause, NULL);
  _exit(0);
}

plugin_link *plugin_link_open(int32_t file) {
  struct stat about;
  if (fstat(file, &about) != 0 || about.st_size < (off_t)sizeof(plugin_link)) return NULL;
  void *memory = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return NULL;
  plugin_link *link = memory;
  pthread_t watch;
  if (pthread_create(&watch, NULL, watch_host, (void *)(intptr_t)link->host) != 0) {
    munmap(memory, (size_t)about.st_size);
    return NULL;
  }
  pthread_detach(watch);
  return link;
}

void plugin_link_close(plugin_link *link, int32_t file) {
  munmap(link, sizeof *link + (size_t)(link->inputs + link->outputs) * (size_t)link->ring * sizeof(float));
  close(file);
}

static void wait_for(_Atomic uint32_t *word, uint32_t seen, int32_t milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  if (atomic_load(word) == seen) syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, NULL, 0);
}

static void wake(_Atomic uint32_t *word) {
  atomic_fetch_add(word, 1);
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void plugin_link_wait_answer(plugin_link *link, uint32_t seen, int32_t milliseconds) {
  wait_for(&link->answer, seen, milliseconds);
}

void plugin_link_wake(plugin_link *link) { wake(&link->call); }

void plugin_link_answer(plugin_link *link, int64_t made) {
  atomic_store_explicit(&link->made, made, memory_order_release);
  wake(&link->answer);
}

RT_SAFE int64_t plugin_link_given(const plugin_link *l) { return atomic_load_explicit(&l->given, memory_order_acquire); }
RT_SAFE int64_t plugin_link_made(const plugin_link *l) { return atomic_load_explicit(&l->made, memory_order_acquire); }
RT_SAFE int64_t plugin_link_allocations(const plugin_link *l) {
  return atomic_load_explicit(&l->allocations, memory_order_relaxed);
}
RT_SAFE int64_t plugin_link_crashes(const plugin_link *l) { return atomic_load_explicit(&l->crashes, memory_order_relaxed); }
RT_SAFE bool plugin_link_is_ready(const plugin_link *l) {
  return atomic_load_explicit(&l->state, memory_order_acquire) == PLUGIN_LINK_READY;
}
RT_SAFE float plugin_link_value(const plugin_link *l, uint32_t port) {
  return atomic_load_explicit(&l->values[port], memory_order_relaxed);
}
RT_SAFE void plugin_link_set_value(plugin_link *l, uint32_t port, float value) {
  atomic_store_explicit(&l->values[port], value, memory_order_relaxed);
}
void plugin_link_set_state(plugin_link *l, plugin_link_state state) { atomic_store(&l->state, state); }
int64_t plugin_link_latency(const plugin_link *l) { return atomic_load(&l->latency); }
void plugin_link_set_latency(plugin_link *l, int64_t frames) { atomic_store(&l->latency, frames); }
uint32_t plugin_link_seen_answer(const plugin_link *l) { return atomic_load(&l->answer); }
void plugin_link_count_crash(plugin_link *l) { atomic_fetch_add(&l->crashes, 1); }

int32_t plugin_link_spawn(const char *program, int32_t file, int32_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // What a plug-in prints must not meet a screen, a report or a pipe.
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, file, 3);
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  // The terminal's Ctrl-C is for us: we end it.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  char *const arguments[] = {(char *)program, "plug-in-child", NULL};
  pid_t child = 0;
  int code = posix_spawn(&child, program, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  *process = child;
  return code;
}

bool plugin_link_has_ended(int32_t process, int32_t *status) {
  pid_t ended = waitpid(process, status, WNOHANG);
  return ended == process || (ended < 0 && errno == ECHILD);
}

void plugin_link_kill(int32_t process) {
  kill(process, SIGKILL);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}

// MARK: Our side, rendering

RT_SAFE bool plugin_link_tell(
    plugin_link *link, int64_t ahead, plugin_link_kind kind, uint32_t port, float value, const uint8_t *bytes) {
  uint32_t written = atomic_load_explicit(&link->written, memory_order_relaxed);
  if (written - atomic_load_explicit(&link->read, memory_order_acquire) >= PLUGIN_LINK_EVENTS) return false;
  plugin_link_event *event = &link->events[written % PLUGIN_LINK_EVENTS];
  event->frame = atomic_load_explicit(&link->given, memory_order_relaxed) + ahead;
  event->kind = kind;
  event->port = port;
  event->value = value;
  for (int i = 0; bytes && i < 4; i++) event->bytes[i] = bytes[i];
  atomic_store_explicit(&link->written, written + 1, memory_order_release);
  return true;
}

RT_SAFE bool plugin_link_tell_position(plugin_link *link, const plugin_position *position) {
  uint32_t written = atomic_load_explicit(&link->written, memory_order_relaxed);
  uint32_t waiting = written - atomic_load_explicit(&link->read, memory_order_acquire);
  if (waiting > PLUGIN_LINK_EVENTS - POSITION_NUMBERS) return false;
  // Doubles hold every frame and every bar.
  const double numbers[POSITION_NUMBERS] = {
      position->is_running, (double)position->frame, (double)position->bar, position->bar_beat, position->beat,
      position->beats, position->unit, position->tempo};
  for (uint32_t i = 0; i < POSITION_NUMBERS; i++) {
    plugin_link_event *event = &link->events[written++ % PLUGIN_LINK_EVENTS];
    event->frame = atomic_load_explicit(&link->given, memory_order_relaxed);
    event->kind = PLUGIN_LINK_TIME;
    event->port = i;
    event->number = numbers[i];
  }
  atomic_store_explicit(&link->written, written, memory_order_release);
  return true;
}

RT_SAFE void plugin_link_write(plugin_link *link, int32_t channel, const float *from, int32_t frames) {
  int64_t given = atomic_load_explicit(&link->given, memory_order_relaxed);
  float *ring = ring_of(link, channel);
  int32_t place = (int32_t)(given & (link->ring - 1)), first = link->ring - place < frames ? link->ring - place : frames;
  rt_copy(ring + place, from, first);
  rt_copy(ring, from + first, frames - first);
}

RT_SAFE void plugin_link_read(const plugin_link *link, int32_t channel, int64_t frame, float *to, int32_t frames) {
  const float *ring = ring_of(link, link->inputs + channel);
  int32_t place = (int32_t)(frame & (link->ring - 1)), first = link->ring - place < frames ? link->ring - place : frames;
  rt_copy(to, ring + place, first);
  rt_copy(to + first, ring, frames - first);
}

RT_SAFE void plugin_link_call(plugin_link *link, int32_t frames) {
  atomic_fetch_add_explicit(&link->given, frames, memory_order_release);
  atomic_fetch_add_explicit(&link->call, 1, memory_order_release);
}

// MARK: The process's side

bool plugin_link_settle(plugin_link *link, double rate, int32_t most, const char *uri, const char *state_uri) {
  if (strlen(uri) >= PLUGIN_LINK_TEXT || strlen(state_uri) >= PLUGIN_LINK_TEXT) return false;
  link->rate = rate;
  link->most = most;
  strcpy(link->uri, uri);
  strcpy(link->state_uri, state_uri);
  return true;
}

double plugin_link_rate(const plugin_link *link) { return link->rate; }
int32_t plugin_link_most(const plugin_link *link) { return link->most; }
const char *plugin_link_uri(const plugin_link *link) { return link->uri; }
const char *plugin_link_state_uri(const plugin_link *link) { return link->state_uri; }

static void clear_outputs(plugin_link *link) {
  memset(ring_of(link, link->inputs), 0, (size_t)link->outputs * (size_t)link->ring * sizeof(float));
}

// Where a process begins. What an earlier one has made is heard all the same, and what it was given and has not made is made
// by this one, but once only: it may be what ended that. Else it is silence, and counted.
static int64_t beginning(plugin_link *link) {
  int64_t given = atomic_load(&link->given), made = atomic_load(&link->made);
  bool is_there = made <= given && given - made <= link->ring / 2;
  if (is_there && made != atomic_load(&link->begun)) return made;
  if (is_there) {
    for (int32_t channel = 0; channel < link->outputs; channel++) {
      float *ring = ring_of(link, link->inputs + channel);
      for (int64_t frame = made; frame < given; frame++) ring[frame & (link->ring - 1)] = 0;
    }
  } else {
    clear_outputs(link);
  }
  atomic_store(&link->skipped, made);
  atomic_store(&link->skipped_end, given);
  atomic_store(&link->read, atomic_load(&link->written));
  return given;
}

RT_SAFE int64_t plugin_link_skipped(const plugin_link *l, int64_t start, int64_t end) {
  int64_t first = atomic_load_explicit(&l->skipped, memory_order_relaxed);
  int64_t last = atomic_load_explicit(&l->skipped_end, memory_order_relaxed);
  if (first < start) first = start;
  if (last > end) last = end;
  return last > first ? last - first : 0;
}

void plugin_link_begin(plugin_link *link, const plugin_link_side *side) {
  int64_t begin = beginning(link);
  atomic_store(&link->begun, begin);
  for (int32_t i = 0; i < side->control_count; i++) {
    for (int32_t h = 0; h < side->host_count; h++) {
      side->values[h][side->controls[i]] = plugin_link_value(link, side->controls[i]);
    }
  }
  atomic_store(&link->state, PLUGIN_LINK_READY);
  plugin_link_answer(link, begin);
}

// Takes in a number of a position, and tells the instances when it was the last.
static void obey_position(const plugin_link_side *side, const plugin_link_event *event) {
  static double n[POSITION_NUMBERS];
  if (event->port >= POSITION_NUMBERS) return;
  n[event->port] = event->number;
  if (event->port != POSITION_NUMBERS - 1) return;
  const plugin_position position = {
      n[0] != 0, (int64_t)n[1], (int64_t)n[2], n[3], n[4], (int32_t)n[5], (int32_t)n[6], n[7]};
  for (int32_t h = 0; h < side->host_count; h++) plugin_host_position(side->hosts[h], &position);
}

// What happens before frame `made`. Returns the frame of the next event, or `given`; -1: new instances are wanted.
static int64_t obey(plugin_link *link, const plugin_link_side *side, int64_t made, int64_t given) {
  uint32_t read = atomic_load_explicit(&link->read, memory_order_relaxed);
  int64_t next = given;
  while (read != atomic_load_explicit(&link->written, memory_order_acquire)) {
    plugin_link_event event = link->events[read % PLUGIN_LINK_EVENTS];
    if (event.frame > made) {
      if (event.frame < given) next = event.frame;
      break;
    }
    atomic_store_explicit(&link->read, ++read, memory_order_release);
    if (event.kind == PLUGIN_LINK_RESET) return -1;
    if (event.kind == PLUGIN_LINK_TIME) obey_position(side, &event);
    for (int32_t h = 0; h < side->host_count; h++) {
      switch (event.kind) {
      case PLUGIN_LINK_MIDI: plugin_host_midi(side->hosts[h], event.bytes, (event.bytes[0] & 0xE0) == 0xC0 ? 2 : 3); break;
      case PLUGIN_LINK_TUNE:
        plugin_host_tune(side->hosts[h], event.bytes[0], event.bytes[1], event.bytes[2], event.bytes[3]);
        break;
      case PLUGIN_LINK_CONTROL: side->values[h][event.port] = event.value; break;
      case PLUGIN_LINK_RESET:
      case PLUGIN_LINK_TIME:
      case PLUGIN_LINK_END: break;
      }
    }
  }
  return next;
}

typedef enum { IDLE, SERVED, NEW_WANTED } served;

static served serve(plugin_link *link, const plugin_link_side *side) {
  int64_t made = atomic_load_explicit(&link->made, memory_order_relaxed);
  int64_t given = atomic_load_explicit(&link->given, memory_order_acquire);
  if (made == given) return IDLE;
  int64_t end = obey(link, side, made, given);
  if (end < 0) return NEW_WANTED;
  // Too late for all of it: what was given has been written over.
  if (given - made > link->ring / 2) {
    clear_outputs(link);
    plugin_link_answer(link, given);
    return SERVED;
  }
  int32_t place = (int32_t)(made & (link->ring - 1)), inputs = link->inputs / side->host_count;
  int32_t outputs = link->outputs / side->host_count;
  int64_t frames = end - made, allocations = 0;
  if (frames > link->most) frames = link->most;
  if (frames > link->ring - place) frames = link->ring - place;
  for (int32_t h = 0; h < side->host_count; h++) {
    struct plugin_host *host = side->hosts[h];
    for (int32_t i = 0; i < inputs; i++) plugin_host_connect(host, side->inputs[i], ring_of(link, h * inputs + i) + place);
    for (int32_t i = 0; i < outputs; i++) {
      plugin_host_connect(host, side->outputs[i], ring_of(link, link->inputs + h * outputs + i) + place);
    }
    plugin_host_run(host, (uint32_t)frames);
    allocations += plugin_host_allocations(host);
  }
  for (int32_t i = 0; i < side->shown_count; i++) plugin_link_set_value(link, side->shown[i], side->values[0][side->shown[i]]);
  atomic_store_explicit(&link->allocations, allocations, memory_order_relaxed);
  plugin_link_answer(link, made + frames);
  for (int32_t h = 0; h < side->host_count; h++) plugin_host_work(side->hosts[h]);
  return SERVED;
}

void plugin_link_serve(plugin_link *link, const plugin_link_side *side) {
  int32_t idle = 0;
  rt_denormals_off();
  for (;;) {
    uint32_t seen = atomic_load(&link->call);
    served what = serve(link, side);
    if (what == NEW_WANTED) return;
    if (what == SERVED) {
      idle = 0;
      continue;
    }
    // After a second without work it looks less often; the control side's wake comes at once either way.
    wait_for(&link->call, seen, idle < 1000 ? 1 : 10);
    idle += idle < 1000;
  }
}
