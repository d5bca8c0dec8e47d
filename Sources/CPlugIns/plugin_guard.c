// Counts the calls that a plug-in's library makes of the allocator inside `run`: glibc has no hooks for that any more, so the
// library's own table of imports (ELF: the global offset table) is made to point here. What it calls through other libraries
// is not seen.
#define _GNU_SOURCE
#include "plugin_guard.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Thread_local _Atomic int64_t *plugin_guard_count;

static inline void note(void) {
  if (plugin_guard_count) atomic_fetch_add_explicit(plugin_guard_count, 1, memory_order_relaxed);
}

// operator new and delete live in libstdc++, which the program is not linked to: what the table held before.
enum { NEW, NEW_ARRAY, DELETE, DELETE_ARRAY, DELETE_SIZED, DELETE_ARRAY_SIZED, OPERATORS };
static void *_Atomic operators[OPERATORS];

static void *counted_malloc(size_t n) { return note(), malloc(n); }
static void *counted_calloc(size_t n, size_t m) { return note(), calloc(n, m); }
static void *counted_realloc(void *p, size_t n) { return note(), realloc(p, n); }
static void counted_free(void *p) { note(), free(p); }
static int counted_posix_memalign(void **p, size_t a, size_t n) { return note(), posix_memalign(p, a, n); }
static void *counted_aligned_alloc(size_t a, size_t n) { return note(), aligned_alloc(a, n); }
static void *counted_new(size_t n) { return note(), ((void *(*)(size_t))operators[NEW])(n); }
static void *counted_new_array(size_t n) { return note(), ((void *(*)(size_t))operators[NEW_ARRAY])(n); }
static void counted_delete(void *p) { note(), ((void (*)(void *))operators[DELETE])(p); }
static void counted_delete_array(void *p) { note(), ((void (*)(void *))operators[DELETE_ARRAY])(p); }
static void counted_delete_sized(void *p, size_t n) { note(), ((void (*)(void *, size_t))operators[DELETE_SIZED])(p, n); }
static void counted_delete_array_sized(void *p, size_t n) {
  note(), ((void (*)(void *, size_t))operators[DELETE_ARRAY_SIZED])(p, n);
}

static const struct {
  const char *name;
  void *counted;
  int original;
} imports[] = {
    {"malloc", counted_malloc, -1}, {"calloc", counted_calloc, -1}, {"realloc", counted_realloc, -1},
    {"free", counted_free, -1}, {"posix_memalign", counted_posix_memalign, -1},
    {"aligned_alloc", counted_aligned_alloc, -1}, {"_Znwm", counted_new, NEW}, {"_Znam", counted_new_array, NEW_ARRAY},
    {"_ZdlPv", counted_delete, DELETE}, {"_ZdaPv", counted_delete_array, DELETE_ARRAY},
    {"_ZdlPvm", counted_delete_sized, DELETE_SIZED}, {"_ZdaPvm", counted_delete_array_sized, DELETE_ARRAY_SIZED},
};

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT };
#else
enum { SLOT = R_AARCH64_JUMP_SLOT, DATA = R_AARCH64_GLOB_DAT };
#endif

// The linker may have made the page read-only once it was filled.
static void redirect(void **slot, int import, const ElfW(Addr) *protected) {
  if (*slot == imports[import].counted) return;
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)slot & ~(size - 1);
  bool is_protected = (uintptr_t)slot >= protected[0] && (uintptr_t)slot < protected[1];
  if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return;
  if (imports[import].original >= 0) atomic_store(&operators[imports[import].original], *slot);
  __atomic_store_n(slot, imports[import].counted, __ATOMIC_RELEASE);
  if (is_protected) mprotect((void *)page, size, PROT_READ);
}

static int watch(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  uintptr_t code = (uintptr_t)context;
  bool is_inside = false;
  const ElfW(Dyn) *dynamic = NULL;
  ElfW(Addr) protected[2] = {0, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && code >= start && code < start + part->p_memsz) is_inside = true;
    if (part->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
    if (part->p_type == PT_GNU_RELRO) protected[0] = start, protected[1] = start + part->p_memsz;
  }
  if (!is_inside) return 0;
  const char *strings = NULL;
  const ElfW(Sym) *symbols = NULL;
  const ElfW(Rela) *tables[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0};
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
    case DT_STRTAB: strings = (const char *)dynamic->d_un.d_ptr; break;
    case DT_SYMTAB: symbols = (const ElfW(Sym) *)dynamic->d_un.d_ptr; break;
    case DT_JMPREL: tables[0] = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
    case DT_PLTRELSZ: sizes[0] = dynamic->d_un.d_val; break;
    case DT_RELA: tables[1] = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
    case DT_RELASZ: sizes[1] = dynamic->d_un.d_val; break;
    }
  }
  if (!strings || !symbols) return 1;
  for (int t = 0; t < 2; t++) {
    for (size_t i = 0; tables[t] && i < sizes[t] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela) *entry = &tables[t][i];
      if (ELF64_R_TYPE(entry->r_info) != SLOT && ELF64_R_TYPE(entry->r_info) != DATA) continue;
      const char *name = strings + symbols[ELF64_R_SYM(entry->r_info)].st_name;
      for (int k = 0; k < (int)(sizeof imports / sizeof *imports); k++) {
        if (strcmp(name, imports[k].name) == 0) redirect((void **)(info->dlpi_addr + entry->r_offset), k, protected);
      }
    }
  }
  return 1;
}

void plugin_guard_watch(const void *code) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  dl_iterate_phdr(watch, (void *)code);
  pthread_mutex_unlock(&turn);
}
