#ifndef CARILLON_PLUGIN_GUARD_H
#define CARILLON_PLUGIN_GUARD_H
#include <stdatomic.h>
#include <stdint.h>

/// Where calls of the allocator are counted on this thread now; null outside a plug-in's `run`.
extern _Thread_local _Atomic int64_t *plugin_guard_count;
/// Lets the library that `code` lies in call the allocator through counters, if its table of imports is found.
void plugin_guard_watch(const void *code);
#endif
