// Two plug-ins for tests. `trouble` turns its input up or down, and does what a plug-in must not when it is told to; `worker`
// asks its host to work out its gain.
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

const lv2_descriptor *lv2_descriptor_of(uint32_t index) __asm__("lv2_descriptor");
const lv2_descriptor *lv2_descriptor_of(uint32_t index) {
  static const lv2_descriptor all[] = {
      {"urn:carillon:test:trouble", make, connect, 0, run, 0, end, 0},
      {"urn:carillon:test:worker", make, connect, 0, run, 0, end, extension},
  };
  return index < 2 ? &all[index] : 0;
}
