#ifndef SOXR_RENDER_H
#define SOXR_RENDER_H
#include <soxr.h>
#include "realtime.h"

// libsoxr carries no annotations. Its queues grow to their size on the silence that a converter is given before it is
// used; from then on these calls were measured to take no memory. The pragma behind RT_TRUSTED_LOOP is the trust, the
// probe around a converted slice is the check.

/// What a step used of its input and made of its output.
typedef struct { ptrdiff_t used, made; bool failed; } soxr_render_step_result;
/// Takes up to `frames` of input and makes up to `capacity` of output; no input says that there is no more.
RT_TRUSTED_LOOP(soxr_render_step_result soxr_render_step(
    soxr_t _Nonnull stream, float *_Nullable *_Nullable input, ptrdiff_t frames, float *_Nullable *_Nonnull output,
    ptrdiff_t capacity),
  size_t used = 0;
  size_t made = 0;
  bool failed = soxr_process(stream, input, (size_t)frames, &used, output, (size_t)capacity, &made) != NULL;
  return (soxr_render_step_result){(ptrdiff_t)used, (ptrdiff_t)made, failed})
/// Frames of output for which the input is here already.
RT_TRUSTED_LOOP(double soxr_render_delay(soxr_t _Nonnull stream), return soxr_delay(stream))
#endif
