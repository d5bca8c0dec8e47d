#ifndef CARILLON_PCM_H
#define CARILLON_PCM_H
#include "realtime.h"

// What the audio loop needs of a device and of a clock, as tables of functions: the loop is one piece of code that the
// compiler proves once, and calls through a table are the only dynamic calls that both compilers follow. The promise
// is a part of each pointer's type here; the functions behind them carry it in Swift (@_noLocks).

/// What a wait ended with, beside 1 (what was waited for is there), 0 (the deadline came) and -errno: it is time to end.
#define RT_WAIT_STOPPED (-0x10000)
/// Or: simulated time stands still before the deadline, and the wait is to be requested again.
#define RT_WAIT_PAUSED (-0x10001)

/// What a device says of itself at one moment.
typedef struct {
  /// 0, or a negative error number.
  int32_t code;
  bool is_xrun, is_suspended;
  /// Frames that can be written, or read, now.
  int64_t available;
  /// When that was so, nanoseconds of the loop's clock; 0 where the device does not tell.
  int64_t time;
} rt_pcm_status;

/// One side of an open device.
typedef struct {
  void *_Nonnull device;
  /// Waits until it wants to be served, till `deadline`.
  int32_t (*_Nonnull wait)(void *_Nonnull device, int64_t deadline) RT_WAITS;
  rt_pcm_status (*_Nonnull status)(void *_Nonnull device) RT_WAITS;
  /// Takes, or gives, interleaved frames without waiting: how many, or a negative error number.
  int64_t (*_Nonnull transfer)(void *_Nonnull device, void *_Nonnull frames, int64_t count) RT_WAITS;
  /// 0, or a negative error number.
  int32_t (*_Nonnull prepare)(void *_Nonnull device) RT_WAITS;
  int32_t (*_Nonnull start)(void *_Nonnull device) RT_WAITS;
  int32_t (*_Nonnull resume)(void *_Nonnull device) RT_WAITS;
} rt_pcm;

RT_LOOP static inline int32_t rt_pcm_wait(rt_pcm p, int64_t deadline) { return p.wait(p.device, deadline); }
RT_LOOP static inline rt_pcm_status rt_pcm_status_now(rt_pcm p) { return p.status(p.device); }
RT_LOOP static inline int64_t rt_pcm_transfer(rt_pcm p, void *_Nonnull frames, int64_t count) {
  return p.transfer(p.device, frames, count);
}
RT_LOOP static inline int32_t rt_pcm_prepare(rt_pcm p) { return p.prepare(p.device); }
RT_LOOP static inline int32_t rt_pcm_start(rt_pcm p) { return p.start(p.device); }
RT_LOOP static inline int32_t rt_pcm_resume(rt_pcm p) { return p.resume(p.device); }

/// One cycle of a device that pulls in a thread of its own.
typedef struct {
  /// Frames that it asks for, at its rate.
  int64_t frames;
  /// Its count of frames at the first of them. Leaps where it went on without having asked.
  int64_t position;
  /// When the cycle began, nanoseconds of CLOCK_MONOTONIC.
  int64_t time;
  /// Whether it freewheels: cycles follow each other as fast as they are rendered, unheard.
  bool is_freewheeling;
  /// Whether nothing was captured in time: the inputs mean nothing then.
  bool is_deaf;
  /// How often since the last cycle captured frames were left out, because the two sides had drifted apart.
  int32_t input_slips;
  int32_t output_count, input_count;
  /// Channels to be filled, and those that were captured, null where there is none.
  float *_Nullable const *_Nonnull outputs;
  float *_Nullable const *_Nonnull inputs;
} rt_cycle;

/// The time that a loop lives in.
typedef struct {
  void *_Nonnull clock;
  /// Nanoseconds.
  int64_t (*_Nonnull now)(void *_Nonnull clock) RT_WAITS;
  /// Sleeps till `deadline`: 0, or RT_WAIT_STOPPED, or RT_WAIT_PAUSED where that is allowed.
  int32_t (*_Nonnull sleep)(void *_Nonnull clock, int64_t deadline, bool may_pause) RT_WAITS;
} rt_clock;

RT_LOOP static inline int64_t rt_clock_now(rt_clock c) { return c.now(c.clock); }
RT_LOOP static inline int32_t rt_clock_sleep(rt_clock c, int64_t deadline, bool may_pause) {
  return c.sleep(c.clock, deadline, may_pause);
}

/// CLOCK_MONOTONIC, and sleep that ends when `event` is signalled. `event` stays where it is.
rt_clock rt_clock_system(int32_t *_Nonnull event);
#endif
