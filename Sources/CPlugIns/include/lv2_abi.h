#ifndef CARILLON_LV2_ABI_H
#define CARILLON_LV2_ABI_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

// What a plug-in and its host hand each other, laid out as the specifications of LV2 1.18 (https://lv2plug.in/ns) fix it for
// good: core, atom, urid, options, worker, log, time. Written down here, so that no header of LV2 is wanted to build.

/// An instance, known to the plug-in alone.
typedef void *lv2_handle;
/// Something that a host offers, or a plug-in asks for, by its URI.
typedef struct {
  const char *_Nonnull uri;
  void *_Nullable data;
} lv2_feature;
/// A plug-in's functions.
typedef struct lv2_descriptor {
  const char *_Nonnull uri;
  lv2_handle _Nullable (*_Nonnull instantiate)(
      const struct lv2_descriptor *_Nonnull, double rate, const char *_Nonnull bundle,
      const lv2_feature *_Nullable const *_Nonnull);
  void (*_Nonnull connect_port)(lv2_handle _Nonnull, uint32_t port, void *_Nullable location);
  void (*_Nullable activate)(lv2_handle _Nonnull);
  void (*_Nonnull run)(lv2_handle _Nonnull, uint32_t frames);
  void (*_Nullable deactivate)(lv2_handle _Nonnull);
  void (*_Nonnull cleanup)(lv2_handle _Nonnull);
  const void *_Nullable (*_Nullable extension_data)(const char *_Nonnull uri);
} lv2_descriptor;

/// A piece of data with its type; the data stand behind it.
typedef struct {
  uint32_t size, type;
} lv2_atom;
/// Events in order of time, each at a multiple of eight bytes.
typedef struct {
  lv2_atom atom;
  uint32_t unit, pad;
} lv2_sequence;
/// One of them: a frame of the call, and what happens there.
typedef struct {
  int64_t frames;
  lv2_atom body;
} lv2_event;

/// An object: what it is, and a list of properties, each at a multiple of eight bytes.
typedef struct {
  lv2_atom atom;
  uint32_t id, kind;
} lv2_object;
/// One of them; the value's data stand behind it.
typedef struct {
  uint32_t key, context;
  lv2_atom value;
} lv2_property;

/// urid:map and urid:unmap: numbers for URIs.
typedef struct {
  void *_Nullable handle;
  uint32_t (*_Nonnull map)(void *_Nullable handle, const char *_Nonnull uri);
} lv2_urid_map;
typedef struct {
  void *_Nullable handle;
  const char *_Nullable (*_Nonnull unmap)(void *_Nullable handle, uint32_t urid);
} lv2_urid_unmap;
/// options:options: what the host has settled; a list ends with a key of 0.
typedef struct {
  int32_t context;
  uint32_t subject, key, size, type;
  const void *_Nullable value;
} lv2_option;
/// worker:schedule and worker:interface: what takes too long for `run`. 0 is success.
typedef struct {
  void *_Nullable handle;
  int32_t (*_Nonnull schedule)(void *_Nullable handle, uint32_t size, const void *_Nullable data);
} lv2_worker_schedule;
typedef int32_t (*lv2_worker_respond)(void *_Nullable handle, uint32_t size, const void *_Nullable data);
typedef struct {
  int32_t (*_Nonnull work)(
      lv2_handle _Nonnull, lv2_worker_respond _Nonnull, void *_Nullable, uint32_t size, const void *_Nullable data);
  int32_t (*_Nullable response)(lv2_handle _Nonnull, uint32_t size, const void *_Nullable body);
  int32_t (*_Nullable end_run)(lv2_handle _Nonnull);
} lv2_worker_interface;
/// log:log: what a plug-in has to say.
typedef struct {
  void *_Nullable handle;
  int (*_Nonnull print)(void *_Nullable handle, uint32_t type, const char *_Nonnull format, ...);
  int (*_Nonnull vprint)(void *_Nullable handle, uint32_t type, const char *_Nonnull format, va_list);
} lv2_log;
#endif
