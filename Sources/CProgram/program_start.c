#define _GNU_SOURCE
#include "program_start.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int count;

// Swift's runtime reads the arguments from /proc/self/cmdline, and goes on without any where that is not mounted. glibc hands
// what `main` gets to constructors too, which pass it to the runtime.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) __attribute__((weak));

__attribute__((constructor)) static void take_arguments(int argc, char **argv) {
  count = argc;
  if (_swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(argv, argc);
}

int program_argument_count(void) { return count; }

#ifndef CARILLON_BUILD
#define CARILLON_BUILD ""
#endif
const char *program_build(void) { return CARILLON_BUILD; }

int program_end_with_parent(int signal, int parent) {
  if (prctl(PR_SET_PDEATHSIG, signal) != 0) return -1;
  // It may have ended before that.
  return getppid() == parent ? 0 : -1;
}

int program_shared_memory(long long bytes) {
  int descriptor = memfd_create("carillon-batch", MFD_CLOEXEC);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, bytes) == 0) return descriptor;
  close(descriptor);
  return -1;
}

void program_limit_memory(long long bytes) {
  struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
  setrlimit(RLIMIT_DATA, &limit);
}

void program_give_back_memory(void) { malloc_trim(0); }
