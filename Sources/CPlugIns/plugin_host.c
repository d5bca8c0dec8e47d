#include "plugin_host.h"
#include "byte_queue.h"
#include "plugin_guard.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_PORTS = 16, FEATURES = 12, MOST_URIS = 1 << 14, FULL = 3, SUCCESS = 0, UNKNOWN = 1 };

typedef struct {
  lv2_sequence *sequence;
  uint32_t port, capacity;
  bool is_input, is_music, takes_time;
} event_port;

// Numbers for what time:Position says, and for the kinds of its values.
typedef struct {
  uint32_t position, frame, speed, bar, bar_beat, beat, beat_unit, beats_per_bar, tempo;
  uint32_t object, whole, long_whole, number, double_number;
} time_urids;

struct plugin_host {
  const lv2_descriptor *descriptor;
  lv2_handle handle;
  const lv2_worker_interface *worker;
  uint32_t midi, sequence, chunk;
  time_urids time;
  event_port events[EVENT_PORTS];
  int event_count;
  bool is_active;
  _Atomic int64_t allocations;
  byte_queue requests, responses;
  // Requests are read into one, responses into the other: two threads.
  uint8_t request[BYTE_QUEUE_SIZE], response[BYTE_QUEUE_SIZE];
  lv2_urid_map map;
  lv2_urid_unmap unmap;
  lv2_worker_schedule schedule;
  lv2_log log;
  int32_t least, most, nominal, event_bytes;
  float rate;
  lv2_option options[6];
  lv2_feature features[FEATURES];
  const lv2_feature *list[FEATURES + 1];
};

// MARK: Numbers for URIs. What has a number keeps it for the life of the process.

static pthread_mutex_t uri_turn = PTHREAD_MUTEX_INITIALIZER;
static char *uris[MOST_URIS];
static _Atomic uint32_t uri_count;

uint32_t plugin_urid(const char *uri) {
  pthread_mutex_lock(&uri_turn);
  uint32_t count = atomic_load(&uri_count), number = 0;
  for (uint32_t i = 0; i < count && !number; i++) {
    if (strcmp(uris[i], uri) == 0) number = i + 1;
  }
  if (!number && count < MOST_URIS && (uris[count] = strdup(uri))) {
    number = count + 1;
    atomic_store(&uri_count, number);
  }
  pthread_mutex_unlock(&uri_turn);
  return number;
}

static uint32_t map_uri(void *handle, const char *uri) { return (void)handle, plugin_urid(uri); }

static const char *unmap_uri(void *handle, uint32_t number) {
  (void)handle;
  return number > 0 && number <= atomic_load(&uri_count) ? uris[number - 1] : NULL;
}

lv2_urid_map *plugin_urid_map(void) {
  static lv2_urid_map map = {NULL, map_uri};
  return &map;
}

// MARK: What a plug-in says

static int say_list(void *handle, uint32_t type, const char *format, va_list arguments) {
  (void)type;
  (void)handle;
  // The text is not kept; inside run it is not even formatted, which may allocate.
  return plugin_guard_count ? 0 : vsnprintf(NULL, 0, format, arguments);
}

static int say(void *handle, uint32_t type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = say_list(handle, type, format, arguments);
  va_end(arguments);
  return result;
}

// MARK: The worker: asked by the render side, at work on the control side, answered at the end of a run

static int32_t schedule(void *handle, uint32_t size, const void *data) {
  plugin_host *host = handle;
  return byte_queue_push(&host->requests, data, size) ? SUCCESS : FULL;
}

static int32_t respond(void *handle, uint32_t size, const void *data) {
  plugin_host *host = handle;
  return byte_queue_push(&host->responses, data, size) ? SUCCESS : FULL;
}

void plugin_host_work(plugin_host *host) {
  if (!host->worker) return;
  int64_t size;
  while ((size = byte_queue_pop(&host->requests, host->request, sizeof host->request)) >= 0) {
    host->worker->work(host->handle, respond, host, (uint32_t)size, host->request);
  }
}

// MARK: Life

static void add_option(plugin_host *host, int place, const char *key, const char *type, const void *value) {
  host->options[place] = (lv2_option){0, 0, plugin_urid(key), 4, plugin_urid(type), value};
}

static time_urids map_time(void) {
#define TIME(name) plugin_urid("http://lv2plug.in/ns/ext/time#" name)
#define ATOM(name) plugin_urid("http://lv2plug.in/ns/ext/atom#" name)
  return (time_urids){
      TIME("Position"), TIME("frame"), TIME("speed"), TIME("bar"), TIME("barBeat"), TIME("beat"), TIME("beatUnit"),
      TIME("beatsPerBar"), TIME("beatsPerMinute"), ATOM("Object"), ATOM("Int"), ATOM("Long"), ATOM("Float"), ATOM("Double")};
#undef TIME
#undef ATOM
}

plugin_host *plugin_host_new(double rate, int32_t frames) {
  plugin_host *host = calloc(1, sizeof *host);
  if (!host) return NULL;
  host->midi = plugin_urid("http://lv2plug.in/ns/ext/midi#MidiEvent");
  host->sequence = plugin_urid("http://lv2plug.in/ns/ext/atom#Sequence");
  host->chunk = plugin_urid("http://lv2plug.in/ns/ext/atom#Chunk");
  host->time = map_time();
  host->map = *plugin_urid_map();
  host->unmap = (lv2_urid_unmap){NULL, unmap_uri};
  host->schedule = (lv2_worker_schedule){host, schedule};
  host->log = (lv2_log){host, say, say_list};
  host->least = 1;
  host->most = host->nominal = frames;
  host->event_bytes = 8192;
  host->rate = (float)rate;
  const char *whole = "http://lv2plug.in/ns/ext/atom#Int";
  add_option(host, 0, "http://lv2plug.in/ns/ext/buf-size#minBlockLength", whole, &host->least);
  add_option(host, 1, "http://lv2plug.in/ns/ext/buf-size#maxBlockLength", whole, &host->most);
  add_option(host, 2, "http://lv2plug.in/ns/ext/buf-size#nominalBlockLength", whole, &host->nominal);
  add_option(host, 3, "http://lv2plug.in/ns/ext/buf-size#sequenceSize", whole, &host->event_bytes);
  add_option(host, 4, "http://lv2plug.in/ns/ext/parameters#sampleRate", "http://lv2plug.in/ns/ext/atom#Float", &host->rate);
  const lv2_feature offered[] = {
      {"http://lv2plug.in/ns/ext/urid#map", &host->map},
      {"http://lv2plug.in/ns/ext/urid#unmap", &host->unmap},
      {"http://lv2plug.in/ns/ext/options#options", host->options},
      {"http://lv2plug.in/ns/ext/worker#schedule", &host->schedule},
      {"http://lv2plug.in/ns/ext/log#log", &host->log},
      {"http://lv2plug.in/ns/ext/buf-size#boundedBlockLength", NULL},
      {"http://lv2plug.in/ns/ext/state#loadDefaultState", NULL},
  };
  for (size_t i = 0; i < sizeof offered / sizeof *offered; i++) {
    host->features[i] = offered[i];
    host->list[i] = &host->features[i];
  }
  return host;
}

const lv2_feature *const *plugin_host_features(plugin_host *host) { return host->list; }

void plugin_host_adopt(plugin_host *host, const lv2_descriptor *descriptor, lv2_handle handle) {
  host->descriptor = descriptor;
  host->handle = handle;
  if (descriptor->extension_data) {
    host->worker = descriptor->extension_data("http://lv2plug.in/ns/ext/worker#interface");
  }
  plugin_guard_watch((const void *)descriptor->run);
}

bool plugin_host_add_events(
    plugin_host *host, uint32_t port, uint32_t bytes, bool is_input, bool is_music, bool takes_time) {
  uint32_t capacity = ((bytes > 8192 ? bytes : 8192) + 7) & ~7u;
  lv2_sequence *sequence = host->event_count < EVENT_PORTS ? calloc(1, sizeof *sequence + capacity) : NULL;
  if (!sequence) return false;
  *sequence = (lv2_sequence){{8, host->sequence}, 0, 0};
  host->events[host->event_count++] = (event_port){sequence, port, capacity, is_input, is_music, takes_time};
  host->descriptor->connect_port(host->handle, port, sequence);
  return true;
}

void plugin_host_activate(plugin_host *host) {
  if (!host->is_active && host->descriptor->activate) host->descriptor->activate(host->handle);
  host->is_active = true;
}

void plugin_host_deactivate(plugin_host *host) {
  if (host->is_active && host->descriptor->deactivate) host->descriptor->deactivate(host->handle);
  host->is_active = false;
}

void plugin_host_restart(plugin_host *host) {
  for (int i = 0; i < host->event_count; i++) {
    if (host->events[i].is_input) host->events[i].sequence->atom = (lv2_atom){8, host->sequence};
  }
  plugin_host_deactivate(host);
  plugin_host_activate(host);
}

void plugin_host_free(plugin_host *host) {
  for (int i = 0; i < host->event_count; i++) free(host->events[i].sequence);
  free(host);
}

RT_SAFE int64_t plugin_host_allocations(const plugin_host *host) {
  return atomic_load_explicit(&((plugin_host *)host)->allocations, memory_order_relaxed);
}


// MARK: Render side

RT_SAFE bool plugin_host_midi(plugin_host *host, const uint8_t *bytes, uint32_t count) {
  bool is_taken = false;
  for (int i = 0; i < host->event_count; i++) {
    event_port *port = &host->events[i];
    uint32_t used = port->sequence->atom.size - 8, wanted = (uint32_t)sizeof(lv2_event) + ((count + 7) & ~7u);
    if (!port->is_music || count > 16 || used + wanted > port->capacity) continue;
    uint8_t *place = (uint8_t *)(port->sequence + 1) + used;
    lv2_event event = {0, {count, host->midi}};
    rt_copy_bytes(place, &event, sizeof event);
    rt_copy_bytes(place + sizeof event, bytes, count);
    port->sequence->atom.size += wanted;
    is_taken = true;
  }
  return is_taken;
}

RT_SAFE bool plugin_host_tune(plugin_host *host, uint8_t key, uint8_t semitone, uint8_t upper, uint8_t lower) {
  const uint8_t message[12] = {0xF0, 0x7F, 0x7F, 0x08, 0x02, 0, 1, key, semitone, upper, lower, 0xF7};
  return plugin_host_midi(host, message, sizeof message);
}

// The properties of a position, one behind the other; each takes 24 bytes.
typedef struct {
  uint8_t bytes[8 * 24];
  uint32_t size;
} property_list;

RT_SAFE static void add_property(property_list *list, uint32_t key, uint32_t type, const void *value, uint32_t size) {
  lv2_property property = {key, 0, {size, type}};
  rt_copy_bytes(list->bytes + list->size, &property, sizeof property);
  rt_copy_bytes(list->bytes + list->size + sizeof property, value, size);
  list->size += sizeof property + 8;
}

RT_SAFE static void add_float(property_list *list, const time_urids *t, uint32_t key, double value) {
  float number = (float)value;
  add_property(list, key, t->number, &number, sizeof number);
}

RT_SAFE bool plugin_host_position(plugin_host *host, const plugin_position *position) {
  const time_urids *t = &host->time;
  property_list list = {{0}, 0};
  add_float(&list, t, t->speed, position->is_running ? 1 : 0);
  if (position->is_running) {
    add_property(&list, t->frame, t->long_whole, &position->frame, sizeof position->frame);
    add_property(&list, t->bar, t->long_whole, &position->bar, sizeof position->bar);
    add_float(&list, t, t->bar_beat, position->bar_beat);
    add_property(&list, t->beat, t->double_number, &position->beat, sizeof position->beat);
  }
  add_property(&list, t->beat_unit, t->whole, &position->unit, sizeof position->unit);
  add_float(&list, t, t->beats_per_bar, position->beats);
  add_float(&list, t, t->tempo, position->tempo);
  lv2_object object = {{(uint32_t)(sizeof object - sizeof object.atom) + list.size, t->object}, 0, t->position};
  const int64_t frames = 0;
  uint32_t wanted = (uint32_t)(sizeof frames + sizeof object) + list.size;
  bool is_taken = true;
  for (int i = 0; i < host->event_count; i++) {
    event_port *port = &host->events[i];
    if (!port->takes_time) continue;
    uint32_t used = port->sequence->atom.size - 8;
    if (used + wanted > port->capacity) {
      is_taken = false;
      continue;
    }
    // What came before happens on the same frame: it moves behind.
    uint8_t *place = (uint8_t *)(port->sequence + 1);
    for (uint32_t byte = used; byte > 0; byte--) place[byte - 1 + wanted] = place[byte - 1];
    rt_copy_bytes(place, &frames, sizeof frames);
    rt_copy_bytes(place + sizeof frames, &object, sizeof object);
    rt_copy_bytes(place + sizeof frames + sizeof object, list.bytes, list.size);
    port->sequence->atom.size += wanted;
  }
  return is_taken;
}

void plugin_host_connect_unproven(plugin_host *host, uint32_t port, float *location) {
  host->descriptor->connect_port(host->handle, port, location);
}

void plugin_host_run_unproven(plugin_host *host, uint32_t frames) {
  for (int i = 0; i < host->event_count; i++) {
    event_port *port = &host->events[i];
    // An output says how much room there is.
    if (!port->is_input) port->sequence->atom = (lv2_atom){port->capacity + 8, host->chunk};
  }
  plugin_guard_count = &host->allocations;
  host->descriptor->run(host->handle, frames);
  if (host->worker) {
    int64_t size;
    while ((size = byte_queue_pop(&host->responses, host->response, sizeof host->response)) >= 0) {
      if (host->worker->response) host->worker->response(host->handle, (uint32_t)size, host->response);
    }
    if (host->worker->end_run) host->worker->end_run(host->handle);
  }
  plugin_guard_count = NULL;
  for (int i = 0; i < host->event_count; i++) {
    if (host->events[i].is_input) host->events[i].sequence->atom = (lv2_atom){8, host->sequence};
  }
}
