#ifndef CARILLON_FILESYSTEM_H
#define CARILLON_FILESYSTEM_H
#include <stdbool.h>
#include <sys/vfs.h>

// Swift's Glibc has no statfs.

/// Whether the files of a folder are memory: those of tmpfs and ramfs. False where there is no such folder.
static inline bool filesystem_is_memory(const char *_Nonnull folder) {
  struct statfs status;
  return statfs(folder, &status) == 0 && (status.f_type == 0x01021994 || status.f_type == 0x858458f6);
}
#endif
