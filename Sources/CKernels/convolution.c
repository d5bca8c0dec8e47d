#include "convolution_kernels.h"
#include "lanes.h"

#define AT(p) (*(const f8u *)(p))
#define PUT(p) (*(f8u *)(p))
#define HALF_ROOT ALL(0.70710678118654752f)

// y[m] = sum over k of a[k] exp(-2 pi i k m / 8), in place: three stages of sums and differences.
INLINE void eight(f8 *r, f8 *i) {
  f8 s0r = r[0] + r[4], s0i = i[0] + i[4], d0r = r[0] - r[4], d0i = i[0] - i[4];
  f8 s1r = r[1] + r[5], s1i = i[1] + i[5], d1r = r[1] - r[5], d1i = i[1] - i[5];
  f8 s2r = r[2] + r[6], s2i = i[2] + i[6], d2r = r[2] - r[6], d2i = i[2] - i[6];
  f8 s3r = r[3] + r[7], s3i = i[3] + i[7], d3r = r[3] - r[7], d3i = i[3] - i[7];
  f8 ar = s0r + s2r, ai = s0i + s2i, br = s0r - s2r, bi = s0i - s2i;
  f8 cr = s1r + s3r, ci = s1i + s3i, er = s1r - s3r, ei = s1i - s3i;
  r[0] = ar + cr; i[0] = ai + ci; r[4] = ar - cr; i[4] = ai - ci;
  r[2] = br + ei; i[2] = bi - er; r[6] = br - ei; i[6] = bi + er;
  // d1 and d3 turn by an eighth and by three eighths, d2 by a quarter.
  f8 p1r = (d1r + d1i) * HALF_ROOT, p1i = (d1i - d1r) * HALF_ROOT;
  f8 p3r = (d3i - d3r) * HALF_ROOT, p3i = (d3r + d3i) * -HALF_ROOT;
  f8 gr = d0r + d2i, gi = d0i - d2r, hr = d0r - d2i, hi = d0i + d2r;
  f8 ur = p1r + p3r, ui = p1i + p3i, vr = p1r - p3r, vi = p1i - p3i;
  r[1] = gr + ur; i[1] = gi + ui; r[5] = gr - ur; i[5] = gi - ui;
  r[3] = hr + vi; i[3] = hi - vr; r[7] = hr - vi; i[7] = hi + vr;
}

// The last stage: eights that lie side by side, 64 numbers at a time. They stay transposed, in which order does not matter.
INLINE void narrow(float *re, float *im, ptrdiff_t size) {
  for (ptrdiff_t b = 0; b < size; b += 64) {
    f8 r[8], i[8];
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; k++) { r[k] = AT(re + b + 8 * k); i[k] = AT(im + b + 8 * k); }
    transpose(r);
    transpose(i);
    eight(r, i);
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; k++) { PUT(re + b + 8 * k) = r[k]; PUT(im + b + 8 * k) = i[k]; }
  }
}
INLINE void narrow_back(float *re, float *im, ptrdiff_t size) {
  for (ptrdiff_t b = 0; b < size; b += 64) {
    f8 r[8], i[8];
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; k++) { r[k] = AT(re + b + 8 * k); i[k] = AT(im + b + 8 * k); }
    eight(r, i);
    transpose(r);
    transpose(i);
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; k++) { PUT(re + b + 8 * k) = r[k]; PUT(im + b + 8 * k) = i[k]; }
  }
}

KERNEL void kernel_spectrum(const float *from, float *re, float *im, ptrdiff_t size, const float *twist,
                            const float *turns) {
  for (ptrdiff_t k = 0; k < size; k += 8) {
    f8 x = AT(from + k);
    PUT(re + k) = x * AT(twist + k);
    PUT(im + k) = x * AT(twist + size + k);
  }
  for (ptrdiff_t n = size; n >= 64; n /= 8) {
    ptrdiff_t h = n / 8;
    for (ptrdiff_t b = 0; b < size; b += n) {
      for (ptrdiff_t j = 0; j < h; j += 8) {
        f8 r[8], i[8];
        float *x = re + b + j, *y = im + b + j;
#pragma clang loop unroll(full)
        for (int k = 0; k < 8; k++) { r[k] = AT(x + k * h); i[k] = AT(y + k * h); }
        eight(r, i);
        PUT(x) = r[0];
        PUT(y) = i[0];
#pragma clang loop unroll(full)
        for (int k = 1; k < 8; k++) {
          f8 c = AT(turns + (2 * k - 2) * h + j), s = AT(turns + (2 * k - 1) * h + j);
          PUT(x + k * h) = r[k] * c - i[k] * s;
          PUT(y + k * h) = r[k] * s + i[k] * c;
        }
      }
    }
    turns += 14 * h;
  }
  narrow(re, im, size);
}

// A transform back is one forth with real and imaginary parts exchanged, its stages in the other order.
KERNEL void kernel_sound(float *re, float *im, float *to, float *after, ptrdiff_t size, const float *twist,
                         const float *turns) {
  narrow_back(im, re, size);
  const float *end = turns;
  for (ptrdiff_t n = size; n >= 64; n /= 8) end += 14 * (n / 8);
  for (ptrdiff_t n = 64; n <= size; n *= 8) {
    ptrdiff_t h = n / 8;
    end -= 14 * h;
    for (ptrdiff_t b = 0; b < size; b += n) {
      for (ptrdiff_t j = 0; j < h; j += 8) {
        f8 r[8], i[8];
        float *x = im + b + j, *y = re + b + j;
        r[0] = AT(x);
        i[0] = AT(y);
#pragma clang loop unroll(full)
        for (int k = 1; k < 8; k++) {
          f8 c = AT(end + (2 * k - 2) * h + j), s = AT(end + (2 * k - 1) * h + j);
          f8 p = AT(x + k * h), q = AT(y + k * h);
          r[k] = p * c - q * s;
          i[k] = p * s + q * c;
        }
        eight(r, i);
#pragma clang loop unroll(full)
        for (int k = 0; k < 8; k++) { PUT(x + k * h) = r[k]; PUT(y + k * h) = i[k]; }
      }
    }
  }
  for (ptrdiff_t k = 0; k < size; k += 8) {
    f8 p = AT(re + k), q = AT(im + k), c = AT(twist + k), s = AT(twist + size + k);
    PUT(to + k) = AT(after + k) + (p * c + q * s);
    PUT(after + k) = q * c - p * s;
  }
}

KERNEL void kernel_gather(float *to, ptrdiff_t from, ptrdiff_t end, ptrdiff_t size, const float *history, ptrdiff_t newest,
                          const float *responses, ptrdiff_t count, ptrdiff_t taken) {
  for (ptrdiff_t k = from; k < end; k += 8) {
    f8 r = AT(to + k), i = AT(to + size + k);
    const float *h = responses + k;
    ptrdiff_t slot = newest;
    for (ptrdiff_t p = 0; p < taken; p++) {
      const float *x = history + slot * 2 * size + k;
      f8 xr = AT(x), xi = AT(x + size), hr = AT(h), hi = AT(h + size);
      r += xr * hr - xi * hi;
      i += xr * hi + xi * hr;
      h += 2 * size;
      slot = (slot == 0 ? count : slot) - 1;
    }
    PUT(to + k) = r;
    PUT(to + size + k) = i;
  }
}
