#ifndef CARILLON_VOICE_KERNELS_H
#define CARILLON_VOICE_KERNELS_H
#include "realtime.h"
#include <stdbool.h>
#include <stdint.h>
// What a sampler does with every frame of every voice, 64 frames at a time. Only additions, multiplications and
// conversions in one written order, so that every clone, every processor and the same operations in Swift give the same bits.

/// Reads 64 samples between frames by the cubic of Catmull and Rom. `source` is the frame left of the first position,
/// `fraction` 0.32, `increment` 32.32 frames; the gain starts at `amp` and grows by `step` a sample. `exact`: the whole
/// fraction, else its upper eight bits, as libfluidsynth takes it.
RT_SAFE void kernel_cubic(const int16_t *_Nonnull source, uint64_t fraction, uint64_t increment, float amp, float step,
                          float *_Nonnull out, bool exact);
/// The same from samples in single precision: what has 24 bits.
RT_SAFE void kernel_cubic_float(const float *_Nonnull source, uint64_t fraction, uint64_t increment, float amp,
                                float step, float *_Nonnull out, bool exact);
/// The same over seven frames. `source` is three frames left of the first position; `table` has 257 rows of eight
/// weights, the last of each 0.
RT_SAFE void kernel_seven(const int16_t *_Nonnull source, uint64_t fraction, uint64_t increment, float amp, float step,
                          float *_Nonnull out, const float *_Nonnull table, bool exact);
/// The same over seven frames in single precision; eight are read.
RT_SAFE void kernel_seven_float(const float *_Nonnull source, uint64_t fraction, uint64_t increment, float amp,
                                float step, float *_Nonnull out, const float *_Nonnull table, bool exact);
/// Reads 64 samples between frames by weights for so many points: 16 or 32. `source` is `points / 2 - 1` frames left of the
/// first position; `table` has 129 rows of `points` weights, between two of which lies a straight line.
RT_SAFE void kernel_sinc(const int16_t *_Nonnull source, uint64_t fraction, uint64_t increment, float amp, float step,
                         float *_Nonnull out, const float *_Nonnull table, int points, bool exact);
/// The same from samples in single precision.
RT_SAFE void kernel_sinc_float(const float *_Nonnull source, uint64_t fraction, uint64_t increment, float amp,
                               float step, float *_Nonnull out, const float *_Nonnull table, int points, bool exact);
/// Floats from the first sample of a voice to that of the next: 64 of its own, and eight zeros on either side.
#define VOICE_ROW 80
/// The low-pass of one or two groups of eight voices. `lanes`: a row of each, the first sample aligned to 32 bytes; `state`: eight
/// vectors of eight for each, aligned: w1, w2, d, c, s and the growth of c and s per sample. `moves`: whether any grows. See
/// voices.c.
RT_SAFE void kernel_low_pass(float *_Nonnull lanes, float *_Nonnull state, int groups, bool moves);
/// The same of eight voices, for cutoffs that jump: behind the seven vectors stands one of thresholds. A lane whose s lies above its
/// threshold has its memory scaled with s; a threshold of FLT_MAX leaves it alone.
RT_SAFE void kernel_low_pass_scaled(float *_Nonnull lanes, float *_Nonnull state);
/// Adds the 64 samples of a row, whose zeros are read too, to two sides and, unless it is null, to a send, from frame `phase` of
/// these lines on, with gains that stay. The lines are aligned to 32 bytes and have 128 frames or more.
RT_SAFE void kernel_mix(const float *_Nonnull from, float *_Nonnull to_left, float *_Nonnull to_right,
                        float *_Nullable to_send, int phase, float left, float right, float send);
/// Adds 64 samples to two sides, with gains that start at `left` and `right` and grow by their steps.
RT_SAFE void kernel_pan(const float *_Nonnull from, float *_Nonnull to_left, float *_Nonnull to_right, float left,
                        float left_step, float right, float right_step);
/// Adds 64 samples to one, with a gain that starts at `gain` and grows by `step`.
RT_SAFE void kernel_send(const float *_Nonnull from, float *_Nonnull to, float gain, float step);
#endif
