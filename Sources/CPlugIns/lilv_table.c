#include "lilv_table.h"
#include <dlfcn.h>
#include <stddef.h>

static const char *const names[] = {
#define LILV_NAME(result, name, arguments) "lilv_" #name,
    LILV_FUNCTIONS(LILV_NAME)};

const char *lilv_table_load(lilv_table *table) {
  void *library = dlopen("liblilv-0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  // A table of nothing but pointers to functions, in the order of the names.
  void **places = (void **)table;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    places[i] = dlsym(library, names[i]);
    if (!places[i]) return dlerror();
  }
  return NULL;
}
