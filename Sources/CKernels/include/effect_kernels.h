#ifndef CARILLON_EFFECT_KERNELS_H
#define CARILLON_EFFECT_KERNELS_H
#include "realtime.h"
#include <stdint.h>
// What a reverb and a chorus do with every frame. The reverb's kernels take 64 frames, the others any number. As in
// voice_kernels.h there are only additions, multiplications and conversions in one written order: the same bits everywhere.

/// A low-cut of one pole on both sides, and a gain behind it that starts at `drive` and grows by `step`. `state`: the
/// left and the right low-pass.
RT_SAFE void kernel_low_cut(const float *_Nonnull left, const float *_Nonnull right, float *_Nonnull to_left,
                            float *_Nonnull to_right, float *_Nonnull state, float cut, float drive, float step);
/// Six allpasses in a row. `old`: what each line gives, `fresh`: where it takes; `to` may be `from`.
RT_SAFE void kernel_diffuse(const float *_Nonnull from, float *_Nonnull to,
                            const float *_Nonnull const *_Nonnull old, float *_Nonnull const *_Nonnull fresh,
                            float gain);
/// Sixteen rows pass a symmetrical filter of five taps each and the Hadamard matrix (without its 1 / 4), and meet what
/// comes in. `rows` begin at the oldest tap, the taps lie `spacing` frames apart. `taps`: sixteen gains of the outer two,
/// four times that is the gain of the inner two; sixteen of the one in the middle, then how much each of these grows a
/// frame; nothing does where `moves` is false.
RT_SAFE void kernel_feed(const float *_Nonnull const *_Nonnull rows, int spacing, const float *_Nonnull taps,
                         bool moves, const float *_Nonnull left, const float *_Nonnull right,
                         float *_Nonnull const *_Nonnull lines);
/// A weighted sum of four frames that follow each other, for the last 64 of the 80 frames of `row`; what was the end of
/// the row goes to its beginning. What the oldest to the newest weigh goes from `start` to `end`.
RT_SAFE void kernel_glide(const float *_Nonnull from, float *_Nonnull row, const float *_Nonnull start,
                          const float *_Nonnull end);
/// What is heard of sixteen rows, eight on each side, and `gain` times the early part, which may be where `left` and `right`
/// are.
RT_SAFE void kernel_taps(const float *_Nonnull const *_Nonnull rows, const float *_Nonnull early_left,
                         const float *_Nonnull early_right, float gain, float *_Nonnull left, float *_Nonnull right);
/// Three voices read from a ring, between frames by the cubic of Catmull and Rom. `ring` has `mask` + 1 frames, a power of
/// two, and the first of them once more behind its end. `voices`: delay (with 32 binary places) and its growth a frame
/// for each; `position`: of the first frame in the ring; `phase`: frames since the delays were as written. `to` has room
/// for a multiple of eight.
RT_SAFE void kernel_voices(const float *_Nonnull ring, int64_t mask, int64_t position, const int64_t *_Nonnull voices,
                           float *_Nonnull to, ptrdiff_t phase, ptrdiff_t count);
/// to[i] = wet[i] * gain + dry[i] * through; `to` may be `dry`.
RT_SAFE void kernel_blend(float *_Nonnull to, const float *_Nonnull wet, const float *_Nonnull dry, float gain,
                          float through, ptrdiff_t count);
/// The same on two sides, of which each gets something of the `other`.
RT_SAFE void kernel_blend_wide(float *_Nonnull to_left, float *_Nonnull to_right, const float *_Nonnull wet_left,
                               const float *_Nonnull wet_right, const float *_Nonnull dry_left,
                               const float *_Nonnull dry_right, float same, float other, float through,
                               ptrdiff_t count);
/// A filter of `length` taps, from the newest sample on: to[i] = sum of taps[t] * from[i - t], added up in the order of the
/// taps; `length` - 1 samples in front of `from` are read too.
RT_SAFE void kernel_convolve(const float *_Nonnull from, const float *_Nonnull taps, float *_Nonnull to, ptrdiff_t length,
                             ptrdiff_t count);
/// Raises peaks[i] to the magnitude of two sums of products: of x[i] and the 23 behind it with h[0...23], and of the twelve in
/// their middle with h[24...35].
RT_SAFE void kernel_true_peaks(float *_Nonnull peaks, const float *_Nonnull x, ptrdiff_t count, const float *_Nonnull h);
/// The greatest step from one sample to the next, of `count`.
RT_SAFE float kernel_steepest(const float *_Nonnull x, ptrdiff_t count);
#endif
