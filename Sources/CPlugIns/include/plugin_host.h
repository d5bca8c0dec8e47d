#ifndef CARILLON_PLUGIN_HOST_H
#define CARILLON_PLUGIN_HOST_H
#include "lv2_abi.h"
#include "plugin_position.h"
#include "realtime.h"

// What stands around one instance of a plug-in: the features that it is offered, its event ports, its worker's two queues, and
// the calls that the render side makes.

typedef struct plugin_host plugin_host;

/// The number of a URI, the same for every plug-in of the process. Any thread; it may wait.
uint32_t plugin_urid(const char *_Nonnull uri);
/// The feature urid:map as lilv wants it for states.
lv2_urid_map *_Nonnull plugin_urid_map(void);

/// Features for an instance at `rate` hertz that is asked for at most `frames` frames at once. Null: out of memory. Control
/// side.
plugin_host *_Nullable plugin_host_new(double rate, int32_t frames);
/// What the instance is made with, a null behind the last.
const lv2_feature *_Nullable const *_Nonnull plugin_host_features(plugin_host *_Nonnull host);
/// Takes the instance in. Allocations that its own library makes inside `run` are counted from now on. Control side, once.
void plugin_host_adopt(plugin_host *_Nonnull host, const lv2_descriptor *_Nonnull descriptor, lv2_handle _Nonnull handle);
/// Gives an event port memory; MIDI goes to those of music, the song's time to those that take it. False: out of memory.
/// Control side.
bool plugin_host_add_events(
    plugin_host *_Nonnull host, uint32_t port, uint32_t bytes, bool is_input, bool is_music, bool takes_time);
/// activate and deactivate, in turn. Control side.
void plugin_host_activate(plugin_host *_Nonnull host);
void plugin_host_deactivate(plugin_host *_Nonnull host);
/// Both, for an instance that is to forget what it has heard. Control side.
void plugin_host_restart(plugin_host *_Nonnull host);
/// Ends what stands around the instance, which is ended first. Control side.
void plugin_host_free(plugin_host *_Nonnull host);
/// Does what the instance has asked to be done outside `run`. Control side, one thread at a time; it may run beside the
/// render side.
void plugin_host_work(plugin_host *_Nonnull host);
/// Calls of the allocator from inside `run`, so far. Any thread.
RT_SAFE int64_t plugin_host_allocations(const plugin_host *_Nonnull host);

/// Bytes of MIDI, at most 16, for the first frame of the next run. False: the port is full, or there is none. Render side.
RT_SAFE bool plugin_host_midi(plugin_host *_Nonnull host, const uint8_t *_Nonnull bytes, uint32_t count);

/// Tunes a key by the MIDI Tuning Standard: a semitone, and 14 bits of the next one. As `plugin_host_midi`. Render side.
RT_SAFE bool plugin_host_tune(plugin_host *_Nonnull host, uint8_t key, uint8_t semitone, uint8_t upper, uint8_t lower);

/// Tells the song's time, for the first frame of the next run, before all else that happens there. False: a port is full.
/// Render side.
RT_SAFE bool plugin_host_position(plugin_host *_Nonnull host, const plugin_position *_Nonnull position);

void plugin_host_connect_unproven(plugin_host *_Nonnull host, uint32_t port, float *_Nullable location);
void plugin_host_run_unproven(plugin_host *_Nonnull host, uint32_t frames);
// A plug-in is third-party code, and nothing proves what it does: LV2 requires of connect_port and run what Carillon requires
// of its own units, and the count of allocations shows a plug-in that does otherwise.
/// Says where a port's values are.
RT_TRUSTED(void plugin_host_connect(plugin_host *_Nonnull host, uint32_t port, float *_Nullable location),
  plugin_host_connect_unproven(host, port, location))
/// Makes `frames` frames, 1 and up, and hands in what the worker has answered.
RT_TRUSTED(void plugin_host_run(plugin_host *_Nonnull host, uint32_t frames), plugin_host_run_unproven(host, frames))
#endif
