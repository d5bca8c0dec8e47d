#ifndef CARILLON_RUBBER_BAND_H
#define CARILLON_RUBBER_BAND_H
#include "realtime.h"

// librubberband's functions, found in the library when it is loaded and not when this is linked: no byte of it is in a
// process that does not ask for it. Its licence is the GPL (Carillon.docc/Guides/Licences.md).

/// What the options of a stretcher mean; they are added up.
enum : int32_t {
  RUBBER_BAND_REAL_TIME = 0x1,
  RUBBER_BAND_ONE_THREAD = 0x10000,
  RUBBER_BAND_FORMANTS = 0x1000000,
  RUBBER_BAND_CONSISTENT_PITCH = 0x4000000,
  RUBBER_BAND_TOGETHER = 0x10000000,
  RUBBER_BAND_FINER = 0x20000000,
};

/// Loads the library of that file name for the life of the process, and keeps it quiet. Returns null, or why not. Control
/// side; one thread at a time. Nothing below may be called before it has returned null.
const char *_Nullable rubber_band_load(const char *_Nonnull name);

/// A new stretcher; null where it refuses.
void *_Nullable rubber_band_make(uint32_t rate, uint32_t channels, int32_t options, double ratio, double pitch);
/// Gives it back.
void rubber_band_close(void *_Nonnull stretcher);
/// The most frames that are given at once; takes its memory.
void rubber_band_set_longest(void *_Nonnull stretcher, uint32_t frames);
/// Frames of silence that it wants in front.
uint32_t rubber_band_pad(void *_Nonnull stretcher);

// Trusted: in version 3.1 these were measured with a probe. The guide Licences has the results.

/// Back to a new one's state, with its pitch.
RT_SAFE void rubber_band_reset(void *_Nonnull stretcher);
/// The factor of all frequencies from now on.
RT_SAFE void rubber_band_set_pitch(void *_Nonnull stretcher, double pitch);
/// Whether the colour of a voice stays where it is when its pitch moves.
RT_SAFE void rubber_band_set_formants(void *_Nonnull stretcher, bool stay);
/// Takes `frames` frames of each channel; `last` says that there are no more.
RT_SAFE void rubber_band_process(void *_Nonnull stretcher, const float *_Nonnull const *_Nonnull channels, uint32_t frames,
                                 bool last);
/// Frames that are available; below 0 when all have been.
RT_SAFE int32_t rubber_band_available(void *_Nonnull stretcher);
/// Gives up to `frames` of them. Returns how many.
RT_SAFE uint32_t rubber_band_retrieve(void *_Nonnull stretcher, float *_Nonnull const *_Nonnull channels, uint32_t frames);
#endif
