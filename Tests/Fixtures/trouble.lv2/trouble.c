// Three plug-ins for tests. `trouble` turns its input up or down, and does what a plug-in must not when it is told to; `worker`
// asks its host to work out its gain; `clock` gives what it is told of the song's time, on the frame on which it is told.
#include "lv2_abi.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT_IN, RIGHT_IN, LEFT_OUT, RIGHT_OUT, GAIN, DEED, PORTS };
enum { NOTHING, ALLOCATE, NO_NUMBER, CRASH, HANG };

typedef struct {
  float *ports[PORTS];
  lv2_worker_schedule *worker;
  float gain;
  int has_asked;
} trouble;

static lv2_handle make(const lv2_descriptor *d, double rate, const char *bundle, const lv2_feature *const *features) {
  (void)rate, (void)bundle;
  trouble *t = calloc(1, sizeof *t);
  if (strstr(d->uri, "worker")) {
    for (; *features; features++) {
      if (!strcmp((*features)->uri, "http://lv2plug.in/ns/ext/worker#schedule")) t->worker = (*features)->data;
    }
  }
  return t;
}

static void connect(lv2_handle h, uint32_t port, void *place) { ((trouble *)h)->ports[port] = place; }

static void *volatile keep;

static void run(lv2_handle h, uint32_t frames) {
  trouble *t = h;
  int deed = (int)*t->ports[DEED];
  float gain = t->worker ? t->gain : *t->ports[GAIN];
  if (t->worker && !t->has_asked) {
    int what = 25;
    t->has_asked = t->worker->schedule(t->worker->handle, sizeof what, &what) == 0;
  }
  if (deed == ALLOCATE) {
    keep = malloc(1000);
    free(keep);
  }
  if (deed == CRASH) *(volatile int *)0 = 1;
  while (deed == HANG) sleep(1);
  for (uint32_t i = 0; i < frames; i++) {
    t->ports[LEFT_OUT][i] = deed == NO_NUMBER ? NAN : t->ports[LEFT_IN][i] * gain;
    t->ports[RIGHT_OUT][i] = t->ports[RIGHT_IN][i] * gain;
  }
}

static void end(lv2_handle h) { free(h); }

static int32_t work(lv2_handle h, lv2_worker_respond respond, void *handle, uint32_t size, const void *data) {
  (void)h, (void)size;
  float answer = (float)*(const int *)data / 100;
  return respond(handle, sizeof answer, &answer);
}

static int32_t answered(lv2_handle h, uint32_t size, const void *body) {
  (void)size;
  ((trouble *)h)->gain = *(const float *)body;
  return 0;
}

static const void *extension(const char *uri) {
  static const lv2_worker_interface worker = {work, answered, 0};
  return strcmp(uri, "http://lv2plug.in/ns/ext/worker#interface") ? 0 : &worker;
}

// What `clock` has been told, in the order of its choice; and how often.
static const char *const told_names[] = {
    "speed", "frame", "bar", "barBeat", "beat", "beatUnit", "beatsPerBar", "beatsPerMinute"};
enum { TOLD = sizeof told_names / sizeof *told_names, CLOCK_PORTS = 4 };
enum { TIME_IN, CLOCK_LEFT, CLOCK_RIGHT, CLOCK_FIELD };

typedef struct {
  void *ports[CLOCK_PORTS];
  uint32_t position, names[TOLD], object, whole, long_whole, number, double_number;
  float told[TOLD], count;
} clock_of_song;

static lv2_handle make_clock(const lv2_descriptor *d, double rate, const char *bundle, const lv2_feature *const *features) {
  (void)d, (void)rate, (void)bundle;
  clock_of_song *c = calloc(1, sizeof *c);
  const lv2_urid_map *map = 0;
  for (; *features; features++) {
    if (!strcmp((*features)->uri, "http://lv2plug.in/ns/ext/urid#map")) map = (*features)->data;
  }
  if (!map) return 0;
  const char time[] = "http://lv2plug.in/ns/ext/time#", atom[] = "http://lv2plug.in/ns/ext/atom#";
  char uri[100];
#define URID(start, name) (strcpy(uri, start), strcat(uri, name), map->map(map->handle, uri))
  for (int i = 0; i < TOLD; i++) c->names[i] = URID(time, told_names[i]);
  c->position = URID(time, "Position");
  c->object = URID(atom, "Object");
  c->whole = URID(atom, "Int");
  c->long_whole = URID(atom, "Long");
  c->number = URID(atom, "Float");
  c->double_number = URID(atom, "Double");
  return c;
}

static void connect_clock(lv2_handle h, uint32_t port, void *place) { ((clock_of_song *)h)->ports[port] = place; }

// The value of a property, of whichever of the four kinds.
static float value_of(const clock_of_song *c, const lv2_property *property) {
  const void *body = property + 1;
  if (property->value.type == c->number) return *(const float *)body;
  if (property->value.type == c->double_number) return (float)*(const double *)body;
  if (property->value.type == c->long_whole) return (float)*(const int64_t *)body;
  return property->value.type == c->whole ? (float)*(const int32_t *)body : NAN;
}

static void hear(clock_of_song *c, const lv2_event *event) {
  const lv2_object *object = (const lv2_object *)&event->body;
  if (object->atom.type != c->object || object->kind != c->position) return;
  c->count += 1;
  const uint8_t *end = (const uint8_t *)&object->atom + sizeof object->atom + object->atom.size;
  for (const uint8_t *place = (const uint8_t *)(object + 1); place < end;) {
    const lv2_property *property = (const lv2_property *)place;
    for (int i = 0; i < TOLD; i++) {
      if (property->key == c->names[i]) c->told[i] = value_of(c, property);
    }
    place += sizeof *property + ((property->value.size + 7) & ~7u);
  }
}

static void run_clock(lv2_handle h, uint32_t frames) {
  clock_of_song *c = h;
  const lv2_sequence *sequence = c->ports[TIME_IN];
  float *left = c->ports[CLOCK_LEFT], *right = c->ports[CLOCK_RIGHT];
  int field = (int)*(float *)c->ports[CLOCK_FIELD];
  const uint8_t *place = (const uint8_t *)(sequence + 1), *end = place + sequence->atom.size - 8;
  for (uint32_t i = 0; i < frames; i++) {
    while (place < end && ((const lv2_event *)place)->frames <= i) {
      hear(c, (const lv2_event *)place);
      place += sizeof(lv2_event) + ((((const lv2_event *)place)->body.size + 7) & ~7u);
    }
    left[i] = c->told[field];
    right[i] = c->count;
  }
}

const lv2_descriptor *lv2_descriptor_of(uint32_t index) __asm__("lv2_descriptor");
const lv2_descriptor *lv2_descriptor_of(uint32_t index) {
  static const lv2_descriptor all[] = {
      {"urn:carillon:test:trouble", make, connect, 0, run, 0, end, 0},
      {"urn:carillon:test:worker", make, connect, 0, run, 0, end, extension},
      {"urn:carillon:test:clock", make_clock, connect_clock, 0, run_clock, 0, end, 0},
  };
  return index < 3 ? &all[index] : 0;
}
