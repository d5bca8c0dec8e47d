#ifndef CARILLON_PLUGIN_LINK_H
#define CARILLON_PLUGIN_LINK_H
#include "plugin_position.h"
#include "realtime.h"

// Memory that a plug-in's process and ours have in common: what is to be heard goes in by frames, what was made of it comes
// back by frames. Neither side waits for the other on a render thread: what is not there in time is silence, and counted.

/// Ports that a plug-in may have.
enum { PLUGIN_LINK_PORTS = 4096 };

typedef enum : uint32_t { PLUGIN_LINK_STARTING, PLUGIN_LINK_READY, PLUGIN_LINK_FAILED } plugin_link_state;
typedef enum : uint32_t {
  PLUGIN_LINK_MIDI,
  /// A key, and its pitch by the MIDI Tuning Standard.
  PLUGIN_LINK_TUNE,
  PLUGIN_LINK_CONTROL,
  PLUGIN_LINK_RESET,
  /// One number of a position; the last of them tells it.
  PLUGIN_LINK_TIME,
  /// Nothing but the end of a call: the plug-in's runs end there too, whenever they are made.
  PLUGIN_LINK_END
} plugin_link_kind;

typedef struct plugin_link plugin_link;

/// New memory for a plug-in of so many channels, whose rings hold `ring` frames, a power of two; its file descriptor into
/// `file`. Null: the system has none. Control side.
plugin_link *_Nullable plugin_link_new(int32_t inputs, int32_t outputs, int32_t ring, int32_t *_Nonnull file);
/// The memory behind a file descriptor; null where there is none. Control side.
plugin_link *_Nullable plugin_link_open(int32_t file);
/// Gives it back; the file descriptor too. Control side.
void plugin_link_close(plugin_link *_Nonnull link, int32_t file);
/// Wakes the process, for an immediate answer. Control side.
void plugin_link_wake(plugin_link *_Nonnull link);
/// Waits until the process has answered again since `seen`, at most so many milliseconds. Control side.
void plugin_link_wait_answer(plugin_link *_Nonnull link, uint32_t seen, int32_t milliseconds);
/// The other side: `made` frames are ready; waiting threads are woken.
void plugin_link_answer(plugin_link *_Nonnull link, int64_t made);

/// Frames that were given and made, allocations inside `run`, crashes so far; whether it is ready.
RT_SAFE int64_t plugin_link_given(const plugin_link *_Nonnull link);
RT_SAFE int64_t plugin_link_made(const plugin_link *_Nonnull link);
RT_SAFE int64_t plugin_link_allocations(const plugin_link *_Nonnull link);
RT_SAFE int64_t plugin_link_crashes(const plugin_link *_Nonnull link);
/// How many of the frames from `start` up to `end` no process has made, because what they were given ended two of them.
RT_SAFE int64_t plugin_link_skipped(const plugin_link *_Nonnull link, int64_t start, int64_t end);
RT_SAFE bool plugin_link_is_ready(const plugin_link *_Nonnull link);
/// A control port's value.
RT_SAFE float plugin_link_value(const plugin_link *_Nonnull link, uint32_t port);
RT_SAFE void plugin_link_set_value(plugin_link *_Nonnull link, uint32_t port, float value);
/// The same for those who may wait. Control side.
void plugin_link_set_state(plugin_link *_Nonnull link, plugin_link_state state);
int64_t plugin_link_latency(const plugin_link *_Nonnull link);
void plugin_link_set_latency(plugin_link *_Nonnull link, int64_t frames);
uint32_t plugin_link_seen_answer(const plugin_link *_Nonnull link);
/// One crash more.
void plugin_link_count_crash(plugin_link *_Nonnull link);
/// Starts `program` with the arguments `plug-in-child` and its file, the memory, as number 3; a group and no terminal of its
/// own. Returns 0 and its number, or why not. Control side.
int32_t plugin_link_spawn(const char *_Nonnull program, int32_t file, int32_t *_Nonnull process);
/// Whether a process that was started has ended: then its status is taken. Control side.
bool plugin_link_has_ended(int32_t process, int32_t *_Nonnull status);
/// Ends a process that was started, at once. Control side.
void plugin_link_kill(int32_t process);

/// Adds an event before the frame `ahead` frames behind the last that was given. False: there is no room. Render side.
RT_SAFE bool plugin_link_tell(
    plugin_link *_Nonnull link, int64_t ahead, plugin_link_kind kind, uint32_t port, float value,
    const uint8_t *_Nullable bytes);
/// Adds the song's time before the next frame. False: there is no room. Render side.
RT_SAFE bool plugin_link_tell_position(plugin_link *_Nonnull link, const plugin_position *_Nonnull position);
/// Writes frames of an input channel, behind the last that were given. Render side.
RT_SAFE void plugin_link_write(plugin_link *_Nonnull link, int32_t channel, const float *_Nonnull from, int32_t frames);
/// Reads frames of an output channel from frame `frame` on. Render side.
RT_SAFE void plugin_link_read(
    const plugin_link *_Nonnull link, int32_t channel, int64_t frame, float *_Nonnull to, int32_t frames);
/// So many frames more are given. The process looks by itself every millisecond while it is at work, so that a render thread
/// need not enter the kernel. Render side.
RT_SAFE void plugin_link_call(plugin_link *_Nonnull link, int32_t frames);

struct plugin_host;
/// One or two instances on the other side, alike: the channels are dealt to them. All but audio is connected to `values`.
typedef struct {
  struct plugin_host *_Nonnull *_Nonnull hosts;
  float *_Nonnull *_Nonnull values;
  int32_t host_count;
  /// The ports of one instance: its channels, its controls, what it shows.
  const uint32_t *_Nonnull inputs, *_Nonnull outputs, *_Nonnull controls, *_Nonnull shown;
  int32_t control_count, shown_count;
} plugin_link_side;
/// The other side: begins where ours is now, with nothing heard and every control as it is.
void plugin_link_begin(plugin_link *_Nonnull link, const plugin_link_side *_Nonnull side);
/// The other side: serves until new instances are wanted, that have heard nothing. The process ends when the one that started
/// it is gone.
void plugin_link_serve(plugin_link *_Nonnull link, const plugin_link_side *_Nonnull side);

/// Says what is to be run. False: a text is too long. Control side.
bool plugin_link_settle(
    plugin_link *_Nonnull link, double rate, int32_t most, const char *_Nonnull uri, const char *_Nonnull state_uri);
double plugin_link_rate(const plugin_link *_Nonnull link);
int32_t plugin_link_most(const plugin_link *_Nonnull link);
const char *_Nonnull plugin_link_uri(const plugin_link *_Nonnull link);
const char *_Nonnull plugin_link_state_uri(const plugin_link *_Nonnull link);
#endif
