#ifndef CARILLON_SPEEX_DSP_H
#define CARILLON_SPEEX_DSP_H
#include "realtime.h"

// libspeexdsp's echo canceller and its cleaner of voices, found in the library when it is loaded and not when this is
// linked. Its licence is BSD's (Carillon.docc/Guides/Licences.md).

/// The settings of a cleaner, by the library's numbers.
enum : int32_t {
  /// 0 or 1: noise, and echo that is left, are suppressed.
  SPEEX_DSP_SUPPRESSION = 0,
  /// 0 or 1: gain control.
  SPEEX_DSP_GAIN_CONTROL = 2,
  /// Decibels by which noise is suppressed, 0 or below.
  SPEEX_DSP_NOISE = 18,
  /// Decibels by which echo that is left is suppressed, 0 or below; and while the near voice speaks.
  SPEEX_DSP_ECHO = 20, SPEEX_DSP_ECHO_IN_SPEECH = 22,
};

/// Loads the library of that file name for the life of the process. Returns null, or why not. Control side; one thread at a
/// time. Nothing below may be called before it has returned null.
const char *_Nullable speex_dsp_load(const char *_Nonnull name);

/// A new canceller for blocks of `frames` frames at `rate` hertz and echoes of `tail` frames; null where it refuses.
void *_Nullable speex_dsp_make_canceller(int32_t frames, int32_t tail, int32_t speakers, int32_t rate);
/// Gives it back.
void speex_dsp_close_canceller(void *_Nonnull canceller);
/// A new cleaner for blocks of `frames` frames at `rate` hertz; null where it refuses.
void *_Nullable speex_dsp_make_cleaner(int32_t frames, int32_t rate);
/// Gives it back.
void speex_dsp_close_cleaner(void *_Nonnull cleaner);

// Trusted: in version 1.2.1 these take no memory and no lock; the laws of units watch it with a probe. One exception: a
// canceller that diverges starts anew and says so in a line on standard error.

/// A block: what the microphone heard less the echo of what the speakers play, which are interleaved.
RT_SAFE void speex_dsp_cancel(void *_Nonnull canceller, const int16_t *_Nonnull microphone, const int16_t *_Nonnull playback,
                              int16_t *_Nonnull out);
/// Forgets the room.
RT_SAFE void speex_dsp_reset_canceller(void *_Nonnull canceller);
/// Makes a block cleaner, in place; what comes out is a block late.
RT_SAFE void speex_dsp_clean(void *_Nonnull cleaner, int16_t *_Nonnull samples);
/// Tells a cleaner one of the numbers above.
RT_SAFE void speex_dsp_set(void *_Nonnull cleaner, int32_t what, int32_t value);
/// The loudness that gain control aims at, as a share of 32768.
RT_SAFE void speex_dsp_set_target(void *_Nonnull cleaner, float level);
/// The canceller whose remaining echo the cleaner suppresses; null for none.
RT_SAFE void speex_dsp_attach(void *_Nonnull cleaner, void *_Nullable canceller);
/// The gain of gain control, in whole decibels.
RT_SAFE int32_t speex_dsp_gain(void *_Nonnull cleaner);
#endif
