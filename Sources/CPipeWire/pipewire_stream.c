#define _GNU_SOURCE
#include "pipewire_stream.h"
#include "connection.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: A device

enum { RING = 1 << 15 };

struct cpw_device {
  connection connection;
  cpw_calls calls;
  int32_t rate, output_count, input_count;
  void *playback, *capture;                  // streams
  spa_hook playback_hook, capture_hook;
  const spa_clock *clock;                    // atomically; looked at only in a cycle
  bool is_playing;                           // atomically: a cycle is being answered
  bool is_streaming;                         // atomically
  int32_t priority;                          // atomically
  // The data thread's: the graph's count of frames made one that does not leap where another clock takes over.
  uint32_t clock_id;
  int64_t offset, position;
  bool has_position;
  float **outputs, **inputs;
  // What was captured and not asked for yet: planar rings, written and read by the data thread.
  float *rings, *pieces;
  uint64_t written, read;
  uint32_t chunk;                            // frames that came at once, the last time
  bool is_hearing;                           // the last cycle found as many as it asked for
  // The least that a cycle has left in the rings, of as many frames as were watched.
  uint64_t least, watched;
  bool captures;                             // atomically: the capture stream streams
  bool has_captured;                         // it did once
  int32_t capture_code;                      // atomically: why it does not, for good; then the text stands
  char capture_text[128];
};

static void check_thread(cpw_device *d) {
  if (__atomic_load_n(&d->priority, __ATOMIC_RELAXED) >= 0) return;
  struct sched_param scheduling = {0};
  int policy = SCHED_OTHER;
  pthread_getschedparam(pthread_self(), &policy, &scheduling);
  policy &= ~0x40000000;   // SCHED_RESET_ON_FORK
  int32_t priority = policy == SCHED_FIFO || policy == SCHED_RR ? scheduling.sched_priority : 0;
  __atomic_store_n(&d->priority, priority, __ATOMIC_RELAXED);
}

// Where the cycle stands in time.
static void place(cpw_device *d, const spa_clock *clock, rt_cycle *cycle) {
  cycle->time = rt_monotonic_nanoseconds();
  cycle->position = d->position;
  if (!clock || clock->rate.denominator == 0) return;
  cycle->is_freewheeling = clock->flags & SPA_CLOCK_FREEWHEELS;
  int64_t age = cycle->time - (int64_t)clock->nanoseconds;
  if (age > 0 && age < 1000000000) cycle->time = (int64_t)clock->nanoseconds;
  // Where PipeWire converts the rate it asks for now more, now less: only what it asks for counts.
  bool is_counted = clock->rate.denominator == (uint32_t)d->rate * clock->rate.numerator
    && clock->duration == (uint64_t)cycle->frames && !cycle->is_freewheeling;
  int64_t position = (int64_t)clock->position + d->offset;
  if (!is_counted || !d->has_position || clock->id != d->clock_id || position < d->position) {
    d->offset += d->position - position;
    position = d->position;
  }
  d->has_position = is_counted;
  d->clock_id = clock->id;
  if (position > d->position) d->calls.xrun(d->calls.context);
  cycle->position = position;
}

static void watch_anew(cpw_device *d) {
  d->least = UINT64_MAX;
  d->watched = 0;
}

// Goes on `frames` later in what was captured.
static void slip(cpw_device *d, uint64_t frames, rt_cycle *cycle) {
  d->read += frames;
  // A stream that has just begun has lost nothing.
  cycle->input_slips += d->is_hearing;
  watch_anew(d);
}

// The oldest captured frames, or none where there are not enough. Two clocks that drift apart leave more and more in the
// rings: what has not been needed for a second would be so much delay for good.
static void take_captured(cpw_device *d, rt_cycle *cycle) {
  uint64_t frames = (uint64_t)cycle->frames, limit = frames + d->chunk;
  // Of a stream that stands still nothing that is left is new.
  if (!__atomic_load_n(&d->captures, __ATOMIC_RELAXED)) d->read = d->written;
  uint64_t there = d->written - d->read;
  if (there < frames) {
    cycle->is_deaf = true;
    d->is_hearing = false;
    return watch_anew(d);
  }
  if (there > 2 * limit) slip(d, there - limit, cycle);
  for (int32_t c = 0; c < d->input_count; c++) {
    float *to = d->pieces + (size_t)c * RING, *ring = d->rings + (size_t)c * RING;
    for (uint32_t i = 0; i < frames; i++) to[i] = ring[(d->read + i) % RING];
  }
  d->read += frames;
  d->is_hearing = true;
  uint64_t left = d->written - d->read;
  if (left < d->least) d->least = left;
  d->watched += frames;
  if (d->watched < (uint64_t)d->rate) return;
  // Half a cycle stays, for what comes a little late.
  if (d->least >= frames) slip(d, d->least - frames / 2, cycle);
  watch_anew(d);
}

static void answer(cpw_device *d, pw_buffer *lent, const spa_clock *clock) {
  check_thread(d);
  uint64_t before = rt_denormals_off();
  spa_buffer *buffer = lent->buffer;
  uint32_t room = RING, count = 0;
  for (uint32_t i = 0; i < buffer->data_count && count < (uint32_t)d->output_count; i++, count++) {
    if (!buffer->datas[i].data) { room = 0; break; }
    if (buffer->datas[i].max_size / sizeof(float) < room) room = buffer->datas[i].max_size / sizeof(float);
    d->outputs[i] = buffer->datas[i].data;
  }
  uint64_t wanted = lent->requested ? lent->requested : clock ? clock->duration : room;
  rt_cycle cycle = {
    .frames = wanted < room ? (int64_t)wanted : room, .output_count = (int32_t)count, .input_count = d->input_count,
    .outputs = d->outputs, .inputs = d->inputs};
  place(d, clock, &cycle);
  if (cycle.frames > 0) {
    if (d->input_count > 0) take_captured(d, &cycle);
    d->calls.cycle(d->calls.context, &cycle);
    d->position = cycle.position + cycle.frames;
  }
  for (uint32_t i = 0; i < buffer->data_count; i++)
    *buffer->datas[i].chunk = (spa_chunk){.size = (uint32_t)cycle.frames * sizeof(float), .stride = sizeof(float)};
  lent->size = (uint64_t)cycle.frames;
  library.stream_queue_buffer(d->playback, lent);
  rt_denormals_restore(before);
}

static void play(void *data) {
  cpw_device *d = data;
  pw_buffer *lent = library.stream_dequeue_buffer(d->playback);
  if (!lent) return;
  __atomic_store_n(&d->is_playing, true, __ATOMIC_SEQ_CST);
  answer(d, lent, __atomic_load_n(&d->clock, __ATOMIC_SEQ_CST));
  __atomic_store_n(&d->is_playing, false, __ATOMIC_SEQ_CST);
}

static void capture(void *data) {
  cpw_device *d = data;
  pw_buffer *lent = library.stream_dequeue_buffer(d->capture);
  if (!lent) return;
  spa_buffer *buffer = lent->buffer;
  uint32_t frames = RING / 2;
  for (uint32_t i = 0; i < buffer->data_count; i++) {
    spa_data *from = &buffer->datas[i];
    uint32_t size = from->data && from->chunk->offset <= from->max_size ? from->max_size - from->chunk->offset : 0;
    if (from->chunk->size < size) size = from->chunk->size;
    if (size / sizeof(float) < frames) frames = size / sizeof(float);
  }
  if (d->written + frames - d->read > RING) d->read = d->written + frames - RING;
  for (int32_t c = 0; c < d->input_count; c++) {
    float *ring = d->rings + (size_t)c * RING;
    const float *from = NULL;
    if ((uint32_t)c < buffer->data_count) {
      spa_data *plane = &buffer->datas[c];
      from = (const float *)((const char *)plane->data + plane->chunk->offset);
    }
    for (uint32_t i = 0; i < frames; i++) ring[(d->written + i) % RING] = from ? from[i] : 0;
  }
  d->written += frames;
  d->chunk = frames;
  library.stream_queue_buffer(d->capture, lent);
}

static void state_is(void *data, int before, int state, const char *error) {
  cpw_device *d = data;
  bool streams = state == PW_STREAMING;
  __atomic_store_n(&d->is_streaming, streams, __ATOMIC_RELAXED);
  library.thread_loop_signal(d->connection.thread, false);
  // First, or a thread that looks in between would take the device for a sleeping one.
  if (state == PW_ERROR || (state == PW_UNCONNECTED && before > PW_UNCONNECTED)) d->calls.lost(d->calls.context);
  d->calls.paused(d->calls.context, !streams);
}

static void capture_state_is(void *data, int before, int state, const char *error) {
  cpw_device *d = data;
  bool captures = state == PW_STREAMING;
  d->has_captured |= captures;
  __atomic_store_n(&d->captures, captures, __ATOMIC_RELAXED);
  if (state != PW_ERROR && (state != PW_UNCONNECTED || before <= PW_UNCONNECTED)) return;
  // What has captured may do so again once it is opened anew. What never did would take the sound away again and again.
  if (d->has_captured) return d->calls.lost(d->calls.context);
  if (d->capture_code) return;
  strncpy(d->capture_text, error ? error : "the daemon has thrown the stream out", sizeof d->capture_text - 1);
  __atomic_store_n(&d->capture_code, EIO, __ATOMIC_RELEASE);
}

static void io_is(void *data, uint32_t id, void *area, uint32_t size) {
  cpw_device *d = data;
  if (id != SPA_IO_POSITION) return;
  __atomic_store_n(&d->clock, area && size >= sizeof(spa_clock) ? area : NULL, __ATOMIC_SEQ_CST);
  // The caller may free the memory of the last clock afterwards.
  while (__atomic_load_n(&d->is_playing, __ATOMIC_SEQ_CST)) sched_yield();
}

static void core_failed(void *data, uint32_t id, int sequence, int code, const char *message) {
  cpw_device *d = data;
  // Of object 0, the core, this is the connection's end.
  if (id == 0 && code == -EPIPE) d->calls.lost(d->calls.context);
}

static const pw_core_events core_events = {.error = core_failed};
static const pw_stream_events playback_events = {
  .version = 2, .state_changed = state_is, .io_changed = io_is, .process = play};
static const pw_stream_events capture_events = {
  .version = 2, .state_changed = capture_state_is, .process = capture};

static pod_format format_of(int32_t rate, int32_t channels, const uint32_t *places) {
  enum { ID = 3, INT = 4, ARRAY = 13, OBJECT = 15 };
  pod_format f = {
    .type = OBJECT, .object_type = 0x40003, .object_id = 3,
    .media_type = {1, 0, 4, ID, 1}, .media_subtype = {2, 0, 4, ID, 1}, .format = {0x10001, 0, 4, ID, 0x206},
    .rate = {0x10003, 0, 4, INT, (uint32_t)rate}, .channels = {0x10004, 0, 4, INT, (uint32_t)channels},
    .positions = {.key = 0x10005, .size = 8 + 4 * (uint32_t)channels, .type = ARRAY, .element_size = 4, .element_type = ID}};
  // The given positions; else left and right, or one in the middle; more channels have no known position: auxiliary.
  for (int32_t c = 0; c < channels; c++)
    f.positions.positions[c] = places ? places[c] : channels == 1 ? 2 : channels == 2 ? 3 + (uint32_t)c : 0x1000 + (uint32_t)c;
  uint32_t tail = 16 + 8 + (4 * (uint32_t)channels + 7) / 8 * 8;
  f.size = 8 + 5 * sizeof(pod_property) + tail;
  return f;
}

static void write_number(char *to, uint32_t number) {
  char digits[12];
  int count = 0;
  do { digits[count++] = (char)('0' + number % 10); number /= 10; } while (number);
  while (count) *to++ = digits[--count];
  *to = 0;
}

static void *make_stream(
    cpw_device *d, const cpw_wish *wish, bool captures, spa_hook *hook, const pw_stream_events *events) {
  const char *target = captures ? wish->capture_target : wish->target;
  int32_t channels = captures ? wish->inputs : wish->outputs;
  char latency[32], rate[32] = "1/";
  write_number(latency, (uint32_t)wish->period);
  strcat(latency, "/");
  write_number(latency + strlen(latency), (uint32_t)wish->rate);
  write_number(rate + 2, (uint32_t)wish->rate);
  void *properties = library.properties_new(
    "media.type", "Audio", "media.category", captures ? "Capture" : "Playback", "media.role", "Music",
    "node.name", wish->name, "node.latency", latency, "node.rate", rate, NULL);
  if (target && *target) library.properties_set(properties, "target.object", target);
  // What a session manager does for those that it links.
  if (target && !*target)
    library.properties_set(properties, "adapter.auto-port-config", "{ mode = dsp position = preserve }");
  void *stream = library.stream_new(d->connection.core, wish->name, properties);
  if (!stream) return NULL;
  library.stream_add_listener(stream, hook, events, d);
  pod_format format = format_of(wish->rate, channels, captures ? NULL : wish->places);
  const void *formats[] = {&format};
  int flags = PW_MAP_BUFFERS | PW_RT_PROCESS | (target && !*target ? 0 : PW_AUTOCONNECT);
  if (library.stream_connect(stream, captures ? PW_INPUT : PW_OUTPUT, PW_ANY, flags, formats, 1) < 0) {
    library.stream_destroy(stream);
    return NULL;
  }
  return stream;
}

static void release(cpw_device *d) {
  // Its own thread has stopped; destroying a stream takes it from the data thread.
  if (d->connection.thread) library.thread_loop_stop(d->connection.thread);
  if (d->playback) library.stream_destroy(d->playback);
  if (d->capture) library.stream_destroy(d->capture);
  cpw_part(&d->connection);
  free(d->outputs); free(d->inputs); free(d->rings); free(d->pieces);
  free(d);
}

cpw_device *cpw_open(const cpw_wish *wish, cpw_calls calls, int32_t *code) {
  cpw_device *d = calloc(1, sizeof *d);
  *d = (cpw_device){
    .calls = calls, .rate = wish->rate, .output_count = wish->outputs, .input_count = wish->inputs, .priority = -1,
    .outputs = calloc((size_t)wish->outputs + 1, sizeof(float *)), .inputs = calloc((size_t)wish->inputs + 1, sizeof(float *)),
    .rings = calloc((size_t)wish->inputs * RING + 1, sizeof(float)),
    .pieces = calloc((size_t)wish->inputs * RING + 1, sizeof(float))};
  for (int32_t c = 0; c < wish->inputs; c++) d->inputs[c] = d->pieces + (size_t)c * RING;
  watch_anew(d);
  *code = cpw_meet(&d->connection, wish->remote, &core_events, d);
  if (*code == 0) {
    d->playback = make_stream(d, wish, false, &d->playback_hook, &playback_events);
    if (wish->inputs > 0) d->capture = make_stream(d, wish, true, &d->capture_hook, &capture_events);
    if (!d->playback || (wish->inputs > 0 && !d->capture)) *code = EIO;
  }
  if (*code == 0) *code = cpw_start(&d->connection);
  if (*code == 0) return d;
  release(d);
  return NULL;
}

bool cpw_wait(cpw_device *d, int32_t milliseconds) {
  library.thread_loop_lock(d->connection.thread);
  bool streams = cpw_wait_for(&d->connection, &d->is_streaming, milliseconds);
  library.thread_loop_unlock(d->connection.thread);
  return streams;
}

int32_t cpw_capture_fault(const cpw_device *device, const char **text) {
  int32_t code = __atomic_load_n(&device->capture_code, __ATOMIC_ACQUIRE);
  *text = code ? device->capture_text : NULL;
  return code;
}

void cpw_close(cpw_device *device) { release(device); }
int32_t cpw_priority(const cpw_device *device) { return __atomic_load_n(&device->priority, __ATOMIC_RELAXED); }
