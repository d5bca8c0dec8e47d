#include "voice_kernels.h"
#include "lanes.h"

// The interpolation: A, B, C are the cubic's coefficients, exact as integers. One 64-bit load takes the four points of an
// output; as doubles they stay in vector registers, and no arithmetic touches them as such.
INLINE double four(const int16_t *p) {
  double v;
  __builtin_memcpy(&v, p, 8);
  return v;
}

INLINE void fractions(f8 *x, const u8 *bits, bool exact) {
  *x = exact ? __builtin_convertvector((i8)(*bits >> 8), f8) * ALL(5.9604644775390625e-8f)
             : __builtin_convertvector((i8)(*bits >> 24), f8) * ALL(0.00390625f);
}

INLINE void cubic(f8 *out, const int16_t *s, uint64_t *position, uint64_t step, const u8 *bits, bool exact) {
  uint64_t p = *position;
  double v[8];
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; i++) { v[i] = four(s + (p >> 32)); p += step; }
  *position = p;
  i8 l = (i8)(d4){v[0], v[1], v[4], v[5]}, h = (i8)(d4){v[2], v[3], v[6], v[7]};
  i8 lo = SHUFFLE(l, h, 0, 2, 8, 10, 4, 6, 12, 14), hi = SHUFFLE(l, h, 1, 3, 9, 11, 5, 7, 13, 15);
  i8 s0 = (i8)((u8)lo << 16) >> 16, s1 = lo >> 16, s2 = (i8)((u8)hi << 16) >> 16, s3 = hi >> 16;
  i8 a = s2 - s0, t = s1 - s2;
  i8 c = t + t + t + (s3 - s0);
  i8 b = (s0 - s1) - t - c;
  f8 x;
  fractions(&x, bits, exact);
  f8 fa = __builtin_convertvector(a, f8), fb = __builtin_convertvector(b, f8), fc = __builtin_convertvector(c, f8);
  *out = __builtin_convertvector(s1, f8) + x * ALL(0.5f) * (fa + x * (fb + x * fc));
}

// Eight rows of four as four vectors of eight; the points lie in the rows' order.
INLINE void cubic_float(f8 *out, const float *s, uint64_t *position, uint64_t step, const u8 *bits, bool exact) {
  uint64_t p = *position;
  f4u v[8];
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; i++) { v[i] = *(const f4u *)(s + (p >> 32)); p += step; }
  *position = p;
  f8 r04 = SHUFFLE(v[0], v[4], 0, 1, 2, 3, 4, 5, 6, 7), r15 = SHUFFLE(v[1], v[5], 0, 1, 2, 3, 4, 5, 6, 7);
  f8 r26 = SHUFFLE(v[2], v[6], 0, 1, 2, 3, 4, 5, 6, 7), r37 = SHUFFLE(v[3], v[7], 0, 1, 2, 3, 4, 5, 6, 7);
  f8 t0 = SHUFFLE(r04, r15, 0, 8, 1, 9, 4, 12, 5, 13), t1 = SHUFFLE(r04, r15, 2, 10, 3, 11, 6, 14, 7, 15);
  f8 t2 = SHUFFLE(r26, r37, 0, 8, 1, 9, 4, 12, 5, 13), t3 = SHUFFLE(r26, r37, 2, 10, 3, 11, 6, 14, 7, 15);
  f8 s0 = SHUFFLE(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13), s1 = SHUFFLE(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
  f8 s2 = SHUFFLE(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13), s3 = SHUFFLE(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
  f8 a = s2 - s0, t = s1 - s2;
  f8 c = t + t + t + (s3 - s0);
  f8 b = (s0 - s1) - t - c;
  f8 x;
  fractions(&x, bits, exact);
  *out = s1 + x * ALL(0.5f) * (a + x * (b + x * c));
}

// One loop for each kind of point and fraction: `exact` is known at compile time in each, so no test stays in it.
#define LOOP(POINTS, EXACT) \
  for (int i = 0; i < 64; i += 8) { \
    f8 y; \
    POINTS(&y, source, &p, increment, &x, EXACT); \
    *(f8u *)(out + i) = y * a; \
    x += dx; \
    a += da; \
  }
#define START \
  uint64_t p = fraction; \
  u8 x = (u8){0} + (uint32_t)fraction + (u8){0, 1, 2, 3, 4, 5, 6, 7} * (uint32_t)increment; \
  const u8 dx = (u8){0} + (uint32_t)increment * 8u; \
  f8 a = ALL(amp) + COUNT * ALL(step); \
  const f8 da = ALL(step * 8);

KERNEL void kernel_cubic(const int16_t *source, uint64_t fraction, uint64_t increment, float amp, float step, float *out,
                         bool exact) {
  START
  if (exact) { LOOP(cubic, true) } else { LOOP(cubic, false) }
}

KERNEL void kernel_cubic_float(const float *source, uint64_t fraction, uint64_t increment, float amp, float step,
                               float *out, bool exact) {
  START
  if (exact) { LOOP(cubic_float, true) } else { LOOP(cubic_float, false) }
}

// Seven points: a row of weights for each of 256 fractions; the exact one lies on a line between two rows.
INLINE void weights(f8 *row, const float *table, uint64_t position, bool exact) {
  const f8u *rows = (const f8u *)(table + (((uint32_t)position >> 24) * 8));
  f8 first = rows[0];
  if (exact) {
    float rest = (float)(int32_t)((uint32_t)position & 0xFFFFFF) * 5.9604644775390625e-8f;
    *row = first + ALL(rest) * (rows[1] - first);
  } else {
    *row = first;
  }
}

INLINE void seven(f8 *out, const int16_t *s, uint64_t *position, uint64_t step, const float *table, bool exact) {
  uint64_t p = *position;
  f8 r[8];
#pragma clang loop unroll(full)
  for (int j = 0; j < 8; j++) {
    f8 row;
    weights(&row, table, p, exact);
    r[j] = __builtin_convertvector(__builtin_convertvector(*(const h8u *)(s + (p >> 32)), i8), f8) * row;
    p += step;
  }
  *position = p;
  transpose(r);
  *out = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

INLINE void seven_float(f8 *out, const float *s, uint64_t *position, uint64_t step, const float *table, bool exact) {
  uint64_t p = *position;
  f8 r[8];
#pragma clang loop unroll(full)
  for (int j = 0; j < 8; j++) {
    f8 row;
    weights(&row, table, p, exact);
    r[j] = *(const f8u *)(s + (p >> 32)) * row;
    p += step;
  }
  *position = p;
  transpose(r);
  *out = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

#define LOOP_SEVEN(POINTS, EXACT) \
  for (int i = 0; i < 64; i += 8) { \
    f8 y; \
    POINTS(&y, source, &p, increment, table, EXACT); \
    *(f8u *)(out + i) = y * a; \
    a += da; \
  }

KERNEL void kernel_seven(const int16_t *source, uint64_t fraction, uint64_t increment, float amp, float step, float *out,
                         const float *table, bool exact) {
  uint64_t p = fraction;
  f8 a = ALL(amp) + COUNT * ALL(step);
  const f8 da = ALL(step * 8);
  if (exact) { LOOP_SEVEN(seven, true) } else { LOOP_SEVEN(seven, false) }
}

KERNEL void kernel_seven_float(const float *source, uint64_t fraction, uint64_t increment, float amp, float step,
                               float *out, const float *table, bool exact) {
  uint64_t p = fraction;
  f8 a = ALL(amp) + COUNT * ALL(step);
  const f8 da = ALL(step * 8);
  if (exact) { LOOP_SEVEN(seven_float, true) } else { LOOP_SEVEN(seven_float, false) }
}

// Sixteen or thirty-two points: a row of weights for each of 128 fractions, eight columns of it at a time. The rest of the
// fraction has 24 bits, or one where only the upper eight count; rows and rests of eight outputs are found at
// once, and the statement without instructions keeps the compiler from finding each again by itself, a third more of them.
INLINE void sinc_weights(f8 *row, const f8u *first, const f8u *next, float rest) {
  *row = *first + ALL(rest) * (*next - *first);
}

#define SINC(NAME, TYPE, LOAD) \
  INLINE void NAME(f8 *out, const TYPE *s, uint64_t *position, uint64_t step, const u8 *x, const float *table, uint32_t lanes, \
                   bool exact) { \
    const u8 bits = exact ? *x : *x & 0xFF000000u; \
    float rest[8] __attribute__((aligned(32))); \
    uint32_t row[8] __attribute__((aligned(32))); \
    *(f8 *)rest = __builtin_convertvector((i8)((bits & 0x1FFFFFFu) >> 1), f8) * ALL(5.9604644775390625e-8f); \
    *(u8 *)row = (bits >> 25) * lanes; \
    __asm__("" : "+m"(rest), "+m"(row)); \
    uint64_t p = *position; \
    f8 r[8]; \
    _Pragma("clang loop unroll(full)") for (int j = 0; j < 8; j++) { \
      const f8u *rows = (const f8u *)table + row[j]; \
      const TYPE *points = s + (p >> 32); \
      f8 weight; \
      sinc_weights(&weight, rows, rows + lanes, rest[j]); \
      r[j] = LOAD(points) * weight; \
      _Pragma("clang loop unroll(full)") for (uint32_t k = 1; k < lanes; k++) { \
        sinc_weights(&weight, rows + k, rows + lanes + k, rest[j]); \
        r[j] += LOAD(points + 8 * k) * weight; \
      } \
      p += step; \
    } \
    *position = p; \
    transpose(r); \
    *out = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])); \
  }
#define WORDS(p) __builtin_convertvector(__builtin_convertvector(*(const h8u *)(p), i8), f8)
#define FLOATS(p) (*(const f8u *)(p))
SINC(sinc, int16_t, WORDS)
SINC(sinc_float, float, FLOATS)

// Width and kind of fraction are known at compile time in each loop.
#define LOOP_SINC(POINTS, LANES, EXACT) \
  for (int i = 0; i < 64; i += 8) { \
    f8 y; \
    POINTS(&y, source, &p, increment, &x, table, LANES, EXACT); \
    *(f8u *)(out + i) = y * a; \
    x += dx; \
    a += da; \
  }
#define SINCS(POINTS) \
  START \
  if (points == 32) { \
    if (exact) { LOOP_SINC(POINTS, 4, true) } else { LOOP_SINC(POINTS, 4, false) } \
  } else { \
    if (exact) { LOOP_SINC(POINTS, 2, true) } else { LOOP_SINC(POINTS, 2, false) } \
  }

KERNEL void kernel_sinc(const int16_t *source, uint64_t fraction, uint64_t increment, float amp, float step, float *out,
                        const float *table, int points, bool exact) {
  SINCS(sinc)
}

KERNEL void kernel_sinc_float(const float *source, uint64_t fraction, uint64_t increment, float amp, float step,
                              float *out, const float *table, int points, bool exact) {
  SINCS(sinc_float)
}

// Direct form II of the low-pass whose zeros both lie at half the rate, its memory kept as value w and difference d:
// d[n] = a2 d[n-1] + x - s w[n-1], w[n] = w[n-1] + d[n], y = s (w[n] + 2 w[n-1] + w[n-2]), with s = 1 + a1 + a2. The
// numbers stay small where the plain form's cancel, so single precision is enough; a quarter of the gain is in the input.
// As w[n-1] = w[n-2] + d[n-1], d[n] = c d[n-1] + (x - s w[n-2]) with c = a2 - s: one multiplication and one addition
// wait for each other, not two and two.
typedef struct { f8 w1, w2, d, c, s, q; } low_pass;

INLINE void low_pass_begin(low_pass *f, const float *state) {
  const f8 *v = (const f8 *)state;
  *f = (low_pass){v[0], v[1], v[2], v[3], v[4], v[0] + v[1]};
}

INLINE void low_pass_end(const low_pass *f, float *state) {
  f8 *v = (f8 *)state;
  v[0] = f->w1;
  v[1] = f->w2;
  v[2] = f->d;
}

INLINE void low_pass_step(low_pass *f, const float *state, f8 *x, bool moves) {
  f->d = f->c * f->d + (*x - f->s * f->w2);
  f->w2 = f->w1;
  f->w1 = f->w1 + f->d;
  f8 sum = f->w1 + f->w2;
  *x = f->s * (sum + f->q);
  f->q = sum;
  if (moves) {
    f->c += ((const f8 *)state)[5];
    f->s += ((const f8 *)state)[6];
  }
}

INLINE void rows_in(f8 *r, const float *lanes) {
#pragma clang loop unroll(full)
  for (int j = 0; j < 8; j++) r[j] = *(const f8 *)(lanes + j * VOICE_ROW);
  transpose(r);
}

INLINE void rows_out(f8 *r, float *lanes) {
  transpose(r);
#pragma clang loop unroll(full)
  for (int j = 0; j < 8; j++) *(f8 *)(lanes + j * VOICE_ROW) = r[j];
}

INLINE void low_pass_eight(float *lanes, float *state, bool moves) {
  low_pass f;
  low_pass_begin(&f, state);
  for (int i = 0; i < 64; i += 8) {
    f8 r[8];
    rows_in(r, lanes + i);
#pragma clang loop unroll(full)
    for (int n = 0; n < 8; n++) low_pass_step(&f, state, r + n, moves);
    rows_out(r, lanes + i);
  }
  low_pass_end(&f, state);
}

// Each step waits for the one before it; two filters side by side wait together.
INLINE void low_pass_sixteen(float *lanes, float *state, bool moves) {
  low_pass f, g;
  low_pass_begin(&f, state);
  low_pass_begin(&g, state + 64);
  for (int i = 0; i < 64; i += 8) {
    f8 r[8], t[8];
    rows_in(r, lanes + i);
    rows_in(t, lanes + 8 * VOICE_ROW + i);
#pragma clang loop unroll(full)
    for (int n = 0; n < 8; n++) {
      low_pass_step(&f, state, r + n, moves);
      low_pass_step(&g, state + 64, t + n, moves);
    }
    rows_out(r, lanes + i);
    rows_out(t, lanes + 8 * VOICE_ROW + i);
  }
  low_pass_end(&f, state);
  low_pass_end(&g, state + 64);
}

KERNEL void kernel_low_pass(float *lanes, float *state, int groups, bool moves) {
  if (groups == 1) {
    if (moves) low_pass_eight(lanes, state, true);
    else low_pass_eight(lanes, state, false);
  } else {
    if (moves) low_pass_sixteen(lanes, state, true);
    else low_pass_sixteen(lanes, state, false);
  }
}

// The same where a cutoff jumps: the memory belongs to the old coefficients, and is scaled with each step of s, as
// libfluidsynth does it. Only lanes whose s lies above their threshold, state's eighth vector.
KERNEL void kernel_low_pass_scaled(float *lanes, float *state) {
  const f8 threshold = ((const f8 *)state)[7];
  low_pass f;
  low_pass_begin(&f, state);
  for (int i = 0; i < 64; i += 8) {
    f8 r[8];
    rows_in(r, lanes + i);
    for (int n = 0; n < 8; n++) {
      f8 old = f.s;
      low_pass_step(&f, state, r + n, true);
      u8 mask = (u8)(f.s > threshold);
      f8 scale = (f8)(((u8)(old / f.s) & mask) | ((u8)ALL(1) & ~mask));
      f.w1 *= scale;
      f.w2 *= scale;
      f.d *= scale;
      f.q *= scale;
    }
    rows_out(r, lanes + i);
  }
  low_pass_end(&f, state);
}

// One pass for what nearly every voice does: it stands where it stood, and sends to one effect or to none. Lines are written
// on the bounds of vectors, for a store that crosses a cache line costs two: where the voice begins between two of them, the zeros
// around its samples are added to what lies before and behind.
KERNEL void kernel_mix(const float *from, float *to_left, float *to_right, float *to_send, int phase, float left, float right,
                       float send) {
  const f8 l = ALL(left), r = ALL(right), g = ALL(send);
  const int shift = phase & 7, first = phase - shift, end = shift ? 72 : 64;
  from -= shift;
  if (to_send) {
    for (int i = 0; i < end; i += 8) {
      f8 x = *(const f8u *)(from + i);
      *(f8 *)(to_left + first + i) += x * l;
      *(f8 *)(to_right + first + i) += x * r;
      *(f8 *)(to_send + first + i) += x * g;
    }
  } else {
    for (int i = 0; i < end; i += 8) {
      f8 x = *(const f8u *)(from + i);
      *(f8 *)(to_left + first + i) += x * l;
      *(f8 *)(to_right + first + i) += x * r;
    }
  }
}

KERNEL void kernel_pan(const float *from, float *to_left, float *to_right, float left, float left_step, float right,
                       float right_step) {
  f8 l = ALL(left) + COUNT * ALL(left_step), r = ALL(right) + COUNT * ALL(right_step);
  const f8 dl = ALL(left_step * 8), dr = ALL(right_step * 8);
  for (int i = 0; i < 64; i += 8) {
    f8 x = *(const f8u *)(from + i);
    *(f8u *)(to_left + i) += x * l;
    *(f8u *)(to_right + i) += x * r;
    l += dl;
    r += dr;
  }
}

KERNEL void kernel_send(const float *from, float *to, float gain, float step) {
  f8 g = ALL(gain) + COUNT * ALL(step);
  const f8 dg = ALL(step * 8);
  for (int i = 0; i < 64; i += 8) {
    *(f8u *)(to + i) += *(const f8u *)(from + i) * g;
    g += dg;
  }
}
