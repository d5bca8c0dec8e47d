#ifndef CARILLON_SAMPLE_KERNELS_H
#define CARILLON_SAMPLE_KERNELS_H
#include "realtime.h"
#include <stdint.h>

/// Two channels as pairs of dithered 16-bit samples, left in the lower half: `frames` of them. `index`: the left channel's
/// first sample's in the file, whose hash is the noise. `clamps`: whether a sample may lie beyond 16 bits.
RT_SAFE void kernel_dither16(const float *_Nonnull left, const float *_Nonnull right, uint32_t index, bool clamps,
                             ptrdiff_t frames, uint32_t *_Nonnull pairs);
#endif
