#include "sofa.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// How libmysofa 1 lays out what it read, as far as it is looked at here.
struct array { float *values; unsigned elements; void *attributes; };
struct head {
  unsigned one, coordinates, receivers, emitters, samples, measurements;
  struct array listener, receiver, source, emitter, up, view, responses, rate, delays;
};

struct calls {
  struct head *(*load)(const char *, int *);
  int (*check)(struct head *);
  void (*to_cartesian)(struct head *);
  void (*free)(struct head *);
};

// The library stays: it is loaded once, and closing it gains nothing.
static int load_calls(struct calls *calls) {
  void *library = dlopen("libmysofa.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define CALL(name, symbol) calls->name = (__typeof__(calls->name))dlsym(library, symbol)
  CALL(load, "mysofa_load");
  CALL(check, "mysofa_check");
  CALL(to_cartesian, "mysofa_tocartesian");
  CALL(free, "mysofa_free");
#undef CALL
  return calls->load && calls->check && calls->to_cartesian && calls->free;
}

sofa_outcome sofa_open(const char *path, sofa_contents *contents, int32_t *code) {
  struct calls calls;
  memset(contents, 0, sizeof *contents);
  *code = 0;
  if (!load_calls(&calls)) return SOFA_NO_LIBRARY;
  int error = 0;
  struct head *head = calls.load(path, &error);
  *code = error;
  // The library's own codes begin at 10000; below stand those of the system, and its internal error is -1.
  if (!head) return error > 0 && error < 10000 ? SOFA_UNREADABLE : SOFA_DAMAGED;
  *code = calls.check(head);
  uint64_t count = (uint64_t)head->measurements * 2, length = head->samples;
  int is_whole = *code == 0 && head->receivers == 2 && count > 0 && length > 0 && head->rate.elements >= 1
    && head->responses.elements == count * length && head->source.elements == count / 2 * 3
    && (head->delays.elements == 2 || head->delays.elements == count);
  if (!is_whole) {
    calls.free(head);
    return SOFA_DAMAGED;
  }
  calls.to_cartesian(head);
  contents->directions = head->measurements;
  contents->length = head->samples;
  contents->sample_rate = head->rate.values[0];
  contents->places = head->source.values;
  contents->responses = head->responses.values;
  contents->delays = head->delays.values;
  contents->delay_count = head->delays.elements;
  contents->handle = head;
  return SOFA_READ;
}

void sofa_close(sofa_contents *contents) {
  struct calls calls;
  if (contents->handle && load_calls(&calls)) calls.free(contents->handle);
  memset(contents, 0, sizeof *contents);
}
