#include <smf.h>

/* glibc declares it for _GNU_SOURCE only: libsmf saves to a named file, and this makes one in memory. */
extern int memfd_create(const char *name, unsigned int flags);
