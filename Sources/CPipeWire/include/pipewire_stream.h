#ifndef CARILLON_PIPEWIRE_STREAM_H
#define CARILLON_PIPEWIRE_STREAM_H
#include "pcm.h"

// Streams of a PipeWire daemon. libpipewire is found when a device of PipeWire's is requested and not when this is linked: the
// program starts without it. Its binary interface, which its name promises to keep, is declared in pipewire_abi.h.

/// Loads the library of that file name for the life of the process, and keeps it quiet. Returns null, or why not. Control
/// side; one thread at a time. Nothing below may be called before it has returned null.
const char *_Nullable cpw_load(const char *_Nonnull name);

/// Whom a device calls, from threads of libpipewire's.
typedef struct {
  void *_Nonnull context;
  /// Answers a cycle. The data thread.
  void (*_Nonnull cycle)(void *_Nonnull context, const rt_cycle *_Nonnull cycle) RT_WAITS;
  /// The graph went on without having asked. The data thread.
  void (*_Nonnull xrun)(void *_Nonnull context) RT_WAITS;
  /// Whether the graph has stopped asking: nothing is linked, or the sink sleeps.
  void (*_Nonnull paused)(void *_Nonnull context, bool is_paused);
  /// The daemon has gone, or has thrown the stream out.
  void (*_Nonnull lost)(void *_Nonnull context);
} cpw_calls;

typedef struct cpw_device cpw_device;

/// What a device is to be.
typedef struct {
  /// What the node is called.
  const char *_Nonnull name;
  /// The name or serial number of the node to play to; null for the session's choice, empty for none.
  const char *_Nullable target;
  /// The same for what is captured.
  const char *_Nullable capture_target;
  /// The daemon's socket; null for the default.
  const char *_Nullable remote;
  int32_t rate, period, outputs, inputs;
  /// The loudspeaker of each output, as the library counts them; null where they are none.
  const uint32_t *_Nullable places;
} cpw_wish;

/// A stream that plays, and one that captures where there are inputs. Returns null and an error number: there is no daemon,
/// or it refuses. It is paused until the graph asks for sound.
cpw_device *_Nullable cpw_open(const cpw_wish *_Nonnull wish, cpw_calls calls, int32_t *_Nonnull code);
/// Waits until the graph asks for sound, or for so many milliseconds. Returns whether it does.
bool cpw_wait(cpw_device *_Nonnull device, int32_t milliseconds);
/// Why the capture stream is over though the other one plays: an error number, and the text that belongs to it, which lives as
/// long as the device; 0 where it is not.
int32_t cpw_capture_fault(const cpw_device *_Nonnull device, const char *_Nullable *_Nonnull text);
/// Ends it; none of its functions is called any more.
void cpw_close(cpw_device *_Nonnull device);
/// How the data thread is scheduled: SCHED_FIFO's priority, 0 for none; negative before its first cycle.
int32_t cpw_priority(const cpw_device *_Nonnull device);

/// What the daemon tells of a node; null where it does not.
typedef struct {
  const char *_Nonnull name;
  const char *_Nullable description;
  /// `Audio/Sink`, `Audio/Source`, `Stream/Output/Audio` and so on.
  const char *_Nullable media_class;
  /// Its number, which no other node ever gets.
  const char *_Nullable serial;
} cpw_node;

/// Calls `found` with each node that has a name. Returns 0, or an error number: there is no daemon.
int32_t cpw_list(
    const char *_Nullable remote, void *_Nonnull context,
    void (*_Nonnull found)(void *_Nonnull context, const cpw_node *_Nonnull node));
#endif
