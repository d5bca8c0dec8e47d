#ifndef CARILLON_PIPEWIRE_ABI_H
#define CARILLON_PIPEWIRE_ABI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What of libpipewire-0.3's binary interface is used here, declared anew: the headers of PipeWire cannot be had without being
// linked with it. All of this may only grow at its ends.

typedef struct spa_link { struct spa_link *next, *prev; } spa_link;
typedef struct { const void *functions; void *data; } spa_callbacks;
/// An entry in a list of listeners; to be zero before it is given away.
typedef struct {
  spa_link link;
  spa_callbacks callbacks;
  void (*removed)(void *);
  void *rest;
} spa_hook;
/// What a proxy begins with.
typedef struct {
  const char *type;
  uint32_t version;
  spa_callbacks callbacks;
} spa_interface;
typedef struct { const char *key, *value; } spa_dict_item;
typedef struct {
  uint32_t flags, count;
  const spa_dict_item *items;
} spa_dict;

typedef struct { uint32_t offset, size; int32_t stride, flags; } spa_chunk;
typedef struct {
  uint32_t type, flags;
  int64_t fd;
  uint32_t map_offset, max_size;
  void *data;
  spa_chunk *chunk;
} spa_data;
typedef struct {
  uint32_t meta_count, data_count;
  void *metas;
  spa_data *datas;
} spa_buffer;
typedef struct {
  spa_buffer *buffer;
  void *user_data;
  uint64_t size, requested;
} pw_buffer;

/// The graph's clock: the beginning of spa_io_position.
typedef struct {
  uint32_t flags, id;
  char name[64];
  uint64_t nanoseconds;
  struct { uint32_t numerator, denominator; } rate;
  uint64_t position, duration;
  int64_t delay;
} spa_clock;
enum { SPA_CLOCK_FREEWHEELS = 1, SPA_IO_POSITION = 7 };

enum { PW_INPUT = 0, PW_OUTPUT = 1 };
enum { PW_AUTOCONNECT = 1, PW_MAP_BUFFERS = 4, PW_RT_PROCESS = 16 };
enum { PW_ERROR = -1, PW_UNCONNECTED = 0, PW_CONNECTING = 1, PW_PAUSED = 2, PW_STREAMING = 3 };
#define PW_ANY UINT32_MAX

/// Versions 0 and 2 of these tables: what came later is not looked for in them.
typedef struct {
  uint32_t version;
  void (*destroy)(void *);
  void (*state_changed)(void *, int before, int state, const char *error);
  void (*control_info)(void *, uint32_t, const void *);
  void (*io_changed)(void *, uint32_t id, void *area, uint32_t size);
  void (*param_changed)(void *, uint32_t, const void *);
  void (*add_buffer)(void *, pw_buffer *);
  void (*remove_buffer)(void *, pw_buffer *);
  void (*process)(void *);
  void (*drained)(void *);
  void (*command)(void *, const void *);
  void (*trigger_done)(void *);
} pw_stream_events;
typedef struct {
  uint32_t version;
  void (*info)(void *, const void *);
  void (*done)(void *, uint32_t id, int sequence);
  void (*ping)(void *, uint32_t, int);
  void (*error)(void *, uint32_t id, int sequence, int code, const char *message);
  void (*remove_id)(void *, uint32_t);
  void (*bound_id)(void *, uint32_t, uint32_t);
  void (*add_mem)(void *, uint32_t, uint32_t, int, uint32_t);
  void (*remove_mem)(void *, uint32_t);
} pw_core_events;
typedef struct {
  uint32_t version;
  int (*add_listener)(void *, spa_hook *, const pw_core_events *, void *);
  int (*hello)(void *, uint32_t);
  int (*sync)(void *, uint32_t id, int sequence);
  int (*pong)(void *, uint32_t, int);
  int (*error)(void *, uint32_t, int, int, const char *);
  void *(*get_registry)(void *, uint32_t version, size_t user_size);
} pw_core_methods;
typedef struct {
  uint32_t version;
  void (*global)(void *, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const spa_dict *);
  void (*global_remove)(void *, uint32_t);
} pw_registry_events;
typedef struct {
  uint32_t version;
  int (*add_listener)(void *, spa_hook *, const pw_registry_events *, void *);
} pw_registry_methods;

/// What streams play and capture: planar floats at a rate. An object of properties, each with its key, flags, and a value of
/// 4 bytes, padded to 8; at the end the names of the channels.
typedef struct { uint32_t key, flags, size, type, value, padding; } pod_property;
enum { POD_CHANNELS = 64 };
typedef struct {
  uint32_t size, type, object_type, object_id;
  pod_property media_type, media_subtype, format, rate, channels;
  struct { uint32_t key, flags, size, type, element_size, element_type, positions[POD_CHANNELS]; } positions;
} pod_format;
#endif
