#include "effect_kernels.h"
#include "lanes.h"

#define AT(p) (*(const f8u *)(p))
#define PUT(p) (*(f8u *)(p))

// l[n] = k l[n-1] + c x[n] for eight frames at once: each lane adds up what the lanes before it hold, in three steps, and
// what was before all of them. Of one turn of the loop the next needs only the last lane: one multiplication and one
// addition, off which the sums lie.
#define LOW_CUT(x, to, low) { \
    f8 v = AT(x + i), w = c * v; \
    w += k1 * SHUFFLE(w, zero, 8, 0, 1, 2, 3, 4, 5, 6); \
    w += k2 * SHUFFLE(w, zero, 8, 8, 0, 1, 2, 3, 4, 5); \
    w += k4 * SHUFFLE(w, zero, 8, 8, 8, 8, 0, 1, 2, 3); \
    f8 last = SHUFFLE(w, w, 7, 7, 7, 7, 7, 7, 7, 7); \
    w += powers * low; \
    low = last + k8 * low; \
    PUT(to + i) = (v - w) * g; \
  }

KERNEL void kernel_low_cut(const float *left, const float *right, float *to_left, float *to_right, float *state,
                           float cut, float drive, float step) {
  float p1 = 1 - cut, p2 = p1 * p1, p3 = p2 * p1, p4 = p2 * p2, p5 = p4 * p1, p6 = p4 * p2, p7 = p4 * p3, p8 = p4 * p4;
  const f8 powers = {p1, p2, p3, p4, p5, p6, p7, p8};
  const f8 k1 = ALL(p1), k2 = ALL(p2), k4 = ALL(p4), k8 = ALL(p8), c = ALL(cut), zero = ALL(0);
  f8 l = ALL(state[0]), r = ALL(state[1]), g = ALL(drive) + COUNT * ALL(step);
  const f8 dg = ALL(step * 8);
  for (int i = 0; i < 64; i += 8) {
    LOW_CUT(left, to_left, l)
    LOW_CUT(right, to_right, r)
    g += dg;
  }
  state[0] = l[0];
  state[1] = r[0];
}

KERNEL void kernel_diffuse(const float *from, float *to, const float *const *old, float *const *fresh, float gain) {
  const f8 g = ALL(gain);
  for (int i = 0; i < 64; i += 8) {
    f8 v = AT(from + i);
#pragma clang loop unroll(full)
    for (int j = 0; j < 6; j++) {
      f8 delayed = AT(old[j] + i), inner = v + g * delayed;
      PUT(fresh[j] + i) = inner;
      v = delayed - g * inner;
    }
    PUT(to + i) = v;
  }
}

INLINE void five(f8 *y, const float *x, ptrdiff_t s, const f8 *outer, const f8 *middle) {
  *y = *middle * AT(x + 2 * s) + *outer * ((AT(x) + AT(x + 4 * s)) + ALL(4) * (AT(x + s) + AT(x + 3 * s)));
}

// Eight rows from `first` on, filtered.
#define FILTER(a, first, MOVES) \
  _Pragma("clang loop unroll(full)") \
  for (int j = 0; j < 8; j++) { \
    f8 outer = ALL(taps[first + j]), middle = ALL(taps[16 + first + j]); \
    if (MOVES) { \
      outer += t * ALL(taps[32 + first + j]); \
      middle += t * ALL(taps[48 + first + j]); \
    } \
    five(&a[j], rows[first + j] + i, spacing, &outer, &middle); \
  }

// The Hadamard matrix of eight is three stages of sums and differences.
INLINE void hadamard(f8 *a) {
  f8 p0 = a[0] + a[1], p1 = a[0] - a[1], p2 = a[2] + a[3], p3 = a[2] - a[3];
  f8 p4 = a[4] + a[5], p5 = a[4] - a[5], p6 = a[6] + a[7], p7 = a[6] - a[7];
  f8 q0 = p0 + p2, q1 = p1 + p3, q2 = p0 - p2, q3 = p1 - p3;
  f8 q4 = p4 + p6, q5 = p5 + p7, q6 = p4 - p6, q7 = p5 - p7;
  a[0] = q0 + q4;
  a[1] = q1 + q5;
  a[2] = q2 + q6;
  a[3] = q3 + q7;
  a[4] = q0 - q4;
  a[5] = q1 - q5;
  a[6] = q2 - q6;
  a[7] = q3 - q7;
}

// That of sixteen is one stage more. Half of each side's input goes to lines that are heard left, half to the others, with
// signs that the matrix spreads over eight lines alike.
#define FEED(MOVES) \
  for (int i = 0; i < 64; i += 8) { \
    f8 a[8], b[8]; \
    FILTER(a, 0, MOVES) \
    hadamard(a); \
    FILTER(b, 8, MOVES) \
    hadamard(b); \
    t += ALL(8); \
    f8 l = AT(left + i), r = AT(right + i); \
    PUT(lines[0] + i) = (a[0] + b[0]) + l; \
    PUT(lines[1] + i) = (a[1] + b[1]) + r; \
    PUT(lines[2] + i) = (a[2] + b[2]) + l; \
    PUT(lines[3] + i) = (a[3] + b[3]) - r; \
    PUT(lines[4] + i) = (a[4] + b[4]) + r; \
    PUT(lines[5] + i) = (a[5] + b[5]) - l; \
    PUT(lines[6] + i) = (a[6] + b[6]) - r; \
    PUT(lines[7] + i) = (a[7] + b[7]) - l; \
    PUT(lines[8] + i) = (a[0] - b[0]) - l; \
    PUT(lines[9] + i) = (a[1] - b[1]) + r; \
    PUT(lines[10] + i) = (a[2] - b[2]) + l; \
    PUT(lines[11] + i) = (a[3] - b[3]) + r; \
    PUT(lines[12] + i) = (a[4] - b[4]) + r; \
    PUT(lines[13] + i) = (a[5] - b[5]) + l; \
    PUT(lines[14] + i) = (a[6] - b[6]) + r; \
    PUT(lines[15] + i) = (a[7] - b[7]) - l; \
  }

KERNEL void kernel_feed(const float *const *rows, int spacing, const float *taps, bool moves, const float *left,
                        const float *right, float *const *lines) {
  f8 t = COUNT;
  if (moves) { FEED(true) } else { FEED(false) }
}

KERNEL void kernel_glide(const float *from, float *row, const float *start, const float *end) {
  f8 before = AT(row + 64), last = AT(row + 72);
  PUT(row) = before;
  PUT(row + 8) = last;
  f8 w[4], d[4];
#pragma clang loop unroll(full)
  for (int j = 0; j < 4; j++) {
    float step = (end[j] - start[j]) * 0.015625f;
    w[j] = ALL(start[j]) + COUNT * ALL(step);
    d[j] = ALL(8 * step);
  }
  for (int i = 0; i < 64; i += 8) {
    PUT(row + 16 + i) =
        (w[0] * AT(from + i) + w[1] * AT(from + i + 1)) + (w[2] * AT(from + i + 2) + w[3] * AT(from + i + 3));
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; j++) w[j] += d[j];
  }
}

// The matrix takes the eight signs of a side to the eight lines that the side does not hear: no line's own length is heard
// as a repeat.
KERNEL void kernel_taps(const float *const *rows, const float *early_left, const float *early_right, float gain, float *left,
                        float *right) {
  const f8 g = ALL(gain);
#define ROW(j) AT(rows[j] + i)
  for (int i = 0; i < 64; i += 8) {
    f8 l = ((ROW(0) - ROW(3)) - (ROW(4) - ROW(7))) - ((ROW(8) - ROW(11)) + (ROW(12) - ROW(15)));
    f8 r = ((ROW(1) + ROW(2)) + (ROW(5) + ROW(6))) + ((ROW(9) + ROW(10)) - (ROW(13) + ROW(14)));
    PUT(left + i) = g * AT(early_left + i) + l;
    PUT(right + i) = g * AT(early_right + i) + r;
  }
#undef ROW
}

// The points of eight outputs, each its own: what a delay that moves fast needs.
INLINE void fetch(f8 *p, const float *ring, int64_t mask, int64_t position, int64_t delay, int64_t step) {
  for (int j = 0; j < 8; j++) {
    const float *x = ring + ((position + j - ((delay + step * j) >> 32)) & mask);
    for (int n = 0; n < 4; n++) p[n][j] = x[n];
  }
}

// As long as the whole part of the delay stays, the points of eight outputs lie one behind the other; where it changes
// once, some of them lie a frame further on. A fraction that has wrapped tells which.
KERNEL void kernel_voices(const float *ring, int64_t mask, int64_t position, const int64_t *voices, float *to,
                          ptrdiff_t phase, ptrdiff_t count) {
  for (int v = 0; v < 3; v++) {
    const int64_t step = voices[2 * v + 1];
    const bool isSlow = step < 1 << 29 && step > -(1 << 29);
    const u8 lanes = (u8){0, 1, 2, 3, 4, 5, 6, 7} * (uint32_t)step;
    int64_t delay = voices[2 * v] + step * phase, at = position - 2;
    for (ptrdiff_t i = 0; i < count; i += 8) {
      const int64_t whole = delay >> 32, last = (delay + step * 7) >> 32;
      const float *x = ring + ((at - whole) & mask);
      u8 bits = (u8){0} + (uint32_t)delay + lanes;
      f8 p[4];
      if (whole == last) {
        for (int n = 0; n < 4; n++) p[n] = AT(x + n);
      } else if (isSlow) {
        const float *y = ring + ((at - last) & mask);
        const u8 first = (u8){0} + (uint32_t)delay;
        const i8 isLast = step > 0 ? (i8)(bits < first) : (i8)(bits > first);
        for (int n = 0; n < 4; n++) p[n] = (f8)(((i8)AT(y + n) & isLast) | ((i8)AT(x + n) & ~isLast));
      } else {
        fetch(p, ring, mask, at, delay, step);
      }
      // The last is the newest; between the second and the third.
      f8 f = __builtin_convertvector((i8)(bits >> 8), f8) * ALL(5.9604644775390625e-8f);
      f8 t = p[2] - p[1], slope = p[1] - p[3];
      f8 twist = (t + t + t) + (p[0] - p[3]), bend = ((p[3] - p[2]) - t) - twist;
      f8 y = p[2] + f * ALL(0.5f) * (slope + f * (bend + f * twist));
      if (v > 0) y = AT(to + i) + y;
      PUT(to + i) = y;
      delay += step * 8;
      at += 8;
    }
  }
}

KERNEL void kernel_blend(float *to, const float *wet, const float *dry, float gain, float through, ptrdiff_t count) {
  const f8 g = ALL(gain), t = ALL(through);
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) PUT(to + i) = AT(wet + i) * g + AT(dry + i) * t;
  for (; i < count; i++) to[i] = wet[i] * gain + dry[i] * through;
}

KERNEL void kernel_blend_wide(float *to_left, float *to_right, const float *wet_left, const float *wet_right,
                              const float *dry_left, const float *dry_right, float same, float other, float through,
                              ptrdiff_t count) {
  const f8 s = ALL(same), o = ALL(other), t = ALL(through);
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) {
    f8 l = AT(wet_left + i), r = AT(wet_right + i);
    PUT(to_left + i) = (l * s + r * o) + AT(dry_left + i) * t;
    PUT(to_right + i) = (r * s + l * o) + AT(dry_right + i) * t;
  }
  for (; i < count; i++) {
    float l = wet_left[i], r = wet_right[i];
    to_left[i] = (l * same + r * other) + dry_left[i] * through;
    to_right[i] = (r * same + l * other) + dry_right[i] * through;
  }
}

// Four vectors at once: what a sum waits for is then its own last addition only every fourth time.
KERNEL void kernel_convolve(const float *from, const float *taps, float *to, ptrdiff_t length, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 32 <= count; i += 32) {
    f8 s0 = ALL(0), s1 = ALL(0), s2 = ALL(0), s3 = ALL(0);
    for (ptrdiff_t t = 0; t < length; t++) {
      const float *x = from + i - t;
      f8 tap = ALL(taps[t]);
      s0 += tap * AT(x);
      s1 += tap * AT(x + 8);
      s2 += tap * AT(x + 16);
      s3 += tap * AT(x + 24);
    }
    PUT(to + i) = s0;
    PUT(to + i + 8) = s1;
    PUT(to + i + 16) = s2;
    PUT(to + i + 24) = s3;
  }
  for (; i + 8 <= count; i += 8) {
    f8 sum = ALL(0);
    for (ptrdiff_t t = 0; t < length; t++) sum += ALL(taps[t]) * AT(from + i - t);
    PUT(to + i) = sum;
  }
  for (; i < count; i++) {
    float sum = 0;
    for (ptrdiff_t t = 0; t < length; t++) sum += taps[t] * from[i - t];
    to[i] = sum;
  }
}

// Independent frames: as many at once as a clone has room for. The sums go from the inside out, in the same order on all.
KERNEL void kernel_true_peaks(float *restrict peaks, const float *restrict x, ptrdiff_t count, const float *restrict h) {
  const float *g = h + 24, *y = x + 6;
  for (ptrdiff_t k = 0; k < count; k++) {
    const float *a = x + k, *b = y + k;
    float first = h[0] * a[0] + h[1] * a[1] + h[2] * a[2] + h[3] * a[3];
    float second = h[4] * a[4] + h[5] * a[5] + h[6] * a[6] + h[7] * a[7];
    float third = h[8] * a[8] + h[9] * a[9] + h[10] * a[10] + h[11] * a[11];
    float fourth = h[12] * a[12] + h[13] * a[13] + h[14] * a[14] + h[15] * a[15];
    float fifth = h[16] * a[16] + h[17] * a[17] + h[18] * a[18] + h[19] * a[19];
    float sixth = h[20] * a[20] + h[21] * a[21] + h[22] * a[22] + h[23] * a[23];
    float whole = __builtin_fabsf((third + fourth) + ((first + sixth) + (second + fifth)));
    float peak = whole > peaks[k] ? whole : peaks[k];
    float near = g[4] * b[4] + g[5] * b[5] + (g[6] * b[6] + g[7] * b[7]);
    float middle = g[2] * b[2] + g[3] * b[3] + (g[8] * b[8] + g[9] * b[9]);
    float far = g[0] * b[0] + g[1] * b[1] + (g[10] * b[10] + g[11] * b[11]);
    float inner = __builtin_fabsf(near + middle + far);
    peaks[k] = inner > peak ? inner : peak;
  }
}

KERNEL float kernel_steepest(const float *x, ptrdiff_t count) {
  f8 most = {0};
  ptrdiff_t i = 0;
  for (; i + 9 <= count; i += 8) {
    f8 step = *(const f8u *)(x + i + 1) - *(const f8u *)(x + i);
    step = (f8)((i8)step & 0x7FFFFFFF);
    i8 more = step > most;
    most = (f8)(((i8)step & more) | ((i8)most & ~more));
  }
  float greatest = 0;
  for (int lane = 0; lane < 8; lane++) greatest = most[lane] > greatest ? most[lane] : greatest;
  for (; i + 1 < count; i++) {
    float step = __builtin_fabsf(x[i + 1] - x[i]);
    greatest = step > greatest ? step : greatest;
  }
  return greatest;
}
