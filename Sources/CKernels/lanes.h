#ifndef CARILLON_LANES_H
#define CARILLON_LANES_H
// Eight numbers at a time. No fused multiply-add: the same bits on every machine, whatever clone runs.
#pragma STDC FP_CONTRACT OFF
#pragma clang fp contract(off)

/// A kernel: the definition repeats the promise, since each clone is a declaration of its own.
#define KERNEL RT_CLONES RT_SAFE
#define INLINE static inline __attribute__((always_inline))

typedef float f8 __attribute__((vector_size(32)));
/// The same anywhere in memory.
typedef float f8u __attribute__((vector_size(32), aligned(4)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef uint32_t u8 __attribute__((vector_size(32)));
typedef double d4 __attribute__((vector_size(32)));
typedef float f4u __attribute__((vector_size(16), aligned(4)));
typedef int16_t h8u __attribute__((vector_size(16), aligned(2)));

#define ALL(x) ((f8){(x), (x), (x), (x), (x), (x), (x), (x)})
#define COUNT ((f8){0, 1, 2, 3, 4, 5, 6, 7})
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/// Eight rows of eight become eight columns. Vectors go by pointer: by value their place depends on the clone.
INLINE void transpose(f8 *r) {
  f8 a0 = SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13), a1 = SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
  f8 a2 = SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13), a3 = SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
  f8 a4 = SHUFFLE(r[4], r[5], 0, 8, 1, 9, 4, 12, 5, 13), a5 = SHUFFLE(r[4], r[5], 2, 10, 3, 11, 6, 14, 7, 15);
  f8 a6 = SHUFFLE(r[6], r[7], 0, 8, 1, 9, 4, 12, 5, 13), a7 = SHUFFLE(r[6], r[7], 2, 10, 3, 11, 6, 14, 7, 15);
  f8 b0 = SHUFFLE(a0, a2, 0, 1, 8, 9, 4, 5, 12, 13), b1 = SHUFFLE(a0, a2, 2, 3, 10, 11, 6, 7, 14, 15);
  f8 b2 = SHUFFLE(a1, a3, 0, 1, 8, 9, 4, 5, 12, 13), b3 = SHUFFLE(a1, a3, 2, 3, 10, 11, 6, 7, 14, 15);
  f8 b4 = SHUFFLE(a4, a6, 0, 1, 8, 9, 4, 5, 12, 13), b5 = SHUFFLE(a4, a6, 2, 3, 10, 11, 6, 7, 14, 15);
  f8 b6 = SHUFFLE(a5, a7, 0, 1, 8, 9, 4, 5, 12, 13), b7 = SHUFFLE(a5, a7, 2, 3, 10, 11, 6, 7, 14, 15);
  r[0] = SHUFFLE(b0, b4, 0, 1, 2, 3, 8, 9, 10, 11); r[4] = SHUFFLE(b0, b4, 4, 5, 6, 7, 12, 13, 14, 15);
  r[1] = SHUFFLE(b1, b5, 0, 1, 2, 3, 8, 9, 10, 11); r[5] = SHUFFLE(b1, b5, 4, 5, 6, 7, 12, 13, 14, 15);
  r[2] = SHUFFLE(b2, b6, 0, 1, 2, 3, 8, 9, 10, 11); r[6] = SHUFFLE(b2, b6, 4, 5, 6, 7, 12, 13, 14, 15);
  r[3] = SHUFFLE(b3, b7, 0, 1, 2, 3, 8, 9, 10, 11); r[7] = SHUFFLE(b3, b7, 4, 5, 6, 7, 12, 13, 14, 15);
}
#endif
