#include "fluid_library.h"

#include <stdbool.h>
#include <string.h>

// Each thread's own: one may render, and complain, while another loads.
static _Thread_local char first[512];
static _Thread_local bool collects;

void rt_fluid_log(int level, const char *message, void *data) {
  (void)level, (void)data;
  if (!collects || first[0] || !message) return;
  strncpy(first, message, sizeof first - 1);
}

void rt_fluid_log_begin(void) {
  memset(first, 0, sizeof first);
  collects = true;
}

const char *rt_fluid_log_end(void) {
  collects = false;
  return first[0] ? first : NULL;
}
