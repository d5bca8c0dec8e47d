#include "realtime.h"

// Sums and scans over one channel. Vectors of eight are two SSE registers or one AVX register; additions of different
// channels stay in the caller's order, so the width changes no bit of the result.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
typedef int32_t lane_bits __attribute__((vector_size(32), aligned(4)));


RT_CLONES RT_SAFE void rt_add(float *to, const float *from, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) *(lanes *)(to + i) += *(const lanes *)(from + i);
  for (; i < count; i++) to[i] += from[i];
}

RT_CLONES RT_SAFE void rt_add_scaled(float *to, const float *from, float gain, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) *(lanes *)(to + i) += *(const lanes *)(from + i) * gain;
  for (; i < count; i++) to[i] += from[i] * gain;
}

RT_CLONES RT_SAFE void rt_scale(float *to, const float *from, float gain, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) *(lanes *)(to + i) = *(const lanes *)(from + i) * gain;
  for (; i < count; i++) to[i] = from[i] * gain;
}

RT_CLONES RT_SAFE float rt_peak(const float *x, ptrdiff_t count) {
  lanes most = {0};
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) {
    lanes v = (lanes)(*(const lane_bits *)(x + i) & 0x7FFFFFFF);
    lane_bits more = v > most;
    most = (lanes)(((lane_bits)v & more) | ((lane_bits)most & ~more));
  }
  float peak = 0;
  for (int lane = 0; lane < 8; lane++) peak = most[lane] > peak ? most[lane] : peak;
  for (; i < count; i++) { float v = __builtin_fabsf(x[i]); peak = v > peak ? v : peak; }
  return peak;
}

RT_SAFE bool rt_is_silent(const float *x, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 64 <= count; i += 64) {           // leaves at the first sound, so a sounding channel costs one step
    lane_bits any = {0};
    for (ptrdiff_t j = 0; j < 64; j += 8) any |= *(const lane_bits *)(x + i + j);
    any &= 0x7FFFFFFF;
    if (any[0] | any[1] | any[2] | any[3] | any[4] | any[5] | any[6] | any[7]) return false;
  }
  for (; i < count; i++) if (x[i] != 0) return false;
  return true;
}

RT_CLONES RT_SAFE bool rt_is_finite(const float *x, ptrdiff_t count) {
  // 0 * x is NaN exactly for infinities and NaN, and a NaN stays in a sum: two operations a vector.
  lanes sum0 = {0}, sum1 = {0};
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    sum0 += *(const lanes *)(x + i) * 0.0f;
    sum1 += *(const lanes *)(x + i + 8) * 0.0f;
  }
  sum0 += sum1;
  float sum = sum0[0] + sum0[1] + sum0[2] + sum0[3] + sum0[4] + sum0[5] + sum0[6] + sum0[7];
  for (; i < count; i++) sum += x[i] * 0.0f;
  return sum == 0;
}
