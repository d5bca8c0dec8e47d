#include "sample_kernels.h"
#include "lanes.h"

typedef uint32_t u8u __attribute__((vector_size(32), aligned(4)));

// What SampleQuantizer.dithered does, for eight samples whose indices are in `n`.
#define DITHER(from, n, to) { \
    u8 h = (n) * 0x9E3779B9u; \
    h = (h ^ h >> 16) * 0x7FEB352Du; \
    h = (h ^ h >> 15) * 0x846CA68Bu; \
    h ^= h >> 16; \
    i8 triangle = (i8)((h & 0xFFFF) + (h >> 16)) - 65535; \
    f8 steps = *(const f8u *)(from) * 32768.0f; \
    i8 sounds = (f8)((i8)steps & 0x7FFFFFFF) > 0.0f; \
    f8 value = (f8)((i8)(steps + __builtin_convertvector(triangle, f8) * 0x1p-16f) & sounds); \
    if (clamps) { \
      i8 high = value > 32767.0f; \
      value = (f8)(((i8)value & ~high) | ((i8)ALL(32767.0f) & high)); \
      i8 low = value < -32768.0f; \
      value = (f8)(((i8)value & ~low) | ((i8)ALL(-32768.0f) & low)); \
    } \
    to = (u8)(value + 12582912.0f); \
  }

KERNEL void kernel_dither16(const float *left, const float *right, uint32_t index, bool clamps, ptrdiff_t frames,
                            uint32_t *pairs) {
  const u8 count = {0, 2, 4, 6, 8, 10, 12, 14};
  u8 n = count + index, l, r;
  ptrdiff_t i = 0;
  for (; i + 8 <= frames; i += 8, n += 16) {
    DITHER(left + i, n, l)
    DITHER(right + i, n + 1, r)
    *(u8u *)(pairs + i) = (l & 0xFFFF) | r << 16;
  }
  if (i == frames) return;
  float rest[2][8] = {{0}, {0}};
  for (ptrdiff_t k = i; k < frames; k++) { rest[0][k - i] = left[k]; rest[1][k - i] = right[k]; }
  DITHER(rest[0], n, l)
  DITHER(rest[1], n + 1, r)
  l = (l & 0xFFFF) | r << 16;
  for (ptrdiff_t k = i; k < frames; k++) pairs[k] = l[k - i];
}
